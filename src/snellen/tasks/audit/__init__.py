"""The shortcut audit: can an observer who does not do the task tell the answer?

Each observer goes by one thing: the parity of the pieces, one cell, the words of the question, the size, the light or
one pixel of the picture, what its file says beside the pixels, the item's id, its place among the others, or nothing at
all. It learns what goes with which answer (`guessing`, `learning`) and is tested on items it has not seen. Items under
different conditions are different groups: the same board has another key under another rule. `judging` says what is
more than chance, and what would have been found.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Picture, Stimulus
from snellen.prompts import Pack, load
from snellen.tasks import Design, Levels, Task, task, task_names
from snellen.tasks.audit.guessing import Feature
from snellen.tasks.audit.judging import ALPHA, judged
from snellen.tasks.audit.looking import Sight, sight
from snellen.tasks.audit.observing import Observation, Observe, observations
from snellen.tasks.audit.report import AuditReport, AuditRow
from snellen.tasks.audit.table import Table
from snellen.tasks.export import read_items

__all__ = ["AuditReport", "AuditRow", "Observation", "audit", "audit_folder", "audit_rows", "audit_task"]


def audit_task(family: Task, chosen: Levels, n: int, seed: int, pack: Pack | None = None) -> AuditReport:
    """Audit a task under its default condition, or the levels chosen instead, in its own words or those of a pack."""
    levels = {**family.item_levels(family.design()), **{f.name: f.levels for f in family.factors if f.pooled}}
    plain = family.changed(Design("audit", "", n, (levels,)), chosen)
    stimuli = family.stimuli(plain, n, seed, pack or load(family.prompts, family.name))
    return audit(stimuli, family.observe, family.audited_by())


def audit_folder(folder: Path) -> AuditReport:
    """Audit a data set made by `snellen make`, as it lies on disk."""
    stimuli = read_items(folder)
    first = next(stimuli)
    known = first.item.task in task_names()
    return audit(chain([first], stimuli), _observe_stored, task(first.item.task).audited_by() if known else None)


def _observe_stored(stimulus: Stimulus) -> Mapping[str, Feature]:
    """What the item's own task would have observers look at; nothing if the task is not known here."""
    observe = _observe_of(stimulus.item.task)
    try:
        return observe(stimulus)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UserError(f"item {stimulus.item.id}: its truth does not fit its task ({reason}); make it anew") from None


@cache
def _observe_of(name: str) -> Observe:
    # Only tasks that are installed: a name in a data set must never become a file to run.
    return task(name).observe if name in task_names() else lambda stimulus: {}


def audit(stimuli: Iterable[Stimulus], observe: Observe, by: frozenset[str] | None = None) -> AuditReport:
    """Audit stimuli with the features their task gives and those every task has, apart by these factors (or all)."""
    return audit_rows(observations(stimuli, observe, by))


def audit_rows(rows: Iterable[Observation], *, alpha: float = ALPHA) -> AuditReport:
    """Audit plain rows, whatever they come from."""
    tables: dict[str, Table] = {}
    for row in rows:
        tables.setdefault(row.group, Table()).rows.append(row)
    sights: dict[str, Sight] = {}

    def look(picture: Picture) -> Sight:
        if picture.digest not in sights:
            sights[picture.digest] = sight(picture)
        return sights[picture.digest]

    audited = [row for group, table in tables.items() for row in table.audited(group, look)]
    return AuditReport(judged(audited, alpha))
