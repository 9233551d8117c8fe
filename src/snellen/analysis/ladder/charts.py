"""The charts and tables of a diagnosis, made from the diagnosis and nothing else: page, notebook, figures and terminal
draw these, so a card cannot show another task's numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from snellen.analysis.contrasts import p_text
from snellen.charts.blocks import Diagnosis, Heat, Intervals, Loss, Profile, RungScore, Shares, Table, Value, percent
from snellen.charts.numbers import whole_text
from snellen.faculties import NAMES as FACULTIES

RIGHT = "right"
POOLED = "mean over tasks"


def loss_name(faculties: Sequence[str]) -> str:
    """What a loss is called: its faculty, or all between which nothing tells."""
    return " or ".join(faculties)


def loss_chart(diagnoses: Sequence[Diagnosis]) -> Shares:
    """Stacked bars: what is right, and what is lost to each faculty. One row a diagnosis, named by what differs."""
    losses = {loss.faculties for diagnosis in diagnoses for loss in diagnosis.losses}
    parts = sorted(losses, key=_place)
    rows = []
    for label, diagnosis in zip(_labels(diagnoses), diagnoses, strict=True):
        shares = {loss.faculties: loss.share for loss in diagnosis.losses}
        rows.append((label, (diagnosis.right, *(shares.get(part, Value(None)) for part in parts))))
    return Shares("Of 100 items", "", (RIGHT, *map(loss_name, parts)), tuple(rows), of="items")


def explained_ladder(diagnosis: Diagnosis) -> Intervals:
    """The ladder with what each rung shows, and what it demands beyond the rung below it on the line."""
    adds = []
    below: tuple[str, ...] = ()
    for rung in diagnosis.rungs:
        adds.append(tuple(name for name in rung.demands if name not in below))
        below = rung.demands if rung.on_line else below
    return replace(ladder_chart(diagnosis), adds=tuple(adds), remarks=tuple(rung.about for rung in diagnosis.rungs))


def printed_ladder(diagnosis: Diagnosis) -> Intervals:
    """The ladder for a paper: accuracy on each rung, the faculty that it adds, and what is lost at the step to it."""
    lost = {loss.upper: loss.share for loss in (*diagnosis.losses, *diagnosis.beside)}
    told = (f"lost {whole_text(percent(lost[rung.rung]))}" if rung.rung in lost else "" for rung in diagnosis.rungs)
    note = "95 % CIs clustered by item. Lost: of 100 items, at the step to this rung, corrected for guessing."
    return replace(explained_ladder(diagnosis), note=note, remarks=tuple(told))


def ladder_chart(diagnosis: Diagnosis) -> Intervals:
    """Accuracy on each rung, from the least to the most demanding, with what luck alone brings and what was unread."""
    beside = any(not rung.on_line for rung in diagnosis.rungs)
    chances = {rung.chance for rung in diagnosis.rungs}
    return Intervals(
        title="Right answers on each rung",
        note="",
        unit="percent",
        series=("on the ladder", "off-ladder, to compare") if beside else ("accuracy",),
        rows=tuple((rung.rung, _on_its_side(rung, beside)) for rung in diagnosis.rungs),
        reference=next(iter(chances)) if len(chances) == 1 else None,
        references=() if len(chances) == 1 else tuple(rung.chance for rung in diagnosis.rungs),
        line="chance",
        quantity="accuracy",
    )


def _on_its_side(rung: RungScore, beside: bool) -> tuple[Value | None, ...]:
    accuracy = rung.accuracy
    note = f"{rung.unread:.0f} % unread"
    value = Value(accuracy.value, accuracy.low, accuracy.high, accuracy.n, note if rung.unread >= 0.5 else "")
    if not beside:
        return (value,)
    return (value, None) if rung.on_line else (None, value)


def loss_table(diagnosis: Diagnosis) -> Table:
    """What each loss rests on: the estimate, the paired step alone with its exact test, and what would have been
    named."""
    columns = (
        *("lost to", "% of items", "by the paired step alone", "solved on", "but not on", "p (exact, Holm)"),
        "90 % power from (%)",
    )
    rows = tuple(
        (
            loss_name(loss.faculties) + (" (off-ladder)" if loss in diagnosis.beside else ""),
            percent(loss.share),
            percent(loss.step),
            *(
                loss.lower,
                loss.upper,
                None if loss.p is None else p_text(loss.p),
                None if loss.smallest is None else round(100 * loss.smallest),
            ),
        )
        for loss in (*diagnosis.losses, *diagnosis.beside)
    )
    note = "The last column: the smallest fault of the kind that this exam detects with 90 % power."
    return Table("steps", "Step by step", note, columns, rows)


def profile_chart(profile: Profile) -> Heat:
    """Faculties down, tasks across: percent of items lost to each, and the mean over tasks."""
    pooled = {pooled.faculty: percent(pooled.mean) for pooled in profile.pooled}
    rows = [
        (faculty, (*(None if value is None else percent(value) for value in values), pooled.get(faculty)))
        for faculty, values in profile.rows
    ]
    return Heat(
        title=f"Profile of {profile.subject}",
        note="Percent of items lost to each faculty; there is no single score.",
        unit="percent",
        down="faculty",
        across="task",
        columns=(*profile.tasks, POOLED),
        rows=tuple(rows),
        quantity="lost items",
    )


def largest_loss(losses: Iterable[Loss]) -> Loss | None:
    """The loss with the largest share, None if nothing is lost."""
    known = [loss for loss in losses if (loss.share.value or 0.0) > 0.0005]
    return max(known, key=lambda loss: loss.share.value or 0.0, default=None)


def _place(faculties: tuple[str, ...]) -> tuple[int, int]:
    """A loss to several stands after that to the first of them."""
    first = min((FACULTIES.index(name) for name in faculties if name in FACULTIES), default=len(FACULTIES))
    return first, len(faculties)


def _labels(diagnoses: Sequence[Diagnosis]) -> list[str]:
    """Subject, task, or both: what tells the rows apart."""
    subjects, tasks = ({getattr(diagnosis, name) for diagnosis in diagnoses} for name in ("subject", "task"))
    if len(subjects) == 1 and len(tasks) > 1:
        return [diagnosis.task for diagnosis in diagnoses]
    if len(tasks) == 1:
        return [diagnosis.subject for diagnosis in diagnoses]
    return [f"{diagnosis.subject} · {diagnosis.task}" for diagnosis in diagnoses]
