"""Shapes that have no name: a few random moves of the pen, and the same moves with one of them changed."""

from dataclasses import replace

from snellen.rng import Stream
from snellen.tasks.bongard.draw.strokes import PenStroke
from snellen.tasks.bongard.strokes.outline import Plan


def wander(rng: Stream, many: int) -> Plan:
    """`many` random strokes, sizes and angles in round numbers."""
    plan = [_move(rng) for _ in range(many)]
    return (replace(plan[0], turn=0.0), *plan[1:])


def _move(rng: Stream) -> PenStroke:
    turn = 5.0 * rng.choice([-1, 1]) * (6 + rng.below(21))
    if rng.chance(0.35):
        angle = 10.0 * rng.choice([-1, 1]) * (7 + rng.below(14))
        return PenStroke(round(rng.between(0.25, 0.5), 2), angle, turn)
    return PenStroke(round(rng.between(0.4, 1.0), 2), 0.0, turn)


def altered(plan: Plan, rng: Stream) -> Plan:
    """The strokes with one action changed: its length, its bend, or the turn before it."""
    place = rng.below(len(plan))
    old = plan[place]
    way = rng.below(3)
    if way == 0 and place:
        turn = 5.0 * round((old.turn + rng.choice([-1, 1]) * rng.between(50, 180)) / 5)
        new = replace(old, turn=(turn + 180) % 360 - 180)
    elif way == 1:
        new = _rebent(old, rng)
    else:
        new = replace(old, size=round(old.size * rng.choice([0.45, 0.55, 1.7, 2.0]), 2))
    return (*plan[:place], new, *plan[place + 1 :])


def _rebent(old: PenStroke, rng: Stream) -> PenStroke:
    """A line for an arc, an arc for a line, or an arc that bends the other way or by another angle."""
    if not old.angle:
        radius = round(old.size / rng.between(1.5, 2.0), 2)
        return replace(old, size=radius, angle=10.0 * rng.choice([-1, 1]) * (9 + rng.below(10)))
    if rng.chance(0.3):
        return replace(old, size=round(old.length * 0.8, 2), angle=0.0)
    if rng.chance():
        return replace(old, angle=-old.angle)
    return replace(old, angle=old.angle + (90.0 if abs(old.angle) < 140 else -80.0) * (1 if old.angle > 0 else -1))
