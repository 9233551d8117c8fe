"""What every kind of published Bongard set comes out as."""

from collections.abc import Callable, Iterator
from pathlib import Path

from snellen.tasks.bongard.problem import Problem
from snellen.tasks.data import LoadedSet, Unusable
from snellen.tasks.panels import Unfit

Entries = Iterator[Problem | Unusable]
LoadedProblems = LoadedSet[Problem]


def problem_or_why(what: str, make: Callable[[], Problem]) -> Problem | Unusable:
    """The problem, or what there is to report instead."""
    try:
        return make()
    except Unfit as fault:
        return Unusable(what, str(fault))


def split_named(path: Path) -> str:
    """train, val or test if the file's name ends so or says so between underscores; otherwise empty."""
    words = path.stem.lower().split("_")
    return next((split for split in ("train", "val", "test") if split in words), "")
