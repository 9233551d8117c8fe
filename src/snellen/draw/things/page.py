"""From a scene to a picture in pixels."""

from collections.abc import Sequence

import numpy as np

from snellen.draw.looks import Colour
from snellen.draw.soft import STEPS, Sheet
from snellen.draw.things.forms import bar, disc, ring
from snellen.draw.things.inks import GROUNDS, INK, PAPERS, darker
from snellen.draw.things.kind import Look, Mark, Scene
from snellen.draw.things.raster import Cover, Points, cover, together, widened

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

_LINE = 6
"""Width of the line around things."""
_SHADE = 0.035
"""How far the shaded side reaches into a piece, as a share of the picture."""


class Page(Sheet):
    """A sheet that never runs out: when all 256 colours are taken, a mixture is the nearest colour there is."""

    def _number(self, colour: Colour) -> int:
        if len(self._colours) < 256 or colour in self._numbers:
            return super()._number(colour)
        away = ((np.array(self._colours, np.int64) - np.array(colour, np.int64)) ** 2).sum(axis=1)
        self._numbers[colour] = int(away.argmin())
        return self._numbers[colour]


def paint(scene: Scene, look: Look, size: int) -> bytes:
    """The scene as a PNG file."""
    page = _backdrop(look, size)
    for group in scene.groups:
        areas = [(piece, cover(_placed(piece.outlines, look, size), page.pixels.shape)) for piece in group.pieces]
        covers = [area for _, area in areas if area]
        if look.style == "outline" and group.edged and covers:
            _lay(page, widened(together(covers), max(1, round(_LINE * size / 1000)), page.pixels.shape), INK)
        for piece, area in areas:
            _lay(page, area, piece.ink)
            if look.style == "shaded" and piece.round and area:
                _lay(page, _shaded_side(area, size), darker(piece.ink, 16))
    return page.png()


def paint_marks(marks: Sequence[Mark], look: Look, ink: Colour, size: int) -> bytes:
    """The marks alone, before the same background."""
    page = _backdrop(look, size)
    for mark in marks:
        _lay(page, cover(_placed(mark_outlines(mark), look, size), page.pixels.shape), ink)
    return page.png()


def mark_outlines(mark: Mark) -> list[Points]:
    if mark.hollow:
        return ring(mark.begin, mark.hollow, mark.width)
    if mark.begin == mark.end:
        return [disc(mark.begin, mark.width / 2)]
    return [bar(mark.begin, mark.end, mark.width, round_ends=False)]


def boxes(scene: Scene, look: Look, size: int) -> tuple[Box, ...]:
    """The box of every part."""
    outlines: dict[int, list[Points]] = {}
    for group in scene.groups:
        for piece in group.pieces:
            if piece.part is not None:
                outlines.setdefault(piece.part, []).extend(piece.outlines)
    return tuple(box_of(_placed(outlines[part], look, size)) for part in sorted(outlines))


def mark_boxes(marks: Sequence[Mark], look: Look, size: int) -> tuple[Box, ...]:
    return tuple(box_of(_placed(mark_outlines(mark), look, size)) for mark in marks)


def box_of(outlines: Sequence[Points]) -> Box:
    corners = np.concatenate([outline.reshape(-1, 2) for outline in outlines])
    left, top = np.rint(corners.min(axis=0) * 16).tolist()
    right, bottom = np.rint(corners.max(axis=0) * 16).tolist()
    return left / 16, top / 16, right / 16, bottom / 16


def _placed(outlines: Sequence[Points], look: Look, size: int) -> list[Points]:
    return [look.placed(outline, size) for outline in outlines]


def _backdrop(look: Look, size: int) -> Page:
    page = Page(size, size, PAPERS[look.paper])
    if look.ground:
        top = round(look.horizon * size / 1000)
        page.fill(top, 0, size - top, size, GROUNDS[look.ground])
    return page


def _lay(page: Page, area: Cover | None, ink: Colour) -> None:
    if area:
        page.lay(area.amount, area.top, area.left, ink)


def _shaded_side(area: Cover, size: int) -> Cover:
    """What a piece has below and to the right of the place it would cover if the light moved it up a little."""
    height, width = area.amount.shape
    away = max(1, min(round(_SHADE * size), min(height, width) // 4))
    lit = np.zeros_like(area.amount)
    lit[: height - away, : width - away // 2] = area.amount[away:, away // 2 :]
    return Cover(np.minimum(area.amount, STEPS - lit), area.top, area.left)
