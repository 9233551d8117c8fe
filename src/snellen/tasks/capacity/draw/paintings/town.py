"""Towns: a skyline by night over water, and a street by day."""

from snellen.draw.canvas import Canvas, Fade, mixed
from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.capacity.draw.paintings.parts import BRIGHT, CREAM, DARK, SKIES, WHITE, box, cloud, glow, tree, waves

DUSKS: tuple[tuple[Colour, Colour], ...] = (
    ((22, 24, 66), (196, 98, 140)),
    ((14, 34, 72), (88, 160, 178)),
    ((40, 22, 70), (240, 140, 104)),
)
LIT: tuple[Colour, ...] = ((255, 220, 120), (255, 180, 96), (180, 228, 240), (255, 240, 196))


def night(canvas: Canvas, rng: Stream) -> None:
    """Stars and a moon, two rows of towers with lit windows, a river that mirrors their light."""
    width, height = canvas.width, canvas.height
    above, below = rng.choice(DUSKS)
    canvas.fill(0, 0, height, width, Fade(above, below))
    for _ in range(60):
        canvas.disc(rng.between(0, 1) * width, rng.between(0, 0.5) * height, rng.between(1, 2.4), WHITE, 12)
    moon = rng.between(0.15, 0.85) * width
    glow(canvas, moon, height * rng.between(0.12, 0.2), height * 0.075, (255, 246, 214))
    water = height * 0.72
    _towers(canvas, rng, water, mixed(above, below, 55), height * 0.42, 0.075)
    _towers(canvas, rng, water, mixed(above, DARK, 30), height * 0.32, 0.1)
    canvas.fill(int(water), 0, height - int(water), width, Fade(mixed(below, above, 35), mixed(above, DARK, 30)))
    for _ in range(90):
        x, y = rng.between(0, 1) * width, water + rng.between(0.03, 0.97) * (height - water)
        colour = rng.choice((*LIT, above, mixed(below, WHITE, 35)))
        canvas.line([(x, y), (x + rng.between(14, 52), y)], rng.between(2, 4.5), colour, 9)
    canvas.polygon(box(0, water - 4, width, 9), mixed(DARK, below, 25))
    for x in range(rng.below(40), width, 78):
        canvas.line([(x, water), (x, water - 24)], 3, DARK)
        glow(canvas, x, water - 27, 5, rng.choice(LIT))


def _towers(canvas: Canvas, rng: Stream, foot: float, stone: Colour, tallest: float, wide: float) -> None:
    x = -rng.between(0, 0.05) * canvas.width
    while x < canvas.width:
        across, high = rng.between(0.75, 1.3) * wide * canvas.width, rng.between(0.45, 1) * tallest
        wall = mixed(stone, rng.choice(BRIGHT), rng.below(22))
        canvas.polygon(box(x, foot - high, across, high), Fade(wall, mixed(wall, DARK, 25)))
        roof = rng.below(3)
        if roof == 0:
            canvas.polygon([(x, foot - high), (x + across, foot - high), (x + across / 2, foot - high - 26)], wall)
        elif roof == 1:
            canvas.line([(x + across / 2, foot - high), (x + across / 2, foot - high - 30)], 2.6, wall)
        _windows(canvas, rng, x + 7, foot - high + 9, across - 12, high - 14)
        x += across + rng.between(0, 0.012) * canvas.width


