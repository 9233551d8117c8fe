"""What lies on the ground of a town: roads, crossings, lawns and ponds.

It is given by its corners and drawn a little above what it lies on: grass, then paths and roads, then markings.
"""

from snellen.tasks.capacity.draw.space.paint import Colour, Paint
from snellen.tasks.capacity.draw.space.solids import Quad, SolidThing, Spot, cosine, floor, sine

GRASS = Paint((128, 164, 90), (100, 140, 70), "grain", (0.05, 5.0, 0.75))
PARK = Paint((104, 158, 80), (80, 132, 62), "grain", (0.05, 4.0, 0.75))
ASPHALT = Paint((106, 106, 110), (94, 94, 98), "grain", (0.03, 3.0, 0.5))
PAVING = Paint((190, 184, 174), (160, 154, 146), "tiles", (0.6, 0.6, 0.04))
GRAVEL = Paint((210, 192, 158), (182, 164, 130), "grain", (0.06, 1.5, 0.4))
WATER = Paint((92, 146, 186), (128, 178, 210), "grain", (0.5, 2.4, 0.9))
_MARK: Colour = (238, 238, 232)
ROAD, WALK = 7.0, 2.0
"""How wide a road is, and the pavement on either side of it."""


def patch(name: str, low: Spot, high: Spot, paint: Paint, height: float = 0.01) -> SolidThing:
    """A rectangle on the ground; higher ones lie over lower ones."""
    return SolidThing(name, (floor(low, high, paint, height),), casts=False)


def ground(low: Spot, high: Spot) -> SolidThing:
    """The land itself."""
    return patch("ground", low, high, GRASS, 0.0)


def road(name: str, start: Spot, end: Spot) -> SolidThing:
    """A straight road along x or y with pavements on both sides and a broken line in the middle."""
    (x0, y0), (x1, y1) = start, end

    def strip(half: float, paint: Paint, height: float) -> Quad:
        if y0 == y1:
            return floor((min(x0, x1), y0 - half), (max(x0, x1), y0 + half), paint, height)
        quad = floor((x0 - half, min(y0, y1)), (x0 + half, max(y0, y1)), paint, height)
        return Quad((*quad.corners[1:], quad.corners[0]), paint)  # so that the pattern runs along the road

    dashes = Paint((100, 100, 104), _MARK, "stripes", (5.0, 1.0, 2.5))
    layers = (ROAD / 2 + WALK, PAVING, 0.02), (ROAD / 2, ASPHALT, 0.03), (0.09, dashes, 0.05)
    return SolidThing(name, tuple(strip(*layer) for layer in layers), casts=False)


def crossroads(name: str, at: Spot) -> SolidThing:
    """Plain asphalt over the middle of two roads that cross."""
    (x, y), half = at, ROAD / 2
    return patch(name, (x - half, y - half), (x + half, y + half), ASPHALT, 0.06)


def zebra(name: str, at: Spot, along: float) -> SolidThing:
    """A crossing for walkers over a road that runs to the bearing `along`."""
    stripes = Paint(_MARK, (100, 100, 104), "stripes", (1.0, 1.0, 0.5))
    return patch(name, (-ROAD / 2, -1.5), (ROAD / 2, 1.5), stripes, 0.07).placed(name, at, along)


def pond(name: str, at: Spot, radius: float = 6.0) -> SolidThing:
    """A round pond with a sandy rim."""
    parts = []
    for share, paint, height in ((1.12, GRAVEL, 0.02), (1.0, WATER, 0.04)):
        turns = [-15.0 * i for i in range(24)]
        ring = ((round(radius * share * sine(t), 6), round(radius * share * 0.8 * cosine(t), 6), height) for t in turns)
        parts.append(Quad(tuple(ring), paint))
    return SolidThing(name, tuple(parts), at, casts=False)
