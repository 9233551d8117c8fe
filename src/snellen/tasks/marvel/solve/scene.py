"""A puzzle as the solver sees it: things in panels, panels in lines, and four candidates for the blank.

Only marks and layout are read: no rule, no family, no answer.

What all four choices have in common cannot tell them apart. The **core** of a panel is what it has besides: in a
choice, all but the things that the other three have too; in the context, all but the things that stand where those do.
So outlines that hold the play and clutter that follows no rule are out of the way.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from snellen.tasks.marvel.marks import MIDDLE, SIDE
from snellen.tasks.marvel.puzzle import Puzzle
from snellen.tasks.marvel.solve.things import Forms, SolverThing, things

Things = Sequence[SolverThing]

CENTRE = MIDDLE
_SPECK, _RIM = 5.8, 32
_CLEAR = 3  # pixels by which sizes must differ to be told apart


@dataclass(frozen=True)
class PuzzleScene:
    """`context` and `choices` hold the things of every panel. `ways` are the ways to read the context in lines.

    A line is a list of places in the context; the last line is one short, its blank being the choice. A matrix can be
    read along its rows or along its columns.
    """

    context: tuple[Things, ...]
    choices: tuple[Things, ...]
    core_context: tuple[Things, ...]
    core_choices: tuple[Things, ...]
    ways: tuple[tuple[tuple[int, ...], ...], ...]
    group: bool

    @cached_property
    def singles(self) -> list[dict[str, SolverThing]]:
        """Of every context panel, then every choice: the things that are the only ones of their kind."""
        return [singles(panel) for panel in (*self.context, *self.choices)]

    @cached_property
    def core_singles(self) -> list[dict[str, SolverThing]]:
        """The same of their cores."""
        return [singles(panel) for panel in (*self.core_context, *self.core_choices)]


def singles(panel: Things) -> dict[str, SolverThing]:
    """Things that are the only ones of their kind, or the larger and the smaller of two."""
    by_kind: dict[str, list[SolverThing]] = {}
    for thing in panel:
        by_kind.setdefault(thing.kind, []).append(thing)
    single = {}
    for kind, same in by_kind.items():
        if len(same) == 1:
            single[kind] = same[0]
        elif len(same) == 2 and abs(same[0].size - same[1].size) > _CLEAR:
            single[f"smaller {kind}"], single[f"larger {kind}"] = sorted(same, key=lambda thing: thing.size)
    return single


def scene_of(puzzle: Puzzle) -> PuzzleScene:
    forms = Forms()
    context = tuple(noticed(things(panel["marks"], forms)) for panel in puzzle.panels)
    choices = tuple(noticed(things(panel["marks"], forms)) for panel in puzzle.choices)
    rows, columns = puzzle.rows, puzzle.columns
    across = tuple(
        tuple(place for place in range(row * columns, (row + 1) * columns) if place < len(context))
        for row in range(rows)
    )
    ways: tuple[tuple[tuple[int, ...], ...], ...] = (across,)
    if puzzle.configuration == "matrix":
        down = (range(column, rows * columns, columns) for column in range(columns))
        ways = (across, tuple(tuple(place for place in line if place < len(context)) for line in down))
    return PuzzleScene(context, choices, *_cores(context, choices), ways, puzzle.configuration == "group")


def noticed(panel: list[SolverThing]) -> list[SolverThing]:
    """Without specks at the rim, which are there to distract."""
    return [
        thing
        for thing in panel
        if thing.size > _SPECK or (_RIM < thing.x < SIDE - _RIM and _RIM < thing.y < SIDE - _RIM)
    ]


def _cores(context: Sequence[Things], choices: Sequence[Things]) -> tuple[tuple[Things, ...], tuple[Things, ...]]:
    """The cores of the context and of the choices."""
    looks = [Counter(map(_look, choice)) for choice in choices]
    common = looks[0]
    for other in looks[1:]:
        common = common & other
    places = {_spot(look) for look in common}
    left_context = tuple([thing for thing in panel if _spot(_look(thing)) not in places] for panel in context)
    left_choices = []
    for choice in choices:
        budget = dict(common)
        left = []
        for thing in choice:
            look = _look(thing)
            if budget.get(look):
                budget[look] -= 1
            else:
                left.append(thing)
        left_choices.append(left)
    return left_context, tuple(left_choices)


def _look(thing: SolverThing) -> tuple[Any, ...]:
    """Everything one sees of a thing."""
    return thing.kind, thing.x, thing.y, round(thing.size, 1), round(thing.turn), thing.fill, thing.colour, thing.flip


def _spot(look: tuple[Any, ...]) -> tuple[Any, ...]:
    """Where it stands and how large; of a line also how it runs, as the diagonals of a square share the rest."""
    kind, x, y, size, turn = look[:5]
    return (x, y, size, turn) if kind == "line" else (x, y, size)
