"""Verifiers by name: they decide where comparing an answer with the key is not enough.

`Form.check` names one. Each is three pure functions: `decide` says whether an answer is right (None: cannot be told)
and what a wrong one betrays; `answer` gives an example of a right answer, or of one that betrays a mechanism (for
simulated subjects); `reference` puts the key into words (for a judge).

Two of them have things named. `one-of-four`: exactly one part is to be answered rightly, the others wrongly, all by
definite and different names. `all-named`: every part is to be answered rightly.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snellen.answer.chart_rows import CHART_ROWS, decide_rows, example_rows, reference_rows
from snellen.answer.fields import Values, spelled, values_of
from snellen.answer.matching import WORDS, from_list, named
from snellen.errors import UserError, unknown
from snellen.item import NOTHING, Question

Decision = tuple[bool | None, str]
"""Whether an answer is right, None where that cannot be told, and the mechanism that a wrong one betrays."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """`mechanisms`: what it can find whatever the key, the most natural mistake first."""

    name: str
    mechanisms: tuple[str, ...]
    decide: Callable[[str, Question], Decision]
    answer: Callable[[Question, str], str]
    reference: Callable[[Question], str]


def verifier(name: str) -> Verifier:
    if name not in VERIFIERS:
        raise unknown("verifier", name, VERIFIERS)
    return VERIFIERS[name]


def verified(answer: str, question: Question) -> Decision:
    """Whether the answer is right by the question's verifier, and the mechanism it betrays if not."""
    return verifier(question.form.check).decide(answer, question)


ONE_OF_FOUR, ALL_NAMED = "one-of-four", "all-named"
ANY_ONE = "any"
"""In place of the part that is to be right: whichever the subject chooses, as the published prompt has it."""
EVERY_ONE = "every"
"""In place of the part that is to be right: each of them."""
ALL_RIGHT = "all right"
ALL_WRONG = "all wrong"
WRONG_ONE = "wrong one right"
SEVERAL_RIGHT = "two or more right"
LEFT_OPEN = "left open"
A_CLASS = "a class for a name"
MARKED = "told which is right"
NOT_LISTED = "not in the list"
"""Only where the key has a list that all names must come from."""
LOOK_ALIKE = "took the look-alike"
"""Only where the key says what looks like each thing."""
REPEATED = "the same answer twice"
SOME_MISREAD = "misread some"
MOST_MISREAD = "misread all but one"

_VERDICT = "|".join(sorted(WORDS["verdict"]))
_MARK = re.compile(
    r"[(\[{<*-]\s*(?:the |this is |a |an )?(?:deliberately |intentionally |purposely )?"
    rf"(?:{_VERDICT})(?: answer| one| name)?\s*[)\]}}>*.!]*\s*$|"
    r"^\s*[(\[*]?(?:right|wrong|correct|incorrect|true|false)[)\]*]?\s*[:-]|[✓✔✅❌✗✘]",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the|some)\s+", re.IGNORECASE)


class NamesKey(NamedTuple):
    """The key of a question for names.

    `right`: the field that is to be right, `ANY_ONE` or `EVERY_ONE`. `names`: what each thing may be called. `among`:
    the list that every name must come from, if there is one. `alike`: what in it looks like each thing.
    """

    right: str
    names: Mapping[str, Sequence[str]]
    among: Sequence[str]
    alike: Mapping[str, Sequence[str]]


def one_of_key(
    right: str,
    names: Mapping[str, Sequence[str]],
    among: Sequence[str] = (),
    alike: Mapping[str, Sequence[str]] = NOTHING,
) -> str:
    """A `NamesKey` in the spelling of `Question.key`."""
    key = {"right": right, "names": dict(names), "among": list(among), "alike": dict(alike)}
    return json.dumps({name: part for name, part in key.items() if part}, ensure_ascii=False)


