"""Furniture to sit, lie and eat on and to keep things in, built of simple solids.

Every model stands on the floor around (0, 0) with its front to the north: the side one sits down from, the side with
the doors. Sizes are those of real furniture.
"""

from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType

from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import Ball, Point, Prism, Solid, SolidBox, SolidThing, plain

OAK: Colour = (196, 148, 96)
WALNUT: Colour = (122, 80, 52)
WHITE: Colour = (240, 238, 232)
BLACK: Colour = (44, 44, 48)
STEEL: Colour = (168, 174, 180)
_LINEN = (244, 241, 234)


def shaded(colour: Colour, share: float) -> Colour:
    """The colour darkened (share < 1) or lightened."""
    red, green, blue = (min(255, int(value * share + 0.5)) for value in colour)
    return red, green, blue


def box(x: float, y: float, z: float, size: Point, colour: Colour) -> SolidBox:
    return SolidBox((x, y, z), size, plain(colour))


def legs(wide: float, deep: float, high: float, thick: float, colour: Colour) -> tuple[Solid, ...]:
    """Four legs under the corners of a top."""
    x, y = (wide - thick) / 2, (deep - thick) / 2
    return tuple(box(i * x, j * y, 0.0, (thick, thick, high), colour) for i, j in product((-1, 1), repeat=2))


def chair(colour: Colour = OAK) -> SolidThing:
    back = [box(0, -0.20, z, (0.42, 0.03, 0.09), colour) for z in (0.60, 0.76)]
    posts = [box(x, -0.20, 0.47, (0.04, 0.04, 0.45), colour) for x in (-0.2, 0.2)]
    seat = box(0, 0, 0.43, (0.46, 0.46, 0.04), shaded(colour, 1.08))
    return SolidThing("chair", "chair", (*legs(0.44, 0.44, 0.43, 0.04, colour), seat, *posts, *back))


def stool(colour: Colour = (200, 70, 60)) -> SolidThing:
    seat = Prism((0, 0, 0.58), 0.19, 0.05, plain(colour), sides=16)
    ring = Prism((0, 0, 0.22), 0.15, 0.02, plain(STEEL), sides=16)
    foot = Prism((0, 0, 0), 0.21, 0.02, plain(STEEL), sides=16)
    return SolidThing("stool", "stool", (seat, ring, foot, Prism((0, 0, 0.02), 0.03, 0.56, plain(STEEL), sides=8)))


def armchair(colour: Colour = (196, 112, 60)) -> SolidThing:
    return SolidThing("armchair", "armchair", _padded(0.88, 0.84, 1, colour))


def sofa(colour: Colour = (70, 110, 150)) -> SolidThing:
    return SolidThing("sofa", "sofa", _padded(2.0, 0.88, 3, colour))


def _padded(wide: float, deep: float, seats: int, colour: Colour) -> tuple[Solid, ...]:
    """A padded seat: base, arms, back, and a cushion for each place."""
    arm, dark, light = 0.17, shaded(colour, 0.82), shaded(colour, 1.12)
    place = (wide - 2 * arm) / seats
    parts: list[Solid] = list(legs(wide - 0.06, deep - 0.06, 0.08, 0.05, WALNUT))
    parts.append(box(0, 0, 0.08, (wide, deep, 0.20), dark))
    parts.append(box(0, -deep / 2 + 0.10, 0.28, (wide - 2 * arm, 0.20, 0.52), colour))
    parts += [box(side * (wide - arm) / 2, 0, 0.28, (arm, deep, 0.32), colour) for side in (-1, 1)]
    for i in range(seats):
        x = (i - (seats - 1) / 2) * place
        parts.append(box(x, 0.10, 0.28, (place - 0.02, deep - 0.20, 0.14), light))
        parts.append(SolidBox((x, -deep / 2 + 0.27, 0.42), (place - 0.04, 0.14, 0.34), plain(light), taper=0.9))
    return tuple(parts)


def table(colour: Colour = WALNUT) -> SolidThing:
    return SolidThing(
        "table", "table", (*legs(1.4, 0.8, 0.70, 0.07, colour), box(0, 0, 0.70, (1.5, 0.9, 0.05), colour))
    )


