"""Panels that follow from others piece by piece: joined, in common, in one only, taken away; one more, or one fewer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.patterns.choices import draft, in_words, offer, slips
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.mathematical.media import (
    Medium,
    any_medium,
    any_symbol,
    cells,
    curls,
    edges,
    in_colour,
    places,
    rim,
    spokes,
)
from snellen.tasks.marvel.patterns.mathematical.sets import OPERATIONS, Operation, Pieces, results, sources, variants
from snellen.tasks.marvel.patterns.quantities.puzzles import COLOURS
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

__all__ = ["OPERATIONS", "joining"]

_PATIENCE = 12
_SIZE, _CLUTTERED, _INNER = 66, 54, 42

Row = tuple[Pieces, Pieces, Pieces]


@dataclass(frozen=True, slots=True)
class _Layer:
    """Pieces of one medium (one for each line), one operation, the two or four results among the choices."""

    operation: Operation
    media: Sequence[Medium]
    rows: Sequence[Row]


def joining(operation: Operation, rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """With more than one rule: a drawing and figures around it, each by its own operation."""
    return _two(operation, rng, wish) if wish.rules > 1 else _one(operation, rng, wish)


def _one(operation: Operation, rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    make = any_medium(rng, wish.shapes)
    media = _media(rng, make, _CLUTTERED if wish.clutter else _SIZE, wish.lines)
    choices, right = results(rng, media[-1].pieces, near=wish.near)
    layer = _layer(rng, operation, media, choices[right], choices)
    return _drafted(rng, wish, [layer], [(choice,) for choice in choices], right)


def _two(operation: Operation, rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    inner = _media(rng, spokes if wish.shapes == "geometric" else curls, _INNER, wish.lines)
    outer = [rim(any_symbol(rng, wish.shapes))] * wish.lines
    second = rng.choice(OPERATIONS)
    pairs, right = offer(
        rng,
        variants(rng, range(inner[-1].pieces), 2 + rng.below(2), near=wish.near),
        variants(rng, range(8), 2 + rng.below(2), near=wish.near),
    )
    layers = [
        _layer(rng, operation, inner, pairs[right][0], [a for a, _ in pairs]),
        _layer(rng, second, outer, pairs[right][1], [b for _, b in pairs]),
    ]
    return _drafted(rng, wish, layers, pairs, right)


def _media(rng: Stream, make: Callable[[Stream, int], Medium], size: int, lines: int) -> list[Medium]:
    """The same in all lines, or one of the same sort in each."""
    if rng.chance():
        return [make(rng, size)] * lines
    return [make(rng, size) for _ in range(lines)]


def _layer(
    rng: Stream, operation: Operation, media: Sequence[Medium], result: Pieces, choices: Sequence[Pieces]
) -> _Layer:
    """Lines that lead to the result, and in which no other operation leads to another of the choices."""
    rows: list[Row] = []
    for _ in range(_PATIENCE):
        rows = []
        for medium in media[:-1]:
            other = frozenset(rng.sample(range(medium.pieces), len(result)))
            rows.append((*sources(rng, operation, other, medium.pieces), other))
        rows.append((*sources(rng, operation, result, media[-1].pieces), result))
        if _only(rows, choices):
            break
    return _Layer(operation, media, rows)


def _only(rows: Sequence[Row], choices: Sequence[Pieces]) -> bool:
    *before, (first, second, result) = rows
    fitting = [operation for operation in OPERATIONS if all(operation.apply(a, b) == c for a, b, c in before)]
    reached = {operation.apply(first, second) for operation in fitting}
    return all(choice == result or choice not in reached for choice in choices)


def _drafted(
    rng: Stream, wish: PuzzleWish, layers: Sequence[_Layer], choices: Sequence[tuple[Pieces, ...]], right: int
) -> PuzzleDraft:
    """The draft of panels in which the layers lie over each other; a choice has the pieces of each."""

    def show(line: int, pieces: Sequence[Pieces]) -> list[Mark]:
        marks = [mark for layer, some in zip(layers, pieces, strict=True) for mark in layer.media[line].draw(some)]
        return marks + rim_clutter(rng, wish, ticks=True)

    places = [divmod(place, 3) for place in range(3 * wish.lines)]
    told = [show(line, [layer.rows[line][column] for layer in layers]) for line, column in places]
    return draft(
        told[:-1],
        (show(-1, choice) for choice in choices),
        right,
        slips(choices, right, *(partial(_slip, layer) for layer in layers)),
        "In each row "
        + ", and ".join(layer.operation.words.format(what=layer.media[-1].what) for layer in layers)
        + ".",
        layers[0].operation.name,
    )


def _slip(layer: _Layer, pieces: Pieces, result: Pieces) -> str:
    """Another operation, if it is one, else how many pieces are not where they should be."""
    first, second, _ = layer.rows[-1]
    what = layer.media[-1].what
    for operation in OPERATIONS:
        if operation.apply(first, second) == pieces:
            return f"{what}: {operation.name} instead"
    return f"{in_words(len(result - pieces))} of the {what} elsewhere"


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
