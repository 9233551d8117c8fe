"""The third panel of a line follows from the first two piece by piece: joined, in common, in one only, taken away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, in_words, square
from snellen.tasks.marvel.patterns.doodles import Mark
from snellen.tasks.marvel.patterns.mathematical.media import Medium, any_medium, any_symbol, curls, rim, spokes
from snellen.tasks.marvel.patterns.mathematical.sets import OPERATIONS, Operation, Pieces, results, sources, variants
from snellen.tasks.marvel.patterns.quantities.places import clutter
from snellen.tasks.marvel.puzzle import Draft, Panel, Wish

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


def joining(operation: Operation, turn: Stream, wish: Wish) -> Draft:
    """With more than one rule: a drawing and figures around it, each by its own operation."""
    return _two(operation, turn, wish) if wish.rules > 1 else _one(operation, turn, wish)


def _one(operation: Operation, turn: Stream, wish: Wish) -> Draft:
    make = any_medium(turn, wish.shapes)
    media = _media(turn, make, _CLUTTERED if wish.clutter else _SIZE, wish.lines)
    found, right = results(turn, media[-1].pieces, near=wish.near)
    layer = _layer(turn, operation, media, found[right], found)
    context = _context(turn, wish, [layer])
    shown = [_panel(turn, wish, media[-1].draw(one)) for one in found]
    last = layer.rows[-1]
    mechanisms = [_mechanism(one, last, media[-1].what) for one in found]
    return draft(context, shown, right, mechanisms, _rule([layer]), operation.name)


def _two(operation: Operation, turn: Stream, wish: Wish) -> Draft:
    inner = _media(turn, spokes if wish.shapes == "geometric" else curls, _INNER, wish.lines)
    outer = [rim(any_symbol(turn, wish.shapes))] * wish.lines
    second = turn.choice(OPERATIONS)
    pairs, right = square(
        turn,
        variants(turn, range(inner[-1].pieces), 2 + turn.below(2), near=wish.near),
        variants(turn, range(8), 2 + turn.below(2), near=wish.near),
    )
    layers = [
        _layer(turn, operation, inner, pairs[right][0], [a for a, _ in pairs]),
        _layer(turn, second, outer, pairs[right][1], [b for _, b in pairs]),
    ]
    context = _context(turn, wish, layers)
    shown = [_panel(turn, wish, inner[-1].draw(a) + outer[-1].draw(b)) for a, b in pairs]
    mechanisms = []
    for pair in pairs:
        wrong = [i for i in range(2) if pair[i] != pairs[right][i]]
        said = [_mechanism(pair[i], layers[i].rows[-1], layers[i].media[-1].what) for i in wrong]
        mechanisms.append(" and ".join(said))
    return draft(context, shown, right, mechanisms, _rule(layers), operation.name)


def _media(turn: Stream, make: Callable[[Stream, int], Medium], size: int, lines: int) -> list[Medium]:
    """The same in all lines, or one of the same sort in each."""
    if turn.chance():
        return [make(turn, size)] * lines
    return [make(turn, size) for _ in range(lines)]


def _layer(
    turn: Stream, operation: Operation, media: Sequence[Medium], result: Pieces, found: Sequence[Pieces]
) -> _Layer:
    """Lines that lead to the result, and in which no other operation leads to another of the choices."""
    rows: list[Row] = []
    for _ in range(_PATIENCE):
        rows = []
        for medium in media[:-1]:
            other = frozenset(turn.sample(range(medium.pieces), len(result)))
            rows.append((*sources(turn, operation, other, medium.pieces), other))
        rows.append((*sources(turn, operation, result, media[-1].pieces), result))
        if _only(rows, found):
            break
    return _Layer(operation, media, rows)


def _only(rows: Sequence[Row], found: Sequence[Pieces]) -> bool:
    *before, (first, second, result) = rows
    fitting = [one for one in OPERATIONS if all(one.apply(a, b) == c for a, b, c in before)]
    reached = {one.apply(first, second) for one in fitting}
    return all(one == result or one not in reached for one in found)


def _context(turn: Stream, wish: Wish, layers: Sequence[_Layer]) -> list[Panel]:
    panels = []
    for line in range(wish.lines):
        for column in range(3):
            marks = [mark for layer in layers for mark in layer.media[line].draw(layer.rows[line][column])]
            panels.append(_panel(turn, wish, marks))
    return panels[:-1]


def _panel(turn: Stream, wish: Wish, marks: list[Mark]) -> Panel:
    return {"marks": marks + clutter(turn, wish, ticks=True)}


def _mechanism(found: Pieces, row: Row, what: str) -> str:
    """Another operation, if it is one, else how many pieces are not where they should be."""
    first, second, result = row
    for operation in OPERATIONS:
        if operation.apply(first, second) == found:
            return f"{what}: {operation.name} instead"
    return f"{in_words(len(result - found))} of the {what} elsewhere"


def _rule(layers: Sequence[_Layer]) -> str:
    said = [layer.operation.words.format(what=layer.media[-1].what) for layer in layers]
    return "In each row " + ", and ".join(said) + "."
