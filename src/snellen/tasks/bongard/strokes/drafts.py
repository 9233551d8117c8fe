"""Proposals: a concept, and as many pairs of pictures as are asked for, the first with it and the second without.

The two of a pair are alike in all but what the concept is about. Whether they are what they claim to be is for the
checker to say.
"""

from collections.abc import Callable
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.strokes import pairs
from snellen.tasks.bongard.strokes.catalogue import MAKERS, miss
from snellen.tasks.bongard.strokes.freeform import altered, wander
from snellen.tasks.bongard.strokes.language import SENTENCES, contains, counted, same
from snellen.tasks.bongard.strokes.measure import StrokeFigure, measure
from snellen.tasks.bongard.strokes.names import names
from snellen.tasks.bongard.strokes.outline import Plan, trace
from snellen.tasks.bongard.strokes.panels import placed, styled
from snellen.tasks.bongard.strokes.path import told
from snellen.tasks.bongard.strokes.visible import MISS, OTHER_PATH, bulges, differs

Proposal = tuple[Panel, Panel]


@dataclass(frozen=True, slots=True)
class StrokeDraft:
    """A concept and a source of pairs (None if one failed)."""

    concept: str
    propose: Callable[[Stream], Proposal | None]


def abstract(rng: Stream) -> StrokeDraft:
    """One attribute, there or not, or a number of strokes."""
    family = rng.choice([*pairs.PAIRS, "straight", "arcs"])
    if family == "straight":
        lines = 3 + rng.below(2)
        return _attribute(counted(lines, "straight"), lambda s: pairs.straight(s, lines))
    if family == "arcs":
        many = 1 + rng.below(2)
        return _attribute(counted(many, "curved"), lambda s: pairs.arcs(s, many))
    make = pairs.PAIRS[family]
    # A change of style along the outline would spoil a mirror image, and make equal parts look unequal.
    uniform = family in ("symmetric", "equal parts")
    there, lacking = SENTENCES[family]
    if rng.chance():
        return _attribute(there, make, uniform=uniform)
    return _attribute(lacking, lambda s: make(s)[::-1], uniform=uniform)


def _attribute(concept: str, make: Callable[[Stream], pairs.Pair], *, uniform: bool = False) -> StrokeDraft:
    def propose(rng: Stream) -> Proposal | None:
        plans = [trace(outline, rng) for outline in make(rng)]
        if not all(_promising(plan) and _tidy(measure(plan)) for plan in plans):
            return None
        one, other = (placed([styled(plan, rng, uniform=uniform)], rng) for plan in plans)
        return _seen(one, other)

    return StrokeDraft(concept, propose)


def _promising(plan: Plan) -> bool:
    """No corner is too sharp or too flat, as far as the program says: saves measuring most that would fail."""
    return all(20 < 180 - abs(stroke.turn) < 160 for stroke in plan[1:])


def _tidy(figure: StrokeFigure) -> bool:
    """Is the shape easy to see: no tiny side, no corner so sharp or so flat that it could be missed?"""
    return (
        figure.closed is not None
        and figure.meets_itself is not None
        and min(side.chord for side in figure.sides) > 0.18 * figure.size
        and all(20 < angle < 150 for angle in figure.corners)
    )


_WANTED = (
    *("square", "rectangle", "house", "regular hexagon", "arrowhead", "arrow", "L-shape", "T-shape", "U-shape"),
    *("four-pointed star", "five-pointed star", "semicircle", "quarter-disc", "drop", "arch", "stadium", "heart"),
)
"""Names that make a concept: shapes told at a glance. Kinds of triangles and of slanted quadrangles are not."""


def basic(rng: Stream) -> StrokeDraft:
    """One or two shapes that have names. Where there is one, all pictures may have some other shape beside it."""
    wanted = rng.sample(_WANTED, 2)
    if rng.chance(0.4):
        return _both(wanted[0], wanted[1])
    return _one(wanted[0], beside=rng.chance())


def _one(name: str, *, beside: bool) -> StrokeDraft:
    def propose(rng: Stream) -> Proposal | None:
        here, gone = trace(MAKERS[name](rng), rng), _missing(name, rng)
        others: list[Plan] = []
        if beside:
            others = [trace(MAKERS[rng.choice(list(MAKERS))](rng), rng)]
        if gone is None or any(names(measure(other)).get(name, False) is not False for other in others):
            return None
        return _pair([here, *others], [gone, *others], rng)

    return StrokeDraft(contains(name), propose)


def _both(first: str, second: str) -> StrokeDraft:
    def propose(rng: Stream) -> Proposal | None:
        one, other = trace(MAKERS[first](rng), rng), trace(MAKERS[second](rng), rng)
        broken = rng.choice([first, second])
        gone = _missing(broken, rng)
        if gone is None:
            return None
        return _pair([one, other], [gone, other] if broken == first else [one, gone], rng)

    return StrokeDraft(contains(first, second), propose)


def _missing(name: str, rng: Stream) -> Plan | None:
    """A shape that nearly has this name and is easy to see, if one was found."""
    plan = trace(miss(name, rng), rng)
    figure = measure(plan)
    clear = figure.closed is not None and figure.meets_itself is not None
    sharp = all(angle > 15 for angle in figure.corners)
    return plan if clear and sharp and min(side.chord for side in figure.sides) > 0.1 * figure.size else None


def _pair(here: list[Plan], gone: list[Plan], rng: Stream) -> Proposal | None:
    one, other = (placed([styled(plan, rng) for plan in plans], rng) for plans in (here, gone))
    return _seen(one, other)


def _seen(one: Panel, other: Panel, pixels: float = MISS) -> Proposal | None:
    """The pair, if a person sees what is drawn and in what the two differ."""
    return (one, other) if bulges(one) and bulges(other) and differs(one, other, pixels) else None


def freeform(rng: Stream) -> StrokeDraft:
    """One random shape of a few strokes that never cross, and turned little: a path that is known again."""
    plan = _wandered(rng)
    heading = rng.below(360)
    turned = (heading, heading + _SWAY)

    def propose(rng: Stream) -> Proposal | None:
        other = altered(plan, rng)
        # The words allow for what the eye lets pass; the tracks themselves must be clearly different.
        if not _clear(measure(other)) or same(plan, other) is not False:
            return None
        drawn = [placed([styled(track, rng, uniform=True)], rng, turned) for track in (plan, other)]
        return _seen(drawn[0], drawn[1], OTHER_PATH)

    return StrokeDraft(told(plan), propose)


_SWAY = 40
"""Degrees from the one that is turned most to the left to the one that is turned most to the right."""


def _wandered(rng: Stream) -> Plan:
    while True:
        plan = wander(rng, 3 + rng.below(2))
        if _clear(measure(plan)):
            return plan


def _clear(figure: StrokeFigure) -> bool:
    """Open, nowhere near itself, and with sides long enough and corners wide enough to be seen."""
    return (
        figure.closed is False
        and figure.meets_itself is False
        and all(angle > 40 for angle in figure.corners)
        and min(side.chord for side in figure.sides) > 0.25 * figure.size
    )


DRAFTS: dict[str, Callable[[Stream], StrokeDraft]] = {"basic": basic, "freeform": freeform, "abstract": abstract}
