"""Whom to cite: the papers that the tasks of a store come from, and the published sets whose items it holds.

A task's folder has its papers in `references.bib`. The comment before an entry, `% items: PATTERN`, says with which
items it is due: `lamps/*` with all of the task `lamps`, `lamps/street/*` with those of one set only.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

_ENTRY = re.compile(r"^% items: (\S+)\n(@\w+\{([^,]+),\n.*?^\})", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of BibTeX, its key, and the tasks it is cited for."""

    key: str
    bibtex: str
    tasks: tuple[str, ...]


def references_of(tasks: Iterable[str], items: Sequence[str]) -> tuple[Reference, ...]:
    """What to cite for these tasks and items, each once."""
    due: dict[str, Reference] = {}
    for task in tasks:
        for pattern, entry, key in _entries(task):
            if any(fnmatchcase(item, pattern) for item in items):
                before = due.get(key, Reference(key, entry, ()))
                due[key] = replace(before, tasks=(*before.tasks, task))
    return tuple(due.values())


@cache
def _entries(task: str) -> list[tuple[str, str, str]]:
    """Patterns, entries and keys in a task's file; none for a task without one, or from elsewhere."""
    file = resources.files("snellen.tasks") / task / "references.bib"
    return _ENTRY.findall(file.read_text(encoding="utf-8")) if file.is_file() else []


def software(version: str) -> Reference:
    """Snellen itself."""
    lines = (
        "@misc{snellen,",
        "  title = {Snellen: an eye exam for vision-language models},",
        "  author = {{The Snellen developers}},",
        f"  note = {{Version {version}}}",
        "}",
    )
    return Reference("snellen", "\n".join(lines), ())
