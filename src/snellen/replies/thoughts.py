"""How subjects think aloud, in tables: by the rules and, where a model annotated the replies, by both.

Any task whose replies are long enough will do. A study may have conditions and kinds of its own (`SpeakingStudy`);
without one, replies under all conditions count together.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain as one_after_another
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from snellen.analysis import settings
from snellen.analysis.casts import ORACLES, with_casts
from snellen.analysis.chains import (
    ALL,
    FIFTHS,
    SPOKEN,
    THOUGHT_COLUMNS,
    THOUGHT_NOTE,
    TURNED,
    Chains,
    Habit,
    SpeakingStudy,
    SpokenReplies,
)
from snellen.analysis.columns import Column, levels_of, table
from snellen.analysis.estimates import clustered_wilson, variances
from snellen.analysis.rows import CORE, JUDGE, aloud, asked, by_sample, by_setting, factors, unspared
from snellen.analysis.thought import STAGES, Annotator, TextSpan, annotate, words
from snellen.charts.blocks import Cell, Table, Value, percent
from snellen.errors import UserError, unknown
from snellen.replies.annotating import Annotations
from snellen.replies.stretches import Why
from snellen.tasks import installed, tasks_with

RULES, MODEL = "rules", "model"
NAMES = ("stages", "length", "interruptions", "agreement")
"""The tables there are; the last only with a model."""
_SEED = 0
_TOKEN = re.compile(r"[一-鿿]|[^\s一-鿿]+")
_TITLES = dict(zip(STAGES, ("collects", "analyses", "concludes"), strict=True))
Counts = NDArray[np.float64]


_PLAIN = {"source": "generated", "pack": ""}
_CONTEXT = ("paradigm", *_PLAIN)


def _spoken(rows: pl.DataFrame, task: str) -> SpokenReplies:
    """The replies as the task's own study sees them, or else without conditions."""
    family = installed(task)
    study = family.study(rows, _SEED) if family and family.study else None
    if isinstance(study, SpeakingStudy):
        return study.spoken
    rows = with_casts(rows, "kind", "source").with_columns(
        pl.col("text").fill_null(""), pl.col("source").replace("", _PLAIN["source"])
    )
    subjects = [who for who in rows["who"].unique(maintain_order=True) if who not in ORACLES]
    labels = rows["subject"].unique(maintain_order=True).to_list()

    def rank(setting: Mapping[str, Any]) -> tuple[Any, ...]:
        return (
            subjects.index(setting["who"]) if setting["who"] in subjects else len(subjects),
            labels.index(setting["subject"]),
            *settings.plainness(setting, _PLAIN),
            *(str(setting[name]) for name in _CONTEXT),
            setting["kind"],
        )

    named = settings.named_context(rows, _CONTEXT, _PLAIN)
    return SpokenReplies(rows, ("who", "subject", *_CONTEXT), named, rank, str, lambda kind: kind.replace("_", " "))


class Thoughts:
    """The chains of thought of one task, told by an annotator."""

    def __init__(self, rows: pl.DataFrame, task: str, annotator: Annotator = annotate) -> None:
        self.task = task
        self.spoken = _spoken(_of_task(rows, task), task)
        self.chains = Chains(self.spoken, _SEED, annotator)

    @cached_property
    def habits(self) -> list[Habit]:
        return self.chains.habits()

    @cached_property
    def replies(self) -> pl.DataFrame:
        """The replies that think aloud."""
        replies = asked(self.spoken.rows)
        return replies.filter(pl.Series([words(text) >= SPOKEN for text in replies["text"]], dtype=pl.Boolean))

    @cached_property
    def settings(self) -> list[dict[str, Any]]:
        """Every setting with replies that think aloud."""
        return [{name: habit[name] for name in self.spoken.setting} for habit in self.habits if habit["kind"] == ALL]

    @property
    def columns(self) -> list[str]:
        return ["subject", *self.spoken.named]

    def own(self, setting: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(setting[name]) for name in self.columns)

    def stages(self, title: str) -> Table:
        """How subjects think aloud, by kind."""
        kind_title = self.spoken.kind_title
        kind: Column[Habit] = Column("kind", "", lambda habit: kind_title(habit["kind"]) if habit["kind"] else "all")
        columns: list[Column[Any]] = [*levels_of(*self.columns), kind, *THOUGHT_COLUMNS]
        return table("thoughts-stages", title, THOUGHT_NOTE, columns, self.habits)


