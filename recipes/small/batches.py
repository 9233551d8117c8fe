"""One step's sheets as one batch of fixed shape: a pool of pictures, short rows, and long ones for watched calls."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from recipes.small.recipe import SmallRecipe, SmallStage
from recipes.small.rows import Row, Rows, spoken, stacked
from recipes.small.sheets import PATCHES, SIDE, Lessons, Sheet
from recipes.small.speech import Speech

UNLABELLED = -100
_WATCHED = "watched"
_PATIENCE = 4
"""So many sheets that fit nowhere, and the long rows are taken for full."""


class Batch(NamedTuple):
    pictures: Tensor
    things: Tensor
    """What is where in each picture, for the helper loss; where nobody said, UNLABELLED."""
    looks: Tensor
    rows: tuple[Rows, ...]


class Pool:
    """All pictures of a batch, so many and no more."""

    def __init__(self, room: int) -> None:
        self.pictures = np.zeros((room, SIDE, SIDE, 3), np.uint8)
        self.things = np.full((room, PATCHES, PATCHES), UNLABELLED, np.int64)
        self.looks = self.things.copy()
        self.first = 0
        """The number the next picture gets."""

    def takes(self, sheet: Sheet) -> bool:
        return self.first + len(sheet.pictures) <= len(self.pictures)

    def take(self, sheet: Sheet) -> int:
        """The number of its first picture here."""
        first = self.first
        self.first += len(sheet.pictures)
        if sheet.pictures:
            self.pictures[first : self.first] = np.stack(sheet.pictures)
            _labelled(self.things, first, sheet.things)
            _labelled(self.looks, first, sheet.looks)
        return first


def _labelled(labels: NDArray[np.int64], first: int, told: NDArray[np.int16] | None) -> None:
    if told is not None:
        labels[first] = told


def batch(recipe: SmallRecipe, stage: SmallStage, lessons: Lessons, speech: Speech, seed: int, step: int) -> Batch:
    """By the seed and the step alone, so that nothing is lost on taking up again."""
    watched, other = _sorted(stage.shares)
    pool = Pool(recipe.rows + (recipe.pictures if watched else 0))
    short = []
    for place in range(recipe.rows):
        sheet = lessons.sheet(other, seed, step, place)
        if pool.takes(sheet):
            short.append(_short(sheet, pool.take(sheet), speech, recipe.short))
    rows = [stacked([*short, *_empty(speech, recipe.short, recipe.rows - len(short))], speech)] if stage.speaks else []
    if watched:
        rows.append(stacked(_long(recipe, watched, lessons, speech, (seed, step), pool), speech))
    pictures, things, looks = (torch.from_numpy(array) for array in (pool.pictures, pool.things, pool.looks))
    return Batch(pictures, things, looks, tuple(rows))


def _sorted(shares: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Shares of watched calls, and of all else."""
    watched = {family: share for family, share in shares.items() if family.startswith(_WATCHED)}
    return watched, {family: share for family, share in shares.items() if family not in watched}


def _short(sheet: Sheet, first: int, speech: Speech, length: int) -> Row:
    leads = any(isinstance(said.parts[0], int) for said in sheet.said)
    row = Row(speech, length, first if leads else None)
    for said in sheet.said:
        row.takes(spoken(said, speech, first))
    return row


def _empty(speech: Speech, length: int, count: int) -> list[Row]:
    return [Row(speech, length) for _ in range(count)]


def _long(
    recipe: SmallRecipe,
    shares: Mapping[str, float],
    lessons: Lessons,
    speech: Speech,
    when: tuple[int, int],
    pool: Pool,
) -> list[Row]:
    """As many watched calls as there is room for, each in the first row that takes it."""
    rows = _empty(speech, recipe.long, recipe.long_rows)
    missed = 0
    for place in range(recipe.rows, recipe.rows + 16 * recipe.long_rows):
        sheet = lessons.sheet(shares, *when, place)
        if not pool.takes(sheet) or not _taken(sheet, pool, rows, speech):
            missed += 1
        if missed == _PATIENCE:
            break
    return rows


def _taken(sheet: Sheet, pool: Pool, rows: list[Row], speech: Speech) -> bool:
    asked = [spoken(said, speech, pool.first) for said in sheet.said]
    taken = [any(row.takes(said) for row in rows) for said in asked]
    if any(taken):
        pool.take(sheet)
    return any(taken)