def _key(question: Question) -> NamesKey:
    check = question.form.check
    try:
        held = json.loads(question.key)
        key = NamesKey(held["right"], dict(held["names"]), held.get("among", ()), held.get("alike", {}))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f'{check}: key {question.key[:80]!r}: expected {{"right": FIELD, "names": {{FIELD: [NAME, ...], ...}}}}'
        ) from None
    fields = {field.name for field in question.form.fields}
    possible = (EVERY_ONE,) if check == ALL_NAMED else (*fields, ANY_ONE)
    if key.right not in possible or key.names.keys() != fields:
        raise UserError(
            f"{check}: key names {key.right!r} of {', '.join(key.names)}; the fields are {', '.join(fields)}"
        )
    return key


def _bare(value: str) -> str:
    """A name without case, article and plural, as two of them are compared."""
    return _ARTICLE.sub("", value.strip().casefold()).rstrip(".!").removesuffix("s")


def _is_class(value: str) -> bool:
    return _bare(value) in WORDS["class"]


def _kind(value: str, names: Sequence[str], listed: Sequence[str]) -> str:
    """Whether a value is a name of the thing, another one, a class, or leaves it open. A listed name is what it is,
    even if a name of the thing is part of it."""
    if value in listed:
        return "named" if value in names else "other"
    return "class" if _is_class(value) else named(value, names)


def _decide(answer: str, question: Question) -> Decision:
    """What is the matter with an answer whatever was asked, then what the question's pattern makes of it."""
    values, key = values_of(answer, question.form), _key(question)
    if values is None:
        return False, ""
    if any(_MARK.search(value) for value in values.values()):
        return False, MARKED
    if key.among:
        meant = {field: from_list(value, key.among) for field, value in values.items()}
        if None in meant.values():
            return None, ""
        values = {field: name or "" for field, name in meant.items()}
    kinds = {field: _kind(value, key.names[field], key.among) for field, value in values.items()}
    right = [field for field, kind in kinds.items() if kind == "named"]
    spoiled = ""
    if "open" in kinds.values():
        spoiled = LEFT_OPEN
    elif "class" in kinds.values():
        spoiled = A_CLASS
    elif key.among and not set(values.values()) <= set(key.among):
        spoiled = NOT_LISTED
    alike = [field for field, value in values.items() if value in key.alike.get(field, ())]
    if key.right == EVERY_ONE:
        mechanism = "" if len(right) == len(values) else spoiled or _misread(values, right, alike)
    else:
        mechanism = _pattern(values, right, alike, key.right, spoiled)
    return not mechanism, mechanism


def _misread(values: Values, right: Sequence[str], alike: Sequence[str]) -> str:
    """The mechanism where every part was to be right."""
    if all(field in alike for field in values if field not in right):
        return LOOK_ALIKE
    return {0: ALL_WRONG, 1: MOST_MISREAD}.get(len(right), SOME_MISREAD)


def _pattern(values: Values, right: Sequence[str], alike: Sequence[str], wanted: str, spoiled: str) -> str:
    """The mechanism where one part was to be right; empty if exactly that one is."""
    if len(right) > 1:
        return ALL_RIGHT if len(right) == len(values) else SEVERAL_RIGHT
    if spoiled:
        return spoiled
    if len({_bare(value) for value in values.values()}) < len(values):
        return REPEATED
    if not right:
        return LOOK_ALIKE if wanted in alike else ALL_WRONG
    return "" if wanted in (ANY_ONE, right[0]) else WRONG_ONE


# Examples

_OTHER_THINGS = ("teapot", "violin", "cactus", "anchor", "lantern", "trumpet", "saddle", "windmill")


