"""What a person sees in a panel: things with a name, a tone and a place, and how they lie to each other.

Worked out from the marks alone, and with doubt: a thing that is covered or cramped has no clear name or tone, outlines
that meet may make up shapes that nobody drew. What is doubtful is said to be so, and `probes.py` asks nothing about it.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import combinations

import numpy as np

from snellen.draw.pens import Points
from snellen.tasks.marvel.draw.drawn import DrawnMark, line_of
from snellen.tasks.marvel.draw.figures import FIGURES, outline, upright
from snellen.tasks.marvel.draw.geometry import SPACING, along_line, box_of, distances, evenly, hits, within
from snellen.tasks.marvel.draw.stamps import path_line
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.puzzle import Panel

POLYGONS = frozenset(("square", "rectangle", "triangle", "diamond", "trapezoid", "pentagon", "hexagon"))
ROUND = frozenset(("circle", "ellipse", "drop", "heart", "moon", "dot"))
_ALIKE = (
    {"square", "rectangle", "diamond", "trapezoid"},
    {"circle", "ellipse", "dot", "drop"},
    {"circle", "dot", "hexagon", "pentagon"},
    {"triangle", "arrow", "drop"},
)
"""Names that one could use for the other, or mix up."""

DOT = 9
"""A solid circle up to this size is a dot."""
_SPECK, _TICK = 7, 20
"""Smaller figures and shorter lines are too small to be asked about."""
_NAMED_FROM = {"circle": 7, "square": 7, "triangle": 7, "cross": 8, "star": 9, "heart": 9}
_CLEAR = 7.0
"""Lines that come closer than this seem to touch."""
_DEEP = 8.0


def alike(name: str, other: str) -> bool:
    """Whether one name might be used for the other."""
    return name == other or any(name in group and other in group for group in _ALIKE)


@dataclass(frozen=True, eq=False, slots=True)
class PanelThing(DrawnMark):
    """Something in a panel, the `place`-th; its line goes by points a few pixels apart.

    `kind` is figure, line (also a path from one point to another), path, grid or letter. `name` and `tone` are empty if
    there is no clear name or tone for it.
    """

    kind: str
    name: str
    tone: str
    place: int = 0

    @property
    def x(self) -> float:
        return self.middle[0]

    @property
    def y(self) -> float:
        return self.middle[1]

    @property
    def size(self) -> int:
        return int(self.mark.get("size", 0))

    @property
    def is_open(self) -> bool:
        """Whether it is a line with two ends."""
        return self.kind in ("line", "path") and not self.closed

    @property
    def see_through(self) -> bool:
        return self.tone == "" or self.fill == "none"


def _thing(mark: Mark) -> PanelThing:
    shape = mark["shape"]
    if shape in FIGURES:
        return _figure(mark)
    line, closed = line_of(mark, inset=0)
    kind = "line" if shape == "path" and len(mark["points"]) == 2 else shape
    closed = closed and kind in ("path", "grid")  # of a letter the box will do
    if kind == "path" and mark.get("curved"):
        line = evenly(line, closed)
    tone = _tone(mark) if kind == "path" and closed else ""
    return PanelThing(mark, along_line(line, closed), closed, box_of(line), kind, "grid" * (kind == "grid"), tone)


def _figure(mark: Mark) -> PanelThing:
    shape, size, turn = mark["shape"], mark["size"], mark.get("turn", 0)
    name = shape if size >= _NAMED_FROM.get(shape, 12) else ""
    if shape == "circle" and size <= DOT and mark.get("fill", "none") == "black":
        name = "dot"
    if shape == "square" and upright("square", turn):
        name = ""  # might be called a diamond
    points = _figure_points(shape, size, turn) + np.array([mark["x"], mark["y"]])
    return PanelThing(mark, points, True, box_of(points), "figure", name, _tone(mark))


@lru_cache(maxsize=1024)
def _figure_points(shape: str, size: int, turn: int) -> Points:
    return along_line(outline(shape, size, turn), True)


def _tone(mark: Mark) -> str:
    fill = str(mark.get("fill", "none"))
    return "white" if fill == "none" else fill


def _small(thing: PanelThing) -> bool:
    if thing.kind == "line":
        return len(thing.line) * SPACING < _TICK + SPACING
    return thing.kind == "figure" and not thing.name and thing.size < _SPECK


def _relation(thing: PanelThing, other: PanelThing) -> str:
    """apart, inside, around, crosses; `touches` is for all that comes close or is not clear."""
    gap = max(
        thing.box[0] - other.box[2],
        other.box[0] - thing.box[2],
        thing.box[1] - other.box[3],
        other.box[1] - thing.box[3],
    )
    if gap >= _CLEAR:
        return "apart"
    far = distances(thing.line, other.line)
    in_other = within(thing.line, other.line) if other.closed else np.zeros(len(thing.line), bool)
    in_one = within(other.line, thing.line) if thing.closed else np.zeros(len(other.line), bool)
    if far.min() >= _CLEAR and not in_one.any() and not in_other.any():
        return "apart"
    if far.min() >= _CLEAR and in_other.all():
        return "inside"
    if far.min() >= _CLEAR and in_one.all():
        return "around"
    if thing.kind == other.kind == "line":
        return "crosses" if _lines_cross(thing, other) else "touches"
    deep = other.closed and bool(far[in_other].max(initial=0) >= _DEEP and far[~in_other].max(initial=0) >= _DEEP)
    return "crosses" if deep else "touches"


def _lines_cross(thing: PanelThing, other: PanelThing) -> bool:
    """Whether two straight lines cross well away from their ends."""
    start, start2 = thing.line[0], other.line[0]
    way, way2 = thing.line[-1] - start, other.line[-1] - start2
    turn = way[0] * way2[1] - way[1] * way2[0]
    lengths = np.hypot(*way), np.hypot(*way2)
    if abs(turn) < 0.3 * lengths[0] * lengths[1]:
        return False
    between = start2 - start
    along = (between[0] * way2[1] - between[1] * way2[0]) / turn
    along2 = (between[0] * way[1] - between[1] * way[0]) / turn
    return all(_DEEP <= part * length <= length - _DEEP for part, length in zip((along, along2), lengths, strict=True))


_OPPOSITE = {"inside": "around", "around": "inside"}
_SHOWS_ON = {"white": ("black", "white", "grey", "striped"), "grey": ("black", "white"), "black": ("white", "grey")}
"""On what tone which tones can be made out."""


class PanelScene:
    """The things in a panel, in the order they are drawn.

    `ticks`, `specks`: whether there are also short lines, or small figures, that nothing can be asked about.
    """

    def __init__(self, panel: Panel) -> None:
        everything = [_thing(mark) for mark in panel["marks"]]
        self.things = [replace(thing, place=i) for i, thing in enumerate(t for t in everything if not _small(t))]
        self.ticks = any(_small(thing) and thing.kind == "line" for thing in everything)
        self.specks = any(_small(thing) and thing.kind != "line" for thing in everything)
        self.names = Counter(thing.name for thing in self.things if thing.kind == "figure" and thing.name)
        self._alone: dict[int, bool] = {}
        self._sure: dict[str, bool] = {}

    @property
    def scraps(self) -> bool:
        return self.ticks or self.specks

    @cached_property
    def _relations(self) -> list[dict[int, str]]:
        """For each thing how it lies to those that are not apart from it."""
        relations: list[dict[int, str]] = [{} for _ in self.things]
        for thing, other in combinations(self.things, 2):
            relation = _relation(thing, other)
            if relation != "apart":
                relations[thing.place][other.place] = relation
                relations[other.place][thing.place] = _OPPOSITE.get(relation, relation)
        return relations

    def relation(self, thing: PanelThing, other: PanelThing) -> str:
        """How `one` lies to `other`."""
        return self._relations[thing.place].get(other.place, "apart")

    def inside(self, thing: PanelThing) -> list[PanelThing]:
        """The things that lie clearly inside this one."""
        return [self.things[place] for place, how in self._relations[thing.place].items() if how == "around"]

    def around(self, thing: PanelThing) -> list[PanelThing]:
        """The things that this one lies clearly inside of."""
        return [self.things[place] for place, how in self._relations[thing.place].items() if how == "inside"]

    def meets(self, thing: PanelThing) -> bool:
        """Whether its line touches or crosses another."""
        return any(how in ("touches", "crosses") for how in self._relations[thing.place].values())

    def alone(self, thing: PanelThing) -> bool:
        """Whether it meets nothing, and can be seen: nothing covers it, and it stands out from what it lies on."""
        if thing.place not in self._alone:
            self._alone[thing.place] = not self.meets(thing) and all(map(partial(_shows, thing), self.around(thing)))
        return self._alone[thing.place]

    def bare(self, thing: PanelThing) -> bool:
        """Whether nothing that could hide any of it was drawn over it."""
        return not any(
            place > thing.place and not self.things[place].see_through for place in self._relations[thing.place]
        )

    @cached_property
    def tangled(self) -> bool:
        """Whether any lines meet: they may make up shapes of their own."""
        return any(map(self.meets, self.things))

    def named(self, name: str) -> list[PanelThing]:
        return [thing for thing in self.things if thing.name == name]

    def sure(self, name: str) -> bool:
        """Whether everything that could be called by this name is a figure of that name, in plain sight."""
        if name not in self._sure:
            self._sure[name] = self._is_sure(name)
        return self._sure[name]

    def _is_sure(self, name: str) -> bool:
        if any(self._may_be(thing, name) for thing in self.things if thing.name != name):
            return False
        straight = [thing for thing in self.things if thing.kind == "line"]
        if name in POLYGONS and (self.tangled or len(straight) > 2):
            return False
        return all(self.alone(thing) for thing in self.named(name))

    def _may_be(self, thing: PanelThing, name: str) -> bool:
        """Whether a thing of no name, or of another, might be called that."""
        if thing.kind == "figure":
            large = name == "dot" and thing.size > 2 * DOT
            return not large and (alike(name, thing.shape) or alike(name, thing.name))
        if name == "dot":
            return thing.tone == "black" and thing.box[2] - thing.box[0] < 4 * DOT
        if thing.kind == "path":
            return name in (ROUND if thing.mark.get("curved") else POLYGONS | {"star", "cross", "arrow"})
        if thing.kind == "grid":
            return name in POLYGONS
        return thing.kind == "letter" and (name in POLYGONS or name in ROUND or name == "cross")


def _shows(thing: PanelThing, under: PanelThing) -> bool:
    """Whether a thing can be made out on the one it lies inside of."""
    if under.kind == "grid":
        return thing.tone == "black" and {*"".join(under.mark["rows"])} == {"."} and thing.place > under.place
    stands_out = under.see_through or (thing.tone or "black") in _SHOWS_ON.get(under.tone, ())
    return stands_out and (thing.place > under.place or under.see_through)


def length(thing: PanelThing) -> float:
    """How long a straight line is."""
    return float(np.hypot(*(thing.line[-1] - thing.line[0])))


def ends_apart(thing: PanelThing) -> float:
    """How far the ends of a path are from each other, 0 if it is closed."""
    return 0.0 if thing.closed else length(thing)


def meets_itself(thing: PanelThing, nearer: float = 1.5 * _CLEAR) -> bool:
    """Whether a path comes close to itself somewhere else than along the line."""
    points = thing.line
    gaps = points[:, None, :] - points[None, :, :]
    apart = np.sqrt((gaps * gaps).sum(axis=2))
    steps = np.abs(np.subtract.outer(np.arange(len(points)), np.arange(len(points))))
    if thing.closed:
        steps = np.minimum(steps, len(points) - steps)
    return bool((apart[steps * SPACING > 2.5 * nearer] < nearer).any())


def bends(thing: PanelThing) -> bool:
    """Whether a line is curved nearly all along: in every stretch of it, points leave the straight way."""
    line, span = thing.line, 4
    if thing.closed:
        line = np.concatenate((line, line[:span]))
    if len(line) < 8 * span:  # too small to tell
        return False
    starts, ways = line[:-span], line[span:] - line[:-span]
    middles = line[span // 2 : -span // 2] - starts
    off = np.abs(ways[:, 0] * middles[:, 1] - ways[:, 1] * middles[:, 0]) / np.maximum(np.hypot(*ways.T), 1)
    return bool((off > 0.8).mean() > 0.9)


def crossings(thing: PanelThing, other: PanelThing) -> int:
    """How often two lines cross; 0 if not, or if it is not clear: crossings close together, at an end, or grazing."""
    _, spots, steep = hits(thing.line, other.line)
    if not len(spots):
        return 0
    ends = np.concatenate((thing.line[[0, -1]], other.line[[0, -1]]))
    apart = np.hypot(*(spots[:, None] - spots[None]).T) + 100 * np.eye(len(spots))
    clear = steep.all() and apart.min() > _DEEP and distances(spots, ends).min() > _DEEP
    return len(spots) if clear else 0


def crosses_itself(thing: PanelThing) -> bool:
    """Whether a path runs through itself."""
    points = thing.mark["points"]
    x, y = points[0]
    return _self_crossing(tuple((a - x, b - y) for a, b in points), thing.closed, bool(thing.mark.get("curved")))


@lru_cache(maxsize=1024)  # panels repeat their shapes in other places
def _self_crossing(points: tuple[tuple[int, int], ...], closed: bool, curved: bool) -> bool:
    line = path_line(points, closed, curved)
    line = np.concatenate((line, line[:1])) if closed else line
    pieces, _, _ = hits(line, line)
    steps = np.abs(pieces[:, 0] - pieces[:, 1])
    return bool(((steps > 1) & (steps < len(line) - 2)).any())


def collinear(thing: PanelThing, other: PanelThing) -> bool:
    """Whether two straight lines might be taken for one: nearly the same direction, and in line."""
    way = (thing.line[-1] - thing.line[0]) / max(length(thing), 1.0)
    offsets = np.abs((other.line - thing.line[0]) @ np.array([-way[1], way[0]]))
    return bool(offsets.max() < 2 * _CLEAR)


def hugs(line: PanelThing, thing: PanelThing) -> bool:
    """Whether a line runs along the outline of a thing for a good part of its length."""
    return bool((distances(line.line, thing.line) < _CLEAR).mean() > 0.35)
