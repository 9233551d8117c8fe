"""The card of a published folder, in the form of Hugging Face's data-set cards."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from snellen.analysis.ladder.charts import loss_name
from snellen.analysis.ladder.overview import verdict_word
from snellen.analysis.tables import escape_markdown
from snellen.charts.blocks import percent
from snellen.charts.numbers import whole_text
from snellen.examine import Exam
from snellen.examine.references import references_of
from snellen.plugins import bundled
from snellen.publish.folder import ITEMS, STIMULI, TRIALS
from snellen.publish.remaking import SEED
from snellen.tasks import GROUP

_FILES = (
    ("trials", TRIALS, "one row per trial: what was asked, the reply, how it was read"),
    ("calls", "data/calls-*.parquet", "every call: the request with pictures by digest, the reply, tokens, time"),
    ("items", ITEMS, "the items with what their makers know"),
    ("stimuli", STIMULI, "each item under each condition: question, key, labels, twin, digests of the pictures"),
)


def card(exam: Exam, manifest: Mapping[str, Any]) -> str:
    """The card in Markdown, with the head that the Hub reads."""
    findings = exam.findings
    subjects = list(exam.by_task.subjects)
    tasks = list(exam.by_task.tasks)
    title = f"{_listed(subjects)} examined by Snellen"
    counts = exam.by_task.height
    sections = [
        *_head(title, counts),
        f"# {_md(title)}",
        f"{counts:,} trials of {len(subjects)} subject{_s(subjects)} on {len(tasks)} task{_s(tasks)},"
        f" {_dates(manifest['exams'])}. There is no single score: the diagnosis says what is lost to which faculty.",
        "## Verdicts",
        *_verdicts(findings.diagnoses),
        "## Subjects",
        *(f"- {_code(who)}{_settings(who, exam.fingerprints)}" for who in subjects),
        "## Tasks and items",
        *(f"- {_code(task)}: {_task(task, exam.fingerprints, manifest['sources'])}" for task in tasks),
        "## Files",
        "Open `report/index.html` in a browser. `findings.json` and `tables/` hold all numbers.",
        *(f"- `{path}`: {about}" for _, path, about in _FILES),
        "## Verify",
        "`snellen verify FOLDER` checks every file, reads every reply again, computes every number again and makes the"
        " items again from their seeds. It says what could not be verified. It cannot tell whether the replies are"
        " the model's own.",
        f"Made with Snellen {_listed(_versions(exam.fingerprints))}; published by Snellen {manifest['snellen']}.",
        "## Licences",
        *_licences(tasks, manifest),
        *_references(tasks, exam),
    ]
    return _joined(sections)


def _joined(sections: Iterable[str]) -> str:
    """Paragraphs with an empty line between them, but none between the lines of a list or of the head."""
    text = ""
    for section in sections:
        close = section.startswith(("- ", "| ")) and text.rpartition("\n")[2].startswith(section[:2])
        text += ("" if not text else "\n" if close else "\n\n") + section
    return text


def _head(title: str, height: int) -> list[str]:
    sizes = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    size = next((word for most, word in sizes if height < most), "n>1M")
    configs = [line for name, path, _ in _FILES for line in _config(name, path)]
    lines = [
        "---",
        f"pretty_name: {json.dumps(title)}",
        "license: other",
        "license_name: see-below",
        "tags:",
        "- snellen",
        "- evaluation",
        "- vision-language",
        "size_categories:",
        f"- {size}",
        "configs:",
        *configs,
        "---",
    ]
    return ["\n".join(lines)]


def _config(name: str, path: str) -> list[str]:
    default = ["  default: true"] if name == "trials" else []
    return [f"- config_name: {name}", *default, "  data_files:", "  - split: test", f"    path: {path}"]


def _verdicts(diagnoses: Iterable[Any]) -> Iterator[str]:
    yield "| subject | task | verdict | lost, % of items (95 % CI) |"
    yield "| --- | --- | --- | --- |"
    for own in diagnoses:
        losses = "; ".join(f"{loss_name(loss.faculties)} {whole_text(percent(loss.share))}" for loss in own.losses)
        yield f"| {_md(own.subject)} | {_md(own.task)} | {_md(verdict_word(own))} | {_md(losses)} |"


def _settings(who: str, fingerprints: Iterable[Mapping[str, Any]]) -> str:
    for fingerprint in reversed([*fingerprints]):
        full = next((name for name, short in fingerprint.get("names", {}).items() if short == who), who)
        settings = fingerprint.get("settings", {}).get(full)
        if settings is not None:
            told = ", ".join(_code(f"{name}={value}") for name, value in settings.items()) or "no settings"
            return (f" ({_code(full)})" if full != who else "") + f": {told}"
    return ""


def _task(task: str, fingerprints: Iterable[Mapping[str, Any]], sources: Mapping[str, str]) -> str:
    told = []
    for fingerprint in fingerprints:
        part = fingerprint.get("tasks", {}).get(task)
        if part:
            told.append(
                f"design {_code(part.get('design', ''))}, n {part.get('n')}, seed {fingerprint.get('seed')}, prompts"
                f" {_code(part.get('prompts', ''))}"
            )
    source = sources.get(task)
    origin = "generated from the seed" if source == SEED else f"items of {_code(source or 'another tool')}"
    return "; ".join((*dict.fromkeys(told), origin))


def _licences(tasks: Iterable[str], manifest: Mapping[str, Any]) -> Iterator[str]:
    sources = manifest["sources"]
    for task in tasks:
        source = sources.get(task)
        if source == SEED and task in bundled(GROUP):
            yield f"- {_code(task)}: items, pictures and keys are generated by Snellen and come under its licence."
        elif source == SEED:
            yield (
                f"- {_code(task)}: items are generated by a task that is not part of Snellen; its author's licence"
                " applies. Its pictures are not included."
            )
        else:
            yield (
                f"- {_code(task)}: items of {_code(source or 'another tool')}. Its own licence applies to questions,"
                " keys and descriptions here; its pictures are not included, only their digests."
            )
    yield "- Replies: the terms of each model and of its provider apply. Check them before you use replies in training."


def _references(tasks: Iterable[str], exam: Exam) -> Iterator[str]:
    items = [item for task in tasks for item in exam.by_task.rows(task)["item"].unique(maintain_order=True)]
    due = references_of(tasks, items)
    if due:
        yield "## Papers behind the tasks"
        yield "```bibtex\n" + "\n\n".join(reference.bibtex for reference in due) + "\n```"


def _versions(fingerprints: Iterable[Mapping[str, Any]]) -> list[str]:
    return [*dict.fromkeys(str(print.get("snellen", "unknown")) for print in fingerprints)] or ["unknown"]


def _dates(exams: Iterable[Mapping[str, Any]]) -> str:
    days = sorted({datetime.fromtimestamp(exam["started"], UTC).date().isoformat() for exam in exams})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else "date unknown"


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    more = f" and {len(first) - 2} more" if len(first) > 3 else ""
    return f"{', '.join(first[:3])}{more or ' and ' + last}" if first else last


def _s(things: list[str]) -> str:
    return "" if len(things) == 1 else "s"


def _md(text: str) -> str:
    return escape_markdown(" ".join(text.split()))


def _code(text: object) -> str:
    return "`" + " ".join(str(text).split()).replace("`", "'") + "`"
