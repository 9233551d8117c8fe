"""Figures: what is drawn, that it fits, and what they are called."""

import ast
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from figure_samples import (
    ADDRESS,
    ALL,
    CHARTS,
    COMPASS,
    CURVES,
    HEAT,
    HOSTILE,
    INTERVALS,
    MARGINS,
    ONE_SERIES,
    SHARES,
    STRIPS,
    findings,
    outside,
    overlapping,
    texts,
    words,
)
from hypothesis import given
from hypothesis import strategies as st

import snellen
from snellen.charts.blocks import (
    Bend,
    Chart,
    Compass,
    Curves,
    Graded,
    Heat,
    Intervals,
    Psychometrics,
    Shares,
    Strip,
    Value,
)
from snellen.charts.kinds import narrowest
from snellen.charts.labels import headed
from snellen.charts.marks import BoxMark, DiscMark, HatchMark, MarksPage, ShapeMark, SpotMark, extent
from snellen.charts.measure import SMALL, TEXT, cut, plain, width, wrap
from snellen.charts.numbers import fixed, tick_texts, ticks, value_text, whole, whole_text
from snellen.charts.palette import FACULTIES, SeriesStyle, look_of
from snellen.charts.screen import chart_json
from snellen.charts.shapes import dot, filled
from snellen.errors import UserError
from snellen.report.figures import COLUMN, NARROWEST, PAGE, Figure, figure_name, figures


def drawn(chart: Chart, millimetres: float = COLUMN) -> MarksPage:
    return Figure("x", chart, millimetres).sheet


def joined(sheet: MarksPage) -> str:
    return " ".join(texts(sheet))


@pytest.mark.parametrize("millimetres", [NARROWEST, COLUMN, PAGE, 300.0])
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_everything_fits_and_no_words_lie_on_others(chart: Chart, millimetres: float) -> None:
    sheet = drawn(chart, millimetres)
    assert sheet.width == pytest.approx(millimetres * 72 / 25.4)
    assert not outside(sheet)
    assert not overlapping(sheet)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_words_have_the_same_size_however_wide_the_figure(chart: Chart) -> None:
    for millimetres in (COLUMN, PAGE):
        assert {each.size for each in words(drawn(chart, millimetres))} <= {TEXT, SMALL}


NAMES = st.text(st.characters(exclude_categories=[]), max_size=70) | st.just(ADDRESS)
NUMBERS = st.floats(0, 100) | st.sampled_from([0.0, 100.0, float("nan"), float("inf")])


@st.composite
def values(draw: st.DrawFn) -> Value | None:
    kind = draw(st.sampled_from(["none", "missing", "bare", "interval"]))
    if kind == "none":
        return None
    if kind == "missing":
        return Value(None, note=draw(NAMES))
    x = draw(NUMBERS)
    if kind == "bare":
        return Value(x)
    return Value(x, draw(st.floats(0, 100)), draw(st.floats(0, 100)))


@st.composite
def rows(draw: st.DrawFn, columns: int) -> tuple[tuple[str, tuple[Value | None, ...]], ...]:
    one = st.tuples(NAMES, st.tuples(*[values()] * columns))
    return tuple(draw(st.lists(one, max_size=6)))


@pytest.mark.soak
@given(st.data(), st.floats(NARROWEST, 250), st.lists(NAMES, min_size=1, max_size=9))
def test_any_intervals_fit(data: st.DataObject, millimetres: float, series: list[str]) -> None:
    chart = Intervals("t", "", "percent", tuple(series), data.draw(rows(len(series))), reference=25.0, line="chance")
    sheet = drawn(chart, millimetres)
    assert not outside(sheet)
    assert not overlapping(sheet)


@given(st.data(), st.floats(NARROWEST, 250), st.lists(NAMES, min_size=1, max_size=7))
def test_any_heat_map_fits(data: st.DataObject, millimetres: float, columns: list[str]) -> None:
    chart = Heat("t", "", "percent", "down", "across", tuple(columns), data.draw(rows(len(columns))))
    sheet = drawn(chart, millimetres)
    assert not outside(sheet)
    assert not overlapping(sheet)


