"""Panels laid upon each other: the third as the first and the second joined, cut, or told apart.

A panel is taken as the set of its things (kind, place, size, turn, fill), all of them or those of one sort (lines,
figures), or as what stands in each place. Sets follow one of a few named operations; places follow a table, learnt from
the complete lines: black upon white gives grey. Along a sequence sets may also grow or shrink one by one. Cores are
compared too, so that an outline that stands in every choice takes no part.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log2
from typing import Any

from snellen.tasks.marvel.solve.character import closed
from snellen.tasks.marvel.solve.decide import RuleFinding
from snellen.tasks.marvel.solve.rules import triples_of
from snellen.tasks.marvel.solve.scene import PuzzleScene, Things
from snellen.tasks.marvel.solve.things import SolverThing

Set = frozenset[Any]
Way = Sequence[Sequence[int]]
_SMALL = 20  # figures below this size stand around or in others
_MOST = 9.0  # bits: beyond this, more things make it no clearer

_OPERATIONS: tuple[tuple[str, float, str, Callable[[Set, Set], Set]], ...] = (
    # What a triple must have to show it at work: nothing in particular, something left, something in common.
    ("both together", 0, "nothing", lambda a, b: a | b),
    ("what both have", 0, "rest", lambda a, b: a & b),
    ("the first without the second", 0.25, "common", lambda a, b: a - b),
    ("the second without the first", 0.5, "common", lambda a, b: b - a),
    ("what only one of them has", 0.5, "common", lambda a, b: a ^ b),
)


def _look(thing: SolverThing) -> Any:
    size, turn = round(thing.size), round(thing.turn)
    return thing.kind, round(thing.x), round(thing.y), size, turn, thing.flip, thing.fill


def _place(thing: SolverThing) -> Any:
    return round(thing.x), round(thing.y)


def _is_line(thing: SolverThing) -> bool:
    return not closed(thing)


_SORTS: tuple[tuple[str, Callable[[SolverThing], bool]], ...] = (
    ("all", lambda thing: True),
    ("lines", _is_line),
    ("figures", lambda thing: not _is_line(thing)),
    ("small figures", lambda thing: thing.size < _SMALL and not _is_line(thing)),
    ("black things", lambda thing: thing.fill == "black"),
)


def overlays(scene: PuzzleScene, way: Way) -> Iterator[RuleFinding]:
    """What set operations say, for each sort of things that tells the choices apart."""
    done: set[tuple[Set, ...]] = set()
    for panels, options in ((scene.context, scene.choices), (scene.core_context, scene.core_choices)):
        shown, offered = [_looked(panel) for panel in panels], [_looked(panel) for panel in options]
        for sort, of in _SORTS:
            choices = [frozenset(look for thing, look in panel if of(thing)) for panel in offered]
            if choices.count(choices[0]) == len(choices):
                continue
            context = [frozenset(look for thing, look in panel if of(thing)) for panel in shown]
            if (*context, *choices) not in done:
                done.add((*context, *choices))
                yield from _operated(sort, context, choices, way)


def _looked(panel: Things) -> list[tuple[SolverThing, Any]]:
    return [(thing, _look(thing)) for thing in panel]


def _operated(sort: str, context: Sequence[Set], choices: Sequence[Set], way: Way) -> Iterator[RuleFinding]:
    triples, pair = triples_of([[context[place] for place in line] for line in way])
    for operation, cost, needs, result in _OPERATIONS:
        if triples and all(result(a, b) == c for a, b, c in triples):
            want = result(*pair)
            fits = frozenset(i for i, choice in enumerate(choices) if choice == want)
            bits = _evidence(triples, needs)
            if fits and bits > 0:
                yield RuleFinding(bits - cost - 0.5 * (sort != "all"), f"{sort}: {operation}", fits)


def _evidence(triples: Sequence[tuple[Set, Set, Set]], needs: str) -> float:
    """Bits for everything that could have been there or not, in the triples that show the operation at work."""
    told = [len(a | b | c) for a, b, c in triples if a and b and c not in (a, b) and (c if needs == "rest" else a & b)]
    if needs == "nothing":
        told = [len(a | b | c) for a, b, c in triples if a and b and c not in (a, b)]
    return min(_MOST, sum(1.5 + 0.5 * number for number in told)) if told else 0.0


def growth(scene: PuzzleScene, way: Way) -> Iterator[RuleFinding]:
    """A sequence in which each panel has what the one before has, and as much more (or less) every time."""
    if len(way) > 1:
        return
    sets = [frozenset(map(_look, panel)) for panel in scene.context]
    choices = [frozenset(map(_look, panel)) for panel in scene.choices]
    steps = [(b - a, a - b) for a, b in pairwise(sets)]
    for name, sign in (("more", 0), ("less", 1)):
        number = len(steps[0][sign])
        if number and all(len(step[sign]) == number and not step[1 - sign] for step in steps):
            fits = frozenset(
                i
                for i, choice in enumerate(choices)
                for more, less in [(choice - sets[-1], sets[-1] - choice)]
                if len((more, less)[sign]) == number and not (less, more)[sign]
            )
            if fits:
                yield RuleFinding(min(_MOST, 2.0 * len(steps)), f"{number} {name} every time", fits)


_CONTENTS: tuple[tuple[str, Callable[[SolverThing], str]], ...] = (
    ("fill", lambda thing: thing.fill),
    ("kind", lambda thing: f"{thing.kind} {thing.fill} {round(thing.turn)}"),
)


def tables(scene: PuzzleScene, way: Way) -> Iterator[RuleFinding]:
    """What a table of places says: (what the first has there, what the second has) gives what the third has."""
    for name, content in _CONTENTS:
        choices = [{_place(thing): content(thing) for thing in panel} for panel in scene.core_choices]
        if all(choice == choices[0] for choice in choices):
            continue
        maps = [{_place(thing): content(thing) for thing in panel} for panel in scene.core_context]
        triples, pair = triples_of([[maps[place] for place in line] for line in way])
        table, bits = _learnt(triples)
        met = {place: (pair[0].get(place, ""), pair[1].get(place, "")) for place in {*pair[0], *pair[1]}}
        if bits > 0 and all(two in table for two in met.values()):
            want = {place: table[two] for place, two in met.items() if table[two]}
            fits = frozenset(i for i, choice in enumerate(choices) if choice == want)
            if fits:
                yield RuleFinding(min(_MOST, bits), f"table of {name}", fits)


def _learnt(triples: Sequence[tuple[dict[Any, str], ...]]) -> tuple[dict[tuple[str, str], str], float]:
    """The table that explains all triples, and what it says beyond its own entries, in bits; none if it does not."""
    table: dict[tuple[str, str], str] = {}
    tests = 0
    values = {value for triple in triples for panel in triple for value in panel.values()} | {""}
    for a, b, c in triples:
        for place in {*a, *b, *c}:
            met = a.get(place, ""), b.get(place, "")
            result = c.get(place, "")
            if (met == ("", "") and result) or table.setdefault(met, result) != result:
                return {}, 0.0
            tests += 1
    return table, (tests - 2 * len(table)) * log2(len(values)) / 2 - 1
