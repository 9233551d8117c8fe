"""One setup from recorded activations to outcomes: which patches go where, over whatever can follow them.

Nothing here knows what a model is made of: `Patchable` is a model at arm's length, and a test puts arithmetic in its
place whose right answer is known.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl

from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.outcomes import joined, outcomes, predictions
from snellen.lab.steer.patches import AT_QUERY, Activations, Patch, RecordedActivations, patch
from snellen.lab.steer.rows import Ints, Rows, RowSplit, batches

PICTURE_STATES, PICTURE_LAYERS = 10, 3
"""A patch at picture tokens changes all that comes after, so it costs a whole pass: it is done for so many tested
states of the first seed, at so many layers."""

Move = tuple[int, Floats]
"""A layer and what is added to its output at the query token: rows x width."""
Watch = Callable[[Iterable[Any], int, str], Iterable[Any]]
"""Hands on the batches that it is given, and tells how far it is; it is told how many there are, and what is done."""


class Patchable(Protocol):
    """A model that answers rows of one setup, given by their numbers. Layers are counted from 0."""

    @property
    def depth(self) -> int:
        """How many layers there are."""
        ...

    def read(self, which: Ints, layers: Sequence[int]) -> tuple[Activations, Floats]:
        """The layers' outputs at the query token (layers x rows x width), and the labels' log-probabilities."""
        ...

    def follow(self, which: Ints, moves: Sequence[Move]) -> Floats:
        """The labels' log-probabilities after each move: moves x rows x labels."""
        ...

    def at_pictures(self, which: Ints, move: Move) -> Floats:
        """The same with the move added at every picture token instead."""
        ...


@dataclass(frozen=True)
class SteeringPlan:
    """How a setup is steered: the splits, how many of the last layers, the alphas (the first is the usual one), and how
    many rows go together."""

    splits: tuple[RowSplit, ...]
    layers: int
    alphas: tuple[float, ...]
    batch: int

    def last(self, depth: int) -> tuple[int, ...]:
        """The layers that are patched: the last ones, or all if there are fewer."""
        return tuple(range(max(0, depth - self.layers), depth))


def early(depth: int) -> int:
    """The early layer where late patches are tried as a control: at the end of the first quarter."""
    return max(0, depth // 4 - 1)


def record(model: Patchable, rows: Rows, plan: SteeringPlan, watch: Watch) -> RecordedActivations:
    """Every row read once."""
    layers = plan.last(model.depth)
    parts = batches(rows, plan.splits, plan.batch)
    read = [model.read(which, layers) for which in watch(parts, len(parts), f"{rows.setup}: reading")]
    back = np.argsort(np.concatenate(parts))
    return RecordedActivations(
        layers,
        np.concatenate([hidden for hidden, _ in read], axis=1)[:, back],
        np.concatenate([scores for _, scores in read])[back],
    )


def steer(
    model: Patchable,
    rows: Rows,
    plan: SteeringPlan,
    recorded: tuple[RecordedActivations, RecordedActivations],
    watch: Watch,
) -> pl.DataFrame:
    """The outcome of every tested row under every control; `recorded`: of the model itself, and of the donor."""
    target, donor = recorded
    learnt = {
        (split.seed, place): patch(rows, split, place, target, donor)
        for split in plan.splits
        for place in range(len(target.layers))
    }
    frames = [*_unpatched(rows, plan, target, donor, learnt)]
    parts = [which for which in batches(rows, plan.splits, plan.batch) if _tested(plan, which)]
    for which in watch(parts, len(parts), f"{rows.setup}: patching"):
        frames += _at_query(model, rows, plan, target.layers, learnt, which)
    frames += _at_pictures(model, rows, plan, target, learnt, watch)
    return joined(frames)


def _tested(plan: SteeringPlan, which: Ints) -> list[RowSplit]:
    """The splits under which a batch is tested: all of its rows or none."""
    return [split for split in plan.splits if which[0] in split.tested]


def _unpatched(
    rows: Rows,
    plan: SteeringPlan,
    target: RecordedActivations,
    donor: RecordedActivations,
    learnt: dict[tuple[int, int], Patch],
) -> Iterable[pl.DataFrame]:
    """No patch, the donor by itself if it is another model, and what the router says without any model."""
    for split in plan.splits:
        yield outcomes(rows, split.tested, target.scores[split.tested], seed=split.seed, control="none")
        if donor is not target:
            yield outcomes(rows, split.tested, donor.scores[split.tested], seed=split.seed, control="donor")
        for place, layer in enumerate(target.layers):
            answer = learnt[split.seed, place].answer
            yield predictions(rows, split.tested, answer, seed=split.seed, layer=layer, control="probe")


def _at_query(
    model: Patchable,
    rows: Rows,
    plan: SteeringPlan,
    layers: Sequence[int],
    learnt: dict[tuple[int, int], Patch],
    which: Ints,
) -> list[pl.DataFrame]:
    """All patches of the query token of one batch, at their own layer and at an early one."""
    moves: list[Move] = []
    keys: list[dict[str, object]] = []
    for split in _tested(plan, which):
        places = np.searchsorted(split.tested, which)
        for place, layer in enumerate(layers):
            own = learnt[split.seed, place].moves
            sites = [(control, layer, own[control]) for control in AT_QUERY]
            for control, where, move in (*sites, ("early", early(model.depth), own["router"])):
                for alpha in plan.alphas:
                    moves.append((where, alpha * move[places]))
                    keys.append({"seed": split.seed, "layer": layer, "alpha": alpha, "control": control})
    scores = model.follow(which, moves)
    return [outcomes(rows, which, own, **key) for key, own in zip(keys, scores, strict=True)]


def _at_pictures(
    model: Patchable,
    rows: Rows,
    plan: SteeringPlan,
    target: RecordedActivations,
    learnt: dict[tuple[int, int], Patch],
    watch: Watch,
) -> Iterable[pl.DataFrame]:
    """The router's displacement at all picture tokens of some rows, and the same rows without it."""
    split, alpha, layers = plan.splits[0], plan.alphas[0], target.layers
    states = np.unique(rows.state[split.tested])[:PICTURE_STATES]
    which = split.tested[np.isin(rows.state[split.tested], states)]
    yield outcomes(rows, which, target.scores[which], seed=split.seed, control="picture_none")
    some = sorted({round(k) for k in np.linspace(0, len(layers) - 1, PICTURE_LAYERS)})
    parts = [(place, which[k : k + plan.batch]) for place in some for k in range(0, len(which), plan.batch)]
    for place, part in watch(parts, len(parts), f"{rows.setup}: pictures"):
        move = alpha * learnt[split.seed, place].moves["router"][np.searchsorted(split.tested, part)]
        scores = model.at_pictures(part, (layers[place], move))
        yield outcomes(rows, part, scores, seed=split.seed, layer=layers[place], alpha=alpha, control="picture")
