"""Model-based filtering: a data set without what tells nobody anything.

An item that every screened model gets tells no model from another and is dropped; so is one that duplicates another
(see `curation/duplicates.py`). An item that nobody gets may be hard or broken: it is kept, and flagged for somebody to
look at. Items without enough trials are kept. What became of every item, and why, is in the log beside the new set.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal, Protocol, TypeVar

import polars as pl

from snellen.analysis import Table
from snellen.curation.duplicates import Duplicate, duplicates, whole
from snellen.curation.screening import ModelTally, ScreenedItem, Tallies, known_items, screen
from snellen.errors import UserError
from snellen.item import Stimulus
from snellen.tasks.export import read_items, write_items
from snellen.tasks.prints import PictureFingerprint, print_of

T = TypeVar("T")

LOG = "filter-log.jsonl"
THRESHOLD = 0.95

Fate = Literal["kept", "flagged", "dropped"]
Reason = Literal["mixed", "no trials", "too few models", "nobody gets it", "everybody gets it", "duplicate"]


class ProgressWatch(Protocol):
    """Shows the progress of an iteration: the things, their number, and what is done with them."""

    def __call__(self, things: Iterable[T], total: int, label: str, /) -> Iterator[T]: ...


@dataclass(frozen=True, slots=True)
class Rules:
    """`threshold`: a model gets an item if it is right in more than this share of its trials, or in all of them.
    `subjects`: how many models must have been asked before an item is dropped or flagged; None: all that are there."""

    threshold: float = THRESHOLD
    subjects: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise UserError(f"--threshold {self.threshold:g}: expected a share from 0 to 1, such as {THRESHOLD}")


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether an item is kept, and why."""

    item: ScreenedItem
    fate: Fate
    reason: Reason
    why: str
    tallies: Mapping[str, ModelTally]
    duplicate_of: str = ""


@dataclass(frozen=True, slots=True)
class Filtered:
    """What was done: a decision for every item in the set's order, the models, and where the rest now is."""

    decisions: tuple[Decision, ...]
    models: tuple[str, ...]
    threshold: float
    rows: int
    folder: Path


