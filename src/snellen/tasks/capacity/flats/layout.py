"""The rooms of a flat: rectangles in columns, joined by doorways so that each can be reached."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.rooms import FLOORS, THICK, Opening, Room
from snellen.tasks.capacity.draw.space.solids import Spot

PATTERNS = {1: ((1,),), 2: ((1, 1),), 3: ((1, 2), (2, 1), (1, 1, 1)), 4: ((2, 2), (1, 2, 1))}
"""How many rooms each column has."""
TINTS: tuple[Colour, ...] = (
    *((240, 232, 214), (204, 222, 234), (214, 230, 204), (242, 216, 200)),
    *((222, 212, 236), (246, 234, 184), (232, 232, 232), (200, 226, 222)),
)
_STEP = 0.05


@dataclass(frozen=True, slots=True)
class Measures:
    """From how many metres to how many: the width of a column, its depth with one room and with two, and the depth of
    a room beside two."""

    along: tuple[float, float] = (3.4, 4.6)
    across: tuple[float, float] = (3.6, 4.6)
    stacked: tuple[float, float] = (6.3, 7.1)
    beside: tuple[float, float] = (4.4, 5.0)
    doorway: float = 0.9


HOMELY = Measures()
ROOMY = Measures((4.2, 5.2), (4.6, 5.6), (7.6, 8.4), (5.2, 6.0), 1.7)
HALL = Measures((7.0, 8.2), (5.2, 6.2))


@dataclass(frozen=True, slots=True)
class SharedWall:
    """A stretch of wall between two rooms: the wall's bearing seen from the first, and from where to where."""

    first: int
    second: int
    wall: int
    start: float
    end: float


def rounded(value: float) -> float:
    """To the grid on which walls and things stand."""
    return round(round(value / _STEP) * _STEP, 2)


def rooms_of(rng: Stream, many: int, measures: Measures = HOMELY) -> tuple[Room, ...]:
    """Rooms named 0, 1, 2, ... with doorways; floors and walls differ from room to room."""
    low_high, wide = _rectangles(rng, rng.choice(PATTERNS[many]), measures), measures.doorway
    if rng.chance():
        low_high = [((y0, x0), (y1, x1)) for (x0, y0), (x1, y1) in low_high]
    floors, tints = rng.sample(FLOORS, many), rng.sample(TINTS, many)
    rooms = [Room(str(number), low, high, floors[number], tints[number]) for number, (low, high) in enumerate(low_high)]
    for joint in _doorways(rng, rooms, wide):
        at = rounded(rng.between(joint.start + wide / 2 + 0.3, joint.end - wide / 2 - 0.3))
        for number, wall in ((joint.first, joint.wall), (joint.second, (joint.wall + 180) % 360)):
            openings = (*rooms[number].openings, Opening(wall, at, wide))
            rooms[number] = replace(rooms[number], openings=openings)
    return tuple(rooms)


def _rectangles(rng: Stream, pattern: Sequence[int], measures: Measures) -> list[tuple[Spot, Spot]]:
    widths = [rounded(rng.between(*measures.along)) for _ in pattern]
    lefts = (0.0, *accumulate(width + THICK for width in widths))
    stacked = max(pattern) > 1
    total = rounded(rng.between(*(measures.stacked if stacked else measures.across)))
    rectangles = []
    for rooms, left, width in zip(pattern, lefts, widths, strict=False):
        right = round(left + width, 2)
        left = round(left, 2)
        if rooms == 2:
            middle = rounded(total * rng.between(0.46, 0.54))
            rectangles += [((left, 0.0), (right, middle)), ((left, round(middle + THICK, 2)), (right, total))]
        elif stacked:
            deep = rounded(rng.between(*measures.beside))
            low = rounded((total - deep) * rng.between(0.3, 0.7))
            rectangles.append(((left, low), (right, round(low + deep, 2))))
        else:
            rectangles.append(((left, 0.0), (right, total)))
    return rectangles


def joints(rooms: Sequence[Room]) -> Iterator[SharedWall]:
    """Where two rooms lie wall to wall."""
    for (a, first), (b, second) in combinations(enumerate(rooms), 2):
        for axis, walls in ((0, (90, 270)), (1, (0, 180))):
            start = max(first.low[1 - axis], second.low[1 - axis])
            end = min(first.high[1 - axis], second.high[1 - axis])
            if end <= start:
                continue
            if abs(second.low[axis] - first.high[axis] - THICK) < 0.01:
                yield SharedWall(a, b, walls[0], start, end)
            elif abs(first.low[axis] - second.high[axis] - THICK) < 0.01:
                yield SharedWall(a, b, walls[1], start, end)


def outer_walls(rooms: Sequence[Room], number: int) -> tuple[int, ...]:
    """The walls of a room with no other room behind them: only these have windows."""
    inner = set()
    for joint in joints(rooms):
        if joint.first == number:
            inner.add(joint.wall)
        elif joint.second == number:
            inner.add((joint.wall + 180) % 360)
    return tuple(wall for wall in (0, 90, 180, 270) if wall not in inner)


def _doorways(rng: Stream, rooms: Sequence[Room], wide: float) -> list[SharedWall]:
    """Joints to open: as many as it takes to reach every room, now and then one more."""
    wanted = [joint for joint in joints(rooms) if joint.end - joint.start >= wide + 0.7]
    rng.shuffle(wanted)
    reached, chosen = {0}, []
    while len(reached) < len(rooms):
        joint = next(joint for joint in wanted if (joint.first in reached) != (joint.second in reached))
        reached |= {joint.first, joint.second}
        chosen.append(joint)
    return chosen + [joint for joint in wanted if joint not in chosen and rng.chance(0.25)]
