"""A Bongard problem: pictures that share a concept, pictures that do not, and one of each to be told apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Panel = Mapping[str, Any]
"""What a picture is made from, in JSON types: a scene (generated), or a file (loaded)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`positives` share the concept, `negatives` lack it; the last of each is a query, the others are shown.

    `concept` is the true rule in plain words, empty if nobody wrote it down. `cluster` is what its trials are clustered
    on: the id, or the problem that several folds were made from.
    """

    id: str
    cluster: str
    source: str
    concept: str
    category: str
    positives: tuple[Panel, ...]
    negatives: tuple[Panel, ...]
