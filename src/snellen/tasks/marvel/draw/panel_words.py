"""What a panel shows, in words: every mark by kind, fill, size, turn and place, exactly.

The words are the twin of the picture: whoever reads them knows as much as one who sees it, and two panels that look
different never have the same words. Marks of one kind are told together and counted. Places are given in words and as
(x, y). What one sees at a glance is said too: what is inside what, where lines meet, how many areas they enclose.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from snellen.tasks.marvel.draw.drawn import DrawnMark
from snellen.tasks.marvel.draw.relations import enclosed_areas, holders, meetings, place_in
from snellen.tasks.marvel.draw.visible import sight
from snellen.tasks.marvel.marks import CELLS, Mark

EMPTY = "Nothing; the panel is empty."
HOW_TO_READ = (
    "Every panel is a square of 180 by 180 pixels; (x, y) is counted from its upper left corner, x to the right and y "
    "down, and the place given for a figure is its middle. White figures are drawn as outlines and hide nothing unless "
    "that is said."
)

_LAYERED = "From back to front, each hiding what is behind it unless it is see-through:"
_SIZES = ((14, "small"), (34, "medium-sized"), (999, "large"))
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SIDES = ("top", "upper right", "right", "lower right", "bottom", "lower left", "left", "upper left")
_DIRECTED = MappingProxyType(
    {
        "arrow": ("pointing to the {}", 0),
        "triangle": ("pointing to the {}", 0),
        "drop": ("its tip pointing to the {}", 0),
        "heart": ("its tip pointing to the {}", 180),
        "moon": ("open to the {}", 90),
        "trapezoid": ("its short side facing the {}", 0),
    }
)
"""For shapes that have a front: how to say where it faces, and where that is at turn 0."""


def panel_words(panel: Mapping[str, Any], colour: bool = False) -> str:
    """The exact twin of a panel; `colour` tells the colours too, for when it is drawn in them."""
    if "words" in panel:
        return str(panel["words"])
    view = sight(panel["marks"], colour)
    if not view.marks:
        return EMPTY
    teller = _Teller(view.marks, view.layered, colour)
    sentences = [_LAYERED] if view.layered else []
    sentences += [teller.group(group) for group in _groups(view.marks, view.layered, colour)]
    return " ".join(sentences + _together(view.marks, view.layered))


def _groups(marks: Sequence[DrawnMark], adjacent_only: bool, colour: bool) -> list[list[DrawnMark]]:
    """Marks that differ in place alone are told together: in layers, only if they follow each other."""
    groups: list[list[DrawnMark]] = []
    keys: list[tuple[Any, ...]] = []
    for drawn in marks:
        key = _kind(drawn.mark, colour)
        if key in keys and (not adjacent_only or key == keys[-1]):
            groups[len(keys) - 1 - keys[::-1].index(key)].append(drawn)
        else:
            keys.append(key)
            groups.append([drawn])
    for group in groups:
        group.sort(key=lambda drawn: (drawn.middle[1], drawn.middle[0]))
    return groups


def _kind(mark: Mark, colour: bool) -> tuple[Any, ...]:
    """All about a mark but its place."""
    shape, tint = mark["shape"], mark.get("colour", "") if colour else ""
    if shape == "line":
        return shape, tint
    if shape == "path":
        x, y = mark["points"][0]
        moved = tuple((across - x, down - y) for across, down in mark["points"])
        return shape, tint, moved, mark["closed"], mark["curved"], mark["fill"], mark.get("name", "")
    if shape == "grid":
        return shape, tint, mark["cell"], tuple(mark["rows"])
    if shape == "letter":
        return shape, tint, mark["letter"], mark["size"]
    return shape, tint, mark["size"], mark["turn"], mark["fill"]


class _Teller:
    """Tells groups of equal marks, knowing the whole panel."""

    def __init__(self, marks: Sequence[DrawnMark], layered: bool, colour: bool) -> None:
        self._marks, self._layered, self._colour = marks, layered, colour

    def group(self, group: Sequence[DrawnMark]) -> str:
        """One sentence."""
        shape = group[0].mark["shape"]
        if shape == "line":
            return self._lines(group)
        if shape == "path":
            return self._paths(group)
        tell = {"grid": self._grid, "letter": self._letter}.get(shape, self._figure)
        places = "; ".join(self._place(drawn) for drawn in group)
        return f"{_capital(tell(group[0].mark, len(group)))}{',' if len(group) == 1 else ':'} {places}."

    def _figure(self, mark: Mark, many: int) -> str:
        size = f"{_size_word(mark['size'])}"
        kind = _counted(many, f"{size} {self._fill(mark)}", mark["shape"])
        return ", ".join([f"{kind}{self._outline(mark)}", f"{2 * mark['size']} across", *_facing(mark)])

    def _letter(self, mark: Mark, many: int) -> str:
        kind = _counted(many, f"{_size_word(mark['size'])} {self._tint(mark) or 'black'}", "letter")
        return f'{kind} "{mark["letter"]}", {2 * mark["size"]} high'

    def _grid(self, mark: Mark, many: int) -> str:
        rows = mark["rows"]
        cells = "; ".join(
            f"row {i}: {', '.join(self._cell(mark, sign) for sign in row)}" for i, row in enumerate(rows, 1)
        )
        kind = _counted(many, "", "grid")
        return f"{kind} of {len(rows)} rows and {len(rows[0])} columns of cells {mark['cell']} wide ({cells})"

    def _cell(self, mark: Mark, sign: str) -> str:
        fill, tint = CELLS[sign], self._tint(mark)
        return {"black": tint, "striped": f"{tint} striped"}.get(fill, fill) if tint else fill

    def _paths(self, group: Sequence[DrawnMark]) -> str:
        mark, many = group[0].mark, len(group)
        form = f"{'closed' if mark['closed'] else 'open'} {'curved' if mark['curved'] else 'angular'}"
        filled = mark["closed"] or mark["fill"] != "none"
        looks = f"{self._fill(mark)} {form}" if filled else " ".join(filter(None, (self._tint(mark), form)))
        kind = _counted(many, looks, "shape" if mark["closed"] else "line") + (self._outline(mark) if filled else "")
        name = f', called "{mark["name"]}"' if mark.get("name") else ""
        points = " ".join(f"({x}, {y})" for x, y in mark["points"])
        if many == 1:
            return f"{_capital(kind)}{name}, drawn through {points}, its middle {self._place(group[0])}."
        places = "; ".join(self._place(drawn) for drawn in group)
        return f"{_capital(kind)}{name}, all alike, the first drawn through {points}, their middles {places}."

    def _lines(self, group: Sequence[DrawnMark]) -> str:
        tint = self._tint(group[0].mark)
        told = "; ".join(_line(drawn.mark) for drawn in group)
        return f"{_capital(_counted(len(group), ' '.join(filter(None, (tint, 'straight'))), 'line'))}: {told}."

    def _fill(self, mark: Mark) -> str:
        fill, tint = mark["fill"], self._tint(mark)
        if fill == "none":
            return "see-through" if self._layered else "white"
        return {"black": tint, "striped": f"{tint} striped"}.get(fill, str(fill)) if tint else str(fill)

    def _outline(self, mark: Mark) -> str:
        tint = self._tint(mark)
        return f" with {_article(tint)} {tint} outline" if tint and mark["fill"] not in ("black", "striped") else ""

    def _tint(self, mark: Mark) -> str:
        return str(mark.get("colour", "")) if self._colour else ""

    def _place(self, drawn: DrawnMark) -> str:
        """Where a mark is, on the panel and relative to what may hold it."""
        mark = drawn.mark
        around = holders(drawn, self._marks)
        if mark["shape"] == "path":
            (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*mark["points"], strict=True))
            middle = _at((left + right) / 2, (top + bottom) / 2)
            return ", ".join([middle, *self._in(drawn, around)])
        if mark["shape"] == "grid":
            return f"its upper left corner at ({mark['x']}, {mark['y']})"
        return ", ".join([_at(mark["x"], mark["y"]), *self._in(drawn, around)])

    def _in(self, drawn: DrawnMark, around: Sequence[DrawnMark]) -> Iterable[str]:
        for holder in around:
            where = place_in(drawn, holder)
            if where != "outside" or len(around) == 1:
                larger = holder.shape == drawn.shape
                yield f"{where} the {'larger ' * larger}{self._name(holder)}"

    def _name(self, holder: DrawnMark) -> str:
        """What to call a figure others are in: by its kind, and by its place if there are several of the kind."""
        noun = "shape" if holder.shape == "path" else str(holder.shape)
        others = [drawn for drawn in self._marks if drawn.closed and drawn.shape == holder.shape]
        large = [drawn for drawn in others if drawn.reach >= holder.reach]
        return noun if len(large) == 1 else f"{noun} at ({holder.middle[0]:g}, {holder.middle[1]:g})"


def _line(mark: Mark) -> str:
    x, y, x2, y2 = (mark[key] for key in ("x", "y", "x2", "y2"))
    slope = (
        "upright" if x == x2 else "level" if y == y2 else "falling to the right" if y2 > y else "rising to the right"
    )
    return f"from {_at(x, y, '')} to {_at(x2, y2, '')}, {slope}"


def _facing(mark: Mark) -> list[str]:
    """How a figure is turned, if one can see it."""
    shape, turn = mark["shape"], mark["turn"]
    if shape not in _DIRECTED:
        return [f"turned {turn} degrees clockwise"] if turn else []
    saying, ahead = _DIRECTED[shape]
    same = range(turn, 360, 120) if shape == "triangle" else (turn,)
    for angle in same:
        if (angle + ahead) % 45 == 0:
            return [saying.format(_SIDES[(angle + ahead) // 45 % 8])]
    return [f"{saying.format(_SIDES[ahead // 45])} and then turned {turn} degrees clockwise"]


def _together(marks: Sequence[DrawnMark], layered: bool) -> list[str]:
    """What the lines of a panel make together."""
    if not any(drawn.shape in ("line", "path") for drawn in marks):
        return []
    told = []
    places = [] if layered else meetings(marks)
    if places:
        listed = ", ".join(f"({x}, {y})" for x, y in places)
        told.append(f"Lines cross or meet at {_number(len(places))} place{'s' * (len(places) > 1)}: {listed}.")
    strokes = any(not drawn.closed for drawn in marks)
    if not strokes and not places and not layered:
        return []  # shapes apart from each other: each is its own area
    areas = enclosed_areas(marks, see_through=not layered)
    return [*told, f"The lines enclose {_number(areas)} area{'s' * (areas != 1)}."]


def _at(x: float, y: float, little: str = "at ") -> str:
    """A place in words and numbers."""
    down = "upper" if y < 70 else "lower" if y > 110 else ""
    across = "left" if x < 70 else "right" if x > 110 else ""
    if not across:
        words = {"upper": "the top", "lower": "the bottom"}.get(down, "the centre")
    else:
        words = f"the {down} {across}" if down else f"the {across}"
    return f"{little}{words} ({x:g}, {y:g})"


def _size_word(size: int) -> str:
    return next(word for most, word in _SIZES if size <= most)


def _number(many: int) -> str:
    return _COUNTS[many] if many < len(_COUNTS) else str(many)


def _counted(many: int, looks: str, noun: str) -> str:
    """ "a small black star", "three small black stars"."""
    plural = {"cross": "crosses"}.get(noun, f"{noun}s")
    words = " ".join(filter(None, (looks, noun if many == 1 else plural)))
    if many > 1:
        return f"{_number(many)} {words}"
    return f"{_article(words)} {words}"


def _article(words: str) -> str:
    return "an" if words[0] in "aeiou" else "a"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
