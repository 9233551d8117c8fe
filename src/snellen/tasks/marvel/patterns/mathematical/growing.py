"""Sequences in which each panel keeps the pieces of the one before and has one more, or one fewer."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, in_words, square
from snellen.tasks.marvel.patterns.mathematical.media import Medium, any_symbol, cells, coloured, curls, edges, places
from snellen.tasks.marvel.patterns.mathematical.sets import Pieces, variants
from snellen.tasks.marvel.patterns.quantities.places import COLOURS, clutter
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish


def growing(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """The result is one of four sets of the same size; only one of them continues the last panel shown."""
    medium = _medium(rng, wish)
    halves = _halves(rng, medium.pieces)
    number = 2 + rng.below(len(halves[0]) // 2 - 1)
    pairs, right = square(rng, *(_apart(rng, half, number, near=wish.near) for half in halves))
    sets = [first | second for first, second in pairs]
    result = sets[right]
    before = wish.length - 1
    outside = rng.sample([i for i in range(medium.pieces) if i not in result], medium.pieces - len(result))
    room = {True: len(result) - 1, False: len(outside)}
    ways = [more for more, most in room.items() if most >= before]
    if not ways:
        return None
    more = rng.choice(ways)
    inside = rng.sample(sorted(result), len(result))
    shown: list[Pieces] = []
    for left in range(before, 0, -1):  # how many steps are left to the result
        shown.append(result - set(inside[:left]) if more else result | set(outside[:left]))
    context = [{"marks": medium.draw(one) + clutter(rng, wish, ticks=True)} for one in shown]
    choices = [{"marks": medium.draw(one) + clutter(rng, wish, ticks=True)} for one in sets]
    last = shown[-1]
    mechanisms = [_mechanism(one, last, medium.what, more=more) for one in sets]
    rule = f"Each panel has the {medium.what} of the one before and one more." if more else ""
    rule = rule or f"Each panel has the {medium.what} of the one before but one."
    return draft(context, choices, right, mechanisms, rule, "adding one by one")


def _medium(rng: Stream, wish: PuzzleWish) -> Medium:
    size = 54 if wish.clutter else 66
    if wish.shapes == "abstract" and wish.length < 7 and rng.chance():  # nine strokes are too few for seven panels
        return coloured(curls(rng, size), rng.choice(COLOURS))
    if wish.shapes == "abstract" or rng.chance(0.25):
        return places(any_symbol(rng, wish.shapes), size, columns=4)
    return coloured(edges(rng, size), rng.choice(COLOURS)) if rng.chance() else cells(rng, size)


def _halves(rng: Stream, pieces: int) -> tuple[list[int], list[int]]:
    order = rng.sample(range(pieces), pieces)
    return order[: pieces // 2], order[pieces // 2 :]


def _apart(rng: Stream, half: list[int], number: int, *, near: bool) -> list[Pieces]:
    """Two sets that differ in two pieces or more: with one piece exchanged both could follow the same panel."""
    if not near:
        return variants(rng, half, number, near=False)
    order = rng.sample(half, len(half))
    return [frozenset(order[:number]), frozenset(order[2 : number + 2])]


def _mechanism(chosen: Pieces, last: Pieces, what: str, *, more: bool) -> str:
    wrong = len(last - chosen) if more else len(chosen - last)
    return f"{in_words(wrong)} of the {what} {'of the last panel missing' if more else 'not in the last panel'}"
