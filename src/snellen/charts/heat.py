"""A heat map: a table of numbers first, whose colours help to find them."""

from functools import partial

from snellen.charts.blocks import Heat, Value
from snellen.charts.labels import WIDEST, RowLabel, labels
from snellen.charts.marks import BoxMark, Mark, MarksPage, SpotMark, TextMark
from snellen.charts.measure import ASCENT, DESCENT, LEADING, SMALL, TEXT, cut, plain, width, wrap
from snellen.charts.numbers import MISSING, Unit, axis_title, fixed, number, number_table, remark, tip_unit, value_text
from snellen.charts.page import EDGE, empty, moved, sheet
from snellen.charts.palette import COLD, HOT, LINE, ON_DEEP, ON_MIDDLE, ON_PALE, PAPER, SOFT, mix
from snellen.charts.shapes import hatched

_LEAST = {"percent": 40.0, "probability": 0.4, "points": 10.0}
_TOP = {"percent": 100.0, "probability": 1.0, "points": 100.0}
LEVELS = 10
_SPACE = 1.0
"""Between cells."""
_TALLEST = 4
"""Names of columns in more lines than this are turned upright."""
_UPRIGHT = 110.0
_WORD = 40.0
"""Longer words above a column may be broken."""
_LINE = TEXT * LEADING


def span(block: Heat) -> tuple[float, float]:
    """The range of the colours: that of the values, but never so narrow that noise looks like a difference."""
    numbers = [x for _, values in block.rows for value in values if (x := number(value)) is not None]
    least, top = _LEAST[block.unit], _TOP[block.unit]
    if block.unit == "points":
        reach = max(least, *map(abs, numbers), 0.0)
        return -reach, reach
    if not numbers:
        return 0.0, top
    low, high = min(numbers), max(numbers)
    lacking = max(0.0, least - (high - low)) / 2
    start = max(0.0, min(low - lacking, top - least))
    return start, min(top, max(high + lacking, start + least))


def shade(x: float, unit: Unit, low: float, high: float) -> tuple[str, str]:
    """The colour of a cell, and of letters on it; differences have two colours, one each way."""
    kind = "less" if unit == "points" and x < 0 else "more"
    strength = abs(x) / high if unit == "points" else (x - low) / (high - low)
    level = round(max(0.0, min(1.0, strength)) * LEVELS)
    on = ON_PALE if level < 6 else ON_DEEP if level > 6 else ON_MIDDLE
    return mix(COLD, HOT[kind], level / LEVELS), on


def draw(block: Heat, wide: float) -> MarksPage:
    """The map on a sheet so many points wide."""
    title = plain(block.title)
    if not block.rows or not block.columns:
        return empty(wide, title)
    room = wide - 2 * EDGE
    names, left = _names(block, room)
    step = (room - left) / len(block.columns)
    intervals = _intervals_fit(block, step)
    size = _size(block, step)
    high = 2 * _LINE + 3 if intervals else _LINE + 5
    low_high = span(block)
    say = partial(value_text, unit=block.unit)
    numbers = number_table(axis_title(block.quantity, block.unit), block.columns, block.rows, say)
    marks, y = _header(block, left, step)
    for r, (name, (_, values)) in enumerate(zip(names, block.rows, strict=True)):
        tall = max(high, name.height + 3)
        marks += name.drawn(y, tall)
        y += name.above
        for k in range(len(block.columns)):
            box = (left + k * step + _SPACE / 2, y, step - _SPACE, tall - _SPACE)
            value = values[k] if k < len(values) else None
            marks += _cell(value, block.unit, low_high, box, size, intervals)
            if value is not None:
                marks.append(SpotMark(*box, numbers.says(r, k, remark(value), tip_unit(value, block.unit))))
        y += tall
    below, end = _key(block, low_high, left, room, intervals)
    return sheet(wide, y + 5 + end, [*marks, *moved(below, 0, y + 5)], title, numbers)


def narrowest(block: Heat) -> float:
    """How wide a map must be for its numbers and the words above them, whatever room the names of its rows take."""
    texts = [_split(value, block.unit)[0] for _, values in block.rows for value in values]
    words = [width(word, TEXT) for name in block.columns for word in plain(name).split()]
    widest = max((*(width(text, SMALL) for text in texts), *(min(word, _WORD) + 3 for word in words)), default=0.0)
    return 2 * EDGE + len(block.columns) * (widest + 2 * _SPACE) / (1 - WIDEST)


def fits_column(block: Heat, wide: float) -> bool:
    """Whether every cell of a map so wide has room for its interval."""
    room = wide - 2 * EDGE
    return not block.columns or _intervals_fit(block, (room - _names(block, room)[1]) / len(block.columns))


def _names(block: Heat, room: float) -> tuple[list[RowLabel], float]:
    """The names of the rows, and how much of the room they and their own name take."""
    names, left = labels([label for label, _ in block.rows], room)
    return names, max(left, min(width(plain(block.down), TEXT) + 6, WIDEST * room))


def _split(value: Value | None, unit: Unit) -> tuple[str, str]:
    """A value's number and its interval, in words."""
    text, _, ends = value_text(value, unit).partition(" ")
    return text, ends


def _intervals_fit(block: Heat, step: float) -> bool:
    texts = [_split(value, block.unit)[1] for _, values in block.rows for value in values]
    return any(texts) and max(width(text, SMALL) for text in texts) <= step - _SPACE - 1.5


