"""Sheets: pictures, and questions about them that know nothing of each other. A row of a batch is made from one.

What stands between the lessons and the network: either side needs to know of the other only what is said here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SIDE = 256
"""Pixels along either side of a picture as the model sees it."""
PATCHES = 16
"""So many patches in a row and in a column."""


@dataclass(frozen=True, slots=True)
class Said:
    """One question with its answer."""

    kind: str
    """Such as "standard", "alias", "see", "scene name", "watched marvel"."""
    parts: tuple[str | int, ...]
    """The words, and pictures by their number in the sheet, in the order they are put."""
    answer: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Sheet:
    pictures: tuple[NDArray[np.uint8], ...]
    """Each 256 x 256 x 3, as the model sees them."""
    said: tuple[Said, ...]
    things: NDArray[np.int16] | None = None
    """What is at the middle of each of the first picture's 16 x 16 patches, for the helper loss; 0 is nothing."""
    looks: NDArray[np.int16] | None = None
    """Its colour, or the game and how it is drawn."""


def distinct(said: Iterable[Said]) -> tuple[Said, ...]:
    """Each question once."""
    return tuple({each.parts: each for each in said}.values())


class Lessons(Protocol):
    """Makes sheets, one by one, out of nothing but numbers: so a resumed run loses nothing, and any process can make
    any of them."""

    @property
    def things_known(self) -> int:
        """How many there are, nothing included."""

    @property
    def looks_known(self) -> int: ...

    def sheet(self, shares: Mapping[str, float], seed: int, step: int, place: int) -> Sheet:
        """The sheet at a place of a step's batch, of a family drawn by these shares."""
