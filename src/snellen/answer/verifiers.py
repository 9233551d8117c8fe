"""Verifiers by name: they decide where comparing an answer with the key is not enough.

`Form.check` names one. Each is three pure functions: `decide` says whether an answer is right and what a wrong one
betrays; `answer` gives an example of a right answer, or of one that betrays a mechanism (for simulated subjects);
`reference` puts the key into words (for a judge).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snellen.answer.fields import spelled, values_of
from snellen.answer.matching import named
from snellen.errors import UserError, unknown
from snellen.item import Question


@dataclass(frozen=True, slots=True)
class Verifier:
    """`mechanisms`: what it can find, the most natural mistake first."""

    name: str
    mechanisms: tuple[str, ...]
    decide: Callable[[str, Question], tuple[bool, str]]
    answer: Callable[[Question, str], str]
    reference: Callable[[Question], str]


def verifier(name: str) -> Verifier:
    if name not in VERIFIERS:
        raise unknown("verifier", name, VERIFIERS)
    return VERIFIERS[name]


def verified(answer: str, question: Question) -> tuple[bool, str]:
    """Whether the answer is right by the question's verifier, and the mechanism it betrays if not."""
    return verifier(question.form.check).decide(answer, question)


# One of four: exactly one part is to be answered rightly, the others wrongly

ALL_RIGHT = "all right"
ALL_WRONG = "all wrong"
WRONG_ONE = "wrong one right"
SEVERAL_RIGHT = "two or more right"
LEFT_OPEN = "left open"


class _Wanted(NamedTuple):
    right: str
    names: Mapping[str, Sequence[str]]


def one_of_key(right: str, names: Mapping[str, Sequence[str]]) -> str:
    """The key of a one-of-four question: which field is to be right, and what each thing may be called."""
    content = {"right": right, "names": {field: list(known) for field, known in names.items()}}
    return json.dumps(content, ensure_ascii=False)


def _wanted(question: Question) -> _Wanted:
    try:
        key = json.loads(question.key)
        found = _Wanted(
            str(key["right"]), {str(field): [str(n) for n in known] for field, known in key["names"].items()}
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f'one-of-four: key {question.key[:80]!r}: expected {{"right": FIELD, "names": {{FIELD: [NAME, ...], ...}}}}'
        ) from None
    fields = {field.name for field in question.form.fields}
    if found.right not in fields or found.names.keys() != fields:
        raise UserError(
            f"one-of-four: key names {found.right!r} of {', '.join(found.names)}; the fields are {', '.join(fields)}"
        )
    return found


def _decide_one(answer: str, question: Question) -> tuple[bool, str]:
    """Right if exactly the wanted part is right and the others are given and wrong."""
    values, wanted = values_of(answer, question.form), _wanted(question)
    if values is None:
        return False, ""
    each = {field: named(value, wanted.names[field]) for field, value in values.items()}
    right = [field for field, found in each.items() if found == "named"]
    if len(right) == len(each):
        return False, ALL_RIGHT
    if len(right) > 1:
        return False, SEVERAL_RIGHT
    if "open" in each.values():
        return False, LEFT_OPEN
    if not right:
        return False, ALL_WRONG
    return (True, "") if right == [wanted.right] else (False, WRONG_ONE)


_OTHER_THINGS = ("teapot", "violin", "cactus", "anchor", "lantern", "trumpet", "saddle", "windmill")


def _example_one(question: Question, mechanism: str) -> str:
    wanted = _wanted(question)
    fields = [field.name for field in question.form.fields]
    others = [field for field in fields if field != wanted.right]
    right = {
        ALL_RIGHT: fields,
        ALL_WRONG: [],
        WRONG_ONE: others[:1],
        SEVERAL_RIGHT: [wanted.right, *others[:1]],
    }.get(mechanism, [wanted.right])
    values = {field: wanted.names[field][0] if field in right else _other(wanted.names[field]) for field in fields}
    if mechanism == LEFT_OPEN:
        values |= dict.fromkeys(others, "unknown")
    return spelled(values, question.form)


def _other(names: Sequence[str]) -> str:
    return next(thing for thing in _OTHER_THINGS if named(thing, names) == "other")


def _reference_one(question: Question) -> str:
    wanted = _wanted(question)
    things = "; ".join(f"{field} is {' or '.join(known)}" for field, known in wanted.names.items())
    return (
        f"Truly, {things}. Only {wanted.right} was to be answered rightly. The answer as a whole is right if "
        f"{wanted.right} is named rightly and each of the others is named, but wrongly."
    )


VERIFIERS: Mapping[str, Verifier] = {
    found.name: found
    for found in (
        Verifier(
            "one-of-four",
            (ALL_RIGHT, ALL_WRONG, WRONG_ONE, SEVERAL_RIGHT, LEFT_OPEN),
            _decide_one,
            _example_one,
            _reference_one,
        ),
    )
}
