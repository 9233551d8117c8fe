"""Shapes that have a name, recognised by their measured sides and angles.

Each name has a pattern: the sides in order, as some starting point and direction would list them; and a test of the
measured figure seen from there. Two kinds of shape are hard to say: a special case of
another (a square is a rectangle), as people use the word both ways; and for everyday words such as "heart" or "arrow"
a shape in unusual proportions, or a little crooked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from snellen.tasks.bongard.strokes.measure import StrokeFigure
from snellen.tasks.bongard.strokes.truth import Truth, above, every, near, negated, some

_LOPSIDED = 0.2
"""An everyday word is not clearly wrong for a shape whose mirror image is off by less than this share of its size."""


class _View:
    """A closed figure listed from some corner in some direction: `angles[k]` lies between sides k - 1 and k."""

    __slots__ = ("angles", "balanced", "chords", "kinds", "sweeps")

    def __init__(self, figure: StrokeFigure, order: Sequence[int], angles: Sequence[int]) -> None:
        sides = [figure.sides[k] for k in order]
        self.kinds = "".join("L" if side.straight else "A" for side in sides)
        self.chords = [side.chord for side in sides]
        self.sweeps = [side.sweep for side in sides]
        self.angles = [figure.angles[k] for k in angles]
        self.balanced = figure.lopsided < _LOPSIDED

    def angle(self, place: int, degrees: float) -> Truth:
        return near(self.angles[place], degrees, 2.5, 9)

    def equal(self, *sides: int) -> Truth:
        lengths = [self.chords[side] for side in sides]
        return near(max(lengths) / min(lengths), 1, 0.04, 0.18)

    def bends(self, side: int, degrees: float) -> Truth:
        return near(self.sweeps[side], degrees, 4, 20)

    def parallel(self, first: int, second: int) -> Truth:
        """Are the sides before the first and after the second of two neighbouring angles parallel?"""
        return near(self.angles[first] + self.angles[second], 180, 3, 11)

    def reflex(self) -> int:
        return sum(angle > 180 for angle in self.angles)

    def right(self) -> Truth:
        """Only right angles, from inside or from outside."""
        return every(near(min(angle, 360 - angle), 90, 2.5, 9) for angle in self.angles)

    def regular(self) -> Truth:
        usual = 180 - 360 / len(self.angles)
        return every([self.equal(*range(len(self.chords))), *(self.angle(k, usual) for k in range(len(self.angles)))])


def _views(figure: StrokeFigure) -> Iterator[_View]:
    """All ways to list the figure."""
    many = len(figure.sides)
    for first in range(many):
        order = [(first + k) % many for k in range(many)]
        yield _View(figure, order, order)
        yield _View(figure, order[::-1], [(k + 1) % many for k in order[::-1]])


@dataclass(frozen=True, slots=True)
class NamePattern:
    """What has a name: its sides in order (L a line, A an arc), and what must be true of the view that lists them so.

    `special`: cases of which it is hard to say, as they have a name of their own. `alike`: shapes near enough to the
    word that it is hard to say instead of no.
    """

    sides: str
    must: Callable[[_View], Sequence[Truth]]
    special: Callable[[_View], Truth] = lambda view: False
    alike: Callable[[_View], bool] = lambda view: False

    def fits(self, view: _View) -> Truth:
        truth = every([*self.must(view), True if self.special(view) is False else None])
        return None if truth is False and self.alike(view) else truth


def _dents(v: _View, *places: int) -> bool:
    """Are just these angles reflex?"""
    return all((angle > 180) == (place in places) for place, angle in enumerate(v.angles))


def _step(v: _View, *dents: int) -> Truth:
    """Are all angles right, and just these reflex?"""
    return _dents(v, *dents) and v.right()


def _about_right(angle: float, slack: float) -> bool:
    return abs(angle - 90) < slack


def _star(tips: int) -> NamePattern:
    def must(v: _View) -> list[Truth]:
        tip, dent = v.angles[0::2], v.angles[1::2]
        alike = [near(max(group) - min(group), 0, 4, 12) for group in (tip, dent)]
        return [v.equal(*range(len(v.chords))), *alike, negated(above(max(tip), 70, 85)), min(dent) > 180]

    return NamePattern("LL" * tips, must, alike=lambda v: v.balanced and min(v.angles[1::2]) > 180)


_PATTERNS: dict[str, NamePattern] = {
    "triangle": NamePattern("LLL", lambda v: []),
    "right triangle": NamePattern("LLL", lambda v: [v.angle(0, 90)]),
    "equilateral triangle": NamePattern("LLL", lambda v: [v.angle(k, 60) for k in range(3)]),
    "isosceles triangle": NamePattern(
        "LLL",
        lambda v: [near(v.angles[0], v.angles[1], 2.5, 9)],
        special=lambda v: every(v.angle(k, 60) for k in range(3)),
    ),
    "square": NamePattern("LLLL", lambda v: [v.regular()]),
    "rectangle": NamePattern(
        "LLLL", lambda v: [v.right()], special=lambda v: max(v.chords[:2]) / min(v.chords[:2]) < 1.3
    ),
    "rhombus": NamePattern("LLLL", lambda v: [v.equal(0, 1, 2, 3)], special=lambda v: _about_right(v.angles[0], 14)),
    "parallelogram": NamePattern(
        "LLLL",
        lambda v: [v.parallel(0, 1), v.parallel(1, 2), v.reflex() == 0],
        special=lambda v: some([v.equal(0, 1), _about_right(v.angles[0], 14)]),
    ),
    "trapezoid": NamePattern(
        "LLLL",
        lambda v: [v.parallel(0, 1), v.reflex() == 0],
        special=lambda v: every([v.parallel(0, 1), v.parallel(1, 2)]),
    ),
    "kite": NamePattern(
        "LLLL",
        lambda v: [v.equal(0, 1), v.equal(2, 3), v.reflex() == 0],
        special=lambda v: v.equal(0, 1, 2, 3),
    ),
    "arrowhead": NamePattern("LLLL", lambda v: [v.equal(0, 1), v.equal(2, 3), v.reflex() == 1]),
    "regular pentagon": NamePattern("LLLLL", lambda v: [v.regular()]),
    "house": NamePattern(
        "LLLLL",
        lambda v: [
            *(v.angle(0, 90), v.angle(1, 90), v.equal(1, 4), v.equal(2, 3), v.reflex() == 0),
            *(above(v.angles[2], 100, 108), negated(above(v.angles[3], 150, 160))),
        ],
        alike=lambda v: v.balanced and all(_about_right(v.angles[k], 15) for k in (0, 1)) and v.reflex() == 0,
    ),
    "regular hexagon": NamePattern("LLLLLL", lambda v: [v.regular()]),
    "L-shape": NamePattern("LLLLLL", lambda v: [v.right(), v.reflex() == 1]),
    "arrow": NamePattern(
        "LLLLLLL",
        lambda v: [
            *(v.angle(0, 90), v.angle(1, 90), v.angle(2, 270), v.angle(6, 270), v.equal(1, 6), v.equal(2, 5)),
            *(v.equal(3, 4), negated(above(v.angles[4], 110, 120))),
        ],
        alike=lambda v: v.balanced and _dents(v, 2, 6),
    ),
    "T-shape": NamePattern(
        "LLLLLLLL",
        lambda v: [_step(v, 0, 3), v.equal(3, 7), v.equal(4, 6)],
        alike=lambda v: _step(v, 0, 3) is not False,
    ),
    "U-shape": NamePattern(
        "LLLLLLLL",
        lambda v: [_step(v, 0, 1), v.equal(1, 7), v.equal(2, 6)],
        alike=lambda v: _step(v, 0, 1) is not False,
    ),
    "four-pointed star": _star(4),
    "five-pointed star": _star(5),
    "semicircle": NamePattern("LA", lambda v: [v.bends(1, 180)]),
    "lens": NamePattern(
        "AA",
        lambda v: [near(v.sweeps[0], v.sweeps[1], 5, 60), min(v.sweeps) > 0, negated(above(max(v.sweeps), 140, 150))],
    ),
    "crescent": NamePattern(
        "AA",
        lambda v: [above(v.sweeps[0], 120, 130), above(-v.sweeps[1], 30, 40)],
        alike=lambda v: v.sweeps[1] < 0,
    ),
    "quarter-disc": NamePattern("LLA", lambda v: [v.angle(1, 90), v.bends(2, 90), v.equal(0, 1)]),
    "three-quarter disc": NamePattern("LLA", lambda v: [v.angle(1, 270), v.bends(2, 270), v.equal(0, 1)]),
    "cone": NamePattern(
        "LLA",
        lambda v: [v.bends(2, 180), v.equal(0, 1), negated(above(v.angles[1], 80, 90))],
        alike=lambda v: v.balanced and v.sweeps[2] > 50 and v.angles[1] < 180,
    ),
    "drop": NamePattern(
        "LLA",
        lambda v: [v.angle(0, 180), v.angle(2, 180), v.equal(0, 1), above(v.sweeps[2], 190, 200)],
        alike=lambda v: v.balanced and v.sweeps[2] > 140 and v.angles[1] < 180,
    ),
    "arch": NamePattern(
        "LLLA",
        lambda v: [v.angle(1, 90), v.angle(2, 90), v.bends(3, 180), v.equal(0, 2)],
        alike=lambda v: v.balanced and v.sweeps[3] > 50 and _about_right(v.angles[1], 15),
    ),
    "stadium": NamePattern(
        "LALA",
        lambda v: [v.bends(1, 180), v.bends(3, 180), v.equal(0, 2), *(v.angle(k, 180) for k in range(4))],
        alike=lambda v: v.balanced and min(v.sweeps[1], v.sweeps[3]) > 100,
    ),
    "heart": NamePattern(
        "LLAA",
        lambda v: [
            *(v.angle(1, 90), v.equal(0, 1), v.bends(2, 180), v.bends(3, 180)),
            *(v.equal(2, 3), v.angle(3, 270)),
        ],
        alike=lambda v: v.balanced and min(v.sweeps[2], v.sweeps[3]) > 60 and _dents(v, 3),
    ),
}

NAMES = tuple(_PATTERNS)
EVERYDAY = frozenset(
    {"arrowhead", "house", "L-shape", "arrow", "T-shape", "U-shape", "four-pointed star", "five-pointed star"}
    | {"lens", "crescent", "cone", "drop", "arch", "stadium", "heart"}
)
"""Names that people also give to a shape that is damaged or crooked."""
_BY_SIDES: dict[tuple[int, int], list[str]] = {}
for _name, _pattern in _PATTERNS.items():
    _BY_SIDES.setdefault((_pattern.sides.count("L"), _pattern.sides.count("A")), []).append(_name)


@lru_cache(maxsize=4096)
def names(figure: StrokeFigure) -> dict[str, Truth]:
    """For each name that could be this figure's whether it is; names left out are not."""
    candidates = _BY_SIDES.get((figure.straight, figure.arcs), [])
    if figure.closed is False or figure.meets_itself:
        return {}
    if figure.closed is None or figure.meets_itself is None:
        return dict.fromkeys(candidates)
    views = list(_views(figure))
    patterns = {name: _PATTERNS[name] for name in candidates}
    return {name: some(p.fits(view) for view in views if view.kinds == p.sides) for name, p in patterns.items()}


def name_of(figure: StrokeFigure) -> str:
    """The most telling name of a figure, "" if it has none."""
    fitting = [name for name, truth in names(figure).items() if truth]
    return fitting[-1] if fitting else ""
