"""A relation of two numbers that holds in every panel: a fixed sum, or a fixed difference."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.patterns.choices import draft, in_words, instead, offer
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.doodles import lattice
from snellen.tasks.marvel.patterns.mathematical.games import two_and_two
from snellen.tasks.marvel.patterns.quantities.puzzles import box
from snellen.tasks.marvel.patterns.quantities.symbols import stamps
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_MOST = 5

Pair = tuple[int, ...]
"""How many black, how many white."""


def relations(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The four choices have four different sums and four different differences."""
    pairs, right = offer(rng, *two_and_two(rng, (2, _MOST), (2, _MOST), near=wish.near))
    wanted = pairs[right]
    total = rng.chance()
    blank = wish.lines * wish.length - 1
    told = _context(rng, wanted, blank, total=total)
    stamp = stamps(rng, wish)

    def show(pair: Pair, place: int) -> list[Mark]:
        spots, size = lattice(rng, box(wish), 4, 3)
        fills = ["black"] * pair[0] + ["white"] * pair[1]
        marks = [stamp[place](spot, size, fill) for spot, fill in zip(spots, fills, strict=False)]
        return marks + rim_clutter(rng, wish, ticks=True)

    shown = [show(pair, blank + i) for i, pair in enumerate(pairs)]
    context = [show(pair, place) for place, pair in enumerate(told)]
    if total:
        wrong = [f"{in_words(sum(pair))} in all instead of {in_words(sum(wanted))}" for pair in pairs]
        rule = f"Black and white symbols add up to {in_words(sum(wanted))} in every panel."
    else:
        wrong = [instead(_more(pair), _more(wanted)) for pair in pairs]
        rule = f"Every panel has {_more(wanted)}."
    return draft(context, shown, right, wrong, rule, "relation of two numbers")


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


def _more(pair: Pair) -> str:
    if pair[0] == pair[1]:
        return "as many black symbols as white ones"
    kinds = ("black", "white") if pair[0] > pair[1] else ("white", "black")
    number = abs(pair[0] - pair[1])
    return f"{in_words(number)} more {kinds[0]} symbol{'s' if number > 1 else ''} than {kinds[1]} ones"
