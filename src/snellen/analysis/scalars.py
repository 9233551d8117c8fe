"""A diagnosis as plain numbers by name, for whatever draws curves of a training: `TASK/loss/FACULTY` and its interval.

    lamps/accuracy      percent right of all replies to the task as it is asked
    lamps/right         percent of items solved on the most demanding rung, corrected for guessing
    lamps/unread        percent of replies there that could not be read
    lamps/loss/eyes     percent of items lost to a faculty; right and all losses add up to 100
    lamps/beside/saying the same from a rung beside the ladder's line, which is in no sum

`_low` and `_high` after a name are the ends of its 95 % interval. What was not measured, or cannot be, is absent.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from snellen.analysis.ladder.charts import loss_name
from snellen.charts.blocks import Diagnosis, Value, percent
from snellen.names import curve_of, slug, step_of


class ScalarPoint(NamedTuple):
    """What is logged at one training step: numbers by name. `subjects`: the checkpoints examined at that step."""

    step: int
    subjects: tuple[str, ...]
    values: dict[str, float]


def scalars(diagnoses: Iterable[Diagnosis]) -> dict[str, float]:
    """The numbers of these diagnoses of one subject, by stable names (above), in percent.

    >>> scalars(exam.findings.diagnoses)["lamps/loss/eyes_low"]  # doctest: +SKIP
    12.5
    """
    return {
        f"{slug(diagnosis.task)}/{name}{end}": round(number, 4)
        for diagnosis in diagnoses
        for name, value in _values(diagnosis)
        for end, number in (("", value.value), ("_low", value.low), ("_high", value.high))
        if number is not None
    }


def _values(diagnosis: Diagnosis) -> Iterator[tuple[str, Value]]:
    yield "accuracy", diagnosis.accuracy
    yield "right", percent(diagnosis.right)
    on_line = [rung for rung in diagnosis.rungs if rung.on_line]
    if on_line:
        yield "unread", Value(on_line[-1].unread)
    for place, losses in (("loss", diagnosis.losses), ("beside", diagnosis.beside)):
        for loss in losses:
            yield f"{place}/{slug(loss_name(loss.faculties))}", percent(loss.share)


def scalar_points(diagnoses: Sequence[Diagnosis], step: int | None = None) -> list[ScalarPoint]:
    """The numbers of several subjects, step by step, under the names of their curves (`snellen.names.curve_of`): the
    checkpoints of a run share them, and a single subject without a step has none. `step`: that of subjects whose names
    tell none."""
    names = dict.fromkeys(own.subject for own in diagnoses)
    steps = {name: told.step if (told := step_of(name)) else step or 0 for name in names}
    made: dict[int, ScalarPoint] = {}
    for name in sorted(names, key=lambda name: steps[name]):
        curve = "" if len(names) == 1 and step_of(name) is None else curve_of(name)
        own = scalars(diagnosis for diagnosis in diagnoses if diagnosis.subject == name)
        point = made.get(steps[name], ScalarPoint(steps[name], (), {}))
        values = {curve + key: number for key, number in own.items()}
        made[steps[name]] = ScalarPoint(steps[name], (*point.subjects, name), point.values | values)
    return list(made.values())
