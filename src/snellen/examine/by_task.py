"""The trials of exams a task at a time: cut out of a table, or from a large store, of which never all are in memory."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from snellen.analysis.rows import JUDGE, unspared
from snellen.engine import Store
from snellen.examine.order import in_plan_order
from snellen.tasks import installed
from snellen.tasks.making import pool

if TYPE_CHECKING:
    from snellen.engine.compact import CompactTrials

LARGE = 50_000
"""A store of more trials is read a task at a time."""


class TrialsByTask(Protocol):
    """`tasks` in the order of the trials; `studied`: those asked as they are, not on rungs below alone, in the order of
    these trials; `is_large`: what is made of a task's rows is not to be kept."""

    tasks: list[str]
    studied: list[str]
    subjects: list[str]
    height: int
    is_large: bool

    def rows(self, task: str) -> pl.DataFrame: ...

    def all_rows(self) -> pl.DataFrame: ...

    def of(self, tasks: Collection[str]) -> "TrialsByTask":
        """Those of some tasks at least, to hand to another process; of a large store without `pictures`."""
        ...

    def judged(self) -> pl.DataFrame:
        """The rows of the tasks in which a judge gave marks, as far as a task's own rows tell; maybe of others, too."""
        ...

    def listed(self, most: int) -> pl.DataFrame:
        """Tidy rows for a page: if there are more than so many, those of every second, third ... item of each task."""
        ...


class TableByTask:
    """A table of trials, cut by task."""

    is_large = False

    def __init__(self, trials: pl.DataFrame) -> None:
        self._trials, self.height = trials, trials.height
        self.tasks: list[str] = trials["task"].unique(maintain_order=True).to_list()
        self.subjects: list[str] = trials["subject"].unique(maintain_order=True).to_list()
        self.studied: list[str] = unspared(trials)["task"].unique(maintain_order=True).to_list()

    def rows(self, task: str) -> pl.DataFrame:
        return self._trials.filter(pl.col("task") == task)

    def all_rows(self) -> pl.DataFrame:
        return self._trials

    def of(self, tasks: Collection[str]) -> "TableByTask":
        return self

    def judged(self) -> pl.DataFrame:
        return self._trials

    def listed(self, most: int) -> pl.DataFrame:
        step = -(-self.height // most)
        return self._trials if step < 2 else self._trials.filter(_every(step).over("task"))


class StoreByTask:
    """The trials of a store in the order of the plans behind them, without what no finding reads."""

    is_large = True

    def __init__(
        self,
        path: Path,
        trials: "CompactTrials",
        subjects: Sequence[str],
        fingerprints: Sequence[Mapping[str, Any]],
    ) -> None:
        self._path = path
        self._trials, self._asked, self._fingerprints = trials, subjects, fingerprints
        self.height = trials.height
        named = [*subjects, *(name for fingerprint in fingerprints for name in fingerprint.get("subjects", ()))]
        planned = [name for fingerprint in fingerprints for name in fingerprint.get("tasks", {})]
        asked = {task: [who for who in own if not subjects or who in subjects] for task, own in trials.tasks.items()}
        self._subjects = {task: sorted(own, key=named.index) for task, own in asked.items() if own}
        places = {task: (named.index(own[0]), planned.index(task)) for task, own in self._subjects.items()}
        self.tasks = sorted(places, key=lambda task: places[task])
        self.studied = self.tasks
        self.subjects = sorted(set().union(*self._subjects.values()), key=named.index)

    def rows(self, task: str) -> pl.DataFrame:
        in_order = partial(in_plan_order, subjects=self._asked, fingerprints=self._fingerprints)
        return self._trials.rows(task, self._subjects[task], in_order)

    def of(self, tasks: Collection[str]) -> "StoreByTask":
        some = copy(self)
        some._trials = self._trials.of(tasks)
        return some

    def judged(self) -> pl.DataFrame:
        rows = (self.rows(task) for task in self.tasks if JUDGE in self._trials.factors(task))
        return pl.concat([pl.DataFrame(), *rows], how="diagonal")

    def listed(self, most: int) -> pl.DataFrame:
        with Store.open(self._path, readonly=True) as store:
            return listed_rows(store, self._asked, self._fingerprints, self.listed_keys(most))

    def listed_keys(self, most: int) -> list[bytes]:
        """How the keys of the trials for a page begin."""
        step = -(-self.height // most)
        listed = (self._trials.named(task).filter(_of(self._asked)).filter(_every(step)) for task in self.tasks)
        return [place.to_bytes(8, "big") for own in listed for place in own["trial"]]

    def all_rows(self) -> pl.DataFrame:
        """The rows of all tasks if any of them is a repetition, has a confidence or varies a setting: nothing else is
        looked at over all tasks. An empty table otherwise."""
        return pl.concat(map(self.rows, self.tasks), how="diagonal") if self._trials.is_varied else pl.DataFrame()


def listed_rows(
    store: Store, subjects: Sequence[str], fingerprints: Sequence[Mapping[str, Any]], keys: Sequence[bytes]
) -> pl.DataFrame:
    """Tidy rows of the trials whose keys begin so."""
    in_order = partial(in_plan_order, subjects=subjects, fingerprints=fingerprints)
    return store.rows(_of(subjects), starts=keys, in_order=in_order)


def _of(subjects: Sequence[str]) -> pl.Expr:
    return pl.col("subject").is_in(subjects) if subjects else pl.lit(True)


def _every(step: int) -> pl.Expr:
    """Whether a trial's item is the first of its task's, by name, or one of every so many after it."""
    return (pl.col("item").cast(pl.String).rank("dense") - 1) % step == 0


def by_task(path: Path, subjects: Sequence[str], fingerprints: Sequence[Mapping[str, Any]]) -> StoreByTask | None:
    """The trials of a large store; None if the store is small, or if its findings need all trials at once: where tracks
    chose them, texts or thresholds are read, or names have stood for several models."""
    with Store.open(path, readonly=True) as store:
        if store.latest_trial()[0] <= LARGE or not all(map(_is_plain, fingerprints)):
            return None
        trials = store.compact(is_beside=pool.cores() > 1)
    named = {name for fingerprint in fingerprints for name in fingerprint.get("subjects", ())}
    planned = {name for fingerprint in fingerprints for name in fingerprint.get("tasks", {})}
    met = set().union(*trials.tasks.values())
    if met - named or set(trials.tasks) - planned or not all(map(_reads_little, trials.tasks)):
        return None
    return StoreByTask(path, trials, subjects, fingerprints)


def _is_plain(fingerprint: Mapping[str, Any]) -> bool:
    has_tracks = any(part.get("tracks") for part in fingerprint.get("tasks", {}).values())
    return not has_tracks and not fingerprint.get("trained_on")


def _reads_little(name: str) -> bool:
    task = installed(name)
    return task is None or (not task.measures and set(task.reads) <= {JUDGE})