def _size(block: Heat, step: float) -> float:
    """How large the numbers in the cells may be; 0 if cells so wide have no room for them."""
    texts = [_split(value, block.unit)[0] for _, values in block.rows for value in values]
    widest = max((width(text, 1) for text in texts), default=0.0)
    return next((size for size in (TEXT, SMALL) if widest * size <= step - _SPACE), 0.0)


def _header(block: Heat, left: float, step: float) -> tuple[list[Mark], float]:
    """What rows and columns are, and the columns' names; and where they end."""
    names = [plain(name) for name in block.columns]
    lines = [wrap(name, TEXT, step - 3) for name in names]
    y = 0.0
    marks: list[Mark] = []
    if block.across:
        middle = left + step * len(names) / 2
        marks.append(TextMark(middle, ASCENT * TEXT, plain(block.across), ink=SOFT, anchor="middle"))
        y = _LINE + 2
    if max(map(len, lines)) <= _TALLEST:
        y += max(map(len, lines)) * _LINE
        marks += [
            TextMark(left + (k + 0.5) * step, y - (len(label) - i) * _LINE + ASCENT * TEXT, line, anchor="middle")
            for k, label in enumerate(lines)
            for i, line in enumerate(label)
        ]
    else:
        turned = [_upright(name, step) for name in names]
        y += max(width(line, TEXT) for label in turned for line in label)
        marks += [
            TextMark(left + (k + 0.5) * step + (i - (len(label) - 1) / 2) * _LINE + 0.26 * TEXT, y, line, upright=True)
            for k, label in enumerate(turned)
            for i, line in enumerate(label)
        ]
    if block.down:
        marks.append(TextMark(0, y - DESCENT * TEXT, cut(plain(block.down), TEXT, left - 4), ink=SOFT))
    return marks, y + 3


def _upright(name: str, step: float) -> list[str]:
    """A name in as many upright lines as a column is wide."""
    lines = wrap(name, TEXT, _UPRIGHT)
    most = max(1, int(step // _LINE))
    return [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), TEXT, _UPRIGHT)] if len(lines) > most else [*lines]


def _cell(
    value: Value | None,
    unit: Unit,
    low_high: tuple[float, float],
    box: tuple[float, float, float, float],
    size: float,
    intervals: bool,
) -> list[Mark]:
    """One cell: its number, its interval, and a colour; without a number, lines across it."""
    x, y, wide, tall = box
    middle = x + wide / 2
    base = y + tall / 2 + (ASCENT - DESCENT) * TEXT / 2
    level = number(value)
    if level is None:
        text = cut(plain(value.note) if value and value.note else MISSING, SMALL, wide - 2)
        half = width(text, SMALL) / 2 + 1.5
        ground = BoxMark(middle - half, y + tall / 2 - 0.55 * SMALL, 2 * half, 1.1 * SMALL, fill=PAPER)
        words = TextMark(middle, y + tall / 2 + 0.26 * SMALL, text, SMALL, SOFT, "middle")
        return [hatched(x, y, wide, tall, LINE), ground, words]
    fill, on = shade(level, unit, *low_high)
    text, ends = _split(value, unit)
    if not size:
        return [BoxMark(*box, fill=fill)]
    if not (intervals and ends):
        return [BoxMark(*box, fill=fill), TextMark(middle, base, text, size, on, "middle")]
    return [
        BoxMark(*box, fill=fill),
        TextMark(middle, base - 0.48 * _LINE, text, ink=on, anchor="middle"),
        TextMark(middle, base + 0.52 * _LINE, ends, SMALL, on, "middle"),
    ]


def _key(
    block: Heat, low_high: tuple[float, float], left: float, room: float, intervals: bool
) -> tuple[list[Mark], float]:
    """What the colours mean: from the least to the most, and of what."""
    low, high = low_high
    digits = 2 if block.unit == "probability" else 0
    count = LEVELS * (2 if block.unit == "points" else 1)
    steps = [low + (high - low) * k / count for k in range(count + 1)]
    start, end = fixed(low, digits), f"{'+' if block.unit == 'points' else ''}{fixed(high, digits)}"
    base, x = ASCENT * TEXT, left + width(start, TEXT) + 3
    tick = min(84 / len(steps), (room - x - width(end, TEXT) - 3) / len(steps))
    marks: list[Mark] = [TextMark(left, base, start, ink=SOFT)]
    for k, value in enumerate(steps):
        marks.append(BoxMark(x + k * tick, 0.3, tick, 5.6, fill=shade(value, block.unit, low, high)[0]))
    after = x + tick * len(steps) + 3
    marks.append(TextMark(after, base, end, ink=SOFT))
    title = axis_title(block.quantity, block.unit) + (" and 95\u00a0% CI" if intervals else "")
    after += width(end, TEXT) + 8
    if after + width(title, TEXT) <= room:
        return [*marks, TextMark(after, base, title)], base + DESCENT * TEXT
    lines = wrap(title, TEXT, room)
    marks += [
        TextMark(min(left, room - width(line, TEXT)), base + (k + 1) * _LINE + 1, line) for k, line in enumerate(lines)
    ]
    return marks, base + len(lines) * _LINE + 1 + DESCENT * TEXT
