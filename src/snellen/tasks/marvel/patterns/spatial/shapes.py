"""Figures whose edges are known exactly: how far they reach, where their corners and the middles of their sides are."""

from functools import lru_cache
from math import hypot

from snellen.rng import Stream
from snellen.tasks.marvel.draw.figures import outline
from snellen.tasks.marvel.marks import Mark, Spot, path

Reach = tuple[int, int, int, int]
"""How far a figure reaches from its middle: up, right, down, left, straight along the axes."""

ROUND = ("circle", "square", "diamond", "hexagon", "cross", "ellipse", "rectangle")
"""Figures that reach farthest straight along the axes: two of them side by side touch where they should."""


@lru_cache(maxsize=256)
def reach(kind: str, size: int) -> Reach:
    points = outline(kind, size)
    across, down = round(float(points[:, 0].max())), round(float(points[:, 1].max()))
    return down, across, down, across


def beyond(kind: str, size: int, place: int, corner: bool, out: float) -> Spot:
    """The spot `out` pixels outside a corner or the middle of a side of a polygon (inside if negative)."""
    ends = outline(kind, size).tolist()
    (x, y), (x2, y2) = ends[place % len(ends)], ends[(place + 1) % len(ends)]
    middle_x, middle_y = sum(p[0] for p in ends) / len(ends), sum(p[1] for p in ends) / len(ends)
    if not corner:
        x, y = (x + x2) / 2, (y + y2) / 2
    away = hypot(x - middle_x, y - middle_y)
    share = 1 + out / away
    return (
        round(round(middle_x + (x - middle_x) * share, 3)),
        round(round(middle_y + (y - middle_y) * share, 3)),
    )


def lobed(rng: Stream, size: int, waist: float) -> tuple[Mark, Reach]:
    """A closed curve with four uneven lobes around the origin, and how far they reach; a small `waist` parts them more.

    The curve's neighbours of each tip are level with each other, so the tip is exactly where the curve turns back.
    """
    up, right, down, left = (round(size * rng.between(0.76, 1)) for _ in range(4))
    top, east, bottom, west = (round(size * rng.between(waist, 0.62)) for _ in range(4))
    points = [(0, -up), (east, -top), (right, 0), (east, bottom), (0, down), (-west, bottom), (-left, 0), (-west, -top)]
    return path(points, curved=True), (up, right, down, left)