def round_table(colour: Colour = WHITE) -> SolidThing:
    top = Prism((0, 0, 0.71), 0.55, 0.04, plain(colour), sides=24)
    foot = Prism((0, 0, 0), 0.32, 0.04, plain(shaded(colour, 0.6)), sides=16, taper=0.8)
    return SolidThing("round table", "table", (top, foot, Prism((0, 0, 0.04), 0.05, 0.67, plain(shaded(colour, 0.7)))))


def coffee_table(colour: Colour = OAK) -> SolidThing:
    parts = (*legs(0.96, 0.56, 0.38, 0.05, colour), box(0, 0, 0.38, (1.0, 0.6, 0.04), colour))
    return SolidThing("coffee table", "coffee table", (*parts, box(0, 0, 0.14, (0.9, 0.5, 0.02), shaded(colour, 0.9))))


def desk(colour: Colour = OAK) -> SolidThing:
    """One sits down from the north; the drawers are on the right of who sits there. Screen and keyboard lie on it."""
    drawers = [box(-0.43, 0.272, z, (0.34, 0.02, 0.17), shaded(colour, 1.1)) for z in (0.06, 0.26, 0.46)]
    knobs = [box(-0.43, 0.292, z + 0.075, (0.10, 0.02, 0.02), BLACK) for z in (0.06, 0.26, 0.46)]
    body = (box(-0.43, 0, 0, (0.40, 0.54, 0.70), shaded(colour, 0.9)), box(0.61, 0, 0, (0.05, 0.56, 0.70), colour))
    screen = (box(0, -0.16, 0.73, (0.24, 0.16, 0.015), BLACK), box(0, -0.18, 0.745, (0.05, 0.03, 0.10), BLACK))
    panel = SolidBox((0, -0.16, 0.83), (0.58, 0.04, 0.34), plain(BLACK), front=plain((110, 160, 200)))
    keys = box(0, 0.10, 0.73, (0.42, 0.14, 0.02), (210, 210, 212))
    return SolidThing(
        "desk", "desk", (box(0, 0, 0.70, (1.3, 0.6, 0.03), colour), *body, *drawers, *knobs, *screen, panel, keys)
    )


def bed(colour: Colour = (88, 128, 178)) -> SolidThing:
    """A double bed: the headboard and the pillows at the south, the foot to the north."""
    wood = WALNUT
    frame = box(0, 0, 0.10, (1.6, 2.0, 0.18), wood)
    head = box(0, -1.02, 0.0, (1.64, 0.06, 1.0), wood)
    mattress = box(0, 0, 0.28, (1.54, 1.94, 0.18), _LINEN)
    cover = box(0, 0.28, 0.30, (1.60, 1.42, 0.19), colour)
    fold = box(0, -0.36, 0.32, (1.605, 0.22, 0.175), shaded(colour, 1.25))
    pillows = [
        SolidBox((x, -0.72, 0.46), (0.66, 0.42, 0.12), plain((252, 250, 246)), taper=0.86) for x in (-0.38, 0.38)
    ]
    feet = legs(1.56, 1.9, 0.10, 0.08, shaded(wood, 0.8))
    return SolidThing("bed", "bed", (frame, head, mattress, cover, fold, *pillows, *feet))


def bookshelf(colour: Colour = OAK) -> SolidThing:
    """Open to the north: five boards, rows of books between them."""
    back = box(0, -0.14, 0, (0.9, 0.02, 1.9), shaded(colour, 0.6))
    sides = [box(x, 0, 0, (0.03, 0.30, 1.9), colour) for x in (-0.435, 0.435)]
    boards = [box(0, 0.0, z, (0.84, 0.28, 0.03), colour) for z in (0.04, 0.41, 0.78, 1.15, 1.52, 1.87)]
    books: list[Solid] = []
    tones = ((176, 60, 52), (60, 96, 150), (212, 168, 72), (74, 128, 84), (128, 84, 140), (222, 214, 196))
    for level, z in enumerate((0.07, 0.44, 0.81, 1.18, 1.55)):
        x = -0.40
        for i in range(4):
            wide = 0.12 + 0.05 * ((level * 2 + i * 3) % 3)
            high = 0.22 + 0.03 * ((level + i * 2) % 3)
            books.append(box(x + wide / 2, 0.0, z, (wide - 0.008, 0.20, high), tones[(level * 5 + i) % 6]))
            x += wide
    return SolidThing("bookshelf", "bookshelf", (back, *sides, *boards, *books))


