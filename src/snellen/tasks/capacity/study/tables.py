"""The capacity results as tables."""

from collections.abc import Sequence
from typing import Any

from snellen.analysis.chains import THOUGHT_COLUMNS, THOUGHT_NOTE
from snellen.analysis.columns import (
    UNREAD,
    Column,
    TableSpec,
    accuracy_column,
    attributes,
    columns,
    contrast_columns,
    counted,
    levels_of,
)
from snellen.analysis.estimates import AtLevels
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import unread_spec
from snellen.tasks.capacity.study.errors import BLAMED, Fate, MechanismShare
from snellen.tasks.capacity.study.judging import Agreement
from snellen.tasks.capacity.study.kinds import CATEGORY_TITLES, kind_title, place_title
from snellen.tasks.capacity.study.papers import MEASURES
from snellen.tasks.capacity.study.pointing import OFFS, TURNS, CountsOff, Turned
from snellen.tasks.capacity.study.results import CapacityResults
from snellen.tasks.capacity.study.scores import Score

ITEMS = "Percent, 95 % CIs clustered by item; unread replies are not counted as right, failed calls are missing."


def _setting(results: CapacityResults) -> list[Column[AtLevels]]:
    return levels_of("subject", *results.named)


def _described(results: CapacityResults) -> list[str]:
    """What a comparison of describing first and not has in common."""
    return ["subject", *(name for name in results.named if name != "describe")]


def _kind(everything: str = "all") -> Column[Any]:
    return Column("kind", "", lambda row: kind_title(row["kind"]) if row["kind"] else everything)


PERCENT = accuracy_column("percent")
CATEGORY: Column[AtLevels] = Column("category", "", lambda row: CATEGORY_TITLES.get(row["category"], row["category"]))
WHERE: Column[AtLevels] = Column("where", "", lambda row: place_title(row["category"], row["kind"]))
SCORE: list[Column[Score]] = [
    Column("score", "", lambda score: MEASURES.get(score.level, score.level)),
    Column("percent", "share", lambda score: score.value),
    Column("unread %", "share", lambda score: score.unread),
    Column("kinds", "", lambda score: "all" if score.whole else ", ".join(score.kinds)),
    *attributes("trials", "items"),
    Column("failed calls", "", lambda score: score.errors),
]


def _blame(name: str) -> Column[Fate]:
    return Column(f"{name} %", "share", lambda fate: fate.blame[name])


BLAME: list[Column[Fate]] = [
    *map(_blame, BLAMED),
    Column("lead", "share", lambda fate: fate.lead),
    Column("errors", "", lambda fate: fate.wrong),
]
MECHANISM: list[Column[MechanismShare]] = [
    _kind(),
    Column("mechanism", "", lambda row: row.mechanism or "none"),
    Column("faculty", "", lambda row: row.faculty),
    Column("percent of wrong", "share", lambda row: row.share),
    Column("answers", "", lambda row: row.count),
]


def _turned(place: int) -> Column[Turned]:
    return Column(f"{TURNS[place]} %", "share", lambda row: row.shares[place])


def _off(place: int) -> Column[CountsOff]:
    return Column(f"{OFFS[place]} %", "share", lambda row: row.shares[place].value or 0.0)


DIRECTIONS: list[Column[Turned]] = [
    *map(_turned, range(len(TURNS))),
    Column("directions", "", lambda row: row.shares[0].n),
]
COUNTS: list[Column[CountsOff]] = [
    Column("views", "", lambda row: row["views"]),
    Column("mean difference (things)", "", lambda row: row.mean),
    *map(_off, range(len(OFFS))),
    Column("counts", "", lambda row: row.mean.n),
]
JUDGE: list[Column[Agreement]] = [
    *levels_of("judge", "source"),
    _kind(),
    Column("agreement %", "share", lambda row: row.share),
    *attributes("kappa", "both_right", "both_wrong", "lenient", "strict", "judged"),
    Column("unread %", "share", lambda row: row.unread),
]


def _by_level(*factors: Column[AtLevels]) -> list[Column[Any]]:
    return [_kind(), *factors, PERCENT, UNREAD, *counted("", "items", "")]


