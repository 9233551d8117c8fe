"""Kitchen, bath and electric things, and what hangs on walls.

Those that stand do so around (0, 0) with their front to the north. Those that hang (`WALL`) have their back in the
plane y = 0 and look north: place them on a wall's surface, turned into the room; their height above it is built in.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from snellen.tasks.capacity.draw.space.furniture import BLACK, OAK, STEEL, WALNUT, WHITE, box, shaded
from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import (
    Point,
    Prism,
    Quad,
    Solid,
    SolidBox,
    SolidThing,
    cosine,
    plain,
    sine,
)

_CERAMIC = (250, 250, 250)


def fridge(colour: Colour = (222, 226, 230)) -> SolidThing:
    body = box(0, 0, 0.03, (0.68, 0.62, 1.80), shaded(colour, 0.88))
    doors = (box(0, 0.33, 0.05, (0.67, 0.05, 1.12), colour), box(0, 0.33, 1.20, (0.67, 0.05, 0.62), colour))
    handles = (box(0.27, 0.37, 0.62, (0.03, 0.04, 0.5), STEEL), box(0.27, 0.37, 1.26, (0.03, 0.04, 0.3), STEEL))
    return SolidThing("fridge", "fridge", (body, box(0, 0, 0, (0.6, 0.56, 0.03), BLACK), *doors, *handles))


def stove(colour: Colour = (236, 236, 234)) -> SolidThing:
    """A cooker: oven door to the north, four rings on top."""
    body = box(0, 0, 0.05, (0.60, 0.60, 0.83), colour)
    hob = box(0, 0, 0.88, (0.60, 0.60, 0.02), BLACK)
    window = SolidBox((0, 0.305, 0.22), (0.46, 0.02, 0.34), plain((60, 60, 66)))
    handle = box(0, 0.315, 0.62, (0.46, 0.03, 0.03), STEEL)
    knobs = [box(x, 0.305, 0.76, (0.05, 0.03, 0.05), BLACK) for x in (-0.2, -0.07, 0.07, 0.2)]
    rings = [
        Prism((x, y, 0.90), 0.10, 0.008, plain((150, 70, 56)), sides=16) for x in (-0.14, 0.14) for y in (-0.14, 0.14)
    ]
    foot = box(0, 0, 0, (0.56, 0.52, 0.05), BLACK)
    return SolidThing("stove", "stove", (body, hob, window, handle, *knobs, *rings, foot))


def counter(colour: Colour = (146, 168, 150)) -> SolidThing:
    """A kitchen unit with a sink and a tap."""
    body = box(0, 0, 0.08, (1.2, 0.58, 0.78), shaded(colour, 0.92))
    foot = box(0, -0.04, 0, (1.2, 0.48, 0.08), BLACK)
    fronts = [box(x, 0.295, 0.10, (0.58, 0.02, 0.74), colour) for x in (-0.3, 0.3)]
    knobs = [box(x, 0.315, 0.72, (0.12, 0.02, 0.02), STEEL) for x in (-0.3, 0.3)]
    top = box(0, 0, 0.86, (1.22, 0.62, 0.04), (208, 200, 188))
    basin = box(0.25, 0.02, 0.90, (0.52, 0.40, 0.012), STEEL)
    hole = box(0.25, 0.02, 0.912, (0.44, 0.32, 0.004), (88, 94, 100))
    tap = (box(0.25, -0.22, 0.90, (0.03, 0.03, 0.26), STEEL), box(0.25, -0.14, 1.13, (0.03, 0.16, 0.03), STEEL))
    return SolidThing("kitchen sink", "kitchen sink", (body, foot, *fronts, *knobs, top, basin, hole, *tap))


def washbasin(colour: Colour = _CERAMIC) -> SolidThing:
    """A bathroom basin on its foot, with a tap and a mirror above it; its back is the south."""
    foot = Prism((0, -0.06, 0), 0.09, 0.68, plain(shaded(colour, 0.92)), sides=12)
    bowl = SolidBox((0, 0, 0.68), (0.42, 0.36, 0.12), plain(colour), taper=1.3)
    rim = box(0, 0, 0.80, (0.58, 0.48, 0.04), colour)
    hole = box(0, 0.04, 0.84, (0.42, 0.28, 0.004), (150, 176, 188))
    tap = (box(0, -0.17, 0.84, (0.03, 0.03, 0.14), STEEL), box(0, -0.11, 0.96, (0.03, 0.14, 0.03), STEEL))
    mirror = SolidBox((0, -0.22, 1.20), (0.52, 0.03, 0.66), plain(STEEL), front=plain((190, 214, 226)))
    return SolidThing("washbasin", "washbasin", (foot, bowl, rim, hole, *tap, mirror))


def toilet(colour: Colour = _CERAMIC) -> SolidThing:
    """The cistern at the south, the bowl to the north."""
    tank = box(0, -0.26, 0.38, (0.40, 0.18, 0.40), colour)
    lid = box(0, -0.26, 0.78, (0.42, 0.20, 0.03), shaded(colour, 0.94))
    foot = SolidBox((0, -0.02, 0), (0.26, 0.46, 0.38), plain(shaded(colour, 0.9)), taper=1.2)
    bowl = Prism((0, 0.08, 0.30), 0.18, 0.10, plain(colour), sides=14, taper=1.2)
    seat = Prism((0, 0.08, 0.40), 0.23, 0.03, plain(colour), sides=16)
    hole = Prism((0, 0.09, 0.43), 0.14, 0.004, plain((120, 150, 164)), sides=16)
    return SolidThing(
        "toilet", "toilet", (tank, lid, foot, bowl, seat, hole, box(0.13, -0.16, 0.66, (0.06, 0.02, 0.03), STEEL))
    )


def bathtub(colour: Colour = _CERAMIC) -> SolidThing:
    """Long from west to east; the taps at the west end."""
    inside = (164, 206, 222)
    walls = [box(0, y, 0, (1.7, 0.08, 0.55), colour) for y in (-0.34, 0.34)]
    ends = [box(x, 0, 0, (0.08, 0.60, 0.55), colour) for x in (-0.81, 0.81)]
    water = SolidBox((0, 0, 0), (1.54, 0.60, 0.40), plain(colour), top=plain(inside))
    tap = (box(-0.80, 0, 0.55, (0.04, 0.16, 0.06), STEEL), box(-0.74, 0, 0.61, (0.16, 0.04, 0.04), STEEL))
    return SolidThing("bathtub", "bathtub", (*walls, *ends, water, *tap))


def television(colour: Colour = WALNUT) -> SolidThing:
    """A screen on a low cabinet."""
    cabinet = box(0, 0, 0.06, (1.5, 0.40, 0.40), colour)
    feet = box(0, 0, 0, (1.4, 0.34, 0.06), BLACK)
    fronts = [box(x, 0.205, 0.09, (0.47, 0.02, 0.34), shaded(colour, 1.2)) for x in (-0.49, 0.0, 0.49)]
    stand = (box(0, -0.02, 0.46, (0.40, 0.22, 0.02), BLACK), box(0, -0.05, 0.48, (0.08, 0.04, 0.08), BLACK))
    screen = SolidBox((0, -0.04, 0.56), (1.16, 0.05, 0.68), plain(BLACK))
    glass = box(0, -0.012, 0.59, (1.10, 0.006, 0.62), (42, 58, 84))
    return SolidThing("television", "television", (cabinet, feet, *fronts, *stand, screen, glass))


def washing_machine(colour: Colour = (242, 242, 242)) -> SolidThing:
    body = box(0, 0, 0.03, (0.60, 0.56, 0.82), colour)
    port = _disc((0.0, 0.285, 0.40), 0.21, STEEL)
    glass = _disc((0.0, 0.29, 0.40), 0.16, (52, 66, 88))
    panel = (box(0, 0.285, 0.70, (0.56, 0.01, 0.12), (206, 210, 216)), box(0.2, 0.295, 0.73, (0.06, 0.02, 0.06), BLACK))
    return SolidThing(
        "washing machine", "washing machine", (body, box(0, 0, 0, (0.56, 0.5, 0.03), BLACK), port, glass, *panel)
    )


def _disc(at: Point, radius: float, colour: Colour, sides: int = 20) -> Quad:
    """An upright disc that looks north."""
    x, y, z = at
    turns = [360.0 * i / sides for i in range(sides)]
    ring = ((round(x - radius * cosine(t), 6), y, round(z + radius * sine(t), 6)) for t in turns)
    return Quad(tuple(ring), plain(colour))


def window(colour: Colour = WHITE) -> SolidThing:
    """A window with two casements and a sill; through it there is only sky."""
    frame = SolidBox((0, 0.02, 0.9), (1.3, 0.04, 1.25), plain(colour))
    sky = Paint((222, 250, 275))
    panes = [SolidBox((x, 0.042, 0.97), (0.54, 0.006, 1.11), sky) for x in (-0.305, 0.305)]
    bars = [box(x, 0.048, 1.52, (0.54, 0.012, 0.03), colour) for x in (-0.305, 0.305)]
    sill = box(0, 0.09, 0.86, (1.4, 0.18, 0.04), colour)
    return SolidThing("window", "window", (frame, *panes, *bars, sill), casts=False)


def door(colour: Colour = (150, 104, 66)) -> SolidThing:
    """A closed door in its frame."""
    frame = box(0, 0.015, 0, (1.0, 0.03, 2.1), WHITE)
    leaf = box(0, 0.035, 0.01, (0.86, 0.02, 2.02), colour)
    panels = [box(0, 0.047, z, (0.60, 0.006, 0.78), shaded(colour, 0.82)) for z in (0.18, 1.10)]
    knob = (box(0.34, 0.065, 0.98, (0.03, 0.05, 0.10), STEEL), box(0.30, 0.09, 1.02, (0.12, 0.02, 0.02), STEEL))
    return SolidThing("door", "door", (frame, leaf, *panels, *knob), casts=False)


def picture(colour: Colour = (78, 128, 168)) -> SolidThing:
    """A framed landscape."""
    frame = box(0, 0.015, 1.25, (0.92, 0.03, 0.66), OAK)
    sheet = box(0, 0.032, 1.31, (0.80, 0.004, 0.54), shaded(colour, 1.3))
    hill = Quad(((0.40, 0.036, 1.31), (-0.40, 0.036, 1.31), (-0.16, 0.036, 1.62), (0.12, 0.036, 1.56)), plain(colour))
    near = Quad(((0.40, 0.037, 1.31), (-0.10, 0.037, 1.31), (0.40, 0.037, 1.48)), plain(shaded(colour, 0.6)))
    disc = _disc((-0.28, 0.035, 1.73), 0.06, (244, 210, 110), 14)
    return SolidThing("picture", "picture", (frame, sheet, hill, near, disc), casts=False)


def clock(colour: Colour = (196, 60, 52)) -> SolidThing:
    """A round clock at ten past ten."""
    parts: list[Solid] = [_disc((0, 0.03, 1.85), 0.20, colour), _disc((0, 0.032, 1.85), 0.165, WHITE)]
    parts += [_hand(305.0, 0.09, 0.016), _hand(60.0, 0.14, 0.011)]
    return SolidThing("clock", "clock", tuple(parts), casts=False)


def _hand(bearing: float, length: float, half: float) -> Quad:
    """A hand from the middle of the clock; bearings run clockwise for who looks at it."""
    east, up = -sine(bearing), cosine(bearing)  # the clock looks north: its right is our west
    corners = []
    for along, beside in ((-0.02, -half), (-0.02, half), (length, half), (length, -half)):
        x, z = east * along - up * beside, up * along + east * beside
        corners.append((round(x, 6), 0.034, round(1.85 + z, 6)))
    return Quad(tuple(corners), plain(BLACK), two_sided=True)


def shelf(colour: Colour = OAK) -> SolidThing:
    """A board on the wall with a few books and a vase."""
    board = box(0, 0.11, 1.45, (0.9, 0.22, 0.03), colour)
    tones = ((176, 60, 52), (60, 96, 150), (212, 168, 72), (74, 128, 84))
    books = [box(-0.36 + 0.07 * i, 0.10, 1.48, (0.06, 0.16, 0.20 + 0.02 * (i % 3)), tones[i]) for i in range(4)]
    vase = Prism((0.26, 0.11, 1.48), 0.05, 0.22, plain((226, 226, 232)), sides=10, taper=0.6)
    return SolidThing("wall shelf", "wall shelf", (board, *books, vase), casts=False)


FIXTURES: Mapping[str, Callable[..., SolidThing]] = MappingProxyType(
    {
        "fridge": fridge,
        "stove": stove,
        "kitchen sink": counter,
        "washbasin": washbasin,
        "toilet": toilet,
        "bathtub": bathtub,
        "television": television,
        "washing machine": washing_machine,
    }
)
"""What stands on the floor. Models by name; each may be given a main colour."""

WALL: Mapping[str, Callable[..., SolidThing]] = MappingProxyType(
    {"window": window, "door": door, "picture": picture, "clock": clock, "wall shelf": shelf}
)
"""What hangs on a wall."""
