"""Comparing two subjects until it is known which is better: plan it, run it, say what was found."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.defaults import DEFAULT_STORE
from snellen.errors import UserError
from snellen.examine.options import ALL_TASKS, ExamOptions, several
from snellen.examine.planning import make_plan, usual_task
from snellen.examine.run import run_plan
from snellen.examine.task_comparison import TaskComparison
from snellen.sequential import COMPARED
from snellen.tasks import task as find_task
from snellen.tasks import task_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from snellen.engine import RunProgress
    from snellen.examine.plan import ExamPlan
    from snellen.examine.result import Exam


@dataclass(frozen=True)
class UntilSureComparison:
    """Two subjects compared until it was known which is better. `tasks`: what was found on each; `exam`: the trials."""

    exam: "Exam"
    tasks: tuple[TaskComparison, ...]

    @property
    def lines(self) -> list[str]:
        """A line for each task."""
        return [found.line for found in self.tasks]

    @cached_property
    def warning(self) -> str:
        """That replies of the two are not read alike, if so: an unread reply is not right."""
        from snellen.analysis.comparing import unread_apart

        if not any(found.result.items for found in self.tasks):
            return ""
        return unread_apart(self.exam.rows, self.tasks[0].first, self.tasks[0].second)

    def to_json(self) -> dict[str, Any]:
        """The findings in JSON types."""
        return {"comparisons": [found.to_json() for found in self.tasks], "warning": self.warning}

    def __repr__(self) -> str:
        return "\n".join([*self.lines, *filter(None, [self.warning])])


def plan_comparison(first: Any, second: Any, **choices: Any) -> "ExamPlan":
    """The plan of comparing two subjects, by the choices of an exam. Of all tasks, those without a ladder to compare on
    are left out."""
    wanted = choices.get("tasks") or usual_task(None)
    if ALL_TASKS in several(wanted):
        wanted = [name for name in task_names() if not find_task(name).design(None).tracks]
    options: ExamOptions = {**choices, "tasks": wanted, "until": "compared"}  # type: ignore[typeddict-item]
    plan = make_plan([first, second], **options)
    both = {own.put.part for own in plan.subject_tracks}
    if lacking := [part.task.name for part in plan.parts if part not in both]:
        raise UserError(f"--until-sure: not both subjects can be asked {', '.join(lacking)}; choose other --tasks")
    return plan


def run_comparison(
    plan: "ExamPlan",
    store: str | Path,
    *,
    concurrency: int | None = None,
    watch: "Callable[[RunProgress], None] | None" = None,
) -> UntilSureComparison:
    """Ask what the plan asks; what was interrupted or failed is taken up by the next run with the same store."""
    result = run_plan(plan, store, concurrency=concurrency, watch=watch)
    recorded = result.fingerprints[-1][COMPARED]
    return UntilSureComparison(result, tuple(map(TaskComparison.from_json, recorded)))


def compare_until_sure(
    first: Any,
    second: Any,
    *,
    tasks: Any = None,
    margin: float = 0.1,
    most: int | None = None,
    seed: int = 0,
    store: str | Path = DEFAULT_STORE,
    concurrency: int | None = None,
) -> UntilSureComparison:
    """Ask two subjects the same new items until one is shown better on each task, or both equivalent.

    `first`, `second`: subjects in any form that `snellen.exam` takes. `tasks`: names or `Task` objects, each compared
    by itself. `margin`: a smaller difference, as a share of the answers, does not matter; an unread reply is not right.
    `most`: the most calls to each subject, divided equally among the tasks; about twice those of a fixed comparison if
    not given. `seed`: of the items. `store`: the file that keeps every call and trial. `concurrency`: the most calls at
    once.

    Returns an `UntilSureComparison`, by task with the difference and its confidence sequence; the chance that one of
    two equal subjects is ever called better on a task is at most 5 %. Raises `UserError` for whatever the user can
    mend.

    >>> snellen.compare_until_sure("sim/ideal", "sim/fixated", store="two.sqlite").lines  # doctest: +SKIP
    """
    plan = plan_comparison(first, second, tasks=tasks, margin=margin, most=most, seed=seed)
    return run_comparison(plan, store, concurrency=concurrency)
