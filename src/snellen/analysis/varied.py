"""What a subject's settings change: the same trials under two levels of a setting, pair by pair."""

import polars as pl

from snellen.analysis.columns import PAIRS, TESTS, NamedTable, columns, levels_of, sides, table
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.reading_rates import unread_warning
from snellen.analysis.rows import by_rules, by_sample, factors
from snellen.charts.blocks import Section, Table
from snellen.ladder import SETTING

NAME, TITLE = "settings", "Effect of settings"


def _contrasts(rows: pl.DataFrame, seed: int) -> list[Contrast]:
    """Each later level of each varied setting against its first."""
    rows = by_sample(by_rules(rows))
    contrasts: list[Contrast] = []
    for column in factors(rows):
        if not column.startswith(SETTING):
            continue
        first, *others = rows[column].drop_nulls().unique(maintain_order=True).to_list()
        for level in others:
            pairs = paired(rows.filter(pl.col(column).is_in([first, level])), column, level, first)
            named = {"setting": column.removeprefix(SETTING), "levels": f"{first} → {level}"}
            contrasts += [row.at(**named) for row in contrast(pairs, ["subject", "task"], seed, (level, first))]
    return adjust(contrasts, ["subject", "task"])


def varied_table(contrasts: list[Contrast]) -> Table:
    second, first, difference = sides("second", "first")
    return table(
        NAME,
        TITLE,
        "Difference: the second level minus the first, percentage points on the same trials, 95 % CI clustered by"
        " item. p: exact McNemar; p (items): exact sign-flip test over items; both Holm-adjusted within subject and"
        f" task.{unread_warning(contrasts, ('subject', 'task', 'setting'))}",
        columns(levels_of("subject", "task", "setting", "levels"), PAIRS, first, second, difference, TESTS),
        contrasts,
    )


def varied_tables(rows: pl.DataFrame, seed: int = 0) -> dict[str, NamedTable]:
    if not any(name.startswith(SETTING) for name in factors(rows)):
        return {}
    return {NAME: NamedTable(TITLE, lambda: varied_table(_contrasts(rows, seed)))}


def varied_sections(rows: pl.DataFrame, seed: int = 0) -> tuple[Section, ...]:
    contrasts = _contrasts(rows, seed) if varied_tables(rows) else []
    return (Section(TITLE, (varied_table(contrasts),)),) if contrasts else ()
