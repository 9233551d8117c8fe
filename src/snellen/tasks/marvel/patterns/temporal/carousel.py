"""Four figures at the corners of a square that all go round together, and one of them black."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import draft
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, SMALL, Mark, Spot, clutter, figure, panel
from snellen.tasks.marvel.patterns.temporal.tracks import MovementTrack, around_words, choose, opening, steps_for
from snellen.tasks.marvel.patterns.temporal.wheels import at, mover
from snellen.tasks.marvel.puzzle import CHOICES, Panel, PuzzleDraft, PuzzleWish

_FAR = 40
_CORNERS: tuple[Spot, ...] = tuple(
    (MIDDLE + x * _FAR, MIDDLE + y * _FAR) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
)
_KINDS = (*SMALL, "moon", "arrow", "pentagon")


def carousel(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The four go round by one place; with a second rule a frame round one of the places goes its own way."""
    rows = [_four(rng, wish.shapes) for _ in range(wish.lines)]
    tracks = [MovementTrack("the figures", "place", CHOICES, steps_for(rng, CHOICES, 1))]
    if wish.rules > 1:
        tracks.append(MovementTrack("the ring", "place", CHOICES, steps_for(rng, CHOICES, 1)))
    colours, extra = rng.sample(COLOURS, 4), clutter(rng, wish)

    def show(row: int, places: tuple[int, ...]) -> list[Mark]:
        drawn = [at(mark, _CORNERS[(places[0] + i) % CHOICES], colours[i]) for i, mark in enumerate(rows[row])]
        return drawn + [figure("circle", _CORNERS[place], 31) for place in places[1:]]

    choices = choose(rng, tracks, wish.near)
    right = rng.below(CHOICES)
    context: list[Panel] = []
    for row in range(wish.lines):
        last = row == wish.lines - 1
        end = choices[right] if last else tuple(rng.below(CHOICES) for _ in tracks)
        for moves in range(wish.length - 1, 0 if last else -1, -1):
            places = tuple(track.back(place, moves) for track, place in zip(tracks, end, strict=True))
            context.append(panel(show(row, places), extra()))
    shared = extra()
    shown = [panel(show(wish.lines - 1, places), shared) for places in choices]
    slips = [
        " and ".join(t.slip(f, w) for t, f, w in zip(tracks, places, choices[right], strict=True) if f != w)
        for places in choices
    ]
    told = " and ".join(around_words(track).replace("figures moves", "figures move") for track in tracks)
    return draft(context, shown, right, slips, f"{opening(wish)} {told} around the square.", "carousel")


def _four(rng: Stream, shapes: str) -> list[Mark]:
    """Four figures that differ, one of them black."""
    black = rng.below(CHOICES)
    fills = ["black" if i == black else "white" for i in range(CHOICES)]
    return [mover(rng, shapes, kind, 20, fill) for kind, fill in zip(rng.sample(_KINDS, CHOICES), fills, strict=True)]