def _spec(name: str, title: str, note: str, own: Sequence[Column[Any]], rows: str) -> TableSpec[CapacityResults]:
    """A table of what the results have under a name, its setting in front of the columns."""
    return TableSpec(
        f"capacity-{name}",
        f"Capacity: {title}",
        note,
        lambda results: [*_setting(results), *own],
        lambda results: getattr(results, rows),
    )


TABLES: tuple[TableSpec[CapacityResults], ...] = (
    _spec(
        "scores",
        "overall and by category",
        f"{ITEMS} A category is the unweighted mean of its kinds, overall that of the categories, as published. kinds:"
        " all that the paper's score has, or those that were asked.",
        SCORE,
        "scores",
    ),
    _spec("kinds", "by kind", ITEMS, [CATEGORY, _kind(), PERCENT, UNREAD, *counted(errors="failed calls")], "kinds"),
    _spec(
        "size",
        "by size of the items",
        f"{ITEMS} Only kinds that were asked in several sizes.",
        _by_level(*levels_of("size")),
        "by_size",
    ),
    _spec(
        "difficulty",
        "by difficulty",
        f"{ITEMS} The items of a kind in thirds; items of equal difficulty stay together, and kinds with a single"
        " difficulty are left out. Each kind has its own measure: moves, views, cells of a path. from to:"
        " the difficulties in that third.",
        _by_level(*levels_of("third"), Column("from to", "", lambda row: row["span"])),
        "by_third",
    ),
    TableSpec(
        "capacity-describe",
        "Capacity: describe first",
        "Described first minus not, on the same items, percentage points, 95 % CI clustered by item; for categories"
        " and overall kinds weigh the same. p: exact McNemar over all pairs; p (items): exact sign-flip test over"
        " items, weighed like the difference; both Holm-adjusted, one family: the kinds of a setting, another: its"
        " categories and the whole.",
        lambda results: columns(
            levels_of(*_described(results)), WHERE, contrast_columns("described", "plain", alone=True)
        ),
        lambda results: results.described,
        remark=lambda results: unread_warning(results.described, (*_described(results), WHERE.value)),
    ),
    TableSpec(
        "capacity-faculties",
        "Capacity: errors by faculty",
        "Percent of the wrong answers, with kinds weighted by what they cost overall; 95 % CIs clustered by item within"
        " kinds. lead: the first faculty minus the second.",
        lambda results: [*_setting(results), *BLAME],
        lambda results: (fate for fate in results.fates if fate.wrong),
    ),
    _spec(
        "mechanisms",
        "mechanisms of wrong answers",
        "Percent of the wrong answers of the kind, 95 % CIs clustered by item. unnamed: the answer matches no"
        " mechanism that the item defines, or one without a faculty.",
        MECHANISM,
        "mechanisms",
    ),
    _spec(
        "patterns",
        "the paper's three error patterns",
        "Percent of the wrong answers in the kinds that can show the pattern (orientation: satellite and direction;"
        " identity: counting; instruction: counterfactual and sandbagging), by mechanism; 95 % CIs clustered by item.",
        [*levels_of("pattern"), accuracy_column("percent of wrong"), *counted("wrong answers", "items", "")],
        "patterns",
    ),
    _spec(
        "directions",
        "directions, answer relative to truth",
        "Percent of the directions that could be read, 95 % CIs clustered by item; clockwise is plus.",
        DIRECTIONS,
        "turns",
    ),
    _spec(
        "counts",
        "counts, answer minus truth",
        "Mean difference in things, 95 % CI clustered by item; then percent of counts by error.",
        COUNTS,
        "counts",
    ),
    _spec("thoughts", "chains of thought", THOUGHT_NOTE, [_kind(), *THOUGHT_COLUMNS], "habits"),
    TableSpec(
        "capacity-judge",
        "Capacity: judge and verifier",
        "The same replies marked by both; agreement in percent and Cohen's kappa with 95 % CIs clustered by item, of"
        " replies that both could mark; no kappa where they never disagree. Disagreements by direction: lenient, only"
        " the judge says right; strict, only the verifier does. unread: percent of the judge's marks that were not in"
        " form, even when asked again.",
        lambda _: JUDGE,
        lambda results: results.agreements,
    ),
    unread_spec("capacity-unread", "Capacity: answers that could not be read", lambda results: results.rows),
)
