"""The analysis of the eye chart: where sight ends, at which size pictures are seen, and what to do about it.

sights       how tests are spoken of
measuring    thresholds, one for every subject, test and condition
resolution   from which size on pictures are shrunk; `tokens` asks the bill the same, `places` field and patches
readings     what a threshold amounts to, in words; `words`: sentences
enlarging    how many times small print must be enlarged; `prescribing`: the prescription in words
results      all of one subject; `differing`: two side by side
same         one model, two servers: `line_charts` that both read twice, the tests of `exchange`, their `sensitivity`
card         what a card says, for whoever draws it
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import polars as pl

from snellen.analysis.columns import NamedTable, named_tables
from snellen.analysis.study import Compared
from snellen.charts.blocks import Diagnosis, RungScore, Section, Text, Value
from snellen.tasks.acuity.lines import LINES
from snellen.tasks.acuity.study.card import Card, cards
from snellen.tasks.acuity.study.held import diagnoses_with_held, held, with_held
from snellen.tasks.acuity.study.line_charts import LineSitting, line_sittings, line_words
from snellen.tasks.acuity.study.prescribing import prescription
from snellen.tasks.acuity.study.results import AcuityResults
from snellen.tasks.acuity.study.same import Alike, all_pairs
from snellen.tasks.acuity.study.same_words import pair_table, same_badge
from snellen.tasks.acuity.study.sections import sections
from snellen.tasks.acuity.study.tables import TABLES
from snellen.tasks.acuity.study.words import badge, details, headline


class AcuityStudy:
    """What the acuity trials say. `seed` is there because every study is given one: nothing here is drawn by lot."""

    def __init__(self, rows: pl.DataFrame, seed: int) -> None:
        self.results = AcuityResults(rows)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Of everybody who was asked more than charts for comparing servers."""
        only = {name for name, sitting in self.results.sittings.items() if set(sitting.rows["test"]) <= {LINES}}
        return tuple(card for card in cards(self.results) if card.subject not in only)

    @cached_property
    def pairs(self) -> tuple[Alike, ...]:
        """Every two subjects that read the same charts of many lines."""
        return tuple(all_pairs(self.results.rows))

    def sections(self) -> tuple[Section, ...]:
        found = sections(self.results, [spec.make(self.results) for spec in TABLES])
        compared = tuple(block for pair in self.pairs for block in (Text(pair.verdict), pair.table))
        return (Section(SAME_TITLE, compared), *found) if compared else found

    def estimates(self) -> tuple[dict[str, Any], ...]:
        return tuple(
            {
                **{"task": "acuity", "subject": subject, "test": measure.test, **measure.condition},
                **{"found": measure.found.kind, **_numbers(measure.found.threshold)},
                **{"trials": measure.found.trials, "unread": measure.found.unread},
            }
            for subject, sitting in self.results.sittings.items()
            for measure in sitting.measures
        )

    def scores(self) -> dict[str, Value]:
        """None: how often right says nothing where the exam makes it as hard as can be."""
        return {}

    def tables(self) -> dict[str, NamedTable]:
        same = NamedTable(SAME_TITLE, lambda: pair_table(self.pairs, SAME_TABLE, SAME_TITLE))
        return {**named_tables(TABLES, self.results), **({SAME_TABLE: same} if self.pairs else {})}

    def diagnoses(self, climbed: tuple[Diagnosis, ...]) -> tuple[Diagnosis, ...]:
        """What is said of every subject. How often right says nothing where the exam makes it as hard as can be, so the
        ladder lends only its rungs without pictures: whether it knows what to say when nothing is to be seen."""
        spared = {own.subject: tuple(r for r in own.rungs if "eyes" not in r.demands) for own in climbed}
        lines = line_sittings(self.results.rows)
        return tuple(
            self._of_lines(lines[subject])
            if subject in lines and not sitting.readings
            else Diagnosis(
                subject=subject,
                headline=headline(sitting),
                verdict="measured" if sitting.readings else "unclear",
                badge=badge(sitting),
                details=(*_prescribed(prescription(sitting)), *details(sitting), *_in_words(spared.get(subject, ()))),
                task="acuity",
            )
            for subject, sitting in self.results.sittings.items()
        )

    def compared(self, diagnoses: Sequence[Diagnosis], rows: pl.DataFrame) -> Compared:
        lines = held(self.cards, diagnoses, rows)
        return diagnoses_with_held(diagnoses, lines), with_held(self.cards, lines)

    def scored_whole(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Without charts of many lines, which are scored letter by letter: `same` compares their samples."""
        return rows.filter(pl.col("test").cast(pl.String).fill_null("") != LINES)

    def _of_lines(self, sitting: LineSitting) -> Diagnosis:
        """What is said of a subject that was asked charts of many lines only: what it reads, and how it compares."""
        own = [pair for pair in self.pairs if sitting.subject in (pair.first.subject, pair.second.subject)]
        alone = ("To compare two servers ask both, together or each alone, then compare their replies:"
                 " `snellen exam A B --design same`, `snellen compare A B --same-model`.",)  # fmt: skip
        return Diagnosis(
            subject=sitting.subject,
            headline=f"{sitting.subject} {line_words(sitting)}.",
            verdict="measured",
            badge=same_badge(own),
            details=tuple(pair.verdict for pair in own[:_MOST_PAIRS]) or alone,
            task="acuity",
        )


SAME_TABLE, SAME_TITLE = "acuity-same", "Eye chart: one model, two servers?"
_MOST_PAIRS = 3


def _prescribed(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"Prescription: {line}" for line in lines)


def _in_words(rungs: tuple[RungScore, ...]) -> tuple[str, ...]:
    return tuple(
        f"{rung.about[:1].upper()}{rung.about[1:]}: {rung.accuracy.value:.0f}\u00a0% right ({rung.accuracy.n} trials)."
        for rung in rungs
        if rung.accuracy.value is not None
    )


def _numbers(threshold: Any) -> dict[str, float | None]:
    ends = (threshold.value, threshold.low, threshold.high) if threshold else (None, None, None)
    return dict(zip(("threshold", "low", "high"), (None if end is None else 10**end for end in ends), strict=True))


__all__ = ["AcuityResults", "AcuityStudy", "Card"]
