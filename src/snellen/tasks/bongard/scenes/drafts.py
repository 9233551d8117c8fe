"""Scenes in the making: which thing stands in which cell, before it is settled where exactly.

Random things are **lean**: the values a concept speaks of come up more often than others, so that every scene of a
problem, positive or negative, has something to do with it.
"""

from dataclasses import dataclass
from typing import Any

from snellen.draw.scenes import BACKGROUNDS, CELL, FRAME_GAP, FRAME_LINE, SIZES, TILE_SIDE, TILES
from snellen.rng import Stream
from snellen.tasks.bongard.scenes.kinds import Kinds, random_kind

FRAMED = 0.45
TOUCHING = 0.45
LEANING = 0.35
_CLEAR = 7
"""Pixels a tile keeps from the edge of its cell, unless it touches a neighbour or is framed."""
_JITTER = 14


@dataclass(slots=True)
class DraftThing:
    """A thing in the making; `cell` counts from the top left, row by row."""

    kind: str
    size: str
    tile: str
    cell: int
    framed: bool = False


@dataclass(slots=True)
class SceneDraft:
    """A scene in the making. `touching`: two neighbouring cells whose things are pushed together."""

    background: str
    pieces: list[DraftThing]
    touching: tuple[int, int] | None = None

    def copy(self) -> "SceneDraft":
        pieces = [DraftThing(piece.kind, piece.size, piece.tile, piece.cell, piece.framed) for piece in self.pieces]
        return SceneDraft(self.background, pieces, self.touching)

    def free(self) -> list[int]:
        taken = {piece.cell for piece in self.pieces}
        return [cell for cell in range(9) if cell not in taken]

    def neighbours(self) -> list[tuple[int, int]]:
        """Pairs of neighbouring cells whose things could touch: framed things cannot."""
        here = {piece.cell for piece in self.pieces if not piece.framed}
        across = [(cell, cell + 1) for cell in sorted(here) if cell % 3 < 2 and cell + 1 in here]
        return across + [(cell, cell + 3) for cell in sorted(here) if cell + 3 in here]


@dataclass(frozen=True, slots=True)
class SceneLeaning:
    """What random things lean towards: these kinds, these tiles. `pool`, `backgrounds`, `sizes` and `palette` (of
    tiles) are what may come up at all; `framed` and `touching` how often something is.
    `fillers`: the kinds of whatever the concept does not ask for, on a bare stage."""

    pool: Kinds
    near: Kinds = ()
    tiles: tuple[str, ...] = ()
    backgrounds: tuple[str, ...] = tuple(BACKGROUNDS)
    sizes: tuple[str, ...] = SIZES
    palette: tuple[str, ...] = tuple(TILES)
    framed: float = FRAMED
    touching: float = TOUCHING
    fillers: Kinds = ()


def random_draft(rng: Stream, number: int, leaning: SceneLeaning) -> SceneDraft:
    """A scene of that many random things; often one is framed, often two touch."""
    cells = rng.sample(range(9), number)
    draft = SceneDraft(rng.choice(leaning.backgrounds), [_piece(rng, cell, leaning) for cell in cells])
    if rng.chance(leaning.framed):
        rng.choice(draft.pieces).framed = True
    if rng.chance(leaning.touching) and (pairs := draft.neighbours()):
        draft.touching = rng.choice(pairs)
    return draft


def _piece(rng: Stream, cell: int, leaning: SceneLeaning) -> DraftThing:
    if leaning.fillers:
        others = [tile for tile in leaning.palette if tile not in leaning.tiles] or leaning.palette
        return DraftThing(random_kind(rng, leaning.fillers), rng.choice(leaning.sizes), rng.choice(others), cell)
    kind = random_kind(rng, leaning.near if leaning.near and rng.chance(LEANING) else leaning.pool)
    tile = rng.choice(leaning.tiles if leaning.tiles and rng.chance(LEANING) else leaning.palette)
    return DraftThing(kind, rng.choice(leaning.sizes), tile, cell)


def new_piece(rng: Stream, draft: SceneDraft, leaning: SceneLeaning) -> DraftThing:
    """A random thing in a free cell."""
    return _piece(rng, rng.choice(draft.free()), leaning)


def settled(draft: SceneDraft, rng: Stream) -> dict[str, Any]:
    """The scene's description: every thing at its place, in reading order."""
    cells = {piece.cell: piece for piece in draft.pieces}
    pair = draft.touching if draft.touching in draft.neighbours() else None
    places = {cell: _jittered(cells[cell], rng) for cell in sorted(cells)}
    if pair:
        places |= _together(cells[pair[0]], cells[pair[1]])
    return {
        "background": draft.background,
        "things": [
            {
                "kind": piece.kind,
                "x": places[cell][0],
                "y": places[cell][1],
                "size": piece.size,
                "tile": piece.tile,
                "framed": piece.framed,
            }
            for cell, piece in sorted(cells.items())
        ],
    }


def _middle(cell: int) -> tuple[int, int]:
    return cell % 3 * CELL + CELL // 2, cell // 3 * CELL + CELL // 2


def _jittered(piece: DraftThing, rng: Stream) -> tuple[int, int]:
    x, y = _middle(piece.cell)
    margin = FRAME_GAP + FRAME_LINE + 2 if piece.framed else _CLEAR
    room = min(_JITTER, (CELL - TILE_SIDE[piece.size]) // 2 - margin)
    return x + rng.below(2 * room + 1) - room, y + rng.below(2 * room + 1) - room


def _together(one: DraftThing, other: DraftThing) -> dict[int, tuple[int, int]]:
    """Two neighbours pushed against the edge between their cells."""
    places = {}
    for piece, sign in ((one, 1), (other, -1)):
        x, y = _middle(piece.cell)
        push = sign * (CELL - TILE_SIDE[piece.size]) // 2
        places[piece.cell] = (x + push, y) if other.cell - one.cell == 1 else (x, y + push)
    return places
