"""What can be counted in a panel at little cost: how many of what, and of which sorts all of it is."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from snellen.tasks.marvel.solve.character import closed, curved
from snellen.tasks.marvel.solve.decide import Measurement
from snellen.tasks.marvel.solve.scene import PuzzleScene, Things
from snellen.tasks.marvel.solve.things import SolverThing

Name = tuple[Any, ...]
"""What is counted: ("fill", "black"), ("kind", "star", "black"), ..."""
_LOOSE = 1.5  # bits
_ALL: Name = ("things",)
_BALANCE: Name = ("black more than white",)


def counts(scene: PuzzleScene) -> Iterator[Measurement]:
    """How many things, of each kind, of each fill, of each kind and fill; how many kinds; which kinds and fills."""
    panels, options = scene.context, scene.choices
    context, choices = [_tally(panel) for panel in panels], [_tally(panel) for panel in options]
    loose = _LOOSE if _motley(panels) else 0.0
    names = {name for tally in choices for name in tally}
    for name in sorted(names.union(*context), key=str):
        numbers = [tally.get(name, 0) for tally in choices]
        if numbers.count(numbers[0]) == len(numbers):
            continue
        # A kind that few panels have is one of many that come and go: that a choice has it too says nothing.
        if 2 * sum(name in tally for tally in context) >= len(context):
            values = [tally.get(name, 0) for tally in context]
            cost = _cost(name, scene) + (loose if name[0] in ("kind", "line", "closed") else 0)
            yield Measurement(f"number of {' '.join(map(str, name))}", cost, "count", values, numbers)
    for what, read in _SETS:
        shown = [frozenset([read(thing) for thing in panel]) for panel in options]
        if shown.count(shown[0]) < len(shown):
            sets = [frozenset([read(thing) for thing in panel]) for panel in panels]
            yield Measurement(f"the {what}", 0 if what == "fills" else loose, "symbol", sets, shown)


def _motley(panels: Sequence[Things]) -> bool:
    """Whether panels are crowds whose kinds come and go: then how many of a kind there are is mostly chance."""
    kinds = [{thing.kind for thing in panel} for panel in panels]
    crowds = sum(map(len, panels)) > 3 * len(panels)
    return crowds and len(set.union(*kinds)) > 1.7 * sum(map(len, kinds)) / len(kinds) > 1.7


def _cost(name: Name, scene: PuzzleScene) -> float:
    if name not in (_ALL, _BALANCE):
        return 0.5 if len(name) > 2 else 0.0
    # Counting everything is natural where everything is of one sort.
    kinds, fills = (
        max(len({read(thing) for thing in panel}) for panel in (*scene.context, *scene.choices))
        for _, read in _SETS[:2]
    )
    return 2.0 if kinds > 1 else 0.5 if fills > 1 else 0.0


_SETS: tuple[tuple[str, Callable[[SolverThing], Any]], ...] = (
    ("kinds", lambda thing: thing.kind),
    ("fills", lambda thing: thing.fill),
    ("kinds of lines", curved),
    ("open or closed", closed),
)


def _tally(panel: Things) -> dict[Name, int]:
    tally: dict[Name, int] = {_ALL: len(panel)}
    for thing in panel:
        kind, fill, line, shut = thing.kind, thing.fill, curved(thing), closed(thing)
        names: list[Name] = [("fill", fill), ("line", line), ("closed", shut), ("line", line, shut)]
        if not kind.startswith("form"):
            names += [("kind", kind), ("kind", kind, fill)]
        for name in names:
            tally[name] = tally.get(name, 0) + 1
    light = tally.get(("fill", "white"), 0) + tally.get(("fill", "none"), 0)
    tally[_BALANCE] = tally.get(("fill", "black"), 0) - light
    tally["different kinds",] = len({thing.kind for thing in panel})
    tally["different fills",] = len({thing.fill for thing in panel})
    return tally
