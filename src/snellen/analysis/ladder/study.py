"""The study that every task has: its ladder, read for every subject, and what that says."""

from collections.abc import Iterator
from functools import cached_property

import polars as pl

from snellen.analysis.columns import NamedTable, TableSpec, named_tables, positions
from snellen.analysis.contrasts import p_text
from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.charts import loss_chart
from snellen.analysis.ladder.missing import missing
from snellen.analysis.ladder.others import borrowed, borrowed_words
from snellen.analysis.ladder.rungs import LadderResult, LadderSpec, ladder_results
from snellen.analysis.ladder.sentences import details, headline, where
from snellen.analysis.ladder.sequential import path_chart
from snellen.analysis.ladder.unread import unread_steps
from snellen.analysis.ladder.verdict import judge
from snellen.charts.blocks import Cell, Diagnosis, Section, Value, percent


class LadderStudy:
    """What the ladder says about every subject of one task."""

    def __init__(self, rows: pl.DataFrame, spec: LadderSpec, seed: int) -> None:
        self._rows, self.spec, self.seed = rows, spec, seed

    @property
    def is_climbed(self) -> bool:
        """Whether the diagnoses are made and the rows let go."""
        return "_told" in vars(self)

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        return tuple(diagnosis for diagnosis, _ in self._told)

    @property
    def unread(self) -> str:
        """Steps whose rungs are not read alike, of all subjects."""
        return "".join(f" {diagnosis.subject}: {words}" for diagnosis, unread in self._told for words in unread)

    @cached_property
    def _told(self) -> tuple[tuple[Diagnosis, tuple[str, ...]], ...]:
        """By subject the diagnosis and the steps that are not read alike. The rows, and what each subject did, are let
        go: of a large store they are most of what is in memory."""
        rows, self._rows = self._rows, self._rows.clear()
        return tuple(map(self._diagnosis, ladder_results(rows, self.spec)))

    def _diagnosis(self, result: LadderResult) -> tuple[Diagnosis, tuple[str, ...]]:
        case = case_of(result, self.seed)
        judgement = judge(case)
        unread = unread_steps(result, case.beside)
        lent = (borrowed_words(words) for words in borrowed(result, self.seed))
        diagnosis = Diagnosis(
            subject=result.subject,
            headline=headline(case, judgement),
            verdict=judgement.verdict,
            details=(*details(case, judgement), *unread, *lent),
            faults=judgement.named,
            right=case.right,
            losses=case.losses,
            beside=case.beside,
            rungs=case.rungs,
            missing=missing(case),
            task=self.spec.task,
            where=where(case),
        )
        return diagnosis, unread

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in self.tables().values()]
        chart = loss_chart(self.diagnoses)
        paths = (path_chart(subject, result) for subject, result in self.spec.sequential.items() if result.steps)
        return (
            Section("The ladder", (*([chart] if chart.rows else []), *paths, *(table for table in made if table.rows))),
        )

    def tables(self) -> dict[str, NamedTable]:
        return named_tables(_specs(self.spec.task, bool(self.spec.sequential)), self)


def _specs(task: str, until_sure: bool) -> tuple[TableSpec[LadderStudy], ...]:
    sequential = TableSpec(
        f"{task}-until-sure",
        f"{task}: how each step was closed",
        _STOPPED_NOTE,
        lambda _: _STOPPED_COLUMNS,
        _stopped_cells,
    )
    return (
        *([sequential] if until_sure else []),
        TableSpec(
            f"{task}-rungs",
            f"{task}: the rungs of the ladder",
            "Percent right of all replies, 95 % CI clustered by item; an unread reply is not right. Rungs from the"
            " least to the most demanding.",
            lambda _: _RUNG_COLUMNS,
            _rung_cells,
        ),
        TableSpec(
            f"{task}-losses",
            f"{task}: what is lost at each step",
            _LOSS_NOTE,
            lambda _: _LOSS_COLUMNS,
            _loss_cells,
            remark=lambda study: study.unread,
        ),
    )


_RUNG_COLUMNS = positions(
    *("subject", "rung", "what is shown", "demands", "accuracy %", "unread %", "chance %", "trials")
)


def _rung_cells(study: LadderStudy) -> Iterator[tuple[Cell, ...]]:
    for diagnosis in study.diagnoses:
        for score in diagnosis.rungs:
            yield (
                *(diagnosis.subject, score.rung, score.about, ", ".join(score.demands)),
                *(score.accuracy, score.unread, score.chance, score.accuracy.n),
            )


_LOSS_COLUMNS = positions("subject", "lost to", "from", "to", "lost", "step", "p", "named", "smallest", "line")


def _loss_cells(study: LadderStudy) -> Iterator[tuple[Cell, ...]]:
    for diagnosis in study.diagnoses:
        for losses, line in ((diagnosis.losses, "on"), (diagnosis.beside, "beside")):
            for loss in losses:
                yield (
                    *(diagnosis.subject, " or ".join(loss.faculties), loss.lower, loss.upper),
                    *(percent(loss.share), percent(loss.step), p_text(loss.p), "yes" if loss.shown else ""),
                    *(percent(loss.smallest), line),
                )


_STOPPED_COLUMNS = positions(
    *("subject", "step", "from", "to", "status", "lost", "items", "e lost", "e not lost", "calls", "usual design")
)
_STOPPED_NOTE = (
    "Of 100 items, corrected for guessing, 95 % confidence sequences; of excluded steps no more than the threshold. e"
    " lost, e not lost: the evidence (e-values) that something is lost, and that less than the threshold is. Calls: of"
    " the whole ladder, with those of the task's usual design."
)


def _stopped_cells(study: LadderStudy) -> Iterator[tuple[Cell, ...]]:
    for subject, result in study.spec.sequential.items():
        for step in result.steps:
            lost = percent(Value(step.loss, step.low, step.high, step.items))
            yield (
                *(subject, ", ".join(step.faculties), step.lower, step.upper, step.status, lost, step.items),
                *(_e_value(step.shown_by), _e_value(step.excluded_by), result.calls, result.fixed or None),
            )


def _e_value(value: float) -> str:
    return f"{value:,.0f}" if 10 <= value < 1e6 else f"{value:.2g}"


_LOSS_NOTE = (
    "Of 100 items, corrected for guessing, 95 % CIs clustered by item. Lost: what the verdict rests on; step: from the"
    " pairs of the step alone; p: exact sign-flip test of the pairs by item, Holm over the ladder; smallest: the"
    " smallest fault that this exam detects with 90 % power. Off-ladder comparisons do not count towards the hundred."
)
