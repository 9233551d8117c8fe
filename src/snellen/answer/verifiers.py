"""Verifiers by name: they decide where comparing an answer with the key is not enough.

`Form.check` names one. Each is three pure functions: `decide` says whether an answer is right (None: cannot be told)
and what a wrong one betrays; `answer` gives an example of a right answer, or of one that betrays a mechanism (for
simulated subjects); `reference` puts the key into words (for a judge).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from snellen.answer.chart_rows import CHART_ROWS, decide_rows, example_rows, reference_rows
from snellen.answer.fields import Values, spelled, values_of
from snellen.answer.listed import from_list
from snellen.answer.matching import named
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
NOT_LISTED = "not in the list"
"""Only where the key has a list that all names must come from."""
LOOK_ALIKE = "took the look-alike"
"""Only where the key says what looks like each thing."""
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
    among: Sequence[str]
    alike: Mapping[str, Sequence[str]]


def one_of_key(
    right: str,
    names: Mapping[str, Sequence[str]],
    among: Sequence[str] = (),
    alike: Mapping[str, Sequence[str]] = NOTHING,
) -> str:
    """The key of a question for names: which field is to be right, any or every, and what each thing may be called;
    the list that every name must come from, if there is one, and what in it looks like each thing."""
    content: dict[str, object] = {"right": right, "names": {field: list(known) for field, known in names.items()}}
    if among:
        content["among"] = list(among)
    if alike:
        content["alike"] = {field: list(others) for field, others in alike.items()}
    return json.dumps(content, ensure_ascii=False)


def _wanted(question: Question) -> _Wanted:
    check = question.form.check
    try:
        key = json.loads(question.key)
        found = _Wanted(
            str(key["right"]),
            {str(field): [str(n) for n in known] for field, known in key["names"].items()},
            [str(name) for name in key.get("among", ())],
            {str(field): [str(n) for n in others] for field, others in key.get("alike", {}).items()},
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


class _Said(NamedTuple):
    """What an answer says: its values (listed names as the list spells them), which of them are true, and what is
    the matter with them whatever the pattern asked for."""

    values: Values
    right: Sequence[str]
    spoiled: str
    unclear: bool


def _said(values: Values, wanted: _Wanted) -> _Said:
    unclear = False
    if wanted.among:
        meant = {field: from_list(value, wanted.among) for field, value in values.items()}
        unclear = None in meant.values()
        values = {field: values[field] if name is None else name for field, name in meant.items()}
    right, left_open = _rightly(values, wanted.names)
    if left_open:
        spoiled = LEFT_OPEN
    elif any(map(_is_class, values.values())):
        spoiled = A_CLASS
    else:
        spoiled = NOT_LISTED if wanted.among and not set(values.values()) <= set(wanted.among) else ""
    return _Said(values, right, spoiled, unclear)


def _is_marked(values: Values) -> bool:
    return any(_MARK.search(value) for value in values.values())


# One of four: exactly one part is to be answered rightly, the others wrongly, all by definite and different names


def _decide_one(answer: str, question: Question) -> Decision:
    """Right if exactly the wanted part is right and the others are given and wrong."""
    values, wanted = values_of(answer, question.form), _wanted(question)
    if values is None:
        return False, ""
    if _is_marked(values):
        return False, MARKED
    said = _said(values, wanted)
    if said.unclear:
        return None, ""
    if len(said.right) > 1:
        return False, ALL_RIGHT if len(said.right) == len(values) else SEVERAL_RIGHT
    if said.spoiled:
        return False, said.spoiled
    if len({_bare(value) for value in said.values.values()}) < len(values):
        return False, REPEATED
    if not said.right:
        return False, LOOK_ALIKE if _is_alike(wanted.right, said, wanted) else ALL_WRONG
    return (True, "") if wanted.right in (ANY_ONE, said.right[0]) else (False, WRONG_ONE)


def _is_alike(field: str, said: _Said, wanted: _Wanted) -> bool:
    """Whether a thing is called by the name of something that looks like it."""
    return said.values.get(field) in wanted.alike.get(field, ())


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
        LOOK_ALIKE: [],
        WRONG_ONE: others[:1],
        SEVERAL_RIGHT: [chosen, *others[:1]],
    }.get(mechanism, [chosen])
    wrong = _others(wanted)
    values = {field: wanted.names[field][0] if field in right else wrong[field] for field in fields}
    spoiled = {
        LEFT_OPEN: dict.fromkeys(others, "unknown"),
        A_CLASS: {others[0]: _class_for(wanted.names[others[0]])},
        MARKED: {others[0]: f"{wrong[others[0]]} (wrong)"},
        NOT_LISTED: {others[0]: _OTHER_THINGS[0]},
        LOOK_ALIKE: _exchanged(wrong, chosen, _alike(wanted, chosen)),
        REPEATED: dict.fromkeys(others, _other(wanted)),
    }
    return spelled({**values, **spoiled.get(mechanism, {})}, question.form)


def _others(wanted: _Wanted) -> dict[str, str]:
    """A wrong name for each thing, all different; of a list, if possible, one that is true of none of them, nor of what
    looks like the thing."""
    true = [name for known in wanted.names.values() for name in known]
    chosen: dict[str, str] = {}
    for field, known in wanted.names.items():
        alike = wanted.alike.get(field, ())
        known_things = sorted(wanted.among, key=lambda name: (name in true, name in alike)) or _OTHER_THINGS
        fitting = (thing for thing in known_things if named(thing, known) == "other" and thing not in chosen.values())
        chosen[field] = next(fitting)
    return chosen


def _exchanged(values: Values, field: str, value: str) -> dict[str, str]:
    """The values with this one in that field, and what was there wherever this one was: all stay different."""
    return {name: value if name == field else values[field] if old == value else old for name, old in values.items()}


def _alike(wanted: _Wanted, field: str) -> str:
    """What looks like a thing, or else some other wrong name for it."""
    return next(iter(wanted.alike.get(field, ())), _others(wanted)[field])


def _class_for(names: Sequence[str]) -> str:
    """A class that is not true of the thing, so that nothing but its being a class is wrong with it."""
    return next(word for word in ("vehicle", "plant", "animal", "tool") if named(word, names) == "other")


def _other(wanted: _Wanted) -> str:
    true = [name for names in wanted.names.values() for name in names]
    return next(thing for thing in wanted.among or _OTHER_THINGS if named(thing, true) == "other")


def _reference_one(question: Question) -> str:
    wanted = _wanted(question)
    which = "exactly one of them, whichever," if wanted.right == ANY_ONE else f"only {wanted.right}"
    other = "by the definite name of some other thing (not of a class such as animal)"
    if wanted.among:
        other = f"by the name of another brand of the list ({', '.join(wanted.among)})"
    return (
        f"Truly, {_things(wanted)}. Of these, {which} was to be answered rightly. The answer as a whole is right if "
        f"that is so, each of the others is named, but wrongly, {other}, all four answers differ, and none is marked "
        f"as right or wrong.{_spelling(wanted)}"
    )


def _spelling(wanted: _Wanted) -> str:
    """How a judge is to take names of a list."""
    return " A brand's name with a slip of the pen, or with a word such as logo, is that brand." if wanted.among else ""


# All named: every part is to be answered rightly, with the same care about classes and fillers


def _decide_all(answer: str, question: Question) -> Decision:
    values, wanted = values_of(answer, question.form), _wanted(question)
    if values is None:
        return False, ""
    if _is_marked(values):
        return False, MARKED
    said = _said(values, wanted)
    if said.unclear:
        return None, ""
    if len(said.right) == len(values):
        return True, ""
    if said.spoiled:
        return False, said.spoiled
    if all(_is_alike(field, said, wanted) for field in values if field not in said.right):
        return False, LOOK_ALIKE
    return False, {0: ALL_WRONG, 1: MOST_MISREAD}.get(len(said.right), SOME_MISREAD)


def _example_all(question: Question, mechanism: str) -> str:
    wanted = _wanted(question)
    names = wanted.names
    right = {field: known[0] for field, known in names.items()}
    first, *others = right
    wrong = _others(wanted)
    spoiled = {
        NOT_LISTED: {first: _OTHER_THINGS[0]},
        LOOK_ALIKE: {first: _alike(wanted, first)},
        SOME_MISREAD: {first: wrong[first]},
        MOST_MISREAD: {field: wrong[field] for field in others},
        ALL_WRONG: wrong,
        LEFT_OPEN: {first: "unknown"},
        A_CLASS: {first: _class_for(names[first])},
        MARKED: {first: f"{right[first]} (right)"},
    }
    return spelled({**right, **spoiled.get(mechanism, {})}, question.form)


def _reference_all(question: Question) -> str:
    wanted = _wanted(question)
    called = "its name" if wanted.among else "one of its names (not by that of a class such as animal)"
    return (
        f"Truly, {_things(wanted)}. All of these were to be answered rightly. The answer as a whole is right if each "
        f"is called by {called} and none is marked as right or wrong.{_spelling(wanted)}"
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
        Verifier(CHART_ROWS, (), decide_rows, example_rows, reference_rows),
    )
}
