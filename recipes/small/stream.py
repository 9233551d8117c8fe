"""Batches, drawn ahead by other processes and handed over in order."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from recipes.small.batches import Batch, batch
from recipes.small.recipe import SmallRecipe
from recipes.small.sheets import Lessons
from recipes.small.speech import Speech
from recipes.tiny.boards import HELD_OUT

_AHEAD = 3
"""Batches that each process draws before they are asked for."""


@dataclass(frozen=True)
class Steps(torch.utils.data.Dataset[Batch]):  # type: ignore[misc]
    """The batch of each step; of negative steps, batches that are only ever asked about: the last stage's, where
    everything is asked, with a seed of their own."""

    recipe: SmallRecipe
    lessons: Lessons
    speech: Speech

    def __getitem__(self, step: int) -> Batch:
        recipe = self.recipe
        if step >= 0:
            return batch(recipe, recipe.stage(step)[0], self.lessons, self.speech, recipe.seed, step)
        return batch(recipe, recipe.stages[-1], self.lessons, self.speech, HELD_OUT[1], -step)


def stream(steps: Steps, wanted: Sequence[int], workers: int, pinned: bool) -> Iterator[Batch]:
    """The batches of these steps; without workers they are drawn when asked for."""
    _more_files()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # the processes are parallel already
    loader = torch.utils.data.DataLoader(
        steps,
        batch_size=None,
        sampler=wanted,
        num_workers=workers,
        prefetch_factor=_AHEAD if workers else None,
        pin_memory=pinned,
        collate_fn=_as_it_is,
        multiprocessing_context="spawn" if workers else None,  # threads and a GPU do not survive a fork
        worker_init_fn=_begin,
    )
    return iter(loader)


def _as_it_is(made: Batch) -> Batch:
    return made


def _begin(_: int) -> None:
    torch.set_num_threads(1)


def _more_files() -> None:
    """Every tensor that waits is an open file."""
    try:
        import resource
    except ImportError:  # not on every system, nor needed on it
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
