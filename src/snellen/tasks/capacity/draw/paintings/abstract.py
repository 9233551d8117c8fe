"""Paintings of nothing in particular: circles that overlap, and patterned tiles."""

from snellen.draw.canvas import Canvas, Fade, mixed
from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.capacity.draw.paintings.parts import BRIGHT, CREAM, DARK, WHITE, box, ring_points

PAPERS: tuple[tuple[Colour, Colour], ...] = (
    ((250, 236, 208), (228, 190, 160)),
    ((208, 226, 232), (150, 174, 200)),
    ((52, 54, 92), (96, 56, 98)),
    ((238, 226, 238), (184, 204, 190)),
)


def circles(canvas: Canvas, rng: Stream) -> None:
    """Rings, beams, wedges and dots laid over one another."""
    width, height = canvas.width, canvas.height
    canvas.fill(0, 0, height, width, Fade(*rng.choice(PAPERS)))
    for _ in range(7):
        x, y = rng.between(0, 1) * width, rng.between(0, 1) * height
        corners = ring_points(x, y, height * rng.between(0.2, 0.45), 3, rng.between(0, 6.28))
        canvas.polygon(corners, rng.choice(BRIGHT), 6)
    spots = [(column, row) for column in range(5) for row in range(4)]
    for column, row in rng.sample(spots, 16):
        x = width * (0.1 + 0.2 * column + rng.between(-0.06, 0.06))
        y = height * (0.125 + 0.25 * row + rng.between(-0.06, 0.06))
        _target(canvas, rng, x, y, height * rng.between(0.07, 0.17))
    for _ in range(12):
        start = rng.between(0, 1) * width, rng.between(0, 1) * height
        end = start[0] + rng.between(-0.4, 0.4) * width, start[1] + rng.between(-0.4, 0.4) * height
        canvas.line([start, end], rng.between(2.5, 8), rng.choice((DARK, *BRIGHT)))
    for _ in range(34):
        x, y = rng.between(0, 1) * width, rng.between(0, 1) * height
        _trifle(canvas, rng, x, y, rng.between(6, 17))


def _target(canvas: Canvas, rng: Stream, x: float, y: float, radius: float) -> None:
    colours = rng.sample(BRIGHT, 4)
    canvas.disc(x, y, radius, colours[0], rng.choice((9, 13, 16)))
    if rng.chance(0.75):
        off = radius * rng.between(0, 0.2)
        canvas.disc(x + off, y - off, radius * 0.68, colours[1])
        canvas.disc(x + off, y - off, radius * 0.42, Fade(colours[2], mixed(colours[2], DARK, 35)))
        canvas.disc(x + off, y - off, radius * 0.16, colours[3])
    else:
        wedge = ring_points(x, y, radius, 12, rng.between(0, 6.28))
        canvas.polygon([(x, y), *wedge[: rng.choice((3, 5, 7))]], colours[1])


def _trifle(canvas: Canvas, rng: Stream, x: float, y: float, size: float) -> None:
    colour, what = rng.choice((DARK, *BRIGHT)), rng.below(4)
    if what == 0:
        canvas.disc(x, y, size * 0.7, colour)
    elif what == 1:
        canvas.polygon(ring_points(x, y, size, 3, rng.between(0, 6.28)), colour)
    elif what == 2:
        canvas.polygon(ring_points(x, y, size, 4, rng.between(0, 6.28)), colour)
    else:
        for step in (-1, 0, 1):
            canvas.line([(x - size, y + step * size * 0.6), (x + size, y + step * size * 0.6)], 3, colour)


def tiles(canvas: Canvas, rng: Stream) -> None:
    """A quilt of tiles, no two alike in pattern, colours and order, under broad bands of light."""
    width, height = canvas.width, canvas.height
    canvas.fill(0, 0, height, width, CREAM)
    side = height / rng.choice((5.5, 6.5, 7.5))
    start_x, start_y = -rng.between(0.1, 0.9) * side, -rng.between(0.1, 0.9) * side
    for row in range(int(height / side) + 2):
        for column in range(int(width / side) + 2):
            _tile(canvas, rng, start_x + column * side, start_y + row * side, side)
    for _ in range(4):
        x = rng.between(-0.2, 1) * width
        wide = rng.between(0.04, 0.1) * width
        band = [(x, 0), (x + wide, 0), (x + wide + 0.35 * height, height), (x + 0.35 * height, height)]
        canvas.polygon(band, rng.choice((WHITE, DARK, *BRIGHT)), 5)


def _tile(canvas: Canvas, rng: Stream, x: float, y: float, side: float) -> None:
    back, front, third = rng.sample(BRIGHT, 3)
    canvas.polygon(box(x, y, side, side), Fade(mixed(back, WHITE, 18), mixed(back, DARK, 12)))
    middle_x, middle_y, what = x + side / 2, y + side / 2, rng.below(6)
    if what == 0:
        corner = rng.below(4)
        corners = box(x, y, side, side)
        canvas.polygon([corners[corner], corners[(corner + 1) % 4], corners[(corner + 2) % 4]], front)
        canvas.disc(middle_x, middle_y, side * 0.2, third)
    elif what == 1:
        for share, colour in ((0.46, front), (0.32, third), (0.17, back)):
            canvas.disc(middle_x, middle_y, side * share, colour)
    elif what == 2:
        canvas.polygon(ring_points(middle_x, middle_y, side * 0.48, 4), front)
        canvas.polygon(ring_points(middle_x, middle_y, side * 0.27, 4, 0.785), third)
    elif what == 3:
        level = rng.chance()
        for number in range(3):
            at = side * (0.1 + 0.3 * number)
            stripe = box(x, y + at, side, side * 0.17) if level else box(x + at, y, side * 0.17, side)
            canvas.polygon(stripe, (front, third)[number % 2])
    elif what == 4:
        for px, py in ring_points(middle_x, middle_y, side * 0.27, 4, rng.choice((0, 0.785))):
            canvas.disc(px, py, side * 0.19, front)
        canvas.disc(middle_x, middle_y, side * 0.14, third)
    else:
        star = ring_points(middle_x, middle_y, side * 0.46, 6)
        inner = ring_points(middle_x, middle_y, side * 0.24, 6, 0.5236)
        canvas.polygon([point for pair in zip(star, inner, strict=True) for point in pair], front)
        canvas.disc(middle_x, middle_y, side * 0.12, third)