def _windows(canvas: Canvas, rng: Stream, left: float, top: float, across: float, high: float) -> None:
    light, pitch = rng.choice(LIT), rng.choice((13, 15, 17))
    for row in range(int(high) // pitch):
        for column in range(int(across) // pitch):
            if rng.chance(0.55):
                canvas.fill(
                    max(0, int(top) + row * pitch),
                    max(0, int(left) + column * pitch),
                    pitch // 2 + 1,
                    pitch // 2,
                    light,
                )


def street(canvas: Canvas, rng: Stream) -> None:
    """A row of gabled houses, trees before them, a road with cars."""
    width, height = canvas.width, canvas.height
    above, below = rng.choice(SKIES)
    canvas.fill(0, 0, height, width, Fade(above, below))
    for number in range(4):
        x = (number + rng.between(0.2, 0.8)) / 4 * width
        cloud(canvas, rng, x, rng.between(0.05, 0.2) * height, height * rng.between(0.05, 0.09))
    canvas.ground(waves(rng, width, height * 0.42, height * 0.05), mixed((110, 160, 110), below, 35))
    foot, x = height * 0.74, -10.0
    while x < width:
        across = rng.between(0.13, 0.2) * width
        _front(canvas, rng, x, foot, across, rng.between(0.32, 0.5) * height)
        x += across
    canvas.fill(int(foot), 0, height - int(foot), width, Fade((176, 172, 166), (120, 118, 120)))
    road = height * 0.82
    canvas.fill(int(road), 0, height - int(road), width, Fade((96, 98, 108), (66, 68, 78)))
    for x_mark in range(rng.below(40), width, 74):
        canvas.polygon(box(x_mark, height * 0.905, 38, 6), CREAM)
    for number in range(5):
        x = (number + rng.between(0.15, 0.85)) / 5 * width
        tree(canvas, rng, x, foot + height * 0.04, height * rng.between(0.15, 0.2), rng.choice(_LEAVES))
    for lane, y in enumerate((0.875, 0.975)):
        for number in range(3):
            x = (number + rng.between(0.1, 0.7)) / 3 * width
            _car(canvas, rng.choice(BRIGHT), x + 30 * lane, height * y, height * 0.14)


_LEAVES: tuple[Colour, ...] = ((108, 158, 74), (224, 142, 64), (74, 140, 96), (206, 92, 84))


def _front(canvas: Canvas, rng: Stream, x: float, foot: float, across: float, high: float) -> None:
    """The front of a house with a gable, windows with shutters and a door."""
    wall, roof, trim = rng.sample(BRIGHT, 3)
    wall, top = mixed(wall, CREAM, 35), foot - high
    canvas.polygon(box(x, top, across, high), Fade(mixed(wall, WHITE, 15), mixed(wall, DARK, 8)))
    gable = [(x - 3, top), (x + across + 3, top), (x + across / 2, top - across * rng.between(0.35, 0.6))]
    canvas.polygon(gable, mixed(roof, DARK, 25))
    pane = across * 0.19
    rows = max(2, int(high / (pane * 2)))
    for row in range(rows - 1):
        for column in range(3):
            left, down = x + across * (0.12 + 0.29 * column), top + pane * (0.7 + 1.9 * row)
            canvas.polygon(box(left - 4, down - 3, pane + 8, pane * 1.3 + 6), mixed(trim, WHITE, 15))
            canvas.polygon(
                box(left, down, pane, pane * 1.3), rng.choice(((86, 120, 150), (255, 226, 140), (60, 74, 104)))
            )
    canvas.polygon(box(x + across * 0.38, foot - pane * 2, pane * 1.25, pane * 2), mixed(trim, DARK, 45))
    canvas.polygon(box(x + across * 0.06, foot - pane * 1.7, pane * 1.2, pane * 1.1), (214, 236, 240))


def _car(canvas: Canvas, colour: Colour, x: float, y: float, size: float) -> None:
    """A car whose wheels stand at height y, its left end at x."""
    high = y - size * 0.2
    cabin = [
        (x + size * 0.22, high - size * 0.2),
        (x + size * 0.36, high - size * 0.42),
        (x + size * 0.78, high - size * 0.42),
    ]
    canvas.polygon([*cabin, (x + size * 0.95, high - size * 0.2)], (198, 224, 236))
    canvas.line([(x + size * 0.57, high - size * 0.42), (x + size * 0.57, high - size * 0.2)], 3, colour)
    canvas.line([(x + size * 0.36, high - size * 0.42), (x + size * 0.78, high - size * 0.42)], 4, colour)
    canvas.polygon(
        box(x, high - size * 0.2, size * 1.2, size * 0.26), Fade(mixed(colour, WHITE, 18), mixed(colour, DARK, 30))
    )
    for wheel in (0.26, 0.92):
        canvas.disc(x + size * wheel, y - size * 0.1, size * 0.13, DARK)
        canvas.disc(x + size * wheel, y - size * 0.1, size * 0.055, (210, 210, 214))
