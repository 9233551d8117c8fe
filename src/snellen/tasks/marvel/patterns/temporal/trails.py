"""A figure that goes round the middle and grows: small where it was, large where it is."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import COLOURS, SMALL, Mark, around, coloured, figure, moved
from snellen.tasks.marvel.patterns.choices import draft, four, instead, slips
from snellen.tasks.marvel.patterns.clutter import cluttered, corner_clutter
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_SIZES = (9, 15, 22)
_WAYS = {
    "an eighth of the way clockwise": 45,
    "a quarter of the way clockwise": 90,
    "three eighths of the way clockwise": 135,
    "three eighths of the way anticlockwise": 225,
    "a quarter of the way anticlockwise": 270,
    "an eighth of the way anticlockwise": 315,
}


def trail(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Three alike figures of growing size around the middle: each is as far round as the next smaller one, and more."""
    names = list(_WAYS)
    ways, right = four(rng, names if wish.near else rng.choice((names[:2] + names[4:], names[1:5])))
    kinds, fills = rng.sample(SMALL, 3), [rng.choice(("black", "white", "grey")) for _ in range(3)]
    blobs = [blob(rng, 0, 0, 24) for _ in range(3)] if wish.shapes == "abstract" else []
    colour, extra, far = rng.choice(COLOURS), corner_clutter(rng, wish), rng.choice((46, 48, 50))
    starts = [45 * rng.below(8) for _ in range(6)]

    def show(way: str, number: int, start: int) -> list[Mark]:
        marks = []
        for place, size in enumerate(_SIZES):
            spot = around(far, start + _WAYS[way] * place)
            blot = moved(blobs[number], spot, size=size, of=24, fill=fills[number]) if blobs else None
            marks.append(blot or figure(kinds[number], spot, size, fills[number]))
        return coloured(marks, colour)

    panels = cluttered(
        extra,
        (show(ways[right], number, starts[number]) for number in (0, 1)),
        (show(way, 2, start) for way, start in zip(ways, starts[2:], strict=True)),
    )
    wrong = slips([(way,) for way in ways], right, lambda way, wanted: f"went round {instead(way, wanted)}")
    rule = f"In all panels the figure goes round the middle and grows: each time {ways[right]}."
    return draft(*panels, right, wrong, rule, "trail")
