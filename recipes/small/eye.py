"""What is added to the language model, and the names of what is not."""

from dataclasses import dataclass

from recipes.small.sheets import PATCHES, SIDE

HELPERS = ("things", "looks")
"""Tensors that tell what is in a patch: they only help learning, and no file keeps them."""


@dataclass(frozen=True, slots=True)
class Eye:
    """What is added to the language model: a vision tower and low-rank changes of all its linear maps."""

    width: int = 384
    heads: int = 6
    layers: int = 8
    shuffle: int = 2
    """So many patches in a row and in a column become one token."""
    rank: int = 32

    @property
    def patch(self) -> int:
        return SIDE // PATCHES

    @property
    def picture_tokens(self) -> int:
        return (PATCHES // self.shuffle) ** 2
