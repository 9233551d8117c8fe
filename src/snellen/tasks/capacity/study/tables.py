"""The capacity results as tables."""

from collections.abc import Callable
from functools import partial
from typing import Any

from snellen.analysis.chains import thought_table
from snellen.analysis.contrasts import p_text, points
from snellen.analysis.estimates import percent
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.study import NamedTable, hundred, unread_table
from snellen.charts.blocks import Cell, Table
from snellen.tasks.capacity.study.kinds import CATEGORY_TITLES, kind_title
from snellen.tasks.capacity.study.papers import MEASURES, table_2, table_4, table_5
from snellen.tasks.capacity.study.pointing import OFFS, TURNS
from snellen.tasks.capacity.study.results import CapacityResults
from snellen.tasks.capacity.study.scores import hundredfold

ITEMS = "Percent, 95 % intervals over items; an unread reply is not right, a failed call is missing."


def tables(found: CapacityResults) -> dict[str, NamedTable]:
    """The tables there are, by name."""
    made: dict[str, tuple[str, Callable[[CapacityResults], Table]]] = {
        "capacity-scores": ("Capacity: overall and by category", score_table),
        "capacity-kinds": ("Capacity: by kind", kind_table),
        "capacity-size": ("Capacity: by size of the items", size_table),
        "capacity-difficulty": ("Capacity: by difficulty", difficulty_table),
        "capacity-describe": ("Capacity: describe first", describe_table),
        "capacity-faculties": ("Capacity: what errors are put down to", faculty_table),
        "capacity-mechanisms": ("Capacity: what wrong answers betray", mechanism_table),
        "capacity-directions": ("Capacity: directions, answer against truth", direction_table),
        "capacity-counts": ("Capacity: counts, answer minus truth", count_table),
        "capacity-thoughts": ("Capacity: how it thinks aloud", _thought_table),
        "capacity-judge": ("Capacity: judge and verifier", judge_table),
        "capacity-unread": (
            "Capacity: answers that could not be read",
            lambda f: unread_table(f.rows, "capacity-unread"),
        ),
    }
    return {name: NamedTable(title, partial(make, found)) for name, (title, make) in made.items()}


def paper_tables(found: CapacityResults) -> dict[str, NamedTable]:
    """The tables of the paper, ours beside its own."""
    return {
        "capacity-table2": NamedTable("MME-CC Table 2: tasks and samples", partial(table_2, found)),
        "capacity-table4": NamedTable("MME-CC Table 4: overall and by category", partial(table_4, found)),
        "capacity-table5": NamedTable("MME-CC Table 5: describe first", partial(table_5, found)),
    }


def _columns(found: CapacityResults) -> list[str]:
    return ["subject", *found.named]


def _own(each: dict[str, Any], found: CapacityResults) -> tuple[str, ...]:
    return tuple(str(each[name]) for name in _columns(found))


def score_table(found: CapacityResults) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for each in found.scores:
        name = MEASURES.get(each.level, each.level)
        kinds = "all" if each.whole else ", ".join(each.kinds)
        value = hundredfold(each.value)
        counts = (100 * each.unread, kinds, each.trials, each.items, each.errors)
        rows.append((*_own(each.setting, found), name, value, *counts))
    return Table(
        name="capacity-scores",
        title="Capacity: overall and by category",
        note=f"{ITEMS} A category is the unweighted mean of its kinds, overall that of the categories, as published."
        " kinds: all that the paper's score has, or those that were asked.",
        columns=(*_columns(found), "score", "percent", "unread %", "kinds", "trials", "items", "failed calls"),
        rows=tuple(rows),
    )


def kind_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-kinds",
        title="Capacity: by kind",
        note=ITEMS,
        columns=(*_columns(found), "category", "kind", "percent", "unread %", "trials", "items", "failed calls"),
        rows=tuple(
            (
                *_own(each, found),
                *(CATEGORY_TITLES.get(each["category"], each["category"]), kind_title(each["kind"]), percent(each)),
                *(hundred(each["unread_rate"]), each["trials"], each["items"], each["errors"]),
            )
            for each in found.kinds
        ),
    )


def size_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-size",
        title="Capacity: by size of the items",
        note=f"{ITEMS} Only kinds that were asked in several sizes.",
        columns=(*_columns(found), "kind", "size", "percent", "unread %", "items"),
        rows=tuple(_level(each, found, each["size"]) for each in found.by_size()),
    )


def difficulty_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-difficulty",
        title="Capacity: by difficulty",
        note=f"{ITEMS} The items of a kind in thirds; those of the same difficulty stay together, and a kind whose"
        " items all have the same is left out. What difficulty counts is the kind's own: moves, views, cells of a path."
        " from to: the difficulties in that third.",
        columns=(*_columns(found), "kind", "third", "from to", "percent", "unread %", "items"),
        rows=tuple(_level(each, found, each["third"], each["span"]) for each in found.by_third()),
    )


