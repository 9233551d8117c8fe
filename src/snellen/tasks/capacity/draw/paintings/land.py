"""Landscapes: hills with a village, the seaside, balloons over fields."""

from snellen.draw.canvas import Canvas, Fade, mixed
from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.capacity.draw.paintings.parts import (
    BRIGHT,
    DARK,
    SKIES,
    WHITE,
    bird,
    box,
    cloud,
    glow,
    hot_air_balloon,
    house,
    peaks,
    pine,
    sailing_boat,
    tree,
    waves,
)

GREENS: tuple[Colour, ...] = ((126, 178, 84), (92, 156, 96), (168, 192, 86), (70, 134, 88), (196, 190, 92))


def hills(canvas: Canvas, rng: Stream) -> None:
    """Mountains, rolling hills with fields, a village and trees."""
    width, height = canvas.width, canvas.height
    above, below = rng.choice(SKIES)
    canvas.fill(0, 0, height, width, Fade(above, below))
    glow(canvas, rng.between(0.12, 0.88) * width, rng.between(0.1, 0.22) * height, height * 0.07, (255, 232, 150))
    _clouds(canvas, rng, 4, 0.3)
    for depth in range(2):
        stone = mixed(mixed((88, 92, 128), above, 40 - 25 * depth), DARK, 12 * depth)
        base = height * (0.48 + 0.06 * depth)
        canvas.ground(peaks(rng, width, base, height * (0.3 - 0.08 * depth)), Fade(mixed(stone, WHITE, 40), stone))
    greens = rng.sample(GREENS, 4)
    for depth, green in enumerate(greens):
        line = waves(rng, width, height * (0.52 + 0.135 * depth), height * 0.045)
        canvas.ground(line, Fade(mixed(green, WHITE, 12), mixed(green, DARK, 28)))
        _rows_of_crops(canvas, rng, line.tolist(), height * 0.1)
        size = height * (0.09 + 0.035 * depth)
        for _ in range(3 + depth):
            x = rng.between(0.02, 0.98) * width
            foot = line[min(width - 1, int(x))] + size * rng.between(0.2, 0.6)
            _standing(canvas, rng, x, foot, size, green)


def _standing(canvas: Canvas, rng: Stream, x: float, y: float, size: float, green: Colour) -> None:
    what = rng.below(5)
    if what < 2:
        house(canvas, rng, x, y, size * rng.between(0.7, 1))
    elif what < 4:
        tree(canvas, rng, x, y, size * rng.between(1, 1.4), mixed(rng.choice((green, *GREENS)), (32, 96, 56), 45))
    else:
        pine(canvas, x, y, size * rng.between(1, 1.5), (38, 92, 72))


def _rows_of_crops(canvas: Canvas, rng: Stream, line: list[float], deep: float) -> None:
    """A patch of slanting rows on a hill."""
    colour, start = rng.choice(BRIGHT), rng.below(len(line))
    for number in range(9):
        x = start + number * 11
        if x < len(line):
            y = line[x] + 6
            canvas.line([(x, y), (x - 26, y + deep * 0.5)], 3, colour, 9)


def _clouds(canvas: Canvas, rng: Stream, many: int, low: float) -> None:
    for number in range(many):
        x = (number + rng.between(0.1, 0.9)) / many * canvas.width
        cloud(canvas, rng, x, rng.between(0.06, low) * canvas.height, canvas.height * rng.between(0.06, 0.1))


