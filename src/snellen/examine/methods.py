"""A methods section with the numbers filled in: design, items, prompts, decoding, statistics, and whom to cite.

Everything is taken from the store: from the trials themselves, from the fingerprints of the exams that contributed
trials, and from the tables, so no number here can differ from theirs. Where exams differ in a setting, each value is
given with the exams it belongs to. Names and other code stand in backticks, citations as [@key].
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from snellen import __version__
from snellen.analysis.cells import clean
from snellen.analysis.estimates import TIMES
from snellen.analysis.power import POWER
from snellen.analysis.rows import asked, by_rules, factors, sorted_levels, unspared
from snellen.errors import UserError
from snellen.examine.findings import ExamAnalysis
from snellen.examine.references import Reference, references_of, software
from snellen.examine.result import Exam
from snellen.sequential import SEQUENTIAL, SequentialResult
from snellen.tasks.ladder_spec import task_rows

_MOST_LEVELS = 8
_FAMILY = re.compile(r"(?:family: |Holm over |Holm-adjusted over )([^.;)]+)")


@dataclass(frozen=True, slots=True)
class MethodsSection:
    """Paragraphs by their titles, and what they cite."""

    paragraphs: tuple[tuple[str, str], ...]
    references: tuple[Reference, ...]


def methods(exam: Exam) -> MethodsSection:
    """The methods section of everything in the exam's store. Raises `UserError` if it holds no trials."""
    if exam.rows.is_empty():
        raise UserError(f"store {exam.store}: no trials in it yet; run `snellen exam --store {exam.store}` first")
    record = StudyRecord(exam)
    paragraphs = (
        ("Design", _design(record)),
        ("Items and trials", _trials(record)),
        ("Prompts and reading", _prompts(record)),
        ("Subjects and decoding", _subjects(record)),
        ("Statistics", _statistics(record)),
    )
    return MethodsSection(paragraphs, (software(__version__), *record.references))


class StudyRecord:
    """What a store holds, as far as a methods section tells it."""

    def __init__(self, exam: Exam) -> None:
        self.rows = by_rules(exam.rows)
        self.untracked = by_rules(exam.untracked)
        contributing = set(self.rows["exam"].unique())
        self.exams = {print["exam"]: print for print in exam.fingerprints if print["exam"] in contributing}
        self.subjects: list[str] = self.rows["subject"].unique(maintain_order=True).to_list()
        self.tasks: list[str] = self.rows["task"].unique(maintain_order=True).to_list()
        self.analysis = ExamAnalysis(exam.rows, exam.fingerprints, 0)
        self.references = references_of(self.tasks, self.rows["item"].unique(maintain_order=True).to_list())

    @cached_property
    def families(self) -> dict[str, str]:
        """Over what the p-values of each table with any are Holm-adjusted, by the name of the table."""
        made = (named.make() for named in self.analysis.tables().values())
        shown = (table for table in made if table.rows and "Published: " not in table.note)
        found = ((table.name, _FAMILY.search(table.note)) for table in shown)
        return {name: match[1] for name, match in found if match}

    def parts(self, task: str) -> dict[int, Mapping[str, Any]]:
        """What each exam recorded of a task."""
        return {n: print["tasks"][task] for n, print in self.exams.items() if task in print.get("tasks", {})}


def _design(record: StudyRecord) -> str:
    versions = _differing({n: f"`{print['snellen']}`" for n, print in record.exams.items() if "snellen" in print})
    cited = _cited(record.references)
    sentences = [
        f"We examined {_count(len(record.subjects), 'subject')} ({_listed(map(_code, record.subjects))}) on"
        f" {_count(len(record.tasks), 'task')} with Snellen{f' {versions}' if versions else ''} [@snellen].",
    ]
    for task in record.tasks:
        own, parts = record.rows.filter(pl.col("task") == task), record.parts(task)
        varied = ", ".join(_levels(own, name, parts) for name in factors(own) if own[name].n_unique() > 1)
        design = _differing({n: _code(part["design"]) for n, part in parts.items() if "design" in part})
        paradigms = _listed(map(_code, own["paradigm"].unique(maintain_order=True)))
        sentences.append(
            f"{_code(task)}{cited.get(task, '')}: design {design or 'unknown'}"
            + (f"; factors {varied}" if varied else "")
            + f"; paradigms {paradigms}."
        )
    return " ".join(sentences)


def _levels(rows: pl.DataFrame, factor: str, parts: Mapping[int, Mapping[str, Any]]) -> str:
    """A factor with the levels that were asked, in the order of the design."""
    order = [level for part in parts.values() for level in part.get("levels", {}).get(factor, ())]
    levels = sorted_levels(rows.filter(pl.col(factor).is_not_null()), factor, list(dict.fromkeys(order)))
    named = ", ".join(levels) if len(levels) <= _MOST_LEVELS else f"{len(levels)} levels"
    return f"{factor.replace('_', ' ')} ({named})"


def _trials(record: StudyRecord) -> str:
    seeds = _differing({n: str(print["seed"]) for n, print in record.exams.items() if "seed" in print})
    sentences = [f"The store holds {_count(record.rows.height, 'trial')}."]
    if seeds:
        sentences.append(f"Generated items are those of seed {seeds}.")
    samples = {n: str(print["samples"]) for n, print in record.exams.items() if print.get("samples", 1) > 1}
    if samples:
        sentences.append(f"Each trial was repeated: {_differing(samples)} samples.")
    for task in record.tasks:
        own, still = (rows.filter(pl.col("task") == task) for rows in (record.rows, record.untracked))
        whole = unspared(still)
        parts = (
            ("of the task itself", whole),
            ("on other rungs of its ladder", still.filter(~pl.col("trial").is_in(whole["trial"].implode()))),
            ("chosen by adaptive tracks", own.filter(~pl.col("trial").is_in(still["trial"].implode()))),
        )
        counted = _listed(f"{_each(rows, record.subjects)} {what}" for what, rows in parts if rows.height)
        sentences.append(
            f"{_code(task)}: {_items(own)},"
            f" {_each(own, record.subjects)} trials per subject ({counted}){_unread(whole, task)}."
        )
    failed = record.rows.height - asked(record.rows).height
    sentences.append(f"{_count(failed, 'trial')} failed and counted as missing." if failed else "No trial failed.")
    return " ".join(sentences)


def _items(rows: pl.DataFrame) -> str:
    items = rows["item"].n_unique()
    clusters = rows.select(pl.when(pl.col("cluster") == "").then("item").otherwise("cluster").n_unique()).item()
    return _count(items, "item") + (f" in {_count(clusters, 'cluster')}" if clusters < items else "")


def _each(rows: pl.DataFrame, subjects: Sequence[str]) -> str:
    """How many of the rows are each subject's: one number, or one for each."""
    counts = {who: int((rows["subject"] == who).sum()) for who in subjects}
    if len(set(counts.values())) == 1:
        return f"{next(iter(counts.values())):,}"
    return _listed(f"{count:,} ({_code(who)})" for who, count in counts.items())


def _unread(trials: pl.DataFrame, task: str) -> str:
    """The unread rates of the task itself, as its table of unread answers has them."""
    replies = asked(task_rows(trials, task)) if trials.height else trials
    rates = [100 * (own["outcome"] == "unread").sum() / own.height for _, own in replies.group_by(["subject"])]
    if not rates:
        return ""
    low, high = f"{min(rates):.1f}", f"{max(rates):.1f}"
    return f"; unread {low} %" if low == high else f"; unread {low} to {high} %"


def _prompts(record: StudyRecord) -> str:
    packs = []
    for task in record.tasks:
        used = {n: _pack(part["prompts"]) for n, part in record.parts(task).items() if "prompts" in part}
        packs.append(f"{_code(task)} {_differing(used) or 'unknown'}")
    readers = _differing({n: str(print["reader"]) for n, print in record.exams.items() if "reader" in print})
    judges = {n: _listed(map(_code, print["judges"])) for n, print in record.exams.items() if print.get("judges")}
    sentences = [
        f"Prompt packs (name and first digits of the digest): {'; '.join(packs)}.",
        f"Replies were read by Snellen's answer reader, version {readers or 'unknown'}.",
        "Unreadable replies count as incorrect.",
    ]
    return " ".join([*sentences, f"Replies were also judged by {_differing(judges)}."] if judges else sentences)


def _pack(name: str) -> str:
    """`wording.toml 906b538b278a` as a name and a digest."""
    origin, _, digest = name.rpartition(" ")
    return f"{_code(origin)} {_code(digest)}"


def _subjects(record: StudyRecord) -> str:
    return " ".join(f"{_code(who)}{_decoding(record, who)}." for who in record.subjects)


def _decoding(record: StudyRecord, subject: str) -> str:
    """The model behind a subject's name and its settings, exam by exam where they differ."""
    own = record.rows.filter(pl.col("subject") == subject)
    told: dict[int, str] = {}
    for number in own["exam"].unique().sort():
        print = record.exams.get(number, {})
        full = next((name for name, short in print.get("names", {}).items() if short == subject), subject)
        settings = print.get("settings", {}).get(full)
        if settings is None:
            continue
        chosen = ", ".join(_code(f"{name}={value}") for name, value in settings.items())
        told[number] = (f" ({_code(full)})" if full != subject else "") + f": {chosen or 'no settings'}"
    return _differing(told) or ": settings unknown"


