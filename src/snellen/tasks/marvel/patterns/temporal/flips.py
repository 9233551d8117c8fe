"""Lopsided figures laid in several ways: flipped from panel to panel, turned in a group, in pairs that are alike."""

from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, COLOURS, MIDDLE, Mark, coloured
from snellen.tasks.marvel.patterns.choices import draft, instead, offer, slips
from snellen.tasks.marvel.patterns.clutter import cluttered, corner_clutter
from snellen.tasks.marvel.patterns.temporal.glyphs import (
    ACROSS,
    BACK,
    DOWN,
    HALF,
    OP_WORDS,
    OPS,
    QUARTER,
    STAY,
    TURNS,
    Op,
    glyph,
    glyph_pair,
    laid,
    silhouettes,
    then,
    undo,
)
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish

_SIZE = 48


def _laid_otherwise(way: Op, wanted: Op) -> str:
    return instead(OP_WORDS[way], OP_WORDS[wanted])


def flip(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Each panel is the one before, flipped, by turns in two ways; with a second rule also turned."""
    moves = rng.choice((ACROSS, DOWN)), rng.choice((ACROSS, DOWN) if wish.rules == 1 else (QUARTER, BACK, HALF))
    if wish.rules > 1 and not rng.chance():
        moves = moves[::-1]
    ways = _ways(rng, wish.near and wish.lines * wish.length != 4)
    right = rng.below(CHOICES)
    glyphs = [glyph(rng, wish.shapes, _SIZE) for _ in range(wish.lines)]
    colour, extra = rng.choice(COLOURS), corner_clutter(rng, wish)

    def show(row: int, way: Op) -> list[Mark]:
        return coloured(laid(glyphs[row], way, CENTRE), colour)

    context, before = [], STAY
    for row in range(wish.lines):
        track = [ways[right] if row == wish.lines - 1 else rng.choice(OPS)]
        for k in range(wish.length - 2, -1, -1):
            track.insert(0, then(track[0], undo(moves[k % 2])))
        before = track[-2]
        context += [show(row, way) + extra() for way in (track if row < wish.lines - 1 else track[:-1])]
    _, shown = cluttered(extra, (), (show(wish.lines - 1, way) for way in ways))
    last = moves[wish.length % 2]  # the blank is reached by the first or by the second of the two
    done = [then(undo(before), way) for way in ways]
    wrong = [OP_WORDS[STAY] if way == STAY else _laid_otherwise(way, last) for way in done]
    return draft(context, shown, right, wrong, _flip_rule(wish, *(OP_WORDS[move] for move in moves)), "flip")


def _ways(rng: Stream, near: bool) -> list[Op]:
    """Four ways to lay the figure: two flipped, two not; a half turn apart if not near, else a quarter."""
    base = rng.choice(OPS)
    others: tuple[Op, ...] = (STAY, ACROSS, DOWN, HALF)
    if not near:
        flipped, spin = rng.choice((ACROSS, DOWN)), rng.choice((QUARTER, BACK))
        others = (STAY, flipped, spin, then(flipped, spin))
    ways = [then(base, other) for other in others]
    rng.shuffle(ways)
    return ways


def _flip_rule(wish: PuzzleWish, first: str, second: str) -> str:
    if wish.lines > 1:
        return f"In each row the figure is {first}, then {second}."
    if first == second:
        return f"From panel to panel the figure is {first}."
    return f"From panel to panel the figure is by turns {first} and {second}."


def turned(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """Two figures, each with its mirror image: the panels are turns of one of the four."""
    glyphs = glyph_pair(rng, wish.shapes, _SIZE, wish.near)
    if glyphs is None:
        return None
    pairs, right = offer(rng, (0, 1), (STAY, ACROSS))
    turns = [rng.choice(TURNS) for _ in pairs]
    before = rng.sample([way for way in TURNS if way != turns[right]], 2)
    colour, extra = rng.choice(COLOURS), corner_clutter(rng, wish)

    def show(pair: tuple[Any, ...], way: Op) -> list[Mark]:
        which, hand = pair
        return coloured(laid(glyphs[which], then(hand, way), CENTRE), colour)

    panels = cluttered(
        extra,
        (show(pairs[right], way) for way in before),
        (show(pair, way) for pair, way in zip(pairs, turns, strict=True)),
    )
    wrong = slips(pairs, right, *ANOTHER_OR_MIRRORED)
    return draft(*panels, right, wrong, "All panels are the same figure turned, never mirrored.", "turned")


ANOTHER_OR_MIRRORED = (lambda which, wanted: "another figure", lambda flip, wanted: "mirrored, not only turned")
"""What is wrong with a panel that should be a turn of the others."""

_RELATIONS = (STAY, ACROSS, DOWN, HALF, QUARTER)
_OTHER_FILL = {"black": "none", "none": "black"}
_FILL_WORDS = {"same": ", in the same fill", "other": ", black where it was white and white where it was black"}


def partner(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Two silhouettes side by side: what turns the left one into the right one is the same in all panels."""
    shapes = silhouettes(rng, wish.shapes, 3, 30)
    if wish.rules == 1:
        choices, right = offer(rng, _RELATIONS)
        ways = [(way, "same") for (way,) in choices]
    else:
        ways, right = offer(rng, _RELATIONS, tuple(_FILL_WORDS))
    colour, extra = rng.choice(COLOURS), corner_clutter(rng, wish)
    fills = [rng.choice(tuple(_OTHER_FILL)) for _ in shapes]
    starts = [rng.choice(TURNS) for _ in shapes]

    def show(which: int, way: Op, fill: str) -> list[Mark]:
        shape, start, left = shapes[which], starts[which], fills[which]
        right_fill = left if fill == "same" else _OTHER_FILL[left]
        marks = laid([shape | {"fill": left}], start, (51, MIDDLE))
        return coloured(marks + laid([shape | {"fill": right_fill}], then(start, way), (129, MIDDLE)), colour)

    panels = cluttered(extra, (show(which, *ways[right]) for which in (0, 1)), (show(2, *way) for way in ways))
    say = (lambda way, wanted: f"right figure {_laid_otherwise(way, wanted)}"), (lambda *_: "fill of the right figure")
    way, fill = ways[right]
    same_fill = _FILL_WORDS[fill] if wish.rules > 1 else ""
    rule = f"In all panels the right figure is the left one {OP_WORDS[way]}{same_fill}."
    return draft(*panels, right, slips(ways, right, *say), rule, "partner")
