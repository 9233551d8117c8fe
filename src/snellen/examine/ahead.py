"""The trials of an exam before anybody answers: for whoever is asked elsewhere.

`inspect eval` and `snellen make` hold the very trials that `snellen exam` would hold by the same choices, rungs of the
ladder and all. What a paradigm asks in one call is written down with `asked_once`: the words and pictures of that call
as a stimulus that names its paradigm. A paradigm of several calls, whose later ones hold the replies to earlier ones,
cannot be written down; it has to be run.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Unpack

from snellen.call import CallFailed, Message, Reply
from snellen.engine.event_loop import run_to_end
from snellen.errors import UserError
from snellen.examine.options import ExamOptions
from snellen.examine.plan import ExamPlan
from snellen.examine.planning import make_plan
from snellen.examine.task_plans import TaskPlan
from snellen.examine.trial import TrialJob, put_by
from snellen.examine.trial_queue import jobs_of
from snellen.item import Form, Picture, Stimulus
from snellen.paradigms import MAIN_ROLE, PARADIGMS
from snellen.tasks import PARADIGM
from snellen.tasks import task as find_task
from snellen.tasks.making import make_items


def elsewhere(parts: Sequence[Any]) -> str:
    """Stands in a plan for whoever is asked elsewhere."""
    raise CallFailed("rejected", "this trial is run by another tool", fatal=True)


def plan_ahead(task: str, *, rungs: bool = True, limit: int | None = None, **choices: Unpack[ExamOptions]) -> ExamPlan:
    """The plan of an exam of one task that is held elsewhere, by the choices of `snellen exam`. Without a design it is
    the task's first one whose trials do not depend on answers. `rungs`: with those below the task itself; `limit`:
    how many base items at most, where a set may have fewer."""
    if not choices.get("data"):
        named = choices.get("design")
        choices = {**choices, "design": find_task(task).design_ahead(named if isinstance(named, str) else None).name}
    choices["tasks"] = task
    plan = make_plan(elsewhere, **choices)
    return replace(plan, parts=tuple(_cut(part, rungs, limit) for part in plan.parts))


def _cut(part: TaskPlan, rungs: bool, most: int | None) -> TaskPlan:
    """The part with no more items than that, and without rungs if they are not wanted."""
    order = replace(part.order, n=min(part.order.n, most)) if most else part.order
    if rungs:
        return replace(part, order=order)
    ways = tuple(way for way in part.ways if way.paradigm.name in part.chosen)
    blocks = tuple(block for block in order.design.blocks if PARADIGM not in block)
    return replace(part, ways=ways, order=replace(order, design=replace(order.design, blocks=blocks)))


def trials_ahead(
    plan: ExamPlan, impossible: list[str], *, processes: int | None = None, probed: bool = False
) -> Iterator[tuple[TrialJob, Stimulus | None]]:
    """Every trial of the plan, with what it asks if that is one call. Why a trial cannot be held is added to
    `impossible`. Items are made in so many processes, one a core if not given; `probed`: with all probes there are."""
    for part in plan.parts:
        for made in make_items(replace(part.order, probed=probed), processes):
            for job in jobs_of(plan, part, made):
                try:
                    yield job, asked_once(job)
                except CallFailed as failure:
                    impossible.append(str(failure))


def written_ahead(plan: ExamPlan, impossible: list[str], processes: int | None = None) -> Iterator[Stimulus]:
    """Every trial of the plan as a stimulus of what it asks, with all probes; an error if one takes several calls."""
    for job, once in trials_ahead(plan, impossible, processes=processes, probed=True):
        if once is None:
            name = job.trial.way.paradigm.name
            raise UserError(
                f"--paradigm {name}: its later calls contain replies to earlier ones, so it cannot be exported; use"
                f" `snellen exam --paradigm {name}` or `inspect eval -T paradigm={name}`"
            )
        yield once


def asked_once(job: TrialJob) -> Stimulus | None:
    """The trial as a stimulus of exactly what its only call shows; None if its paradigm takes several calls. Raises
    CallFailed where the trial cannot be held, such as one in exact words of a picture that has none."""
    paradigm = job.trial.way.paradigm
    if paradigm.roles != (MAIN_ROLE,):
        return None
    calls: list[tuple[Sequence[Message], tuple[str | Picture, ...]]] = []

    async def ask(
        role: str, *parts: str | Picture, after: Sequence[Message] = (), form: Form | None = None, **settings: Any
    ) -> Reply:
        calls.append((after, parts))
        return Reply("")

    putting = put_by(paradigm, job.stimulus, ask, job.say)
    try:
        if PARADIGMS.get(paradigm.name) is paradigm:
            with suppress(StopIteration):  # ours wait for nothing but `ask`: a loop would take ten times longer
                putting.send(None)
        else:
            run_to_end(putting)
    except UserError:
        if len(calls) < 2:  # somebody's own steps may stumble over a reply that says nothing
            raise
    if len(calls) != 1 or calls[0][0]:
        return None
    shown = replace(job.stimulus, scripts={}, paradigm=paradigm.name)
    parts = calls[0][1]
    return shown if parts == shown.shown else replace(shown, parts=parts, demonstrations=())
