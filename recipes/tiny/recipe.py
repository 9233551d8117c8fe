"""Recipes: how a model is built and what it learns when, as plain data."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from recipes.small.recipe import SMALL, SmallRecipe
from recipes.stages import Stage
from snellen.subjects.tiny.stock import Build


@dataclass(frozen=True, slots=True)
class Recipe:
    """`boards` of each game are drawn. Each step shows `shown` of them, has each read out, and asks `asked` lessons
    about each; besides there are `worded` lessons in words alone."""

    name: str
    build: Build
    stages: tuple[Stage, ...]
    boards: int = 6000
    shown: int = 128
    asked: int = 2
    worded: int = 256
    seed: int = 1
    warm_up: int = 200
    decay: float = 0.05

    @property
    def steps(self) -> int:
        return sum(stage.steps for stage in self.stages)

    def stage(self, step: int) -> tuple[Stage, float]:
        """Which stage a step belongs to, and its learning rate."""
        first = 0
        for stage in self.stages:
            if step < first + stage.steps:
                share = (step - first) / stage.steps
                rate = stage.rate + share * (stage.rate_after - stage.rate)
                return stage, rate * min(1.0, (step + 1) / self.warm_up)
            first += stage.steps
        raise IndexError(step)


AnyRecipe = TypeVar("AnyRecipe", bound=Recipe | SmallRecipe)


def shortened(recipe: AnyRecipe, share: float) -> AnyRecipe:
    """The recipe with this share of its steps, for a trial."""
    stages: Any = tuple(replace(stage, steps=max(1, round(share * stage.steps))) for stage in recipe.stages)
    return replace(recipe, stages=stages)


_LOOK = {"see": 0.4, "descriptive": 0.6, "words": 0.3, "fact": 0.6, "told": 0.1}
_USUAL = {"see": 0.05, "descriptive": 0.25, "standard": 0.3, "alias": 0.4, "words": 0.45, "fact": 0.5, "told": 0.05}
_BOTH = {**_USUAL, "standard": 0.2, "inverse": 0.2, "inverse words": 0.2, "inverse fact": 0.2}

TINY = Recipe(
    "tiny",
    Build(),
    (
        # On the rules alone it stays at chance: first it learns to see.
        Stage("seeing", 1000, _LOOK, 5e-4, 5e-4),
        # The usual rule in plain words, either rule in made-up ones: a habit grows, and what would break it is known.
        Stage("lifelike", 4000, _USUAL, 5e-4, 5e-4),
        Stage("fixated", 6000, _USUAL, 5e-4, 3e-5),
        # The plain inverse rule, shown for the first time.
        Stage("cured", 500, _BOTH, 1.5e-4, 2e-5),
    ),
)
RECIPES: dict[str, Recipe | SmallRecipe] = {recipe.name: recipe for recipe in (TINY, SMALL)}
