"""The third panel of a line follows from the first two piece by piece: joined, in common, in one only, taken away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from snellen.rng import Stream
from snellen.tasks.marvel.marks import Mark
from snellen.tasks.marvel.patterns.choices import draft, in_words, offer, slips
from snellen.tasks.marvel.patterns.clutter import rim_clutter
from snellen.tasks.marvel.patterns.mathematical.media import Medium, any_medium, any_symbol, curls, rim, spokes
from snellen.tasks.marvel.patterns.mathematical.sets import OPERATIONS, Operation, Pieces, results, sources, variants
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
