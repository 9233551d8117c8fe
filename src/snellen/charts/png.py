"""A sheet as PNG, for places that take nothing else: drawn large and averaged down, so that edges are smooth."""

from collections.abc import Sequence
from importlib.resources import as_file
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from snellen.charts.marks import BoxMark, DiscMark, Ink, LineMark, MarksPage, Point, TextMark
from snellen.charts.measure import FONT
from snellen.charts.palette import PAPER

SCALE = 2.5
"""Pixels a point."""
_OVER = 3
"""Drawn so many times as large."""


def to_png(sheet: MarksPage, scale: float = SCALE) -> bytes:
    """The sheet as a picture, `scale` pixels a point."""
    size = (round(sheet.width * scale), round(sheet.height * scale))
    page = Image.new("RGB", (size[0] * _OVER, size[1] * _OVER), PAPER)
    pen = _PngPen(page, scale * _OVER)
    for mark in sheet.inked:
        pen.draw(mark)
    made = BytesIO()
    page.reduce(_OVER).save(made, "PNG", optimize=True)
    return made.getvalue()


class _PngPen:
    """Draws marks on a page, `scale` pixels a point."""

    def __init__(self, page: Image.Image, scale: float) -> None:
        self.page, self.scale = page, scale
        self.on = ImageDraw.Draw(page)
        self.fonts: dict[float, ImageFont.FreeTypeFont] = {}

    def draw(self, mark: Ink) -> None:
        if isinstance(mark, TextMark):
            self._write(mark)
        elif isinstance(mark, LineMark):
            for run in mark.runs:
                self._stroke(run, mark.ink, mark.pen, mark.dash)
        elif isinstance(mark, BoxMark):
            self._shape(_corners(mark), mark.fill, mark.edge, mark.pen)
        elif isinstance(mark, DiscMark):
            self._disc(mark)
        else:
            self._shape(mark.points, mark.fill, mark.edge, mark.pen)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def _shape(self, points: Sequence[Point], fill: str | None, edge: str | None, pen: float) -> None:
        if fill:
            self.on.polygon(self._at(points), fill)
        if edge:
            self._stroke((*points, points[0]), edge, pen, ())

    def _disc(self, disc: DiscMark) -> None:
        half = disc.radius + (disc.pen / 2 if disc.edge else 0)
        box = self._at([(disc.x - half, disc.y - half), (disc.x + half, disc.y + half)])
        wide = max(1, round(disc.pen * self.scale)) if disc.edge else 0
        self.on.ellipse([*box[0], *box[1]], disc.fill, disc.edge, wide)

    def _stroke(self, run: Sequence[Point], ink: str, pen: float, dash: Sequence[float]) -> None:
        wide = max(1, round(pen * self.scale))
        for piece in _dashed(run, dash) if dash else [run]:
            self.on.line(self._at(piece), ink, wide, joint="curve")

    def _write(self, words: TextMark) -> None:
        font = self._font(words.size)
        if not words.upright:
            at = ((words.x - words.before) * self.scale, words.y * self.scale)
            self.on.text(at, words.text, words.ink, font, anchor="ls")
            return
        left, top, right, bottom = font.getbbox(words.text, anchor="ls")
        stamp = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
        ImageDraw.Draw(stamp).text((2 - left, 2 - top), words.text, 255, font, anchor="ls")
        turned = stamp.rotate(90, expand=True)
        x = words.x * self.scale + top - 2
        y = (words.y + words.before) * self.scale - right - 2
        self.page.paste(words.ink, (round(x), round(y)), turned)

    def _font(self, size: float) -> ImageFont.FreeTypeFont:
        if size not in self.fonts:
            with as_file(FONT) as path:
                self.fonts[size] = ImageFont.truetype(path, size * self.scale, layout_engine=ImageFont.Layout.BASIC)
        return self.fonts[size]


def _corners(box: BoxMark) -> tuple[Point, ...]:
    right, bottom = box.x + box.width, box.y + box.height
    return (box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom)


def _dashed(run: Sequence[Point], dash: Sequence[float]) -> list[Sequence[Point]]:
    """The strokes of a dashed run; dashes begin anew at every corner."""
    pieces: list[Sequence[Point]] = []
    pattern = [*dash, *dash] if len(dash) % 2 else list(dash)
    for (x1, y1), (x2, y2) in pairwise(run):
        long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        at, k = 0.0, 0
        while at < long:
            end = min(long, at + pattern[k % len(pattern)])
            if k % 2 == 0:
                pieces.append([(x1 + (x2 - x1) * t / long, y1 + (y2 - y1) * t / long) for t in (at, end)])
            at, k = end, k + 1
    return pieces
