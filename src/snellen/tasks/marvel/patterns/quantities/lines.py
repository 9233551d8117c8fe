"""Counting in drawings of lines: strokes, curved strokes, crossings, closed areas, corners."""

from collections.abc import Callable, Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import Box, Mark
from snellen.tasks.marvel.patterns.quantities import drawings
from snellen.tasks.marvel.patterns.quantities.places import BADGES, COLOURS, box, clutter, strip, tinted
from snellen.tasks.marvel.patterns.quantities.puzzles import Aspect, Plan, Value
from snellen.tasks.marvel.puzzle import Wish

Style = Callable[[Stream, Box, int], list[Mark] | None]
"""Draws so many into the box, or None if this style cannot."""


def _plan(turn: Stream, wish: Wish, subject: str, values: Sequence[int], style: Style) -> Plan:
    """The number in the drawing; with more rules also small figures below it, their number and their kind."""
    aspects = [
        Aspect(subject, values),
        Aspect("the number of small figures below", range(1, 5)),
        Aspect("the kind of the small figures", BADGES),
    ]
    several = wish.rules > 1
    room = box(wish, strip=several)
    main, small = turn.sample(COLOURS, 2)

    def draw(turn: Stream, found: Sequence[Value], place: int) -> list[Mark]:
        del place
        marks = tinted(style(turn, room, found[0]) or [], main)
        if several:
            marks += tinted(strip(found[1], found[2] if len(found) > 2 else "square"), small)
        return marks + clutter(turn, wish, ticks=False)

    return Plan(aspects[: min(wish.rules, 3)], draw)


def _any(turn: Stream, styles: Sequence[Style], sometimes: Sequence[Style] = ()) -> Style:
    """One of the styles throughout, or a new one in every panel, then also of those that cannot draw every number."""
    if turn.chance(0.4):
        return turn.choice(styles)

    def draw(turn: Stream, room: Box, number: int) -> list[Mark] | None:
        return turn.choice((*styles, *sometimes))(turn, room, number) or turn.choice(styles)(turn, room, number)

    return draw


def strokes(turn: Stream, wish: Wish) -> Plan:
    """How many strokes, none touching another."""

    def bent(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(turn, room, 0, number, free=True)

    def mixed(turn: Stream, room: Box, number: int) -> list[Mark]:
        straight = turn.below(number + 1)
        return drawings.scattered(turn, room, straight, number - straight, free=True)

    def straight(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(turn, room, number, 0, free=False)

    if wish.shapes == "abstract":
        return _plan(turn, wish, "the number of strokes", range(1, 10), _any(turn, (bent, mixed)))
    return _plan(
        turn, wish, "the number of lines", range(1, 9), _any(turn, (straight, drawings.parallels, drawings.rays))
    )


def curves(turn: Stream, wish: Wish) -> Plan:
    """How many curved strokes among straight ones, whose number follows no rule."""
    free = wish.shapes == "abstract"

    def style(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.scattered(turn, room, 1 + turn.below(3), number, free=free)

    return _plan(turn, wish, "the number of curved strokes", range(1, 7), style)


def crossings(turn: Stream, wish: Wish) -> Plan:
    """How many points where two strokes cross."""
    free = wish.shapes == "abstract"

    def comb(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.comb(turn, room, number, free=free)

    def weave(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.weave(turn, room, number, free=free)

    style = _any(turn, (comb, weave), () if free else (drawings.hatch, drawings.pierced))
    return _plan(turn, wish, "the number of crossings", range(1, 9), style)


def areas(turn: Stream, wish: Wish) -> Plan:
    """How many closed areas the lines make."""
    free = wish.shapes == "abstract"

    def wheel(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.wheel(turn, room, number, free=free)

    def rings(turn: Stream, room: Box, number: int) -> list[Mark]:
        return drawings.rings(turn, room, number, free=free)

    styles = (wheel, drawings.lenses, rings) if free else (wheel, drawings.barred, drawings.fanned, rings)
    return _plan(turn, wish, "the number of closed areas", range(1, 7 if free else 8), _any(turn, styles))


def corners(turn: Stream, wish: Wish) -> Plan:
    """How many corners an outline has; how many bulges, if it is a curve."""
    if wish.shapes == "abstract":
        return _plan(turn, wish, "the number of bulges", range(3, 9), drawings.flower)
    return _plan(turn, wish, "the number of corners", range(3, 9), drawings.polygon)
