"""Panels as wholes: the next one is this one turned or mirrored.

A move takes every thing of one panel to a thing of the other. From panel to panel of a line it may be the same move
throughout, or one of its own for each step that every line repeats (first left-right, then upside down); along a
sequence two moves may take turns. The panels of a group may all be one panel, turned.
"""

from cmath import phase
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, degrees, radians, sin
from typing import NamedTuple

from snellen.tasks.marvel.solve.decide import RuleFinding
from snellen.tasks.marvel.solve.scene import CENTRE, PuzzleScene, Things
from snellen.tasks.marvel.solve.things import REPEATS, SolverThing

_NEAR = 3.5
_BITS = 5.0  # that a whole panel is another one moved is hardly an accident


class Move(NamedTuple):
    """Turned clockwise by `turn` degrees about the middle of the panel, after being mirrored left-right if `flip`."""

    turn: int
    flip: bool


MOVES = tuple(Move(turn, flip) for flip in (False, True) for turn in range(0, 360, 15))
STILL = Move(0, False)
_SLANT = {move: complex(cos(radians(move.turn)), sin(radians(move.turn))) for move in MOVES}
Moves = frozenset[Move]


def wholes(scene: PuzzleScene, way: Sequence[Sequence[int]]) -> Iterator[RuleFinding]:
    """What moves of whole panels say; if nothing, what those of their cores say."""
    for context, choices in ((scene.context, scene.choices), (scene.core_context, scene.core_choices)):
        steps = [[moves(context[a], context[b]) for a, b in pairwise(line)] for line in way]
        best = max(_continued(steps), default=None, key=lambda guess: guess[0])
        if best:
            last = context[way[-1][-1]]
            fits = frozenset(i for i, choice in enumerate(choices) if moves(last, choice) & best[1])
            if fits:
                yield RuleFinding(best[0], f"wholes: {best[2]}", fits)
                return


def _continued(steps: Sequence[Sequence[Moves]]) -> Iterator[tuple[float, Moves, str]]:
    """Bits, the moves that may lead to the blank, and why."""
    every = [step for line in steps for step in line]
    always = frozenset.intersection(*every)
    if always and STILL not in always and len(every) > 1:
        yield _BITS * (len(every) - 1) - 1, always, "the same move at every step"
    if len(steps) > 1:
        # Each step has its own move: every line shows it, and shows the one before too.
        before, last = (
            frozenset.intersection(*(line[0] for line in steps)),
            frozenset.intersection(*(line[-1] for line in steps[:-1])),
        )
        if before and last and (STILL not in before or STILL not in last):
            yield _BITS * (len(steps) - 1) - 1.5, last, "a move for each step"
    elif len(every) > 1:
        odd, even = frozenset.intersection(*every[::2]), frozenset.intersection(*every[1::2])
        if odd and even and not always:
            yield _BITS * (len(every) - 2) + 0.5, (even if len(every) % 2 else odd), "two moves by turns"


def turned(scene: PuzzleScene) -> Iterator[RuleFinding]:
    """The panels of a group, if they are one panel turned, or one panel turned or mirrored; or if their cores are."""
    for context, choices in ((scene.context, scene.choices), (scene.core_context, scene.core_choices)):
        first, second = context[0], context[1]
        for flip, name in ((False, "turned"), (True, "mirrored")):
            if first and any(move.flip == flip for move in moves(first, second)):
                fits = frozenset(
                    i
                    for i, choice in enumerate(choices)
                    if any(m.flip == flip for m in moves(first, choice) | (moves(second, choice) if flip else set()))
                )
                if fits:
                    yield RuleFinding(_BITS, f"one panel {name}", fits)
                    return


def moves(panel: Things, other: Things) -> Moves:
    """All moves that take every thing of one panel to one of the other."""
    if len(panel) != len(other) or sorted([thing.kind for thing in panel]) != sorted([thing.kind for thing in other]):
        return frozenset()
    return frozenset(move for move in _candidates(panel, other) if _leads(panel, other, move))


def _candidates(panel: Things, other: Things) -> Iterator[Move]:
    """The moves that take the thing farthest from the middle to one as far from it; all, if everything is there."""
    away, far = max(((abs(_away(thing)), thing) for thing in panel), key=lambda pair: pair[0], default=(0.0, None))
    if away < 3 * _NEAR or far is None:
        yield from MOVES
        return
    start = _away(far)
    for goal in other:
        end = _away(goal)
        if goal.kind == far.kind and abs(abs(end) - away) <= 2 * _NEAR:
            for flip, begin in ((False, start), (True, -start.conjugate())):
                between = degrees(phase(end * begin.conjugate()))
                near = round(between / 15)
                # On a short arm a pixel is some degrees: a neighbouring move may be the one.
                yield from (Move(15 * turn % 360, flip) for turn in (near - 1, near, near + 1))


def _away(thing: SolverThing) -> complex:
    return complex(thing.x - CENTRE, thing.y - CENTRE)


def _leads(panel: Things, other: Things, move: Move) -> bool:
    rest = list(other)
    for thing in panel:
        place = next((i for i, goal in enumerate(rest) if _goes(thing, goal, move)), None)
        if place is None:
            return False
        del rest[place]
    return True


def _goes(thing: SolverThing, goal: SolverThing, move: Move) -> bool:
    """Whether the move takes the thing to the goal."""
    if goal.kind != thing.kind or goal.fill != thing.fill or abs(goal.size - thing.size) > _NEAR:
        return False
    spot = _moved(complex(thing.x, thing.y), move)
    if abs(goal.x - spot.real) > _NEAR or abs(goal.y - spot.imag) > _NEAR:
        return False
    shape = thing.shape
    if shape in ("path", "line"):
        points, wanted = _points(thing), _points(goal)
        return all(min(abs(_moved(p, move) - q) for q in wanted) < _NEAR for p in points)
    # Figures stand upright, so that mirroring them left-right is turning the other way; the moon lies on its side.
    turn = thing.turn if not move.flip else 180 - thing.turn if shape == "moon" else -thing.turn
    repeat = REPEATS.get(shape, 360)
    return abs((goal.turn - turn - move.turn + repeat / 2) % repeat - repeat / 2) <= 7


def _moved(point: complex, move: Move) -> complex:
    away = point - complex(CENTRE, CENTRE)
    if move.flip:
        away = -away.conjugate()
    return complex(CENTRE, CENTRE) + away * _SLANT[move]


def _points(thing: SolverThing) -> list[complex]:
    mark = thing.mark
    if mark["shape"] == "line":
        return [complex(mark["x"], mark["y"]), complex(mark["x2"], mark["y2"])]
    return [complex(x, y) for x, y in mark["points"]]
