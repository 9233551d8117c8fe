"""Plain polygons, by their symmetry, in units of a tenth of the size around the middle: x to the right, y down.

Those of one axis are listed by their right half from top to bottom, the axis upright; those of a half turn by the half
that is turned; the rest by all corners.
"""

from types import MappingProxyType

from snellen.tasks.marvel.marks import MIDDLE, Spot
from snellen.tasks.marvel.patterns.plane.outlines import mirrored, opposite

Corners = tuple[tuple[int, int], ...]

MIRROR: MappingProxyType[str, Corners] = MappingProxyType(
    {
        "house": ((0, -10), (8, -2), (8, 9)),
        "kite": ((0, -10), (7, -3), (0, 10)),
        "chevron": ((0, -8), (9, 2), (9, 10), (0, 0)),
        "dart": ((0, -10), (8, 9), (0, 4)),
        "T-shape": ((10, -9), (10, -3), (4, -3), (4, 9)),
        "thin triangle": ((0, -10), (6, 9)),
        "arrowhead": ((0, -10), (9, 0), (4, 0), (4, 9)),
        "pedestal": ((4, -9), (4, 1), (10, 9)),
        "crown": ((0, -4), (5, 2), (10, -9), (8, 8)),
        "funnel": ((9, -9), (3, 0), (3, 9)),
        "anvil": ((10, -8), (4, -2), (4, 4), (6, 8)),
        "notched square": ((9, -9), (9, 9), (3, 9), (0, 2)),
    }
)
POINT: MappingProxyType[str, Corners] = MappingProxyType(
    {
        "parallelogram": ((-6, -4), (10, -4)),
        "Z-shape": ((-9, -9), (3, -9), (3, 3), (9, 3)),
        "bolt": ((3, -10), (-6, 2), (0, 2)),
        "steep parallelogram": ((-4, -5), (4, -10)),
        "S-shape": ((9, -9), (-7, -9), (-7, 2), (4, 2), (4, 4), (-9, 4)),
        "notched block": ((-9, -9), (-1, -9), (-1, -5), (9, -5)),
        "blade": ((-2, -10), (3, -3), (9, -5)),
    }
)
BOTH: MappingProxyType[str, Corners] = MappingProxyType(
    {
        "H-shape": ((-9, -9), (-4, -9), (-4, -3), (4, -3), (4, -9), (9, -9)),
        "long hexagon": ((-5, -6), (5, -6), (10, 0)),
        "hourglass": ((-7, -9), (7, -9), (2, 0)),
        "I-shape": ((-8, -9), (8, -9), (8, -4), (3, -4), (3, 4), (8, 4)),
        "double arrow": ((-10, 0), (-5, -6), (-5, -3), (5, -3), (5, -6)),
        "long octagon": ((-6, -6), (6, -6), (10, -2), (10, 2)),
    }
)
NONE: MappingProxyType[str, Corners] = MappingProxyType(
    {
        "flag": ((-7, -10), (9, -5), (-3, 0), (-3, 10), (-7, 10)),
        "slanted triangle": ((-5, -10), (5, 8), (-5, 8)),
        "L-shape": ((-6, -10), (-1, -10), (-1, 5), (6, 5), (6, 10), (-6, 10)),
        "hook": ((-3, -10), (3, -10), (3, 9), (-9, 9), (-9, 2), (-3, 2)),
        "ramp": ((-10, 8), (-10, 5), (-2, -8), (9, -8), (9, 8)),
        "fin": ((-9, 8), (-4, -9), (3, -2), (10, 8)),
        "stairs": ((-10, -9), (-6, -9), (-6, 3), (4, 3), (4, 6), (10, 6), (10, 10), (-10, 10)),
        "sail": ((0, -10), (9, 7), (-6, 9), (-2, 1)),
        "seven": ((-9, -9), (9, -9), (0, 9), (-6, 9), (1, -3), (-9, -3)),
        "boot": ((-6, -10), (1, -10), (1, 1), (10, 4), (10, 9), (-6, 9)),
    }
)


def mirror_corners(name: str, size: int, axis: str, *, upside_down: bool = False) -> list[Spot]:
    """A figure of one axis, laid along that axis, both halves exactly alike."""
    right = [_laid(x, y, size, axis, upside_down) for x, y in MIRROR[name]]
    left = [mirrored(point, axis) for (x, _), point in zip(MIRROR[name], right, strict=True) if x]
    return right + left[::-1]


def _laid(x: int, y: int, size: int, axis: str, upside_down: bool) -> Spot:
    """A corner as it lies when the upright axis is turned (along a diagonal a little smaller, to stay in place)."""
    if upside_down:
        x, y = -x, -y
    if axis in ("rising", "falling"):
        along, aside = round(size * y * 0.064), round(size * x * 0.064)
        x, y = (aside - along, along + aside) if axis == "rising" else (-aside - along, aside - along)
        return MIDDLE + x, MIDDLE + y
    x, y = round(size * x / 10), round(size * y / 10)
    return (MIDDLE + x, MIDDLE + y) if axis == "vertical" else (MIDDLE - y, MIDDLE + x)


def corners(listed: Corners, size: int) -> list[Spot]:
    return [(MIDDLE + round(size * x / 10), MIDDLE + round(size * y / 10)) for x, y in listed]


def turned_corners(half: Corners, size: int) -> list[Spot]:
    """A figure that half a turn maps onto itself, from one half of its corners."""
    first = corners(half, size)
    return first + opposite(first)
