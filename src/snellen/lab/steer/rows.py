"""What is asked in a steering study: rows of one shape, whatever the task.

A **setup** is a game, or a group of animals. Each of its states is asked under two **rules**: the usual and the inverse
rule of a game, the usual and a changed number of legs. A row's **answer** is one of the setup's two labels. States, not
rows, are split into those to learn from and those to test on, and those that are the same but for turning, mirroring or
exchanging the players stay together, so that no board is on both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from snellen.errors import UserError, unknown
from snellen.item import Stimulus
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks import installed, tasks_with
from snellen.tasks import task as find_task
from snellen.tasks.steering import SteeringFamily

Ints = NDArray[np.int64]
TESTED = 0.3
"""The share of states that are tested on."""
FEWEST = 4
"""With fewer states a split has nothing to learn from or nothing to test on."""


@dataclass(frozen=True)
class Rows:
    """The rows of one setup as plain columns: which state, under which rule, with which right answer (by number).

    `kin`: for each state a name that it shares with those that are the same up to symmetry."""

    setup: str
    rules: tuple[str, ...]
    labels: tuple[str, ...]
    states: tuple[str, ...]
    kin: tuple[str, ...]
    state: Ints
    rule: Ints
    answer: Ints

    def __len__(self) -> int:
        return len(self.state)


@dataclass(frozen=True)
class SteeringRows:
    """The rows together with what is shown in each, and how each label is written in a reply."""

    rows: Rows
    stimuli: tuple[Stimulus, ...]
    written: tuple[str, ...]


@dataclass(frozen=True)
class RowSplit:
    """The rows to learn from and those to test on (by number), for one seed."""

    seed: int
    learnt: Ints
    tested: Ints


def split(rows: Rows, seed: int) -> RowSplit:
    """Whole kins of states on either side, 70 to 30, as nearly as their sizes allow."""
    kins: dict[str, list[int]] = {}
    for state, name in enumerate(rows.kin):
        kins.setdefault(name, []).append(state)
    if len(kins) < 2:
        raise UserError(
            f"{rows.setup}: its {len(rows.states)} states are all the same up to symmetry, so none can be held out;"
            " raise --states"
        )
    order = list(kins.values())
    stream(seed, "steer", rows.setup, "split").shuffle(order)
    room, taken = ceil(TESTED * len(rows.states)), list[int]()
    for together in order:
        if len(taken) + len(together) <= room:
            taken += together
    tested = np.isin(rows.state, taken or min(order, key=len))
    return RowSplit(seed, np.flatnonzero(~tested), np.flatnonzero(tested))


def wording(name: str) -> str:
    """The digest of the words that a task is asked in."""
    task = find_task(name)
    return load(task.prompts, task.name).digest


def family(name: str) -> SteeringFamily:
    """How the task of that name is asked in a steering study."""
    task = installed(name)
    if task is None or task.steering is None:
        raise unknown("task to steer", name, [task.name for task in tasks_with(lambda task: task.steering)])
    return task.steering()


def asked(of: SteeringFamily, setup: str, n: int, seed: int) -> SteeringRows:
    """The rows of n states of a setup."""
    if setup not in of.setups:
        raise unknown(f"setup of {of.task}", setup, of.setups)
    if n < FEWEST:
        raise UserError(f"--states {n}: a study needs {FEWEST} states or more, to learn from some and test on others")
    stimuli = tuple(of.setups[setup](find_task(of.task), n, seed))
    shown = {stimulus.item.id: stimulus.item for stimulus in stimuli}
    states = tuple(shown)
    if len(states) < n:
        raise UserError(f"{of.task}, {setup}: {len(states):,} states exist, {n:,} requested; lower --states")
    place = {name: k for k, name in enumerate(states)}
    labels = tuple(sorted({stimulus.question.key for stimulus in stimuli}))
    rows = Rows(
        setup,
        of.rules,
        labels,
        states,
        tuple(item.cluster or item.id for item in shown.values()),
        np.array([place[stimulus.item.id] for stimulus in stimuli]),
        np.array([of.levels.index(stimulus.condition[of.rule]) for stimulus in stimuli]),
        np.array([labels.index(stimulus.question.key) for stimulus in stimuli]),
    )
    braces = stimuli[0].question.form.final == "braces"
    return SteeringRows(rows, stimuli, tuple(f"{{{label}}}" if braces else label for label in labels))


def batches(rows: Rows, splits: Sequence[RowSplit], size: int) -> list[Ints]:
    """The rows in batches, those together that are tested under the same seeds: what a batch needs, all of it need."""
    tested = np.zeros(len(rows), np.int64)
    for k, seeded in enumerate(splits):
        tested[seeded.tested] += 1 << k
    # Those never tested come last: what is kept of a batch until it is patched is better kept of the others.
    groups = (np.flatnonzero(tested == which) for which in sorted(np.unique(tested), key=lambda which: which == 0))
    return [group[k : k + size] for group in groups for k in range(0, len(group), size)]
