"""Randomness keyed by identity, the same on every machine, process and Python version.

A stream is named by what it is for, for instance `stream(seed, "lamps", index, "labels")`: item *i* never
depends on items 0..i-1, and adding a stream never shifts another. Only `random.Random.random` is used below,
the one method whose sequence Python promises to keep; `hash()` never is.
"""

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

__all__ = ["Stream", "stream"]

T = TypeVar("T")


class Stream:
    """An endless source of random choices."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random  # noqa: S311 - not for secrets

    def chance(self, probability: float = 0.5) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self._random() * n)

    def between(self, low: float, high: float) -> float:
        """A real number from low to high."""
        return low + (high - low) * self._random()

    def choice(self, values: Sequence[T]) -> T:
        return values[int(self._random() * len(values))]

    def shuffle(self, values: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher-Yates)."""
        for i in range(len(values) - 1, 0, -1):
            j = self.below(i + 1)
            values[i], values[j] = values[j], values[i]

    def sample(self, values: Sequence[T], k: int) -> list[T]:
        """k different values in random order."""
        pool, random = list(values), self._random
        many = len(pool)
        for i in range(k):
            j = i + int(random() * (many - i))  # what `below` does, millions of times
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]


def stream(seed: int, *names: str | int) -> Stream:
    """Returns the stream of this identity: a `seed`, and `names` for what it is for.

    >>> stream(0, "lamps", 7, "labels").below(10) == stream(0, "lamps", 7, "labels").below(10)
    True
    """
    identity = "\x1f".join(str(part) for part in (seed, *names))
    return Stream(int.from_bytes(sha256(identity.encode()).digest()[:16], "big"))
