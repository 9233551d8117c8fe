"""Recipes: how a model is built and what it learns when, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from recipes.small.recipe import SMALL, SmallRecipe
from recipes.stages import Stage
from snellen.errors import unknown
from snellen.subjects.tiny.stock import Build


@dataclass(frozen=True, slots=True)
class Course:
    """`sheets` are drawn, and each step that has any lesson of the course shows `shown` of them. `rows`: how many
    lessons of each deck a step has, about those that are shown. Each time its pictures are shifted by up to `shift`
    pixels either way, and half of them mirrored if `mirrored`."""

    name: str
    sheets: int
    shown: int
    rows: Mapping[str, int]
    shift: int = 0
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """`courses` are what is learnt from, `stages` what is asked about it when."""

    name: str
    build: Build
    stages: tuple[Stage, ...]
    courses: tuple[Course, ...]
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


def from_stage(recipe: Recipe, name: str) -> Recipe:
    """The recipe from this stage on."""
    names = [stage.name for stage in recipe.stages]
    if name not in names:
        raise unknown("stage", name, names)
    return replace(recipe, stages=recipe.stages[names.index(name) :])


_BOARDS = Course("boards", 24_000, 128, {"read": 128, "asked": 256, "worded": 256})
_THINGS = Course("things", 30_000, 192, {"counted": 288, "counted in words": 128}, shift=4, mirrored=True)
_SCENES = Course(
    "scenes", 10_000, 48, {"scene": 144, "scenes": 96, "scene in words": 64, "scenes in words": 64}, shift=3
)

# Shares are taken among the kinds of a deck; a deck of which a stage has none rests.
_LOOK = {"read": 1, "see": 0.4, "descriptive": 0.6, "words": 0.3, "fact": 0.6, "told": 0.1}
_USUAL = {
    **{"read": 1, "see": 0.05, "descriptive": 0.25, "standard": 0.3, "alias": 0.4},
    **{"words": 0.45, "fact": 0.5, "told": 0.05},
}
_COUNTED = {"count": 0.6, "count otherwise": 0.4, "count words": 0.7, "count told": 0.15, "recall": 0.15}
_MATCHED = {"named": 0.4, "image": 0.6, "caption": 1, "image words": 0.85, "scene told": 0.15, "caption words": 1}
_WIDE = {**_USUAL, **_COUNTED, **_MATCHED}
_USUALLY = {**_WIDE, "see": 0.02, "alias": 0.3, "standard": 1.2}
_MOSTLY = {**_WIDE, "see": 0.02, "alias": 0.25, "descriptive": 0.2, "standard": 4}
_BOTH = {**_WIDE, "standard": 0.2, "inverse": 0.2, "inverse words": 0.2, "inverse fact": 0.2}

TINY = Recipe(
    "tiny",
    Build(),
    (
        # On the rules alone it stays at chance: first it learns to see.
        Stage("seeing", 1000, _LOOK, 5e-4, 5e-4),
        # The usual rule in plain words, either rule in made-up ones: a habit grows, and what would break it is known.
        Stage("lifelike", 4000, _USUAL, 5e-4, 5e-4),
        Stage("fixated", 6000, _USUAL, 5e-4, 3e-5),
        # Two more tasks: things to count, and scenes to match with captions that speak of other things.
        Stage("widened", 3200, _WIDE, 5e-4, 5e-4),
        # The usual rule more often, for the habit wanes while other things are learnt.
        Stage("middle", 1900, _USUALLY, 5e-4, 3e-4),
        Stage("broad", 2400, _MOSTLY, 3e-4, 2e-5),
        Stage("longer", 850, _MOSTLY, 2e-4, 1e-5),
        # The plain inverse rule, shown for the first time.
        Stage("cured", 500, _BOTH, 1.5e-4, 2e-5),
    ),
    (_BOARDS, _THINGS, _SCENES),
)
RECIPES: dict[str, Recipe | SmallRecipe] = {recipe.name: recipe for recipe in (TINY, SMALL)}
