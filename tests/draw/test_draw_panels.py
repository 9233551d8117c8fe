"""Panels: what is drawn is what the marks say, and the words tell it."""

from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.tasks.marvel.draw.figures import FIGURES
from snellen.tasks.marvel.draw.marks import BLACK, COLOURS, GREY, WHITE, palette
from snellen.tasks.marvel.draw.panels import SIDE, draw_panel, panel_pixels, panel_words
from snellen.tasks.marvel.marks import FILLS
from support.lengths import examples

TURNS = range(0, 360, 15)


def panel(*marks: dict[str, Any]) -> dict[str, Any]:
    return {"marks": list(marks)}


def figure(shape: str, x: int = 90, y: int = 90, size: int = 40, **more: Any) -> dict[str, Any]:
    return {"shape": shape, "x": x, "y": y, "size": size, **more}


def line(x: int, y: int, x2: int, y2: int, **more: Any) -> dict[str, Any]:
    return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2, **more}


def path(*points: tuple[int, int], closed: bool = False, curved: bool = False, **more: Any) -> dict[str, Any]:
    return {"shape": "path", "points": [list(point) for point in points], "closed": closed, "curved": curved, **more}


def ink_box(pixels: np.ndarray) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the ink, as the places of its outer edges."""
    rows, columns = np.nonzero(pixels != WHITE)
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


# Figures


@pytest.mark.parametrize("shape", FIGURES)
@pytest.mark.parametrize("size", [8, 24, 70])
def test_a_figure_is_as_large_as_it_says_and_stands_where_it_says(shape: str, size: int) -> None:
    left, top, right, bottom = ink_box(panel_pixels(panel(figure(shape, 92, 88, size, fill="black"))))
    assert abs(max(right - left, bottom - top) - 2 * size) <= 2 + size // 20
    assert abs((left + right) / 2 - 92) <= 1
    assert abs((top + bottom) / 2 - 88) <= 1


@pytest.mark.parametrize("shape", FIGURES)
def test_a_turned_figure_keeps_its_middle(shape: str) -> None:
    for turn in TURNS:
        left, top, right, bottom = ink_box(panel_pixels(panel(figure(shape, turn=turn, fill="black"))))
        assert abs(left + right - 180) <= 2
        assert abs(top + bottom - 180) <= 2


def test_turns_that_cannot_be_seen_change_nothing() -> None:
    for shape, turn in (("square", 90), ("hexagon", 120), ("triangle", 240), ("ellipse", 180), ("circle", 15)):
        upright, turned = panel(figure(shape, turn=30)), panel(figure(shape, turn=30 + turn))
        assert np.array_equal(panel_pixels(upright), panel_pixels(turned))
        assert panel_words(upright) == panel_words(turned)


def test_turns_that_can_be_seen_are_seen() -> None:
    for shape in set(FIGURES) - {"circle"}:
        looks = {panel_pixels(panel(figure(shape, turn=turn, fill="black"))).tobytes() for turn in TURNS}
        assert len(looks) >= 4, shape


def test_all_figures_differ() -> None:
    assert len({panel_pixels(panel(figure(shape))).tobytes() for shape in FIGURES}) == len(FIGURES)


def test_turning_goes_clockwise() -> None:
    pixels = panel_pixels(panel(figure("drop", turn=90, fill="black")))
    assert (pixels[:, 54] != WHITE).sum() > (pixels[:, 125] != WHITE).sum()  # the tip is on the right


@pytest.mark.parametrize(
    ("fill", "inside"), [("none", {GREY}), ("white", {WHITE}), ("grey", {GREY}), ("black", {BLACK})]
)
def test_fills_cover_what_is_below_or_let_it_through(fill: str, inside: set[int]) -> None:
    below = figure("square", size=60, fill="grey")
    pixels = panel_pixels(panel(below, figure("circle", size=30, fill=fill)))
    assert set(pixels[80:100, 80:100].ravel().tolist()) == inside
    assert pixels[90, 61] == BLACK  # the outline, within the size
    assert pixels[90, 58] == GREY


def test_stripes_are_part_ink_part_paper() -> None:
    middle = panel_pixels(panel(figure("circle", fill="striped")))[70:110, 70:110]
    assert set(np.unique(middle).tolist()) == {BLACK, WHITE}
    assert 0.25 < (middle == BLACK).mean() < 0.5


# Lines, paths, grids, letters


def test_lines_are_four_pixels_wide() -> None:
    pixels = panel_pixels(panel(line(20, 90, 160, 90)))
    for column in range(22, 158):
        assert np.flatnonzero(pixels[:, column] == BLACK).tolist() == [88, 89, 90, 91]
    assert ink_box(pixels) == (18, 88, 162, 92)


def test_a_line_has_no_direction() -> None:
    one, other = panel(line(20, 33, 157, 121)), panel(line(157, 121, 20, 33))
    assert np.array_equal(panel_pixels(one), panel_pixels(other))
    assert panel_words(one) == panel_words(other)


@given(st.lists(st.tuples(st.integers(20, 160), st.integers(20, 160)), min_size=2, max_size=7), st.booleans())
@examples(20, 40)
def test_a_path_goes_through_its_points_in_one_piece(points: list[tuple[int, int]], curved: bool) -> None:
    from scipy.ndimage import label

    pixels = panel_pixels(panel(path(*points, curved=curved)))
    assert all(pixels[y, x] == BLACK for x, y in points)
    assert label(np.pad(pixels, 3, constant_values=WHITE) == BLACK, np.ones((3, 3)))[1] >= 1
    if not curved:  # a curve may bulge out of the panel and come back
        assert label(pixels == BLACK, np.ones((3, 3)))[1] == 1


def test_a_closed_path_is_closed_and_filled() -> None:
    corners = ((40, 40), (140, 40), (140, 140), (40, 140))
    open_path, closed = panel_pixels(panel(path(*corners))), panel_pixels(panel(path(*corners, closed=True)))
    assert open_path[90, 40] == WHITE
    assert closed[90, 40] == BLACK
    assert panel_pixels(panel(path(*corners, closed=True, fill="grey")))[90, 90] == GREY


def test_the_same_path_elsewhere_has_the_same_pixels() -> None:
    corners = ((40, 40), (100, 53), (75, 101))
    here = panel_pixels(panel(path(*corners, closed=True, curved=True, fill="striped")))
    there = panel_pixels(panel(path(*((x + 31, y + 17) for x, y in corners), closed=True, curved=True, fill="striped")))
    assert np.array_equal(here[:150, :140], there[17:167, 31:171])


def test_a_grid_has_its_cells() -> None:
    pixels = panel_pixels(panel({"shape": "grid", "x": 30, "y": 40, "cell": 20, "rows": ["#.", "o/", ".#"]}))
    assert pixels[50, 40] == BLACK
    assert pixels[50, 60] == WHITE
    assert pixels[70, 40] == GREY
    assert set(np.unique(pixels[63:78, 53:68]).tolist()) == {BLACK, WHITE}
    assert ink_box(pixels) == (29, 39, 71, 101)


def test_a_letter_is_as_high_as_it_says() -> None:
    left, top, right, bottom = ink_box(panel_pixels(panel(figure("letter", letter="H"))))
    assert abs(bottom - top - 80) <= 1
    assert abs(left + right - 180) <= 1
    assert abs(top + bottom - 180) <= 1


def test_what_leaves_the_panel_is_cut_off() -> None:
    for x, y in ((0, 0), (180, 0), (0, 180), (180, 180), (-60, 90), (90, 260)):
        pixels = panel_pixels(panel(figure("circle", x, y, 50, fill="grey"), line(x, y, 90, 90)))
        assert pixels.shape == (SIDE, SIDE)
        assert (pixels != WHITE).any()


def test_colours_only_when_wanted() -> None:
    there = panel(figure("star", fill="black", colour="red"), figure("circle", 30, 30, 12))
    assert set(np.unique(panel_pixels(there, False)).tolist()) == {BLACK, WHITE}
    coloured = palette(True)[panel_pixels(there, True)]
    assert coloured[90, 90].tolist() == list(COLOURS["red"])
    assert coloured[30, 19].tolist() == [0, 0, 0]
    assert "red" in panel_words(there, True)
    assert "red" not in panel_words(there)
    outlined = panel_words(panel(figure("star", fill="white", colour="orange")), True)
    assert outlined.startswith("A large white star with an orange outline")


@pytest.mark.parametrize(
    ("mark", "complaint"),
    [
        (figure("blob"), "unknown shape 'blob'"),
        ({"x": 1}, "unknown shape"),
        (figure("star", fill="blue"), "unknown fill 'blue'"),
        (figure("star", colour="mauve"), "unknown colour 'mauve'"),
        (figure("star", turn=20), "multiple of 15"),
        (figure("star", sise=3), "a star has no sise"),
        ({"shape": "star", "x": 9, "y": 9}, "a star needs size"),
        ({"shape": "line", "x": 9, "y": 9}, "a line needs x2, y2"),
        (path((9, 9)), "two points"),
        ({"shape": "grid", "x": 9, "y": 9, "cell": 9, "rows": ["#", ".."]}, "equally long"),
        ({"shape": "grid", "x": 9, "y": 9, "cell": 9, "rows": ["#x"]}, "unknown cell 'x'"),
        ({"shape": "grid", "x": 90, "y": 9, "cell": 90, "rows": ["#."]}, "within the panel"),
    ],
)
def test_a_mark_that_cannot_be_drawn_is_named_in_one_line(mark: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as error:
        panel_pixels(panel(mark))
    assert "\n" not in str(error.value)


def test_the_same_bytes_on_every_machine() -> None:
    """If this fails without the drawing having been changed, some machine or library draws otherwise."""
    sheet = b""
    for place, shape in enumerate(FIGURES):
        fills = [figure(shape, 20 + 35 * i, 90, 15, fill=fill, turn=45 + 15 * i) for i, fill in enumerate(FILLS)]
        sheet += draw_panel(panel(figure(shape, 90, 90, 70, turn=15 * place), *fills, figure(shape, 30, 30, 9))).data
    curve = path((30, 60), (60, 150), (100, 100), (150, 150), (120, 30), closed=True, curved=True, fill="striped")
    sheet += draw_panel(panel(curve, line(20, 20, 160, 91), figure("letter", size=30, letter="Q"))).data
    assert sha256(sheet).hexdigest()[:16] == "39ddf3c560b9cc11"


# Words


def test_equal_marks_are_counted_and_told_with_their_places() -> None:
    words = panel_words(
        panel(
            figure("circle", 60, 70, 8, fill="black"),
            figure("hexagon", size=60),
            figure("circle", 150, 90, 8, fill="black"),
            figure("arrow", 20, 160, 12, turn=135, fill="grey"),
        )
    )
    assert words == (
        "A large white hexagon, 120 across, at the centre (90, 90). A small grey arrow, 24 across, pointing to the "
        "lower right, at the lower left (20, 160), outside the hexagon. Two small black circles, 16 across: at the "
        "left (60, 70), inside the hexagon; at the right (150, 90), on the edge of the hexagon."
    )


def test_an_empty_panel_is_said_to_be_empty() -> None:
    assert "empty" in panel_words(panel())


def test_given_words_replace_those_made() -> None:
    assert panel_words({"marks": [figure("star")], "words": "A cube."}) == "A cube."


def test_white_over_nothing_is_told_like_an_outline() -> None:
    assert panel_words(panel(figure("star", fill="white"))) == panel_words(panel(figure("star", fill="none")))


def test_hiding_is_told() -> None:
    back, front = figure("square", 70, 90, 40, fill="grey"), figure("circle", 110, 90, 40, fill="white")
    assert panel_words(panel(back, front)).startswith("From back to front")
    assert panel_words(panel(back, front)) != panel_words(panel(front, back))
    assert "see-through circle" in panel_words(panel(back, front | {"fill": "none"}))


def test_what_cannot_be_seen_is_not_told() -> None:
    hidden = panel(figure("star", size=10), figure("square", fill="grey"))
    assert "star" not in panel_words(hidden)
    assert "star" not in panel_words(panel(figure("square", fill="black"), figure("star", size=10, fill="black")))
    assert "star" in panel_words(panel(figure("square", fill="grey"), figure("star", size=10)))


def test_crossings_and_areas_are_told() -> None:
    crossed = panel(line(30, 90, 150, 90), line(90, 30, 90, 150), line(120, 40, 120, 89))
    assert "at two places: (90, 90), (120, 90)" in panel_words(crossed)
    assert "no areas" in panel_words(crossed)
    house = panel(figure("square", 90, 110, 40), line(50, 70, 130, 150), path((50, 72), (90, 30), (130, 72)))
    assert "enclose three areas" in panel_words(house)
    loop = panel(path((40, 60), (140, 120), (140, 60), (40, 120)))
    assert "one place: (90, 90)" in panel_words(loop)
    assert "one area." in panel_words(loop)


def test_grids_are_told_cell_by_cell() -> None:
    words = panel_words(panel({"shape": "grid", "x": 30, "y": 40, "cell": 20, "rows": ["#.", "o/"]}))
    assert "row 1: black, white; row 2: grey, striped" in words
    assert "(30, 40)" in words


@st.composite
def marks(draw: st.DrawFn) -> dict[str, Any]:
    """A mark out of few possible ones, so that marks often lie over each other or look the same."""
    x, y = draw(st.sampled_from((60, 90, 120))), draw(st.sampled_from((60, 90)))
    kind = draw(st.sampled_from(("figure", "figure", "figure", "line", "path", "grid", "letter")))
    if kind == "figure":
        shape = draw(st.sampled_from(("circle", "square", "triangle", "arrow", "moon")))
        turn, fill = draw(st.sampled_from((0, 90, 120, 195))), draw(st.sampled_from(FILLS))
        return figure(shape, x, y, draw(st.sampled_from((8, 30, 40))), turn=turn, fill=fill)
    if kind == "line":
        return line(x, y, draw(st.sampled_from((30, 90, 150))), 150)
    if kind == "path":
        points = [(x + 30, y), (x, y + 40), draw(st.sampled_from(((30, 30), (150, 40)))), (90, 120)]
        closed, curved = draw(st.booleans()), draw(st.booleans())
        return path(*points, closed=closed, curved=curved, fill=draw(st.sampled_from(FILLS)))
    if kind == "grid":
        return {"shape": "grid", "x": x, "y": y, "cell": 15, "rows": draw(st.sampled_from((["#."], [".#", "o/"])))}
    return {"shape": "letter", "x": x, "y": y, "size": 20, "letter": draw(st.sampled_from("AB"))}


@given(st.lists(marks(), max_size=4), st.data())
@examples(40, 150)
def test_panels_that_look_different_have_different_words(some: list[dict[str, Any]], data: st.DataObject) -> None:
    others = list(some)
    change = data.draw(st.sampled_from(("order", "one", "more", "fill")))
    if change == "order":
        others = data.draw(st.permutations(others))
    elif change == "more" or not others:
        others.insert(data.draw(st.integers(0, len(others))), data.draw(marks()))
    else:
        place = data.draw(st.integers(0, len(others) - 1))
        fills = "fill" in others[place] and change == "fill"
        others[place] = others[place] | {"fill": data.draw(st.sampled_from(FILLS))} if fills else data.draw(marks())
    if not np.array_equal(panel_pixels(panel(*some)), panel_pixels(panel(*others))):
        assert panel_words(panel(*some)) != panel_words(panel(*others))