def _level(each: dict[str, Any], found: CapacityResults, *levels: str) -> tuple[Cell, ...]:
    counts = (percent(each), hundred(each["unread_rate"]), each["items"])
    return (*_own(each, found), kind_title(each["kind"]), *levels, *counts)


def describe_table(found: CapacityResults) -> Table:
    columns = [name for name in _columns(found) if name != "describe"]

    def where(each: dict[str, Any]) -> str:
        if each["kind"]:
            return kind_title(each["kind"])
        return f"all {CATEGORY_TITLES.get(each['category'], each['category'])}" if each["category"] else "overall"

    return Table(
        name="capacity-describe",
        title="Capacity: describe first",
        note="Described first minus not, on the same items, percentage points, 95 % interval over items; for categories"
        " and overall kinds weigh the same. p: exact McNemar over all pairs; p (items): exact sign-flip test over"
        " items, weighed like the difference; both Holm-adjusted, one family: the kinds of a setting, another: its"
        " categories and the whole."
        f"{unread_warning(found.described, lambda each: ('described', 'plain'), (*columns, where))}",
        columns=(
            *(*columns, "where", "described %", "plain %", "difference", "pairs", "only described", "only plain"),
            *("p", "p (items)"),
        ),
        rows=tuple(
            (
                *(str(each[name]) for name in columns),
                *(where(each), 100 * each["a"], 100 * each["b"], points(each), each["pairs"]),
                *(each["only_a"], each["only_b"], p_text(each["p_holm"]), p_text(each["p_items_holm"])),
            )
            for each in found.described
        ),
    )


def faculty_table(found: CapacityResults) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for each in found.fates:
        if each.wrong:
            shares = (hundredfold(value) for value in each.blame.values())
            rows.append((*_own(each.setting, found), *shares, hundredfold(each.lead), each.wrong))
    return Table(
        name="capacity-faculties",
        title="Capacity: what errors are put down to",
        note="Percent of the wrong answers, a kind counting by what it costs overall; 95 % intervals over items within"
        " kinds. lead: the first faculty minus the second.",
        columns=(*_columns(found), "eyes %", "thinking %", "habit %", "unnamed %", "lead", "errors"),
        rows=tuple(rows),
    )


def mechanism_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-mechanisms",
        title="Capacity: what wrong answers betray",
        note="Percent of the wrong answers of the kind, 95 % intervals over items. unnamed: the answer matches no"
        " mechanism that the item foresaw, or one that speaks of no faculty.",
        columns=(*_columns(found), "kind", "mechanism", "faculty", "percent of wrong", "answers"),
        rows=tuple(
            (
                *_own(each, found),
                *(kind_title(each["kind"]), each["mechanism"] or "none", each["faculty"], hundredfold(each["share"])),
                each["count"],
            )
            for each in found.mechanisms
        ),
    )


def direction_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-directions",
        title="Capacity: directions, answer against truth",
        note="Percent of the directions that could be read, 95 % intervals over items; clockwise is plus.",
        columns=(*_columns(found), *(f"{name} %" for name in TURNS), "directions"),
        rows=tuple(
            (*_own(setting, found), *(hundredfold(value) for value in values), values[0].n)
            for setting, values in found.turns
        ),
    )


def count_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-counts",
        title="Capacity: counts, answer minus truth",
        note="Mean difference in things, 95 % interval over items; then percent of the counts that are so far off.",
        columns=(*_columns(found), "views", "mean difference (things)", *(f"{name} %" for name in OFFS), "counts"),
        rows=tuple(
            (*_own(setting, found), views, mean, *(100 * (value.value or 0.0) for value in values), mean.n)
            for setting, views, values, mean in found.counts
        ),
    )


def _thought_table(found: CapacityResults) -> Table:
    return thought_table(found.spoken, found.habits, "capacity-thoughts", "Capacity: how it thinks aloud")


def judge_table(found: CapacityResults) -> Table:
    return Table(
        name="capacity-judge",
        title="Capacity: judge and verifier",
        note="The same replies marked by both; agreement in percent and Cohen's kappa with 95 % intervals over items,"
        " of replies that both could mark; no kappa where they never disagree. Disagreements by direction: lenient,"
        " only the judge says right; strict, only the verifier does. unread: percent of the judge's marks that were not"
        " in form, even when asked again.",
        columns=(
            *("judge", "source", "kind", "agreement %", "kappa", "both right", "both wrong", "lenient", "strict"),
            *("judged", "unread %"),
        ),
        rows=tuple(
            (
                *(each.judge, each.source, kind_title(each.kind) if each.kind else "all", hundredfold(each.share)),
                *(each.kappa, each.both_right, each.both_wrong, each.lenient, each.strict),
                *(each.judged, 100 * each.unread),
            )
            for each in found.agreements
        ),
    )
