"""The study that every task has: its ladder, read for every subject, and what that says."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from snellen.analysis.columns import Column, NamedTable, TableSpec, named_tables
from snellen.analysis.ladder.case import LadderEvidence, case_of
from snellen.analysis.ladder.charts import loss_chart
from snellen.analysis.ladder.missing import missing
from snellen.analysis.ladder.others import borrowed, borrowed_words
from snellen.analysis.ladder.rungs import LadderSpec, ladder_results
from snellen.analysis.ladder.sentences import details, headline, where
from snellen.analysis.ladder.unread import unread_steps
from snellen.analysis.ladder.verdict import judge
from snellen.charts.blocks import Diagnosis, Loss, RungScore, Section


class LadderStudy:
    """What the ladder says about every subject of one task."""

    def __init__(self, rows: pl.DataFrame, spec: LadderSpec, seed: int) -> None:
        self.rows, self.spec, self.seed = rows, spec, seed

    @cached_property
    def cases(self) -> tuple[LadderEvidence, ...]:
        return tuple(case_of(result, self.seed) for result in ladder_results(self.rows, self.spec))

    @cached_property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        return tuple(self._diagnosis(case) for case in self.cases)

    def _diagnosis(self, case: LadderEvidence) -> Diagnosis:
        judgement = judge(case)
        lent = (borrowed_words(words) for words in borrowed(case.result, self.seed))
        return Diagnosis(
            subject=case.result.subject,
            headline=headline(case, judgement),
            verdict=judgement.verdict,
            details=(*details(case, judgement), *unread_steps(case.result, case.beside), *lent),
            faults=judgement.named,
            right=case.right,
            losses=case.losses,
            beside=case.beside,
            rungs=case.rungs,
            missing=missing(case),
            task=self.spec.task,
            where=where(case),
        )

    def sections(self) -> tuple[Section, ...]:
        made = [named.make() for named in self.tables().values()]
        chart = loss_chart(self.diagnoses)
        return (Section("The ladder", (*([chart] if chart.rows else []), *(table for table in made if table.rows))),)

    def tables(self) -> dict[str, NamedTable]:
        return named_tables(_specs(self.spec.task), self)


def _specs(task: str) -> tuple[TableSpec[LadderStudy], ...]:
    return (
        TableSpec(
            f"{task}-rungs",
            f"{task}: the rungs of the ladder",
            "Percent right of all replies, 95 % CI clustered by item; an unread reply is not right. Rungs from the"
            " least to the most demanding.",
            lambda _: _RUNG_COLUMNS,
            lambda study: ((diagnosis.subject, score) for diagnosis in study.diagnoses for score in diagnosis.rungs),
        ),
        TableSpec(
            f"{task}-losses",
            f"{task}: what is lost at each step",
            _LOSS_NOTE,
            lambda _: _LOSS_COLUMNS,
            lambda study: (
                LossRow(diagnosis.subject, line, loss)
                for diagnosis in study.diagnoses
                for losses, line in ((diagnosis.losses, "on"), (diagnosis.beside, "beside"))
                for loss in losses
            ),
            remark=_unread,
        ),
    )


_RUNG_COLUMNS: list[Column[tuple[str, RungScore]]] = [
    Column("subject", "", lambda row: row[0]),
    Column("rung", "", lambda row: row[1].rung),
    Column("what is shown", "", lambda row: row[1].about),
    Column("demands", "", lambda row: ", ".join(row[1].demands)),
    Column("accuracy %", "", lambda row: row[1].accuracy),
    Column("unread %", "", lambda row: row[1].unread),
    Column("chance %", "", lambda row: row[1].chance),
    Column("trials", "", lambda row: row[1].accuracy.n),
]


@dataclass(frozen=True, slots=True)
class LossRow:
    """A loss of a subject; `line`: whether it is `on` the ladder or `beside` it."""

    subject: str
    line: str
    loss: Loss


_LOSS_COLUMNS: list[Column[LossRow]] = [
    Column("subject", "", lambda row: row.subject),
    Column("lost to", "", lambda row: " or ".join(row.loss.faculties)),
    Column("from", "", lambda row: row.loss.lower),
    Column("to", "", lambda row: row.loss.upper),
    Column("lost", "share", lambda row: row.loss.share),
    Column("step", "share", lambda row: row.loss.step),
    Column("p", "p", lambda row: row.loss.p),
    Column("named", "", lambda row: "yes" if row.loss.shown else ""),
    Column("smallest", "share", lambda row: row.loss.smallest),
    Column("line", "", lambda row: row.line),
]
_LOSS_NOTE = (
    "Of 100 items, corrected for guessing, 95 % CIs clustered by item. Lost: what the verdict rests on; step: from the"
    " pairs of the step alone; p: exact sign-flip test of the pairs by item, Holm over the ladder; smallest: the"
    " smallest fault that this exam detects with 90 % power. Off-ladder comparisons do not count towards the hundred."
)


def _unread(study: LadderStudy) -> str:
    return "".join(
        f" {case.result.subject}: {words}" for case in study.cases for words in unread_steps(case.result, case.beside)
    )
