"""Drawings of recognisable things, with their names and what they are.

Some 340 drawings from Noto Emoji (Apache-2.0; see NOTICE and LICENSE beside this file), chosen so that nobody has to
ask what a drawing shows. The table is read when first asked for, a drawing's pixels when first drawn.
"""

import csv
import io
import zipfile
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.errors import unknown

Pixels = NDArray[np.uint8]

SIDE = 160
"""Of a drawing, in pixels."""

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Icon:
    """A drawing of one thing.

    `category` is a wide class (animal, vehicle), `group` a narrower one within it (bird, boat) or empty. `life` is
    "living" or "inanimate"; what was picked or cooked is inanimate. `colour` is the colour that most of the drawing
    has, empty where none leads. `source` is its name in Noto Emoji.
    """

    name: str
    category: str
    group: str
    life: str
    colour: str
    source: str


@cache
def icons() -> tuple[Icon, ...]:
    """All drawings, by name."""
    with (_HERE / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return tuple(Icon(**{field.name: row[field.name] for field in fields(Icon)}) for row in rows)


@cache
def _by_name() -> dict[str, Icon]:
    return {drawing.name: drawing for drawing in icons()}


def icon(name: str) -> Icon:
    """The drawing of that name."""
    drawing = _by_name().get(name)
    if drawing is None:
        raise unknown("icon", name, _by_name())
    return drawing


@lru_cache(maxsize=64)
def pixels(name: str) -> Pixels:
    """The drawing as 160 x 160 x RGBA; where it is wholly transparent the colour means nothing. Read-only."""
    with _archive().open(f"{icon(name).name}.png") as file, Image.open(io.BytesIO(file.read())) as image:
        drawing = np.asarray(image.convert("RGBA"))
    drawing.setflags(write=False)
    return drawing


@cache
def _archive() -> zipfile.ZipFile:
    # Held in memory: an open file would share its place with forked processes.
    return zipfile.ZipFile(io.BytesIO((_HERE / "icons.zip").read_bytes()))


@cache
def palette() -> Pixels:
    """The colours that serve all drawings together, up to 224 x RGB."""
    with Image.open(_HERE / "palette.png") as image:
        colours: Pixels = np.asarray(image.convert("RGB"))[0]
        return colours
