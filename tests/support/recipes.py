"""`python -m recipes` in this process."""

from pathlib import Path

from recipes.__main__ import recipes
from support.commands import Ran, in_process


def recipe(*words: object, cwd: Path) -> Ran:
    return in_process(recipes, "recipes", *words, cwd=cwd)
