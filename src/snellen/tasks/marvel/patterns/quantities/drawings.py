"""Drawings with something to count in them: each function draws exactly so many of it into a box.

Exact by construction: crossings are true ones, well apart; closed areas are large; strokes keep away from each other.
"""

from math import cos, pi, sin

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Box, Mark, figure, line, on_circle, path
from snellen.tasks.marvel.patterns.doodles import blob, lattice

_DIRECTIONS = ((1, 0), (0, 1), (0.75, 0.75), (0.75, -0.75))


def middle(box: Box) -> tuple[int, int, int]:
    """The middle of a box, and half of its smaller side."""
    left, top, right, bottom = box
    return (left + right) // 2, (top + bottom) // 2, min(right - left, bottom - top) // 2


# --- strokes ---


def arc(rng: Stream, x: int, y: int, size: int) -> Mark:
    """A clear bow: about half of a circle."""
    start = rng.below(8) / 8
    return path([on_circle(x, y, size, start + i / 9) for i in range(5)], closed=False, curved=True)


def curl(rng: Stream, x: int, y: int, size: int) -> Mark:
    """A free stroke that swings to one side, or to both: a bow or an S, smooth enough not to pass for a zigzag."""
    bows, upright = 1 + rng.below(2), rng.chance()
    swing = rng.choice((-1, 1)) * size * (0.8 if bows == 1 else 0.65)
    steps = [(size * (i / 6 - 1), round(swing * sin(pi * bows * i / 12), 3)) for i in range(13)]
    return path([(x + b, y + a) if upright else (x + a, y + b) for a, b in steps], closed=False, curved=True)


def scattered(rng: Stream, box: Box, straight: int, curved: int, *, free: bool) -> list[Mark]:
    """Straight and curved strokes in random places, none touching another."""
    spots, size = lattice(rng, box, 3, 3)
    reach = size + 1
    marks = []
    for x, y in spots[:straight]:
        dx, dy = rng.choice(_DIRECTIONS)
        marks.append(line((x - reach * dx, y - reach * dy), (x + reach * dx, y + reach * dy)))
    bend = curl if free else arc
    return marks + [bend(rng, x, y, reach) for x, y in spots[straight : straight + curved]]


def parallels(rng: Stream, box: Box, number: int) -> list[Mark]:
    """Straight strokes side by side, upright or lying, of different lengths."""
    left, top, right, bottom = box
    upright = rng.chance()
    across, along = (right - left, bottom - top) if upright else (bottom - top, right - left)
    gap = min(24.0, across / number)
    first = (across - gap * (number - 1)) / 2
    marks = []
    for i in range(number):
        near, far = along * rng.between(0, 0.25), along * rng.between(0.75, 1)
        at = first + gap * i
        ends = (
            ((left + at, top + near), (left + at, top + far))
            if upright
            else ((left + near, top + at), (left + far, top + at))
        )
        marks.append(line(*ends))
    return marks


def rays(rng: Stream, box: Box, number: int) -> list[Mark]:
    """Straight strokes around an empty middle."""
    x, y, size = middle(box)
    start = rng.between(0, 1)
    return [
        line(
            on_circle(x, y, size * 0.4, start + i / number),
            on_circle(x, y, size * rng.between(0.8, 1), start + i / number),
        )
        for i in range(number)
    ]


# --- crossings ---


def comb(rng: Stream, box: Box, number: int, *, free: bool) -> list[Mark]:
    """A long stroke and so many short ones, each crossing it once, well apart."""
    left, top, right, bottom = box
    y = (top + bottom) / 2
    bow = rng.choice((-1, 1)) * (bottom - top) * (0.14 if free else 0)
    gap = (right - left) / (number + 1)
    spots = [(left + gap * (i + 1), y - bow * (1 - (2 * (i + 1) / (number + 1) - 1) ** 2)) for i in range(number)]
    lean = 0 if free else rng.choice((-6, 0, 6))
    marks = [path([(left, y), *spots, (right, y)], closed=False, curved=True) if free else line((left, y), (right, y))]
    for sx, sy in spots:
        up, down = (rng.between(0.16, 0.32) * (bottom - top) for _ in range(2))
        if free:
            swing = rng.choice((-4, 4))
            marks.append(path([(sx + swing, sy - up), (sx, sy), (sx + swing, sy + down)], closed=False, curved=True))
        else:
            marks.append(line((sx - lean, sy - up), (sx + lean, sy + down)))
    return marks


def weave(rng: Stream, box: Box, number: int, *, free: bool) -> list[Mark]:
    """A stroke that goes to and fro across a straight one so many times."""
    left, top, right, bottom = box
    y, high = (top + bottom) / 2, (bottom - top) / 2
    gap = (right - left) / max(number, 3)
    start = (left + right - gap * number) / 2
    side = rng.choice((-1, 1))
    turns = [
        (start + gap * i, y + side * (1 if i % 2 else -1) * high * rng.between(0.6, 0.8)) for i in range(number + 1)
    ]
    return [line((left, y), (right, y)), path(turns, closed=False, curved=free)]


