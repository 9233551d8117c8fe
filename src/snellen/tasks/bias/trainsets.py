"""Animals whose legs are to be counted: a training set, and where training on it should show."""

from collections.abc import Iterator, Mapping

import polars as pl

from snellen.analysis.transfer import Place, at_levels, has_level
from snellen.tasks.bias.generate import NAME
from snellen.tasks.training import NamedTrainset, Trainset, of_task

LEGS = 8192
"""The paper's number of animals."""
_AS_TRAINED = {
    **{"source": "things", "drawing": "counterfactual", "prompt": "base", "view": "upright", "ask": "count"},
    **{"name": "class", "resolution": "640", "paradigm": "direct"},
}
"""How things are shown and asked about as legs are in training, though none of them is trained on."""


def of_legs(seed: int = 0, n: int = LEGS) -> Trainset:
    """The legs of animals: drawings with looks of their own, so that none of them turns up in an exam."""
    made = of_task(NAME, design="synth-legs", n=n, held_out=0, seed=seed)
    return Trainset(
        "legs",
        "legs of birds and quadrupeds to count; to be tested on the task bias",
        *(made.task, made.seed, made.train, made.test, None, made.size),
        {**made.settings, "disjoint": "drawings to train on have looks that no exam draws"},
    )


def _aims(pairs: pl.DataFrame) -> Iterator[Place]:
    against, animals = at_levels(pairs, NAME, _AS_TRAINED), has_level(pairs, "topic", "animals")
    yield Place("animals against the habit", against & animals)
    yield Place("other things against the habit", against & ~animals)


def trainsets() -> Mapping[str, NamedTrainset]:
    return {"legs": NamedTrainset(of_legs, {"n": LEGS}, _aims)}
