"""The shortcut audit: can an observer who does not do the task tell the answer?

Each observer goes by one thing: the parity of the pieces, one cell, the words of the question, of the twin or of the
options, how they are written, the size, the light, one pixel or one colour of the picture, what its file says beside
the pixels, the item's id, its place among the others, or nothing at all (`observer` has the shape of all of them). It
learns what goes with which answer (`guessing`, `learning`, `choosing`) and is tested on items it has not seen. Items
under different conditions are different groups: the same board has another key under another rule. `judging` says what
is more than chance, and what would have been found. Rows that come twice are named as such (`duplicates`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

from snellen.errors import UserError
from snellen.item import Picture, Stimulus
from snellen.ladder import SPARING
from snellen.prompts import Pack, load
from snellen.tasks import Design, Levels, Task, task, task_names
from snellen.tasks.audit.choices import NOT_OFFERED, placed
from snellen.tasks.audit.duplicates import clustered, copies_among, described
from snellen.tasks.audit.foreign import foreign, is_made
from snellen.tasks.audit.judging import ALPHA, judged
from snellen.tasks.audit.looking import Sight, sight
from snellen.tasks.audit.observer import Observation
from snellen.tasks.audit.observing import Due, Observe, nothing_due, observations
from snellen.tasks.audit.report import AuditReport, AuditRow, CopiedRow
from snellen.tasks.audit.staging import AuditWatch, Interim, staged, untold, unwatched
from snellen.tasks.audit.table import audited
from snellen.tasks.export import read_items
from snellen.tasks.making import ItemRequest, Origin

__all__ = [
    "AuditReport",
    "AuditRow",
    "CopiedRow",
    "Observation",
    "audit",
    "audit_folder",
    "audit_items",
    "audit_order",
    "audit_rows",
    "audit_task",
]

T = TypeVar("T")


def audit_order(
    family: Task,
    chosen: Levels,
    n: int,
    seed: int,
    pack: Pack | None = None,
    origin: Origin | None = None,
    *,
    pictured: bool = True,
) -> ItemRequest:
    """What an audit of a task looks at: its default condition, or the levels chosen instead, in its own words or those
    of a pack. `origin`: how worker processes find the task; without it everything is made in this process. `pictured`:
    also at pictures; without, at truths and texts alone, and a task that can (`Task.unpictured`) draws nothing."""
    levels = {**family.item_levels(family.design()), **{f.name: f.levels for f in family.factors if f.pooled}}
    plain = family.changed(Design("audit", "", n, (levels,)), chosen)
    words = pack or load(family.prompts, family.name)
    return ItemRequest(family, plain, n, seed, words, origin, pictured=pictured)


def audit_task(family: Task, chosen: Levels, n: int, seed: int, pack: Pack | None = None) -> AuditReport:
    """Audit n items of a task; see `audit_order`."""
    return audit_items(audit_order(family, chosen, n, seed, pack))


def audit_items(order: ItemRequest, watch: AuditWatch = unwatched, tell: Callable[[str], None] = untold) -> AuditReport:
    """Audit the items of an order; `tell` is given interim reports if that takes long."""
    family = order.task

    def rows(stimuli: Iterable[Stimulus]) -> Iterator[Observation]:
        return observations(stimuli, family.observe, family.audited_by(), family.due, by_item=family.audits_items)

    seen = staged(order, rows, Interim(audit_rows, tell), watch)
    if order.pictured:
        return _with_duplicates(seen)
    # Without its pictures, an item may read like another.
    return replace(audit_rows(seen), left_out="not audited: pictures, and rows that come twice (--no-pictures)")


def audit_folder(place: Path, key: str = "", watch: AuditWatch = unwatched) -> AuditReport:
    """Audit a data set as it lies on disk: made by `snellen make`, or by others (`key`: the column of answers)."""
    if key or not is_made(place):
        observed = placed(list(watch(foreign(place, key), None, "reading")))
        copies = copies_among(observed)
        odd = [row.item for row in observed if row.group == NOT_OFFERED]
        report = replace(audit_rows(clustered(observed, copies)), duplicates=described(observed, copies))
        return replace(report, left_out=_not_offered(odd, len(observed)) if odd else "")
    # Rungs give the answer away on purpose: only the task itself is looked at.
    stimuli = (stimulus for stimulus in read_items(place) if stimulus.paradigm not in SPARING)
    first = next(stimuli, None)
    if first is None:
        raise UserError(f"folder {place}: contains only rungs of a ladder, not the task itself; make it again")
    own = task(first.item.task) if first.item.task in task_names() else None
    by, by_item = (own.audited_by(), own.audits_items) if own else (None, False)
    everything = chain([first], stimuli)
    rows = observations(everything, _stored(_observe_of), by, _stored(_due_of), by_item=by_item)
    return _with_duplicates(watch(rows, None, "reading"))


def _not_offered(items: Sequence[str], total: int) -> str:
    few = ", ".join(items[:5]) + (", ..." if len(items) > 5 else "")
    return f"{len(items)} of {total} rows have a key that is not among their options and are audited separately: {few}"


def _stored(of_task: Callable[[str], Callable[[Stimulus], Mapping[str, T]]]) -> Callable[[Stimulus], Mapping[str, T]]:
    """What the item's own task says of a stimulus that was read; nothing if the task is not known here."""

    def told(stimulus: Stimulus) -> Mapping[str, T]:
        item = stimulus.item
        # Only tasks that are installed: a name in a data set must never become a file to run.
        if item.task not in task_names():
            return {}
        try:
            return of_task(item.task)(stimulus)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise UserError(f"item {item.id}: its truth does not fit its task ({reason}); make it again") from None

    return told


@cache
def _observe_of(name: str) -> Observe:
    return task(name).observe


@cache
def _due_of(name: str) -> Due:
    return task(name).due


def audit(
    stimuli: Iterable[Stimulus], observe: Observe, by: frozenset[str] | None = None, due: Due = nothing_due
) -> AuditReport:
    """Audit stimuli with the features their task gives and those every task has, apart by these factors (or all)."""
    return _with_duplicates(observations(stimuli, observe, by, due))


def _with_duplicates(rows: Iterable[Observation]) -> AuditReport:
    """Audit rows that are shown to a model as they are, and name those that come twice."""
    seen = list(rows)
    return replace(audit_rows(seen), duplicates=described(seen, copies_among(seen)))


def audit_rows(rows: Iterable[Observation], *, alpha: float = ALPHA) -> AuditReport:
    """Audit plain rows, whatever they come from, by observers alone."""
    groups: dict[str, list[Observation]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    sights: dict[str, Sight] = {}

    def look(picture: Picture) -> Sight:
        if picture.digest not in sights:
            sights[picture.digest] = sight(picture)
        return sights[picture.digest]

    from threadpoolctl import threadpool_limits  # here, for whoever lists the tasks needs none of it

    with threadpool_limits(1, "blas"):  # its matrices are small: threads would wait for one another
        rated = [row for group, members in groups.items() for row in audited(group, members, look)]
    return AuditReport(judged(rated, alpha))