@pytest.mark.soak
@given(st.data(), st.floats(NARROWEST, 250), st.lists(NAMES, min_size=1, max_size=8))
def test_any_shares_fit(data: st.DataObject, millimetres: float, parts: list[str]) -> None:
    weights = st.lists(st.floats(0.01, 1), min_size=len(parts), max_size=len(parts))

    def shared(each: list[float]) -> tuple[Value, ...]:
        return tuple(Value(x / sum(each), 0.0, 1.0) for x in each)

    found = data.draw(st.lists(st.tuples(NAMES, weights.map(shared)), min_size=1, max_size=5))
    sheet = drawn(Shares("t", "", tuple(parts), tuple(found)), millimetres)
    assert not outside(sheet)
    assert not overlapping(sheet)


@pytest.mark.soak
@given(st.data(), st.floats(NARROWEST, 250), st.lists(NAMES, min_size=1, max_size=8))
def test_any_compass_fits(data: st.DataObject, millimetres: float, parts: list[str]) -> None:
    found = data.draw(rows(len(parts)).filter(bool))
    sheet = drawn(Compass("t", "", tuple(parts), found), millimetres)  # type: ignore[arg-type]
    assert not outside(sheet)
    assert not overlapping(sheet)


SHARED = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(lambda each: tuple(x / sum(each) for x in each))
CELLS = st.tuples(st.just(0.0), st.floats(0, 1), SHARED)
MARKS = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), max_size=3).map(tuple)
STRIP = st.builds(Strip, NAMES, NAMES, st.lists(CELLS, max_size=3).map(tuple), MARKS)


@pytest.mark.soak
@given(st.lists(STRIP, min_size=1, max_size=5), st.floats(NARROWEST, 250))
def test_any_strips_fit(strips: list[Strip], millimetres: float) -> None:
    sheet = drawn(replace(STRIPS, rows=tuple(strips)), millimetres)
    assert not outside(sheet)
    assert not overlapping(sheet)


@pytest.mark.parametrize("columns", [2, 4, 7])
def test_long_names_of_columns_do_not_lie_on_one_another(columns: int) -> None:
    names = tuple(f"{ADDRESS}:temperature=0.{k},max_tokens=2000" for k in range(columns))
    chart = replace(HEAT, columns=names, rows=((ADDRESS, (Value(50.0, 40.0, 60.0),) * columns),))
    sheet = drawn(chart, COLUMN)
    assert not outside(sheet)
    assert not overlapping(sheet)


@given(NAMES, st.floats(10, 200))
def test_wrapping_loses_nothing_and_stays_in_its_room(text: str, room: float) -> None:
    seen = plain(text)
    lines = wrap(seen, TEXT, room)
    assert "".join(lines).replace(" ", "") == seen.replace(" ", "")
    assert all(width(line, TEXT) <= room for line in lines)
    assert width(cut(seen, TEXT, room), TEXT) <= room


def test_a_long_address_is_wrapped_after_its_parts_and_never_cut() -> None:
    lines = wrap(ADDRESS, TEXT, 95)
    assert lines == ("openai/my-model@http://", "localhost:8000/v1")


def test_axes_say_what_they_measure_and_in_which_unit() -> None:
    assert "share of boards (%)" in texts(drawn(SHARES))
    assert "accuracy (%)" in texts(drawn(INTERVALS))
    assert "difference (percentage points)" in texts(drawn(ONE_SERIES))
    assert "probability" in texts(drawn(replace(ONE_SERIES, unit="probability", reference=None)))
    assert {"describer", "reasoner"} <= set(texts(drawn(HEAT, PAGE)))
    assert "accuracy (%) and 95\u00a0% CI" in texts(drawn(HEAT, PAGE))
    assert "share of read answers (%)" in texts(drawn(COMPASS))
    assert "place in the text (%)" in texts(drawn(STRIPS))
    assert {"right (%)", "layer"} <= set(texts(drawn(CURVES)))
    assert {"margin (nats)", "alpha"} <= set(texts(drawn(MARGINS)))


