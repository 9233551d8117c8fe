"""What is trained and what is held out: the paper's three splits, the legs of animals, and any task of the project.

D1 trains the usual rule and tests its inverse, D2 the other way round, D3 trains both rules on two games and tests them
on the two others. Rows come in the paper's order: game by game, rule by rule, state by state, winner then loser.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.lab.trainset.pools import SIZE, Pool, pool
from snellen.prompts import Pack, load
from snellen.rng import stream
from snellen.tasks import task as find_task
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.making import Order, Origin, make_stimuli
from snellen.tasks.task import Design

RULES = ("standard", "inverse")
TARGETS = ("winner", "loser")
STATES, HELD_OUT, LEGS = 1024, 300, 8192
"""The paper's numbers: states of each game to train on and to test on; animals."""
DIRECT = ("direct", "dvrl")
"""The paradigms that show everything at once and take one answer: what a row of a training set is."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Games under rules."""

    games: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """What is trained and what is tested."""

    about: str
    train: Slice
    test: Slice


_ALL = tuple(GAMES)
SPLITS: Mapping[str, Split] = {
    "d1": Split(
        "trained on the usual rule, tested on its inverse", Slice(_ALL, ("standard",)), Slice(_ALL, ("inverse",))
    ),
    "d2": Split(
        "trained on the inverse rule, tested on the usual one", Slice(_ALL, ("inverse",)), Slice(_ALL, ("standard",))
    ),
    "d3": Split(
        "trained on two games under both rules, tested on the two others",
        Slice(("tictactoe", "reversi"), RULES),
        Slice(("connect4", "dots_boxes"), RULES),
    ),
}
LEGS_NAME = "legs"
FIXATION = "fixation"


@dataclass(frozen=True)
class Trainset:
    """A training set before it is written: rows to make, and what a manifest says of them.

    `exam`: stimuli of what is held out, for `snellen exam --data TASK=DIR/exam`; `task` is whose they are.
    """

    name: str
    about: str
    task: str
    seed: int
    train: Callable[[], Iterator[Stimulus]]
    test: Callable[[], Iterator[Stimulus]]
    exam: Callable[[], Iterator[Stimulus]] | None
    size: int
    settings: Mapping[str, Any] = field(default_factory=dict)


def of_split(name: str, seed: int = 0, states: int = STATES, held_out: int = HELD_OUT) -> Trainset:
    """D1, D2 or D3."""
    split, task = SPLITS[name], find_task(FIXATION)
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
            "repeats": "tictactoe has 312 boards that no exam knows; more states repeat them evenly, the players named"
            " in the other order",
            "shortcut": "the winner holds the middle of about 3 in 4 tictactoe boards to train on; of those held out no"
            " more than the loser",
            "prompts": pack.digest,
        },
    )


def of_task(name: str, *, design: str | None = None, n: int, held_out: int, seed: int = 0) -> Trainset:
    """Any task: so many items to train on from a seed of their own, and the first of the exam of this seed held out.

    Not `fixation`: its boards are few, and one that is turned or mirrored is another picture of the same board."""
    task = find_task(name)
    if task.name == FIXATION:
        raise UserError(f"{name}: other pictures may show the same boards; use d1, d2 or d3, which keep boards apart")
    chosen = task.put_by(task.design(design), task.paradigms[0], chosen=True)
    if not chosen.blocks or task.paradigms[0] not in DIRECT:
        raise UserError(f"design {chosen.name} of {name}: nothing in it is asked in one go; choose another --design")
    own_seed = stream(seed, "lab", "train", name).below(2**53)
    pack = load(task.prompts, task.name)

    def made(n: int, seed: int) -> Iterator[Stimulus]:
        order = Order(task, chosen, n, seed, pack, Origin(name, None, None))
        return make_stimuli(order)

    return Trainset(
        name,
        f"{task.about} (design {chosen.name})",
        task.name,
        seed,
        train=lambda: made(n, own_seed),
        test=lambda: made(held_out, seed) if held_out else iter(()),
        exam=None,
        size=task.size(chosen, n),
        settings=_settings(chosen, n, held_out, own_seed, pack),
    )


def _settings(design: Design, n: int, held_out: int, own_seed: int, pack: Pack) -> dict[str, Any]:
    return {
        "design": design.name,
        "train": {"items": n, "seed": own_seed},
        "test": {"items": held_out},
        "disjoint": "no row of train shows a picture of test; rows that would are left out and counted",
        "prompts": pack.digest,
    }


def of_legs(n: int = LEGS, seed: int = 0) -> Trainset:
    """The legs of animals, to be tested on the task `bias`: its drawings have looks of their own, so that none of them
    turns up in an exam."""
    made = of_task("bias", design="synth-legs", n=n, held_out=0, seed=seed)
    return Trainset(
        LEGS_NAME,
        "legs of birds and quadrupeds to count; to be tested on the task bias",
        *(made.task, made.seed, made.train, made.test, None, made.size),
        {**made.settings, "disjoint": "drawings to train on have looks that no exam draws"},
    )


def shown_in(stimuli: Iterable[Stimulus]) -> frozenset[str]:
    """Digests of all the pictures shown."""
    return frozenset(picture.digest for stimulus in stimuli for picture in stimulus.pictures)
