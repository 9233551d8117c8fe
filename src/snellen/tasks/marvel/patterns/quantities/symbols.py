"""Counting symbols: how many there are, how many of them black, how many kinds."""

from collections.abc import Callable, Sequence
from functools import partial

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Box, Mark, Spot, coloured, figure, moved
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.doodles import CLEAR_GLYPHS, blob, glyph, lattice
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS, QuantityAspect, QuantityPlan, Value, box
from snellen.tasks.marvel.puzzle import PuzzleWish

KINDS = ("circle", "square", "triangle", "diamond", "pentagon", "star", "cross", "heart", "hexagon", "drop", "moon")
CLEAR_KINDS = ("circle", "square", "triangle", "diamond", "star", "heart", "moon")
"""Those whose outlines differ by 3 % of a panel's width even when small: a circle's and a hexagon's do not."""
FILLS = ("black", "white", "grey", "striped")

Stamp = Callable[[Spot, int, str], Mark]
"""A symbol at a spot, with size and fill."""


def of_kind(kind: str) -> Stamp:
    return partial(figure, kind)


def blot(rng: Stream, name: str = "", points: int = 0) -> Stamp:
    """An abstract symbol: the same blob wherever it stands."""
    model = blob(rng, 0, 0, 1000, points or rng.choice((5, 6, 7, 8)), name)

    return lambda spot, size, fill: moved(model, spot, size=size + 2, of=1000, fill=fill)


def stamps(rng: Stream, wish: PuzzleWish) -> list[Stamp]:
    """A symbol for every place: the same everywhere, one a row, or all different (always so in a group)."""
    number = wish.lines * wish.length + 3
    manner = "different" if wish.configuration == "group" else rng.choice(("same", "row", "different"))
    many = {"same": 1, "row": wish.lines, "different": number}[manner]
    if wish.shapes == "geometric":
        pool = rng.sample(KINDS, min(many, len(KINDS)))
        stock = [of_kind(pool[i % len(pool)]) for i in range(many)]
    else:
        stock = [blot(rng) for _ in range(many)]
    if manner == "different":
        return stock
    rows = [min(place // wish.length, wish.lines - 1) for place in range(number)]
    return [stock[row % many] for row in rows]


def _spread(rng: Stream, room: Box, fills: Sequence[str], stamp: Sequence[Stamp]) -> list[Mark]:
    """Symbols with these fills in random places of a lattice, none touching another."""
    spots, size = lattice(rng, room, 3, 3)
    return [stamp[i % len(stamp)](spot, size, fill) for i, (spot, fill) in enumerate(zip(spots, fills, strict=False))]


def symbols(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many symbols; with more rules also their fill and their kind."""
    stamp = stamps(rng, wish)
    fill = rng.choice(("black", "black", "white", "grey"))
    colour = rng.choice(COLOURS)
    kinds = rng.sample(KINDS, 4)
    aspects = [
        QuantityAspect("the number of symbols", range(1, 10)),
        QuantityAspect("their fill", FILLS),
        QuantityAspect("their kind", kinds),
    ]
    by_kind = wish.rules >= 3 and wish.shapes == "geometric"
    room = box(wish)

    def draw(rng: Stream, values: Sequence[Value], place: int) -> list[Mark]:
        shade = values[1] if len(values) > 1 else fill
        use = of_kind(values[2]) if len(values) > 2 else stamp[place]
        marks = _spread(rng, room, [shade] * values[0], [use])
        return (coloured(marks, colour) if len(values) == 1 else marks) + rim_clutter(rng, wish, ticks=True)

    return QuantityPlan(aspects[: 3 if by_kind else min(wish.rules, 2)], draw)


def black(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many black ones among all; with more rules also the kind of the symbols."""
    stamp = stamps(rng, wish)
    total = 0 if rng.chance() else 7 + rng.below(3)
    kinds = rng.sample(KINDS, 4)
    second = wish.rules >= 2 and wish.shapes == "geometric"
    aspects = [
        QuantityAspect("the number of black symbols", range(1, 7)),
        QuantityAspect("the kind of the symbols", kinds),
    ]
    room = box(wish)

    def draw(rng: Stream, values: Sequence[Value], place: int) -> list[Mark]:
        number = values[0]
        white = (total or 7 + rng.below(3)) - number
        use = of_kind(values[1]) if len(values) > 1 else stamp[place]
        fills = ["black"] * number + ["white"] * white
        return _spread(rng, room, fills, [use]) + rim_clutter(rng, wish, ticks=True)

    return QuantityPlan(aspects[: 2 if second else 1], draw)


def kinds(rng: Stream, wish: PuzzleWish) -> QuantityPlan:
    """How many different kinds of symbols; with more rules also their fill."""
    total = 6 + rng.below(3)
    fill, colour = rng.choice(("black", "white")), rng.choice(COLOURS)
    geometric = wish.shapes == "geometric"
    aspects = [
        QuantityAspect("the number of different kinds of symbols", range(1, 6)),
        QuantityAspect("their fill", FILLS),
    ]
    room = box(wish)

    def draw(rng: Stream, values: Sequence[Value], place: int) -> list[Mark]:
        del place
        pool = rng.sample(CLEAR_KINDS if geometric else CLEAR_GLYPHS, values[0])
        shade = values[1] if len(values) > 1 else fill
        use = [_large(of_kind(kind) if geometric else partial(_sign, kind)) for kind in pool]
        marks = _spread(rng, room, [shade] * total, use)
        return (coloured(marks, colour) if len(values) == 1 else marks) + rim_clutter(rng, wish, ticks=True)

    return QuantityPlan(aspects[: 2 if geometric and wish.rules >= 2 else 1], draw)


def _sign(name: str, spot: Spot, size: int, fill: str) -> Mark:
    return glyph(name, *spot, size)


def _large(stamp: Stamp) -> Stamp:
    """The symbol as large as fits, where kinds must be told apart."""
    return lambda spot, size, fill: stamp(spot, size + 2, fill)
