"""The pictures of published puzzles: as they are, edited for a study, or taken apart into panels.

Only `whole` gives the published bytes; everything else is drawn anew from their pixels.
"""

from dataclasses import dataclass

import numpy as np

from snellen.draw import png
from snellen.errors import UserError
from snellen.item import Picture
from snellen.tasks.data import LoadedSet
from snellen.tasks.marvel.draw import puzzles
from snellen.tasks.marvel.draw.marks import WHITE, palette
from snellen.tasks.marvel.draw.panels import SIDE
from snellen.tasks.marvel.load.pixels import Pixels, choice_panels, context_panels, grey_pixels
from snellen.tasks.marvel.load.record import PublishedPuzzle
from snellen.tasks.marvel.look import PuzzleLook
from snellen.tasks.panels import Unfit


@dataclass(frozen=True)
class Pictures:
    """The pictures of a loaded set."""

    loaded: LoadedSet[PublishedPuzzle]

    def whole(self, record: PublishedPuzzle) -> Picture:
        """The published picture, unedited."""
        return self.loaded.picture(record.panel)

    def shown(self, record: PublishedPuzzle, look: PuzzleLook) -> Picture:
        """The puzzle with these indices and this blank: the published bytes where that is how it was published."""
        where = puzzles.layout(record.rows, record.columns)
        asks = look.blank == "question-mark" and not where.net
        if look.indices == "digits" and not asks:
            return self.whole(record)
        page = self._pixels(record).copy()
        if look.indices != "digits":
            puzzles.write_indices(page, where.choices[1], "letters" if look.indices == "letters" else "none")
        if asks:
            puzzles.write_question_mark(page, *where.blank())
        return Picture(png.encode(page, palette(False)), "image/png", self.loaded.alt)

    def panels(self, record: PublishedPuzzle) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
        """The panels of the context (without the blank) and the choices, each a picture of its own without a frame."""
        pixels, where = self._pixels(record), puzzles.layout(record.rows, record.columns)
        return (
            tuple(_alone(panel, where.side, "a panel") for panel in context_panels(pixels, where)),
            tuple(_alone(panel, SIDE, "a choice") for panel in choice_panels(pixels, where)),
        )

    def _pixels(self, record: PublishedPuzzle) -> Pixels:
        try:
            return grey_pixels(self.whole(record).data, record.id)
        except Unfit as fault:
            raise UserError(f"{fault}; download the picture again") from None


def _alone(panel: Pixels, side: int, alt: str) -> Picture:
    """A panel as a picture of its cell's size, white where the lines of the frame were."""
    margin = (side - len(panel)) // 2
    page = np.full((side, side), WHITE, np.uint8)
    page[margin : side - margin, margin : side - margin] = panel
    return Picture(png.encode(page, palette(False)), "image/png", alt)
