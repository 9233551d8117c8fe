"""What a task says of its finest detail is what its pictures show."""

from io import BytesIO
from itertools import product

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from snellen.tasks import task
from snellen.tasks.capacity.kinds import kind_of
from snellen.tasks.detail import weber
from snellen.tasks.fixation.draw.boards import RENDERINGS, Board, draw
from snellen.tasks.fixation.games import GAMES, SIZES
from support.lengths import few_and_more, some_of


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)


def widths(mask: np.ndarray) -> list[float]:
    """How wide each blob of a mask is: twice the distance to its outside, in the middle of its strokes."""
    found = []
    labelled, count = ndimage.label(mask, np.ones((3, 3)))
    for k in range(1, count + 1):
        far = ndimage.distance_transform_edt(np.pad(labelled == k, 1))
        ridge = (far == ndimage.maximum_filter(far, 3)) & (far >= 1)
        found.append(2 * float(np.quantile(far[ridge], 0.3)) - 0.5)
    return found


@some_of(("game", "rendering", "size"), list(product(GAMES, RENDERINGS, SIZES)), 4)
def test_pieces_of_boards_are_as_wide_as_is_said(game, rendering, size):
    about = GAMES[game]
    said = task("fixation").detail({"game": game, "rendering": rendering, "size": size, "modality": "image"})
    shape = about.shape(size)

    def drawn(cells: str) -> np.ndarray:
        return pixels(draw(Board(game, shape.rows, shape.columns, cells, about.labels), rendering).data)

    empty, one = drawn("0" * shape.area), "1" + "0" * (shape.area - 1)
    assert said.side == max(empty.shape)
    finest = []
    for cells in (one, one.replace("1", "2")):
        changed = np.abs(drawn(cells) - empty).sum(axis=2)
        mask = changed > changed.max() * (0.2 if said.what == "discs" else 0.5)
        # a hole of connect4 changes within its edge; a disc is whole and as wide as it is high
        finest += [float(np.ptp(np.argwhere(mask)[:, 0])) + 1] if said.what == "discs" else widths(mask)
    slack = 3.0 if said.what == "discs" else 0.25 * said.px + 1.0
    assert min(finest) == pytest.approx(said.px, abs=slack)


@few_and_more("size", ["tiny", "standard"], ["small", "large", "huge"])
def test_walls_and_digits_of_mazes_are_as_wide_as_is_said(size):
    made = task("capacity")
    said = made.detail({"kind": "maze", "size": size})
    item = made.item({"kind": "maze", "size": size}, 0, 0)
    page = pixels(kind_of("maze").show(item.truth)[0].data)
    assert said.side == max(page.shape)
    walls, digits = (np.abs(page - np.array(colour)).sum(axis=2) < 120 for colour in ((43, 58, 85), (58, 42, 8)))
    runs = np.concatenate([_runs(walls), _runs(walls.T)])
    thinnest = min(float(np.median(runs[runs < 40])), min(widths(digits)))
    assert thinnest == pytest.approx(said.px, abs=0.25 * said.px + 1.0)


def _runs(mask: np.ndarray) -> np.ndarray:
    """The lengths of all runs along the rows of a mask."""
    edges = np.diff(np.pad(mask.astype(int), ((0, 0), (1, 1))), axis=1)
    return np.argwhere(edges == -1)[:, 1] - np.argwhere(edges == 1)[:, 1]


def test_contrast_is_that_of_pixel_values():
    assert weber((255, 255, 255), (0, 0, 0)) == 1
    assert weber((200, 200, 200), (100, 100, 100)) == pytest.approx(0.5)
    assert weber((0, 0, 0), (0, 0, 0)) == 0


def test_who_cannot_say_says_nothing():
    assert task("fixation").detail({"game": "tictactoe", "modality": "text"}) is None
    assert task("capacity").detail({"kind": "maze"}) is None, "published pictures come in no size of ours"
    assert task("capacity").detail({"kind": "chart", "size": "standard"}) is None
    assert task("bias").detail({}) is None
