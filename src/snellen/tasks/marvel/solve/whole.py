"""Panels as wholes: the next one is this one turned or mirrored.

A move takes every thing of one panel to a thing of the other. From panel to panel of a line it may be the same move
throughout, or one of its own for each step that every line repeats (first left-right, then upside down).
"""

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import NamedTuple

from snellen.tasks.marvel.solve.decide import Vote
from snellen.tasks.marvel.solve.measure import CENTRE
from snellen.tasks.marvel.solve.scene import Scene, Things
from snellen.tasks.marvel.solve.things import REPEATS, Thing

_NEAR = 3.5


class Move(NamedTuple):
    """Turned clockwise by `turn` degrees about the middle of the panel, after being mirrored left-right if `flip`."""

    turn: int
    flip: bool


MOVES = tuple(Move(turn, flip) for turn in range(0, 360, 15) for flip in (False, True))
STILL = Move(0, False)
_SLANT = {move: (cos(radians(move.turn)), sin(radians(move.turn))) for move in MOVES}


def wholes(scene: Scene, way: Sequence[Sequence[int]], level: int, *, fills: bool) -> Iterator[Vote]:
    """What moves of whole panels say; without `fills`, whatever the fill of things."""
    lines = [[scene.context[place] for place in line] for line in way]
    steps = [[(a, b) for a, b in zip(line, line[1:], strict=False)] for line in lines]
    first = steps[0][0]
    always = {move for move in MOVES if leads(first[0], first[1], move, fills=fills)}
    for pairs in steps:
        for a, b in pairs:
            always = {move for move in always if leads(a, b, move, fills=fills)}
    tests = sum(map(len, steps))
    found: set[Move] = set()
    if always - {STILL} and STILL not in always and tests > 1:
        found, name = always, "the same move at every step"
    elif len(lines) > 1:
        lasts = [pairs[-1] for pairs in steps[:-1]]
        found = {move for move in MOVES if all(leads(a, b, move, fills=fills) for a, b in lasts)}
        # The step before must be a move too, in every line: otherwise this is no line of moves.
        before = [pairs[0] for pairs in steps]
        if not any(all(leads(a, b, move, fills=fills) for a, b in before) for move in MOVES) or STILL in found:
            return
        level, name = level + 1, "a move for each step"
    if found:
        last = lines[-1][-1]
        fits = frozenset(
            i
            for i, choice in enumerate(scene.choices)
            if any(leads(last, choice, move, fills=fills) for move in found)
        )
        if fits:
            yield Vote(level, f"wholes: {name} {sorted(found)[:2]}", fits)


def leads(one: Things, other: Things, move: Move, *, fills: bool) -> bool:
    """Whether the move takes every thing of one panel to one of the other."""
    if len(one) != len(other):
        return False
    rest = list(other)
    for thing in one:
        x, y, turn, flip = moved(thing, move)
        for place, goal in enumerate(rest):
            if (
                goal.kind == thing.kind
                and abs(goal.x - x) <= _NEAR
                and abs(goal.y - y) <= _NEAR
                and (not fills or goal.fill == thing.fill)
                and abs(goal.size - thing.size) <= _NEAR
                and _turned(goal, turn, flip=flip)
            ):
                del rest[place]
                break
        else:
            return False
    return True


def moved(thing: Thing, move: Move) -> tuple[float, float, float, bool]:
    """Where the thing goes, its turn there, and whether it is a mirror image."""
    across, up = _SLANT[move]
    x, y = thing.x - CENTRE, thing.y - CENTRE
    turn, flip = thing.turn, thing.flip
    if move.flip:
        x = -x
        # Figures stand upright, so that mirroring them left-right is turning the other way; the moon lies on its side,
        # and an outline's mirror image is counted from the x axis.
        lying = thing.kind == "moon" or thing.kind.startswith("form")
        turn = 180 - turn if lying else -turn
        flip = not flip if thing.kind.startswith("form") else flip
    return CENTRE + across * x - up * y, CENTRE + up * x + across * y, turn + move.turn, flip


def _turned(goal: Thing, turn: float, *, flip: bool) -> bool:
    repeat = REPEATS.get(goal.kind, 360)
    return goal.flip == flip and abs((goal.turn - turn + repeat / 2) % repeat - repeat / 2) <= 7
