"""The picture of a board shows the item's truth: another reader finds every cell in its pixels, in every rendering."""

from collections.abc import Iterator

import pytest

from snellen.item import Condition, Item
from snellen.prompts import Pack, load
from snellen.tasks import task
from snellen.tasks.fixation.draw.boards import RENDERINGS
from snellen.tasks.fixation.draw.looks import LOOKS, BoardDisc
from snellen.tasks.fixation.games import GAMES, SIZES
from support.lengths import few_and_more
from support.pixels.fixation import SeenBoard, read_board
from support.pixels.looking import exchanged

FIXATION = task("fixation")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load(FIXATION.prompts, "fixation")


def items(start: int, end: int) -> Iterator[Item]:
    """Items of all games and sizes in turn."""
    kinds = [(game, size) for size in SIZES for game in GAMES]
    for number in range(start, end):
        game, size = kinds[number % len(kinds)]
        assert FIXATION.item is not None
        yield FIXATION.item({"game": game, "states": "fresh", "size": size}, number // len(kinds), 34)


def wanted(item: Item, rendering: str) -> SeenBoard:
    truth, game = item.truth, item.levels["game"]
    look = LOOKS[game][rendering]
    names = truth["glyphs"] if rendering == "glyph" else truth["players"]
    held = (".", "1", "2") if isinstance(look.piece, BoardDisc) else (".", names[0][:1], names[1][:1])
    alike = frozenset((game, other) for other in RENDERINGS if LOOKS[game][other] == look)
    return SeenBoard(alike, truth["rows"], truth["columns"], "".join(held[int(cell)] for cell in truth["cells"]))


def shown(item: Item, rendering: str, pack: Pack) -> bytes:
    levels = {factor.name: factor.levels[0] for factor in FIXATION.factors if not factor.of_item}
    return FIXATION.stimulus(item, Condition(levels, rendering=rendering), pack).pictures[0].data


@few_and_more(("start", "end"), [(0, 12)], [(start, start + 50) for start in range(12, 512, 50)])
def test_every_rendering_shows_what_the_truth_says(start: int, end: int, pack: Pack) -> None:
    for item in items(start, end):
        for rendering in RENDERINGS:
            assert read_board(shown(item, rendering, pack)) == wanted(item, rendering), item.id


@pytest.mark.parametrize("rendering", RENDERINGS)
def test_two_cells_exchanged_in_the_picture_are_noticed(rendering: str, pack: Pack) -> None:
    for item in items(0, 4):
        cells, look = item.truth["cells"], LOOKS[item.levels["game"]][rendering]
        one = 0
        other = next(cell for cell, held in enumerate(cells) if held != cells[0] and "0" not in (held, cells[0]))
        if look.shades[0] != look.shades[1] and sum(divmod(other, item.truth["columns"])) % 2:
            continue  # on a checkerboard the shades would tell
        places = (divmod(cell, item.truth["columns"]) for cell in (one, other))
        boxes = [
            (look.margin + row * look.pitch, look.margin + column * look.pitch, look.pitch, look.pitch)
            for row, column in places
        ]
        seen, truth = read_board(exchanged(shown(item, rendering, pack), *boxes)), wanted(item, rendering)
        assert seen != truth
        assert seen.cells[one] == truth.cells[other]
        assert seen.cells[other] == truth.cells[one]
