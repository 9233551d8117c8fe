"""Boards to learn from: endless, of all four games, and none that an exam of the held-out seeds asks about."""

from collections.abc import Iterator
from functools import cache

from recipes.tiny.lessons import Sheet, lessons
from snellen.item import Item
from snellen.rng import Stream, stream
from snellen.subjects.trained_on import training_key
from snellen.tasks.fixation import fresh
from snellen.tasks.fixation.games import GAMES, BoardShape, Game, completed, digits, lines, swapped
from snellen.tasks.fixation.states import TASK_NAME as TASK_NAME
from snellen.tasks.fixation.states import fresh_item
from snellen.tasks.fixation.symmetry import canonical

HELD_OUT = (0, 991)
"""Seeds of exams whose boards are never learnt from; the first is the usual seed of an exam."""
_STATES = 300
_SIZE = "small"


def sheet(number: int, seed: int) -> Sheet:
    """What one board teaches; games take turns."""
    game = tuple(GAMES.values())[number % len(GAMES)]
    item = next(boards(game, seed, number // len(GAMES), number // len(GAMES) + 1))
    return Sheet((training_key(item),), tuple(lessons(item)))


def boards(game: Game, seed: int, start: int, stop: int) -> Iterator[Item]:
    """Items number start to stop - 1 of a seed, each from its own stream."""
    for index in range(start, stop):
        rng = stream(seed, "pretrain", game.name, index)
        cells = next(cells for cells in _endless(game, rng) if not held_out(game, cells))
        glyphs = rng.sample(fresh.GLYPHS, 2)
        state = fresh.State(cells, (), 0, (glyphs[0], glyphs[1]), (1, 2) if rng.chance() else (2, 1))
        yield fresh_item(f"pretrain/{game.name}/{seed}/{index}", game, _SIZE, state)


def _endless(game: Game, rng: Stream) -> Iterator[str]:
    shape = game.shape(_SIZE)
    if game.name == "tictactoe":  # real play gives a few hundred boards, most of them in the exams
        endings: Iterator[str] = _one_line(shape, rng)
    else:
        endings = (ending.cells for ending in fresh.candidates(game, shape, rng))
    return (cells if rng.chance() else swapped(cells) for cells in endings)


def _one_line(shape: BoardShape, rng: Stream) -> Iterator[str]:
    """A line for the first player and anything in the other cells, so long as it is the only line. Either player has
    one piece more equally often, so that their number does not tell whose line it is."""
    while True:
        lead = rng.below(3) - 1
        yield next(cells for cells in _filled(shape, lead, rng) if len(completed(shape, cells)) == 1)


def _filled(shape: BoardShape, lead: int, rng: Stream) -> Iterator[str]:
    while True:
        line = rng.choice(list(lines(shape)))
        others = [cell for cell in range(shape.area) if cell not in line]
        rng.shuffle(others)
        own = rng.below(2)
        cells = [0] * shape.area
        for cell in (*line, *others[:own]):
            cells[cell] = 1
        for cell in others[own : 2 * own + shape.length - lead]:
            cells[cell] = 2
        yield digits(cells)


def held_out(game: Game, cells: str) -> bool:
    """Whether an exam of the held-out seeds may ask about the board, or one that differs in how one looks at it."""
    return canonical(game.shape(_SIZE), cells) in _held_out(game.name)


@cache
def _held_out(name: str) -> frozenset[str]:
    game = GAMES[name]
    most = fresh.room(game, _SIZE) or _STATES
    states = (state for seed in HELD_OUT for state in fresh.states(game, _SIZE, most, seed))
    return frozenset(canonical(game.shape(_SIZE), state.cells) for state in states)
