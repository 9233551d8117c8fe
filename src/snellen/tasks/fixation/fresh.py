"""Fresh states: new finished boards from any seed, made so that nothing but the task itself tells who won.

How the known ways to cheat are closed:

- *Who moved first, parity, counts.* A game of lines is won by whoever moved last. If that player also moved first, they
  have one piece more, always; so only games the second mover won are kept, where both have equally many pieces. Which
  player that is changes from item to item.
- *Winner and names.* Items come in pairs (0 and 1, 2 and 3, ...) of the same pattern quota: player 1 wins one, player
  2 the other, in random order. The order in which the words name the players is the same within a pair and opposite in
  the next, so it is independent of the winner.
- *Patterns.* Each direction of line is used as often as the board has lines in it. Where pieces are counted, the lead
  is at most a fifth of the board (one cell alone belongs to the winner in (1 + lead share) / 2 of boards, and nothing
  but small leads keeps that near a half), equally often in each third of that range.
- *Single cells.* In random play the middle, the corners or the top row belong to the winner more often than not.
  Boards are therefore taken or refused with a chance that depends on who holds which cell (`balance.toml`, fitted by
  `tilt.py`), so that in the end no cell says more than another. The little 3 x 3 board has a finite answer instead: 160
  boards, the largest set, closed under turning and mirroring, in which every line is equally frequent and every cell
  is the winner's exactly as often as the loser's.

Item i depends on the seed and i alone, except that a board already seen in the set is played again.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from math import exp, gcd
from typing import Any

from snellen.errors import UserError
from snellen.rng import Stream, stream
from snellen.tasks.fixation.games import PATTERNS, BoardShape, Game, completed, digits, lines, margin, swapped
from snellen.tasks.fixation.play import lines_held, play_lines, play_reversi

GLYPHS = "EHKNPRVZ"
"""Letters for the glyph rendering: none looks like another or like a digit, stands alone in English, follows an
apostrophe, or is a label of its own."""

_REPEATS = 500  # boards already seen, in a row, before the space counts as used up
_THIRDS = ("close", "middling", "clear")


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished board as seen from its winner: cell 1 is the winner's, 2 the loser's.

    `stratum` is what quotas are kept for: the direction of the line, or the third the lead falls in. `moves` are cells
    in the order played (none where boxes are dealt); `winner_began` says whose the first of them was.
    """

    cells: str
    stratum: str
    moves: tuple[int, ...] = ()
    winner_began: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A fresh board and what goes with it. `named` are the players in the order the words name them."""

    cells: str
    moves: tuple[int, ...]
    first: int
    glyphs: tuple[str, str]
    named: tuple[int, int]


def _all_welcome(cells: str) -> bool:
    return True


def states(game: Game, size: str, n: int, seed: int, welcome: Callable[[str], bool] = _all_welcome) -> Iterator[State]:
    """The first n states of this seed, all different; boards that are not welcome are played again."""
    check_room(game, size, n)
    names = ("fixation", game.name, size)
    seen: set[str] = set()
    for i in range(n):
        one_first = stream(seed, *names, "winner", i // 2).chance()
        winner = 1 if one_first == (i % 2 == 0) else 2
        for ending in islice(_endings(game, size, seed, i, winner), _REPEATS):
            cells = ending.cells if winner == 1 else swapped(ending.cells)
            if cells not in seen and welcome(cells):
                break
        else:
            raise _no_room(game, size, n, i)
        seen.add(cells)
        one, other = stream(seed, *names, "glyphs", i).sample(GLYPHS, 2)
        named_one = stream(seed, *names, "named", i // 4).chance() == (i // 2 % 2 == 0)
        first = winner if ending.winner_began else 3 - winner
        yield State(cells, ending.moves, first, (one, other), (1, 2) if named_one else (2, 1))


def _endings(game: Game, size: str, seed: int, i: int, winner: int) -> Iterator[Ending]:
    """Boards to take for item i, in order of preference."""
    shape = game.shape(size)
    quotas = strata(game, size)
    cycle, place = divmod(i // 2, len(quotas))
    order = list(quotas)
    stream(seed, "fixation", game.name, size, "quotas", cycle).shuffle(order)
    if listed := _listed(game.name, size):
        boards = [ending for ending in listed if ending.stratum == order[place]]
        stream(seed, "fixation", game.name, size, "boards", order[place], winner).shuffle(boards)
        return iter(boards[cycle : cycle + 1])
    rng = stream(seed, "fixation", game.name, size, "play", i)
    return (
        ending
        for ending in candidates(game, shape, rng)
        if ending.stratum == order[place] and rng.chance(_welcome(game.name, size, ending.cells))
    )


def candidates(game: Game, shape: BoardShape, rng: Stream) -> Iterator[Ending]:
    """Endless finished boards that may be used, before quotas and balance."""
    while True:
        ending = _deal(shape, rng) if game.name == "dots_boxes" else _play(game, shape, rng)
        if ending is not None:
            yield ending


def _deal(shape: BoardShape, rng: Stream) -> Ending:
    """Boxes given out at random to a random lead (dealt, as in the published set, not played edge by edge)."""
    lead = 2 * (1 + rng.below(_most_lead(shape) // 2))
    owners = [1] * ((shape.area + lead) // 2) + [2] * ((shape.area - lead) // 2)
    rng.shuffle(owners)
    return Ending(digits(owners), _third(shape, lead))


def _play(game: Game, shape: BoardShape, rng: Stream) -> Ending | None:
    """One game played at random; None if it ended in a way that is not used."""
    if game.decided_by == "count":
        final = play_reversi(shape, rng.below)
        cells = final.cells(shape)
        lead = margin(cells)
        if not 0 < abs(lead) <= _most_lead(shape):
            return None
        return Ending(cells if lead > 0 else swapped(cells), _third(shape, abs(lead)), final.moves, lead > 0)
    final = play_lines(shape, rng.below, falling=game.name == "connect4")
    if len(final.moves) % 2:  # the first mover won, and has a piece more
        return None
    held = lines_held(shape, final.second)
    if len(held) != 1:  # a draw, or two lines closed at once
        return None
    return Ending(final.cells(shape, first=2), lines(shape)[held[0]], final.moves)


def _most_lead(shape: BoardShape) -> int:
    return shape.area // 5


def _third(shape: BoardShape, lead: int) -> str:
    return _THIRDS[-(-3 * lead // _most_lead(shape)) - 1]


@cache
def strata(game: Game, size: str) -> tuple[str, ...]:
    """One cycle of quotas: each stratum as often as it is due."""
    shape = game.shape(size)
    if listed := _listed(game.name, size):
        return tuple(dict.fromkeys(ending.stratum for ending in listed))
    if game.decided_by == "count":
        return _THIRDS
    directions = list(lines(shape).values())
    share = gcd(*(directions.count(pattern) for pattern in PATTERNS))
    return tuple(p for pattern in PATTERNS for p in [pattern] * (directions.count(pattern) // share))


@cache
def _balance(name: str, size: str) -> dict[str, Any]:
    tables = tomllib.loads(files(__package__).joinpath("balance.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = tables.get(name, {}).get(size, {})
    return table


def _welcome(name: str, size: str, cells: str) -> float:
    """The chance with which a board is taken, so that in the end no single cell gives the winner away."""
    balance = _balance(name, size)
    if not balance:
        return 1.0
    pull = sum(tilt * _SIGN[cell] for tilt, cell in zip(balance["tilt"], cells, strict=True))
    return exp(min(0.0, -pull - balance["most"]))


_SIGN = {"0": 0, "1": 1, "2": -1}


@cache
def _listed(name: str, size: str) -> tuple[Ending, ...]:
    """The boards of a size whose usable set is listed, with a line's cells as the stratum; else nothing."""
    kinds = _balance(name, size).get("boards", ())
    return tuple(listed_ending(cells) for cells in sorted({view for kind in kinds for view in _views(kind)}))


