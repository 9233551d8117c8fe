"""Buildings of a town, built of simple solids. Doors and fronts look north until turned.

Windows are a pattern of the walls: cells of about a storey's height, a pane in the middle of each.
"""

from snellen.tasks.capacity.draw.space.furniture import box, shaded
from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import Ball, Gable, Prism, Quad, Solid, SolidBox, SolidThing, plain

_GLASS: Colour = (74, 92, 116)
_STOREY = 2.9
BRICK: Colour = (176, 92, 72)
CREAM: Colour = (236, 222, 190)
GREY: Colour = (170, 170, 172)
RED_TILES: Colour = (164, 70, 54)


def panes(wall: Colour, wide: float, share: float = 0.45) -> Paint:
    """A wall with a window about every three metres in every storey."""
    across = max(1, int(wide / 3.0 + 0.5))
    return Paint(wall, _GLASS, "panes", (round(wide / across, 6), _STOREY, share))


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
    parts.append(Gable((0, 0, high), (wide + 0.7, deep + 0.7, rise), plain(roof), plain(wall), hip=hip))
    parts.append(box(wide * 0.25, -deep * 0.18, high, (0.8, 0.8, rise * 1.05), BRICK))
    return SolidThing("house", "house", tuple(parts))


def block(wall: Colour = GREY, wide: float = 14.0, deep: float = 11.0, storeys: int = 4) -> SolidThing:
    """Flats under a flat roof with a parapet."""
    high = storeys * _STOREY
    parts = _walls(wide, deep, storeys, wall)
    dark = shaded(wall, 0.8)
    parts += [box(0, side * (deep / 2), high - 0.1, (wide + 0.4, 0.4, 0.7), dark) for side in (-1, 1)]
    parts += [box(side * (wide / 2), 0, high - 0.1, (0.4, deep - 0.4, 0.7), dark) for side in (-1, 1)]
    parts.append(box(wide * 0.2, 0, high, (3.0, 3.0, 1.9), shaded(wall, 0.9)))
    return SolidThing("block of flats", "block of flats", tuple(parts))


def skyscraper(colour: Colour = (120, 150, 178), storeys: int = 16) -> SolidThing:
    """A tower of glass in three steps with a mast."""
    parts: list[Solid] = []
    z = 0.0
    for side, share in ((16.0, 0.45), (12.5, 0.35), (9.0, 0.2)):
        high = round(storeys * share + 0.5) * 3.2
        glass = Paint(shaded(colour, 1.15), shaded(colour, 0.7), "panes", (side / 8, 3.2, 0.8))
        parts.append(SolidBox((0, 0, z), (side, side, high), glass, top=plain((140, 142, 146))))
        z += high
    parts.append(Prism((0, 0, z), 0.35, 9.0, plain((180, 60, 56)), sides=6, taper=0.3))
    parts.append(box(0, 8.05, 0, (4.0, 0.3, 3.4), (60, 66, 76)))
    return SolidThing("skyscraper", "skyscraper", tuple(parts))


def church(wall: Colour = (232, 226, 212), roof: Colour = (92, 84, 92)) -> SolidThing:
    """A nave with a tower and a spire at its north end."""
    tall = Paint(wall, (70, 84, 120), "panes", (3.0, 6.6, 0.5))
    nave = SolidBox((0, -4, 0), (9.0, 17.0, 6.6), tall)
    cover = Gable((0, -4, 6.6), (17.6, 9.8, 4.6), plain(roof), plain(wall), turn=90.0)
    tower = SolidBox((0, 6.5, 0), (5.2, 5.2, 15.0), Paint(wall, (70, 84, 120), "panes", (5.2, 5.0, 0.34)))
    spire = SolidBox((0, 6.5, 15.0), (5.8, 5.8, 9.5), plain((72, 110, 104)), taper=0.0)
    gate = (box(0, 9.12, 0, (1.9, 0.14, 3.0), (96, 62, 40)), box(0, 9.7, 0, (3.0, 1.2, 0.25), (170, 168, 164)))
    cross = (box(0, 6.5, 24.4, (0.2, 0.2, 1.9), (220, 186, 80)), box(0, 6.5, 25.4, (1.1, 0.2, 0.2), (220, 186, 80)))
    return SolidThing("church", "church", (nave, cover, tower, spire, *gate, *cross))