def wardrobe(colour: Colour = (214, 196, 164)) -> SolidThing:
    body = box(0, 0, 0.06, (1.2, 0.58, 1.94), shaded(colour, 0.92))
    foot = box(0, -0.02, 0, (1.16, 0.5, 0.06), shaded(colour, 0.5))
    doors = [box(x, 0.295, 0.09, (0.585, 0.02, 1.88), colour) for x in (-0.298, 0.298)]
    knobs = [box(x, 0.315, 0.95, (0.02, 0.03, 0.18), BLACK) for x in (-0.04, 0.04)]
    return SolidThing("wardrobe", "wardrobe", (body, foot, *doors, *knobs))


def drawers(colour: Colour = WHITE) -> SolidThing:
    """A chest of drawers."""
    body = box(0, 0, 0.05, (0.9, 0.44, 0.80), shaded(colour, 0.94))
    foot = box(0, -0.02, 0, (0.86, 0.38, 0.05), shaded(colour, 0.5))
    fronts = [box(0, 0.225, z, (0.86, 0.02, 0.23), colour) for z in (0.07, 0.33, 0.59)]
    knobs = [box(x, 0.245, z + 0.10, (0.12, 0.02, 0.02), BLACK) for z in (0.07, 0.33, 0.59) for x in (-0.24, 0.24)]
    return SolidThing("chest of drawers", "chest of drawers", (body, foot, *fronts, *knobs))


def lamp(colour: Colour = (248, 226, 160)) -> SolidThing:
    """A floor lamp."""
    foot = Prism((0, 0, 0), 0.16, 0.03, plain(BLACK), sides=16)
    shade = Prism((0, 0, 1.32), 0.24, 0.32, plain(colour), sides=16, taper=0.6)
    return SolidThing("lamp", "lamp", (foot, Prism((0, 0, 0.03), 0.018, 1.29, plain(BLACK), sides=6), shade))


def plant(colour: Colour = (72, 138, 70)) -> SolidThing:
    """A plant in a pot."""
    pot = Prism((0, 0, 0), 0.15, 0.30, plain((188, 100, 66)), sides=14, taper=1.3, top=plain((74, 54, 40)))
    leaves = [
        Ball((0, 0, 0.52), 0.32, 0.56, plain(colour), sides=9),
        Ball((0.13, 0.08, 0.42), 0.20, 0.36, plain(shaded(colour, 0.84)), sides=8),
        Ball((-0.14, -0.06, 0.48), 0.20, 0.38, plain(shaded(colour, 1.14)), sides=8),
        Ball((0.03, -0.03, 0.88), 0.20, 0.36, plain(shaded(colour, 1.08)), sides=8),
    ]
    return SolidThing("plant", "plant", (pot, Prism((0, 0, 0.28), 0.03, 0.30, plain((96, 70, 44)), sides=6), *leaves))


def rug(colour: Colour = (164, 64, 64)) -> SolidThing:
    """A flat carpet with a border."""
    pattern = Paint(shaded(colour, 1.1), (232, 214, 178), "checks", (0.2, 0.2, 0.0))
    sheet = SolidBox((0, 0, 0.0), (1.9, 1.3, 0.012), plain(colour))
    return SolidThing("rug", "rug", (sheet, SolidBox((0, 0, 0.012), (1.6, 1.0, 0.003), plain(colour), top=pattern)))


FURNITURE: Mapping[str, Callable[..., SolidThing]] = MappingProxyType(
    {
        "chair": chair,
        "stool": stool,
        "armchair": armchair,
        "sofa": sofa,
        "table": table,
        "round table": round_table,
        "coffee table": coffee_table,
        "desk": desk,
        "bed": bed,
        "bookshelf": bookshelf,
        "wardrobe": wardrobe,
        "chest of drawers": drawers,
        "lamp": lamp,
        "plant": plant,
        "rug": rug,
    }
)
"""Models by name; each may be given a main colour."""
