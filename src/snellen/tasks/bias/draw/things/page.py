"""From a scene to a picture in pixels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from snellen.draw.looks import WHITE, Colour
from snellen.draw.png import encode
from snellen.draw.soft import STEPS
from snellen.tasks.bias.draw.things.inks import GROUNDS, INK, PAPERS, darker
from snellen.tasks.bias.draw.things.kind import Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.marks import mark_outlines, rim
from snellen.tasks.bias.draw.things.raster import Points, StepCover, cover, together, widened
from snellen.tasks.bias.draw.things.scenery import scenery
from snellen.tasks.bias.draw.things.textured import TexturedPage

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

_COLOURS = 256
_LINE = 6
"""Width of the line around things."""
_SHADE = 0.035
"""How far the shaded side reaches into a piece, as a share of the picture."""


class PalettePage:
    """A picture in colour numbers. A mixture gets a number when it first occurs; when all 256 are taken, it gets the
    number of the nearest colour there is."""

    def __init__(self, size: int, paper: Colour) -> None:
        self._colours = np.zeros((_COLOURS, 3), np.int64)
        self._numbers: dict[int, int] = {}
        self._over: dict[Colour, NDArray[np.int16]] = {}
        self.pixels = np.full((size, size), self._number(np.array(paper)), np.uint8)
        self.shape = (size, size)

    def _number(self, colour: NDArray[np.int64]) -> int:
        red, green, blue = colour.tolist()
        code = red << 16 | green << 8 | blue
        if code not in self._numbers:
            free = len(self._numbers)
            if free < _COLOURS:
                self._colours[free] = colour
            self._numbers[code] = free if free < _COLOURS else int(((self._colours - colour) ** 2).sum(axis=1).argmin())
        return self._numbers[code]

    def fill_below(self, top: int, colour: Colour) -> None:
        self.pixels[top:] = self._number(np.array(colour))

    def lay(self, area: StepCover | None, ink: Colour) -> None:
        """Lay a colour through a cover: whole pixels take it, others a mixture with what is below."""
        if area is None:
            return
        height, width = area.amount.shape
        patch = self.pixels[area.top : area.top + height, area.left : area.left + width]
        above = np.array(ink)
        np.copyto(patch, np.uint8(self._number(above)), where=area.amount == STEPS)
        # Less one, nothing wraps around to 255: one comparison finds the pixels taken in part.
        rows, columns = np.divmod(np.flatnonzero((area.amount - np.uint8(1)) < STEPS - 1), width)
        if ink not in self._over:
            self._over[ink] = np.full(_COLOURS * STEPS, -1, np.int16)
        table, pairs = self._over[ink], patch[rows, columns].astype(np.int64) * STEPS + area.amount[rows, columns]
        missing = np.flatnonzero(np.bincount(pairs[table[pairs] < 0], minlength=1))
        below, step = self._colours[missing // STEPS], (missing % STEPS)[:, None]
        mixtures = (below * (STEPS - step) + above * step + STEPS // 2) // STEPS
        for pair, mixture in zip(missing.tolist(), mixtures, strict=True):
            table[pair] = self._number(mixture)
        patch[rows, columns] = table[pairs]

    def png(self) -> bytes:
        return encode(self.pixels, self._colours[: min(len(self._numbers), _COLOURS)].astype(np.uint8))


ScenePage = PalettePage | TexturedPage


def paint(scene: ThingScene, look: ThingLook, size: int) -> bytes:
    """The scene as a PNG file."""
    page, placed, shape = backdrop(look, size), look.placing(size), (size, size)
    if isinstance(page, TexturedPage):
        first = next(group for group in scene.groups if group.role != "sign")
        cast_shadow(page, look, [cover(placed(piece.outlines), shape) for piece in first.pieces])
    for group in scene.groups:
        areas = [(piece, cover(placed(piece.outlines), shape)) for piece in group.pieces]
        covers = [area for _, area in areas if area]
        if look.style == "outline" and group.edged and covers:
            page.lay(outlined(together(covers), size), INK)
        for piece, area in areas:
            lay_piece(page, look, area, piece.ink, piece.round)
    return page.png()


def cast_shadow(page: TexturedPage, look: ThingLook, areas: Sequence[StepCover | None]) -> None:
    """The shadow of what lies on the ground."""
    covers = [area for area in areas if area]
    if look.setting and look.setting.view == "lies" and covers:
        page.shadow(together(covers), 0.008, (0.006, 0.010), 0.45)


def lay_piece(
    page: PalettePage | TexturedPage, look: ThingLook, area: StepCover | None, ink: Colour, rounded: bool
) -> None:
    """Lay a piece of a thing in the style of its look."""
    if isinstance(page, TexturedPage) and rounded:
        page.lay_round(area, ink)
        return
    page.lay(area, ink)
    if rounded and look.style == "shaded" and area:
        page.lay(shaded_side(area, page.shape[0]), darker(ink, 16))


def paint_marks(marks: Sequence[Mark], look: ThingLook, ink: Colour, size: int) -> bytes:
    """The marks alone, before the same background."""
    page, placed = backdrop(look, size), look.placing(size)
    for mark in marks:
        area = cover(placed(mark_outlines(mark)), page.shape)
        if area and look.setting:  # the ground is not as light everywhere as paper
            page.lay(widened(area, rim(size), page.shape), WHITE)
        page.lay(area, ink)
    return page.png()


def boxes(scene: ThingScene, look: ThingLook, size: int) -> tuple[Box, ...]:
    """The box of every part."""
    outlines: dict[int, list[Points]] = {}
    for group in scene.groups:
        for piece in group.pieces:
            if piece.part is not None:
                outlines.setdefault(piece.part, []).extend(piece.outlines)
    placed = look.placing(size)
    return tuple(box_of(placed(outlines[part])) for part in sorted(outlines))


def mark_boxes(marks: Sequence[Mark], look: ThingLook, size: int) -> tuple[Box, ...]:
    placed = look.placing(size)
    return tuple(box_of(placed(mark_outlines(mark))) for mark in marks)


def box_of(outlines: Sequence[Points]) -> Box:
    corners = np.concatenate([outline.reshape(-1, 2) for outline in outlines])
    left, top = np.rint(corners.min(axis=0) * 16).tolist()
    right, bottom = np.rint(corners.max(axis=0) * 16).tolist()
    return left / 16, top / 16, right / 16, bottom / 16


def backdrop(look: ThingLook, size: int) -> ScenePage:
    if look.setting:
        return scenery(look, look.setting, size)
    page = PalettePage(size, PAPERS[look.paper])
    if look.ground:
        page.fill_below(round(look.horizon * size / 1000), GROUNDS[look.ground])
    return page


def outlined(area: StepCover, size: int) -> StepCover:
    """A cover with the line that the outline style draws around it."""
    return widened(area, max(1, round(_LINE * size / 1000)), (size, size))


def shaded_side(area: StepCover, size: int) -> StepCover:
    """What a piece has below and to the right of the place it would cover if the light moved it up a little."""
    height, width = area.amount.shape
    away = max(1, min(round(_SHADE * size), min(height, width) // 4))
    lit = np.zeros_like(area.amount)
    lit[: height - away, : width - away // 2] = area.amount[away:, away // 2 :]
    return StepCover(np.minimum(area.amount, STEPS - lit), area.top, area.left)
