"""A figure that is flipped or turned from panel to panel, by turns in two ways."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft
from snellen.tasks.marvel.patterns.temporal.glyphs import (
    ACROSS,
    BACK,
    DOWN,
    HALF,
    OP_WORDS,
    OPS,
    QUARTER,
    STAY,
    Op,
    glyph,
    laid,
    then,
    undo,
)
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, Mark, clutter, coloured, panel
from snellen.tasks.marvel.puzzle import CHOICES, Panel, PuzzleDraft, PuzzleWish

_KLEIN = (STAY, ACROSS, DOWN, HALF)
_SIZE = 48


def _moves(rng: Stream, wish: PuzzleWish) -> tuple[Op, Op]:
    """The two things that are done by turns: flips only, or with a second rule also turns."""
    if wish.rules == 1:
        return rng.choice((ACROSS, DOWN)), rng.choice((ACROSS, DOWN))
    flip, spin = rng.choice((ACROSS, DOWN)), rng.choice((QUARTER, BACK, HALF))
    return (flip, spin) if rng.chance() else (spin, flip)


def _choices(rng: Stream, near: bool) -> list[Op]:
    """Four ways to lay the figure: two flipped, two not; a half turn apart if not near, else a quarter."""
    base = rng.choice(OPS)
    if near:
        others: tuple[Op, ...] = _KLEIN
    else:
        flip, spin = rng.choice((ACROSS, DOWN)), rng.choice((QUARTER, BACK))
        others = (STAY, flip, spin, then(flip, spin))
    ways = [then(base, other) for other in others]
    rng.shuffle(ways)
    return ways


def _slip(chosen: Op, before: Op, move: Op) -> str:
    done = then(undo(before), chosen)
    return OP_WORDS[STAY] if done == STAY else f"{OP_WORDS[done]} instead of {OP_WORDS[move]}"


def flip(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Each panel is the one before, flipped (or turned)."""
    moves = _moves(rng, wish)
    last = (wish.length - 2) % 2  # the blank is reached by the first or by the second of the two
    ways = _choices(rng, wish.near and wish.lines * wish.length != 4)
    right = rng.below(CHOICES)
    glyphs = [glyph(rng, wish.shapes, _SIZE) for _ in range(wish.lines)]
    colour, extra = rng.choice(COLOURS), clutter(rng, wish)

    def show(row: int, way: Op, fuzz: list[Mark]) -> Panel:
        return panel(coloured(laid(glyphs[row], way, (MIDDLE, MIDDLE)), colour), fuzz)

    context, before = [], STAY
    for row in range(wish.lines):
        way = ways[right] if row == wish.lines - 1 else rng.choice(OPS)
        track = [way]
        for k in range(wish.length - 2, -1, -1):
            track.append(then(track[-1], undo(moves[k % 2])))
        track.reverse()
        before = track[-2]
        context += [show(row, way, extra()) for way in (track if row < wish.lines - 1 else track[:-1])]
    shared = extra()
    shown = [show(wish.lines - 1, way, shared) for way in ways]
    slips = [_slip(way, before, moves[last]) for way in ways]
    return draft(context, shown, right, slips, _rule(wish, moves), "flip")


def _rule(wish: PuzzleWish, moves: tuple[Op, Op]) -> str:
    first, second = (OP_WORDS[move] for move in moves)
    if wish.lines > 1:
        return f"In each row the figure is {first}, then {second}."
    if moves[0] == moves[1]:
        return f"From panel to panel the figure is {first}."
    return f"From panel to panel the figure is by turns {first} and {second}."
