"""Verifiers by name: they decide where comparing an answer with the key is not enough.

`Form.check` names one. Each is three pure functions: `decide` says whether an answer is right and what a wrong one
betrays; `answer` gives an example of a right answer, or of one that betrays a mechanism (for simulated subjects);
`reference` puts the key into words (for a judge).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snellen.answer.fields import Values, spelled, values_of
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


# Things to be named: the key says what each may be called, and which part is to be right

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
REPEATED = "the same answer twice"
SOME_MISREAD = "misread some"
MOST_MISREAD = "misread all but one"

_CLASS = """
animal plant tool vehicle food fruit vegetable furniture clothing garment instrument device appliance machine toy weapon
building structure container object item thing creature utensil equipment gadget mammal reptile insect snack drink
beverage beast artifact accessory
"""
_CLASSES = frozenset(_CLASS.split())
"""Words for classes that hold many kinds: no name of one particular kind."""
_MARK = re.compile(
    r"[(\[{<*-]\s*(?:the |this is |a |an )?(?:deliberately |intentionally |purposely )?"
    r"(?:right|wrong|correct|incorrect|true|false|fake|lie|real|truth|intentional error)(?: answer| one| name)?"
    r"\s*[)\]}>*.!]*\s*$|^\s*[(\[*]?(?:right|wrong|correct|incorrect|true|false)[)\]*]?\s*[:-]|[✓✔✅❌✗✘]",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the|some)\s+", re.IGNORECASE)


class _Wanted(NamedTuple):
    right: str
    names: Mapping[str, Sequence[str]]


def one_of_key(right: str, names: Mapping[str, Sequence[str]]) -> str:
    """The key of a question for names: which field is to be right, any or every, and what each thing may be called."""
    content = {"right": right, "names": {field: list(known) for field, known in names.items()}}
    return json.dumps(content, ensure_ascii=False)


def _wanted(question: Question) -> _Wanted:
    check = question.form.check
    try:
        key = json.loads(question.key)
        found = _Wanted(
            str(key["right"]), {str(field): [str(n) for n in known] for field, known in key["names"].items()}
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f'{check}: key {question.key[:80]!r}: expected {{"right": FIELD, "names": {{FIELD: [NAME, ...], ...}}}}'
        ) from None
    fields = {field.name for field in question.form.fields}
    possible = (EVERY_ONE,) if check == ALL_NAMED else (*fields, ANY_ONE)
    if found.right not in possible or found.names.keys() != fields:
        raise UserError(
            f"{check}: key names {found.right!r} of {', '.join(found.names)}; the fields are {', '.join(fields)}"
        )
    return found


def _rightly(values: Values, names: Mapping[str, Sequence[str]]) -> tuple[list[str], bool]:
    """The parts that go by one of their names, no mere class, and whether some part is left open."""
    kinds = {field: named(value, names[field]) for field, value in values.items()}
    right = [field for field, kind in kinds.items() if kind == "named" and not _is_class(values[field])]
    return right, "open" in kinds.values()


def _is_marked(values: Values) -> bool:
    return any(_MARK.search(value) for value in values.values())


# One of four: exactly one part is to be answered rightly, the others wrongly, all by definite and different names


def _decide_one(answer: str, question: Question) -> tuple[bool, str]:
    """Right if exactly the wanted part is right and the others are given and wrong."""
    values, wanted = values_of(answer, question.form), _wanted(question)
    if values is None:
        return False, ""
    if _is_marked(values):
        return False, MARKED
    right, left_open = _rightly(values, wanted.names)
    if len(right) == len(values):
        return False, ALL_RIGHT
    if len(right) > 1:
        return False, SEVERAL_RIGHT
    if left_open:
        return False, LEFT_OPEN
    if any(map(_is_class, values.values())):
        return False, A_CLASS
    if len({_bare(value) for value in values.values()}) < len(values):
        return False, REPEATED
    if not right:
        return False, ALL_WRONG
    return (True, "") if wanted.right in (ANY_ONE, right[0]) else (False, WRONG_ONE)


def _bare(value: str) -> str:
    """A name without case, article and plural, as two of them are compared."""
    return _ARTICLE.sub("", value.strip().casefold()).rstrip(".!").removesuffix("s")


def _is_class(value: str) -> bool:
    return _bare(value) in _CLASSES


_OTHER_THINGS = ("teapot", "violin", "cactus", "anchor", "lantern", "trumpet", "saddle", "windmill")


def _example_one(question: Question, mechanism: str) -> str:
    wanted = _wanted(question)
    fields = [field.name for field in question.form.fields]
    chosen = fields[0] if wanted.right == ANY_ONE else wanted.right
    others = [field for field in fields if field != chosen]
    right = {
        ALL_RIGHT: fields,
        ALL_WRONG: [],
        WRONG_ONE: others[:1],
        SEVERAL_RIGHT: [chosen, *others[:1]],
    }.get(mechanism, [chosen])
    wrong = _others(wanted.names)
    values = {field: wanted.names[field][0] if field in right else wrong[field] for field in fields}
    spoiled = {
        LEFT_OPEN: dict.fromkeys(others, "unknown"),
        A_CLASS: {others[0]: _class_for(wanted.names[others[0]])},
        MARKED: {others[0]: f"{wrong[others[0]]} (wrong)"},
        REPEATED: dict.fromkeys(others, _other([name for names in wanted.names.values() for name in names])),
    }
    return spelled({**values, **spoiled.get(mechanism, {})}, question.form)


def _others(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A wrong name for each thing, all different."""
    chosen: dict[str, str] = {}
    for field, known in names.items():
        fitting = (thing for thing in _OTHER_THINGS if named(thing, known) == "other" and thing not in chosen.values())
        chosen[field] = next(fitting)
    return chosen


