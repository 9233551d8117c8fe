"""Panels laid upon each other: the third as the first and the second joined, cut, or told apart.

A panel is taken as the set of its things (kind, place, size, turn, fill), or as what stands in each place. Sets follow
one of a few named operations; places follow a table, learnt from the complete lines: black upon white gives grey. An
outline that stands in every panel takes no part, so sets are tried with and without the largest thing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from snellen.tasks.marvel.solve.decide import Vote
from snellen.tasks.marvel.solve.rules import triples_of
from snellen.tasks.marvel.solve.scene import Scene, Things
from snellen.tasks.marvel.solve.things import Thing

Key = Callable[[Thing], Any]
Set = frozenset[Any]

_OPERATIONS: tuple[tuple[str, Callable[[Set, Set], Set]], ...] = (
    ("both together", lambda a, b: a | b),
    ("what only one of them has", lambda a, b: a ^ b),
    ("what both have", lambda a, b: a & b),
    ("the first without the second", lambda a, b: a - b),
    ("the second without the first", lambda a, b: b - a),
)


def _thing(thing: Thing) -> Any:
    size = round(thing.size)
    return thing.kind, round(thing.x), round(thing.y), size, round(thing.turn), thing.flip, thing.fill


def _place(thing: Thing) -> Any:
    return round(thing.x), round(thing.y)


def overlays(scene: Scene, way: Sequence[Sequence[int]], level: int) -> Iterator[Vote]:
    """What set operations say. Things first; where only fills differ between panels, the table of places knows more."""
    panels = [*scene.core_context, *scene.core_choices]
    for name, less in (("", False), (" without the largest", True)):
        sets = [_as_set(panel, less=less) for panel in panels]
        if None in sets:
            return
        context, choices = sets[: len(scene.context)], sets[len(scene.context) :]
        triples, pair = triples_of([[context[place] for place in line] for line in way])
        for operation, result in _OPERATIONS:
            if triples and _shown(triples, result):
                want = result(*pair)
                fits = frozenset(i for i, choice in enumerate(choices) if choice == want)
                if fits:
                    yield Vote(level + less, f"things{name}: {operation}", fits)


def _shown(triples: Sequence[tuple[Any, Any, Any]], result: Callable[[Set, Set], Set]) -> bool:
    """Whether the operation explains every triple, and is not just one panel again or nothing at all."""
    return all(result(a, b) == c for a, b, c in triples) and any(c not in (a, b) and (a or b) for a, b, c in triples)


def _as_set(panel: Things, *, less: bool) -> Set | None:
    if less:
        ordered = sorted(panel, key=lambda thing: -thing.size)
        if not ordered or len(ordered) > 1 and ordered[0].size - ordered[1].size < 2:
            return None
        panel = ordered[1:]
    return frozenset(map(_thing, panel))


def tables(scene: Scene, way: Sequence[Sequence[int]], level: int) -> Iterator[Vote]:
    """What a table of places says: (what the first has there, what the second has) gives what the third has."""
    for name, content in (("fill", _fill), ("kind", _kind)):
        maps = [{_place(thing): content(thing) for thing in panel} for panel in scene.core_context]
        triples, pair = triples_of([[maps[place] for place in line] for line in way])
        table = _learnt(triples)
        if table is None:
            continue
        want = {}
        for place in {*pair[0], *pair[1]}:
            met = pair[0].get(place, ""), pair[1].get(place, "")
            if met not in table:
                break
            if table[met]:
                want[place] = table[met]
        else:
            fits = frozenset(
                i
                for i, choice in enumerate(scene.core_choices)
                if {_place(thing): content(thing) for thing in choice} == want
            )
            if fits:
                yield Vote(level, f"table of {name}", fits)


def _fill(thing: Thing) -> str:
    return thing.fill


def _kind(thing: Thing) -> str:
    return f"{thing.kind} {thing.fill} {round(thing.turn)}"


def _learnt(triples: Sequence[tuple[dict[Any, str], dict[Any, str], dict[Any, str]]]) -> dict[tuple[str, str], str] | None:
    """The table that explains all triples, if one does and it has been tested more often than it has entries."""
    table: dict[tuple[str, str], str] = {}
    tests = 0
    for a, b, c in triples:
        for place in {*a, *b, *c}:
            met = a.get(place, ""), b.get(place, "")
            found = c.get(place, "")
            if met == ("", "") and found:
                return None
            if table.setdefault(met, found) != found:
                return None
            tests += 1
    return table if tests > 2 * len(table) else None
