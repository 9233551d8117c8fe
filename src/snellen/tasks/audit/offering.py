"""Everyone who looks at the options of a question: each gives a value for every option."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from snellen.tasks.audit.choosing import ranks
from snellen.tasks.audit.guessing import Feature
from snellen.tasks.audit.observer import Observation, Observer
from snellen.tasks.audit.wording import (
    capitals,
    first_sign,
    marks,
    number_in,
    spelling,
    stray_blanks,
    words_of,
)

T = TypeVar("T")

RANKED: dict[str, Callable[[str], float | None]] = {
    "length": len,
    "words": lambda option: len(option.split()),
    "number": number_in,
    "capitals": capitals,
    "punctuation": marks,
    "stray blanks": stray_blanks,
}
"""What an option is ranked by among the others: the longest, the smallest number but one."""

VALUES: dict[str, Callable[[str], Feature]] = {
    "text": str.lower,
    "first word": lambda option: (words_of(option) or ("",))[0],
    "first character": first_sign,
    "last character": lambda option: option[-1:],
}


def option_observers() -> Iterator[Observer]:
    for name, measure in RANKED.items():
        yield Observer.of(f"options: {name}", partial(_each, measure), ranks)
    for name, value in VALUES.items():
        yield Observer(f"options: {name}", partial(_each, value))
    yield Observer("options: alphabet", _alphabet)
    yield Observer.of("options: words shared with the others", _shared, ranks)
    yield Observer.of("options: words shared with the question", _asked, ranks)
    yield Observer("options", lambda row: [_bag(row.words, option) for option in row.options])


def _each(measure: Callable[[str], T], row: Observation) -> list[T]:
    return [measure(option) for option in row.options]


def _alphabet(row: Observation) -> list[Feature]:
    order = sorted(set(row.options))
    return ranks([order.index(option) for option in row.options])


def _shared(row: Observation) -> list[float | None]:
    """How much each option has in common with the others: the share of its words that they have, on the average."""
    bags = [set(words_of(option)) for option in row.options]
    overlaps = (
        [len(bag & other) / max(len(bag | other), 1) for place, other in enumerate(bags) if place != own]
        for own, bag in enumerate(bags)
    )
    return [round(sum(overlap) / max(len(overlap), 1), 9) for overlap in overlaps]


def _asked(row: Observation) -> list[float | None]:
    """Which share of its words the question has, too. Options that stand in the question are taken out of it first."""
    question = row.words
    for option in sorted(row.options, key=len, reverse=True):
        question = question.replace(option, " ") if len(option) > 1 else question
    asked = set(words_of(question))
    bags = [set(words_of(option)) for option in row.options]
    return [round(len(bag & asked) / max(len(bag), 1), 9) for bag in bags]


def _bag(question: str, option: str) -> tuple[str, ...]:
    """The words of an option, how they are spelled, and what makes them an answer to this question."""
    text = option.lower()
    asked = (f"{word} {text}" for word in sorted(set(words_of(question))))
    return (text, *words_of(option), *(f"as {sign}" for sign in spelling(option)), *asked)
