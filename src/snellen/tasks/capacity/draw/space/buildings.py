"""Buildings of a town, built of simple solids. Doors and fronts look north until turned.

Windows are a pattern of the walls: cells of about a storey's height, a pane in the middle of each.
"""

from snellen.tasks.capacity.draw.space.models import COLOURS, box, shaded
from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import Gable, Quad, Solid, SolidBox, SolidThing, plain

_STOREY = 2.9
BRICK: Colour = (176, 92, 72)
CREAM: Colour = (236, 222, 190)
GREY: Colour = (170, 170, 172)
RED_TILES: Colour = (164, 70, 54)


def panes(wall: Colour, wide: float, share: float = 0.45) -> Paint:
    """A wall with a window about every three metres in every storey."""
    across = max(1, int(wide / 3.0 + 0.5))
    return Paint(wall, COLOURS["glass"], "panes", (round(wide / across, 6), _STOREY, share))


def _walls(wide: float, deep: float, storeys: int, wall: Colour) -> list[Solid]:
    """The body with windows all around, and a door to the north."""
    high = storeys * _STOREY
    paint_x, paint_y = panes(wall, wide), panes(wall, deep)
    x, y = wide / 2, deep / 2
    sides = [
        ((x, y), (-x, y), paint_x),
        ((-x, y), (-x, -y), paint_y),
        ((-x, -y), (x, -y), paint_x),
        ((x, -y), (x, y), paint_y),
    ]
    parts: list[Solid] = []
    for (x0, y0), (x1, y1), paint in sides:
        parts.append(Quad(((x0, y0, 0.0), (x1, y1, 0.0), (x1, y1, high), (x0, y0, high)), paint))
    parts.append(Quad(((-x, -y, high), (x, -y, high), (x, y, high), (-x, y, high)), plain(shaded(wall, 0.78))))
    parts.append(box(0, y + 0.03, 0, (1.3, 0.10, 2.3), shaded(wall, 0.5)))
    parts.append(box(0, y + 0.5, 0, (1.8, 1.0, 0.18), (170, 168, 164)))
    return parts


def house(
    wall: Colour = CREAM,
    roof: Colour = RED_TILES,
    wide: float = 9.0,
    deep: float = 8.0,
    storeys: int = 1,
    hip: float = 0.0,
) -> SolidThing:
    """A dwelling with a gable (or, with a hip, sloping on all four sides) and a chimney."""
    high = storeys * _STOREY
    rise = deep * 0.42
    parts = _walls(wide, deep, storeys, wall)
    parts.append(
        Gable((0, 0, high), (wide + 0.7, deep + 0.7, rise), plain(roof), plain(roof if hip else wall), hip=hip)
    )
    parts.append(box(wide * 0.25, -deep * 0.18, high, (0.8, 0.8, rise * 1.05), BRICK))
    return SolidThing("house", tuple(parts))


def block(wall: Colour = GREY, wide: float = 14.0, deep: float = 11.0, storeys: int = 4) -> SolidThing:
    """Flats under a flat roof with a parapet."""
    high = storeys * _STOREY
    parts = _walls(wide, deep, storeys, wall)
    dark = shaded(wall, 0.8)
    parts += [box(0, side * (deep / 2), high - 0.1, (wide + 0.4, 0.4, 0.7), dark) for side in (-1, 1)]
    parts += [box(side * (wide / 2), 0, high - 0.1, (0.4, deep - 0.4, 0.7), dark) for side in (-1, 1)]
    parts.append(box(wide * 0.2, 0, high, (3.0, 3.0, 1.9), shaded(wall, 0.9)))
    return SolidThing("block of flats", tuple(parts))


def shop(wall: Colour = CREAM, awning: Colour = (190, 60, 56)) -> SolidThing:
    """One storey with a large window and a striped awning to the north."""
    body = SolidBox((0, 0, 0), (9.0, 7.0, 4.2), plain(wall), top=plain(shaded(wall, 0.78)))
    glass = box(-1.2, 3.52, 0.6, (5.2, 0.08, 2.2), (96, 128, 150))
    gate = box(3.0, 3.52, 0, (1.3, 0.08, 2.5), shaded(wall, 0.5))
    sign = box(0, 3.55, 3.3, (8.2, 0.16, 0.7), awning)
    slope = Quad(
        ((4.2, 4.9, 2.7), (-4.2, 4.9, 2.7), (-4.2, 3.5, 3.3), (4.2, 3.5, 3.3)),
        Paint(awning, (246, 242, 234), "stripes", (1.2, 1.0, 0.6)),
        two_sided=True,
    )
    return SolidThing("shop", (body, glass, gate, sign, slope))
