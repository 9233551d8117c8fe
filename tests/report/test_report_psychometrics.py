"""The figure of psychometric curves: everybody in it, thresholds told, no words over words, whatever the width."""

from functools import cache

from figure_samples import HOSTILE, outside, overlapping

from snellen.charts.blocks import Psychometrics, to_json
from snellen.charts.marks import LineMark, ShapeMark, TextMark
from snellen.charts.palette import SOFT
from snellen.charts.psychometrics import draw
from snellen.report.figures import COLUMN, PAGE, figures
from snellen.tasks.acuity.study.curves import curve_charts
from snellen.tasks.acuity.study.results import AcuityResults
from support.acuity_rows import Sitting, table, whole_exam
from support.lengths import some_of


def charts(*sittings: Sitting) -> dict[str, Psychometrics]:
    return {chart.title: chart for chart in curve_charts(AcuityResults(table(*sittings)))}


@cache
def three() -> dict[str, Psychometrics]:
    second = Sitting("two", 3).track("letters", 1.1).track("contrast", 0.01).track("landolt", 0.001, slope=10)
    return charts(whole_exam("one"), second, Sitting(HOSTILE.replace("\ud800", ""), 5).track("letters", 6.0))


MAIN = "Percent right at every level"


@some_of("wide", [COLUMN, PAGE, 320.0], 3)
def test_curves_of_all_subjects_fit_their_sheet_and_no_words_overlap(wide):
    for chart in three().values():
        sheet = draw(chart, wide * 72 / 25.4)
        assert not outside(sheet)
        assert not overlapping(sheet)


def test_single_tests_stripes_and_colours_are_charts_of_their_own():
    assert list(three()) == [MAIN, f"{MAIN}: gratings", f"{MAIN}: colour"]
    assert list(charts(Sitting("x").track("letters", 2.0))) == [MAIN]
    assert charts(Sitting("x").blank("letters", 1, 2)) == {}


def test_a_panel_has_points_with_intervals_a_band_and_the_threshold_of_who_was_asked():
    chart = three()[MAIN]
    rings = next(panel for panel in chart.panels if panel.title == "Landolt rings")
    one, two, third = rings.bends
    assert third is None, "it was not asked"
    assert one.low[0] <= one.mean[0] <= one.high[0]
    assert all(value.low <= value.value <= value.high and value.n for _, value in one.points)
    assert one.threshold.low < one.threshold.value < one.threshold.high
    assert two.threshold.value is None
    assert two.threshold.note == "better than 0.50\u00a0px of gap"
    assert "Landolt rings, two: better than 0.50" in draw(chart, 500).told


def test_who_has_no_threshold_has_no_upright_line():
    def dashed(chart: Psychometrics) -> int:
        return sum(
            isinstance(mark, LineMark) and mark.dash == (3.0, 1.6) and mark.ink != SOFT
            for mark in draw(chart, 400).marks
        )

    assert dashed(charts(Sitting("x").track("alignment", 2.0))[MAIN]) == 1
    assert dashed(charts(Sitting("x").track("alignment", 0.001, slope=10))[MAIN]) == 0


def test_readers_are_thin_lines_where_letters_are_asked():
    sheet = draw(three()[MAIN], 500)
    names = [mark.text for mark in sheet.marks if isinstance(mark, TextMark)]
    assert names.count("tesseract") == 1, "on letters; it reads the faintest that was drawn"
    assert names.count("rapidocr") == 2, "on contrast, too"
    assert "measured" in three()[MAIN].note


def test_it_is_a_figure_by_name_and_goes_to_the_page_with_its_kind():
    from snellen.examine.findings import findings

    found = findings(table(Sitting("x").track("letters", 2.0)))
    figure = figures(found)["acuity-percent-right-at-every-level"]
    assert any(isinstance(mark, ShapeMark) for mark in figure.sheet.marks)
    assert to_json(figure.block)["kind"] == "psychometrics"