def test_legends_name_series_parts_lines_and_marks() -> None:
    assert {"standard", "inverse", "95\u00a0% CI", "chance (50\u00a0%)", "no value"} <= set(texts(drawn(INTERVALS)))
    assert "reference" in texts(drawn(ONE_SERIES))
    assert "all" not in texts(drawn(ONE_SERIES))
    assert set(SHARES.parts) <= set(texts(drawn(SHARES, PAGE)))
    assert {*STRIPS.parts, *STRIPS.marks} <= set(texts(drawn(STRIPS, PAGE)))


def test_a_single_series_has_its_numbers_beside_it() -> None:
    assert "−12.0 [−20.0, −3.0]" in texts(drawn(ONE_SERIES))
    assert "never asked" in texts(drawn(ONE_SERIES))


def bars(sheet: MarksPage) -> list[BoxMark]:
    return [mark for mark in sheet.marks if isinstance(mark, BoxMark)]


def test_what_is_missing_is_never_drawn_as_nothing() -> None:
    some = drawn(SHARES, PAGE)
    assert "not known" in texts(some)
    assert any(box.fill is None and box.dash for box in bars(some))
    assert "nothing to show" in texts(some)
    gone = Value(None)
    empty = Intervals("t", "", "percent", ("a", "b"), (("x", (gone, None)), ("y", (gone, gone))))
    dots = {type(dot(k, 0, 0)) for k in range(2)}
    body = [mark for mark in drawn(empty).marks if type(mark) in dots]
    assert len(body) == len(empty.series)  # those of the legend, and none in the chart
    assert "–" in texts(drawn(replace(HEAT, rows=(("x", (None, Value(1.0))),)), PAGE))
    assert "lost" in texts(drawn(HEAT, PAGE))
    assert "–" in texts(drawn(COMPASS))


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_a_chart_without_rows_says_so(chart: Chart) -> None:
    assert texts(drawn(replace(cast(Any, chart), rows=()))) == ["nothing to show"]


def test_rows_of_one_value_each_take_one_lane() -> None:
    one = Intervals(
        "t", "", "percent", ("a", "b", "c"), (("x", (Value(1.0), None, None)), ("y", (None, Value(2.0), None)))
    )
    both = replace(one, rows=(("x", (Value(1.0), Value(1.0), None)), ("y", (None, Value(2.0), None))))
    assert "no value" not in texts(drawn(one))
    assert drawn(one).height < drawn(both).height


def test_who_cannot_have_a_value_in_a_row_has_no_lane_there() -> None:
    rows = (("x", (Value(1.0), None, Value(2.0))), ("y", (None, Value(3.0), None)))
    full, sparse = (Intervals("t", "", "points", ("a", "b", "c"), rows, sparse=sparse) for sparse in (False, True))
    assert "no value" in joined(drawn(full))
    assert "no value" not in joined(drawn(sparse))
    assert drawn(sparse).height < drawn(full).height


def test_a_curve_has_a_dot_for_every_value_and_none_for_what_is_missing() -> None:
    one = replace(CURVES, rows=CURVES.rows[:1])
    low, middle, high = sorted(_dots(one), reverse=True)
    assert (low - middle) / (middle - high) == pytest.approx(20 / 39)
    assert len(_dots(replace(CURVES, rows=CURVES.rows[1:2]))) == 2


def _dots(chart: Curves) -> list[float]:
    head, *found = [mark.y for mark in drawn(chart, PAGE).marks if isinstance(mark, DiscMark)]
    assert head < min(found)  # the first is that of the legend
    return found


def test_every_line_of_a_curves_grid_has_its_number() -> None:
    assert {"0", "50", "100"} <= set(texts(drawn(CURVES)))
    assert {"−3", "−2", "−1", "0"} <= set(texts(drawn(MARGINS)))


def test_a_curve_has_its_ticks_where_its_values_are() -> None:
    assert {"17", "18", "19"} <= set(texts(drawn(CURVES, PAGE)))
    many = replace(CURVES, xs=tuple(range(1, 61)), rows=(("all", ((Value(50.0),) * 60,) * 3),))
    shown = [text for text in texts(drawn(many)) if text.isdigit() and text not in ("0", "50", "100")]
    assert 5 < len(shown) < 30
    assert shown[-1] == "60"


