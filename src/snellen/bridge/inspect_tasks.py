"""Our tasks for Inspect AI: `inspect eval snellen/fixation --model openai/gpt-4o`.

Inspect finds this module through the entry point group `inspect_ai`. Samples are the very stimuli of
`snellen exam` with the direct paradigm, and answers are marked by the same reader, so both roads lead to the
same trials; `snellen import-inspect LOG` brings the log home for paired statistics and the diagnosis.

Two scorers stand side by side. `right` gives C, I or, for an unread answer, N, which counts as not right;
`unread` is the share of answers that could not be read. Standard errors are clustered on the item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import inspect_ai
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Score,
    Scorer,
    Target,
    accuracy,
    grouped,
    mean,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate

from snellen.answer import Verdict, mark
from snellen.bridge.samples import CLUSTER, CONTRAST, from_metadata, sample_id, to_metadata
from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.prompts import Pack, load
from snellen.subjects.inspect import contents, finish_of
from snellen.tasks import Task
from snellen.tasks import task as find_task

_VALUES = {"right": CORRECT, "wrong": INCORRECT, "unread": NOANSWER}


def inspect_task(name: str) -> Callable[..., inspect_ai.Task]:
    """Register our task of that name with Inspect, as `snellen/NAME`.

    Its parameters (`-T name=value`) are those of `snellen exam`: design, n, seed, prompts, and any factor
    with the level or levels to ask (`-T rule=standard,inverse`). `by` is the factor by whose levels scores
    are grouped; unless named, the task's first one that varies within items.
    """

    def make(
        design: str | None = None,
        n: int | None = None,
        seed: int = 0,
        prompts: str | None = None,
        by: str | None = None,
        **kwargs: str | Sequence[str],
    ) -> inspect_ai.Task:
        levels = {factor: _words(chosen) for factor, chosen in kwargs.items()}
        try:
            if n is not None and n < 1:
                raise UserError(f"n={n}: expected at least 1 base item")
            ours = find_task(name)
            plan = ours.changed(ours.design_ahead(design), levels)
            pack = load(Path(prompts) if prompts else ours.prompts, name)
            contrast = ours.factor(by).name if by else _first_contrast(ours)
            stimuli = ours.stimuli(plan, n or plan.n, seed, pack)
            samples = [_sample(stimulus, pack if prompts else None, contrast) for stimulus in stimuli]
        except UserError as error:
            raise PrerequisiteError(f"snellen: {error}") from None
        return inspect_ai.Task(
            dataset=MemoryDataset(samples, name=f"snellen/{name}"),
            solver=generate(),
            scorer=[right(), unread()],
            config=GenerateConfig(temperature=0.0),
        )

    make.__name__ = make.__qualname__ = name
    return inspect_ai.task(name=name)(make)


def _words(chosen: str | Sequence[str]) -> tuple[str, ...]:
    """Levels as Inspect hands them over: one word, words with commas, or a list."""
    return tuple(chosen.split(",")) if isinstance(chosen, str) else tuple(map(str, chosen))


def _first_contrast(task: Task) -> str:
    """The task's first factor that is varied within items; nothing if there is none."""
    return next((factor.name for factor in task.factors if not factor.of_item), "")


def _sample(stimulus: Stimulus, pack: Pack | None, by: str) -> Sample:
    return Sample(
        id=sample_id(stimulus),
        input=[ChatMessageUser(content=contents((*stimulus.demonstrations, *stimulus.parts)))],
        target=stimulus.question.key,
        metadata=to_metadata(stimulus, pack.digest if pack else "", by),
    )


@scorer(metrics=[accuracy(), stderr(cluster=CLUSTER), grouped(accuracy(), CONTRAST, all=False)])
def right() -> Scorer:
    """C for a right answer, I for a wrong one, N for one that could not be read."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = _mark(state)
        return Score(
            value=_VALUES[verdict.outcome],
            answer=verdict.reading.answer,
            explanation=_explain(verdict, target.text),
            metadata={
                "outcome": verdict.outcome,
                "reason": verdict.reading.reason,
                "mechanism": verdict.mechanism,
                "how": verdict.reading.how,
            },
        )

    return score


@scorer(metrics=[mean(), grouped(mean(), CONTRAST, all=False)])
def unread() -> Scorer:
    """1 for an answer that could not be read, 0 for one that could."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = _mark(state)
        return Score(value=int(verdict.outcome == "unread"), explanation=verdict.reading.reason)

    return score


def _mark(state: TaskState) -> Verdict:
    record = from_metadata(state.metadata)
    if record is None:
        raise PrerequisiteError(f"snellen: sample {state.sample_id!r} is not of a task of ours; score it with another")
    finish = finish_of(state.output.stop_reason) if state.output.choices else "stop"
    return mark(state.output.completion, record.question, finish)


def _explain(verdict: Verdict, key: str) -> str:
    """The verdict in a sentence."""
    reading = verdict.reading
    if verdict.outcome == "unread":
        return f"unread: {reading.reason}"
    words = f"read {reading.answer!r} ({reading.how})"
    if verdict.outcome == "right":
        return words
    betrays = f"; this answer betrays: {verdict.mechanism}" if verdict.mechanism else ""
    return f"{words}; the key is {key!r}{betrays}"


fixation = inspect_task("fixation")
bongard = inspect_task("bongard")
winoground = inspect_task("winoground")
marvel = inspect_task("marvel")
capacity = inspect_task("capacity")
bias = inspect_task("bias")
acuity = inspect_task("acuity")
