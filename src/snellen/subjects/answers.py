"""What a simulated subject may answer to a question: the right thing, something random, one off, or by habit."""

from collections.abc import Iterator

from snellen.answer.field_values import spelled_set
from snellen.answer.fields import spelled, values_of
from snellen.answer.verifiers import verifier
from snellen.item import Field, Form, Question
from snellen.rng import Stream

NOTHING_MEANT = "none of these"
"""A free text that owes nothing to what was shown."""


def right(question: Question) -> str:
    """A right answer: the key, but for questions whose key is not an answer."""
    return verifier(question.form.check).answer(question, "") if question.form.check else question.key


def in_plain_words(question: Question) -> str:
    """A right answer, as one would tell it: part by part if it has several."""
    answer = right(question)
    values = values_of(answer, question.form) if question.form.kind == "fields" else None
    return "\n".join(f"{name}: {value}" for name, value in values.items()) if values else answer


def random(question: Question, rng: Stream, first: float | None) -> str:
    """An answer that owes nothing to what was shown; `first`: how often the first label, if not evenly."""
    form = question.form
    if form.kind == "choice" and form.labels:
        return rng.choice(form.labels) if first is None else _any_label(question.options, rng, first)
    if form.kind == "number":
        return _any_number(question.key, rng)
    if form.kind == "fields":
        key = values_of(right(question), form) or {}
        return spelled({field.name: _any_value(field, key.get(field.name, ""), rng) for field in form.fields}, form)
    return NOTHING_MEANT


def _any_label(labels: tuple[str, ...], rng: Stream, first: float) -> str:
    if len(labels) == 1:
        return labels[0]
    others = labels[1:]
    return labels[0] if rng.chance(first / (first + (1 - first) * len(others))) else rng.choice(others)


def _any_number(key: str, rng: Stream) -> str:
    whole = int(key) if key.lstrip("-").isdecimal() else 0
    return str(rng.below(max(10, 2 * abs(whole) + 1)))


def _any_value(field: Field, key: str, rng: Stream) -> str:
    if field.kind == "label":
        return rng.choice(field.labels)
    if field.kind == "number":
        return _any_number(key.partition(".")[0], rng)
    if field.kind == "set":
        most = min(len(field.labels), max(1, 2 * len(key.split()) - 1))
        return spelled_set(set(rng.sample(field.labels, 1 + rng.below(most))), field.labels)
    return NOTHING_MEANT


_NUMBER_WORDS = {
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "thirteen",
}
_MISCOUNTS = ("too many", "too few", "wrong sum")
"""Mechanisms of choices that who miscounts takes for right."""


def counts(form: Form) -> bool:
    """Whether a number is asked for."""
    return form.kind == "number" or any(field.kind == "number" for field in form.fields)


def in_number_words(form: Form) -> bool:
    """Whether the labels to choose from are number words."""
    return form.kind == "choice" and bool(form.labels) and {*form.labels} <= _NUMBER_WORDS


def one_off(question: Question, rng: Stream) -> str:
    """The right answer but for one number, which is one too high or too low; of choices one that betrays a miscount,
    or any wrong one if none does."""
    form = question.form
    if form.kind == "choice":
        wrong = [label for label in form.labels if label not in (question.key, *question.also)]
        betraying = [label for label in wrong if question.mechanisms.get(label) in _MISCOUNTS]
        return rng.choice(betraying or wrong)
    step = 1 if rng.chance(0.5) else -1
    if form.kind != "fields":
        return _plus(question.key, step)
    values = dict(values_of(question.key, form) or {})
    if not values:
        return question.key
    miscounted = rng.choice([field.name for field in form.fields if field.kind == "number"])
    return spelled({**values, miscounted: _plus(values[miscounted], step)}, form)


def _plus(number: str, step: int) -> str:
    return str(int(number) + step) if number.lstrip("-").isdecimal() else number


def by_habit(question: Question, habit: str) -> str | None:
    """The wrong answer that betrays this mechanism, or if none is named that of the question's own habit; None if there
    is no such answer."""
    form, wanted = question.form, habit or question.habit
    if not wanted:
        return None
    if form.check:
        chosen = next((name for name in verifier(form.check).mechanisms if _alike(name, wanted)), None)
        return verifier(form.check).answer(question, chosen) if chosen else None
    named = ((wrong, name) for wrong, name in question.mechanisms.items() if _alike(name, wanted))
    if form.kind != "fields":
        return next((wrong for wrong, _ in named if wrong != question.key), None)
    return next(_wrong_in_parts(question, list(named)), None)


def _wrong_in_parts(question: Question, named: list[tuple[str, str]]) -> Iterator[str]:
    """Whole answers that betray a mechanism: as they stand, or put together from its values field by field."""
    form, key = question.form, values_of(question.key, question.form)
    for mechanism in dict.fromkeys(name for _, name in named):
        stated = [wrong for wrong, name in named if name == mechanism]
        yield from (spelled(whole, form) for wrong in stated if "=" not in wrong and (whole := values_of(wrong, form)))
        values: dict[str, str] = {}
        for wrong in stated:
            for field in form.fields:
                if wrong.startswith(f"{field.name}="):
                    values.setdefault(field.name, wrong[len(field.name) + 1 :])
        if key and values and (answer := spelled({**key, **values}, form)) != spelled(key, form):
            yield answer


def _alike(name: str, habit: str) -> bool:
    return name.replace("_", " ").casefold() == habit.replace("_", " ").casefold()
