"""Boards: the picture and its twin say the same, at any size, and never change unnoticed."""

import io
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from snellen.draw.letters import coverage, font
from snellen.errors import UserError
from snellen.tasks.fixation.draw import GAMES, RENDERINGS, Board, draw, words
from snellen.tasks.fixation.draw.looks import LOOKS, Letter
from snellen.tasks.fixation.draw.sprites import BoardGeometry, ground, letter_size
from support.lengths import examples, some_of

LABELS = {
    "tictactoe": ("X", "O"),
    "reversi": ("Black", "White"),
    "connect4": ("Red", "Yellow"),
    "dots_boxes": ("A", "B"),
}
FIRST = {
    "tictactoe": (3, 3, "201221112"),
    "reversi": (5, 5, "1112211221122221222212222"),
    "connect4": (4, 4, "2110112022222111"),
    "dots_boxes": (6, 6, "211211212112121212112112211111211111"),
}
GLYPHS = {"tictactoe": ("G", "P"), "reversi": ("W", "P"), "connect4": ("R", "K"), "dots_boxes": ("T", "Y")}


def first(game: str, rendering: str = "base") -> Board:
    """The first published board of a game."""
    rows, columns, cells = FIRST[game]
    return Board(game, rows, columns, cells, GLYPHS[game] if rendering == "glyph" else LABELS[game])


def rgb(board: Board, rendering: str) -> np.ndarray:
    with Image.open(io.BytesIO(draw(board, rendering).data)) as image:
        return np.asarray(image.convert("RGB"))


@st.composite
def boards(chosen: st.DrawFn, most: int = 9) -> Board:
    game = chosen(st.sampled_from(GAMES))
    rows, columns = chosen(st.integers(1, most)), chosen(st.integers(1, most))
    cells = chosen(st.text("012", min_size=rows * columns, max_size=rows * columns))
    letters = chosen(st.lists(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), min_size=2, max_size=2, unique=True))
    labels = LABELS[game] if chosen(st.booleans()) else (letters[0], letters[1])
    return Board(game, rows, columns, cells, labels)


def cell_at(pixels: np.ndarray, plan: BoardGeometry, row: int, column: int) -> np.ndarray:
    """The pixels of a cell, without the pixels it may share with its neighbours."""
    share = plan.look.line_width // 2 + plan.look.line_width % 2
    top, left = (plan.look.margin + share + plan.pitch * k for k in (row, column))
    side = plan.pitch - plan.look.line_width
    return pixels[top : top + side, left : left + side]


@given(boards(), st.sampled_from(RENDERINGS))
@examples(20, 40)
def test_the_cells_can_be_read_back_from_the_picture_and_from_the_twin(board: Board, rendering: str) -> None:
    rows, columns, plan = (
        board.rows,
        board.columns,
        BoardGeometry(LOOKS[board.game][rendering], board.rows, board.columns),
    )
    alike = [rgb(Board(board.game, rows, columns, digit * rows * columns, board.labels), rendering) for digit in "012"]
    pixels = rgb(board, rendering)
    seen = ""
    for row in range(rows):
        for column in range(columns):
            cell = cell_at(pixels, plan, row, column)
            fitting = [k for k in range(3) if np.array_equal(cell, cell_at(alike[k], plan, row, column))]
            assert len(fitting) == 1
            seen += str(fitting[0])
    assert seen == board.cells

    text = words(board)
    lines = [line for line in text.split("\n") if not set(line) <= set("─┼┌┬┐├┤└┴┘•")]
    offset = 1 if board.game in ("tictactoe", "connect4") else 2
    names = {" ": "0", board.labels[0][0]: "1", board.labels[1][0]: "2"}
    assert "".join(names[line[offset + 4 * column]] for line in lines for column in range(columns)) == board.cells
    assert len({len(line) for line in text.split("\n")}) == 1


