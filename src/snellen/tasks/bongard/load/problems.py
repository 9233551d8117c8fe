"""What every kind of published Bongard set comes out as."""

from collections.abc import Iterator
from pathlib import Path

from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import LoadedSet, Unusable

Entries = Iterator[Problem | Unusable]
LoadedProblems = LoadedSet[Problem]


def split_named(path: Path) -> str:
    """train, val or test if the file's name ends so or says so between underscores; otherwise empty."""
    words = path.stem.lower().split("_")
    return next((split for split in ("train", "val", "test") if split in words), "")