def _of_task(rows: pl.DataFrame, task: str) -> pl.DataFrame:
    """A task's trials, as the rules marked them, with the texts; of trials put twice the last."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    if not tasks:
        raise UserError("the store has no trials yet; run `snellen exam --store` first")
    if task not in tasks:
        raise unknown("task in this store", task, tasks)
    chosen = aloud(by_setting(by_sample(unspared(rows.filter(pl.col("task") == task)))))
    if JUDGE in chosen.columns:
        chosen = chosen.filter(pl.col(JUDGE).is_null())
    own = factors(chosen)  # those of other tasks in the store are all empty here
    chosen = chosen.select(name for name in chosen.columns if name in CORE or name in own)
    same = ["subject", "item", "paradigm", "pack", *own]
    chosen = chosen.with_columns(pl.col(*same, "cluster").fill_null(""))
    return chosen.unique(subset=same, keep="last", maintain_order=True)


def usual_task(rows: pl.DataFrame) -> str:
    """The task whose thoughts are told if none is named: the first in the store whose study reads the texts of replies,
    else the first in it."""
    tasks = rows["task"].unique(maintain_order=True).to_list()
    reading = [task.name for task in tasks_with(lambda task: "text" in task.reads) if task.name in tasks]
    if not tasks:
        raise UserError("the store has no trials yet; run `snellen exam --store` first")
    return (reading or tasks)[0]


def thoughts_of(rows: pl.DataFrame, task: str) -> Thoughts:
    """The chains of thought in a store, by the rules."""
    thoughts = Thoughts(rows, task)
    if thoughts.replies.is_empty():
        raise UserError(
            f"no reply to {task} in this store has {SPOKEN} words or more, so there are no chains of thought"
        )
    return thoughts


def texts_of(thoughts: Thoughts) -> list[str]:
    """The texts to be annotated, each once."""
    return thoughts.replies["text"].unique(maintain_order=True).to_list()


def thought_tables(rows: pl.DataFrame, task: str, model: Annotations | None = None) -> dict[str, Table]:
    """The tables by name; with annotations by a model, its numbers beside those of the rules."""
    by = {RULES: thoughts_of(rows, task)}
    if model is not None:
        by[MODEL] = Thoughts(rows, task, model)
    note = _left_note(model) if model else ""
    made = [_stages_table(by, note), _length_table(by[RULES]), _interruption_table(by)]
    if model is not None:
        made.append(_agreement_table(by[RULES], model, note))
    return dict(zip(NAMES, made, strict=False))


def _left_note(model: Annotations) -> str:
    """Who annotated, and what was left to the rules."""
    reasons: dict[Why, str] = {"form": "not in form", "failed": "call failed", "long": "too long"}
    left = [f"{n:,} {reason}" for why, reason in reasons.items() if (n := model.count(why))]
    lost = f" {model.lost:,} passages it quoted are not in the text and are left out." if model.lost else ""
    return f" Model: {model.who}. Texts annotated by the rules: {', '.join(left) or 'none'}.{lost}"


def _beside(tables: Mapping[str, Table], column: str) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Columns and rows of tables of one form, row beside row, with who told them after a column."""
    first = next(iter(tables.values()))
    at = first.columns.index(column) + 1
    if len(tables) == 1:
        return first.columns, first.rows
    told = [[(*row[:at], who, *row[at:]) for row in table.rows] for who, table in tables.items()]
    rows = one_after_another.from_iterable(zip(*told, strict=True))
    return (*first.columns[:at], "by", *first.columns[at:]), tuple(rows)


def _stages_table(by: Mapping[str, Thoughts], note: str) -> Table:
    title = _title(by[RULES], "chains of thought")
    tables = {who: thoughts.stages(title) for who, thoughts in by.items()}
    columns, rows = _beside(tables, "kind")
    own = tables[RULES]
    text = (
        own.note
        if MODEL not in by
        else own.note.replace("Annotated by rules from the text of the reply.", note.strip())
    )
    return replace(own, note=text, columns=columns, rows=rows)


def _title(thoughts: Thoughts, about: str) -> str:
    return f"{thoughts.task.capitalize()}: {about}"


