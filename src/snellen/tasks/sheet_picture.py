"""A contact sheet as one picture, set in the bundled font."""

import io
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from PIL import Image, ImageDraw

from snellen.draw.letters import font
from snellen.errors import UserError
from snellen.item import Picture, Stimulus
from snellen.tasks.sheet import FEW, apart, captioned, is_board, row_of, shared_levels

MOST = 240
"""More stimuli than these make a picture nobody can open; a page scrolls."""
_WIDTH, _GAP, _COLUMNS = 300, 24, 6
_LINES = 14
_INK, _SOFT, _EDGE = (28, 28, 30), (105, 103, 98), (217, 215, 208)


@dataclass(frozen=True, slots=True)
class _TextLine:
    text: str
    size: int
    colour: tuple[int, int, int] = _INK
    typed: bool = False
    """Set like on a typewriter, each character as wide as the next: for boards."""

    @property
    def height(self) -> int:
        return self.size + (2 if self.typed else 5)


_Block = Image.Image | _TextLine


def picture(stimuli: Sequence[Stimulus], title: str) -> bytes:
    """The sheet as a PNG file."""
    if len(stimuli) > MOST:
        raise UserError(
            f"{len(stimuli)} stimuli do not fit one picture (at most {MOST}); ask for fewer, or for FILE.html"
        )
    shared = shared_levels(stimuli)
    cards = [_card(stimulus, apart(stimulus, shared)) for stimulus in stimuli]
    columns = min(_COLUMNS, len(cards), max(2, round((len(cards) * 1.3) ** 0.5)))
    about = ", ".join(f"{name}={level}" for name, level in shared.items())
    width = columns * (_WIDTH + _GAP) + _GAP
    head = [_TextLine(title, 24), *(_TextLine(line, 13, _SOFT) for line in _wrapped(about, 13, width - 2 * _GAP))]
    rows = [cards[start : start + columns] for start in range(0, len(cards), columns)]
    heights = [max(map(_height, row)) for row in rows]
    top = _height(head) + 2 * _GAP
    sheet = Image.new("RGB", (width, top + sum(heights) + _GAP * len(rows)), "white")
    pen = ImageDraw.Draw(sheet)
    _set(sheet, pen, head, _GAP, _GAP)
    for row, height in zip(rows, heights, strict=True):
        for column, card in enumerate(row):
            _set(sheet, pen, card, _GAP + column * (_WIDTH + _GAP), top)
        top += height + _GAP
    file = io.BytesIO()
    sheet.save(file, "PNG")
    return file.getvalue()


def _card(stimulus: Stimulus, heading: str) -> list[_Block]:
    """From top to bottom: name, what sets it apart, pictures and words as shown, key."""
    blocks: list[_Block] = [_TextLine(line, 12) for line in _wrapped(stimulus.item.id, 12, _WIDTH)]
    blocks += [_TextLine(line, 11, _SOFT) for line in _wrapped(heading, 11, _WIDTH)]
    if len(stimulus.pictures) > FEW:
        for row, group in groupby(captioned(stimulus.parts), key=row_of):
            parts = list(group)
            blocks += [_mosaic(parts)] if row else [line for text, _ in parts for line in _words(text)]
    else:
        for part in stimulus.parts:
            blocks += [_thumbnail(part)] if isinstance(part, Picture) else _words(part)
    blocks += [_TextLine(line, 13) for line in _wrapped(f"key: {stimulus.question.key}", 13, _WIDTH)]
    if concept := stimulus.item.truth.get("concept"):
        blocks += [_TextLine(line, 11, _SOFT) for line in _wrapped(f"concept: {concept}", 11, _WIDTH)]
    return blocks


def _thumbnail(picture: Picture, width: int = _WIDTH) -> Image.Image:
    try:
        with Image.open(io.BytesIO(picture.data)) as image:
            small = image.convert("RGB")
    except (OSError, Image.DecompressionBombError) as error:
        raise UserError(f"picture {picture.alt or picture.digest}: cannot be shown ({error})") from None
    small.thumbnail((width, 2 * width if width == _WIDTH else width), Image.Resampling.LANCZOS)
    framed = Image.new("RGB", (small.width + 2, small.height + 2), _EDGE)
    framed.paste(small, (1, 1))
    return framed


def _mosaic(entries: Sequence[tuple[str, Picture | None]]) -> Image.Image:
    """Pictures small and side by side, each above its caption."""
    side, line = (_WIDTH - 2 * 6) // 3, 14
    rows = -(-len(entries) // 3)
    sheet = Image.new("RGB", (_WIDTH, rows * (side + line + 6)), "white")
    pen = ImageDraw.Draw(sheet)
    for place, (caption, shown) in enumerate(entries):
        left, top = place % 3 * (side + 6), place // 3 * (side + line + 6)
        if shown:
            sheet.paste(_thumbnail(shown, side - 2), (left, top))
        pen.text((left, top + side + line - 3), caption, _SOFT, font(10), anchor="ls")
    return sheet


def _words(text: str) -> list[_Block]:
    lines: list[_Block] = []
    for line in text.split("\n"):
        typed = is_board(line)
        wrapped = [line] if typed else _wrapped(line, 11, _WIDTH) or [""]
        lines += [_TextLine(part, 13 if typed else 11, _INK, typed) for part in wrapped]
    if len(lines) > 3 * _LINES:
        return [*lines[: 3 * _LINES], _TextLine("...", 11, _SOFT)]
    return lines


def _wrapped(text: str, size: int, width: int) -> list[str]:
    """The text in lines no wider than that; words too long for a line are cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        rest = word[:500]
        while rest:
            longer = f"{line} {rest}".strip()
            if font(size).getlength(longer) <= width:
                line, rest = longer, ""
            elif line:
                lines.append(line)
                line = ""
            else:
                ends = range(len(rest) + 1)
                too_wide = bisect_right(ends, float(width), key=lambda end: font(size).getlength(rest[:end]))
                fit = max(1, too_wide - 1)
                lines.append(rest[:fit])
                rest = rest[fit:]
    return [*lines, line] if line else lines


def _height(blocks: Sequence[_Block]) -> int:
    return sum(block.height + (6 if isinstance(block, Image.Image) else 0) for block in blocks)


def _set(sheet: Image.Image, pen: ImageDraw.ImageDraw, blocks: Sequence[_Block], left: int, top: int) -> None:
    for block in blocks:
        if isinstance(block, Image.Image):
            sheet.paste(block, (left, top + 3))
            top += 6
        elif block.typed:
            advance = round(font(block.size).getlength("─"))
            for place, character in enumerate(block.text[:60]):
                at = (left + (place + 0.5) * advance, top + block.size)
                pen.text(at, character, block.colour, font(block.size), anchor="ms")
        else:
            pen.text((left, top + block.size), block.text, block.colour, font(block.size), anchor="ls")
        top += block.height
