"""Our tasks for Inspect AI: `inspect eval snellen/TASK --model openai/gpt-4o`.

Inspect finds this module through the entry point group `inspect_ai`. Samples are the very trials of `snellen exam` with
the same choices, rungs of the ladder and all, and answers are marked by the same reader, so both roads lead to the same
diagnosis; `snellen import inspect LOG` brings the log home for it. What a paradigm asks in one call is the sample's
input; a paradigm of several calls is run by the solver, with Inspect's model roles for its own (`--model-role
describer=...`).

Two scorers stand side by side. `right` gives C, I or, for an unread answer, N, which counts as not right; `unread` is
the share of answers that could not be read. Both are of the task as it is; rungs have groups of their own. Standard
errors are clustered on the item.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import inspect_ai
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Metric,
    MetricProtocol,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    grouped,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from snellen.answer import Verdict, mark
from snellen.bridge.samples import CLUSTER, CONTRAST, RECORD, RUNG, from_metadata, sample_id, to_header, to_metadata
from snellen.call import Message, Reply
from snellen.errors import UserError
from snellen.examine.ahead import plan_ahead, trials_ahead
from snellen.examine.plan import ExamPlan
from snellen.examine.trial import TrialJob, put_by
from snellen.item import Form, Picture
from snellen.subjects.inspect import chat, contents, finish_of, reply_of
from snellen.tasks import task_names

_VALUES = {"right": CORRECT, "wrong": INCORRECT, "unread": NOANSWER}
_DECODING = GenerateConfig(temperature=0.0)
_MOST_NOTES = 8
_log = logging.getLogger(__name__)

Levels = str | Sequence[str]


def inspect_task(name: str) -> Callable[..., inspect_ai.Task]:
    """Register our task of that name with Inspect, as `snellen/NAME`.

    Its parameters (`-T name=value`) are those of `snellen exam`: design, n, seed, prompts, paradigm, data, and any
    factor with the level or levels to ask (`-T rule=standard,inverse`). `by` is the factor by whose levels scores are
    grouped; unless named, the task's first one that varies within items.
    """

    def make(
        design: str | None = None,
        n: int | None = None,
        seed: int = 0,
        prompts: str | None = None,
        paradigm: Levels | None = None,
        data: str | None = None,
        by: str | None = None,
        **kwargs: Levels,
    ) -> inspect_ai.Task:
        try:
            plan = plan_ahead(
                name,
                design=design,
                n=n,
                seed=seed,
                prompts=prompts,
                paradigms=paradigm,
                data={name: data} if data else {},
                levels={factor: _words(chosen) for factor, chosen in kwargs.items()},
            )
            return _task(plan, by)
        except UserError as error:
            raise PrerequisiteError(f"snellen: {error}") from None

    make.__name__ = make.__qualname__ = name
    return inspect_ai.task(name=name)(make)


def _words(chosen: Levels) -> tuple[str, ...]:
    """Levels as Inspect hands them over: one word, words with commas, or a list."""
    return tuple(chosen.split(",")) if isinstance(chosen, str) else tuple(map(str, chosen))


def _task(plan: ExamPlan, by: str | None) -> inspect_ai.Task:
    """The trials of a plan as Inspect's task, with what the plan says of itself in its metadata."""
    [part] = plan.parts
    for note in part.notes[:_MOST_NOTES]:
        _log.warning("snellen: %s", note)
    varied = (factor.name for factor in part.task.factors if not factor.of_item)
    contrast = part.task.factor(by).name if by else next(varied, "")
    samples: list[Sample] = []
    in_steps: dict[str, TrialJob] = {}
    impossible: list[str] = []
    for job, once in trials_ahead(plan, impossible):
        if once is None:
            in_steps[sample_id(job)] = job
        samples.append(
            Sample(
                id=sample_id(job),
                input=[ChatMessageUser(content=contents((once or job.stimulus).shown))],
                target=job.stimulus.question.key,
                metadata=to_metadata(job, contrast),
            )
        )
    if impossible:
        _log.warning("snellen: %d trials are left out, the first because %s", len(impossible), impossible[0])
    return inspect_ai.Task(
        dataset=MemoryDataset(samples, name=f"snellen/{part.task.name}"),
        solver=_put(in_steps),
        scorer=[right(), unread()],
        config=_DECODING,
        metadata={RECORD: to_header(plan, in_steps.values())},
    )


def _put(in_steps: Mapping[str, TrialJob]) -> Solver:
    """The solver: one call of what the sample shows, or the steps of the paradigm for samples that take several."""

    @solver(name="put")
    def put() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            job = in_steps.get(str(state.sample_id))
            return await generate(state) if job is None else await _hold(job, state)

        return solve

    return put()


async def _hold(job: TrialJob, state: TaskState) -> TaskState:
    """Hold a trial whose paradigm takes several calls. The conversation that brought the answer is the sample's; the
    calls before it are in the transcript."""
    paradigm = job.trial.way.paradigm

    async def ask(
        role: str, *parts: str | Picture, after: Sequence[Message] = (), form: Form | None = None, **settings: Any
    ) -> Reply:
        model = get_model(role=role)
        messages = chat((*after, Message("user", parts)))
        output = await model.generate(messages, config=_config(model, settings))
        if role == paradigm.roles[-1]:
            state.messages, state.output = [*messages, output.message], output
        return reply_of(output)

    await put_by(paradigm, job.stimulus, ask, job.say)
    return state


def _config(model: Model, settings: Mapping[str, Any]) -> GenerateConfig:
    """What a call sets beside the model's own settings. A model that only plays a role is not given the task's."""
    chosen = GenerateConfig(**settings)
    return chosen if model.role is None else _DECODING.merge(model.config).merge(chosen)


def _of_the_task(whole: Metric) -> Metric:
    """The metric over the samples of the task as it is, without the rungs below it."""
    compute_whole = cast(MetricProtocol, whole)

    def compute(scores: list[SampleScore]) -> Value:
        return compute_whole([score for score in scores if not (score.sample_metadata or {}).get(RUNG)])

    return compute


@metric(name="accuracy")
def task_accuracy() -> Metric:
    return _of_the_task(accuracy())


@metric(name="stderr")
def task_stderr() -> Metric:
    return _of_the_task(stderr(cluster=CLUSTER))


@metric(name="mean")
def task_mean() -> Metric:
    return _of_the_task(mean())


@scorer(metrics=[task_accuracy(), task_stderr(), grouped(accuracy(), CONTRAST, all=False)])
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


@scorer(metrics=[task_mean(), grouped(mean(), CONTRAST, all=False)])
def unread() -> Scorer:
    """1 for an answer that could not be read, 0 for one that could."""

    async def score(state: TaskState, target: Target) -> Score:
        verdict = _mark(state)
        return Score(value=int(verdict.outcome == "unread"), explanation=verdict.reading.reason)

    return score


def _mark(state: TaskState) -> Verdict:
    record = from_metadata(state.metadata)
    if record is None:
        raise PrerequisiteError(
            f"snellen: sample {state.sample_id!r} does not belong to a Snellen task; use another scorer"
        )
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
    betrays = f"; mechanism: {verdict.mechanism}" if verdict.mechanism else ""
    return f"{words}; the key is {key!r}{betrays}"


globals().update({name: inspect_task(name) for name in task_names()})
