"""How trainings came along: what a trainer measured step by step, or as means over steps where there are many."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from snellen.charts.blocks import Curves, Diagnosis, Section, Value

Lines = Sequence[Mapping[str, Any]]
"""What was measured after each step, by name; `step` is its number."""

MOST = 40
"""So many points a line has at most."""
_FLAT = 1e-9
_SERIES: tuple[tuple[str, Literal["percent", "nats"], str, Mapping[str, str]], ...] = (
    ("shares", "percent", "share", {"reward": "reward", "unread": "unread", "mean_token_accuracy": "tokens right"}),
    ("nats", "nats", "nats a token", {"loss": "loss", "kl": "KL from the base model"}),
)
"""What is drawn together, as it is called in a curve and in the figure."""


def with_left_out(diagnoses: Sequence[Diagnosis], fingerprints: Sequence[Mapping[str, Any]]) -> tuple[Diagnosis, ...]:
    """The diagnoses, each with a line on the items that its subject was trained on, as the last exam that says so."""
    told = {
        (subject, task): found
        for fingerprint in fingerprints
        for subject, tasks in fingerprint.get("trained_on", {}).items()
        for task, found in tasks.items()
    }
    return tuple(_with_line(each, told) for each in diagnoses)


def _with_line(diagnosis: Diagnosis, told: Mapping[tuple[str, str], Mapping[str, Any] | None]) -> Diagnosis:
    if (diagnosis.subject, diagnosis.task) not in told:
        return diagnosis
    found = told[diagnosis.subject, diagnosis.task]
    line = "Its training items are not recorded; some of the items asked may be among them."
    if found is not None:
        line = f"{len(found['left_out'])} of {found['of']} items excluded: they were in its training set."
    return replace(diagnosis, details=(*diagnosis.details, line))


def section(trainings: Mapping[str, Lines]) -> Section | None:
    """The curves of all trainings, each in a panel of its own under the name of its subject; None if there are none."""
    charts = curves(trainings, "Training curves")
    return Section("Training", tuple(charts.values())) if charts else None


def curves(trainings: Mapping[str, Lines], title: str) -> dict[str, Curves]:
    """The charts there are, by name; none of a single step, which is no line."""
    runs = {name: _runs(lines) for name, lines in trainings.items() if len(lines) > 1}
    steps = sorted({_last(run) for some in runs.values() for run in some})
    found = {}
    for name, unit, quantity, known in _SERIES:
        series = [key for key in known if any(_tells(trainings[each], key) for each in runs)]
        if not series:
            continue
        by = 100 if unit == "percent" else 1
        rows = tuple((each, tuple(_line(some, key, steps, by) for key in series)) for each, some in runs.items())
        found[name] = Curves(
            title=title,
            note="Each point is the mean over the steps since the previous point.",
            unit=unit,
            quantity=quantity,
            across="step",
            xs=tuple(steps),
            series=tuple(known[key] for key in series),
            rows=tuple((each, lines) for each, lines in rows if any(value for line in lines for value in line)),
            bounds=(0.0, 100.0) if unit == "percent" else _bounds([line for _, lines in rows for line in lines]),
        )
    return found


def _tells(lines: Lines, key: str) -> bool:
    # With rewards the loss is no distance to right answers: it hovers around zero, whatever is learnt.
    return any(key in line for line in lines) and not (key == "loss" and any("reward" in line for line in lines))


def _runs(lines: Lines) -> list[Lines]:
    """The lines in equal runs, no more than there is room for."""
    size = -(-len(lines) // MOST)
    return [lines[k : k + size] for k in range(0, len(lines), size)]


def _last(run: Lines) -> float:
    return float(run[-1]["step"])


def _line(runs: Sequence[Lines], key: str, steps: Sequence[float], by: float) -> tuple[Value | None, ...]:
    """A value at each step at which a run ends; a training that took other steps has none there."""
    told = any(_tells(run, key) for run in runs)
    values = {_last(run): _mean(run, key, by) for run in runs} if told else {}
    return tuple(values.get(step) for step in steps)


def _mean(run: Lines, key: str, by: float) -> Value | None:
    known = [line[key] for line in run if line.get(key) is not None]
    return Value(by * sum(known) / len(known), n=len(known)) if known else None


def _bounds(lines: Sequence[Sequence[Value | None]]) -> tuple[float, float]:
    """From zero, or from what is below it, to the largest value; room to draw in, also where all are zero."""
    known = [value.value for line in lines for value in line if value is not None and value.value is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    return low, high if high - low > _FLAT else low + 1.0
