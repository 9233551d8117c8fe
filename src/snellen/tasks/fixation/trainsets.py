"""The paper's three training sets, and where training on them should show.

D1 trains the usual rule and tests its inverse, D2 the other way round, D3 trains both rules on two games and tests them
on the two others. Rows come in the paper's order: game by game, rule by rule, state by state, winner then loser.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import polars as pl

from snellen.analysis.transfer import Aims, Place, at_levels, has_level
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import load
from snellen.tasks import task as find_task
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.fixation.pools import SIZE, Pool, pool
from snellen.tasks.fixation.states import TASK_NAME
from snellen.tasks.training import NamedTrainset, Trainset

RULES = ("standard", "inverse")
TARGETS = ("winner", "loser")
STATES, HELD_OUT = 1024, 300
"""The paper's numbers: states of each game to train on and to test on."""
_AS_TRAINED = {
    **{"prompt": "base", "rendering": "base", "order": "image_first", "response": "direct", "modality": "image"},
    **{"paradigm": "direct", "size": "small", "states": "fresh"},
}
"""Which boards are trained on, and how they are asked about; others and other ways are side effects."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Games under rules."""

    games: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrainsetSplit:
    """A training set of the paper (D1, D2 or D3): the slice of items to train on, and the one to test on."""

    about: str
    train: Slice
    test: Slice


_ALL = tuple(GAMES)
SPLITS: Mapping[str, TrainsetSplit] = {
    "d1": TrainsetSplit(
        "trained on the usual rule, tested on its inverse", Slice(_ALL, ("standard",)), Slice(_ALL, ("inverse",))
    ),
    "d2": TrainsetSplit(
        "trained on the inverse rule, tested on the usual one", Slice(_ALL, ("inverse",)), Slice(_ALL, ("standard",))
    ),
    "d3": TrainsetSplit(
        "trained on two games under both rules, tested on the two others",
        Slice(("tictactoe", "reversi"), RULES),
        Slice(("connect4", "dots_boxes"), RULES),
    ),
}


def of_split(name: str, seed: int = 0, states: int = STATES, held_out: int = HELD_OUT) -> Trainset:
    """D1, D2 or D3."""
    split, task = SPLITS[name], find_task(TASK_NAME)
    pack = load(task.prompts, task.name)
    pools = {game: pool(game, states if game in split.train.games else 0, held_out, seed) for game in GAMES}
    condition = Condition({factor.name: factor.levels[0] for factor in task.factors if not factor.of_item})

    def made(slice_: Slice, which: Callable[[Pool], tuple[Item, ...]]) -> Iterator[Stimulus]:
        for game in slice_.games:
            for rule in slice_.rules:
                for item in which(pools[game]):
                    for target in TARGETS:
                        yield task.stimulus(item, condition.but(rule=rule, target=target), pack)

    return Trainset(
        name,
        split.about,
        task.name,
        seed,
        train=lambda: made(split.train, lambda own: own.train),
        test=lambda: made(split.test, lambda own: own.held_out),
        exam=lambda: made(Slice(tuple(pools), RULES), lambda own: own.held_out),
        size=len(split.train.games) * len(split.train.rules) * states * len(TARGETS),
        settings={
            "train": {"games": split.train.games, "rules": split.train.rules, "states": states},
            "test": {"games": split.test.games, "rules": split.test.rules, "states": held_out},
            "size": SIZE,
            "condition": dict(condition.but(rule="as the slice says", target="winner, then loser")),
            "distinct_boards": {game: own.distinct for game, own in pools.items() if game in split.train.games},
            "disjoint": "no board of train is, turned in any of four ways, mirrored or with the players exchanged, one"
            f" of test or exam (the fresh states of seed {seed}, and all that any seed has of tictactoe); exams of"
            " other seeds leave out what trained_on.json names",
            "repeats": "tictactoe has 312 boards that no exam uses; further states repeat them evenly, with the"
            " players named in the other order",
            "shortcut": "the winner holds the middle of about 3 in 4 tictactoe boards to train on; of those held out no"
            " more than the loser",
            "prompts": pack.digest,
        },
    )


def _across_rules(trained: str, pairs: pl.DataFrame) -> Iterator[Place]:
    """The rule that was trained, then the other."""
    boards = at_levels(pairs, TASK_NAME, _AS_TRAINED)
    other = RULES[1 - RULES.index(trained)]
    yield Place(f"same rule ({trained})", boards & has_level(pairs, "rule", trained))
    yield Place(f"across rules ({other})", boards & has_level(pairs, "rule", other))


def _across_games(pairs: pl.DataFrame) -> Iterator[Place]:
    boards = at_levels(pairs, TASK_NAME, _AS_TRAINED)
    for part, words in ((SPLITS["d3"].train, "games trained"), (SPLITS["d3"].test, "new games")):
        for rule in RULES:
            which = has_level(pairs, "rule", rule) & has_level(pairs, "game", *part.games)
            yield Place(f"{words}, {rule}", boards & which)


def trainsets() -> Mapping[str, NamedTrainset]:
    """D1, D2 and D3."""
    aims: dict[str, Aims] = {
        "d1": partial(_across_rules, "standard"),
        "d2": partial(_across_rules, "inverse"),
        "d3": _across_games,
    }
    sizes = {"states": STATES, "held_out": HELD_OUT}
    return {name: NamedTrainset(partial(of_split, name), sizes, aims[name]) for name in SPLITS}
