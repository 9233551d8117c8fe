"""Pictures show their items' truths: readers that share nothing with the drawers find all of it in the pixels."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from snellen.rng import stream
from snellen.tasks.capacity.kinds import kind_of
from snellen.tasks.capacity.kinds.chart.table import chart_of
from support.lengths import few_and_more
from support.pixels.charts import read_chart
from support.pixels.gomoku import LEFT, TOP, read_gomoku
from support.pixels.jigsaws import SeenTray, read_jigsaw
from support.pixels.looking import exchanged, pixels_of
from support.pixels.unblock import TRAY, read_unblock

HUNDREDS = [(start, start + 50) for start in range(0, 500, 50)]


@cache
def truth_of(name: str, index: int) -> Mapping[str, Any]:
    """Sizes take turns."""
    kind = kind_of(name)
    turn, place = divmod(index, len(kind.sizes))
    return kind.make(stream(34, "pixels", name, index), kind.sizes[place], turn)


def picture(name: str, index: int) -> bytes:
    """The last picture of an item: the board, the tray."""
    return kind_of(name).show(truth_of(name, index))[-1].data


def board_of(index: int) -> dict[str, Any]:
    return {name: truth_of("gomoku", index)[name] for name in ("extent", "theme", "board")}


def tray_of(index: int) -> dict[str, Any]:
    truth = truth_of("unblock", index)
    return {"extent": truth["extent"], "exit": truth["exit"], "blocks": sorted(truth["blocks"])}


def chart_shown(index: int) -> dict[str, Any]:
    """What of a chart's truth its picture shows: no steps that are not drawn, and no order among scattered points."""
    chart = chart_of(truth_of("chart", index))
    shown: dict[str, Any] = {name: getattr(chart, name) for name in ("kind", "title", "unit", "labelled")}
    if chart.kind == "scatter":
        points = zip(chart.categories, chart.values, chart.places, strict=True)
        shown |= {"points": sorted((name, value, place) for name, (value,), place in points), "across": chart.across}
    else:
        shown |= {"categories": list(chart.categories), "values": [list(row) for row in chart.values]}
    if len(chart.series) > 1:
        shown["series"] = list(chart.series)
    if chart.kind == "dual":
        shown["right_minor"] = chart.right_minor
    if not (chart.kind == "pie" and chart.labelled):
        shown |= {"step": chart.step, "top": chart.top}
        if chart.kind != "log":
            shown["lines"] = chart.minor if chart.minor and chart.ruled else chart.step
    return shown


def parts_of(index: int) -> int:
    """Into how many the steps of the axis are parted: the question says it."""
    chart = chart_of(truth_of("chart", index))
    return chart.step // chart.minor if chart.minor else 1


@few_and_more(("start", "end"), [(0, 9)], HUNDREDS)
def test_a_chart_shows_every_value_and_word(start: int, end: int) -> None:
    for index in range(start, end):
        assert read_chart(picture("chart", index), parts_of(index)) == chart_shown(index), index


def fits_of(truth: Mapping[str, Any]) -> list[int]:
    """Of each hole in the order of their numbers, which loose piece belongs there."""
    return [truth["order"].index(number) for number in range(1, len(truth["holes"]) + 1)]


@few_and_more(("start", "end"), [(0, 4)], HUNDREDS)
def test_a_jigsaw_shows_its_holes_their_numbers_and_which_piece_fits(start: int, end: int) -> None:
    for index in range(start, end):
        truth = truth_of("jigsaw", index)
        seen = read_jigsaw(*(shown.data for shown in kind_of("jigsaw").show(truth)))
        assert [seen[name] for name in ("columns", "rows")] == [truth["columns"], truth["rows"]]
        assert seen["holes"] == [list(hole) for hole in truth["holes"]], index
        assert len(seen["pieces"]) == len(truth["order"])
        assert seen["fits"] == fits_of(truth), index


def test_two_pieces_of_a_jigsaw_exchanged_are_noticed() -> None:
    truth = truth_of("jigsaw", 0)
    board, tray = (shown.data for shown in kind_of("jigsaw").show(truth))
    corners = SeenTray(pixels_of(tray), truth["cell"]).corners()
    far = truth["cell"] * 3 // 10
    one, other = fits_of(truth)[:2]
    boxes = [(top - far, left - far, truth["cell"] + 2 * far, truth["cell"] + 2 * far) for left, top in corners]
    seen = read_jigsaw(board, exchanged(tray, boxes[one], boxes[other]))
    assert seen["fits"] == [other, one, *fits_of(truth)[2:]]


def test_two_bars_exchanged_are_noticed() -> None:
    index = next(index for index in range(30) if chart_shown(index)["kind"] == "horizontal")
    truth = chart_shown(index)
    pitch = 380 // len(truth["values"])
    boxes = [(112 + place * pitch, 152, pitch, 640) for place in (0, 1)]
    seen = read_chart(exchanged(picture("chart", index), *boxes), parts_of(index))
    assert seen != truth
    first, second, *rest = truth["values"]
    assert seen["values"] == [second, first, *rest]


@few_and_more(("start", "end"), [(0, 12)], HUNDREDS)
def test_a_board_of_gomoku_shows_every_piece(start: int, end: int) -> None:
    for index in range(start, end):
        assert read_gomoku(picture("gomoku", index)) == board_of(index)


@few_and_more(("start", "end"), [(0, 6)], HUNDREDS)
def test_a_tray_shows_every_block(start: int, end: int) -> None:
    for index in range(start, end):
        assert read_unblock(picture("unblock", index)) == tray_of(index)


def test_two_cells_of_gomoku_exchanged_are_noticed() -> None:
    truth = board_of(0)
    rows = [row.split() for row in truth["board"]]
    pitch = 570 // truth["extent"]
    (row, column) = next(
        (y, x) for y, cells in enumerate(rows) for x, held in enumerate(cells) if held not in (".", rows[0][0])
    )
    spots = [(TOP + y * pitch, LEFT + x * pitch, pitch, pitch) for y, x in ((0, 0), (row, column))]
    rows[0][0], rows[row][column] = rows[row][column], rows[0][0]
    seen = read_gomoku(exchanged(picture("gomoku", 0), *spots))
    assert seen != truth
    assert seen["board"] == [" ".join(cells) for cells in rows]


def test_two_names_of_blocks_exchanged_are_noticed() -> None:
    truth = tray_of(0)
    pitch = TRAY // truth["extent"]
    one, other = (block for block in truth["blocks"] if block[0] in "ab")
    boxes = []
    for _, row, column, length, upright in (one, other):
        y, x = (
            (2 * row + (length if upright else 1)) * pitch // 2,
            (2 * column + (1 if upright else length)) * pitch // 2,
        )
        boxes.append((50 + y - 20, 50 + x - 20, 40, 40))
    seen = read_unblock(exchanged(picture("unblock", 0), *boxes))
    assert seen != truth
    one[0], other[0] = other[0], one[0]
    assert seen["blocks"] == sorted(truth["blocks"])