def filter_items(folder: Path, runs: Sequence[Path], out: Path, rules: Rules, watch: ProgressWatch) -> Filtered:
    """Filter the data set in `folder` by the trials in `runs` into `out`, a new or empty folder."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"folder {out}: exists and is not empty; choose another with -o or remove it")
    rows = _row_count(folder)
    items = known_items(watch(read_items(folder), rows, "reading"))
    tallies = screen(items, runs)
    if not tallies:
        raise UserError(
            f"no trials match these items ({len(items):,} in {folder}, first {next(iter(items), 'none')}): "
            "give runs of the same task, seed and size"
        )
    models = tuple(sorted({model for counts in tallies.values() for model in counts}))

    def prints_of(digests: frozenset[str]) -> Mapping[str, PictureFingerprint]:
        return _prints(watch(read_items(folder), rows, "comparing"), digests) if digests else {}

    decisions = decide(items, tallies, rules, models, prints_of)
    written = _write(watch(_survivors(folder, decisions), rows, "writing"), folder, out, decisions)
    return Filtered(decisions, models, rules.threshold, written, out)


def decide(
    items: Mapping[str, ScreenedItem],
    tallies: Tallies,
    rules: Rules,
    models: Sequence[str],
    prints_of: Callable[[frozenset[str]], Mapping[str, PictureFingerprint]],
) -> tuple[Decision, ...]:
    """What becomes of every item. Only items that are not too easy are looked over for duplicates, so that of two that
    are alike one stays."""
    needed = len(models) if rules.subjects is None else rules.subjects
    if needed > len(models):
        raise UserError(f"--min-subjects {needed}: only {len(models)} models were asked ({', '.join(models)})")
    screened = {name: _screened(item, tallies.get(name, {}), rules.threshold, needed) for name, item in items.items()}
    left = [whole(item.faces) for name, item in items.items() if screened[name].fate != "dropped"]
    copies = duplicates(left, prints_of)
    return tuple(_copied(decision, copies[name]) if name in copies else decision for name, decision in screened.items())


def _screened(item: ScreenedItem, tallies: Mapping[str, ModelTally], threshold: float, needed: int) -> Decision:
    def so(fate: Fate, reason: Reason, why: str) -> Decision:
        return Decision(item, fate, reason, why, tallies)

    asked = len(tallies)
    if not asked:
        return so("kept", "no trials", "no model was asked")
    if asked < needed:
        return so("kept", "too few models", f"{asked} of {needed} models were asked")
    getting = sum(gets(tally, threshold) for tally in tallies.values())
    if getting == asked:
        return so("dropped", "everybody gets it", f"all {asked} models get it (threshold {threshold:g})")
    if not any(tally.right for tally in tallies.values()):
        return so("flagged", "nobody gets it", f"none of {asked} models was ever right: hard, or the key is wrong")
    return so("kept", "mixed", f"{getting} of {asked} models get it")


def gets(tally: ModelTally, threshold: float) -> bool:
    """True if a model solves an item."""
    return tally.right == tally.asked or tally.share > threshold


def _copied(decision: Decision, copy: Duplicate) -> Decision:
    how = "the same pictures, words and key" if copy.exact else "pictures that look the same, the same words and key"
    return Decision(decision.item, "dropped", "duplicate", f"{how} as {copy.of}", decision.tallies, copy.of)


def _row_count(folder: Path) -> int:
    """How many rows a data set has, for a bar; whatever is wrong with it is said when it is read."""
    try:
        if shards := sorted(folder.glob("data/*.parquet")):
            return sum(int(pl.scan_parquet(shard, glob=False).select(pl.len()).collect().item()) for shard in shards)
        with (folder / "metadata.jsonl").open("rb") as file:
            return sum(1 for _ in file)
    except (OSError, pl.exceptions.PolarsError):
        return 0


def _prints(stimuli: Iterable[Stimulus], digests: frozenset[str]) -> dict[str, PictureFingerprint]:
    prints: dict[str, PictureFingerprint] = {}
    for stimulus in stimuli:
        for part in (*stimulus.demonstrations, *stimulus.parts):
            if not isinstance(part, str) and part.digest in digests and part.digest not in prints:
                prints[part.digest] = print_of(part, f"item {stimulus.item.id}")
    return prints


def _survivors(folder: Path, decisions: Sequence[Decision]) -> Iterator[Stimulus]:
    staying = {decision.item.id for decision in decisions if decision.fate != "dropped"}
    return (stimulus for stimulus in read_items(folder) if stimulus.item.id in staying)


def _write(stimuli: Iterator[Stimulus], folder: Path, out: Path, decisions: Sequence[Decision]) -> int:
    """Write the new set and its log; both are there when all is well, else neither."""
    if all(decision.fate == "dropped" for decision in decisions):
        raise UserError(f"all {len(decisions):,} items would be dropped; raise --threshold or screen with other models")
    kind: Literal["parquet", "jsonl"] = "parquet" if any(folder.glob("data/*.parquet")) else "jsonl"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            written = write_items(stimuli, beside / out.name, kind)
            log = "".join(json.dumps(log_line(decision), ensure_ascii=True) + "\n" for decision in decisions)
            (beside / out.name / LOG).write_text(log, encoding="utf-8", newline="\n")
            if out.exists():
                out.rmdir()
            (beside / out.name).rename(out)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise UserError(f"folder {out}: {error.strerror or error}; nothing was written") from None
    return written


def log_line(decision: Decision) -> dict[str, Any]:
    """A decision as one line of the log."""
    item = decision.item
    return {
        "item": item.id,
        "task": item.task,
        "levels": dict(item.levels),
        "fate": decision.fate,
        "reason": decision.reason,
        "why": decision.why,
        **({"duplicate_of": decision.duplicate_of} if decision.duplicate_of else {}),
        "models": {
            model: {"share": round(t.share, 4), "right": t.right, "asked": t.asked, "unread": t.unread}
            for model, t in sorted(decision.tallies.items())
        },
    }


# For people


def items_table(done: Filtered) -> Table:
    """How many items of each group were dropped and why, and what is left."""
    by = _grouping([decision.item for decision in done.decisions])
    groups: dict[str, Counter[str]] = {}
    everything: Counter[str] = Counter()
    for decision in done.decisions:
        counts = groups.setdefault(", ".join(decision.item.levels.get(name, "") for name in by), Counter())
        for count in (counts, everything):
            count.update(["items", decision.fate, decision.reason])
    rows = [*groups.items(), ("all", everything)] if by else [("all", everything)]
    return Table(
        "filtered",
        "Fate of the items",
        "left: in the new set, among them those flagged because nobody gets them, and those of which too few models"
        " were asked, or none.",
        (", ".join(by), "items", "too easy", "duplicate", "left", "flagged", "too few asked", "never asked"),
        tuple((name, *_numbers(count)) for name, count in rows),
    )


def _numbers(count: Counter[str]) -> tuple[int, ...]:
    left = count["items"] - count["dropped"]
    reasons = (count["everybody gets it"], count["duplicate"], left, count["flagged"])
    return (count["items"], *reasons, count["too few models"], count["no trials"])


def _grouping(items: Sequence[ScreenedItem]) -> tuple[str, ...]:
    """The factors of items that a summary is by: the kind if they have one, else as many as give a short table."""
    names = dict.fromkeys(name for item in items for name in item.levels)
    varying = tuple(name for name in names if len({item.levels.get(name) for item in items}) > 1)
    if "kind" in varying:
        return ("kind",)
    for count in range(len(varying), 1, -1):
        if len({tuple(item.levels.get(name) for name in varying[:count]) for item in items}) <= _MOST_GROUPS:
            return varying[:count]
    return varying[:1]


_MOST_GROUPS = 15


def models_table(done: Filtered) -> Table:
    """The screened models: how many items each was asked and how many it gets."""

    def row(model: str) -> tuple[str | int | float, ...]:
        tallies = [decision.tallies[model] for decision in done.decisions if model in decision.tallies]
        asked, right = sum(tally.asked for tally in tallies), sum(tally.right for tally in tallies)
        unread = sum(tally.unread for tally in tallies)
        got = sum(gets(tally, done.threshold) for tally in tallies)
        return (model, len(tallies), got, asked, 100 * right / asked, 100 * unread / asked)

    return Table(
        "screened",
        "Screened models",
        f"A model gets an item if it is right in more than {100 * done.threshold:g} % of its trials, or in all.",
        ("model", "items", "gets", "trials", "right %", "unread %"),
        tuple(row(model) for model in done.models),
    )