def listed_boards(game: Game, size: str) -> frozenset[str]:
    """The only boards, as seen from their winner, that any seed brings; nothing where they are played."""
    return frozenset(ending.cells for ending in _listed(game.name, size))


def listed_ending(cells: str) -> Ending:
    """A finished 3 x 3 board as an ending: its line is its stratum."""
    [line] = completed(_LISTED_SHAPE, cells)
    # The loser begins; the winner closes the line with the last move. Any other order would do.
    own = sorted((c for c in range(len(cells)) if cells[c] == "1"), key=lambda c: (c in line, c))
    theirs = [c for c in range(len(cells)) if cells[c] == "2"]
    moves = tuple(cell for turn in zip(theirs, own, strict=True) for cell in turn)
    return Ending(cells, "-".join(map(str, line)), moves)


_LISTED_SHAPE = BoardShape(3, 3, 3)


def _views(cells: str) -> Iterator[str]:
    """A 3 x 3 board turned and mirrored in all eight ways."""
    for _ in range(4):
        cells = "".join(cells[3 * (2 - c) + r] for r in range(3) for c in range(3))
        yield cells
        yield "".join(cells[3 * r + 2 - c] for r in range(3) for c in range(3))


def room(game: Game, size: str) -> int:
    """How many different states there are, where the usable set is listed; else 0."""
    return 2 * len(_listed(game.name, size))


def check_room(game: Game, size: str, n: int) -> None:
    """Refuse to look for more states than there are."""
    most = room(game, size)
    if most and n > most:
        raise _no_room(game, size, n, most)


def _no_room(game: Game, size: str, n: int, most: int) -> UserError:
    larger = "" if size == "large" else " or a larger size"
    return UserError(
        f"{game.name}, size {size}: {n} different fresh states requested, but only {most} exist; ask for fewer (--n"
        f" {most}){larger}"
    )
