"""Cards: everything fits, nothing is drawn that was not measured, and no name gets out of its place."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from figure_samples import HOSTILE, outside, overlapping, texts
from PIL import Image

from snellen.charts.labels import spread
from snellen.charts.marks import BoxMark, DiscMark, LineMark, MarksPage, ShapeMark, TextMark, extent
from snellen.charts.measure import width
from snellen.charts.page_files import save_page
from snellen.charts.png import to_png
from snellen.charts.rounds import round_numbers
from snellen.charts.svg import to_svg
from snellen.errors import UserError
from snellen.tasks.acuity.card import DARK, LIGHT, draw, side_by_side
from snellen.tasks.acuity.card.chart import STROKES, eye_chart
from snellen.tasks.acuity.card.pieces import Logs
from snellen.tasks.acuity.study import AcuityStudy, Card
from support.acuity_rows import HUES, Sitting, table, whole_exam
from support.lengths import some_of


def examined(one: Sitting) -> Card:
    (made,) = AcuityStudy(table(one), 0).cards
    return made


@cache
def of(situation: Callable[[], Sitting]) -> Card:
    """The card of a situation, worked out once for all that look at it."""
    return examined(situation())


def whole() -> Sitting:
    return whole_exam()


def letters_only() -> Sitting:
    return Sitting("ocr/rapidocr", 1).track("letters", 2.0)


def sees_everything() -> Sitting:
    one = Sitting("best", 2)
    for test in ("letters", "contrast", "crowding", "alignment", "crossings", *(f"colour-{hue}" for hue in HUES)):
        one.track(test, 0.001, slope=10)
    return one.track("gratings-2", 0.0001, slope=10).track("gratings-8", 0.0001, slope=10)


def sees_nothing() -> Sitting:
    one = Sitting("worst", 3)
    for test in ("letters", "landolt", "contrast", "paths", "gratings-2", "gratings-32", "colour-red", "colour-blue"):
        one.track(test, 900.0, slope=8)
    return one.blank("letters", 190, 200, unread=100)


def lapses() -> Sitting:
    one = Sitting("not looking", 3).track("letters", 2.0, lapse=0.55).track("gratings-8", 0.1, lapse=0.55)
    return one.constant("letters", 50.1, 8, 12).constant("gratings-8", 0.992, 10, 12)


def no_letters() -> Sitting:
    return Sitting("no letters", 5).track("alignment", 1.0)


def blank_only() -> Sitting:
    return Sitting("blank", 6).blank("letters", 1, 4)


def long_name() -> Sitting:
    return Sitting(f"openai/{'a-very-long-name-' * 9}@https://example.org:8000/v1", 7).track("letters", 30.0)


def uneven_field() -> Sitting:
    one = Sitting("field", 8)
    for canvas in ("512", "1024"):
        for row in range(1, 6):
            for column in range(1, 5):
                one.track("letters", 9.0 if row == 1 else 2.0, place=f"r{row}c{column}", canvas=canvas)
    return one


def offsets_only() -> Sitting:
    """Of sizes only what needs no thresholds over canvases: patches, tokens, and a size that was not taken."""
    one = Sitting("patches", 9)
    for at in range(64):
        near = at % 16 < 6
        for level in (1.58, 2.0, 2.51, 3.16):
            one.constant("letters", level, *((1, 3) if near else (4, 0)), place=f"+{at}")
    for canvas, spent in (("256", 140), ("512", 440), ("1024", 1640)):
        one.constant("letters", 50.1, 1, 0, canvas=canvas, tokens_in=spent)
    return one.failed("letters", 50.1, 3, canvas="4096")


def hard_to_read() -> Sitting:
    """Some answers to every test cannot be read."""
    one = whole_exam("mumbles")
    for test, level, times in (
        *(("letters", 2.0, 11), ("landolt", 2.0, 120), ("contrast", 0.05, 7), ("number", 7, 3)),
        *(("gratings-8", 0.0625, 5), ("colour-red", 5, 6), ("alignment", 1, 9)),
    ):
        one.unread(test, level, times)
    return one


SITUATIONS = (
    *(whole, letters_only, sees_everything, sees_nothing, lapses, no_letters, blank_only, long_name, uneven_field),
    *(offsets_only, hard_to_read),
)


@some_of("make", SITUATIONS, 2, ids=[make.__name__ for make in SITUATIONS])
def test_everything_fits_and_no_words_lie_on_others(make: Callable[[], Sitting]) -> None:
    card = of(make)
    for tones in (LIGHT, DARK) if make is whole else (LIGHT,):
        sheet = draw(card, tones)
        assert not outside(sheet)
        assert not overlapping(sheet)
        assert sheet.height < 1400
        ElementTree.fromstring(to_svg(sheet))  # noqa: S314


@some_of("make", SITUATIONS, 2, ids=[make.__name__ for make in SITUATIONS])
def test_no_letter_is_too_small_on_the_page_and_no_reason_is_cut_off(make: Callable[[], Sitting]) -> None:
    card = of(make)
    sheet = draw(card)
    css = (Path(__file__).parents[2] / "web/src/style/diagnosis.css").read_text(encoding="utf-8")
    wide = int(re.search(r"\.eye-card img {[^}]*min-width: (\d+)px", css)[1])
    smallest = min(mark.size for mark in sheet.marks if isinstance(mark, TextMark))
    assert smallest * wide / sheet.width >= 9, "pixels"
    shown = said(sheet)
    for reading in (*card.readings[1:], *card.gratings):
        if reading.kind == "not measurable":
            assert reading.said.partition(": ")[2] in shown


def said(sheet: MarksPage) -> str:
    return " ".join(texts(sheet))


def test_the_card_tells_the_last_line_and_the_prescription() -> None:
    card = of(letters_only)
    shown = said(draw(card))
    assert f"Last line it reads: {card.letters.said}" in shown
    assert f"95\u00a0% interval {card.letters.within}" in shown
    assert "Prescription" in shown
    assert "Letters under" in shown


def test_what_is_known_of_sizes_is_drawn_also_without_thresholds_over_canvases() -> None:
    card = of(offsets_only)
    shown = said(draw(card))
    assert card.resolution is None
    assert len(card.resolution_lines) == 3
    for line in card.resolution_lines:
        assert line.replace("\u00a0px", " px") in shown
    assert "4096 px were not taken" in shown
    assert shown.lower().count("effective resolution") == 1, "among what was not asked"


def test_answers_that_could_not_be_read_stand_beside_every_finding() -> None:
    card = of(hard_to_read)
    shown = said(draw(card))
    for test in ("letters", "contrast", "number", "alignment"):
        reading = next(each for each in card.readings if each.test == test)
        assert reading.unread
        assert f"{reading.unread} of {reading.trials} unread" in shown, test
    assert "120 of 198 answers could not be read" in shown, "said once, as the finding"
    assert "120 of 198 unread" not in shown
    assert f"5 of {sum(each.trials for each in card.gratings)} answers unread" in shown
    assert f"6 of {sum(each.trials for each in card.colours)} answers unread" in shown
    assert "unread" not in said(draw(of(whole)))


def test_what_was_not_asked_has_no_scale_and_is_named() -> None:
    shown = said(draw(of(letters_only)))
    assert "Not asked: landolt rings, contrast" in shown
    assert "the faintest letters it reads" not in shown


def test_who_has_no_threshold_has_no_line_on_the_chart() -> None:
    for make, words in (
        (sees_everything, "It reads the last line: better than 0.50\u00a0px a stroke"),
        (sees_nothing, "It reads none of these: worse than 50\u00a0px a stroke"),
        (lapses, "errors even on the easiest charts"),
        (no_letters, "Letters were not asked"),
    ):
        marks, _ = eye_chart(replace(of(make).letters, anchors=()), 240.0, LIGHT)
        assert not any(isinstance(mark, LineMark | BoxMark) for mark in marks)
        assert words in " ".join(mark.text for mark in marks if isinstance(mark, TextMark))
    marks, _ = eye_chart(replace(of(letters_only).letters, anchors=()), 240.0, LIGHT)
    assert sum(isinstance(mark, LineMark) for mark in marks) == 1


def inks(card: Card) -> list[str]:
    """The colour of each line of the chart, from the top."""
    marks, _ = eye_chart(card.letters, 240.0, LIGHT)
    tops: dict[float, str] = {}
    for mark in marks:
        if isinstance(mark, ShapeMark) and mark.fill and mark.fill != LIGHT.paper:
            height = max(y for _, y in mark.points)
            tops.setdefault(round(height, 1), mark.fill)
    return [ink for _, ink in sorted(tops.items())]


def test_lines_above_the_threshold_are_in_ink_and_those_below_are_faded() -> None:
    one = of(letters_only)
    low, high = one.letters.low, one.letters.high
    assert low is not None
    assert high is not None
    expected = [LIGHT.ink if s >= high else LIGHT.doubt if s >= low else LIGHT.faded for s in STROKES]
    assert inks(one) == expected
    assert set(inks(of(sees_everything))) == {LIGHT.ink}
    assert set(inks(of(sees_nothing))) == {LIGHT.faded}


def test_better_eyes_have_more_lines() -> None:
    cards = [examined(Sitting("x", 1).track("letters", threshold)) for threshold in (1.0, 2.0, 4.0, 8.0)]
    read = [inks(card).count(LIGHT.ink) for card in cards]
    assert all(more > fewer for more, fewer in pairwise(read))


def test_no_name_gets_out_of_its_place() -> None:
    svg = to_svg(draw(examined(Sitting(HOSTILE.encode("utf-8", "replace").decode(), 1).track("letters", 2.0))))
    root = ElementTree.fromstring(svg)  # noqa: S314
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        *("svg", "title", "desc", "rect", "path", "circle", "text"),
    }
    assert "<script" not in svg
    assert "href" not in svg


def test_the_card_can_be_heard() -> None:
    card = of(whole)
    told = draw(card).told
    assert told.startswith(card.headline.replace("\u00a0", " "))
    for line in card.prescription:
        assert line in told
    for reading in card.readings:
        assert f"{reading.title}: {reading.said} ({reading.within})" in told


def test_cards_side_by_side() -> None:
    sheets = [draw(of(make)) for make in (letters_only, whole)]
    both = side_by_side(sheets)
    assert (both.width, both.height) == (sum(s.width for s in sheets), max(s.height for s in sheets))
    assert not outside(both)
    assert not overlapping(both)


@pytest.mark.parametrize("tones", [LIGHT, DARK], ids=["light", "dark"])
def test_a_picture_is_what_the_sheet_says(tones: object) -> None:
    sheet = MarksPage(
        60,
        40,
        (
            BoxMark(0, 0, 60, 40, DARK.paper if tones is DARK else LIGHT.paper),
            BoxMark(5, 5, 10, 10, "#ff0000"),
            DiscMark(30, 10, 5, "#00ff00"),
            LineMark((((5, 30), (25, 30)),), "#0000ff", 2),
            LineMark((((30, 30), (58, 30)),), "#0000ff", 2, (4, 4)),
        ),
    )
    picture = Image.open(BytesIO(to_png(sheet, 2.0))).convert("RGB")
    assert picture.size == (120, 80)
    assert picture.getpixel((20, 20)) == (255, 0, 0)
    assert picture.getpixel((60, 20)) == (0, 255, 0)
    assert picture.getpixel((30, 60)) == (0, 0, 255)
    dashes = [picture.getpixel((x, 60)) == (0, 0, 255) for x in (63, 72, 80, 88)]
    assert dashes == [True, False, True, False]


def test_words_of_a_picture_stand_where_the_sheet_has_them() -> None:
    """Ink lies within the extent of the words, upright or not, and nowhere else."""

    for words in (
        TextMark(10, 20, "Hhx", 12),
        TextMark(50, 20, "Hhx", 12, anchor="end"),
        TextMark(30, 38, "Hhx", 12, upright=True),
    ):
        picture = Image.open(BytesIO(to_png(MarksPage(60, 60, (words,)), 4.0))).convert("L").point(lambda v: 255 - v)
        box = picture.getbbox()
        assert box is not None
        left, top, right, bottom = (4 * edge for edge in extent(words))
        assert left - 3 <= box[0] < box[2] <= right + 3
        assert top - 3 <= box[1] < box[3] <= bottom + 3
        assert max(box[2] - box[0], box[3] - box[1]) > 0.7 * max(right - left, bottom - top)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_card_is_saved_as_its_ending_says(ending: str, tmp_path: Path) -> None:
    sheet = draw(of(letters_only))
    path = save_page(sheet, tmp_path / f"new/card.{ending.upper()}")
    data = path.read_bytes()
    assert data.startswith({"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])
    again = save_page(sheet, tmp_path / f"again.{ending}").read_bytes()
    assert again == data


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"card\.gif: cards are written as \.svg, \.pdf, \.png"):
        save_page(draw(of(letters_only)), tmp_path / "card.gif")


def test_round_numbers_on_a_log_scale() -> None:
    assert round_numbers(1, 50) == [1, 2, 5, 10, 20, 50]
    assert round_numbers(0.4, 110, 4) == [1, 10, 100]
    scale = Logs(1, 100, 0, 10)
    assert [scale.at(x) for x in (0.1, 1, 10, 100, 1e4)] == [0, 0, 5, 10, 10]


def test_words_are_as_wide_as_laid_out_in_any_font(tmp_path: Path) -> None:
    """Where none of the fonts is at hand that have our widths, words would run into one another."""
    path = save_page(draw(of(long_name)), tmp_path / "card.svg")
    found = [each for each in ElementTree.parse(path).getroot() if each.tag.endswith("text")]  # noqa: S314
    assert len(found) > 20
    for each in found:
        if len(each.text or "") > 1:
            assert float(each.get("textLength", "0")) == pytest.approx(
                width(each.text or "", float(each.get("font-size", "0"))), abs=0.02
            )


def test_lines_of_readers_are_named_on_the_card_and_in_its_words():
    for tones in (LIGHT, DARK):
        sheet = draw(of(whole), tones)
        said = [mark.text for mark in sheet.marks if isinstance(mark, TextMark)]
        assert sum("ocr/rapidocr" in text for text in said) >= 3, "chart, scale, foot"
        assert not overlapping(sheet)
        assert "ocr/tesseract (tesseract " in sheet.told


@pytest.mark.parametrize("wanted", [[10, 11, 12], [99, 98, 100], [50.0], [0, 0, 0, 0], [5, 95]])
def test_labels_are_spread_in_order_within_their_ends(wanted):
    sizes = [20.0] * len(wanted)
    placed = spread(wanted, sizes, (0.0, 100.0), 3.0)
    ordered = sorted(placed)
    assert all(b - a >= 23 - 1e-9 for a, b in pairwise(ordered))
    assert ordered[0] >= 10 and ordered[-1] <= 90  # noqa: PT018
    assert [placed[k] for k in sorted(range(len(wanted)), key=lambda k: wanted[k])] == ordered
