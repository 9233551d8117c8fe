"""Shapes that have a name, recognised by their measured sides and angles.

Each name has a pattern: the sides in order, L for a line and A for an arc, as some starting point and direction would
list them; and a test of the measured figure seen from there. Two kinds of shape are hard to say: a special case of
another (a square is a rectangle), as people use the word both ways; and for everyday words such as "heart" or "arrow"
a shape in unusual proportions, or a little crooked.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from snellen.tasks.bongard.strokes.measure import StrokeFigure
from snellen.tasks.bongard.strokes.truth import Truth, above, every, near, negated, some

_Test = Callable[["_View"], Truth]
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


def _unless(truth: Truth, special: Truth) -> Truth:
    """Hard to say in the special case; otherwise the truth."""
    return every([truth, None if special is not False else True])


def _loosely(truth: Truth, alike: bool) -> Truth:
    """The truth, but hard to say instead of no where the shape is alike enough for the word."""
    return None if alike and truth is False else truth


def _right_triangle(v: _View) -> Truth:
    return v.angle(0, 90)


def _equilateral(v: _View) -> Truth:
    return every(v.angle(k, 60) for k in range(3))


def _isosceles(v: _View) -> Truth:
    return _unless(near(v.angles[0], v.angles[1], 2.5, 9), _equilateral(v))


def _square(v: _View) -> Truth:
    return v.regular()


def _rectangle(v: _View) -> Truth:
    longer = max(v.chords[0], v.chords[1]) / min(v.chords[0], v.chords[1])
    return _unless(v.right(), longer < 1.3)


def _rhombus(v: _View) -> Truth:
    return _unless(v.equal(0, 1, 2, 3), abs(v.angles[0] - 90) < 14)


def _parallelogram(v: _View) -> Truth:
    special = some([v.equal(0, 1), abs(v.angles[0] - 90) < 14])
    return _unless(every([v.parallel(0, 1), v.parallel(1, 2), v.reflex() == 0]), special)


def _trapezoid(v: _View) -> Truth:
    both = every([v.parallel(0, 1), v.parallel(1, 2)])
    return every([v.parallel(0, 1), v.reflex() == 0, None if both is not False else True])


def _kite(v: _View) -> Truth:
    pairs = every([v.equal(0, 1), v.equal(2, 3), v.reflex() == 0])
    return _unless(pairs, v.equal(0, 1, 2, 3))


def _arrowhead(v: _View) -> Truth:
    return every([v.equal(0, 1), v.equal(2, 3), v.reflex() == 1])


def _house(v: _View) -> Truth:
    walls = every([v.angle(0, 90), v.angle(1, 90), v.equal(1, 4), v.equal(2, 3)])
    roof = every([above(v.angles[2], 100, 108), negated(above(v.angles[3], 150, 160)), v.reflex() == 0])
    upright = abs(v.angles[0] - 90) < 15 and abs(v.angles[1] - 90) < 15 and v.reflex() == 0
    return _loosely(every([walls, roof]), v.balanced and upright)


def _l_shape(v: _View) -> Truth:
    return every([v.right(), v.reflex() == 1])


def _dents(v: _View, *places: int) -> bool:
    """Are just these angles reflex?"""
    return all((angle > 180) == (place in places) for place, angle in enumerate(v.angles))


def _t_shape(v: _View) -> Truth:
    step = _dents(v, 0, 3) and v.right()
    return _loosely(every([step, v.equal(3, 7), v.equal(4, 6)]), step is not False)


def _u_shape(v: _View) -> Truth:
    step = _dents(v, 0, 1) and v.right()
    return _loosely(every([step, v.equal(1, 7), v.equal(2, 6)]), step is not False)


def _arrow(v: _View) -> Truth:
    shaft = every([v.angle(0, 90), v.angle(1, 90), v.angle(2, 270), v.angle(6, 270), v.equal(1, 6), v.equal(2, 5)])
    arrow = every([shaft, v.equal(3, 4), negated(above(v.angles[4], 110, 120))])
    return _loosely(arrow, v.balanced and _dents(v, 2, 6))


def _star(v: _View) -> Truth:
    tips, dents = v.angles[0::2], v.angles[1::2]
    alike = [near(max(group) - min(group), 0, 4, 12) for group in (tips, dents)]
    star = every([v.equal(*range(len(v.chords))), *alike, negated(above(max(tips), 70, 85)), min(dents) > 180])
    return _loosely(star, v.balanced and min(dents) > 180)


def _semicircle(v: _View) -> Truth:
    return v.bends(1, 180)


def _quarter_disc(v: _View) -> Truth:
    return every([v.angle(1, 90), v.bends(2, 90), v.equal(0, 1)])


def _three_quarter_disc(v: _View) -> Truth:
    return every([v.angle(1, 270), v.bends(2, 270), v.equal(0, 1)])


def _cone(v: _View) -> Truth:
    cone = every([v.bends(2, 180), v.equal(0, 1), negated(above(v.angles[1], 80, 90))])
    return _loosely(cone, v.balanced and v.sweeps[2] > 50 and v.angles[1] < 180)


def _drop(v: _View) -> Truth:
    drop = every([v.angle(0, 180), v.angle(2, 180), v.equal(0, 1), above(v.sweeps[2], 190, 200)])
    return _loosely(drop, v.balanced and v.sweeps[2] > 140 and v.angles[1] < 180)


def _lens(v: _View) -> Truth:
    alike = near(v.sweeps[0], v.sweeps[1], 5, 60)
    return every([alike, min(v.sweeps) > 0, negated(above(max(v.sweeps), 140, 150))])


def _crescent(v: _View) -> Truth:
    crescent = every([above(v.sweeps[0], 120, 130), above(-v.sweeps[1], 30, 40)])
    return _loosely(crescent, v.sweeps[1] < 0)


def _arch(v: _View) -> Truth:
    arch = every([v.angle(1, 90), v.angle(2, 90), v.bends(3, 180), v.equal(0, 2)])
    return _loosely(arch, v.balanced and v.sweeps[3] > 50 and abs(v.angles[1] - 90) < 15)


def _stadium(v: _View) -> Truth:
    stadium = every([v.bends(1, 180), v.bends(3, 180), v.equal(0, 2), *(v.angle(k, 180) for k in range(4))])
    return _loosely(stadium, v.balanced and min(v.sweeps[1], v.sweeps[3]) > 100)


def _heart(v: _View) -> Truth:
    heart = every([v.angle(1, 90), v.equal(0, 1), v.bends(2, 180), v.bends(3, 180), v.equal(2, 3), v.angle(3, 270)])
    return _loosely(heart, v.balanced and min(v.sweeps[2], v.sweeps[3]) > 60 and _dents(v, 3))


_TESTS: dict[str, tuple[str, _Test]] = {
    "triangle": ("LLL", lambda v: True),
    "right triangle": ("LLL", _right_triangle),
    "equilateral triangle": ("LLL", _equilateral),
    "isosceles triangle": ("LLL", _isosceles),
    "square": ("LLLL", _square),
    "rectangle": ("LLLL", _rectangle),
    "rhombus": ("LLLL", _rhombus),
    "parallelogram": ("LLLL", _parallelogram),
    "trapezoid": ("LLLL", _trapezoid),
    "kite": ("LLLL", _kite),
    "arrowhead": ("LLLL", _arrowhead),
    "regular pentagon": ("LLLLL", _View.regular),
    "house": ("LLLLL", _house),
    "regular hexagon": ("LLLLLL", _View.regular),
    "L-shape": ("LLLLLL", _l_shape),
    "arrow": ("LLLLLLL", _arrow),
    "T-shape": ("LLLLLLLL", _t_shape),
    "U-shape": ("LLLLLLLL", _u_shape),
    "four-pointed star": ("LLLLLLLL", _star),
    "five-pointed star": ("LLLLLLLLLL", _star),
    "semicircle": ("LA", _semicircle),
    "lens": ("AA", _lens),
    "crescent": ("AA", _crescent),
    "quarter-disc": ("LLA", _quarter_disc),
    "three-quarter disc": ("LLA", _three_quarter_disc),
    "cone": ("LLA", _cone),
    "drop": ("LLA", _drop),
    "arch": ("LLLA", _arch),
    "stadium": ("LALA", _stadium),
    "heart": ("LLAA", _heart),
}

NAMES = tuple(_TESTS)
EVERYDAY = frozenset(
    {"arrowhead", "house", "L-shape", "arrow", "T-shape", "U-shape", "four-pointed star", "five-pointed star"}
    | {"lens", "crescent", "cone", "drop", "arch", "stadium", "heart"}
)
"""Names that people also give to a shape that is damaged or crooked."""
_BY_SIDES: dict[tuple[int, int], list[str]] = {}
for _name, (_pattern, _) in _TESTS.items():
    _BY_SIDES.setdefault((_pattern.count("L"), _pattern.count("A")), []).append(_name)


@lru_cache(maxsize=4096)
def names(figure: StrokeFigure) -> dict[str, Truth]:
    """For each name that could be this figure's whether it is; names left out are not."""
    candidates = _BY_SIDES.get((figure.straight, figure.arcs), [])
    if figure.closed is False or figure.meets_itself:
        return {}
    if figure.closed is None or figure.meets_itself is None:
        return dict.fromkeys(candidates)
    views = list(_views(figure))
    return {name: _known(name, views) for name in candidates}


def _known(name: str, views: list[_View]) -> Truth:
    pattern, test = _TESTS[name]
    return some(test(view) for view in views if view.kinds == pattern)


def name_of(figure: StrokeFigure) -> str:
    """The most telling name of a figure, "" if it has none."""
    known = [name for name, truth in names(figure).items() if truth]
    return known[-1] if known else ""
