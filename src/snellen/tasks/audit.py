"""The shortcut audit: can an observer who does not do the task tell the answer?

Each observer knows one feature: the parity of the pieces, one cell, the length of the prompt, the size of the file, or
nothing at all. It learns which answer is most frequent for each value of the feature (a feature with many numeric
values is also cut at the best threshold) and is tested on items it has not seen, in ten folds made by item and balanced
by key. Items under different conditions are different groups: the same board has another key under another rule.

**The rule.** An observer beats chance when its cross-validated accuracy over n items is so high that an observer with
a true accuracy of chance + tolerance (7.5 points) would reach it with a probability of at most 1 % divided by the
number of observers in the whole report (exact binomial). So a clean set passes 99 times in 100, however many observers
look at it, and `threshold` is the accuracy from which an observer is called a leak. Chance is one over the number of
labels, or the share of the most frequent answer if that is larger: one imbalance should not light every lamp.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path

from scipy.special import bdtrc

from snellen.errors import UserError
from snellen.item import Question, Stimulus
from snellen.prompts import Pack, load
from snellen.tasks import Design, Levels, Task, task, task_names
from snellen.tasks.export import read_items
from snellen.tasks.observers import Feature, observers, trials

Observe = Callable[[Stimulus], Mapping[str, Feature]]

ALPHA = 0.01
TOLERANCE = 0.075
MAJORITY = "majority answer"
MEMBERS = 9
"""So many labels of a set are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One trial as an observer sees it, and its key (a label's index in canonical order, or the answer itself)."""

    group: str
    item: str
    key: str
    features: Mapping[str, Feature]
    choices: int = 0
    """How many labels there are to choose from; 0 if the answer is free."""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """How well one observer did in one group. `fitted` is its accuracy on the very items it learned from."""

    group: str
    observer: str
    n: int
    accuracy: float
    fitted: float
    chance: float
    threshold: float
    leak: bool


@dataclass(frozen=True, slots=True)
class AuditReport:
    rows: tuple[AuditRow, ...]

    @property
    def leaks(self) -> tuple[AuditRow, ...]:
        return tuple(row for row in self.rows if row.leak)

    def __str__(self) -> str:
        """Group by group, each named by what sets it apart from the others, and the verdict."""
        groups: dict[str, list[AuditRow]] = {}
        for row in self.rows:
            groups.setdefault(row.group, []).append(row)
        parts = [name.split(", ") for name in groups]
        shared = [part for part in parts[0] if all(part in other for other in parts)] if len(parts) > 1 else []
        lines = [f"all groups: {', '.join(shared)}\n"] if shared else []
        clean = [name for name, rows in groups.items() if not any(row.leak for row in rows)]
        crowded = len(clean) > _CLEAN_SHOWN
        for name, rows in groups.items():
            if not (crowded and name in clean):
                lines.append(
                    _group_text(", ".join(p for p in name.split(", ") if p not in shared) or "all items", rows)
                )
        if crowded:
            lines.append(f"{len(clean)} groups show no leak\n")
        return "\n".join([*lines, self._verdict()])

    def _verdict(self) -> str:
        if not self.rows:
            return "nothing to audit"
        blind = len({row.group for row in self.rows if row.threshold > 1})
        weak = f"; {blind} groups have too few items to tell (raise --n)" if blind else ""
        if not self.leaks:
            return f"no shortcut found by {len(self.rows)} observers{weak}"
        return f"{len(self.leaks)} of {len(self.rows)} observers beat chance{weak}"


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


def observations(
    stimuli: Iterable[Stimulus], observe: Observe, by: frozenset[str] | None = None
) -> Iterator[Observation]:
    """Stimuli as plain rows, with the features that every task has."""
    places: dict[str, int] = {}
    for stimulus in stimuli:
        item, question = stimulus.item, stimulus.question
        place = places.setdefault(item.id, len(places))
        features = {**common_features(stimulus), "place in the set": place % 2, **observe(stimulus)}
        group = _group({**item.levels, **stimulus.condition}, by)
        for part, key, choices in _keys(question):
            yield Observation(f"{group}, part={part}" if part else group, item.id, key, features, choices)


def _keys(question: Question) -> Iterator[tuple[str, str, int]]:
    """What an observer may guess: the answer, and of an answer in parts each part by itself, of a set each member."""
    labels = question.form.labels
    yield "", str(labels.index(question.key)) if question.key in labels else question.key, len(labels)
    if question.form.kind != "fields" or question.form.check:
        return
    values = dict(part.split(": ", 1) for part in question.key.split("; "))
    for place, part in enumerate(question.form.fields, 1):
        value = values[part.name]
        if part.kind == "set":  # some members are simply more frequent: that alone is no leak
            members = value.split()
            yield from ((f"{part.name} {label}", str(label in members), 0) for label in part.labels[:MEMBERS])
        else:
            yield f"{place}", value, len(part.labels)


def common_features(stimulus: Stimulus) -> dict[str, Feature]:
    """What can be seen of any stimulus without understanding it."""
    words = [part for part in stimulus.parts if isinstance(part, str)]
    features: dict[str, Feature] = {
        MAJORITY: "",
        "prompt length": sum(map(len, words)),
        "picture file size": sum(len(picture.data) for picture in stimulus.pictures),
    }
    labels = stimulus.question.form.labels
    spots = [(spot.start(), label) for label in labels for spot in _mentions(label, stimulus.question.text)]
    if spots:
        features["label offered first"] = labels.index(min(spots)[1])
        features["label offered last"] = labels.index(max(spots)[1])
    return features


def _mentions(label: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", text)


def _group(levels: Mapping[str, str], by: frozenset[str] | None) -> str:
    return ", ".join(f"{factor}={level}" for factor, level in levels.items() if by is None or factor in by)


@dataclass(slots=True)
class _Table:
    """The trials of one group, column by column."""

    choices: int = 0
    items: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    columns: dict[str, list[Feature | None]] = field(default_factory=dict)

    def add(self, row: Observation) -> None:
        for name in dict.fromkeys((*self.columns, *row.features)):
            column = self.columns.setdefault(name, [None] * len(self.keys))
            column.append(row.features.get(name))
        self.items.append(row.item)
        self.keys.append(row.key)
        self.choices = max(self.choices, row.choices)


def audit_rows(rows: Iterable[Observation], *, alpha: float = ALPHA, tolerance: float = TOLERANCE) -> AuditReport:
    """Audit plain rows, whatever they come from."""
    tables: dict[str, _Table] = {}
    for row in rows:
        tables.setdefault(row.group, _Table()).add(row)
    rated = [row for group, table in tables.items() for row in _rated(group, table)]
    return AuditReport(tuple(_judged(row, alpha / len(rated), tolerance) for row in rated))


def _rated(group: str, table: _Table) -> Iterator[AuditRow]:
    """Every observer of a group with its accuracies, not yet judged."""
    known = trials(table.items, table.keys)
    frequent = Counter(table.keys).most_common(1)[0][1] / len(table.keys)
    plain = 1 / table.choices if table.choices else frequent  # free answers: some are simply more frequent
    for feature, column in table.columns.items():
        chance = plain if feature == MAJORITY else max(plain, frequent)
        for observer, accuracy, fitted in observers(feature, column, known):
            yield AuditRow(group, observer, len(set(table.items)), accuracy, fitted, chance, 1.0, False)


def _judged(row: AuditRow, alpha: float, tolerance: float) -> AuditRow:
    needed = _needed(row.n, row.chance + tolerance, alpha)
    return replace(row, threshold=needed / row.n, leak=row.accuracy * row.n >= needed - 1e-9)


@cache
def _needed(n: int, accuracy: float, alpha: float) -> int:
    """The fewest right answers of n that an observer this good gives with a probability of at most alpha; n + 1 if
    even all right would not be enough."""
    if accuracy >= 1:
        return n + 1
    low, high = 0, n + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if bdtrc(middle - 1, n, accuracy) <= alpha else (middle + 1, high)
    return low


_SHOWN = 12
_CLEAN_SHOWN = 12


def _line_of(row: AuditRow) -> str:
    return f"leak from {row.threshold:.1%}" if row.threshold <= 1 else "too few items to tell"


def _group_text(name: str, rows: list[AuditRow]) -> str:
    """The leaks of a group, strongest first, or the three observers that came nearest."""
    ranked = sorted(rows, key=lambda row: (-row.accuracy, -row.fitted))
    leaks = [row for row in ranked if row.leak]
    lines = [f"{name}: {rows[0].n} items, {len(rows)} observers, {len(leaks)} leaks"]
    for row in leaks[:_SHOWN] or ranked[:3]:
        lines.append(
            f"  {'LEAK' if row.leak else 'ok  '}  {row.observer:<30} {row.accuracy:6.1%} cross-validated, "
            f"{row.fitted:6.1%} in sample; chance {row.chance:.1%}, {_line_of(row)}"
        )
    if len(leaks) > _SHOWN:
        lines.append(f"        and {len(leaks) - _SHOWN} more")
    return "\n".join(lines) + "\n"
