"""What is to be seen on a board, rules apart."""

from recipes.small.drawing import drawn
from recipes.small.finished import Finished
from recipes.small.phrases import numeral, ordinal, phrase
from recipes.small.sheets import Said
from recipes.tiny.lessons import paradigm_words
from snellen.rng import Stream
from snellen.tasks.fixation.draw.boards import Board
from snellen.tasks.fixation.games import completed

_SIGHTS = {"cell": 4, "row": 2, "read": 2, "describe": 1, "count": 3, "both": 2, "yes": 1, "size": 1}
_LINE_SIGHTS = {**_SIGHTS, "where": 3}
_HARD = {"where": 1.5}
"""Sights that count for more."""


def sight(shown: Finished, rng: Stream) -> Said:
    """One thing to be seen, asked in other words than the exam's."""
    one = drawn(rng, _LINE_SIGHTS if shown.item and shown.length else _SIGHTS)
    question, answer = _SEEING[one](shown, rng)
    return Said(f"see {one}", (0, question), answer, _HARD.get(one, 1.0))


def _somewhere(shown: Finished, rng: Stream) -> tuple[str, int, int]:
    """First what is seen, then where: all contents are asked for alike, however full the board is."""
    digit = rng.choice(sorted(set(shown.board.cells)))
    cell = rng.choice([place for place, held in enumerate(shown.board.cells) if held == digit])
    return digit, *divmod(cell, shown.board.columns)


def _at(row: int, column: int) -> dict[str, str | int]:
    places: dict[str, str | int] = {"row": row + 1, "column": column + 1}
    return places | {"row_th": ordinal(row + 1), "column_th": ordinal(column + 1)}


def _cell(shown: Finished, rng: Stream) -> tuple[str, str]:
    digit, row, column = _somewhere(shown, rng)
    return phrase(rng, "board", "cell", **_at(row, column)), shown.held(digit)


def _yes(shown: Finished, rng: Stream) -> tuple[str, str]:
    digit, row, column = _somewhere(shown, rng)
    claimed = digit if rng.chance() else rng.choice([other for other in "012" if other != digit])
    piece = "cell_empty" if claimed == "0" else "cell_is"
    question = phrase(rng, "board", piece, what=shown.held(claimed), **_at(row, column))
    return question, "Yes" if claimed == digit else "No"


def _row(shown: Finished, rng: Stream) -> tuple[str, str]:
    board = shown.board
    if rng.chance(0.7):
        row = rng.below(board.rows)
        return phrase(rng, "board", "row", **_at(row, 0)), _listed(shown, _row_cells(board, row))
    column = rng.below(board.columns)
    return phrase(rng, "board", "column", **_at(0, column)), _listed(shown, board.cells[column :: board.columns])


def _row_cells(board: Board, row: int) -> str:
    return board.cells[row * board.columns : (row + 1) * board.columns]


def _listed(shown: Finished, cells: str) -> str:
    return ", ".join(map(shown.held, cells))


def _read(shown: Finished, rng: Stream) -> tuple[str, str]:
    return phrase(rng, "board", "read"), read_out(shown)


def _describe(shown: Finished, rng: Stream) -> tuple[str, str]:
    """Asked as by whoever has a picture described first."""
    size = f"The board has {shown.board.rows} rows and {shown.board.columns} columns."
    return paradigm_words("describe"), f"{size} {read_out(shown)}"


def read_out(shown: Finished) -> str:
    board = shown.board
    return " ".join(f"Row {row + 1}: {_listed(shown, _row_cells(board, row))}." for row in range(board.rows))


def _count(shown: Finished, rng: Stream) -> tuple[str, str]:
    digit = rng.choice("12" if shown.game.name == "dots_boxes" else "012")
    piece = "count_empty" if digit == "0" else "count"
    return phrase(rng, "board", piece, what=shown.held(digit)), str(shown.board.cells.count(digit))


def _both(shown: Finished, rng: Stream) -> tuple[str, str]:
    one, other = rng.sample("12", 2)
    first, second = shown.held(one), shown.held(other)
    order = phrase(rng, "board", "both_order", first=first, second=second)
    counts = f"{first} {shown.board.cells.count(one)}, {second} {shown.board.cells.count(other)}"
    return f"{phrase(rng, 'board', 'both')} {order}", counts


def _size(shown: Finished, rng: Stream) -> tuple[str, str]:
    if rng.chance():
        return phrase(rng, "board", "rows"), str(shown.board.rows)
    return phrase(rng, "board", "columns"), str(shown.board.columns)


def _where(shown: Finished, rng: Stream) -> tuple[str, str]:
    line, holder = next(iter(completed(shown.game.shape("small"), shown.board.cells).items()))
    question = phrase(rng, "board", "where", length=shown.length, length_word=numeral(shown.length))
    (row, column), (next_row, next_column) = (divmod(cell, shown.board.columns) for cell in line[:2])
    who = shown.held(str(holder))
    if row == next_row:
        return question, f"{who} in row {row + 1}"
    if column == next_column:
        return question, f"{who} in column {column + 1}"
    corner = "top" if (next_row - row) * (next_column - column) > 0 else "bottom"
    return question, f"{who} on the diagonal from {corner} left"


_SEEING = {
    "cell": _cell,
    "yes": _yes,
    "row": _row,
    "read": _read,
    "describe": _describe,
    "count": _count,
    "both": _both,
    "size": _size,
    "where": _where,
}
