"""Figures as files: well-formed SVG, PDF of one page with its font, and a whole file or none."""

import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from figure_samples import ALL, CHARTS, HOSTILE, SHARES, STRIPS, texts
from pypdf import PdfReader

from snellen.charts.blocks import Chart
from snellen.charts.pdf import to_pdf
from snellen.charts.svg import to_svg
from snellen.errors import UserError
from snellen.report.figures import COLUMN, Figure, figures

SVG = "{http://www.w3.org/2000/svg}"


def figure(chart: Chart, width: float = COLUMN) -> Figure:
    return Figure("x", chart, width)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_svg_is_well_formed_of_its_true_size_and_says_everything(chart: Chart) -> None:
    made = figure(chart)
    root = ElementTree.fromstring(made.svg)  # noqa: S314 - we made it
    assert root.tag == f"{SVG}svg"
    assert root.get("width") == "85mm"
    assert [each.text for each in root.iter(f"{SVG}text")] == texts(made.sheet)
    assert root.findtext(f"{SVG}title") == chart.title
    assert root.findtext(f"{SVG}desc") == made.sheet.told


def test_the_numbers_are_told_in_words() -> None:
    told = figure(SHARES).sheet.told
    assert "sees and follows 30.0 [20.0, 40.0] %" in told
    assert "does not see –" in told


def test_hostile_text_is_only_text() -> None:
    evil = replace(SHARES, title=HOSTILE, parts=(HOSTILE,) * 3, rows=((HOSTILE, SHARES.rows[0][1]),), of=HOSTILE)
    root = ElementTree.fromstring(figure(evil).svg)  # noqa: S314
    assert {each.tag for each in root.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "rect", "path", "text")
    }
    assert any("<script>" in (each.text or "") for each in root.iter(f"{SVG}text"))


def test_svg_has_no_names_that_clash_and_nothing_that_runs() -> None:
    for chart in CHARTS:
        for word in (" id=", "<style", "<script", "href", "url("):
            assert word not in figure(chart).svg


def test_a_notebook_shows_it_no_wider_than_the_page() -> None:
    shown = figure(SHARES)._repr_svg_()
    root = ElementTree.fromstring(shown)  # noqa: S314
    assert root.get("style") == "max-width:100%;height:auto"


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_pdf_is_one_page_of_its_size_with_its_font_and_its_words(chart: Chart) -> None:
    made = figure(chart, 120.0)
    reader = PdfReader(BytesIO(to_pdf(made.sheet)))
    (page,) = reader.pages
    assert float(page.mediabox.width) == pytest.approx(made.sheet.width, abs=0.01)
    assert float(page.mediabox.height) == pytest.approx(made.sheet.height, abs=0.01)
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]  # type: ignore[index]
    for font in fonts:
        (inner,) = font["/DescendantFonts"]
        assert "/FontFile2" in inner.get_object()["/FontDescriptor"]
        assert "/ToUnicode" in font
    assert "/XObject" not in page["/Resources"]  # type: ignore[operator]
    found = page.extract_text().replace("\n", "").replace(" ", "").replace("\u00a0", "")
    for text in texts(made.sheet):
        assert text.replace(" ", "").replace("\u00a0", "") in found


def test_the_same_figure_is_the_same_file() -> None:
    assert to_pdf(figure(SHARES).sheet) == to_pdf(figure(SHARES).sheet)
    assert to_svg(figure(STRIPS).sheet) == figure(STRIPS).svg


def test_letters_the_font_lacks_are_told_and_not_lost() -> None:
    sheet = figure(replace(SHARES, parts=("視力", "b", "c"))).sheet
    with pytest.warns(UserWarning, match=r"lacks 力視.*SVG keeps them"):
        made = to_pdf(sheet)
    assert "□□" in PdfReader(BytesIO(made)).pages[0].extract_text()


@pytest.mark.parametrize("ending", ["svg", "pdf", "SVG"])
def test_saving_writes_what_the_ending_says(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "new" / f"x.{ending}"
    assert figure(SHARES).save(str(path)) == path
    assert path.read_bytes().startswith(b"<svg" if ending.lower() == "svg" else b"%PDF")
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["x.png", "x", ".svg", "x.svg.gz"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"written as \.svg or \.pdf"):
        figure(SHARES).save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.svg"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UserError, match=r"cannot write the figure .*No space left"):
        figure(SHARES).save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "x.svg").mkdir()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "x.svg", tmp_path / "file" / "y.svg"):
        with pytest.raises(UserError, match="cannot write the figure"):
            figure(SHARES).save(path)
    assert len(list(tmp_path.iterdir())) == 2


def test_without_the_extra_pdf_is_one_line_and_svg_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(UserError, match=r"pip install 'snellen\[pdf\]'"):
        figure(SHARES).save(tmp_path / "x.pdf")
    assert not list(tmp_path.iterdir())
    figure(SHARES).save(tmp_path / "x.svg")


def test_figures_list_themselves() -> None:
    assert "fixation-of-100-boards: Of 100 boards" in repr(figures(ALL))
