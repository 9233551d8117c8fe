"""How fast boards are drawn, beside the method of the original: draw three times as large in RGB, reduce with LANCZOS.

Both draw the same boards in one process and one run, encode them as PNG, and are measured in CPU time; ours starts
with empty caches.
"""

import io
import random
from collections.abc import Callable, Iterator
from time import process_time

from PIL import Image, ImageDraw, ImageFont

from snellen.draw.letters import FONT
from snellen.tasks.fixation.draw import GAMES, RENDERINGS, Board
from snellen.tasks.fixation.draw.boards import draw
from snellen.tasks.fixation.draw.looks import FRAME, LOOKS, BoardDisc, Letter
from snellen.tasks.fixation.draw.sprites import BoardGeometry

Row = tuple[str, str, str]
PieceDrawer = Callable[[int, int, tuple[float, float]], None]

LARGE = 3
SIZES = {"tictactoe": 3, "reversi": 5, "connect4": 4, "dots_boxes": 6}
LABELS = {
    "tictactoe": ("X", "O"),
    "reversi": ("Black", "White"),
    "connect4": ("Red", "Yellow"),
    "dots_boxes": ("A", "B"),
}


def random_board(rng: random.Random, game: str, rendering: str) -> Board:
    side = SIZES[game]
    cells = "".join(rng.choice("12" if game == "dots_boxes" else "01122") for _ in range(side * side))
    letters = rng.sample("CDEFGHIJKLMNPQRSTUVWYZ", 2)
    return Board(game, side, side, cells, (letters[0], letters[1]) if rendering == "glyph" else LABELS[game])


def supersampled(board: Board, rendering: str) -> bytes:
    """The board by the original's method: each picture drawn from nothing, fonts fitted anew."""
    look = LOOKS[board.game][rendering]
    plan = BoardGeometry(look, board.rows, board.columns)
    height, width = (LARGE * side for side in plan.shape)
    image = Image.new("RGB", (width, height), look.paper)
    pen = ImageDraw.Draw(image)
    begin, cell = LARGE * look.margin, LARGE * plan.pitch
    end = begin + cell * board.rows
    if look.frame:
        pen.rectangle((begin, begin, end, end), None, FRAME, LARGE * look.frame)
    if look.corner:
        pen.rounded_rectangle((begin, begin, end, end), LARGE * look.corner, look.shades[0])
    places = [divmod(number, board.columns) for number in range(len(board.cells))]
    if look.shades[0] != look.shades[1]:
        for row, column in places:
            left, top = begin + column * cell, begin + row * cell
            pen.rectangle((left, top, left + cell, top + cell), look.shades[(row + column) % 2])
    ruled(pen, plan)
    draw_piece = lettered(pen, plan, board) if isinstance(look.piece, Letter) else discs(pen, plan, look.piece)
    for (row, column), digit in zip(places, board.cells, strict=True):
        draw_piece(int(digit), (row + column) % 2, (begin + (column + 0.5) * cell, begin + (row + 0.5) * cell))
    file = io.BytesIO()
    image.resize((width // LARGE, height // LARGE), Image.Resampling.LANCZOS).save(file, "PNG")
    return file.getvalue()


def ruled(pen: ImageDraw.ImageDraw, plan: BoardGeometry) -> None:
    look, begin, cell = plan.look, LARGE * plan.look.margin, LARGE * plan.pitch
    end = begin + cell * plan.rows
    if look.lines:
        edge = 0 if look.lines.outer else 1
        for k in range(edge, plan.rows + 1 - edge):
            at = begin + k * cell
            pen.line((begin, at, end, at), look.lines.colour, LARGE * look.lines.width)
            pen.line((at, begin, at, end), look.lines.colour, LARGE * look.lines.width)
    if look.dots:
        radius = look.dots.radius * cell / 100
        for x in range(begin, end + 1, cell):
            for y in range(begin, end + 1, cell):
                pen.ellipse((x - radius, y - radius, x + radius, y + radius), look.dots.colour)


def discs(pen: ImageDraw.ImageDraw, plan: BoardGeometry, piece: BoardDisc) -> PieceDrawer:
    radius = LARGE * plan.pitch * piece.radius / 100

    def disc(player: int, shade: int, middle: tuple[float, float]) -> None:
        (x, y), fill = middle, piece.fills[player]
        if fill:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill, piece.edge, LARGE)

    return disc


def lettered(pen: ImageDraw.ImageDraw, plan: BoardGeometry, board: Board) -> PieceDrawer:
    piece = plan.look.piece
    if not isinstance(piece, Letter):
        raise TypeError(piece)
    fonts = [fitting(pen, letter, piece, plan.letter_side) for letter in board.letters[: 1 if piece.alike else 2]]

    def letter(player: int, shade: int, middle: tuple[float, float]) -> None:
        if player:
            font = fonts[min(player, len(fonts)) - 1]
            pen.text(middle, board.letters[player - 1], piece.inks[shade], font, anchor="mm")

    return letter


def fitting(pen: ImageDraw.ImageDraw, letter: str, kind: Letter, side: int) -> ImageFont.FreeTypeFont:
    size = kind.start * side // 100
    while True:
        font = ImageFont.truetype(FONT, size)
        left, top, right, bottom = pen.textbbox((0, 0), letter, font)
        if size <= 8 or max(right - left, bottom - top) <= side:
            return font
        size -= 2


def measured(method: Callable[[Board, str], object], boards: list[Board], rendering: str) -> float:
    """CPU milliseconds per picture."""
    begin = process_time()
    for board in boards:
        method(board, rendering)
    return (process_time() - begin) * 1000 / len(boards)


def compared(boards: int = 200) -> Iterator[tuple[str, float, float]]:
    """Each look with CPU milliseconds per picture, ours and theirs (who get a tenth of the boards)."""
    rng = random.Random(7)
    for game in GAMES:
        for rendering in RENDERINGS:
            some = [random_board(rng, game, rendering) for _ in range(boards)]
            few = some[: max(1, boards // 10)]
            yield f"{game}, {rendering}", measured(draw, some, rendering), measured(supersampled, few, rendering)


def measure() -> list[Row]:
    ours, theirs = (sum(times) / len(times) for times in list(zip(*compared(), strict=True))[1:])
    what = "drawing: pictures per CPU second, against 3x LANCZOS"
    return [(what, f"{theirs / ours:.0f}x ({ours:.2f} against {theirs:.1f} ms)", ">= 20x")]


def main() -> None:
    for look, ours, theirs in compared():
        print(f"{look:28} {ours:6.2f} ms {theirs:6.1f} ms {theirs / ours:5.0f}x")


if __name__ == "__main__":
    main()
