"""Seven places to stand in a town, each easily mistaken for another, and what mistaking one for another is called.

Streets pass the square on four sides, at the same distance. So a place on them can be turned about the landmark by
right angles or mirrored, and is a place on a street again: such a family has eight places. One family is on the streets
around the square, another farther out; one place more is on the square itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations

from snellen.rng import Stream
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.kinds.satellite_views import bearing, distance

LETTERS = "ABCDEFG"
MIRRORED, QUARTER, HALF = "mirrored", "rotated 90", "rotated 180"
ACROSS, TRANSPOSED = "front for back", "mirrored and rotated 90"
STREET, NEAREST, EXCHANGED = "right street, wrong distance", "nearest to the landmark", "photos exchanged"
_NEAR = 4.0
"""Metres by which a place may miss the exact image of another."""
_STREET = 2.5
_SAME_WAY = 12.0
_OTHER_DISTANCE = 1.2
_NAMED = 24
"""Of the 42 ways to take one place for another, how many must have a name."""

_MOVES: Mapping[str, tuple[Callable[[float, float], Spot], ...]] = {
    MIRRORED: (lambda x, y: (-x, y),),
    HALF: (lambda x, y: (-x, -y),),
    QUARTER: (lambda x, y: (y, -x), lambda x, y: (-y, x)),
    ACROSS: (lambda x, y: (x, -y),),
    TRANSPOSED: (lambda x, y: (y, x), lambda x, y: (-y, -x)),
}
"""Ways to mistake a place for another, in the measures of the landmark: its front to the north, its axis along y."""


def think_of(rng: Stream, half: float) -> tuple[Spot, ...]:
    """Seven places, four of one family and two of the other and one on the square, or three, three and one."""
    near, far = rng.between(9.0, half - 12.0), rng.between(half + 12.0, half + 20.0)
    rings, outs = family(near, half), family(far, half)
    many = rng.choice((2, 3, 3, 4))
    chosen = rng.sample(range(8), many)
    mates = rng.sample(chosen, min(many, 6 - many))
    others = [number for number in range(8) if number not in mates]
    mates += rng.sample(others, 6 - many - len(mates))
    places = [rings[number] for number in chosen] + [outs[number] for number in mates]
    places.append(_on_square(rng, rng.choice(places)))
    return tuple(_nudged(rng, place) for place in places)


def family(along: float, half: float) -> tuple[Spot, ...]:
    """The eight images of a place on a street. Number n of one family is on the street of number n of another."""
    quarter = [(along, half), (half, along)]
    return tuple((sx * x, sy * y) for x, y in quarter for sx in (1, -1) for sy in (1, -1))


def _on_square(rng: Stream, towards: Spot) -> Spot:
    """Between the landmark and another place, roughly."""
    way, away = bearing((0.0, 0.0), towards) + rng.between(-5.0, 5.0), rng.between(21.0, 24.5)
    return away * sine(way), away * cosine(way)


def _nudged(rng: Stream, place: Spot) -> Spot:
    return round(place[0] + rng.between(-1.0, 1.0), 1), round(place[1] + rng.between(-1.0, 1.0), 1)


def mistaken(right: Spot, wrong: Spot, front: int) -> str:
    """What it is called to take the wrong place for the right one; `front` is where the landmark's front looks."""
    (x, y), there = _in_its_measures(right, front), _in_its_measures(wrong, front)
    for name, moves in _MOVES.items():
        if any(distance(move(x, y), there) <= _NEAR for move in moves):
            return name
    return STREET if _same_street(right, wrong) else ""


def _in_its_measures(place: Spot, front: int) -> Spot:
    x, y = place
    s, c = sine(front), cosine(front)
    return x * c - y * s, x * s + y * c


def _same_street(a: Spot, b: Spot) -> bool:
    """On one street and the same side of the landmark, or in one direction from it; but not as far from it."""
    low, high = sorted((distance(a), distance(b)))
    if high < _OTHER_DISTANCE * low:
        return False
    if abs((bearing(a) - bearing(b) + 180.0) % 360.0 - 180.0) <= _SAME_WAY:
        return True
    on_x = abs(a[1] - b[1]) <= _STREET and a[0] * b[0] > 0
    return on_x or (abs(a[0] - b[0]) <= _STREET and a[1] * b[1] > 0)


def confusable(places: Sequence[Spot], front: int) -> bool:
    """Whether each place but one has two others it may be mistaken for, all kinds of mistakes can be made, and more
    than half of all mistakes have a name. No place counts for more than another: the right ones do not stand out."""
    called = {(a, b): mistaken(a, b, front) for a, b in permutations(places, 2)}
    alike = [sum(bool(name) for (a, _), name in called.items() if a == place) for place in places]
    every = {MIRRORED, QUARTER, HALF, STREET} <= set(called.values())
    return every and min(alike) >= 1 and sorted(alike)[1] >= 2 and sum(alike) >= _NAMED


def mistakes(places: Mapping[str, Spot], key: Mapping[str, str], front: int) -> Iterator[tuple[str, str, str]]:
    """For each photo and wrong letter what choosing it betrays, where it has a name."""
    nearest = min(places, key=lambda letter: distance(places[letter]))
    for photo, right in key.items():
        for letter, place in places.items():
            if letter == right:
                continue
            name = EXCHANGED if letter in key.values() else mistaken(places[right], place, front)
            name = name or (NEAREST if letter == nearest else "")
            if name:
                yield photo, letter, name


def arms(places: Sequence[Spot], half: float) -> set[tuple[int, int, str]]:
    """The arms of streets on which places lie."""
    taken = set()
    for x, y in places:
        sx, sy = (1 if x > 0 else -1), (1 if y > 0 else -1)
        if abs(x) > half + 4:
            taken.add((sx, sy, "x"))
        elif abs(y) > half + 4:
            taken.add((sx, sy, "y"))
    return taken
