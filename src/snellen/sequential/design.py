"""What a sequential exam of one ladder may ask, and how sure it must be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

Status = Literal["open", "shown", "excluded", "not measurable"]
"""Of a step: something is lost there; less than the threshold is lost; so little is solved below it that nothing more
could be lost; or none of these yet."""

DETECT = 0.20
ALPHA, MISS = 0.01, 0.10


class ItemScore(NamedTuple):
    """One item on one rung. `right`: whether all its questions were answered right; None if one could not be read.
    `share`: how many of them were, as a share. `chance`: how often a guess at one question is right. `signature`: 1 for
    an answer that a habit gives, -1 for one equally far off on the other side, else 0. `unread`: the share of its
    questions whose replies could not be read; all or none if not given. `failed`: whether a call failed; such an item
    takes no part in anything."""

    right: bool | None
    share: float = 0.0
    chance: float = 0.0
    signature: int = 0
    unread: float | None = None
    failed: bool = False

    @property
    def lost_to_form(self) -> float:
        """The share of its questions whose replies could not be read."""
        return float(self.right is None) if self.unread is None else self.unread


Scores = Mapping[int, ItemScore]
"""What one item scored, by rung."""


@dataclass(frozen=True)
class SequentialDesign:
    """The rungs of a ladder, from the least to the most demanding, and when their steps are closed.

    rungs: their names.
    faculties: what each adds to the one below.
    partial: names of rungs that only some of the items have; their loss is a share of those.
    having: the share of the items that have each rung; empty if all have all.
    signed: names of rungs whose habit has a signature.
    questions: how many questions an item is asked on each rung.
    detect: the smallest loss, as a share of the items, that must be found or excluded.
    alpha: the chance, over all steps and all looks, that a loss is shown where there is none.
    miss: the chance that a loss of `detect` or more is excluded.
    most: the most calls.
    """

    rungs: tuple[str, ...]
    faculties: tuple[tuple[str, ...], ...]
    partial: frozenset[str] = frozenset()
    having: tuple[float, ...] = ()
    signed: frozenset[str] = frozenset()
    questions: int = 1
    detect: float = DETECT
    alpha: float = ALPHA
    miss: float = MISS
    most: int = 1000

    def __post_init__(self) -> None:
        if not self.rungs or len(self.rungs) != len(self.faculties):
            raise ValueError(f"{len(self.rungs)} rungs with {len(self.faculties)} steps")
        if not 0 < self.detect < 1 or not 0 < self.alpha < 1 or not 0 < self.miss < 1:
            raise ValueError("detect, alpha and miss are shares between 0 and 1")

    @property
    def steps(self) -> int:
        return len(self.rungs)

    @property
    def top(self) -> int:
        """The most demanding rung that every item has."""
        return max(k for k in range(self.steps) if not self.is_partial(k))

    def is_partial(self, step: int) -> bool:
        return self.rungs[step] in self.partial

    def by_habit(self, step: int) -> bool:
        """Whether a loss at this step cannot be made up for by luck: whoever errs by habit errs for sure."""
        return self.faculties[step] == ("habit",)

    def all_right_by_chance(self, chance: float) -> float:
        """How often guesses at all questions of an item are right."""
        return chance**self.questions

    def credits(self, right: bool, share: float) -> tuple[float, ...]:
        """What an item counts, in the ways that are bet on: all or nothing, which tells most of who never slips; and,
        where an item has several questions, with most of the credit kept by who slips at one."""
        return (float(right), 1 - (1 - share) ** 2) if self.questions > 1 else (float(right),)

    def smallest_drops(self, step: int, chance: float) -> tuple[float, ...]:
        """By how much at least a loss of `detect` lowers the mean of each of these on the step's rung."""
        spread = chance * (1 - chance) / self.questions
        guessed = (self.all_right_by_chance(chance), 1 - (1 - chance) ** 2 - spread)
        ways = len(self.credits(True, 1.0))
        return tuple(self.detect * (1.0 if self.by_habit(step) else 1 - mean) for mean in guessed[:ways])

    def below(self, step: int, rungs: tuple[int, ...]) -> int | None:
        """The most demanding of these rungs that does not require what the step adds; None if all do."""
        return max((rung for rung in rungs if rung < step), default=None)

    def above(self, step: int, rungs: tuple[int, ...]) -> int | None:
        """The least demanding of these rungs that requires it; None where these items do not tell: those that have a
        partial rung are not all items, and those that have two are not all that have one."""
        if [rung for rung in rungs if self.is_partial(rung)] != ([step] if self.is_partial(step) else []):
            return None
        return min((rung for rung in rungs if rung >= step), default=None)
