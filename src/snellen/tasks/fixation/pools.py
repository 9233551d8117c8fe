"""States to train on and states held out.

What is held out is what the exam asks: the fresh states of the same seed, so that a plain exam of the trained subject
asks nothing it was trained on. Exams of other seeds leave such boards out (`snellen.subjects.trained_on`). A state to
train on comes from the same generator under a seed of its own, and is played again if it is, up to symmetry, one of
those that are held out.

On the 3 x 3 board the exam knows 320 boards, whatever its seed. All of them are held out, and training takes what is
left: 312 boards on which both players have equally many pieces. More than that can be had only by repeating them;
repetitions are spread evenly, and name the players now in one order and now in the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from snellen.errors import UserError
from snellen.item import Item
from snellen.rng import stream
from snellen.tasks.fixation.fresh import GLYPHS, Ending, State, listed_boards, listed_ending, states
from snellen.tasks.fixation.games import Game, completed, game_named, swapped
from snellen.tasks.fixation.states import TASK_NAME, fresh_item, items
from snellen.tasks.fixation.symmetry import canonical

SIZE = "small"
"""The published size, and the only one that papers train on."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The states of one game: to train on and held out, and how many of the former are different boards."""

    game: str
    train: tuple[Item, ...]
    held_out: tuple[Item, ...]

    @property
    def distinct(self) -> int:
        return len({item.truth["cells"] for item in self.train})


@cache
def pool(name: str, train: int, held_out: int, seed: int) -> Pool:
    """So many states to train on (0 for a game that is only tested) and held out; both players win equally often."""
    for option, count in (("--states", train), ("--test", held_out)):
        if count % 2:
            raise UserError(f"{option} {count}: expected an even number, so that both players win equally often")
    if held_out < 2:
        raise UserError(f"--test {held_out}: expected an even number from 2; without a test nothing is kept apart")
    game = game_named(name)
    apart = tuple(items({"game": (name,)}, held_out, seed))
    made = _left_over(game, train, seed) if listed_boards(game, SIZE) else _played(game, train, seed, apart)
    named = (
        fresh_item(f"{TASK_NAME}/{name}/train-{SIZE}-{seed}/{number:04d}", game, SIZE, state)
        for number, state in enumerate(made)
    )
    return Pool(name, tuple(named), apart)


def _played(game: Game, n: int, seed: int, held_out: tuple[Item, ...]) -> Iterator[State]:
    """States of the usual generator that are none of those held out."""
    shape = game.shape(SIZE)
    taken = {canonical(shape, item.truth["cells"]) for item in held_out}
    own_seed = stream(seed, "lab", "train", game.name).below(2**53)
    return states(game, SIZE, n, own_seed, lambda cells: canonical(shape, cells) not in taken)


def _left_over(game: Game, n: int, seed: int) -> Iterator[State]:
    """States of the boards that no exam knows, every line and both winners equally often, repeated where need be."""
    by_line: dict[str, list[Ending]] = {}
    for ending in left_over(game):
        by_line.setdefault(ending.stratum, []).append(ending)
    names = ("lab", "train", game.name)
    used: dict[tuple[str, int], int] = {}
    for i in range(n):
        cycle, place = divmod(i // 2, len(by_line))
        order = sorted(by_line)
        stream(seed, *names, "lines", cycle).shuffle(order)
        line = order[place]
        winner = 1 if stream(seed, *names, "winner", i // 2).chance() == (i % 2 == 0) else 2
        time = used[line, winner] = used.get((line, winner), -1) + 1
        boards = list(by_line[line])
        stream(seed, *names, "boards", line, winner).shuffle(boards)
        again, which = divmod(time, len(boards))
        ending = boards[which]
        one, other = stream(seed, *names, "glyphs", i).sample(GLYPHS, 2)
        # A board that comes again names the players the other way round; both winners' boards take the same turns.
        one_first = stream(seed, *names, "named", line).chance() == ((which + again) % 2 == 0)
        cells = ending.cells if winner == 1 else swapped(ending.cells)
        yield State(cells, ending.moves, 3 - winner, (one, other), (1, 2) if one_first else (2, 1))


@cache
def left_over(game: Game) -> tuple[Ending, ...]:
    """Every board, as seen from its winner, that could be asked as fairly as the listed ones and is none of them: one
    line, won with the last move by whoever moved second, so that both have equally many pieces."""
    shape, listed = game.shape(SIZE), listed_boards(game, SIZE)
    every = ("".join(cells) for cells in product("012", repeat=shape.area))
    even = (cells for cells in every if cells.count("1") == cells.count("2") >= shape.length)
    won = (cells for cells in even if list(completed(shape, cells).values()) == [1])
    return tuple(listed_ending(cells) for cells in won if cells not in listed)
