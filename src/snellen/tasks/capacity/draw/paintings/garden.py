"""A garden: flowers of many kinds on their stems, leaves, butterflies."""

import math

from snellen.draw.canvas import Canvas, Fade, mixed
from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.capacity.draw.paintings.parts import BRIGHT, CREAM, DARK, WHITE, ring_points, waves

GROUNDS: tuple[tuple[Colour, Colour], ...] = (
    ((214, 236, 240), (150, 198, 150)),
    ((255, 240, 214), (226, 190, 150)),
    ((58, 70, 108), (26, 52, 66)),
    ((244, 214, 222), (170, 186, 168)),
)


def flowers(canvas: Canvas, rng: Stream) -> None:
    width, height = canvas.width, canvas.height
    ground = rng.choice(GROUNDS)
    canvas.fill(0, 0, height, width, Fade(*ground))
    for _ in range(40):
        x, y = rng.between(0, 1) * width, rng.between(0, 0.8) * height
        canvas.disc(x, y, rng.between(5, 26), mixed(ground[0], WHITE, 40), 5)
    for depth in range(3):
        green = mixed((56, 120, 72), ground[1], 45 - 20 * depth)
        canvas.ground(
            waves(rng, width, height * (0.72 + 0.1 * depth), height * 0.04), Fade(mixed(green, WHITE, 10), green)
        )
    spots = [(column, row) for column in range(6) for row in range(4)]
    rng.shuffle(spots)
    for column, row in sorted(spots, key=lambda spot: spot[1]):
        x = width * (0.085 + 0.166 * column + rng.between(-0.035, 0.035))
        y = height * (0.11 + 0.215 * row + rng.between(-0.04, 0.04))
        _stem(canvas, rng, x, y, height)
        _bloom(canvas, rng, x, y, height * rng.between(0.065, 0.105))
    for _ in range(4):
        _butterfly(canvas, rng, rng.between(0.08, 0.92) * width, rng.between(0.08, 0.9) * height, height * 0.05)
    for x in range(-8, width, 15):
        blade = height * rng.between(0.03, 0.09)
        lean = rng.between(-9, 9)
        green = mixed((48, 112, 66), (180, 200, 90), rng.below(60))
        canvas.polygon([(x, height), (x + 11, height), (x + 5 + lean, height - blade)], green)


def _stem(canvas: Canvas, rng: Stream, x: float, y: float, height: int) -> None:
    green, bend = mixed((54, 124, 70), (150, 180, 80), rng.below(60)), rng.between(-24, 24)
    long = height * rng.between(0.16, 0.24)
    canvas.line([(x, y), (x + bend * 0.4, y + long * 0.5), (x + bend, y + long)], 4.5, green)
    for side in (-1, 1):
        angle = rng.between(0.3, 0.8)
        turned = (math.cos(angle) * side, -math.sin(angle))
        middle = (x + bend * 0.4 + side * 15, y + long * rng.between(0.45, 0.7) - 8)
        canvas.ellipse(middle, 18, 6.5, mixed(green, DARK, 10), turned)


def _bloom(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    """One of four kinds of flower."""
    petal, heart = rng.sample(BRIGHT, 2)
    kind = rng.below(4)
    if kind == 0:
        _petals(canvas, (x, y), size, rng.choice((8, 10, 12)), 0.24, petal)
        canvas.disc(x, y, size * 0.36, heart)
        canvas.disc(x, y, size * 0.2, mixed(heart, DARK, 30))
    elif kind == 1:
        for px, py in ring_points(x, y, size * 0.52, 5, rng.between(0, 1)):
            canvas.disc(px, py, size * 0.45, mixed(petal, DARK, 12))
            canvas.disc(px, py, size * 0.36, petal)
        canvas.disc(x, y, size * 0.3, heart)
    elif kind == 2:
        for ring, share in enumerate((1, 0.76, 0.52, 0.3)):
            colour = mixed(petal, (heart, WHITE)[ring % 2], 12 + 16 * ring)
            canvas.polygon(_wavy(x, y, size * share, 9 - ring), colour)
    else:
        for lean in (-0.55, 0.55, 0):
            turned = (math.sin(lean), -math.cos(lean))
            middle = (x + turned[0] * size * 0.35, y + turned[1] * size * 0.3)
            canvas.ellipse(middle, size * 0.75, size * 0.36, petal if lean else mixed(petal, CREAM, 35), turned)
        canvas.disc(x, y + size * 0.3, size * 0.16, heart)


def _petals(canvas: Canvas, middle: tuple[float, float], size: float, many: int, wide: float, colour: Colour) -> None:
    for number in range(many):
        angle = 2 * math.pi * number / many
        turned = (math.cos(angle), math.sin(angle))
        spot = (middle[0] + turned[0] * size * 0.58, middle[1] + turned[1] * size * 0.58)
        canvas.ellipse(spot, size * 0.46, size * wide, colour if number % 2 else mixed(colour, WHITE, 22), turned)


def _wavy(x: float, y: float, size: float, lobes: int) -> list[tuple[float, float]]:
    steps = 72
    angles = [2 * math.pi * number / steps for number in range(steps)]
    radii = [size * (0.88 + 0.12 * math.cos(lobes * angle)) for angle in angles]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in zip(radii, angles, strict=True)]


def _butterfly(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    wing, spot = rng.sample(BRIGHT, 2)
    for side in (-1, 1):
        canvas.ellipse((x + side * size * 0.55, y - size * 0.35), size * 0.62, size * 0.42, wing, (0.8 * side, -0.6))
        canvas.ellipse(
            (x + side * size * 0.42, y + size * 0.32),
            size * 0.44,
            size * 0.32,
            mixed(wing, DARK, 25),
            (0.8 * side, 0.6),
        )
        canvas.disc(x + side * size * 0.6, y - size * 0.4, size * 0.17, spot)
    canvas.line([(x, y - size * 0.55), (x, y + size * 0.6)], 4, DARK)