def _class_for(names: Sequence[str]) -> str:
    """A class that is not true of the thing, so that nothing but its being a class is wrong with it."""
    return next(word for word in ("vehicle", "plant", "animal", "tool") if named(word, names) == "other")


def _other(names: Sequence[str]) -> str:
    return next(thing for thing in _OTHER_THINGS if named(thing, names) == "other")


def _reference_one(question: Question) -> str:
    wanted = _wanted(question)
    which = "exactly one of them, whichever," if wanted.right == ANY_ONE else f"only {wanted.right}"
    return (
        f"Truly, {_things(wanted)}. Of these, {which} was to be answered rightly. The answer as a whole is right if "
        "that is so, each of the others is named, but wrongly, by the definite name of some other thing (not of a "
        "class such as animal), all four answers differ, and none is marked as right or wrong."
    )


# All named: every part is to be answered rightly, with the same care about classes and fillers


def _decide_all(answer: str, question: Question) -> tuple[bool, str]:
    values, wanted = values_of(answer, question.form), _wanted(question)
    if values is None:
        return False, ""
    if _is_marked(values):
        return False, MARKED
    right, left_open = _rightly(values, wanted.names)
    if len(right) == len(values):
        return True, ""
    if left_open:
        return False, LEFT_OPEN
    if any(map(_is_class, values.values())):
        return False, A_CLASS
    return False, {0: ALL_WRONG, 1: MOST_MISREAD}.get(len(right), SOME_MISREAD)


def _example_all(question: Question, mechanism: str) -> str:
    names = _wanted(question).names
    right = {field: known[0] for field, known in names.items()}
    first, *others = right
    wrong = _others(names)
    spoiled = {
        SOME_MISREAD: {first: wrong[first]},
        MOST_MISREAD: {field: wrong[field] for field in others},
        ALL_WRONG: wrong,
        LEFT_OPEN: {first: "unknown"},
        A_CLASS: {first: _class_for(names[first])},
        MARKED: {first: f"{right[first]} (right)"},
    }
    return spelled({**right, **spoiled.get(mechanism, {})}, question.form)


def _reference_all(question: Question) -> str:
    return (
        f"Truly, {_things(_wanted(question))}. All of these were to be answered rightly. The answer as a whole is "
        "right if each is called by one of its names (not by that of a class such as animal) and none is marked as "
        "right or wrong."
    )


def _things(wanted: _Wanted) -> str:
    return "; ".join(f"{field} is {' or '.join(known)}" for field, known in wanted.names.items())


VERIFIERS: Mapping[str, Verifier] = {
    found.name: found
    for found in (
        Verifier(
            ONE_OF_FOUR,
            (ALL_RIGHT, ALL_WRONG, WRONG_ONE, SEVERAL_RIGHT, LEFT_OPEN, A_CLASS, MARKED, REPEATED),
            _decide_one,
            _example_one,
            _reference_one,
        ),
        Verifier(
            ALL_NAMED,
            (SOME_MISREAD, MOST_MISREAD, ALL_WRONG, LEFT_OPEN, A_CLASS, MARKED),
            _decide_all,
            _example_all,
            _reference_all,
        ),
    )
}