@given(
    values=st.lists(st.floats(-50, 50), min_size=1, max_size=12),
    panels=st.lists(st.text(max_size=30), min_size=1, max_size=9),
    millimetres=st.sampled_from((NARROWEST, COLUMN, PAGE)),
)
def test_any_curves_fit(values: list[float], panels: list[str], millimetres: float) -> None:
    line = tuple(Value(value, value - 1, value + 1) for value in values)
    xs = tuple(float(k) for k in range(len(line)))
    sheet = drawn(
        Curves("t", "", "nats", "margin", "layer", xs, ("a",), tuple((p, (line,)) for p in panels)), millimetres
    )
    assert not outside(sheet)
    assert not overlapping(sheet)


def test_a_kappa_below_zero_is_not_drawn_at_zero() -> None:
    chart = Intervals("t", "", "probability", ("kappa",), (("x", (Value(-0.4),)), ("y", (Value(0.0),))))
    below, zero = (extent(mark)[0] for mark in drawn(chart).marks if type(mark) is type(dot(0, 0, 0)))
    assert below < zero - 5


def test_a_wind_rose_has_the_first_direction_at_the_top_and_goes_clockwise() -> None:
    wedges = [extent(mark) for mark in drawn(COMPASS).marks if isinstance(mark, ShapeMark)]
    _, up, right, *_ = wedges  # the first is that of the legend
    middle = up[3]
    assert right[0] == pytest.approx((up[0] + up[2]) / 2)
    assert right[1] < middle < right[3]
    assert ((right[2] - right[0]) / (up[3] - up[1])) ** 2 == pytest.approx(0.3 / 0.7, rel=0.01), "areas are shares"


def test_strips_show_a_text_from_left_to_right() -> None:
    single = replace(STRIPS, rows=STRIPS.rows[:1])
    cells = [box for box in bars(drawn(single, PAGE)) if box.width > 100]
    assert [round(box.height / 11, 2) for box in cells] == [0.4, 0.6, 0.8, 0.2]
    assert cells[0].x == cells[1].x < cells[2].x == cells[3].x
    assert cells[2].x - cells[0].x == pytest.approx(cells[0].width + 0.4)


def test_every_value_of_a_chart_can_be_pointed_at() -> None:
    wanted: dict[Any, int] = {SHARES: 8, INTERVALS: 4, ONE_SERIES: 2, HEAT: 3, COMPASS: 8, CURVES: 11}
    for chart, count in wanted.items():
        spots = [mark for mark in drawn(chart).marks if isinstance(mark, SpotMark)]
        assert len(spots) == count, chart.title
    says = {mark.text for mark in drawn(ONE_SERIES).marks if isinstance(mark, SpotMark)}
    assert says == {"a: −12.0 [−20.0, −3.0] points", "b: – (never asked)"}


def spots(sheet: MarksPage) -> list[SpotMark]:
    return [mark for mark in sheet.marks if isinstance(mark, SpotMark)]


def test_a_tip_says_the_unit_of_its_number() -> None:
    said = {mark.text for chart in (SHARES, INTERVALS, HEAT, COMPASS, CURVES, MARGINS) for mark in spots(drawn(chart))}
    units = (" %", " nats")
    assert not [text for text in said if "–" not in text and not text.partition(" (")[0].endswith(units)]


def test_no_spot_of_a_stacked_bar_names_another_part() -> None:
    parts = (Value(0.5, 0.4, 0.6), Value(0.0, 0.0, 0.1), Value(0.5, 0.4, 0.6))
    found = spots(drawn(Shares("t", "", ("a", "b", "c"), (("x", parts),)), PAGE))
    assert [mark.text[3] for mark in found] == ["a", "c", "a", "b", "c"]
    assert [mark.height for mark in found[:2]] == [11, 11]
    lanes = found[2:]
    assert all(one.y + one.height <= other.y + 1e-6 for one, other in pairwise([found[0], *lanes]))
    assert all(mark.width > 2 for mark in lanes)


