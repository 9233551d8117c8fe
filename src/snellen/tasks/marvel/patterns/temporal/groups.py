"""Movement without time: panels that are one figure turned, marks that keep their distance, partners alike in pairs."""

from collections.abc import Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft, in_words, square, square_mechanisms
from snellen.tasks.marvel.patterns.temporal.glyphs import (
    ACROSS,
    DOWN,
    HALF,
    OP_WORDS,
    QUARTER,
    STAY,
    TURNS,
    Op,
    glyph_pair,
    laid,
    silhouettes,
    then,
)
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, Mark, clutter, coloured, panel
from snellen.tasks.marvel.patterns.temporal.wheels import LANES, wheel
from snellen.tasks.marvel.puzzle import CHOICES, PuzzleDraft, PuzzleWish


def turned(rng: Stream, wish: PuzzleWish) -> PuzzleDraft | None:
    """Two figures, each with its mirror image: the panels are turns of one of the four."""
    glyphs = glyph_pair(rng, wish.shapes, 48, wish.near)
    if glyphs is None:
        return None
    pairs, right = square(rng, (0, 1), (STAY, ACROSS))
    turns = [rng.choice(TURNS) for _ in pairs]
    before = rng.sample([way for way in TURNS if way != turns[right]], 2)
    colour, extra = rng.choice(COLOURS), clutter(rng, wish)

    def show(which: int, hand: Op, way: Op) -> list[Mark]:
        return coloured(laid(glyphs[which], then(hand, way), (MIDDLE, MIDDLE)), colour)

    context = [panel(show(*pairs[right], way), extra()) for way in before]
    shared = extra()
    shown = [panel(show(*pair, way), shared) for pair, way in zip(pairs, turns, strict=True)]
    slips = square_mechanisms(pairs, right, "another figure", "mirrored, not only turned")
    return draft(context, shown, right, slips, "All panels are the same figure turned, never mirrored.", "turned")


def _gaps(rng: Stream, sides: int, number: int) -> list[int]:
    """So many distances round a cycle, all different even if nobody minds the direction."""
    ways = rng.sample(range(sides // 2 + 1), number)
    return [gap if rng.chance() else -gap % sides for gap in ways]


def _gap_words(gap: int, sides: int) -> str:
    """To go before "of the grey sector"."""
    if gap == 0:
        return "in the place"
    if 2 * gap == sides:
        return "on the other side"
    ahead, way = (gap, "clockwise") if 2 * gap < sides else (sides - gap, "anticlockwise")
    return f"{in_words(ahead)} {way}"


def offset(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Marks that go round together: how far one is from another is the same in all panels."""
    sides = 6 if wish.shapes == "abstract" else rng.choice((6, 8))
    many = 2 if wish.rules == 1 else 3
    lanes = rng.sample(LANES, many)
    round_it = wheel(rng, wish.shapes, sides, lanes)
    colours, extra = rng.sample(COLOURS, 3), clutter(rng, wish)
    gaps, right = _gap_choices(rng, sides, many)

    def show(gap: Sequence[int], start: int) -> list[Mark]:
        return round_it.marks(lanes, [(start + away) % sides for away in (0, *gap)], colours)

    begin = [rng.below(sides) for _ in gaps]
    starts = rng.sample([start for start in range(sides) if start != begin[right]], 2)
    context = [panel(show(gaps[right], start), extra()) for start in starts]
    shared = extra()
    shown = [panel(show(gap, start), shared) for gap, start in zip(gaps, begin, strict=True)]
    names = [round_it.who[lane] for lane in lanes]
    slips = [_gap_slip(names, gap, gaps[right], sides) for gap in gaps]
    rule = "In all panels the marks are equally far from each other around the middle, in the same direction."
    return draft(context, shown, right, slips, rule, "offset")


def _gap_choices(rng: Stream, sides: int, many: int) -> tuple[list[tuple[int, ...]], int]:
    if many == 2:
        return [(gap,) for gap in _gaps(rng, sides, CHOICES)], rng.below(CHOICES)
    pairs, right = square(rng, _gaps(rng, sides, 2), _gaps(rng, sides, 2))
    return [tuple(pair) for pair in pairs], right


def _gap_slip(names: Sequence[str], found: Sequence[int], wanted: Sequence[int], sides: int) -> str:
    parts = [
        f"{name} {_gap_words(f, sides)} of {names[0]} instead of {_gap_words(w, sides)}"
        for name, f, w in zip(names[1:], found, wanted, strict=True)
        if f != w
    ]
    return " and ".join(parts)


_RELATIONS = (STAY, ACROSS, DOWN, HALF, QUARTER)


def partner(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Two silhouettes side by side: what turns the left one into the right one is the same in all panels."""
    shapes = silhouettes(rng, wish.shapes, 3, 30)
    if wish.rules == 1:
        ways, right = [(way, "same") for way in rng.sample(_RELATIONS, CHOICES)], rng.below(CHOICES)
    else:
        ways, right = square(rng, _RELATIONS, ("same", "other"))
    colour, extra = rng.choice(COLOURS), clutter(rng, wish)
    first = [rng.choice(("black", "none")) for _ in shapes]

    def show(which: int, way: Op, fill: str) -> list[Mark]:
        left, start, one = shapes[which][0], starts[which], first[which]
        two = one if fill == "same" else {"black": "none", "none": "black"}[one]
        marks = laid([left | {"fill": one}], start, (51, MIDDLE))
        return coloured(marks + laid([left | {"fill": two}], then(start, way), (129, MIDDLE)), colour)

    starts = [rng.choice(TURNS) for _ in shapes]
    context = [panel(show(which, *ways[right]), extra()) for which in (0, 1)]
    shared = extra()
    shown = [panel(show(2, *way), shared) for way in ways]
    slips = square_mechanisms(
        ways, right, lambda f, w: f"right figure {OP_WORDS[f]} instead of {OP_WORDS[w]}", "fill of the right figure"
    )
    way, fill = ways[right]
    rule = f"In all panels the right figure is the left one {OP_WORDS[way]}{_fill_words(wish, fill)}."
    return draft(context, shown, right, slips, rule, "partner")


def _fill_words(wish: PuzzleWish, fill: str) -> str:
    if wish.rules == 1:
        return ""
    return ", in the same fill" if fill == "same" else ", black where it was white and white where it was black"
