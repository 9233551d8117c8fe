"""Counting in drawings of lines: strokes, curved strokes, crossings, closed areas, corners."""

from collections.abc import Callable, Sequence
from functools import partial

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Box, Mark, coloured, figure
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.quantities import drawings
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS, QuantityAspect, QuantityPlan, Value, box
from snellen.tasks.marvel.puzzle import PuzzleWish

Style = Callable[[Stream, Box, int], list[Mark] | None]
"""Draws so many into the box, or None if this style cannot."""
_BADGES = ("square", "triangle", "star", "diamond", "heart")


def _plan(rng: Stream, wish: PuzzleWish, subject: str, values: Sequence[int], style: Style) -> QuantityPlan:
    """The number in the drawing; with more rules also small figures below it, their number and their kind."""
    aspects = [
        QuantityAspect(subject, values),
        QuantityAspect("the number of small figures below", range(1, 5)),
        QuantityAspect("the kind of the small figures", _BADGES),
    ]
    several = wish.rules > 1
    room = box(wish, strip=several)
    main, small = rng.sample(COLOURS, 2)

    def draw(rng: Stream, shown: Sequence[Value], place: int) -> list[Mark]:
        del place
        marks = coloured(style(rng, room, shown[0]) or [], main)
        if several:
            number, kind = shown[1], shown[2] if len(shown) > 2 else "square"
            spots = [(90 - 12 * (number - 1) + 24 * i, 154) for i in range(number)]
            marks += [figure(kind, spot, 8, "black", colour=small) for spot in spots]
        return marks + rim_clutter(rng, wish, ticks=False)

    return QuantityPlan(aspects[: min(wish.rules, 3)], draw)


def _any(rng: Stream, styles: Sequence[Style], sometimes: Sequence[Style] = ()) -> Style:
    """One of the styles throughout, or a new one in every panel, then also of those that cannot draw every number."""
    if rng.chance(0.4):
        return rng.choice(styles)

    def draw(rng: Stream, room: Box, number: int) -> list[Mark] | None:
        return rng.choice((*styles, *sometimes))(rng, room, number) or rng.choice(styles)(rng, room, number)

    return draw


def strokes(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many strokes, none touching another."""

    def straight(rng: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(rng, room, number, 0, free=False)

    def bent(rng: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(rng, room, 0, number, free=True)

    def mixed(rng: Stream, room: Box, number: int) -> list[Mark]:
        many = rng.below(number + 1)
        return drawings.scattered(rng, room, many, number - many, free=True)

    if wish.shapes == "abstract":
        return _plan(rng, wish, "the number of strokes", range(1, 10), _any(rng, (bent, mixed)))
    styles = (straight, drawings.parallels, drawings.rays)
    return _plan(rng, wish, "the number of lines", range(1, 9), _any(rng, styles))


def curves(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many curved strokes among straight ones, whose number follows no rule."""
    free = wish.shapes == "abstract"

    def style(rng: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(rng, room, 1 + rng.below(3), number, free=free)

    return _plan(rng, wish, "the number of curved strokes", range(1, 7), style)


def crossings(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many points where two strokes cross."""
    free = wish.shapes == "abstract"
    styles = partial(drawings.comb, free=free), partial(drawings.weave, free=free)
    style = _any(rng, styles, () if free else (drawings.hatch, drawings.pierced))
    return _plan(rng, wish, "the number of crossings", range(1, 9), style)


def areas(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many closed areas the lines make."""
    free = wish.shapes == "abstract"
    wheel, rings = partial(drawings.wheel, free=free), partial(drawings.rings, free=free)
    styles = (wheel, drawings.lenses, rings) if free else (wheel, drawings.barred, drawings.fanned, rings)
    return _plan(rng, wish, "the number of closed areas", range(1, 7 if free else 8), _any(rng, styles))


def corners(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many corners an outline has; how many bulges, if it is a curve."""
    if wish.shapes == "abstract":
        return _plan(rng, wish, "the number of bulges", range(3, 9), drawings.flower)
    return _plan(rng, wish, "the number of corners", range(3, 9), drawings.polygon)
