"""Learning: stage after stage, step after step."""

import time
from collections import defaultdict
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
from recipes.tiny.recipe import Course, Recipe


class Desk:
    """A deck where the model works."""

    def __init__(self, deck: Deck, device: str) -> None:
        self.tokens, self.begins, self.ends, self.shown = (
            torch.from_numpy(array).to(device) for array in (deck.tokens, deck.begins, deck.ends, deck.shown)
        )

    def lot(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """The tokens of these rows, and how much each next token counts: those of an answer, and of a long one less
        each."""
        tokens = self.tokens[places].long()
        position = torch.arange(tokens.shape[1], device=tokens.device)
        begins, ends = self.begins[places, None], self.ends[places, None]
        inside = (position >= begins) & (position < ends)
        return tokens, inside / (ends - begins).float().sqrt()


class Desks:
    """A course where the model works: its pictures and its decks."""

    def __init__(self, room: Classroom, device: str) -> None:
        self.pictures = torch.from_numpy(room.pictures).to(device)
        self.decks = {name: Desk(deck, device) for name, deck in room.decks.items()}


@dataclass(frozen=True, slots=True)
class Lot:
    """What one step takes of a course: the sheets shown, the rows and columns of pixels of each, the rows of each deck,
    and for each of these rows which of the sheets it is about."""

    sheets: Any
    pixels: Any
    rows: Mapping[str, Any]
    about: Mapping[str, Any]


def lots(recipe: Recipe, rooms: Mapping[str, Classroom], step: int, stage: Stage) -> dict[str, Lot]:
    """By the seed and the step alone, so that nothing is lost on taking up again."""
    rng = np.random.default_rng((recipe.seed, step))
    drawn = {course.name: _lot(course, rooms[course.name], rng, stage) for course in recipe.courses}
    return {name: lot for name, lot in drawn.items() if lot.rows}


def _lot(course: Course, room: Classroom, rng: np.random.Generator, stage: Stage) -> Lot:
    sheets = rng.choice(len(room.pictures), min(course.shown, len(room.pictures)), replace=False)
    rows, about = {}, {}
    for deck, count in course.rows.items():
        kinds = room.decks[deck].kinds
        shares = np.array([stage.shares.get(kind, 0.0) / kinds.count(kind) for kind in kinds])
        if shares.any():
            about[deck] = np.arange(count) % len(sheets)
            places = rng.choice(len(kinds), count, p=shares / shares.sum())
            rows[deck] = sheets[about[deck]] * len(kinds) + places
    return Lot(sheets, _pixels(course, room.pictures.shape[2], len(sheets), rng), rows, about)


def _pixels(course: Course, side: int, sheets: int, rng: np.random.Generator) -> Any:
    """Which pixels are shown, (rows, columns) by sheet by side: those at the edge stand for what is beyond it."""
    shifts = rng.integers(-course.shift, course.shift + 1, (2, sheets, 1))
    pixels = np.clip(np.arange(side) + shifts, 0, side - 1)
    if course.mirrored:
        turned = rng.random(sheets) < 0.5
        pixels[1, turned] = pixels[1, turned, ::-1]
    return pixels


def learn(
    pupil: Pupil, recipe: Recipe, rooms: Mapping[str, Classroom], folder: Path, tell: Told, device: str
) -> Iterator[Stage]:
    """Go through the recipe from where the folder's checkpoint stands; yields each stage that is finished."""
    desks = {name: Desks(room, device) for name, room in rooms.items()}
    optimizer = torch.optim.AdamW(
        pupil.parameters(), 1e-4, betas=(0.9, 0.98), weight_decay=recipe.decay, fused=device == "cuda"
    )
    begun = kept = time.monotonic()
    first = take_up(folder, pupil, optimizer)
    for step in range(first, recipe.steps):
        stage, rate = recipe.stage(step)
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses = _step(pupil, optimizer, desks, lots(recipe, rooms, step, stage))
        if step % 100 == 0 or step + 1 == recipe.steps:
            seconds = time.monotonic() - begun
            told = {deck: round(float(loss), 4) for deck, loss in losses.items()}
            tell({"step": step, "stage": stage.name, "losses": told, "rate": rate, "seconds": round(seconds, 1)})
        ended = step + 1 == recipe.steps or recipe.stage(step + 1)[0] is not stage
        if ended:
            yield stage  # whoever asked writes the model down; only then is the stage done
        if ended or time.monotonic() - kept > EVERY:
            keep(folder, recipe, pupil, optimizer, step + 1)
            kept = time.monotonic()


def _step(
    pupil: Pupil, optimizer: torch.optim.Optimizer, desks: Mapping[str, Desks], chosen: Mapping[str, Lot]
) -> dict[str, Tensor]:
    device = next(iter(desks.values())).pictures.device
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        seen = _seen(pupil, desks, chosen)
        passes: dict[str, list[tuple[str, Tensor, Tensor, Tensor | None]]] = defaultdict(list)
        for course, lot in chosen.items():
            for deck, rows in lot.rows.items():
                places = torch.from_numpy(rows).to(device)
                tokens, counts = desks[course].decks[deck].lot(places)
                shown = desks[course].decks[deck].shown[places]
                about = torch.from_numpy(lot.about[deck]).to(device)[:, None]
                features = seen[course][about, shown].flatten(0, 1) if shown.shape[1] else None
                passes[DECKS[deck].together].append((deck, tokens, counts, features))
        losses = {deck: loss for own in passes.values() for deck, loss in _losses(pupil, own)}
    loss = torch.stack(list(losses.values())).sum()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(pupil.parameters(), 1.0)
    optimizer.step()
    return {deck: one.detach() for deck, one in losses.items()}


def _seen(pupil: Pupil, desks: Mapping[str, Desks], chosen: Mapping[str, Lot]) -> dict[str, Tensor]:
    """What the model sees in the pictures of each course: sheets by pictures by tokens by width."""
    pictures = {}
    for course, lot in chosen.items():
        whole = desks[course].pictures
        rows, columns = torch.from_numpy(lot.pixels).to(whole.device)
        sheets = torch.from_numpy(lot.sheets).to(whole.device)[:, None, None]
        # What is not indexed, a sheet's pictures, comes behind what is.
        pictures[course] = whole[sheets, :, rows[:, :, None], columns[:, None, :]].movedim(3, 1)
    together = pupil.features(torch.cat([own.flatten(0, 1) for own in pictures.values()]))
    parts = together.split([own.shape[0] * own.shape[1] for own in pictures.values()])
    return {course: part.unflatten(0, pictures[course].shape[:2]) for course, part in zip(pictures, parts, strict=True)}


def _losses(pupil: Pupil, decks: list[tuple[str, Tensor, Tensor, Tensor | None]]) -> Iterator[tuple[str, Tensor]]:
    """The loss of each of the decks, which go through the model at once."""
    features = [own for *_, own in decks if own is not None]
    said = pupil(torch.cat([tokens for _, tokens, _, _ in decks]), torch.cat(features) if features else None)
    for (deck, tokens, counts, _), logits in zip(decks, said.split([len(row[1]) for row in decks]), strict=True):
        yield deck, _loss(logits, tokens, counts)


def _loss(logits: Tensor, tokens: Tensor, counts: Tensor) -> Tensor:
    """Every token is said from where the one before it stands."""
    each = functional.cross_entropy(logits[:, :-1].float().flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    weights = counts[:, 1:].flatten()
    return (each * weights).sum() / weights.sum()