def water_tower(colour: Colour = (200, 208, 214)) -> SolidThing:
    """A round tank on four legs."""
    dark = shaded(colour, 0.6)
    feet = [box(x, y, 0, (0.6, 0.6, 15.0), dark) for x in (-2.6, 2.6) for y in (-2.6, 2.6)]
    belts = [box(0, y, z, (5.2, 0.25, 0.25), dark) for z in (5.0, 10.0) for y in (-2.6, 2.6)]
    belts += [box(x, 0, z, (0.25, 5.2, 0.25), dark) for z in (5.0, 10.0) for x in (-2.6, 2.6)]
    tank = Prism(
        (0, 0, 15.0), 4.6, 5.5, Paint(colour, (176, 60, 52), "tiles", (50.0, 5.5, 1.0)), sides=20, top=plain(colour)
    )
    lid = Prism((0, 0, 20.5), 4.9, 2.4, plain((176, 60, 52)), sides=20, taper=0.05)
    return SolidThing("water tower", "water tower", (*feet, *belts, tank, lid))


def windmill(colour: Colour = (238, 234, 224)) -> SolidThing:
    """A round mill whose four sails look north."""
    body = Prism((0, 0, 0), 4.0, 11.0, plain(colour), sides=12, taper=0.62)
    cap = Prism((0, 0, 11.0), 2.8, 2.6, plain((120, 70, 54)), sides=12, taper=0.15)
    sails: list[Solid] = [box(0, 3.2, 11.4, (0.7, 1.6, 0.7), (90, 66, 50))]
    for x, z in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
        tip, side = (x * 5.2, z * 5.2), (-z * 0.9, x * 0.9)
        ring = [(0.0, 0.0), tip, (tip[0] + side[0], tip[1] + side[1]), (side[0], side[1])]
        corners = tuple((round(a, 6), 3.95, round(11.75 + b, 6)) for a, b in ring)
        sails.append(Quad(corners, Paint((214, 196, 160), (120, 92, 66), "tiles", (0.9, 0.9, 0.12)), two_sided=True))
    return SolidThing("windmill", "windmill", (body, cap, *sails, box(0, 3.95, 0, (1.4, 0.3, 2.4), (96, 62, 40))))


def town_hall(wall: Colour = (222, 200, 160)) -> SolidThing:
    """A wide house with columns at its front and a clock tower."""
    parts = _walls(18.0, 10.0, 2, wall)
    parts.append(Gable((0, 0, 5.8), (18.8, 10.8, 3.6), plain((92, 108, 118)), plain(wall), hip=4.0))
    parts += [Prism((x, 6.6, 0.4), 0.35, 4.4, plain((244, 240, 230)), sides=10) for x in (-3.3, -1.1, 1.1, 3.3)]
    parts.append(box(0, 6.2, 0, (8.6, 2.6, 0.4), (190, 186, 178)))
    parts.append(SolidBox((0, 6.2, 4.8), (8.6, 2.6, 0.7), plain((244, 240, 230))))
    parts.append(SolidBox((0, 0, 5.8), (3.6, 3.6, 9.0), plain(wall)))
    for turn in (0.0, 90.0, 180.0, 270.0):
        parts.append(SolidBox((0, 0, 12.0), (2.2, 3.66, 2.2), plain((250, 250, 246)), turn=turn))
        parts.append(SolidBox((0, 0, 13.0), (0.2, 3.72, 1.0), plain((40, 40, 44)), turn=turn))
        parts.append(SolidBox((0.35, 0, 13.0), (0.75, 3.72, 0.2), plain((40, 40, 44)), turn=turn))
    parts.append(SolidBox((0, 0, 14.8), (4.0, 4.0, 4.0), plain((92, 108, 118)), taper=0.0))
    return SolidThing("town hall", "town hall", tuple(parts))


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
    return SolidThing("shop", "shop", (body, glass, gate, sign, slope))


def dome(wall: Colour = (226, 218, 204)) -> SolidThing:
    """An observatory: a round wall under a dome with a slit to the north."""
    body = Prism((0, 0, 0), 5.0, 5.0, Paint(wall, _GLASS, "panes", (2.6, 2.5, 0.4)), sides=18)
    half = Ball((0, 0, 0.2), 5.2, 9.6, plain((120, 168, 156)), sides=18)
    return SolidThing("observatory", "observatory", (body, half, box(0, 4.2, 6.0, (1.2, 1.6, 2.2), (60, 62, 70))))
