"""Two outlines that are alike but for one attribute: the first has it, the second lacks it.

These are proposals. Whether the attribute is there is for the checker to say, and a pair that fails is made anew.
"""

from cmath import exp, phase
from collections.abc import Callable
from math import pi, radians, sqrt

from snellen.rng import Stream
from snellen.tasks.bongard.strokes.outline import Outline, blob, bulged, polygon

Pair = tuple[Outline, Outline]


def convex(rng: Stream) -> Pair:
    """Convex, and with a dent: a corner pushed in or a side bent inwards."""
    many = 3 + rng.below(5)
    plain = blob(rng, many, 0.0)
    for side in rng.sample(range(many), rng.below(3)):
        plain = plain.bent(side, rng.between(50, 120))
    place = rng.below(many)
    if many > 3 and rng.chance(0.6):
        return plain, plain.moved(place, plain.corners[place] * rng.between(-0.1, 0.3))
    bend = abs(plain.bends[place])
    return plain.bent(place, bend or rng.between(50, 120)), plain.bent(place, -(bend or rng.between(60, 120)))


def symmetric(rng: Stream) -> Pair:
    """With a mirror line, and with one corner or one side that breaks it."""
    half = [rng.between(0.35, 1.0) * exp(1j * pi * (k + rng.between(0.2, 0.8)) / 3) for k in range(3)]
    half = sorted(rng.sample(half, 1 + rng.below(3)), key=phase)
    top = [complex(rng.between(0.5, 1.1))] if rng.chance(0.6) or len(half) == 1 else []
    bottom = [complex(-rng.between(0.3, 1.1))] if rng.chance(0.6) or len(half) == 1 else []
    plain = polygon(*top, *half, *bottom, *(corner.conjugate() for corner in reversed(half)))
    plain = plain.stretched(rng.between(1.0, 1.5), 90)
    many = len(plain.corners)
    for side in rng.sample(range(many), rng.below(2)):
        twin = (many - side - 2 + len(top)) % many
        bend = rng.choice([-1, 1]) * rng.between(60, 130)
        plain = plain.bent(side, bend).bent(twin, bend)
    place = rng.below(many)
    if rng.chance(0.3):
        side = rng.below(many)
        return plain, plain.bent(side, rng.choice([-1, 1]) * rng.between(70, 120) if not plain.bends[side] else 0.0)
    return plain, plain.moved(place, plain.corners[place] + rng.between(0.4, 0.75) * exp(2j * pi * rng.between(0, 1)))


def closed(rng: Stream) -> Pair:
    """Closed, and with a gap."""
    plain = bulged(blob(rng, 3 + rng.below(5), rng.choice([0.1, 0.6])), rng, rng.below(3))
    return plain, plain.opened(rng.below(len(plain.corners)), rng.between(0.4, 0.7))


def meets_itself(rng: Stream) -> Pair:
    """Two neighbouring corners visited in the wrong order, so that the track crosses itself, and in the right one."""
    many = 4 + rng.below(4)
    plain = bulged(blob(rng, many, rng.choice([0.3, 0.7])), rng, rng.below(2))
    place = rng.below(many)
    after = (place + 1) % many
    if rng.chance() and many > 4:  # or it would be the convex shapes that never cross themselves
        dent = (after + 2) % many
        plain = plain.moved(dent, plain.corners[dent] * rng.between(0.1, 0.3))
    swapped = plain.moved(place, plain.corners[after]).moved(after, plain.corners[place])
    if rng.chance(0.4):
        end = rng.below(many)
        kept = rng.between(0.4, 0.7)
        return swapped.opened(end, kept), plain.opened(end, kept)
    return swapped, plain


def curved(rng: Stream) -> Pair:
    """With an arc or two, and the same with straight sides only."""
    plain = blob(rng, 3 + rng.below(4), rng.choice([0.0, 0.45]))
    if rng.chance(0.3):
        plain = plain.opened(rng.below(len(plain.corners)), rng.between(0.4, 0.7))
    return bulged(plain, rng, 1 + rng.below(2)), plain


def straight(rng: Stream, many: int) -> Pair:
    """So many straight strokes, and one more or fewer, with an arc beside them or none."""
    return _strokes(rng, many, rng.below(2)), _strokes(rng, many + rng.choice([-1, 1]), rng.below(2))


def arcs(rng: Stream, many: int) -> Pair:
    """So many arcs, and one more or fewer, with any number of lines beside them."""
    lines = 2 + rng.below(2)
    return _strokes(rng, lines, many), _strokes(rng, max(1, lines + rng.choice([-1, 0, 1])), many + rng.choice([-1, 1]))


def _strokes(rng: Stream, lines: int, arcs: int) -> Outline:
    """A closed or an open shape of so many lines and arcs."""
    many = lines + arcs
    if many < 3 or rng.chance(0.7):
        plain = blob(rng, many if arcs else max(3, many), rng.choice([0.0, 0.45]))
        return bulged(plain, rng, arcs, outwards=0.8)
    return bulged(blob(rng, many, 0.3).opened(0, rng.between(0.4, 0.7)), rng, arcs, outwards=0.8)


def acute_angle(rng: Stream) -> Pair:
    """A polygon without sharp corners, one of them pulled out to a sharp one."""
    plain = blob(rng, 5 + rng.below(3), 0.1)
    place = rng.below(len(plain.corners))
    pulled = plain.moved(place, plain.corners[place] * rng.between(1.6, 2.4))
    return _perhaps_opened(rng, pulled, plain, place)


def _perhaps_opened(rng: Stream, one: Outline, other: Outline, place: int) -> Pair:
    """Both opened at a side away from the corner in question, or both left closed."""
    many = len(one.corners)
    if many < 4 or rng.chance(0.6):
        return one, other
    side, kept = (place + 1 + rng.below(many - 2)) % many, rng.between(0.45, 0.7)
    return one.opened(side, kept), other.opened(side, kept)


def equal_parts(rng: Stream) -> Pair:
    """Two loops that share a point, of the same area and of very different ones."""
    first, second = _loop(rng), _loop(rng)
    turn = exp(1j * pi * rng.between(0.8, 1.2))
    small = rng.between(0.5, 0.62)
    return _joined(first, second, turn), _joined(first, second, turn * small)


def _joined(first: Outline, second: Outline, turn: complex) -> Outline:
    there = second.mapped(lambda corner: corner * turn)
    return Outline(first.corners + there.corners, first.bends + there.bends)


def _loop(rng: Stream) -> Outline:
    """A triangle, a kite or a sector from 0 to the right, of unit area."""
    half = radians(rng.between(18, 38))
    kind = rng.below(3)
    if kind == 0:
        area = (exp(2j * half)).imag / 2
        outline = polygon(0, exp(-1j * half), exp(1j * half))
    elif kind == 1:
        far = rng.between(1.3, 1.7)
        area = far * exp(1j * half).imag
        outline = polygon(0, exp(-1j * half), far, exp(1j * half))
    else:
        area = half
        outline = Outline((0, exp(-1j * half), exp(1j * half)), (0, 2 * half * 180 / pi, 0))
    return outline.mapped(lambda corner: corner / sqrt(area))


PAIRS: dict[str, Callable[[Stream], Pair]] = {
    "convex": convex,
    "symmetric": symmetric,
    "closed": closed,
    "meets itself": meets_itself,
    "curved": curved,
    "acute angle": acute_angle,
    "equal parts": equal_parts,
}
