"""What stands and lies along the streets of a town: trees, cars, lamps; roads, crossings, lawns and ponds.

Things that stand do so around (0, 0) with their front to the north. What lies on the ground is given by its corners and
drawn a little above what it lies on: grass, then paths and roads, then markings.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from snellen.tasks.capacity.draw.space.furniture import BLACK, STEEL, box, shaded
from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import (
    Ball,
    Gable,
    Prism,
    Quad,
    Solid,
    SolidBox,
    SolidThing,
    Spot,
    cosine,
    floor,
    plain,
    sine,
)

GRASS = Paint((128, 164, 90), (100, 140, 70), "grain", (0.05, 5.0, 0.75))
PARK = Paint((104, 158, 80), (80, 132, 62), "grain", (0.05, 4.0, 0.75))
ASPHALT = Paint((106, 106, 110), (94, 94, 98), "grain", (0.03, 3.0, 0.5))
PAVING = Paint((190, 184, 174), (160, 154, 146), "tiles", (0.6, 0.6, 0.04))
GRAVEL = Paint((210, 192, 158), (182, 164, 130), "grain", (0.06, 1.5, 0.4))
WATER = Paint((92, 146, 186), (128, 178, 210), "grain", (0.5, 2.4, 0.9))
_MARK: Colour = (238, 238, 232)
_BARK: Colour = (104, 78, 54)


def tree(colour: Colour = (84, 134, 66)) -> SolidThing:
    """A tree with a round crown."""
    crown = Ball((0, 0, 2.0), 2.1, 3.9, plain(colour), sides=9)
    tufts = [Ball((0.9, 0.5, 2.3), 1.4, 2.5, plain(shaded(colour, 0.88)), sides=7)]
    tufts.append(Ball((-0.8, -0.5, 3.2), 1.4, 2.5, plain(shaded(colour, 1.12)), sides=7))
    return SolidThing("tree", "tree", (Prism((0, 0, 0), 0.22, 2.4, plain(_BARK), sides=7), crown, *tufts))


def conifer(colour: Colour = (58, 104, 72)) -> SolidThing:
    tiers = [
        Prism((0, 0, 1.0 + 1.5 * i), 1.9 - 0.42 * i, 2.5, plain(shaded(colour, 0.9 + 0.09 * i)), sides=9, taper=0.05)
        for i in range(3)
    ]
    return SolidThing("conifer", "conifer", (Prism((0, 0, 0), 0.2, 1.2, plain(_BARK), sides=6), *tiers))


def bush(colour: Colour = (96, 146, 74)) -> SolidThing:
    return SolidThing("bush", "bush", (Ball((0, 0, -0.2), 0.8, 1.3, plain(colour), sides=8),))


def car(colour: Colour = (190, 52, 48)) -> SolidThing:
    """A car that heads north."""
    body = SolidBox((0, 0, 0.32), (1.72, 4.1, 0.52), plain(colour))
    cabin = SolidBox((0, -0.25, 0.84), (1.56, 2.3, 0.56), plain((58, 70, 86)), taper=0.78, top=plain(colour))
    wheels = [box(x, y, 0, (0.22, 0.66, 0.62), BLACK) for x in (-0.78, 0.78) for y in (-1.3, 1.3)]
    lights = [box(x, 2.06, 0.56, (0.34, 0.03, 0.16), (250, 246, 214)) for x in (-0.62, 0.62)]
    rear = [box(x, -2.06, 0.56, (0.34, 0.03, 0.16), (170, 30, 30)) for x in (-0.62, 0.62)]
    return SolidThing("car", "car", (body, cabin, *wheels, *lights, *rear))


def bus(colour: Colour = (226, 172, 50)) -> SolidThing:
    """A bus that heads north."""
    glass = Paint(colour, (62, 76, 94), "tiles", (50.0, 50.0, 0.0))
    body = SolidBox((0, 0, 0.4), (2.5, 10.0, 2.5), glass)
    band = [box(x, 0, 1.5, (0.04, 9.4, 0.9), (62, 76, 94)) for x in (-1.25, 1.25)]
    ends = (box(0, 5.0, 1.3, (2.2, 0.04, 1.2), (62, 76, 94)), box(0, -5.0, 1.6, (2.0, 0.04, 0.8), (62, 76, 94)))
    wheels = [box(x, y, 0, (0.3, 0.95, 0.9), BLACK) for x in (-1.12, 1.12) for y in (-3.0, 3.2)]
    return SolidThing("bus", "bus", (body, *band, *ends, *wheels))


def bus_stop(colour: Colour = (60, 110, 160)) -> SolidThing:
    """A shelter open to the north, and its post."""
    posts = [box(x, -0.6, 0, (0.1, 0.1, 2.3), STEEL) for x in (-1.6, 1.6)]
    roof = box(0, -0.1, 2.3, (3.6, 1.5, 0.12), colour)
    back = box(0, -0.66, 0.4, (3.2, 0.04, 1.7), (168, 196, 208))
    bench = box(0, -0.3, 0.42, (2.4, 0.4, 0.08), (150, 104, 66))
    feet = [box(x, -0.3, 0, (0.1, 0.3, 0.42), STEEL) for x in (-1.0, 1.0)]
    pole = (box(2.1, 0.3, 0, (0.08, 0.08, 2.4), STEEL), box(2.1, 0.3, 2.4, (0.6, 0.08, 0.6), (240, 200, 60)))
    return SolidThing("bus stop", "bus stop", (*posts, roof, back, bench, *feet, *pole))


def fountain(colour: Colour = (198, 192, 182)) -> SolidThing:
    basin = Prism((0, 0, 0), 3.0, 0.7, plain(colour), sides=20)
    pool = Prism((0, 0, 0.7), 2.7, 0.02, plain((104, 168, 204)), sides=20)
    stem = Prism((0, 0, 0.72), 0.35, 1.3, plain(colour), sides=10)
    bowl = Prism((0, 0, 2.0), 0.5, 0.45, plain(colour), sides=14, taper=2.4, top=plain((120, 182, 214)))
    jet = Prism((0, 0, 2.45), 0.16, 1.3, plain((214, 234, 244)), sides=7, taper=0.3)
    return SolidThing("fountain", "fountain", (basin, pool, stem, bowl, jet))


def statue(colour: Colour = (116, 146, 128)) -> SolidThing:
    """A figure on a pedestal that looks north, one arm stretched to its left."""
    stone = plain((190, 186, 178))
    base = (SolidBox((0, 0, 0), (2.4, 2.4, 0.4), stone), SolidBox((0, 0, 0.4), (1.5, 1.5, 1.9), stone, taper=0.9))
    limbs = [box(x, 0, 2.3, (0.26, 0.3, 0.9), colour) for x in (-0.17, 0.17)]
    trunk = SolidBox((0, 0, 3.2), (0.72, 0.42, 0.9), plain(colour), taper=1.15)
    arms = (box(0.46, 0, 3.2, (0.2, 0.24, 0.85), colour), box(-0.8, 0, 3.85, (0.85, 0.22, 0.22), colour))
    return SolidThing(
        "statue", "statue", (*base, *limbs, trunk, *arms, Ball((0, 0.02, 4.08), 0.24, 0.5, plain(colour), sides=8))
    )


def stall(colour: Colour = (206, 84, 64)) -> SolidThing:
    """A market stall with a striped roof, its counter to the north."""
    posts = [box(x, y, 0, (0.1, 0.1, 2.3), _BARK) for x in (-1.4, 1.4) for y in (-0.9, 0.9)]
    cloth = Paint(colour, (246, 242, 234), "stripes", (0.7, 1.0, 0.35))
    roof = Gable((0, 0, 2.3), (3.2, 2.4, 0.8), cloth, plain(shaded(colour, 0.9)))
    counter = SolidBox((0, 0.55, 0), (2.6, 0.8, 0.9), plain((176, 132, 88)))
    fruit = [
        box(x, 0.55, 0.9, (0.55, 0.6, 0.16), tone)
        for x, tone in ((-0.8, (214, 150, 40)), (0.0, (180, 50, 44)), (0.8, (110, 160, 60)))
    ]
    return SolidThing("market stall", "market stall", (*posts, roof, counter, *fruit))


def lamp_post(colour: Colour = (66, 70, 74)) -> SolidThing:
    head = Prism((0, 0, 4.2), 0.16, 0.5, plain((252, 240, 196)), sides=8, taper=1.5)
    lid = Prism((0, 0, 4.7), 0.32, 0.22, plain(colour), sides=8, taper=0.2)
    return SolidThing("lamp post", "lamp post", (Prism((0, 0, 0), 0.09, 4.2, plain(colour), sides=6), head, lid))


def traffic_light(colour: Colour = (58, 62, 66)) -> SolidThing:
    lights = [
        box(0, 0.16, z, (0.2, 0.04, 0.2), tone)
        for z, tone in ((3.28, (224, 52, 44)), (3.0, (236, 178, 50)), (2.72, (62, 176, 84)))
    ]
    return SolidThing(
        "traffic light",
        "traffic light",
        (box(0, 0, 0, (0.12, 0.12, 2.6), colour), box(0, 0, 2.6, (0.36, 0.3, 0.96), colour), *lights),
    )


def bench(colour: Colour = (150, 104, 66)) -> SolidThing:
    feet = [box(x, 0, 0, (0.08, 0.44, 0.42), STEEL) for x in (-0.7, 0.7)]
    return SolidThing(
        "bench",
        "bench",
        (*feet, box(0, 0, 0.42, (1.8, 0.46, 0.06), colour), box(0, -0.24, 0.48, (1.8, 0.05, 0.44), colour)),
    )


def ground(low: Spot, high: Spot, paint: Paint = GRASS, name: str = "ground") -> SolidThing:
    """The land itself."""
    return SolidThing(name, "ground", (floor(low, high, paint),), casts=False)


def patch(name: str, low: Spot, high: Spot, paint: Paint, level: int = 1, category: str = "ground") -> SolidThing:
    """A rectangle on the ground; higher levels lie over lower ones."""
    return SolidThing(name, category, (floor(low, high, paint, 0.01 * level),), casts=False)


def road(name: str, start: Spot, end: Spot, wide: float = 7.0, walk: float = 2.0, dashes: bool = True) -> SolidThing:
    """A straight road along x or y with pavements on both sides and a broken line in the middle."""
    (x0, y0), (x1, y1) = start, end
    level = y0 == y1
    half = wide / 2

    def strip(low: float, high: float, paint: Paint, height: float) -> Quad:
        if level:
            return floor((min(x0, x1), y0 + low), (max(x0, x1), y0 + high), paint, height)
        quad = floor((x0 + low, min(y0, y1)), (x0 + high, max(y0, y1)), paint, height)
        return Quad((*quad.corners[1:], quad.corners[0]), paint)  # so that the pattern runs along the road

    parts: list[Solid] = []
    if walk:
        parts += [strip(-half - walk, half + walk, PAVING, 0.02)]
    parts.append(strip(-half, half, ASPHALT, 0.03))
    if dashes:
        parts.append(strip(-0.09, 0.09, Paint((100, 100, 104), _MARK, "stripes", (5.0, 1.0, 2.5)), 0.05))
    return SolidThing(name, "road", tuple(parts), casts=False)


def crossroads(name: str, at: Spot, wide: float = 7.0) -> SolidThing:
    """Plain asphalt over the middle of two roads that cross."""
    x, y = at
    half = wide / 2
    return SolidThing(name, "road", (floor((x - half, y - half), (x + half, y + half), ASPHALT, 0.06),), casts=False)


def zebra(name: str, at: Spot, along: float, wide: float = 7.0) -> SolidThing:
    """A crossing for walkers over a road that runs to the bearing `along`."""
    stripes = Paint(_MARK, (100, 100, 104), "stripes", (1.0, 1.0, 0.5))
    return SolidThing(
        name, "zebra crossing", (floor((-wide / 2, -1.5), (wide / 2, 1.5), stripes, 0.07),), at, along, casts=False
    )


def pond(name: str, at: Spot, radius: float = 6.0) -> SolidThing:
    """A round pond with a sandy rim."""
    parts = []
    for share, paint, height in ((1.12, GRAVEL, 0.02), (1.0, WATER, 0.04)):
        turns = [-15.0 * i for i in range(24)]
        ring = ((round(radius * share * sine(t), 6), round(radius * share * 0.8 * cosine(t), 6), height) for t in turns)
        parts.append(Quad(tuple(ring), paint))
    return SolidThing(name, "pond", tuple(parts), at, casts=False)


STREET: Mapping[str, Callable[..., SolidThing]] = MappingProxyType(
    {
        "tree": tree,
        "conifer": conifer,
        "bush": bush,
        "car": car,
        "bus": bus,
        "bus stop": bus_stop,
        "fountain": fountain,
        "statue": statue,
        "market stall": stall,
        "lamp post": lamp_post,
        "traffic light": traffic_light,
        "bench": bench,
    }
)
"""Models by name; each may be given a main colour."""