def hatch(rng: Stream, box: Box, number: int) -> list[Mark] | None:
    """Lying strokes across upright ones: as many crossings as their product; None if the number is no product."""
    pairs = [(a, number // a) for a in (2, 3, 4) if number % a == 0 and 2 <= number // a <= 4]
    if not pairs:
        return None
    lying, upright = rng.choice(pairs)
    left, top, right, bottom = box
    wide, high = (right - left) / (upright + 1), (bottom - top) / (lying + 1)
    marks = [line((left, top + high * (i + 1)), (right, top + high * (i + 1))) for i in range(lying)]
    return marks + [line((left + wide * (i + 1), top), (left + wide * (i + 1), bottom)) for i in range(upright)]


def pierced(rng: Stream, box: Box, number: int) -> list[Mark] | None:
    """Strokes through a round or square outline, each crossing it twice; None if the number is odd."""
    if number % 2 or number > 8:
        return None
    x, y, size = middle(box)
    half = number // 2
    inner = round(size * 0.66)
    outline = figure(rng.choice(("circle", "square")), (x, y), inner)
    gap = min(24, 2 * inner // (half + 1))
    upright = rng.chance()
    marks = [outline]
    for i in range(half):
        at = (i - (half - 1) / 2) * gap
        ends = ((x + at, y - size), (x + at, y + size)) if upright else ((x - size, y + at), (x + size, y + at))
        marks.append(line(*ends))
    return marks


# --- closed areas ---


def wheel(rng: Stream, box: Box, number: int, *, free: bool) -> list[Mark]:
    """An outline cut by spokes from its middle into so many areas; uncut for one."""
    x, y, size = middle(box)
    if free:
        points = {1: 7, 2: 6, 3: 6, 4: 8}.get(number, number)
        outline = blob(rng, x, y, size, points)
        ends = [] if number == 1 else outline["points"][:: points // number]
    else:
        outline = figure("circle", (x, y), size - 2)
        start = rng.between(0, 1)
        ends = [] if number == 1 else [on_circle(x, y, size - 2, start + i / number) for i in range(number)]
    return [outline, *(line((x, y), (end[0], end[1])) for end in ends)]


def barred(rng: Stream, box: Box, number: int) -> list[Mark]:
    """A square or circle cut by parallel strokes into so many areas."""
    x, y, size = middle(box)
    size -= 2
    kind = rng.choice(("square", "circle"))
    upright = rng.chance()
    marks = [figure(kind, (x, y), size)]
    for i in range(1, number):
        at = size * (2 * i / number - 1)
        reach = size if kind == "square" else (size * size - at * at) ** 0.5
        ends = ((x + at, y - reach), (x + at, y + reach)) if upright else ((x - reach, y + at), (x + reach, y + at))
        marks.append(line(*ends))
    return marks


def fanned(rng: Stream, box: Box, number: int) -> list[Mark]:
    """A polygon cut from one corner into so many triangles."""
    x, y, size = middle(box)
    start = rng.between(0, 1)
    corners = [on_circle(x, y, size - 1, start + i / (number + 2)) for i in range(number + 2)]
    return [path(corners), *(line(corners[0], corner) for corner in corners[2:-1])]


def rings(rng: Stream, box: Box, number: int, *, free: bool) -> list[Mark]:
    """Separate closed outlines, each an area."""
    spots, size = lattice(rng, box, 3 if number > 4 else 2, 3 if number > 4 else 2)
    if free:
        return [blob(rng, x, y, size + 2, 5 + rng.below(3)) for x, y in spots[:number]]
    kinds = ("circle", "square", "triangle", "hexagon", "pentagon")
    return [figure(rng.choice(kinds), spot, size) for spot in spots[:number]]


def lenses(rng: Stream, box: Box, number: int) -> list[Mark]:
    """A wave along a straight stroke, meeting it between its bows: each bow closes an area."""
    left, top, right, bottom = box
    y, high = (top + bottom) / 2, (bottom - top) / 2
    gap = (right - left - 16) / max(number, 2)
    start = (left + right - gap * number) / 2
    side = rng.choice((-1, 1))
    points: list[tuple[float, float]] = [(start - 8, y - side * high * 0.3)]
    for i in range(number):
        bow = side * (1 if i % 2 == 0 else -1) * high * rng.between(0.55, 0.75)
        points += [(start + gap * i, y), (start + gap * (i + 0.5), y + bow)]
    last = side * (1 if number % 2 == 0 else -1)
    points += [(start + gap * number, y), (start + gap * number + 8, y + last * high * 0.3)]
    return [line((left, y), (right, y)), path(points, closed=False, curved=True)]


# --- outlines ---


def polygon(rng: Stream, box: Box, corners: int) -> list[Mark]:
    """An outline with so many corners, perhaps one or two of them pointing inwards, none nearly straight."""
    x, y, size = middle(box)
    reach = [rng.between(0.95, 1) if corners > 6 else rng.between(0.8, 1) for _ in range(corners)]
    if corners >= 6 and rng.chance():
        inwards = cos(2 * pi / corners) - 0.35
        first = rng.below(corners)
        for i in range(1 + rng.below(2) if corners > 6 else 1):
            reach[(first + corners // 2 * i) % corners] = max(inwards, 0.2)
    start = rng.between(0, 1)
    return [path([on_circle(x, y, size * r, start + i / corners) for i, r in enumerate(reach)])]


def flower(rng: Stream, box: Box, lobes: int) -> list[Mark]:
    """A closed curve with so many bulges."""
    x, y, size = middle(box)
    start = rng.between(0, 1)
    points = []
    for i in range(2 * lobes):
        r = rng.between(0.45, 0.55) if i % 2 else rng.between(0.85, 0.97)
        points.append(on_circle(x, y, size * r, start + i / (2 * lobes)))
    return [path(points, curved=True)]
