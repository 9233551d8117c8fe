"""A sheet as PDF: vectors, one page of exactly its size, the font embedded. Needs the extra `pdf`."""

import warnings
from datetime import UTC, datetime
from importlib.resources import as_file
from typing import TYPE_CHECKING

from snellen.charts.marks import BoxMark, DiscMark, LineMark, MarksPage, ShapeMark, TextMark
from snellen.charts.measure import FONT
from snellen.errors import UserError

if TYPE_CHECKING:
    from fpdf import FPDF

_FAMILY = "Liberation Sans"
_LACKING = "□"
_SAME = datetime(1970, 1, 1, tzinfo=UTC)
"""No time of making: the same figure is the same file, and version control sees no change where there is none."""


def to_pdf(sheet: MarksPage) -> bytes:
    """The sheet as a document of one page."""
    page = _page(sheet)
    absent = "".join(sorted(set("".join(m.text for m in sheet.inked if isinstance(m, TextMark))) - _known(page)))
    if absent:
        shown = f"{absent[:20]}{'…' if len(absent) > 20 else ''}"
        warnings.warn(f"the font for PDF lacks {shown}: they show as {_LACKING}; SVG keeps them", stacklevel=4)
    lacking = {ord(character): _LACKING for character in absent}
    for mark in sheet.inked:
        if isinstance(mark, TextMark):
            _write(page, mark, mark.text.translate(lacking))
        else:
            _draw(page, mark)
    return bytes(page.output())


def _page(sheet: MarksPage) -> "FPDF":
    try:
        from fpdf import FPDF
    except ImportError:
        raise UserError("PDF output needs another package: pip install 'snellen[pdf]' (SVG works without)") from None
    page = FPDF(unit="pt", format=(sheet.width, sheet.height))
    page.set_margin(0)
    page.set_auto_page_break(False)
    page.set_title(sheet.title)
    page.set_creator("snellen")
    page.set_creation_date(_SAME)
    with as_file(FONT) as path:
        page.add_font(_FAMILY, fname=path)
    page.add_page()
    return page


def _known(page: "FPDF") -> set[str]:
    """The characters the font has."""
    return {chr(code) for font in page.fonts.values() for code in getattr(font, "cmap", ())}


def _write(page: "FPDF", words: TextMark, text: str) -> None:
    page.set_font(_FAMILY, size=words.size)
    page.set_text_color(*_rgb(words.ink))
    if words.upright:
        with page.rotation(90, words.x, words.y):
            page.text(words.x - words.before, words.y, text)
    else:
        page.text(words.x - words.before, words.y, text)


def _draw(page: "FPDF", mark: LineMark | BoxMark | DiscMark | ShapeMark) -> None:
    if isinstance(mark, LineMark):
        _take(page, mark.ink, mark.pen, mark.dash)
        for run in mark.runs:
            page.polyline(run)
        return
    if mark.fill:
        page.set_fill_color(*_rgb(mark.fill))
    if mark.edge:
        _take(page, mark.edge, mark.pen, mark.dash if isinstance(mark, BoxMark) else ())
    style = ("D" if mark.edge else "") + ("F" if mark.fill else "")
    if isinstance(mark, BoxMark):
        page.rect(mark.x, mark.y, mark.width, mark.height, style=style)
    elif isinstance(mark, DiscMark):
        page.circle(mark.x, mark.y, mark.radius, style=style)
    else:
        page.polygon(mark.points, style=style)


def _take(page: "FPDF", ink: str, pen: float, dash: tuple[float, ...]) -> None:
    page.set_draw_color(*_rgb(ink))
    page.set_line_width(pen)
    page.set_dash_pattern(*(dash or (0, 0)))


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue
