"""How *small* is built and what it learns when."""

from dataclasses import dataclass

from recipes.small.eye import Eye
from recipes.small.shares import CURED, FIXATED, LIFELIKE, SEEING, VISION
from recipes.stages import Stage


@dataclass(frozen=True, slots=True)
class SmallStage(Stage):
    """Its learning rate is `rate`, and falls in a line to `rate_after` over the last part of the steps."""

    falls: float = 0.0
    """Which part."""
    warm_up: int = 200
    helper: float = 0.0
    """How much it counts to say of each patch what is there."""
    speaks: bool = True

    def rate_at(self, step: int) -> float:
        """The learning rate after so many steps of this stage."""
        left = 1 - step / self.steps
        share = min(1.0, left / self.falls) if self.falls else 1.0
        return (self.rate_after + share * (self.rate - self.rate_after)) * min(1.0, (step + 1) / max(1, self.warm_up))


@dataclass(frozen=True, slots=True)
class SmallRecipe:
    """Each step has `rows` sheets, each in a row of `short` tokens; where calls are watched, besides `long_rows` rows
    of `long` tokens, with `pictures` pictures at most."""

    name: str
    build: Eye
    stages: tuple[SmallStage, ...]
    rows: int = 128
    short: int = 448
    long_rows: int = 24
    long: int = 768
    pictures: int = 96
    held_out: int = 4
    """Batches of sheets that are only ever asked about."""
    replies: int = 6144
    """Plain prompts the language model answers before it learns, to be kept up."""
    seed: int = 1
    decay: float = 0.05
    decay_of_words: float = 0.01

    @property
    def steps(self) -> int:
        return sum(stage.steps for stage in self.stages)

    def stage(self, step: int) -> tuple[SmallStage, float]:
        """Which stage a step belongs to, and its learning rate."""
        for stage in self.stages:
            if step < stage.steps:
                return stage, stage.rate_at(step)
            step -= stage.steps
        raise IndexError(step)

    def first(self, name: str) -> int:
        """The first step of a stage."""
        names = [stage.name for stage in self.stages]
        return sum(stage.steps for stage in self.stages[: names.index(name)])


_RATE, _LEAST = 6e-4, 2e-5

SMALL = SmallRecipe(
    "small",
    Eye(),
    (
        # What is where, patch by patch: an eye that sees nothing teaches a language model nothing.
        SmallStage("vision", 460, VISION, _RATE, _RATE, helper=1.0, speaks=False),
        SmallStage("seeing", 320, SEEING, _RATE, _RATE, helper=1.0),
        # The usual rule in plain words, either rule in made-up ones, and calls watched in exams: a habit grows, and
        # what would break it is known.
        SmallStage("lifelike", 1000, LIFELIKE, _RATE, _RATE, helper=0.3),
        SmallStage("fixated", 2700, FIXATED, _RATE, _LEAST, falls=0.5, helper=0.3),
        # The plain inverse rule, shown for the first time.
        SmallStage("cured", 125, CURED, _RATE / 2, _LEAST, falls=0.5, warm_up=30, helper=0.1),
    ),
)