def _accuracies(thoughts: Thoughts, cells: Mapping[tuple[Any, ...], dict[str, Value]], names: tuple[str, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for setting in thoughts.settings:
        own = cells.get(tuple(setting[name] for name in thoughts.spoken.setting), {})
        rows.append((*thoughts.own(setting), *(percent(own.get(name)) for name in names)))
    return Table("", "", "", (*thoughts.columns, *(f"{name} %" for name in names)), tuple(rows))


def _length_table(thoughts: Thoughts) -> Table:
    made = _accuracies(thoughts, thoughts.chains.by_length(), FIFTHS)
    return replace(
        made,
        name="thoughts-length",
        title=_title(thoughts, "accuracy by length of the reply"),
        note="Percent right. Fifths by number of words among the subject's own replies to the same kind. 95 % CIs"
        " clustered by item.",
    )


def _interruption_table(by: Mapping[str, Thoughts]) -> Table:
    turns = tuple(TURNED)
    tables = {who: _accuracies(thoughts, thoughts.chains.by_interruptions(), turns) for who, thoughts in by.items()}
    columns, rows = _beside(tables, by[RULES].columns[-1])
    return Table(
        name="thoughts-interruptions",
        title=_title(by[RULES], "accuracy by number of self-interruptions"),
        note="Percent right. 95 % CIs clustered by item. Hard items cause both doubt and errors, so this does not"
        " show that doubt harms.",
        columns=columns,
        rows=rows,
    )


# Do the rules and the model agree?


def confusion(text: str, rules: list[TextSpan], model: list[TextSpan]) -> Counts:
    """How many words of a text the rules (down) and the model (across) put in each stage."""
    starts = [match.start() for match in _TOKEN.finditer(text)]
    counts = np.zeros((len(STAGES), len(STAGES)))
    np.add.at(counts, (_labels(rules, starts), _labels(model, starts)), 1)
    return counts


def _labels(spans: list[TextSpan], starts: list[int]) -> NDArray[np.int64]:
    """The stage of each word, by number."""
    stages = [span for span in spans if span.label in STAGES]
    of_span = np.array([STAGES.index(span.label) for span in stages])
    return of_span[np.searchsorted([span.start for span in stages], starts, side="right") - 1]


def _agreement_table(thoughts: Thoughts, model: Annotations, note: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for setting in thoughts.settings:
        here = [pl.col(name).eq_missing(pl.lit(level)) for name, level in setting.items()]
        replies = thoughts.replies.filter(*here)
        per_item: dict[str, Counts] = {}
        for item, text in replies.select(pl.col("cluster").cast(pl.String), "text").iter_rows():
            if model.has(text):
                told = confusion(text, annotate(text), model(text))
                per_item[item] = per_item.get(item, np.zeros_like(told)) + told
        told_by_model = sum(map(model.has, replies["text"]))
        counts = np.array(list(per_item.values())) if per_item else np.zeros((0, len(STAGES), len(STAGES)))
        for line in _agreements(counts):
            rows.append((*thoughts.own(setting), *line, told_by_model, replies.height - told_by_model))
    return Table(
        name="thoughts-agreement",
        title=_title(thoughts, "agreement of rules and model"),
        note="Of the words of replies that the model annotated. by rules, by model: percent put in the stage; alike:"
        " percent of the words that the rules (the model) put there which the other puts there too, with 95 % CIs"
        " clustered by item; kappa: Cohen's, of the stage against the others.{note}",
        columns=(
            *(*thoughts.columns, "stage", "by rules %", "by model %"),
            *("alike, of the rules' %", "alike, of the model's %", "kappa", "words", "replies", "left to the rules"),
        ),
        rows=tuple(rows),
    )


def _agreements(counts: Counts) -> Iterator[tuple[Cell, ...]]:
    """A line for all stages and one for each; `counts`: items x rules' stages x model's stages."""
    per_item = counts.sum((1, 2))
    n = int(per_item.sum())
    alike = _share(np.trace(counts, axis1=1, axis2=2), per_item)
    yield "all", None, None, alike, alike, _kappa(alike, counts.sum((0, 2)), counts.sum((0, 1))), n
    for k, stage in enumerate(STAGES):
        rules, model, both = counts[:, k].sum(1), counts[:, :, k].sum(1), counts[:, k, k]
        agreed = _share(per_item - rules - model + 2 * both, per_item)
        by_rules, other = (np.array([in_stage.sum(), n - in_stage.sum()]) for in_stage in (rules, model))
        shares = (100 * float(in_stage.sum()) / n if n else None for in_stage in (rules, model))
        yield _TITLES[stage], *shares, _share(both, rules), _share(both, model), _kappa(agreed, by_rules, other), n


def _share(tops: Counts, bottoms: Counts) -> Value:
    """A share of words in percent, with its interval over items; items without such words say nothing."""
    tops, bottoms = tops[bottoms > 0], bottoms[bottoms > 0]
    n = int(bottoms.sum())
    if not n:
        return Value(None, n=0)
    share = float(tops.sum() / n)
    low, high = clustered_wilson(share, float(variances([(tops, bottoms)], _SEED)[0]), len(tops), n)
    return percent(Value(share, low, high, n))


def _kappa(agreed: Value, rules: Counts, model: Counts) -> Value:
    """Cohen's kappa from the agreement in percent and how many words each put where; chance agreement taken as known.
    Undefined where both always say the same."""
    if agreed.value is None or agreed.low is None or agreed.high is None:
        return Value(None)
    chance = float(rules @ model) / float(rules.sum() * model.sum())
    if chance > 1 - 1e-9:
        return Value(None, note="both always say the same")
    middle, low, high = ((share / 100 - chance) / (1 - chance) for share in (agreed.value, agreed.low, agreed.high))
    return Value(middle, max(low, -1.0), min(high, 1.0))
