"""A sheet as SVG: plain elements and attributes, no style sheet, no script, no names that could clash on a page."""

from xml.sax.saxutils import escape, quoteattr

from snellen.charts.marks import BoxMark, DiscMark, Ink, LineMark, MarksPage, Point, TextMark
from snellen.charts.measure import width
from snellen.charts.palette import PAPER

FAMILY = "Liberation Sans, Arial, Helvetica, sans-serif"
_POINTS_PER_MM = 72 / 25.4


def to_svg(sheet: MarksPage, size: str = "", *, fitted: bool = False) -> str:
    """The sheet as a document; `size` are attributes in place of its true size. `fitted`: words are as wide as they
    were laid out in whatever font the reader has, for drawings that leave no room for a wider one."""
    wide, high = short(sheet.width), short(sheet.height)
    true = f'width="{short(sheet.width / _POINTS_PER_MM)}mm" height="{short(sheet.height / _POINTS_PER_MM)}mm"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size or true} viewBox="0 0 {wide} {high}" role="img"'
            f' font-family="{FAMILY}">',
            f"<title>{escape(sheet.title)}</title>",
            f"<desc>{escape(sheet.told)}</desc>",
            f'<rect width="{wide}" height="{high}" fill="{PAPER}"/>',
            *(_element(mark, fitted) for mark in sheet.inked),
            "</svg>\n",
        ]
    )


def _element(mark: Ink, fitted: bool) -> str:
    if isinstance(mark, TextMark):
        return _text(mark, fitted)
    if isinstance(mark, LineMark):
        path = "".join(path_of(run) for run in mark.runs)
        return f'<path d="{path}" fill="none"{_pen(mark.ink, mark.pen, mark.dash)}/>'
    look = f' fill="{mark.fill or "none"}"{_pen(mark.edge, mark.pen, mark.dash if isinstance(mark, BoxMark) else ())}'
    if isinstance(mark, BoxMark):
        place = f'x="{short(mark.x)}" y="{short(mark.y)}" width="{short(mark.width)}" height="{short(mark.height)}"'
        return f"<rect {place}{look}/>"
    if isinstance(mark, DiscMark):
        return f'<circle cx="{short(mark.x)}" cy="{short(mark.y)}" r="{short(mark.radius)}"{look}/>'
    return f'<path d="{path_of(mark.points)}Z"{look}/>'


def _text(words: TextMark, fitted: bool) -> str:
    place = f'x="{short(words.x)}" y="{short(words.y)}" font-size="{short(words.size)}" fill="{words.ink}"'
    anchor = "" if words.anchor == "start" else f" text-anchor={quoteattr(words.anchor)}"
    turn = f' transform="rotate(-90 {short(words.x)} {short(words.y)})"' if words.upright else ""
    long = width(words.text, words.size)
    fit = f' textLength="{short(long)}" lengthAdjust="spacingAndGlyphs"' if fitted and len(words.text) > 1 else ""
    return f"<text {place}{anchor}{turn}{fit}>{escape(words.text)}</text>"


def path_of(run: tuple[Point, ...]) -> str:
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in run)


def _pen(ink: str | None, pen: float, dash: tuple[float, ...]) -> str:
    if ink is None:
        return ""
    dashes = f' stroke-dasharray="{" ".join(map(short, dash))}"' if dash else ""
    return f' stroke="{ink}" stroke-width="{short(pen)}"{dashes}'


def short(x: float) -> str:
    """A number with two decimals at most: a hundredth of a point is finer than any printer."""
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
