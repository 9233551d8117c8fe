"""Draw generated MARVEL puzzles beside published ones: `python docs/make_marvel_beside.py PLACE`.

PLACE is where the published set is (see docs/data.md). Generated ones stand in the left column of each pair.
"""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from snellen.item import Condition, Item
from snellen.prompts import load
from snellen.tasks import Task, task

OUT = Path(__file__).parent / "gallery" / "marvel-beside-published.png"
CELLS = (
    *(("temporal", "sequence"), ("spatial", "two-row"), ("quantities", "matrix"), ("mathematical", "two-row")),
    *(("2d", "group"), ("3d", "reassembling"), ("mathematical", "matrix"), ("spatial", "group")),
)
SIZE = (300, 320)
COLUMNS = 4


def main(place: str) -> None:
    ours, theirs = task("marvel"), task("marvel", place)
    page = Image.new("L", (2 * COLUMNS * SIZE[0], -(-len(CELLS) // COLUMNS) * SIZE[1]), 255)
    for number, cell in enumerate(CELLS):
        row, column = divmod(number, COLUMNS)
        for side, found in enumerate((ours, theirs)):
            picture = _thumbnail(found, cell, 5)
            page.paste(picture, ((2 * column + side) * SIZE[0], row * SIZE[1]))
        page.paste(0, ((2 * column + 2) * SIZE[0] - 2, row * SIZE[1], (2 * column + 2) * SIZE[0], (row + 1) * SIZE[1]))
    page.quantize(16).save(OUT, optimize=True)


def _thumbnail(found: Task, cell: tuple[str, str], number: int) -> Image.Image:
    levels = {**found.item_levels(found.design()), "pattern": cell[:1], "configuration": cell[1:]}
    item = _of(found, levels, number)
    plain = Condition({factor.name: factor.levels[0] for factor in found.factors if not factor.of_item})
    shown = found.stimulus(item, plain, load(found.prompts, found.name))
    with Image.open(BytesIO(shown.pictures[0].data)) as image:
        picture = image.convert("L")
    picture.thumbnail((SIZE[0] - 20, SIZE[1] - 20))
    page = Image.new("L", SIZE, 255)
    page.paste(picture, (10, 10))
    return page


def _of(found: Task, levels: dict[str, tuple[str, ...]], number: int) -> Item:
    return list(found.items(levels, number + 1, 0))[number]


if __name__ == "__main__":
    main(sys.argv[1])
