"""The MARVEL results as tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from snellen.analysis.columns import TESTS, UNREAD, Column, TableSpec, columns, contrast_columns, counted, levels_of
from snellen.analysis.contrasts import Contrast
from snellen.analysis.estimates import AtLevels, Estimate
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.scores import AboveChance
from snellen.analysis.study import unread_spec
from snellen.charts.blocks import Value
from snellen.tasks.marvel.study.bias import Bias
from snellen.tasks.marvel.study.examples import BASE, CASE_COLUMNS, CASES, EXAMPLE_COLUMNS, NOTE, by_perception, cases
from snellen.tasks.marvel.study.ladder import GivenPerception
from snellen.tasks.marvel.study.puzzles import LABELS, LEVELS, OPTIONS, SETTING, level_name
from snellen.tasks.marvel.study.results import MarvelResults, ReadingCounts
from snellen.tasks.marvel.study.sections import BIAS_NOTE, GIVEN, change_name

SCORES = ("avr", "fine", "perc_c", "perc_cf", "perc_cf_avr")
"""The measures of the paper's main table, in its order."""
MEASURE_NOTE = (
    "Percent, 95 % CI clustered by group of duplicates; unread replies are not counted as right, failed calls are"
    " missing. Perc^C: all three counts right; Perc^C&F: the detail too; Perc^C&F&AVR: the puzzle too; only puzzles"
    " for which all these questions were asked."
)


def _setting(results: MarvelResults) -> list[Column[AtLevels]]:
    return levels_of("subject", *results.named)


def _marked(estimate: Estimate, results: MarvelResults) -> Value:
    """An accuracy, with a dagger where it is of puzzles."""
    value = estimate.noted
    dagger = results.dagger(estimate.levels) if estimate["score"] == "avr" else ""
    return replace(value, note=" ".join(word for word in (dagger, value.note) if word))


def _accuracy_columns(results: MarvelResults) -> list[Column[Any]]:
    own: list[Column[AboveChance]] = [
        Column("measure", "", lambda row: LABELS[row["score"]]),
        Column("percent", "share", lambda row: _marked(row, results)),
        UNREAD,
        Column("chance %", "share", lambda row: row.chance),
        Column("p", "p", lambda row: row.p_chance),
        *counted("puzzles", "groups", "errors"),
    ]
    return [*_setting(results), *own]


@dataclass(frozen=True, slots=True)
class LadderRow:
    """All measures of one setting (and level), by their names."""

    levels: tuple[str, ...]
    scores: dict[str, Estimate]


def _ladder_rows(estimates: Iterable[Estimate], factors: Iterable[str]) -> Iterator[LadderRow]:
    """One row a setting (and level) of which any of the measures was asked."""
    rows: dict[tuple[str, ...], dict[str, Estimate]] = {}
    for estimate in estimates:
        rows.setdefault(tuple(str(estimate[name]) for name in factors), {})[estimate["score"]] = estimate
    return (LadderRow(levels, own) for levels, own in rows.items() if any(score in own for score in SCORES))


def _ladder_columns(results: MarvelResults, *more: str) -> list[Column[LadderRow]]:
    def level(place: int, name: str) -> Column[LadderRow]:
        return Column(name, "", lambda row: row.levels[place])

    def measure(score: str) -> Column[LadderRow]:
        return Column(
            f"{LABELS[score]} %",
            "share",
            lambda row: _marked(row.scores[score], results) if score in row.scores else None,
        )

    return [
        *(level(place, name) for place, name in enumerate(("subject", *results.named, *more))),
        *map(measure, SCORES),
        Column("puzzles", "", lambda row: max(estimate.trials for estimate in row.scores.values())),
    ]


def _by_level(factor: str) -> TableSpec[MarvelResults]:
    name = factor.replace("_", " ")

    def rows(results: MarvelResults) -> Iterator[LadderRow]:
        named = (row.at(**{factor: level_name(factor, row[factor])}) for row in results.by(factor))
        return _ladder_rows(named, ["subject", *results.named, factor])

    return TableSpec(
        f"marvel-{factor.replace('_', '-')}",
        f"MARVEL: the ladder by {name}",
        f"{MEASURE_NOTE} † applies to the setting as a whole: the options picked are distributed differently from the"
        " key.",
        lambda results: _ladder_columns(results, name),
        rows,
    )


_GIVEN: list[Column[GivenPerception]] = [
    Column("perception", "", lambda row: GIVEN[row["given"]]),
    Column("where right %", "share", lambda row: row.a),
    Column("puzzles right", "", lambda row: row.n_a),
    Column("where wrong %", "share", lambda row: row.b),
    Column("puzzles wrong", "", lambda row: row.n_b),
    Column("difference", "share", lambda row: row.gap),
]
_CHANGE: Column[Contrast] = Column("change", "", change_name)


