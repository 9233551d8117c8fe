"""A relation of two numbers that holds in every panel: a fixed sum, or a fixed difference."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, in_words, square
from snellen.tasks.marvel.patterns.doodles import lattice
from snellen.tasks.marvel.patterns.quantities.places import box, clutter
from snellen.tasks.marvel.patterns.quantities.symbols import stamps
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish

_MOST = 6

Pair = tuple[int, int]
"""How many black, how many white."""


def relations(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The four choices have four different sums and four different differences."""
    pairs, right = square(rng, *_values(rng, near=wish.near))
    total = rng.chance()
    number = wish.lines * wish.length - 1
    context = _context(rng, pairs[right], number, total=total)
    stamp = stamps(rng, wish)
    room = box(wish)

    def panel(pair: Pair, place: int) -> Panel:
        spots, size = lattice(rng, room, 4, 3)
        fills = ["black"] * pair[0] + ["white"] * pair[1]
        marks = [stamp[place](x, y, size, fill) for (x, y), fill in zip(spots, fills, strict=False)]
        return {"marks": marks + clutter(rng, wish, ticks=True)}

    shown = [panel(pair, number + i) for i, pair in enumerate(pairs)]
    mechanisms = [_mechanism(pair, pairs[right], total=total) for pair in pairs]
    rule = _rule(pairs[right], total=total)
    told = [panel(pair, place) for place, pair in enumerate(context)]
    return draft(told, shown, right, mechanisms, rule, "relation of two numbers")


def _values(rng: Stream, *, near: bool) -> tuple[list[int], list[int]]:
    """Two numbers of black and two of white, further apart for the one than for the other."""
    wide = 2 if near else 3
    gaps = rng.sample((1, wide), 2)
    first, second = ([2 + rng.below(_MOST - 1 - gap)] for gap in gaps)
    return [first[0], first[0] + gaps[0]], [second[0], second[0] + gaps[1]]


def _context(rng: Stream, right: Pair, number: int, *, total: bool) -> list[Pair]:
    """Pairs with the same sum or difference, each as often as the others, no two alike in a row."""
    fixed = right[0] + right[1] if total else right[0] - right[1]
    fitting = [
        (black, white)
        for black in range(1, 9)
        for white in range(1, 9)
        if (black + white if total else black - white) == fixed and black + white <= 12
    ]
    pairs: list[Pair] = []
    while len(pairs) < number:
        more = rng.sample(fitting, len(fitting))
        if pairs and len(more) > 1 and more[0] == pairs[-1]:
            more.reverse()
        pairs += more
    return pairs[:number]


def _mechanism(pair: Pair, wanted: Pair, *, total: bool) -> str:
    if pair == wanted:
        return ""
    if total:
        return f"{in_words(sum(pair))} in all instead of {in_words(sum(wanted))}"
    return f"{_more(pair)} instead of {_more(wanted)}"


def _more(pair: Pair) -> str:
    if pair[0] == pair[1]:
        return "as many black symbols as white ones"
    kinds = ("black", "white") if pair[0] > pair[1] else ("white", "black")
    number = abs(pair[0] - pair[1])
    return f"{in_words(number)} more {kinds[0]} symbol{'s' if number > 1 else ''} than {kinds[1]} ones"


def _rule(pair: Pair, *, total: bool) -> str:
    if total:
        return f"Black and white symbols add up to {in_words(sum(pair))} in every panel."
    return f"Every panel has {_more(pair)}."
