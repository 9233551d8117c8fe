"""Landmarks that look different from every side: each has its front to the north and an annex to one side of it.

Without the annex most would look the same from their left and from their right.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from snellen.tasks.capacity.draw.space.buildings import (
    church,
    dome,
    panes,
    skyscraper,
    town_hall,
    water_tower,
    windmill,
)
from snellen.tasks.capacity.draw.space.furniture import box
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.paint import Colour
from snellen.tasks.capacity.draw.space.solids import Gable, Solid, SolidBox, SolidThing, Spot, plain

RED: Colour = (186, 66, 52)
STRAW: Colour = (214, 188, 116)


def _hut(
    at: Spot, size: tuple[float, float, float], wall: Colour, roof: Colour, turn: float = 0.0
) -> tuple[Solid, ...]:
    """An annex of one storey under a gable."""
    wide, deep, high = size
    body = SolidBox((*at, 0.0), size, panes(wall, wide), turn=turn)
    return body, Gable((*at, high), (wide + 0.5, deep + 0.5, deep * 0.4), plain(roof), plain(wall), turn=turn)


def hipped(model: SolidThing) -> SolidThing:
    """The same with the sloping ends of its roof covered like the rest of it."""
    parts = (replace(part, ends=part.paint) if isinstance(part, Gable) and part.hip else part for part in model.parts)
    return replace(model, parts=tuple(parts))


def _joined(model: SolidThing, *parts: Solid) -> SolidThing:
    return SolidThing(model.name, model.category, (*model.parts, *parts))


def parish_church() -> SolidThing:
    """A red-roofed side chapel on the right of one who comes out of its gate."""
    return _joined(church(), *_hut((6.8, -5.0), (5.0, 6.0, 4.0), (232, 226, 212), RED))


def tank() -> SolidThing:
    """A water tower with a yellow pump house before it and blue stairs behind it."""
    hut = _hut((-6.5, 3.0), (6.0, 5.0, 3.2), (236, 214, 150), RED, 90.0)
    stair = box(2.6, -4.0, 0.0, (1.6, 1.6, 15.5), (60, 84, 120))
    return _joined(water_tower(), *hut, stair)


def mill() -> SolidThing:
    """A windmill with the miller's house beside it, to the left of one who faces the sails."""
    return _joined(windmill(), *_hut((6.6, -1.5), (6.5, 6.0, 3.4), (178, 92, 72), STRAW, 90.0))


def hall() -> SolidThing:
    """A town hall with a low wing to one side at the back."""
    return _joined(hipped(town_hall()), *_hut((7.0, -8.5), (5.0, 8.0, 4.0), (184, 104, 84), RED))


def tower() -> SolidThing:
    """A tower of glass with a low hall at its side."""
    low = SolidBox((12.0, 3.0, 0.0), (8.5, 10.0, 5.0), panes((214, 120, 84), 8.5), top=plain((230, 226, 216)))
    return _joined(skyscraper(storeys=7), low, box(0.0, 9.6, 3.0, (6.0, 3.4, 0.4), (200, 60, 56)))


def observatory() -> SolidThing:
    """A dome with a wing at its side and a porch before it."""
    wing = _hut((8.0, -1.0), (9.0, 6.0, 3.6), (178, 92, 72), STRAW)
    return _joined(dome(), *wing, *_hut((0.0, 5.8), (3.0, 3.0, 3.0), (226, 218, 204), RED, 90.0))


LANDMARKS: Mapping[str, Callable[[], SolidThing]] = MappingProxyType(
    {
        "church": parish_church,
        "town hall": hall,
        "water tower": tank,
        "windmill": mill,
        "glass tower": tower,
        "observatory": observatory,
    }
)
"""Models by name, their fronts to the north."""

ANNEXES: Mapping[str, str] = MappingProxyType(
    {
        "church": "its tower and gate at the front and a red-roofed chapel to the left of one who faces the gate",
        "town hall": "columns at the front and a red-roofed wing at the back, to the left of one who faces the columns",
        "water tower": "a red-roofed pump house in front, to the right of one who faces it, and blue stairs behind",
        "windmill": "its sails at the front and a straw-roofed house to the left of one who faces the sails",
        "glass tower": "a red canopy at the front and a low white-roofed hall to the left of one who faces the canopy",
        "observatory": "a red-roofed porch at the front and a straw-roofed wing to the left of one who faces the porch",
    }
)
HEIGHTS: Mapping[str, int] = MappingProxyType({name: round(extent(model())[1][2]) for name, model in LANDMARKS.items()})
"""Metres up to the top."""
