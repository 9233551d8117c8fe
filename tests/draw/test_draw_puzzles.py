"""Puzzles as pictures: laid out like the published ones, which may be edited in the same way."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.item import Picture
from snellen.tasks.marvel.draw.marks import BLACK, WHITE
from snellen.tasks.marvel.draw.panels import SIDE, panel_pixels, panel_words
from snellen.tasks.marvel.draw.puzzles import (
    Layout,
    draw_puzzle,
    layout,
    layout_of,
    puzzle_words,
    write_indices,
    write_question_mark,
)

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "marvel" / "Marvel"
SIZES = [(1, 3), (1, 4), (1, 5), (1, 7), (2, 3), (3, 3), (1, 1)]
EMPTY: dict[str, Any] = {"marks": []}


def panel(turn: int, size: int = 60, **more: Any) -> dict[str, Any]:
    return {"marks": [{"shape": "arrow", "x": 90, "y": 90, "size": size, "turn": turn, "fill": "black", **more}]}


def pixels(picture: Picture) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(picture.data)).convert("L"))


def puzzle(rows: int, columns: int, empty: bool = False, **looks: Any) -> Picture:
    many = max(1, rows * columns - 1)
    context = [EMPTY if empty else panel(15 * i) for i in range(many)]
    return draw_puzzle(context, [EMPTY if empty else panel(90 * i) for i in range(4)], rows, columns, **looks)


def ink_box(page: np.ndarray) -> tuple[int, int, int, int]:
    """Left, top, right, bottom, all of them ink."""
    rows, columns = np.nonzero(page < 128)
    return columns.min(), rows.min(), columns.max(), rows.max()


@pytest.mark.parametrize(
    ("configuration", "columns", "size", "context", "choices"),
    [
        ("sequence", 4, (1080, 640), (180, 90), (180, 320)),
        ("sequence", 5, (1260, 640), (180, 90), (270, 320)),
        ("sequence", 8, (1800, 640), (180, 90), (540, 320)),
        ("group", 3, (900, 640), (180, 90), (90, 320)),
        ("two-row", 3, (900, 820), (180, 90), (90, 500)),
        ("matrix", 3, (900, 1000), (180, 90), (90, 680)),
        ("reassembling", 1, (900, 640), (315, 45), (90, 365)),
    ],
)
def test_the_layout_is_the_published_one(
    configuration: str, columns: int, size: tuple[int, int], context: tuple[int, int], choices: tuple[int, int]
) -> None:
    where = layout_of(configuration, columns)
    assert (where.width, where.height) == size
    assert (where.context, where.choices) == (context, choices)
    assert pixels(puzzle(where.rows, where.columns)).shape == size[::-1]


@pytest.mark.parametrize(("number", "rows", "columns"), [(2, 3, 3), (22, 2, 3), (1, 1, 5), (176, 1, 3), (553, 1, 1)])
def test_frames_are_those_of_published_puzzles_pixel_for_pixel(number: int, rows: int, columns: int) -> None:
    file = PUBLISHED / f"{number}.png"
    if not file.exists():
        pytest.skip("the published puzzles are not here")
    theirs, ours, where = np.asarray(Image.open(file)), pixels(puzzle(rows, columns, empty=True)), layout(rows, columns)
    assert theirs.shape == ours.shape
    frames = ours == BLACK
    frames[: where.context[1]] = False  # the captions
    frames[where.choices[1] - 45 : where.choices[1]] = False
    frames[where.choices[1] + SIDE :] = False
    assert (theirs[frames] == BLACK).all()
    if not where.net:
        x, y = where.blank()
        assert np.array_equal(theirs[y : y + SIDE, x : x + SIDE], ours[y : y + SIDE, x : x + SIDE])
    for words in (slice(0, where.context[1]), slice(where.choices[1] - 45, where.choices[1])):
        assert np.abs(np.subtract(ink_box(theirs[words, :170]), ink_box(ours[words, :170]))).max() <= 1
    for i in range(4):
        x, y = where.choice(i)
        below = slice(y + 185, y + 226), slice(x, x + SIDE)
        assert np.abs(np.subtract(ink_box(theirs[below]), ink_box(ours[below]))).max() <= 2


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_every_panel_is_in_its_cell(rows: int, columns: int) -> None:
    page, where = pixels(puzzle(rows, columns)), layout(rows, columns)
    inner = slice(8, -8)
    for i in range(max(1, rows * columns - 1)):
        x, y = where.cell(*divmod(i, columns))
        cell = page[y : y + where.side, x : x + where.side]
        assert np.array_equal(
            cell[inner, inner], panel_pixels(panel(15 * i), False, 3 if where.net else 2)[inner, inner]
        )
    for i in range(4):
        x, y = where.choice(i)
        assert np.array_equal(page[y : y + SIDE, x : x + SIDE][inner, inner], panel_pixels(panel(90 * i))[inner, inner])
    if not where.net:
        x, y = where.blank()
        assert (page[y : y + SIDE, x : x + SIDE][inner, inner] == WHITE).all()


def test_panels_that_reach_the_frame_leave_it_whole() -> None:
    wide = {"marks": [{"shape": "square", "x": 90, "y": 90, "size": 95, "fill": "white"}]}
    page, empty = pixels(draw_puzzle([wide] * 2, [wide] * 4, 1, 3)), pixels(puzzle(1, 3, empty=True))
    assert (page[empty == BLACK] == BLACK).all()


def _band(where: Layout) -> slice:
    return slice(where.choices[1] + SIDE + 1, None)


def test_indices_as_wanted() -> None:
    where = layout(3, 3)
    digits, letters, none = (pixels(puzzle(3, 3, indices=kind)) for kind in ("digits", "letters", "none"))
    assert (none[_band(where)] == WHITE).all()
    for page, other in ((digits, letters), (letters, none)):
        assert not np.array_equal(page[_band(where)], other[_band(where)])
        assert np.array_equal(page[: where.choices[1] + SIDE], other[: where.choices[1] + SIDE])
    x, y = where.choice(0)
    boxes = [page[y + SIDE :, x + i * SIDE : x + (i + 1) * SIDE] for page in (digits, letters) for i in range(4)]
    assert len({box.tobytes() for box in boxes}) == 8
    for box in boxes:
        left, top, right, bottom = ink_box(box)
        assert abs(left + right - 159) <= 3  # all centred alike
        assert 12 <= top <= 14
        assert 37 <= bottom <= 39


def test_a_question_mark_changes_the_blank_only() -> None:
    where = layout(2, 3)
    asked, plain = pixels(puzzle(2, 3, blank="question")), pixels(puzzle(2, 3))
    x, y = where.blank()
    inside = np.zeros(asked.shape, bool)
    inside[y + 20 : y + SIDE - 20, x + 20 : x + SIDE - 20] = True
    assert np.array_equal(asked[~inside], plain[~inside])
    assert 300 < (asked[inside] < 128).sum() < 4000
    assert puzzle(1, 1, blank="question") == puzzle(1, 1)


def test_editing_a_picture_is_like_drawing_it_so() -> None:
    where, drawn = layout(2, 3), pixels(puzzle(2, 3))
    bare, lettered, asking = drawn.copy(), drawn.copy(), drawn.copy()
    write_indices(bare, where.choices[1], "none")
    write_indices(lettered, where.choices[1], "letters")
    write_question_mark(asking, *where.blank())
    assert np.array_equal(bare, pixels(puzzle(2, 3, indices="none")))
    assert np.array_equal(lettered, pixels(puzzle(2, 3, indices="letters")))
    assert np.array_equal(asking, pixels(puzzle(2, 3, blank="question")))


def test_colour_changes_coloured_marks_only() -> None:
    red = [panel(0, colour="red")] * 2
    grey, coloured = (draw_puzzle(red, [panel(90 * i) for i in range(4)], 1, 3, colour=c) for c in (False, True))
    seen = np.asarray(Image.open(BytesIO(coloured.data)).convert("RGB")).astype(int)
    assert np.ptp(seen[95:260, 185:350], axis=2).max() > 100
    assert np.ptp(seen[300:], axis=2).max() == 0
    assert np.ptp(np.asarray(Image.open(BytesIO(grey.data)).convert("RGB")).astype(int), axis=2).max() == 0


def test_panels_must_fit_the_layout() -> None:
    for context, choices in ((3, 4), (9, 4), (8, 3)):
        with pytest.raises(ValueError, match="3 x 3 puzzle"):
            draw_puzzle([EMPTY] * context, [EMPTY] * choices, 3, 3)


def test_the_words_tell_the_whole_puzzle() -> None:
    context, choices = [panel(15 * i) for i in range(5)], [panel(90 * i, 20) for i in range(4)]
    lines = puzzle_words(context, choices, 2, 3, "ABCD").split("\n")
    assert "2 rows of 3" in lines[0]
    assert lines[1] == "Context"
    assert lines[2:8] == [
        *(f"Row {1 + i // 3}, panel {1 + i % 3}: {panel_words(one)}" for i, one in enumerate(context)),
        "Row 2, panel 3: blank, to be filled.",
    ]
    assert lines[8] == "Choices"
    assert lines[9:] == [f"{name}: {panel_words(one)}" for name, one in zip("ABCD", choices, strict=True)]


def test_the_words_of_a_net_have_no_blank() -> None:
    words = puzzle_words([panel(0)], [panel(90 * i) for i in range(4)], 1, 1, "1234")
    assert f"The panel: {panel_words(panel(0))}" in words
    assert "blank" not in words
    assert "in a row, the last of them blank" in puzzle_words([EMPTY] * 2, [EMPTY] * 4, 1, 3, "1234")
