"""A description beside its picture: what was found, missed, misnamed, left unsaid or said wrongly.

Each difference can be **mended** by itself: the described scene with just that put right. So whoever judges the scene
by a rule can ask which difference it was that turned the judgement.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from snellen.draw.scenes import COLUMNS, ROWS
from snellen.tasks.bongard.replies.world import DERIVED, World, of_kind

Fault = Literal["missed", "misnamed", "wrong", "invented", "unsaid"]
MISSING: frozenset[Fault] = frozenset(("missed", "unsaid"))
"""Faults by which something is not said at all; by the others something false is said."""
_ATTRIBUTES = ("tile", "size", "framed")
_WEIGHTS = {"kind": 4, "row": 1, "column": 1, "tile": 1, "size": 1, "framed": 1}
_LEAST = 2
"""A thing under another name must agree in so much else to be taken for the same thing."""


@dataclass(frozen=True, slots=True)
class DescriptionFault:
    """One fault: the fact, the words that stand for it ('' if none do), and the described picture with it mended."""

    fault: Fault
    fact: str
    words: str
    mended: Any


def differences(described: World, true: World) -> list[DescriptionFault]:
    """All faults of a description of a scene, the gravest first."""
    pairs = _matched(described, true)
    listed = [
        *_missed(described, true, pairs),
        *_misnamed(described, true, pairs),
        *_attributes(described, true, pairs),
        *_invented(described, pairs),
        *_touching(described, true, pairs),
        *_background(described, true),
    ]
    order = ("missed", "misnamed", "wrong", "invented", "unsaid")
    return sorted(listed, key=lambda each: order.index(each.fault))


def _matched(described: World, true: World) -> dict[int, int]:
    """Which described thing is which: those of one name first, then those that agree in enough else."""
    scores = []
    for (i, one), (j, other) in product(enumerate(described.things), enumerate(true.things)):
        agreed = {name: one.get(name) == other[name] for name in _WEIGHTS if one.get(name)}
        named = agreed.pop("kind", False)
        score = sum(_WEIGHTS[name] for name, equal in agreed.items() if equal)
        clash = sum(_WEIGHTS[name] for name, equal in agreed.items() if not equal)
        if named or (score >= _LEAST and score > clash):
            scores.append((score - clash + (_WEIGHTS["kind"] if named else 0), -i, -j))
    pairs: dict[int, int] = {}
    for _, i, j in sorted(scores, reverse=True):
        if -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return pairs


def name_of(thing: Mapping[str, str]) -> str:
    """A thing in a few words: "large dog on a red tile at the top left"."""
    name = thing.get("kind") or thing.get("group") or thing.get("category") or "thing"
    tile = f"on a {thing['tile']} tile" if "tile" in thing else ""
    place = place_of(thing)
    framed = "in a frame" if thing.get("framed") == "yes" else ""
    return " ".join(filter(None, (thing.get("size", ""), name, tile, place and f"at {place}", framed)))


def place_of(thing: Mapping[str, str]) -> str:
    row, column = thing.get("row", ""), thing.get("column", "")
    if (row, column) == (ROWS[1], COLUMNS[1]):
        return "centre"
    return " ".join(filter(None, (row, column)))


def _said(described: World, place: int) -> str:
    return described.said[place] if place < len(described.said) else ""


def _missed(described: World, true: World, pairs: Mapping[int, int]) -> Iterator[DescriptionFault]:
    back = {j: i for i, j in pairs.items()}
    for j, thing in enumerate(true.things):
        if j not in back:
            new = len(described.things)
            beside = {frozenset((new, back[k])) for k in back if frozenset((j, k)) in true.touching}
            mended = replace(
                described, things=(*described.things, thing), touching=frozenset(described.touching | beside)
            )
            yield DescriptionFault("missed", f"there is a {name_of(thing)}", "", mended)


def _misnamed(described: World, true: World, pairs: Mapping[int, int]) -> Iterator[DescriptionFault]:
    for i, j in pairs.items():
        one, other = described.things[i], true.things[j]
        if one.get("kind") != other["kind"]:
            fact = f"the {name_of({**other, 'size': ''})} is a {other['kind']}"
            yield DescriptionFault("misnamed", fact, _said(described, i), _with(described, i, of_kind(other["kind"])))
            continue
        for name in (*DERIVED,):
            if name != "look" and one.get(name) != other[name]:
                fact = f"a {other['kind']} is of the {name} {other[name] or 'of no name'}"
                yield DescriptionFault("misnamed", fact, _said(described, i), _with(described, i, {name: other[name]}))


def _attributes(described: World, true: World, pairs: Mapping[int, int]) -> Iterator[DescriptionFault]:
    for i, j in pairs.items():
        one, other = described.things[i], true.things[j]
        for name in _ATTRIBUTES:
            if one.get(name) != other[name]:
                fault: Fault = "wrong" if name in one and not (name == "framed" and one[name] == "no") else "unsaid"
                fact = _fact(other, name)
                yield DescriptionFault(fault, fact, _said(described, i), _with(described, i, {name: other[name]}))
        if (one.get("row"), one.get("column")) != (other["row"], other["column"]):
            contrary = any(name in one and one[name] != other[name] for name in ("row", "column"))
            place = {name: other[name] for name in ("row", "column")}
            fact = f"the {other['kind']} is at {place_of(other)}"
            yield DescriptionFault(
                "wrong" if contrary else "unsaid", fact, _said(described, i), _with(described, i, place)
            )


def _fact(thing: Mapping[str, str], name: str) -> str:
    if name == "tile":
        return f"the {thing['kind']} is on a {thing['tile']} tile"
    if name == "framed":
        return f"the {thing['kind']} is {'in a frame' if thing['framed'] == 'yes' else 'not in a frame'}"
    return f"the {thing['kind']} is {thing[name]}"


def _with(described: World, place: int, values: Mapping[str, str]) -> World:
    changed = {**described.things[place], **values}
    return replace(described, things=(*described.things[:place], changed, *described.things[place + 1 :]))


def _invented(described: World, pairs: Mapping[int, int]) -> Iterator[DescriptionFault]:
    for i, thing in enumerate(described.things):
        if i not in pairs:
            yield DescriptionFault(
                "invented", f"there is no {name_of(thing)}", _said(described, i), _less(described, i)
            )


def _less(described: World, place: int) -> World:
    """Without one thing; those behind it move up."""

    def moved(k: int) -> int:
        return k - (k > place)

    return World(
        (*described.things[:place], *described.things[place + 1 :]),
        frozenset(frozenset(map(moved, pair)) for pair in described.touching if place not in pair),
        frozenset((word, moved(i), moved(j)) for word, i, j in described.told if place not in (i, j)),
        described.background,
        (*described.said[:place], *described.said[place + 1 :]),
    )


def _touching(described: World, true: World, pairs: Mapping[int, int]) -> Iterator[DescriptionFault]:
    for i, j in product(pairs, pairs):
        if i < j:
            said = frozenset((i, j)) in described.touching
            so = frozenset((pairs[i], pairs[j])) in true.touching
            if said != so:
                names = f"{true.things[pairs[i]]['kind']} and {true.things[pairs[j]]['kind']}"
                changed = described.touching ^ {frozenset((i, j))}
                yield DescriptionFault(
                    "unsaid" if so else "wrong",
                    f"{names} {'touch' if so else 'do not touch'}",
                    "" if so else f"{_said(described, i)}; {_said(described, j)}",
                    replace(described, touching=frozenset(changed)),
                )


def _background(described: World, true: World) -> Iterator[DescriptionFault]:
    if described.background != true.background:
        fault: Fault = "wrong" if described.background else "unsaid"
        mended = replace(described, background=true.background)
        yield DescriptionFault(fault, f"the background is {true.background}", described.background, mended)
