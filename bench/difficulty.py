"""Accuracy against level: what simulated eyes of limited resolution see, and what a real model answers.

    python -m bench.difficulty                                     # the eyes, all kinds: some minutes
    python -m bench.difficulty --kinds maze jigsaw --n 10
    python -m bench.difficulty --subject local/small:max_tokens=64 --kinds maze --n 12
    python -m bench.difficulty --write && make results             # docs/results/difficulty.md from new figures

Eyes are asked to tell an item from others that differ in one thing (`bench.difficulty_rivals`); a subject is asked the
items of an exam. `--store` keeps a subject's answers, so that an interrupted run continues.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import snellen
from bench.difficulty_eyes import EYES
from bench.difficulty_rivals import Graded, every
from snellen.analysis.estimates import wilson
from snellen.rng import stream

DATA = Path(__file__).parents[1] / "docs" / "results" / "data" / "difficulty.csv"
WORK = "work"
"""In place of a subject: the median of what the maker notes as an item's difficulty, in `right`, over `n` items."""


class Measured(NamedTuple):
    """`right` of `n` answers of a subject at a level; by luck `chance` of all. `unread`: answers that say nothing."""

    kind: str
    level: str
    subject: str
    right: float
    n: int
    chance: float | None = None
    unread: int = 0
    note: str = ""


def by_eyes(graded: Graded, n: int) -> Iterator[Measured]:
    """How often each eye tells an item of a level from its rivals; how much work the items are."""
    for level in graded.levels:
        told = dict.fromkeys(EYES, 0)
        shown = 0
        for index in range(n):
            candidates = graded.candidates(level, index)
            if len(candidates) < graded.rivals + 1:
                continue
            shown += 1
            for eye in EYES:
                dice = np.random.default_rng(stream(index, "noise", graded.name, level, eye.side).below(2**53))
                told[eye] += eye.tells(candidates, dice)
        chance = 1 / (graded.rivals + 1)
        yield from (Measured(graded.name, level, eye.name, told[eye], shown, chance) for eye in EYES if shown)
        if graded.work:
            steps = median(graded.work(level, index) for index in range(n))
            yield Measured(graded.name, level, WORK, steps, n, note=graded.unit)


def by_subject(graded: Graded, subject: str, n: int, store: Path) -> Iterator[Measured]:
    """How many of n items of each level a subject answers right, asked once each with their pictures."""
    task, design, by_level = graded.asked
    for level, asked in by_level.items():
        rows = snellen.exam(subject, store=store, tasks=task, design=design, n=n, seed=0, levels=asked).rows
        for factor, values in asked.items():
            rows = rows.filter(rows[factor].is_in(values))
        rows = rows.filter(rows["paradigm"] == "direct", rows["task"] == task)
        right, unread = (rows.filter(rows["outcome"] == outcome).height for outcome in ("right", "unread"))
        yield Measured(graded.name, level, subject, right, rows.height, None, unread)


def merged(old: Iterable[Measured], new: Iterable[Measured]) -> list[Measured]:
    """The old figures with the new ones in their places, kind by kind and level by level."""
    order = [(name, level) for name, graded in every().items() for level in graded.levels]
    places = {(row.kind, row.level, row.subject): row for row in (*old, *new)}
    return sorted(
        (row for row in places.values() if (row.kind, row.level) in order),
        key=lambda row: order.index((row.kind, row.level)),
    )


def read(path: Path = DATA) -> list[Measured]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Measured(
                row["kind"],
                row["level"],
                row["subject"],
                float(row["right"]),
                int(row["n"]),
                float(row["chance"]) if row["chance"] else None,
                int(row["unread"]),
                row["note"],
            )
            for row in csv.DictReader(file)
        ]


def write(rows: Sequence[Measured], path: Path = DATA) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Measured._fields)
        for row in rows:
            writer.writerow(["" if value is None else value for value in row])


def line(row: Measured) -> str:
    if row.subject == WORK:
        return f"{row.kind:22} {row.level:14} {row.right:g} {row.note}"
    low, high = wilson(row.right / row.n, row.n)
    luck = "" if row.chance is None else f", luck {row.chance:.0%}"
    unread = f", {row.unread} unread" if row.unread else ""
    share = f"{row.right / row.n:4.0%} ({low:.0%}-{high:.0%}) of {row.n}{luck}{unread}"
    return f"{row.kind:22} {row.level:14} {row.subject:12} {share}"


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    kinds = every()
    parser = argparse.ArgumentParser(prog="python -m bench.difficulty", description="Accuracy against level.")
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=[*kinds], metavar="KIND", help=", ".join(kinds))
    parser.add_argument("--n", type=int, default=24, help="items of each kind and level")
    parser.add_argument("--subject", help="ask this subject instead of the simulated eyes, e.g. local/./small")
    parser.add_argument("--name", help="the subject's name in the table")
    parser.add_argument("--store", type=Path, help="keeps the answers of the subject")
    parser.add_argument("--write", action="store_true", help=f"put the figures into {DATA.name}; then: make results")
    chosen = parser.parse_args(words)
    if chosen.n < 1:
        parser.error(f"--n {chosen.n}: expected 1 or more")
    return chosen


def main(words: Sequence[str] | None = None) -> int:
    chosen, kinds = options(words), every()
    with TemporaryDirectory() as folder:
        store = chosen.store or Path(folder) / "difficulty.sqlite"
        for name in chosen.kinds:
            graded = kinds[name]
            if chosen.subject:
                found = by_subject(graded, chosen.subject, chosen.n, store)
            else:
                print(f"# {name}, to be told from what differs in this: {graded.differs}", flush=True)
                found = by_eyes(graded, chosen.n)
            rows = []
            for row in found:
                rows.append(row._replace(subject=chosen.name) if chosen.subject and chosen.name else row)
                print(line(rows[-1]), flush=True)
            if chosen.write:  # kind by kind, so that nothing is lost if a later one is interrupted
                write(merged(read(), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
