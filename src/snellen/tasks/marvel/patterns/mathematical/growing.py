"""Sequences in which each panel keeps the pieces of the one before and has one more, or one fewer."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.patterns.choices import draft, in_words, offer
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.mathematical.media import Medium, any_symbol, cells, curls, edges, in_colour, places
from snellen.tasks.marvel.patterns.mathematical.sets import Pieces, variants
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish


def growing(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """The result is one of four sets of the same size; only one of them continues the last panel shown."""
    medium = _medium(rng, wish)
    order = rng.sample(range(medium.pieces), medium.pieces)
    halves = order[: medium.pieces // 2], order[medium.pieces // 2 :]
    number = 2 + rng.below(len(halves[0]) // 2 - 1)
    pairs, right = offer(rng, *[_apart(rng, half, number, near=wish.near) for half in halves])
    sets: list[Pieces] = [first | second for first, second in pairs]
    result = sets[right]
    before = wish.length - 1
    outside = rng.sample([i for i in range(medium.pieces) if i not in result], medium.pieces - len(result))
    room = {True: len(result) - 1, False: len(outside)}
    ways = [more for more, most in room.items() if most >= before]
    if not ways:
        return None
    more = rng.choice(ways)
    inside = rng.sample(sorted(result), len(result))
    steps = range(before, 0, -1)  # how many are left to the result
    told = [result - set(inside[:left]) if more else result | set(outside[:left]) for left in steps]

    def show(pieces: Pieces) -> list[Mark]:
        return medium.draw(pieces) + rim_clutter(rng, wish, ticks=True)

    last, what = told[-1], medium.what
    numbers = [len(last - pieces) if more else len(pieces - last) for pieces in sets]
    wrong = [
        f"{in_words(n)} of the {what} {'of the last panel missing' if more else 'not in the last panel'}"
        for n in numbers
    ]
    rule = f"Each panel has the {what} of the one before {'and one more' if more else 'but one'}."
    return draft(map(show, told), map(show, sets), right, wrong, rule, "adding one by one")


def _medium(rng: Stream, wish: PuzzleWish) -> Medium:
    size = 54 if wish.clutter else 66
    if wish.shapes == "abstract" and wish.length < 7 and rng.chance():  # nine strokes are too few for seven panels
        return in_colour(curls(rng, size), rng.choice(COLOURS))
    if wish.shapes == "abstract" or rng.chance(0.25):
        return places(any_symbol(rng, wish.shapes), size, columns=4)
    return in_colour(edges(rng, size), rng.choice(COLOURS)) if rng.chance() else cells(rng, size)


def _apart(rng: Stream, half: list[int], number: int, *, near: bool) -> list[Pieces]:
    """Two sets that differ in two pieces or more: with one piece exchanged both could follow the same panel."""
    if not near:
        return variants(rng, half, number, near=False)
    order = rng.sample(half, len(half))
    return [frozenset(order[:number]), frozenset(order[2 : number + 2])]
