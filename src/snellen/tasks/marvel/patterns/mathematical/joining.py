"""The third panel of a line follows from the first two piece by piece: joined, in common, in one only, taken away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, in_words, square
from snellen.tasks.marvel.patterns.doodles import Mark
from snellen.tasks.marvel.patterns.mathematical.media import Medium, any_medium, any_symbol, curls, rim, spokes
from snellen.tasks.marvel.patterns.mathematical.sets import OPERATIONS, Operation, Pieces, results, sources, variants
from snellen.tasks.marvel.patterns.quantities.places import clutter
from snellen.tasks.marvel.puzzle import Panel, PuzzleDraft, PuzzleWish

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
    context = _context(rng, wish, [layer])
    shown = [_panel(rng, wish, media[-1].draw(one)) for one in choices]
    last = layer.rows[-1]
    mechanisms = [_mechanism(one, last, media[-1].what) for one in choices]
    return draft(context, shown, right, mechanisms, _rule([layer]), operation.name)


def _two(operation: Operation, rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    inner = _media(rng, spokes if wish.shapes == "geometric" else curls, _INNER, wish.lines)
    outer = [rim(any_symbol(rng, wish.shapes))] * wish.lines
    second = rng.choice(OPERATIONS)
    pairs, right = square(
        rng,
        variants(rng, range(inner[-1].pieces), 2 + rng.below(2), near=wish.near),
        variants(rng, range(8), 2 + rng.below(2), near=wish.near),
    )
    layers = [
        _layer(rng, operation, inner, pairs[right][0], [a for a, _ in pairs]),
        _layer(rng, second, outer, pairs[right][1], [b for _, b in pairs]),
    ]
    context = _context(rng, wish, layers)
    shown = [_panel(rng, wish, inner[-1].draw(a) + outer[-1].draw(b)) for a, b in pairs]
    mechanisms = []
    for pair in pairs:
        wrong = [i for i in range(2) if pair[i] != pairs[right][i]]
        slips = [_mechanism(pair[i], layers[i].rows[-1], layers[i].media[-1].what) for i in wrong]
        mechanisms.append(" and ".join(slips))
    return draft(context, shown, right, mechanisms, _rule(layers), operation.name)


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
    fitting = [one for one in OPERATIONS if all(one.apply(a, b) == c for a, b, c in before)]
    reached = {one.apply(first, second) for one in fitting}
    return all(one == result or one not in reached for one in choices)


def _context(rng: Stream, wish: PuzzleWish, layers: Sequence[_Layer]) -> list[Panel]:
    panels = []
    for line in range(wish.lines):
        for column in range(3):
            marks = [mark for layer in layers for mark in layer.media[line].draw(layer.rows[line][column])]
            panels.append(_panel(rng, wish, marks))
    return panels[:-1]


def _panel(rng: Stream, wish: PuzzleWish, marks: list[Mark]) -> Panel:
    return {"marks": marks + clutter(rng, wish, ticks=True)}


def _mechanism(chosen: Pieces, row: Row, what: str) -> str:
    """Another operation, if it is one, else how many pieces are not where they should be."""
    first, second, result = row
    for operation in OPERATIONS:
        if operation.apply(first, second) == chosen:
            return f"{what}: {operation.name} instead"
    return f"{in_words(len(result - chosen))} of the {what} elsewhere"


def _rule(layers: Sequence[_Layer]) -> str:
    rules = [layer.operation.words.format(what=layer.media[-1].what) for layer in layers]
    return "In each row " + ", and ".join(rules) + "."