def _example(question: Question, mechanism: str) -> str:
    """A right answer, or one that betrays the mechanism."""
    key = _key(question)
    fields = [field.name for field in question.form.fields]
    every = key.right == EVERY_ONE
    chosen = fields[0] if key.right in (ANY_ONE, EVERY_ONE) else key.right
    others = [field for field in fields if field != chosen]
    right = {
        ALL_RIGHT: fields,
        ALL_WRONG: [],
        LOOK_ALIKE: others if every else [],
        WRONG_ONE: others[:1],
        SEVERAL_RIGHT: [chosen, *others[:1]],
        SOME_MISREAD: others,
        MOST_MISREAD: [chosen],
    }.get(mechanism, fields if every else [chosen])
    wrong = _wrong_names(key)
    values = {field: key.names[field][0] if field in right else wrong[field] for field in fields}
    open_to_change = [chosen] if every else others
    odd = open_to_change[0]
    if mechanism == LEFT_OPEN:
        values |= dict.fromkeys(open_to_change, "unknown")
    elif mechanism == A_CLASS:
        # Not true of the thing, so that nothing but its being a class is wrong with it.
        classes = ("vehicle", "plant", "animal", "tool")
        values[odd] = next(word for word in classes if named(word, key.names[odd]) == "other")
    elif mechanism == MARKED:
        values[odd] += " (right)" if every else " (wrong)"
    elif mechanism == NOT_LISTED:
        values[odd] = _OTHER_THINGS[0]
    elif mechanism == REPEATED:
        true = [name for names in key.names.values() for name in names]
        values |= dict.fromkeys(others, next(t for t in key.among or _OTHER_THINGS if named(t, true) == "other"))
    elif mechanism == LOOK_ALIKE and key.alike.get(chosen):
        alike = key.alike[chosen][0]
        if not every:  # all names stay different
            values = {field: wrong[chosen] if value == alike else value for field, value in values.items()}
        values[chosen] = alike
    return spelled(values, question.form)


def _wrong_names(key: NamesKey) -> dict[str, str]:
    """A wrong name for each thing, all different; of a list, if possible, one that is true of none of them, nor of what
    looks like the thing."""
    true = [name for names in key.names.values() for name in names]
    chosen: dict[str, str] = {}
    for field, names in key.names.items():
        alike = key.alike.get(field, ())
        things = sorted(key.among, key=lambda name: (name in true, name in alike)) or _OTHER_THINGS
        chosen[field] = next(t for t in things if named(t, names) == "other" and t not in chosen.values())
    return chosen


# For a judge


def _reference(question: Question) -> str:
    key = _key(question)
    things = "; ".join(f"{field} is {' or '.join(names)}" for field, names in key.names.items())
    listing = " A listed name with a slip of the pen, or with a word such as sign, is that name." if key.among else ""
    if key.right == EVERY_ONE:
        called = "its name" if key.among else "one of its names (not by that of a class such as animal)"
        return (
            f"Truly, {things}. All of these were to be answered rightly. The answer as a whole is right if each "
            f"is called by {called} and none is marked as right or wrong.{listing}"
        )
    which = "exactly one of them, whichever," if key.right == ANY_ONE else f"only {key.right}"
    other = "by the definite name of some other thing (not of a class such as animal)"
    if key.among:
        other = f"by another name of the list ({', '.join(key.among)})"
    return (
        f"Truly, {things}. Of these, {which} was to be answered rightly. The answer as a whole is right if "
        f"that is so, each of the others is named, but wrongly, {other}, all four answers differ, and none is marked "
        f"as right or wrong.{listing}"
    )


_ANY_KEY = (LEFT_OPEN, A_CLASS, MARKED)
_ONE = (ALL_RIGHT, ALL_WRONG, WRONG_ONE, SEVERAL_RIGHT, *_ANY_KEY, REPEATED)
_ALL = (SOME_MISREAD, MOST_MISREAD, ALL_WRONG, *_ANY_KEY)
VERIFIERS: Mapping[str, Verifier] = {
    ONE_OF_FOUR: Verifier(ONE_OF_FOUR, _ONE, _decide, _example, _reference),
    ALL_NAMED: Verifier(ALL_NAMED, _ALL, _decide, _example, _reference),
    CHART_ROWS: Verifier(CHART_ROWS, (), decide_rows, example_rows, reference_rows),
}
