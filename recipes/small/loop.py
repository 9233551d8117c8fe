"""Learning: stage after stage, step after step."""

import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from recipes.checkpoint import EVERY, keep
from recipes.small.batches import Batch
from recipes.small.losses import losses
from recipes.small.network import Network
from recipes.small.recipe import SmallRecipe, SmallStage
from recipes.stages import Told

_TOLD = 50
"""Steps between two lines."""


def optimizer(network: Network, recipe: SmallRecipe) -> torch.optim.Optimizer:
    """The eye's maps are held back most, the words' less, norms and biases not at all."""
    words = [value for name, value in network.own.items() if _of_words(name)]
    eye = [value for name, value in network.own.items() if not _of_words(name)]
    groups = [
        {"params": [value for value in eye if value.ndim > 1], "weight_decay": recipe.decay},
        {"params": [value for value in eye if value.ndim == 1], "weight_decay": 0.0},
        {"params": words, "weight_decay": recipe.decay_of_words},
    ]
    return torch.optim.AdamW(groups, 1e-4, betas=(0.9, 0.98), fused=network.device == "cuda")


def _of_words(name: str) -> bool:
    return name.split(".")[0] in ("A", "B", "extra")


def learn(
    network: Network,
    memory: torch.optim.Optimizer,
    recipe: SmallRecipe,
    lots: Iterator[tuple[int, Batch]],
    folder: Path,
    tell: Told,
) -> Iterator[SmallStage]:
    """Go through batches with the numbers of their steps; yields each stage that is finished."""
    begun = kept = time.monotonic()
    waited, first = 0.0, None
    while True:
        clock = time.monotonic()
        step, batch = next(lots, (recipe.steps, None))
        waited += time.monotonic() - clock
        if batch is None:
            return
        first = step if first is None else first
        stage, rate = recipe.stage(step)
        parts = _step(network, memory, batch, stage, rate)
        if step % _TOLD == 0 or step + 1 == recipe.steps:
            seconds = time.monotonic() - begun
            tell(
                {
                    "step": step,
                    "stage": stage.name,
                    "losses": {name: round(float(part), 4) for name, part in parts.items()},
                    "rate": rate,
                    "seconds": round(seconds, 1),
                    "waited": round(waited, 1),
                    "left": round(seconds / (step + 1 - first) * (recipe.steps - step - 1), 1),
                }
            )
        ended = step + 1 == recipe.steps or recipe.stage(step + 1)[0] is not stage
        if ended:
            yield stage  # whoever asked writes the model down; only then is the stage done
        if ended or time.monotonic() - kept > EVERY:
            keep(folder, recipe, network, memory, step + 1)
            kept = time.monotonic()


def _step(
    network: Network, memory: torch.optim.Optimizer, batch: Batch, stage: SmallStage, rate: float
) -> dict[str, Tensor]:
    for group in memory.param_groups:
        group["lr"] = rate
    loss, parts = losses(network, batch, stage)
    memory.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.own.values(), 1.0)
    memory.step()
    return parts