def _statistics(record: StudyRecord) -> str:
    sentences = [
        "Accuracy is the share of right replies among all replies, with a 95 % Wilson interval; where an item is asked"
        f" more than once, the interval is clustered by item (bootstrap of whole items, {TIMES:,} resamples, fixed"
        " seed).",
        "Conditions are compared on the same items: difference with a 95 % interval over whole items, exact McNemar"
        " test, and exact sign-flip test over items.",
        "Losses are estimated step by step along each task's ladder, corrected for guessing.",
    ]
    tables: dict[str, list[str]] = {}
    for name, family in record.families.items():
        tables.setdefault(family, []).append(_code(name))
    if tables:
        families = "; ".join(f"{family} ({_listed(own)})" for family, own in tables.items())
        sentences.append(f"p-values are Holm-adjusted within these families (tables in brackets): {families}.")
    return " ".join([*sentences, *_until_sure(record), *_power(record)])


def _until_sure(record: StudyRecord) -> list[str]:
    """How ladders were tested that were asked until their steps were closed."""
    found = {
        (task, subject): SequentialResult.from_json(content)
        for exam in record.exams.values()
        for task, by_subject in exam.get(SEQUENTIAL, {}).items()
        for subject, content in by_subject.items()
    }
    if not found:
        return []
    calls = [
        f"{_code(task)} {who} {result.calls:,} of at most {result.most:,}" for (task, who), result in found.items()
    ]
    rules = {(result.alpha, result.miss, result.detect) for result in found.values()}
    errors = [
        f"at most {100 * alpha:.0f} % of exams show a loss where there is none, over all steps and looks, and at most"
        f" {100 * miss:.0f} % exclude a loss of {100 * detect:.0f} % of items"
        for alpha, miss, detect in sorted(rules)
    ]
    return [
        f"Ladders were asked sequentially, until every step was shown or excluded (calls: {_listed(calls)}), and tested"
        f" by betting (e-values; Ville's inequality): {_listed(errors)}. Intervals of their losses are 95 % confidence"
        " sequences (Waudby-Smith and Ramdas, 2024), cut at the threshold where a step is excluded. All other"
        " intervals and p-values assume a fixed design; of items that were chosen sequentially they only describe."
    ]


def _power(record: StudyRecord) -> list[str]:
    """The smallest faults that the exam detects, and where it detects none."""
    smallest: dict[str, list[float]] = {}
    for diagnosis in record.analysis.diagnoses:
        losses = [loss.smallest for loss in (*diagnosis.losses, *diagnosis.beside)]
        if losses:
            smallest.setdefault(diagnosis.task, []).extend(100 * share for share in losses if share is not None)
    power = f"with {100 * POWER:.0f} % power"
    detected = [f"{_code(task)} {_range(shares)} %" for task, shares in smallest.items() if shares]
    blind = [_code(task) for task, shares in smallest.items() if not shares]
    return [
        *(
            [f"Smallest fault detected {power}, as a share of the items, by step: {_listed(detected)}."]
            if detected
            else []
        ),
        *([f"Too few items to detect any fault {power}: {_listed(blind)}."] if blind else []),
    ]


def _range(shares: Sequence[float]) -> str:
    low, high = f"{min(shares):.0f}", f"{max(shares):.0f}"
    return low if low == high else f"{low} to {high}"


def _cited(references: Iterable[Reference]) -> dict[str, str]:
    """Citations of each task, with a blank before them."""
    keys: dict[str, list[str]] = {}
    for reference in references:
        for task in reference.tasks:
            keys.setdefault(task, []).append(f"@{reference.key}")
    return {task: f" [{'; '.join(own)}]" for task, own in keys.items()}


def _differing(values: Mapping[int, str]) -> str:
    """The value that all exams share, or each with its exams."""
    exams: dict[str, list[int]] = {}
    for number, value in values.items():
        exams.setdefault(value, []).append(number)
    if len(exams) < 2:
        return next(iter(exams), "")
    return _listed(
        f"{value} (exam{'s' if len(own) > 1 else ''} {_listed(map(str, own))})" for value, own in exams.items()
    )


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(parts: Iterable[str]) -> str:
    words = list(parts)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def _code(text: str) -> str:
    return "`" + clean(str(text)).replace("`", "'") + "`"