def seaside(canvas: Canvas, rng: Stream) -> None:
    """Sky, a sea with boats in bands of waves, and a beach."""
    width, height = canvas.width, canvas.height
    above, below = rng.choice(SKIES)
    canvas.fill(0, 0, height, width, Fade(above, below))
    glow(canvas, rng.between(0.15, 0.85) * width, height * rng.between(0.1, 0.2), height * 0.075, (255, 236, 170))
    _clouds(canvas, rng, 3, 0.22)
    for _ in range(4):
        bird(canvas, rng.between(0.05, 0.95) * width, rng.between(0.08, 0.3) * height, rng.between(9, 16))
    canvas.ground(waves(rng, width, height * 0.37, height * 0.03), mixed((92, 120, 128), below, 30))
    deep = rng.choice(((22, 92, 138), (24, 116, 128), (44, 82, 150)))
    bands = 7
    for band in range(bands):
        water = mixed(deep, (132, 214, 214), 12 * band)
        y = height * (0.4 + 0.055 * band)
        canvas.ground(waves(rng, width, y, height * 0.009 + band, 4), Fade(water, mixed(water, deep, 20)))
        for _ in range(7):
            x = rng.between(0, 1) * width
            canvas.line([(x, y + 9), (x + rng.between(12, 34), y + 9)], 2.4, mixed(water, WHITE, 60))
        if band % 2:
            x = rng.between(0.08, 0.92) * width
            sailing_boat(canvas, rng, x, y + height * 0.02, height * (0.07 + 0.017 * band))
    sand = rng.choice(((240, 212, 158), (232, 196, 148)))
    shore = waves(rng, width, height * 0.8, height * 0.03, 2)
    canvas.ground(shore - 7, WHITE)
    canvas.ground(shore, Fade(mixed(sand, WHITE, 20), mixed(sand, (150, 100, 60), 25)))
    for number in range(4):
        x = (number + rng.between(0.15, 0.85)) / 4 * width
        _on_the_beach(canvas, rng, x, height * rng.between(0.88, 0.95), height * 0.13)


def _on_the_beach(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    first, second, third = rng.sample(BRIGHT, 3)
    canvas.polygon([(x, y), (x + size, y), (x + size * 0.8, y + size * 0.28), (x - size * 0.2, y + size * 0.28)], first)
    canvas.polygon(
        [
            (x + size * 0.3, y),
            (x + size * 0.6, y),
            (x + size * 0.4, y + size * 0.28),
            (x + size * 0.1, y + size * 0.28),
        ],
        second,
    )
    if rng.chance(0.7):
        canvas.line([(x - size * 0.3, y + size * 0.2), (x - size * 0.3, y - size * 0.9)], 3.5, (140, 90, 56))
        top, rim = (x - size * 0.3, y - size), y - size * 0.55
        for part in range(4):
            left = x - size * (0.85 - 0.275 * part)
            canvas.polygon([top, (left, rim), (left + size * 0.275, rim)], (second, third)[part % 2])
    else:
        canvas.disc(x - size * 0.35, y + size * 0.1, size * 0.2, second)
        canvas.ellipse((x - size * 0.35, y + size * 0.1), size * 0.07, size * 0.2, third)


def balloons(canvas: Canvas, rng: Stream) -> None:
    """Hot-air balloons over patchwork fields."""
    width, height = canvas.width, canvas.height
    above, below = rng.choice(SKIES)
    canvas.fill(0, 0, height, width, Fade(above, below))
    _clouds(canvas, rng, 5, 0.6)
    for depth in range(3):
        green = rng.choice(GREENS)
        line = waves(rng, width, height * (0.7 + 0.1 * depth), height * 0.035)
        canvas.ground(line, Fade(mixed(green, WHITE, 15), mixed(green, DARK, 25)))
        for _ in range(5):
            left = rng.below(width)
            patch = mixed(rng.choice(BRIGHT), green, 45)
            wide = rng.between(0.05, 0.12) * width
            y = max(height * (0.745 + 0.1 * depth), float(line[left]) + 4)
            canvas.polygon(
                [(left, y), (left + wide, y + 3), (left + wide * 0.85, y + 24), (left - wide * 0.2, y + 20)], patch
            )
            tree(canvas, rng, left + wide, y + 14, height * 0.08, mixed(green, (28, 90, 60), 55))
    spots = [(column, row) for column in range(4) for row in range(2)]
    for column, row in rng.sample(spots, 7):
        x = width * (0.13 + 0.245 * column + rng.between(-0.05, 0.05))
        y = height * (0.16 + 0.3 * row + rng.between(-0.05, 0.05))
        hot_air_balloon(canvas, rng.sample(BRIGHT, 3), x, y, height * rng.between(0.07, 0.115))
    for _ in range(3):
        bird(canvas, rng.between(0.05, 0.95) * width, rng.between(0.05, 0.6) * height, 11)
    for post in range(10, width, 46):
        canvas.polygon(box(post, height - 22, 7, 22), mixed(WHITE, (160, 130, 100), 20))
    canvas.polygon(box(0, height - 15, width, 5), mixed(WHITE, (160, 130, 100), 25))