def test_shares_lie_side_by_side_and_fill_the_bar() -> None:
    sheet = drawn(replace(SHARES, rows=SHARES.rows[:1]), PAGE)
    pieces = [box for box in bars(sheet) if box.height == 11]
    assert len(pieces) == len(SHARES.parts)
    whole = sum(box.width for box in pieces)
    assert [round(box.width / whole, 3) for box in pieces] == [0.3, 0.6, 0.1]
    assert all(a.x + a.width == pytest.approx(b.x) for a, b in pairwise(pieces))


@pytest.mark.parametrize("looks", [[look_of(k) for k in range(7)], list(FACULTIES.values())])
def test_parts_and_series_differ_without_colour(looks: list[SeriesStyle]) -> None:
    hatches = {
        tuple(
            (round(b[0] - a[0], 3), round(b[1] - a[1], 3))
            for mark in filled(look, 0, 0, 20, 20)
            if isinstance(mark, HatchMark)
            for a, b in mark.lines.runs
        )
        for look in looks
    }
    assert len(hatches) == len(looks)

    def shape(k: int) -> object:
        mark = dot(k, 0, 0)
        return type(mark), getattr(mark, "points", ()), mark.edge == "#ffffff"  # type: ignore[union-attr]

    assert len({shape(k) for k in range(10)}) == 10


def test_hatching_stays_within_its_box() -> None:
    for look in FACULTIES.values():
        for mark in MarksPage(9, 30, tuple(filled(look, 3, 5, 0.4, 17))).inked:
            left, top, right, bottom = extent(mark)
            assert left >= 3 - 1e-6
            assert top >= 5 - 1e-6
            assert right <= 3.4 + 1e-6
            assert bottom <= 22 + 1e-6


def test_names_that_begin_alike_stand_under_one_heading() -> None:
    assert headed(["a · x", "a · y", "b · z"]) == [("a", True, "x"), ("", True, "y"), ("b", True, "z")]
    assert headed(["a", "a · x", "b"]) == [("", False, "a"), ("", True, "x"), ("", False, "b")]
    assert headed(["a · x", "b · x"]) == [("", False, "a · x"), ("", False, "b · x")]
    assert headed(["a · †", "a · x · †"]) == [("", False, "a · †"), ("", True, "x · †")]
    assert joined(drawn(SHARES)).count(ADDRESS) == 1


def test_text_that_hides_something_is_shown_by_its_number() -> None:
    assert plain("a\u202eb\x00\ud800\uffff") == "a‹U+202E›b‹U+0000›‹U+D800›‹U+FFFF›"
    assert plain("a\n b\t5 %") == "a b 5\u00a0%"
    assert plain("x" * 300) == "x" * 200 + "…"


def test_a_share_is_rounded_alike_in_its_bar_and_in_the_legend() -> None:
    assert [whole(x) for x in (62.5, 63.5, 62.49, 100 * 0.145)] == [63, 64, 62, 15]
    sheet = drawn(Shares("t", "", ("a", "b"), (("", (Value(0.625), Value(0.375))),)), PAGE)
    assert {"a 63", "b 38", "63\u00a0%", "38\u00a0%"} <= set(texts(sheet))


@pytest.mark.parametrize("gone", [None, float("nan")])
def test_a_missing_number_is_a_dash(gone: float | None) -> None:
    assert whole_text(Value(gone)) == whole_text(None) == "–"
    assert whole_text(Value(12.0, gone, 17.0)) == "12"
    sheet = drawn(Shares("t", "", ("a", "b"), (("", (Value(0.9, 0.8, 0.95), Value(gone))),)), PAGE)
    assert {"a 90 (80–95)", "b –"} <= set(texts(sheet))


NAN = float("nan")
BARE = [None, Value(None), Value(NAN), Value(NAN, NAN, NAN), Value(0.0), Value(0.0, 0.0, 0.0)]


