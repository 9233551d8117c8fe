"""Learning: stage after stage, step after step."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recipes.checkpoint import EVERY, keep, take_up
from recipes.stages import Stage, Told
from recipes.tiny.classroom import DECKS, Classroom, Deck
from recipes.tiny.network import Pupil
from recipes.tiny.recipe import Recipe


class Desk:
    """A deck where the model works."""

    def __init__(self, deck: Deck, device: str) -> None:
        self.tokens, self.begins, self.ends = (
            torch.from_numpy(array).to(device) for array in (deck.tokens, deck.begins, deck.ends)
        )

    def lot(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """The tokens of these rows, and how much each next token counts: those of an answer, and of a long one less
        each."""
        tokens = self.tokens[places].long()
        position = torch.arange(tokens.shape[1], device=tokens.device)
        begins, ends = self.begins[places, None], self.ends[places, None]
        inside = (position >= begins) & (position < ends)
        return tokens, inside / (ends - begins).float().sqrt()


@dataclass(frozen=True, slots=True)
class Lot:
    """What one step is about: the boards shown, and the rows of each deck."""

    boards: Any
    rows: Mapping[str, Any]


def lot(recipe: Recipe, room: Classroom, step: int, stage: Stage) -> Lot:
    """By the seed and the step alone, so that nothing is lost on taking up again."""
    rng = np.random.default_rng((recipe.seed, step))
    boards = rng.choice(len(room.pictures), recipe.shown, replace=False)
    others = rng.choice(len(room.pictures), recipe.worded)
    kinds = {deck: room.decks[deck].kinds for deck in DECKS}
    asked = np.repeat(boards, recipe.asked)
    rows = {
        "read": boards * len(kinds["read"]),
        "asked": asked * len(kinds["asked"]) + _places(rng, stage, kinds["asked"], len(asked)),
        "worded": others * len(kinds["worded"]) + _places(rng, stage, kinds["worded"], len(others)),
    }
    return Lot(boards, rows)


def _places(rng: np.random.Generator, stage: Stage, kinds: tuple[str, ...], size: int) -> Any:
    shares = np.array([stage.shares.get(kind, 0.0) / kinds.count(kind) for kind in kinds])
    return rng.choice(len(kinds), size, p=shares / shares.sum())


def learn(pupil: Pupil, recipe: Recipe, room: Classroom, folder: Path, tell: Told, device: str) -> Iterator[Stage]:
    """Go through the recipe from where the folder's checkpoint stands; yields each stage that is finished."""
    desks = {name: Desk(deck, device) for name, deck in room.decks.items()}
    pictures = torch.from_numpy(room.pictures).to(device)
    optimizer = torch.optim.AdamW(
        pupil.parameters(), 1e-4, betas=(0.9, 0.98), weight_decay=recipe.decay, fused=device == "cuda"
    )
    begun = kept = time.monotonic()
    first = take_up(folder, pupil, optimizer)
    for step in range(first, recipe.steps):
        stage, rate = recipe.stage(step)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = _step(pupil, optimizer, pictures, desks, lot(recipe, room, step, stage))
        if step % 100 == 0 or step + 1 == recipe.steps:
            seconds = time.monotonic() - begun
            losses = dict(zip(DECKS, (round(float(one), 4) for one in loss), strict=True))
            tell({"step": step, "stage": stage.name, "losses": losses, "rate": rate, "seconds": round(seconds, 1)})
        ended = step + 1 == recipe.steps or recipe.stage(step + 1)[0] is not stage
        if ended:
            yield stage  # whoever asked writes the model down; only then is the stage done
        if ended or time.monotonic() - kept > EVERY:
            keep(folder, recipe, pupil, optimizer, step + 1)
            kept = time.monotonic()


def _step(
    pupil: Pupil, optimizer: torch.optim.Optimizer, pictures: Tensor, desks: Mapping[str, Desk], chosen: Lot
) -> Tensor:
    device = pictures.device
    lots = {deck: desks[deck].lot(torch.from_numpy(rows).to(device)) for deck, rows in chosen.rows.items()}
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        seen = pupil.features(pictures[torch.from_numpy(chosen.boards).to(device)])
        asked = seen.repeat_interleave(len(lots["asked"][0]) // len(seen), 0)
        shown = torch.cat([lots["read"][0], lots["asked"][0]])
        read, answered = pupil(shown, torch.cat([seen, asked])).split([len(seen), len(asked)])
        said = {"read": read, "asked": answered, "worded": pupil(lots["worded"][0], None)}
    losses = torch.stack([_loss(said[deck], *lots[deck]) for deck in DECKS])
    loss = losses.sum()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(pupil.parameters(), 1.0)
    optimizer.step()
    return losses.detach()


def _loss(logits: Tensor, tokens: Tensor, counts: Tensor) -> Tensor:
    """Every token is said from where the one before it stands."""
    each = functional.cross_entropy(logits[:, :-1].float().flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    weights = counts[:, 1:].flatten()
    return (each * weights).sum() / weights.sum()
