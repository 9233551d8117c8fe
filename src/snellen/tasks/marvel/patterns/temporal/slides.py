"""Things that slide over a grid by so many cells at a time; what leaves on one side comes in on the other."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.choices import in_words
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, SMALL, Mark
from snellen.tasks.marvel.patterns.temporal.orbits import cell_spot, grid
from snellen.tasks.marvel.patterns.temporal.tracks import MovementTrack, MovingScene, Places, listed, opening, tell
from snellen.tasks.marvel.patterns.temporal.wheels import at, mover
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_MOVES = ((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2))


def _move(rng: Stream, width: int) -> tuple[int, int]:
    across, down = rng.choice(_MOVES if width > 3 else _MOVES[:4])
    return (across, down) if rng.chance() else (-across, -down)


def _words(who: str, across: int, down: int) -> str:
    """ "the star moves one cell right and two down"."""
    parts = []
    if across:
        parts.append(f"{in_words(abs(across))} {'right' if across > 0 else 'left'}")
    if down:
        parts.append(f"{in_words(abs(down))} {'down' if down > 0 else 'up'}")
    return f"{who} moves {' and '.join(parts)}"


def slide(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """A figure slides over a grid, and with a second rule a grey cell as well."""
    many = min(wish.rules, 2)
    width = rng.choice((4, 5) if many == 2 or wish.lines == 1 else (3, 4, 5))
    kind = rng.choice(SMALL)
    thing = mover(rng, wish.shapes, kind, 12 if width == 3 else 9, "black")
    colour = rng.choice(COLOURS)
    moves = [_move(rng, width) for _ in range(many)]
    who = ["the blot" if wish.shapes == "abstract" else f"the {kind}", "the grey cell"][:many]
    tracks = []
    for name, (across, down) in zip(who, moves, strict=True):
        tracks.append(MovementTrack(name, "column", width, across, "sideways"))
        tracks.append(MovementTrack(name, "row", width, down, "up or down"))

    def show(places: Places, row: int) -> list[Mark]:
        grey = {(places[2], places[3]): "o"} if many == 2 else {}
        return [grid(width, grey), at(thing, cell_spot(width, (places[0], places[1])), colour)]

    movements = listed([_words(name, *move) for name, move in zip(who, moves, strict=True)])
    rule = f"{opening(wish)} {movements}; what leaves the grid comes in again on the other side."
    free = (0, 1) if many == 1 else (rng.below(2), 2 + rng.below(2))
    return tell(rng, wish, MovingScene("slide", tuple(tracks), show, rule), free)