def _degenerate(each: Value | None) -> dict[str, Chart]:
    """Every kind of chart with nothing but this value."""
    rows: Any = (("x", (each, each)), ("y", (each, each)))
    number = 0.0 if each is None else each.value
    bend = Bend((number,), (number,), (number,), (number,), ((number, each or Value(None)),), each or Value(None))
    graded = Graded("x", "px", number, (None if each is None else bend, None), (("r", number),))
    curves = Curves("t", "", "nats", "q", "x", (1.0, 2.0), ("a", "b"), (("x", ((each, each), (each, each))),))
    one: dict[str, Chart] = {
        "shares": Shares("t", "", ("a", "b"), rows),
        "compass": Compass("t", "", ("a", "b"), rows),
        "curves": curves,
        "one place": replace(curves, xs=(1.0, 1.0)),
        "no bounds": replace(curves, bounds=(0.0, 0.0)),
        "strips": replace(
            STRIPS, rows=(Strip("x", "", ((0.0, 1.0, (number,) * 3), (number, number, ())), ((0, number),)),)
        ),
        "psychometrics": Psychometrics("t", "", ("a", "b"), (graded,)),
    }
    for unit in ("percent", "points", "probability"):
        one[f"{unit} intervals"] = Intervals("t", "", unit, ("a", "b"), rows, reference=number)
        one[f"{unit} references"] = Intervals("t", "", unit, ("a", "b"), rows, references=(number, number))
        one[f"{unit} heat"] = Heat("t", "", unit, "d", "a", ("a", "b"), rows)
    return one


@pytest.mark.parametrize("each", BARE, ids=str)
def test_charts_of_nothing_but_missing_numbers_or_zeros_are_drawn(each: Value | None) -> None:
    for kind, chart in _degenerate(each).items():
        for millimetres in (NARROWEST, PAGE):
            sheet = drawn(chart, millimetres)
            assert not outside(sheet), kind
            assert not overlapping(sheet), kind
            assert "nan" not in repr([extent(mark) for mark in sheet.marks]), kind
            assert not [text for text in (*texts(sheet), sheet.told) if "nan" in text or "None" in text], kind


def test_charts_without_values_series_or_data_are_drawn() -> None:
    assert texts(drawn(replace(CURVES, series=(), rows=(("x", ()),)))) == ["nothing to show"]
    assert "–" in texts(drawn(Compass("t", "", ("a", "b"), (("x", ()),))))
    empty = Graded("letters", "px", 50.0, (None,))
    assert {"letters", "nothing to show"} <= set(texts(drawn(Psychometrics("t", "", ("a",), (empty,)))))
    assert "nothing to show" in texts(drawn(Shares("t", "", (), (("x", ()),))))


def test_a_reference_that_is_missing_leaves_the_others() -> None:
    chart = replace(INTERVALS, reference=None, references=(25.0, NAN, None))
    assert drawn(chart).marks == drawn(replace(chart, references=(25.0, None, None))).marks
    assert drawn(replace(INTERVALS, reference=NAN)).marks == drawn(replace(INTERVALS, reference=None)).marks


def test_a_share_of_a_strip_that_is_missing_leaves_the_others() -> None:
    strip = Strip("x", "", ((0.0, 0.5, (NAN, 0.6, 0.4)), (0.5, NAN, (1.0, 0.0, 0.0))), ((0, NAN),))
    same = Strip("x", "", ((0.0, 0.5, (0.0, 0.6, 0.4)),))
    assert drawn(replace(STRIPS, rows=(strip,))).marks == drawn(replace(STRIPS, rows=(same,))).marks


def test_the_page_is_sent_each_drawing_once() -> None:
    assert [drawing["size"][0] for drawing in chart_json(SHARES)["drawings"]] == [500, 300, 170.08]
    wide = replace(HEAT, columns=("a" * 40,) * 20, rows=(("x", (Value(50.0),) * 20),))
    assert [drawing["size"][0] for drawing in chart_json(wide)["drawings"]] == [
        pytest.approx(narrowest(wide), abs=0.01)
    ]


def test_numbers() -> None:
    assert [fixed(x, 1) for x in (-0.04, -1.25, 1234.5)] == ["0.0", "−1.2", "1,234.5"]
    assert value_text(Value(0.5, 0.25, 0.75), "probability") == "0.50 [0.25, 0.75]"
    assert value_text(Value(3.0, None, 5.0), "points") == "+3.0"
    assert ticks(0, 100, 4) == [0, 25, 50, 75, 100]
    assert ticks(-0.42, 1, 3) == [0, 0.5, 1]
    assert tick_texts([0, 0.25, 0.5]) == ["0.00", "0.25", "0.50"]


