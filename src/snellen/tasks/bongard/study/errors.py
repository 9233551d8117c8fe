"""Wrong verdicts on Bongard queries, filed by what decided them: the values, and how they are shown.

Filing needs the pictures' facts, so it is done where replies are studied (`replies/bongard`) and for generated problems
only. Published pictures have no facts; for them there is a reading aid that goes by words (`reading_aid`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from snellen.analysis.estimates import wilson
from snellen.charts.blocks import Section, Shares, Table, Text, Value

Group = Literal[
    "description misses it", "description says it wrongly", "rule is wrong", "rule applied wrongly", "cannot be told"
]
GROUPS: tuple[Group, ...] = (
    "description misses it",
    "description says it wrongly",
    "rule is wrong",
    "rule applied wrongly",
    "cannot be told",
)


@dataclass(frozen=True, slots=True)
class TrialInWords:
    """One trial in plain words: the true concept, the rule stated ('' if none was), the description of the query (''
    if none was made), what became of it, and whether the query shows the concept. `examples`: the descriptions of the
    positive and of the negative examples, where they were made."""

    trial: str
    concept: str
    rule: str
    description: str
    outcome: str
    query: str
    subject: str = ""
    item: str = ""
    examples: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Filed:
    """What decided a verdict: the group, why, and the evidence: which picture ("query", "positive 3"), which fact of
    it, and which words of the subject's ('' where there are none)."""

    group: Group
    why: str
    picture: str = ""
    fact: str = ""
    words: str = ""


FiledTrial = tuple[TrialInWords, Filed]


def error_section(filed: Sequence[FiledTrial]) -> Section:
    """How often what decided a wrong verdict, and every one of them with its evidence."""
    return Section(
        "Bongard problems: causes of wrong verdicts",
        (
            Text(
                "The stated rule is checked against the facts of all pictures, and the description of the query"
                " against that rule (or the true rule, where none was stated or read). The description is the cause"
                " if correcting it changes the verdict; the rule is wrong if it does not separate the pictures;"
                " otherwise the rule was applied wrongly. Texts that the reader cannot parse are not classified."
            ),
            group_shares(filed),
            group_table(filed),
            filed_table(filed),
        ),
        task="bongard",
    )


def _counts(filed: Sequence[FiledTrial]) -> dict[str, dict[Group, int]]:
    counts: dict[str, dict[Group, int]] = {}
    for record, decided in filed:
        counts.setdefault(record.subject, dict.fromkeys(GROUPS, 0))[decided.group] += 1
    return counts


def group_shares(filed: Sequence[FiledTrial]) -> Shares:
    rows = []
    for subject, counts in _counts(filed).items():
        wrong = sum(counts.values())
        rows.append((subject, tuple(_share(counts[group], wrong) for group in GROUPS)))
    return Shares(
        title="Of the wrong verdicts",
        note="Shares of wrong verdicts by cause, 95 % CIs (Wilson).",
        parts=GROUPS,
        rows=tuple(rows),
        of="wrong verdicts",
    )


def _share(count: int, of: int) -> Value:
    low, high = wilson(count / of, of)
    return Value(count / of, low, high, of)


def group_table(filed: Sequence[FiledTrial]) -> Table:
    return Table(
        name="bongard-error-groups",
        title="Wrong verdicts by cause",
        note="Counts of wrong verdicts on generated problems, by subject and paradigm.",
        columns=("subject", *GROUPS, "wrong"),
        rows=tuple(
            (subject, *(counts[group] for group in GROUPS), sum(counts.values()))
            for subject, counts in _counts(filed).items()
        ),
    )


def filed_table(filed: Sequence[FiledTrial]) -> Table:
    return Table(
        name="bongard-errors",
        title="Every wrong verdict with its evidence",
        note="Picture, fact and words: the decisive picture, what it shows, and what the reply says about it.",
        columns=("trial", "item", "subject", "query", "group", "picture", "fact", "words", "why", "concept", "rule"),
        rows=tuple(
            (
                *(record.trial, record.item, record.subject, record.query),
                *(decided.group, decided.picture, decided.fact, decided.words, decided.why),
                *(record.concept, record.rule),
            )
            for record, decided in filed
        ),
    )
