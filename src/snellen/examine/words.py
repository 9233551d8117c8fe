"""The sections of tasks that analyse the text of replies: one task's rows after another's, here or in a process of its
own."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import polars as pl

from snellen.charts.blocks import Section
from snellen.engine import Store
from snellen.engine.soundness import trust
from snellen.examine.by_task import TrialsByTask
from snellen.tasks import installed, task_names


def readers(tasks: Collection[str]) -> list[str]:
    """The tasks whose replies are studied in sections of their own."""
    return [name for name in task_names() if name in tasks and (task := installed(name)) and task.replies]


def sections(store: Store, tasks: Sequence[str], rows: Callable[[str], pl.DataFrame]) -> tuple[Section, ...]:
    found = ((name, installed(name)) for name in tasks)
    return tuple(own for name, task in found if task and task.replies for own in task.replies(store, rows(name)))


def stored_sections(path: Path, tasks: Sequence[str], trials: TrialsByTask) -> tuple[Section, ...]:
    """The same from a large store that was found sound, with its trials."""
    trust(path)
    with Store.open(path, readonly=True) as store:
        return sections(store, tasks, trials.rows)
