"""What can be counted in a panel at little cost: how many of what, and of which sorts all of it is."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from snellen.tasks.marvel.solve.character import closed, curved
from snellen.tasks.marvel.solve.decide import Measurement
from snellen.tasks.marvel.solve.scene import Scene, Things
from snellen.tasks.marvel.solve.things import Thing


def counts(scene: Scene) -> Iterator[Measurement]:
    """How many things, of each kind, of each fill, of each kind and fill; how many kinds; which kinds and fills."""
    panels, options = scene.context, scene.choices
    context = [_tally(panel) for panel in panels]
    choices = [_tally(panel) for panel in options]
    # Counting everything is natural where everything is of one sort.
    kinds, fills = (
        max(len({read(thing) for thing in panel}) for panel in (*panels, *options)) for _, read in _SETS[:2]
    )
    mixed = 2.0 if kinds > 1 else 0.5 if fills > 1 else 0.0
    names: Counter[object] = Counter(name for tally in context for name in tally)
    for name, often in sorted(names.items(), key=str):
        # A kind that few panels have is one of many that come and go: that a choice has it too says nothing.
        if 2 * often >= len(context):
            values, found = [tally[name] for tally in context], [tally[name] for tally in choices]
            cost = mixed if name in ("things", "black more than white") else 0.5 * (not isinstance(name, str))
            yield Measurement(f"number of {name}", cost, "count", values, found)
    for what, read in _SETS:
        sets = [frozenset(map(read, panel)) for panel in (*panels, *options)]
        yield Measurement(f"the {what}", 0, "symbol", sets[: len(context)], sets[len(context) :])


_SETS: tuple[tuple[str, Callable[[Thing], Any]], ...] = (
    ("kinds", lambda thing: thing.kind),
    ("fills", lambda thing: thing.fill),
    ("kinds of lines", curved),
    ("open or closed", closed),
)


def _tally(panel: Things) -> Counter[object]:
    tally: Counter[object] = Counter()
    tally["things"] = len(panel)
    for thing in panel:
        tally[f"fill {thing.fill}"] += 1
        line, shut = curved(thing), closed(thing)
        tally[f"{line} things"] += 1
        tally["closed things" if shut else "open things"] += 1
        tally[line, shut] += 1
        if not thing.kind.startswith("form"):
            tally[f"kind {thing.kind}"] += 1
            tally[thing.kind, thing.fill] += 1
    tally["black more than white"] = tally["fill black"] - tally["fill white"] - tally["fill none"]
    tally["kinds"] = len({thing.kind for thing in panel})
    tally["fills"] = len({thing.fill for thing in panel})
    return tally
