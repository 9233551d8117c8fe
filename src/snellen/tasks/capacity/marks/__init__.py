"""Drawings of real-world marks that people know: signs of roads and workplaces, flags, notation, emblems, care marks.

Some 200 drawings in the public domain from the Open Clip Art Library and care marks drawn by ourselves (see NOTICE
beside this file), with the names they go by. Marks of one group are look-alikes. `tools/make_marks.py` makes this
folder's files.
"""

import csv
import io
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from snellen.draw.canvas import Pixels

SIDE = 96
"""Of a drawing, in pixels."""
HIDDEN = 38
"""Of these, how many a board across one side hides."""
SIDES = ("left", "right", "upper", "lower")
_SLACK = 2
"""Pixels by which drawings may be shifted: a difference that a shift explains is none."""
_UNLIKE = 48
"""Of 255: by so much a channel differs visibly."""
CLEAR = 100
"""So many pixels that differ tell two marks apart."""

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class KnownMark:
    """A mark: its name, its other names, the family it belongs to and, within this, the group of its look-alikes."""

    name: str
    also: tuple[str, ...]
    family: str
    group: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)

    @property
    def true_words(self) -> tuple[str, ...]:
        return self.names


@cache
def marks() -> dict[str, KnownMark]:
    """All marks by name, in the order of the table."""
    with (_HERE / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["name"]: KnownMark(row["name"], tuple(filter(None, row["also"].split(";"))), row["family"], row["group"])
        for row in rows
    }


@cache
def pixels(name: str) -> Pixels:
    """The drawing as 96 x 96 x RGB, on white. Read-only."""
    with _archive().open(f"{name}.png") as file, Image.open(io.BytesIO(file.read())) as image:
        drawing = np.array(image.convert("RGB"))
    drawing.setflags(write=False)
    return drawing


@cache
def _archive() -> zipfile.ZipFile:
    # Held in memory: an open file would share its place with forked processes.
    return zipfile.ZipFile(io.BytesIO((_HERE / "marks.zip").read_bytes()))


def shown(covered: str) -> tuple[slice, slice]:
    """The rows and columns of a drawing that a board over this side of it leaves to be seen."""
    whole = slice(0, SIDE)
    return {
        "": (whole, whole),
        "left": (whole, slice(HIDDEN, SIDE)),
        "right": (whole, slice(0, SIDE - HIDDEN)),
        "upper": (slice(HIDDEN, SIDE), whole),
        "lower": (slice(0, SIDE - HIDDEN), whole),
    }[covered]


@cache
def difference(name: str, other: str, covered: str = "") -> int:
    """Pixels seen of one mark that the other has nowhere near, or the other way round if these are more."""
    return max(_beyond(name, other)[covered], _beyond(other, name)[covered])


@cache
def _beyond(name: str, other: str) -> dict[str, int]:
    """By the side that is covered: pixels seen of one mark that the other has nowhere near."""
    own, (low, high) = _channels(name), _bounds(other)
    away = np.asarray(((own < low) | (own > high)).any(axis=0))
    return {covered: int(np.count_nonzero(away[shown(covered)])) for covered in ("", *SIDES)}


@cache
def _channels(name: str) -> Pixels:
    """The drawing as three planes."""
    return np.ascontiguousarray(pixels(name).transpose(2, 0, 1))


@cache
def _bounds(name: str) -> tuple[Pixels, Pixels]:
    """The darkest and the lightest that do not differ visibly from each channel within a pixel's surroundings."""
    drawing = np.pad(_channels(name), ((0, 0), (_SLACK, _SLACK), (_SLACK, _SLACK)), mode="edge")
    reach = range(2 * _SLACK + 1)
    near = [drawing[:, down : down + SIDE, right : right + SIDE] for down in reach for right in reach]
    low, high = np.minimum.reduce(near), np.maximum.reduce(near)
    return np.maximum(low, _UNLIKE) - _UNLIKE, np.minimum(high, 255 - _UNLIKE) + _UNLIKE