@pytest.mark.parametrize("rendering", ["base", "checkerboard"])
@pytest.mark.parametrize(("game", "colours"), [
    ("reversi", {1: (18, 18, 18), 2: (250, 250, 250)}),
    ("connect4", {1: (218, 45, 54), 2: (245, 212, 65)}),
])  # fmt: skip
def test_discs_have_their_players_colour(game: str, colours: dict[int, tuple[int, int, int]], rendering: str) -> None:
    board = first(game)
    plan, pixels = BoardGeometry(LOOKS[game][rendering], board.rows, board.columns), rgb(board, rendering)
    for number, digit in enumerate(board.cells):
        cell = cell_at(pixels, plan, *divmod(number, board.columns))
        middle = tuple(cell[len(cell) // 2, len(cell) // 2].tolist())
        assert middle == colours[int(digit)] if digit != "0" else middle not in colours.values()


@some_of("letter", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 8)
@pytest.mark.parametrize("game", GAMES)
def test_letters_are_centred_and_themselves(game: str, letter: str) -> None:
    other = "X" if letter != "X" else "O"
    board = Board(game, 3, 3, "010000000", (letter, other))
    cell = cell_at(rgb(board, "glyph"), BoardGeometry(LOOKS[game]["glyph"], 3, 3), 0, 1)[:, :, 0]
    ink = cell < 200
    if game == "dots_boxes":
        ink[[*range(5), *range(-5, 0)]] = False  # the dots at the corners
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    for found in (rows, columns):
        assert abs((found[0] + found[-1] + 1) / 2 - len(cell) / 2) <= 1
    drawn = _plain_letter(letter).resize((len(columns), len(rows)), Image.Resampling.BOX)
    wanted = np.asarray(drawn) > 127
    mine = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    assert (wanted == mine).mean() > 0.9


def _plain_letter(letter: str) -> Image.Image:
    """The letter's ink as Pillow draws it, cropped."""
    canvas = Image.new("L", (600, 600))
    ImageDraw.Draw(canvas).text((150, 100), letter, fill=255, font=font(300))
    return canvas.crop(canvas.getbbox())


@pytest.mark.parametrize("rendering", RENDERINGS)
@pytest.mark.parametrize("game", GAMES)
def test_empty_boards_are_even(game: str, rendering: str) -> None:
    for size in (3, 5):
        pixels = ground(BoardGeometry(LOOKS[game][rendering], size, size))
        assert np.array_equal(pixels, pixels[::-1])
        assert np.array_equal(pixels, pixels[:, ::-1])
        assert np.array_equal(pixels, pixels.T)


@pytest.mark.parametrize("rendering", RENDERINGS)
@pytest.mark.parametrize(
    ("game", "side"), [("tictactoe", 384), ("reversi", 480), ("connect4", 448), ("dots_boxes", 480)]
)
def test_published_boards_keep_their_size(game: str, side: int, rendering: str) -> None:
    assert rgb(first(game), rendering).shape == (side, side, 3)


def test_larger_boards_stay_within_reason() -> None:
    assert rgb(Board("reversi", 8, 8, "0" * 64, LABELS["reversi"]), "base").shape == (720, 720, 3)
    assert rgb(Board("connect4", 6, 7, "0" * 42, LABELS["connect4"]), "base").shape == (636, 730, 3)
    for game in GAMES:
        assert max(rgb(Board(game, 19, 30, "1" * 570, LABELS[game]), "base").shape) <= 960


# The pixels decide what a subject sees, the bytes decide a picture's identity: if either changes, every stored trial
# with these boards becomes another one. A change here must be meant.
GOLDEN = {
    ("tictactoe", "base"): ("e840c67d1829af50", "f1e13cb8143987ae"),
    ("tictactoe", "checkerboard"): ("cf6ef248f37da2da", "0ce14a975dee5b90"),
    ("tictactoe", "glyph"): ("dace647bd8344c95", "d825943185c6e5f9"),
    ("reversi", "base"): ("d3c4c11aae292e70", "f4630769618be943"),
    ("reversi", "checkerboard"): ("f08fdedac343e6de", "c2be0bb344d8ab20"),
    ("reversi", "glyph"): ("eee286a195f5d7a1", "f7d5e059a3ccba11"),
    ("connect4", "base"): ("e2523f61c8468b66", "d227b26b00569929"),
    ("connect4", "checkerboard"): ("1bd1a15d530de45a", "ed5a19749ebfd2bb"),
    ("connect4", "glyph"): ("fdeef777bbe93d62", "03ba1932a853c0f8"),
    ("dots_boxes", "base"): ("553ff03271ec9f83", "cffbc84f7f7abfee"),
    ("dots_boxes", "checkerboard"): ("196ccd828c19be13", "4ff5a9003d58db18"),
    ("dots_boxes", "glyph"): ("71897e6e2d51dda7", "2a26d542eaad0b6a"),
}


@pytest.mark.parametrize(("game", "rendering"), GOLDEN)
def test_golden(game: str, rendering: str) -> None:
    board = first(game, rendering)
    pixels = sha256(rgb(board, rendering).tobytes()).hexdigest()[:16]
    assert (pixels, draw(board, rendering).digest[:16]) == GOLDEN[game, rendering]


def test_words_are_the_published_text_boards() -> None:
    assert words(first("tictactoe")) == " O │   │ X \n───┼───┼───\n O │ O │ X \n───┼───┼───\n X │ X │ O "
    assert words(first("connect4")) == (
        " Y │ R │ R │   \n───┼───┼───┼───\n R │ R │ Y │   \n───┼───┼───┼───\n"
        " Y │ Y │ Y │ Y \n───┼───┼───┼───\n Y │ R │ R │ R "
    )
    reversi = words(Board("reversi", 5, 5, "1111111121" + "0" * 14 + "2", LABELS["reversi"])).split("\n")
    assert reversi[:5] == [
        "┌───┬───┬───┬───┬───┐",
        "│ B │ B │ B │ B │ B │",
        "├───┼───┼───┼───┼───┤",
        "│ B │ B │ B │ W │ B │",
        "├───┼───┼───┼───┼───┤",
    ]
    assert reversi[-2:] == ["│   │   │   │   │ W │", "└───┴───┴───┴───┴───┘"]
    dots = words(first("dots_boxes")).split("\n")
    assert len(dots) == 13
    assert set(dots[::2]) == {"•───•───•───•───•───•───•"}
    assert dots[1] == "│ B │ A │ A │ B │ A │ A │"
    assert dots[3] == "│ B │ A │ B │ A │ A │ B │"


def test_the_alternative_text_names_the_board_not_the_answer() -> None:
    assert draw(first("connect4"), "base").alt == "Connect Four board, 4 x 4, players Red and Yellow"


def test_bad_boards_are_refused() -> None:
    with pytest.raises(UserError, match="did you mean reversi"):
        Board("revresi", 1, 1, "0", ("A", "B"))
    with pytest.raises(UserError, match="unknown rendering 'glyphs'; did you mean glyph"):
        draw(first("reversi"), "glyphs")
    for rows, columns, cells, labels in [
        (2, 2, "000", ("A", "B")),
        (0, 2, "", ("A", "B")),
        (1, 1, "3", ("A", "B")),
        (1, 1, "0", ("A", "Anna")),
        (1, 1, "0", ("", "B")),
        (1, 1, "0", (" ", "B")),
    ]:
        with pytest.raises(ValueError, match=r"cells|labels"):
            Board("tictactoe", rows, columns, cells, labels)


@pytest.mark.parametrize(("game", "rendering"), [(g, r) for g in GAMES for r in RENDERINGS])
def test_no_letter_is_cut_off(game: str, rendering: str) -> None:
    look = LOOKS[game][rendering]
    if not isinstance(look.piece, Letter):
        return
    for side in (3, 40):
        plan = BoardGeometry(look, side, side)
        for letters in (("I", "W"), ("Q", "J"), ("M", "X"), ("O", "A")):
            for player in (1, 2):
                size = letter_size(plan, look.piece, letters, player)
                roomy = coverage(letters[player - 1], size, 3, plan.tile + 20)
                assert np.count_nonzero(roomy) == np.count_nonzero(roomy[10:-10, 10:-10]) > 0
