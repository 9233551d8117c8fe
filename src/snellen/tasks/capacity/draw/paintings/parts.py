"""What several paintings share: skies, clouds, trees, houses, sails, and colours that go together."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from snellen.draw.canvas import WHOLE, Canvas, Fade, Point, mixed
from snellen.draw.looks import Colour
from snellen.rng import Stream

WHITE, CREAM, DARK = (255, 255, 255), (255, 244, 214), (43, 45, 66)
BRIGHT: tuple[Colour, ...] = (
    *((230, 57, 70), (244, 162, 97), (255, 203, 71), (42, 157, 143)),
    *((58, 124, 165), (110, 68, 160), (236, 112, 150), (247, 247, 240)),
)
SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((61, 132, 202), (207, 233, 245)),
    ((255, 140, 92), (255, 226, 158)),
    ((112, 96, 176), (255, 176, 146)),
    ((94, 178, 196), (246, 233, 196)),
)


def waves(rng: Stream, width: int, middle: float, rise: float, many: int = 3) -> NDArray[np.float64]:
    """A rolling line across the picture: heights (y) for every column, a sum of a few waves."""
    x = np.arange(width)
    total = np.full(width, middle)
    for number in range(many):
        length, phase = width / rng.between(0.7, 1.5) / (1.7**number), rng.between(0, 6.28)
        total += rise / (1.6**number) * np.sin(6.28318 * x / length + phase)
    return np.asarray(np.rint(total * WHOLE) / WHOLE)


def peaks(rng: Stream, width: int, base: float, rise: float) -> NDArray[np.float64]:
    """A jagged line across the picture, for mountains."""
    step = width // 9
    xs = [-step]
    while xs[-1] < width + step:
        xs.append(xs[-1] + int(rng.between(0.6, 1.4) * step))
    ys = [
        base - (rise * rng.between(0.45, 1) if number % 2 else rise * rng.between(0, 0.3)) for number in range(len(xs))
    ]
    return np.rint(np.interp(np.arange(width), xs, ys) * WHOLE) / WHOLE


def glow(canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
    """A disc with light around it."""
    for ring in (2.6, 2.0, 1.5):
        canvas.disc(x, y, radius * ring, colour, 3)
    canvas.disc(x, y, radius, colour)


def cloud(canvas: Canvas, rng: Stream, x: float, y: float, size: float, colour: Colour = WHITE) -> None:
    """A heap of discs on a flat base, shaded below."""
    puffs = [(-1.0, 0.0, 0.42), (-0.45, -0.3, 0.55), (0.2, -0.42, 0.62), (0.75, -0.1, 0.5), (1.2, 0.05, 0.34)]
    moved = [(dx + rng.between(-0.1, 0.1), dy, r * rng.between(0.85, 1.15)) for dx, dy, r in puffs]
    for shade, drop in ((mixed(colour, (120, 130, 170), 30), 0.12), (colour, 0)):
        for dx, dy, r in moved:
            canvas.disc(x + dx * size, y + (dy + drop) * size, r * size, shade)


def bird(canvas: Canvas, x: float, y: float, size: float, colour: Colour = DARK) -> None:
    wing = [(x - size, y - size * 0.35), (x - size * 0.45, y - size * 0.5), (x, y)]
    canvas.line([*wing, (x + size * 0.45, y - size * 0.5), (x + size, y - size * 0.35)], 2.2, colour)


def pine(canvas: Canvas, x: float, y: float, size: float, colour: Colour) -> None:
    """A fir whose foot is at (x, y)."""
    canvas.fill(int(y - size * 0.2), int(x - size * 0.05), int(size * 0.22), max(2, int(size * 0.1)), (98, 66, 44))
    for level, half in ((0.12, 0.34), (0.38, 0.27), (0.62, 0.19)):
        bottom, top = y - size * level, y - size * (level + 0.42)
        canvas.polygon(
            [(x - size * half, bottom), (x + size * half, bottom), (x, top)], mixed(colour, WHITE, int(level * 40))
        )


def tree(canvas: Canvas, rng: Stream, x: float, y: float, size: float, colour: Colour) -> None:
    """A leafy tree whose foot is at (x, y)."""
    canvas.line([(x, y), (x, y - size * 0.5)], size * 0.11, (112, 74, 48))
    for dx, dy, r in ((-0.2, -0.55, 0.24), (0.2, -0.55, 0.25), (0, -0.78, 0.29)):
        canvas.disc(x + dx * size, y + dy * size, r * size, mixed(colour, DARK, 22))
    for dx, dy, r in ((-0.16, -0.62, 0.18), (0.18, -0.6, 0.16), (-0.02, -0.84, 0.2)):
        canvas.disc(x + dx * size, y + dy * size, r * size * rng.between(0.9, 1.1), colour)


def house(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    """A small house whose lower left corner is at (x, y)."""
    wall, roof = rng.sample(BRIGHT, 2)
    high, wide = size * 0.62, size
    canvas.polygon([(x, y), (x + wide, y), (x + wide, y - high), (x, y - high)], mixed(wall, CREAM, 45))
    peak = (x + wide / 2, y - high - size * 0.45)
    canvas.polygon([(x - size * 0.1, y - high), (x + wide + size * 0.1, y - high), peak], mixed(roof, DARK, 12))
    door = size * 0.2
    canvas.polygon(box(x + wide * 0.62, y - high * 0.62, door, high * 0.62), mixed(roof, DARK, 55))
    canvas.polygon(box(x + wide * 0.15, y - high * 0.7, door * 1.2, door * 1.2), (255, 236, 158))
    middle = x + wide * 0.15 + door * 0.6
    canvas.line([(middle, y - high * 0.7), (middle, y - high * 0.7 + door * 1.2)], 2, DARK)


def box(x: float, y: float, width: float, height: float) -> list[Point]:
    """The corners of an upright rectangle whose upper left corner is at (x, y)."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def ring_points(x: float, y: float, radius: float, many: int, start: float = 0) -> list[Point]:
    """Points evenly round a circle."""
    angles = (start + 2 * math.pi * number / many for number in range(many))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def sailing_boat(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    """A boat whose middle touches the water at (x, y)."""
    hull, sail, jib = rng.sample(BRIGHT, 3)
    canvas.line([(x, y - size * 0.12), (x, y - size * 1.15)], 3, DARK)
    canvas.polygon(
        [(x + 3, y - size * 1.12), (x + size * 0.62, y - size * 0.22), (x + 3, y - size * 0.22)], mixed(sail, WHITE, 20)
    )
    canvas.polygon(
        [(x - 4, y - size), (x - size * 0.45, y - size * 0.22), (x - 4, y - size * 0.22)], mixed(jib, WHITE, 20)
    )
    deck = [(x - size * 0.62, y - size * 0.16), (x + size * 0.7, y - size * 0.16)]
    canvas.polygon([*deck, (x + size * 0.45, y + size * 0.1), (x - size * 0.45, y + size * 0.1)], mixed(hull, DARK, 15))


def hot_air_balloon(canvas: Canvas, colours: Sequence[Colour], x: float, y: float, radius: float) -> None:
    """A striped balloon with its basket; (x, y) is the middle of the envelope."""
    low = y + radius * 1.5
    canvas.polygon(_envelope(x, y, radius, 1), colours[0])
    for number, (share, colour) in enumerate(((0.78, 1), (0.46, 2), (0.16, 3))):
        canvas.polygon(_envelope(x, y, radius, share), mixed(colours[colour % len(colours)], WHITE, 6 * number))
    for side in (-1, 1):
        canvas.line([(x + side * radius * 0.22, y + radius * 1.2), (x + side * radius * 0.14, low)], 1.6, DARK)
    canvas.polygon(box(x - radius * 0.18, low, radius * 0.36, radius * 0.28), Fade((168, 110, 60), (110, 66, 34)))


def _envelope(x: float, y: float, radius: float, share: float) -> list[Point]:
    top = [(x + radius * share * math.cos(a), y - radius * math.sin(a)) for a in (math.pi * k / 16 for k in range(17))]
    foot = radius * 0.24 * share
    left = [(x - radius * 0.93 * share, y + radius * 0.42), (x - radius * 0.62 * share, y + radius * 0.88)]
    right = [(2 * x - px, py) for px, py in reversed(left)]
    return [*top, *left, (x - foot, y + radius * 1.25), (x + foot, y + radius * 1.25), *right]
