"""What a test teaches fakes before an exam, from the generator's truth: which picture shows what, what is right.

Everything is keyed by what a fake is sent: the digest of a picture, or exact words.
"""

from collections.abc import Iterator, Mapping

import snellen
from fakes.server import Part
from fakes.sorters import Teaching
from snellen.item import Stimulus
from snellen.prompts import load


def stimuli(task: str, n: int, levels: Mapping[str, tuple[str, ...]] | None = None) -> Iterator[Stimulus]:
    """What an exam of this size shows when it asks a task as it is (seed 0)."""
    known = snellen.task(task)
    design = known.changed(known.design(), levels or {})
    return known.stimuli(design, n, 0, load(known.prompts, task))


def parts(stimulus: Stimulus) -> list[Part]:
    """The stimulus as a model gets it."""
    return [part if isinstance(part, str) else part.data for part in stimulus.parts]


def retinas(shown: Iterator[Stimulus]) -> dict[str, str]:
    """Exact words by the digest of a picture; where pictures have none of their own, the item's."""
    return {p.digest: p.twin or stimulus.twin for stimulus in shown for p in stimulus.pictures}


def keys(shown: Iterator[Stimulus]) -> dict[str, str]:
    """What is right, by exact words."""
    return {stimulus.twin: stimulus.question.key for stimulus in shown}


def bongard(shown: Iterator[Stimulus]) -> tuple[dict[str, str], Teaching]:
    """Words by digest, and which pictures fit which rule."""
    words: dict[str, str] = {}
    fits: dict[tuple[str, str], bool] = {}
    rules: dict[str, str] = {}
    for stimulus in shown:
        rule = " ".join(stimulus.item.truth["concept"].split())
        *examples, query = stimulus.pictures
        words.update((picture.digest, picture.twin) for picture in stimulus.pictures)
        fits[rule, query.twin] = stimulus.condition["query"] == "positive"
        rules.update((picture.twin, rule) for picture in examples[: len(examples) // 2])
    return words, Teaching(fits, rules)
