"""From properties to a puzzle: the four choices first, the right one evenly among them, the context backwards.

With one rule the choices are four values of the property, or, of a property with fewer values, a square with a second
property that stays as it is in the whole puzzle. With two rules they are a square of two properties that both follow a
rule; with three, the four of eight combinations in which every value stands twice and every pair of values once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, COLOURS, Mark, coloured, figure
from snellen.tasks.marvel.patterns.choices import draft, offer
from snellen.tasks.marvel.patterns.plane.course import PlaneCourse, Property, course
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

LARGE, SMALL = 60, 36
"""Half the width of what is drawn."""
_TRIES = 20

FILL = Property("fill", {"white": "is white", "black": "is black", "grey": "is grey"})
SIZE = Property("size", {"large": "is large", "small": "is small"})


@dataclass(frozen=True, slots=True)
class FigureLook:
    """What figures of one puzzle have in common: `marks` in a figure (1 or 2), lines smooth or straight (abstract)."""

    abstract: bool
    fill: str
    size: int
    curved: bool
    marks: int
    lone: bool
    """Nothing else stands in the panel: the figure need not be centred on what surrounds it."""


Values = Mapping[str, str]
"""The value of each property by its name."""
Build = Callable[[Stream, Values, FigureLook], list[Mark]]
Clutter = Callable[[Stream], list[Mark]]


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A family before it is made: its properties, the one that must follow a rule first, and who draws a figure.

    A property that is not needed for the rules of a puzzle has no value there: the look decides.
    """

    name: str
    properties: tuple[Property, ...]
    build: Build
    clutter: Clutter
    beside: int = 50
    """The size of a figure that shares its panel with clutter."""


def ring_around(rng: Stream) -> list[Mark]:
    """A fixed background that has every symmetry: one or two circles around the figure."""
    sizes = rng.choice(((74,), (74, 68), (72,)))
    return [figure("circle", CENTRE, size) for size in sizes]


def dots_at_the_edge(rng: Stream) -> list[Mark]:
    """Small solid dots near the frame, the same in all panels."""
    spots = [(x, y) for x in (22, 56, 90, 124, 158) for y in (22, 158)] + [
        (x, y) for x in (22, 158) for y in (56, 90, 124)
    ]
    chosen = rng.sample(spots, 3 + rng.below(3))
    return [figure("circle", spot, 5, "black") for spot in sorted(chosen)]


def make(rng: Stream, wish: PuzzleWish, kind: FigureKind) -> PuzzleDraft:
    """A puzzle of this kind for the wish."""
    ruled = list(kind.properties[: max(1, min(wish.rules, 3))])
    offered, right = _offer(rng, kind, ruled, wish)
    used = [what for what in kind.properties if what.name in offered[0]]
    courses = [course(rng, what, offered[right][what.name], wish, still=what not in ruled) for what in used]
    look = _look(rng, kind, wish)
    draw = _Drawing(kind, look, tuple(kind.clutter(rng)) if wish.clutter else (), rng.choice(COLOURS))
    choices = draw.choices(rng, offered, near=wish.near)
    context: list[list[Mark]] = []
    for place in range(wish.lines * wish.length - 1):
        line, column = divmod(place, wish.length)
        values = {what.name: plan.values[line][column] for what, plan in zip(used, courses, strict=True)}
        context.append(draw.unlike(rng, values, [*choices, *context]))
    wrong = [_mechanism(values, offered[right], used, courses, wish) for values in offered]
    rule = "; ".join(plan.words for plan in courses)
    return draft(context, choices, right, wrong, rule[0].upper() + rule[1:] + ".", kind.name)


def _offer(
    rng: Stream, kind: FigureKind, ruled: Sequence[Property], wish: PuzzleWish
) -> tuple[list[dict[str, str]], int]:
    """The properties of the four choices, and which is right."""
    first, used = ruled[0], ruled if len(ruled) > 1 else kind.properties[:2]
    pools = [what.values for what in used]
    if len(ruled) == 1 and len(first.values) >= CHOICES:
        used, pools = ruled, [first.values]
        if wish.near and first.ladder:
            start = rng.below(len(first.values) - CHOICES + 1)
            pools = [first.values[start : start + CHOICES]]
    offered, right = offer(rng, *pools)
    return [{what.name: value for what, value in zip(used, values, strict=True)} for values in offered], right


def _look(rng: Stream, kind: FigureKind, wish: PuzzleWish) -> FigureLook:
    return FigureLook(
        abstract=wish.shapes == "abstract",
        fill=rng.choice(("white", "white", "white", "black", "grey")),
        size=kind.beside if wish.clutter else LARGE,
        curved=rng.chance(0.6),
        marks=rng.choice((1, 2)),
        lone=not wish.clutter,
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws figures as panels."""

    kind: FigureKind
    look: FigureLook
    clutter: tuple[Mark, ...]
    colour: str

    def panel(self, rng: Stream, values: Values) -> list[Mark]:
        look = replace(self.look, fill=values.get("fill", self.look.fill))
        if values.get("size") == "small":
            look = replace(look, size=round(look.size * SMALL / LARGE))
        return [*self.clutter, *coloured(self.kind.build(rng, values, look), self.colour)]

    def choices(self, rng: Stream, offered: Sequence[Values], *, near: bool) -> list[list[Mark]]:
        """The choices: variants of one figure if `near`, four different figures otherwise."""
        if near:
            same = rng.below(2**31)
            panels = [self.panel(Stream(same), values) for values in offered]
            if all(panels[i] != panels[j] for i in range(CHOICES) for j in range(i)):
                return panels
        panels = []
        for values in offered:
            panels.append(self.unlike(rng, values, panels))
        return panels

    def unlike(self, rng: Stream, values: Values, others: Sequence[list[Mark]]) -> list[Mark]:
        """A panel that none of the others equals."""
        panel = self.panel(rng, values)
        for _ in range(_TRIES):
            if panel not in others:
                break
            panel = self.panel(rng, values)
        return panel


def _mechanism(
    values: Values, wanted: Values, used: Sequence[Property], courses: Sequence[PlaneCourse], wish: PuzzleWish
) -> str:
    """What a choice does wrong, property by property."""
    return " and ".join(
        _slip(what, values[what.name], wanted[what.name], plan.values, wish)
        for what, plan in zip(used, courses, strict=True)
        if values[what.name] != wanted[what.name]
    )


def _slip(what: Property, value: str, right: str, values: Sequence[Sequence[str]], wish: PuzzleWish) -> str:
    if wish.configuration != "group":
        if value == values[-1][-2]:
            return f"{what.name} as in the panel before"
        if wish.lines > 1 and value == values[-2][-1]:
            return f"{what.name} as in the panel above"
    if what.ladder:
        return f"{what.name} too {'large' if int(value) > int(right) else 'small'}"
    return f"wrong {what.name}"