@given(st.floats(-100, 99), st.floats(0.5, 200), st.floats(1, 12))
def test_ticks_lie_on_the_axis(low: float, more: float, wanted: float) -> None:
    found = ticks(low, low + more, wanted)
    assert all(low - 1e-6 <= x <= low + more + 1e-6 for x in found)
    assert found == sorted(set(found))
    assert len(found) <= wanted + 2


def test_names_are_task_and_title_in_the_order_of_the_report() -> None:
    assert list(figures(ALL)) == [
        "fixation-of-100-boards",
        "fixation-accuracy-by-rule",
        "fixation-difference",
        "fixation-describer-by-reasoner",
        "fixation-directions",
        "fixation-replies",
        "fixation-steering-accuracy-by-layer",
        "fixation-margins",
    ]


def test_names_are_unique() -> None:
    again = replace(SHARES, title="Of 100 boards 2")
    assert list(figures(findings(SHARES, SHARES, again, SHARES))) == [
        "fixation-of-100-boards",
        "fixation-of-100-boards-2",
        "fixation-of-100-boards-2-2",
        "fixation-of-100-boards-3",
    ]


@given(NAMES, NAMES)
def test_a_name_is_a_safe_file_name(task: str, title: str) -> None:
    name = figure_name(task, title)
    assert 0 < len(name) <= 80
    assert all(part.isascii() and part.isalnum() and part == part.lower() for part in name.split("-"))


def test_a_task_is_not_named_twice() -> None:
    assert figure_name("lamps", "lamps: accuracy") == "lamps-accuracy"
    assert figure_name("", "") == "figure"


def test_an_unknown_figure_and_the_nearest() -> None:
    found = figures(ALL)
    with pytest.raises(UserError, match="unknown figure 'fixation-acuracy'; did you mean fixation-accuracy-by-rule"):
        found["fixation-acuracy"]
    assert "fixation-acuracy" not in found
    assert found.get("fixation-acuracy") is None


@pytest.mark.parametrize("millimetres", [0, 59, 501, float("nan"), -85])
def test_a_width_nobody_means(millimetres: float) -> None:
    with pytest.raises(UserError, match="expected 60 to 500"):
        figures(ALL, millimetres)


def test_usual_widths_are_a_column_or_a_page() -> None:
    wide = replace(HEAT, columns=tuple("abcdefg"), rows=(("x", (Value(10.0, 5.0, 15.0),) * 7),))
    narrow = replace(wide, columns=("a", "b"), rows=(("x", (Value(10.0, 5.0, 15.0),) * 2),))
    found = figures(findings(SHARES, wide, narrow, STRIPS))
    assert [each.width for each in found.values()] == [COLUMN, PAGE, COLUMN, PAGE]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_hostile_names_come_out_as_text(chart: Chart) -> None:
    evil = replace(cast(Any, chart), title=HOSTILE, rows=tuple(_renamed(row) for row in chart.rows))
    sheet = drawn(evil, PAGE)
    assert not outside(sheet)
    assert "</svg><script>" in joined(sheet)


def _renamed(row: object) -> object:
    return (HOSTILE, *row[1:]) if isinstance(row, tuple) else replace(row, label=HOSTILE)  # type: ignore[type-var]


NEEDED = {"Shares": {"of"}, "Compass": {"of"}, "Intervals": {"quantity"}, "Heat": {"quantity"}}


def test_every_chart_of_the_analysis_says_what_it_measures() -> None:
    calls = [
        (path.name, node.lineno, node.func.id, {keyword.arg for keyword in node.keywords})
        for path in Path(snellen.__file__).parent.rglob("*.py")
        for source in [path.read_text(encoding="utf-8")]
        if any(f"{kind}(" in source for kind in NEEDED)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NEEDED
    ]
    assert len(calls) > 15
    for file, line, kind, told in calls:
        assert NEEDED[kind] <= told, f"{file}:{line}: what does this {kind} measure?"
        assert "reference" not in told or "line" in told, f"{file}:{line}: what is the reference line?"