def _bias_columns(results: MarvelResults) -> list[Column[Any]]:
    accuracies = {_key(row): row for row in results.overall if row["score"] == "avr"}

    def option(place: int) -> Column[Bias]:
        return Column(f"option {place + 1} %", "share", lambda bias: bias.chosen[place])

    own: list[Column[Bias]] = [
        Column("AVR %", "share", lambda bias: _marked(accuracies[_key(bias)], results)),
        *map(option, range(OPTIONS)),
        Column("key %", "", lambda bias: " / ".join(f"{100 * share:.0f}" for share in bias.key)),
        Column("moved %", "share", lambda bias: bias.moved),
        Column("p", "p", lambda bias: bias.p),
        Column("answers", "", lambda bias: bias.n),
    ]
    return [*_setting(results), *own]


def _key(row: AtLevels) -> tuple[Any, ...]:
    return tuple(row[name] for name in SETTING)


_READING: list[Column[ReadingCounts]] = [
    Column("subject", "", lambda row: row["subject"]),
    Column("question", "", lambda row: row["question"]),
    Column("replies", "", lambda row: row.replies),
    Column("by rules %", "", lambda row: 100 * (row.replies - row.second - row.unread) / row.replies),
    Column("second %", "", lambda row: 100 * row.second / row.replies),
    Column("right of second %", "", lambda row: 100 * row.second_right / row.second if row.second else None),
    Column("unread %", "", lambda row: 100 * row.unread / row.replies),
]
TABLES: tuple[TableSpec[MarvelResults], ...] = (
    TableSpec(
        "marvel-accuracy",
        "MARVEL: single questions and groups of them",
        f"{MEASURE_NOTE} p: exact binomial test of being above chance, one-sided. {BIAS_NOTE}",
        _accuracy_columns,
        lambda results: results.overall,
    ),
    TableSpec(
        "marvel-ladder",
        "MARVEL: the ladder",
        f"{MEASURE_NOTE} {BIAS_NOTE}",
        _ladder_columns,
        lambda results: _ladder_rows(results.overall, ["subject", *results.named]),
    ),
    *map(_by_level, LEVELS),
    TableSpec(
        "marvel-given",
        "MARVEL: AVR where perception was right or wrong",
        "AVR accuracy in percent where perception of the puzzle was right and where it was wrong; difference in"
        " points, 95 % CI clustered by group of duplicates. p: exact test of Fisher; p"
        " (items):"
        " the same with whole groups of duplicates exchanged among groups of the same size; both Holm-adjusted, family:"
        " all rows of one subject.",
        lambda results: [*_setting(results), *_GIVEN, *TESTS],
        lambda results: results.given,
    ),
    TableSpec(
        "marvel-changes",
        "MARVEL: effect of descriptions, examples and other changes",
        "The first level minus the second on the same puzzles, everything else as in the row, percentage points, 95 %"
        " CI clustered by group of duplicates. Description given: the perception gap. p: exact McNemar; p (items):"
        " exact"
        " sign-flip test over groups of duplicates; both Holm-adjusted, family: all changes of one subject and"
        " question.",
        lambda results: columns(_setting(results), _CHANGE, levels_of("question"), contrast_columns("first", "second")),
        lambda results: results.contrasts,
        remark=lambda results: unread_warning(results.contrasts, ("subject", *results.named, "question")),
    ),
    TableSpec(
        "marvel-figure3",
        "MARVEL Figure 3: where errors begin, and what examples fix",
        NOTE,
        lambda results: [*levels_of("subject", *(n for n in results.named if n in BASE)), *EXAMPLE_COLUMNS],
        lambda results: by_perception(results.with_examples, results.seed),
    ),
    TableSpec(
        "marvel-figure3-cases",
        "MARVEL Figure 3: puzzles whose detail was missed and that examples did not fix",
        f"The first {CASES} of each subject and number of examples: its answer about the detail and the right one,"
        " its choice without and with examples, and the right choice. The replies are in the report.",
        lambda _: CASE_COLUMNS,
        lambda results: cases(results.with_examples, results.rows),
        listed="MARVEL Figure 3: puzzles that examples did not fix",
    ),
    TableSpec(
        "marvel-bias",
        "MARVEL: inductive bias",
        "Distribution of the read answers over the options, 95 % CIs clustered by group of duplicates; key: the same"
        " for"
        " the right options. moved: share of answers that would have to change for the two to agree."
        f" {BIAS_NOTE}",
        _bias_columns,
        lambda results: results.biases,
    ),
    TableSpec(
        "marvel-reading",
        "MARVEL: how answers were read",
        "Rules read an answer first; where they abstain, the reader subject reads it, if one is given. second: share"
        " of all replies read that way, which would otherwise be unread; right of second: accuracy among those.",
        lambda _: _READING,
        lambda results: results.readings,
    ),
    unread_spec("marvel-unread", "MARVEL: answers that could not be read", lambda results: results.rows),
)
