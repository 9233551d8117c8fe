"""The analysis of semantic fixation: standard-inverse gaps, paired contrasts against Base, the processing tree."""

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl

from snellen.analysis.blocks import Section
from snellen.analysis.contrasts import Contrast, adjust, contrast, paired
from snellen.analysis.estimates import accuracy
from snellen.analysis.fixation import sections as page
from snellen.analysis.fixation.diagnosis import Evidence, diagnose
from snellen.analysis.fixation.pairs import CONFIGS, CONTEXT, DEFAULTS, GAMES, configured, named_context, pairs_of
from snellen.analysis.fixation.papers import PAPER_TABLES, paper_table
from snellen.analysis.fixation.trees import Fit, fit_all
from snellen.analysis.rows import asked, sorted_levels
from snellen.analysis.study import NamedTable, Study, ready, unread_table

SETTING = ("subject", "config", *CONTEXT)
MAIN = CONFIGS[1:5]
"""The columns that are set against Base, in one Holm family with the two rules of a subject and a game."""


def study(rows: pl.DataFrame, seed: int) -> Study:
    """Everything about the fixation trials of all subjects."""
    rows = configured(rows)
    rank = _ranking(rows)
    found = page.Results(
        configs=sorted_levels(rows, "config", CONFIGS),
        named=named_context(rows),
        cells=sorted(accuracy(rows, [*SETTING, "game", "rule"], seed), key=rank),
        pooled=sorted(accuracy(rows, [*SETTING, "rule"], seed), key=rank),
        fits=sorted(fit_all(pairs_of(rows)), key=lambda fit: rank({**fit.setting, "game": fit.game or ""})),
        gaps=sorted(gaps(rows, seed), key=rank),
        contrasts=sorted(against_base(rows, seed), key=rank),
    )
    tables = {
        "accuracy": page.accuracy_by_setting(found),
        "gap": page.gap_table(found),
        "contrasts": page.contrast_table(found),
        "tree": page.tree_table(found),
        "unread": unread_table(rows, "unread"),
    }
    by_name = {name: ready(table) for name, table in tables.items()}
    by_name |= {
        name: NamedTable(paper.title, partial(paper_table, name, rows, found.contrasts))
        for name, paper in PAPER_TABLES.items()
    }
    evidence = [_evidence(subject, rows, found, seed) for subject in rows["subject"].unique(maintain_order=True)]
    return Study(
        diagnoses=tuple(diagnose(each) for each in evidence),
        sections=(
            *page.sections(found, list(tables.values())),
            *([_published(rows, found.contrasts)] if _has_base(rows) else []),
        ),
        estimates=tuple({"task": "fixation", **_rounded(each)} for each in found.cells),
        tables=by_name,
    )


def _ranking(rows: pl.DataFrame) -> Callable[[dict[str, Any]], tuple[int | str, ...]]:
    """The order people expect: subjects as examined, then context, then the paper's configurations and games."""
    subjects = rows["subject"].unique(maintain_order=True).to_list()
    configs = sorted_levels(rows, "config", CONFIGS)
    games = ["", *sorted_levels(rows, "game", list(GAMES))]

    def rank(each: dict[str, Any]) -> tuple[int | str, ...]:
        context = (str(each[name]) != DEFAULTS.get(name, each[name]) for name in CONTEXT)
        rule = each.get("rule", "standard") != "standard"
        return (
            subjects.index(each["subject"]),
            *context,
            *(str(each[name]) for name in CONTEXT),
            configs.index(each["config"]),
            games.index(each.get("game", "")),
            rule,
        )

    return rank


def _rounded(each: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in each.items()}


def gaps(rows: pl.DataFrame, seed: int) -> list[Contrast]:
    """The standard-inverse gap of every setting, over all games (`game` is '') and game by game."""
    pairs = paired(rows, "rule", "standard", "inverse")
    whole = [{**each, "game": ""} for each in contrast(pairs, SETTING, seed)]
    return whole + contrast(pairs, [*SETTING, "game"], seed)


def against_base(rows: pl.DataFrame, seed: int) -> list[Contrast]:
    """Each configuration minus Base under the same rule, over all games (`game` is '') and game by game.

    Holm families: the four main columns x two rules of one subject, game and context; Descriptive and mixed
    configurations stand in a family of their own.
    """
    found: list[Contrast] = []
    for config in sorted_levels(rows, "config", CONFIGS):
        if config == "Base":
            continue
        pairs = paired(rows, "config", config, "Base")
        by = ["subject", *CONTEXT, "rule"]
        both = [{**each, "game": ""} for each in contrast(pairs, by, seed)] + contrast(pairs, [*by, "game"], seed)
        found += [{**each, "config": config, "family": config in MAIN} for each in both]
    return adjust(found, ["subject", *CONTEXT, "game", "family"])


def _evidence(subject: str, rows: pl.DataFrame, found: page.Results, seed: int) -> Evidence:
    own = rows.filter(pl.col("subject") == subject)
    reasons = asked(own).filter(pl.col("outcome") == "unread")["reason"].value_counts(sort=True)
    fits: list[Fit] = [fit for fit in found.fits if fit.game is None and fit.setting["subject"] == subject]
    return Evidence(
        subject=subject,
        fits=fits,
        gaps=[each for each in found.gaps if each["subject"] == subject and not each["game"]],
        contrasts=[each for each in found.contrasts if each["subject"] == subject and not each["game"]],
        estimate=accuracy(own, ["subject"], seed)[0],
        reasons=dict(reasons.rows()),
        named=found.named,
    )


def _has_base(rows: pl.DataFrame) -> bool:
    return not asked(rows).filter(pl.col("config") == "Base").is_empty()


def _published(rows: pl.DataFrame, contrasts: list[Contrast]) -> Section:
    return Section("Beside the published figures", (paper_table("vlmfix-table2", rows, contrasts),))
