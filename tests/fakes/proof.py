"""The proof of the diagnosis: fakes with known faults, examined over many seeds, and what was seen of each.

    make proof
    cd tests && python -m fakes.proof --only bias winoground/half-leaner --seeds 5 --keep FOLDER --out results.jsonl
    cd tests && python -m fakes.proof --keep FOLDER --again

Every exam is one task at its default size with all its fakes at once, held in this process on functions. Exit status 1
if a bar is missed or a diagnosis contradicts itself. `--keep` keeps the stores: answers that are there are not asked
for again, and `--again` asks nothing at all but reads the diagnoses anew, after a change to the analysis. Stores know
nothing of changes to the fakes: after one, begin with an empty folder.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from traceback import format_exc
from typing import Any

import snellen
from fakes.bars import Seen, contradictions
from fakes.knowing import lesson
from fakes.lacking import Mind
from fakes.planted import FAMILIES, Fake, Family
from fakes.server import Part
from snellen.call import Subject
from snellen.charts.blocks import to_json
from snellen.examine.findings import ladders
from snellen.examine.result import Exam
from snellen.subjects.own import own_subject

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SINGLE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS")


@dataclass(frozen=True)
class Sitting:
    """One exam: the fakes of a task, by name, on the items of one seed. `n`: base items, if not the default."""

    task: str
    seed: int
    fakes: tuple[str, ...]
    folder: Path
    n: int | None = None
    again: bool = False

    @property
    def family(self) -> Family:
        known = FAMILIES[self.task]
        return replace(known, fakes=tuple(fake for fake in known.fakes if fake.name in self.fakes))

    @property
    def store(self) -> Path:
        return self.folder / f"{self.task}-{self.seed}.sqlite"

    @property
    def put_in(self) -> Path:
        """What each fake lacked on the items of this exam, as JSON."""
        return self.folder / f"{self.task}-{self.seed}.json"


def held(sitting: Sitting) -> list[Seen]:
    """The exam, and what was seen of every fake in it; with `again`, of those that its store knows."""
    if not sitting.again:
        _ask(sitting)
    put_in: Mapping[str, Mapping[str, float]] = json.loads(sitting.put_in.read_text())
    exam = Exam(sitting.store, [fake.name for fake in sitting.family.fakes])
    diagnoses = ladders(exam.rows, exam.fingerprints)[sitting.task].diagnoses
    return [Seen(sitting.task, sitting.seed, one.subject, one, put_in.get(one.subject, {})) for one in diagnoses]


def _ask(sitting: Sitting) -> None:
    family = sitting.family
    learned = lesson(family.task, sitting.seed, family.levels, sitting.n)
    minds = [Mind(fake.name, fake.by, learned) for fake in family.fakes]
    snellen.exam(
        {mind.name: _subject(mind) for mind in minds},
        tasks=learned.task,
        n=sitting.n,
        seed=sitting.seed,
        levels=family.levels,
        store=sitting.store,
    )
    known = json.loads(sitting.put_in.read_text()) if sitting.put_in.exists() else {}
    sitting.put_in.write_text(json.dumps({**known, **{mind.name: mind.shares() for mind in minds}}))


def _subject(mind: Mind) -> Subject:
    async def answers(parts: list[Part]) -> str:
        return mind(parts)

    return own_subject(answers, name=mind.name, pictures="bytes")


def sittings(chosen: argparse.Namespace, folder: Path) -> Iterator[Sitting]:
    """The exams that were asked for, task by task."""
    for family in FAMILIES.values():
        fakes = tuple(fake.name for fake in family.fakes if _is_chosen(family.task, fake, chosen.only))
        seeds = range(chosen.first, chosen.first + min(chosen.seeds, family.seeds))
        for seed in seeds if fakes else ():
            one = Sitting(family.task, seed, fakes, folder, chosen.n, chosen.again)
            if not chosen.again or one.put_in.exists():
                yield one


def _is_chosen(task: str, fake: Fake, only: Sequence[str]) -> bool:
    return not only or bool({task, fake.name, f"{task}/{fake.name}"} & set(only))


def attempt(sitting: Sitting) -> list[Seen] | str:
    """The same; what went wrong, if something did, so that one exam does not end the others."""
    try:
        return held(sitting)
    except Exception:
        return format_exc()


def results(planned: Sequence[Sitting], processes: int) -> Iterator[tuple[Sitting, list[Seen] | str]]:
    """Every exam as it ends."""
    if processes == 1:
        yield from ((sitting, attempt(sitting)) for sitting in planned)
        return
    os.environ.update(dict.fromkeys(_SINGLE, "1"))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(attempt, sitting): sitting for sitting in planned}
        for done in as_completed(running):
            yield running[done], done.result()


@dataclass(frozen=True)
class Line:
    """One bar of one fake, and how often it was seen to hold."""

    task: str
    fake: Fake
    says: str
    wanted: str
    times: int
    exams: int
    is_met: bool


def lines(seen: Iterable[Seen]) -> Iterator[Line]:
    by_fake: dict[tuple[str, str], list[Seen]] = {}
    for one in seen:
        by_fake.setdefault((one.task, one.fake), []).append(one)
    for family in FAMILIES.values():
        for fake in family.fakes:
            exams = by_fake.get((family.task, fake.name), [])
            for bar in fake.bars if exams else ():
                times, many = sum(map(bar.holds, exams)), len(exams)
                yield Line(family.task, fake, bar.says, bar.limit(many), times, many, bar.is_met(times, many))


def table(rows: Sequence[Line]) -> Iterator[str]:
    cells = [("task", "fake", "what must be seen", "how often", "was", "", "what it lacks")]
    for row in rows:
        seen, met = f"{row.times} of {row.exams}", "" if row.is_met else "MISSED"
        cells.append((row.task, row.fake.name, row.says, row.wanted, seen, met, row.fake.lacks))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def record(seen: Seen) -> dict[str, Any]:
    """What the lines of `--out` hold."""
    who = {"task": seen.task, "seed": seen.seed, "fake": seen.fake, "put_in": dict(seen.put_in)}
    return {**who, "contradictions": [*contradictions(seen)], **to_json(seen.diagnosis)}


def main(arguments: Sequence[str] | None = None) -> int:
    chosen = _chosen(arguments)
    all_seen: list[Seen] = []
    broken, start = 0, monotonic()
    with ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        out = stack.enter_context(chosen.out.open("w")) if chosen.out else None
        planned = [*sittings(chosen, folder)]
        if not planned:
            sys.exit("nothing to examine: check --only, and --keep with --again")
        for number, (sitting, seen) in enumerate(results(planned, chosen.processes), 1):
            spent = f"{monotonic() - start:.0f} s"
            print(f"{number} of {len(planned)}: {sitting.task}, seed {sitting.seed} ({spent})", flush=True)
            if isinstance(seen, str):
                broken += 1
                print(seen, file=sys.stderr, flush=True)
                continue
            all_seen += seen
            if out:
                out.writelines(f"{json.dumps(record(one))}\n" for one in seen)
                out.flush()
    return _told(all_seen, broken)


def _told(seen: Sequence[Seen], broken: int) -> int:
    """Print what was seen; the exit status."""
    rows = [*lines(seen)]
    print("", *table(rows), "", sep="\n")
    false: dict[tuple[str, str, str], list[tuple[int, str]]] = {}
    for one in seen:
        for what in contradictions(one):
            false.setdefault((one.task, one.fake, _NUMBER.sub("#", what)), []).append((one.seed, what))
    for (task, fake, _), found in false.items():
        print(f"contradiction: {task}/{fake}, {len(found)} times, first in seed {found[0][0]}: {found[0][1]}")
    missed, times = sum(not row.is_met for row in rows), sum(map(len, false.values()))
    print(f"bars: {len(rows)}, missed: {missed}; diagnoses: {len(seen)}, contradictions: {times}")
    if broken:
        print(f"exams that could not be held or read: {broken}")
    return int(bool(missed or false or broken))


def _chosen(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fakes.proof", description="Examine fakes with known faults.")
    parser.add_argument("--seeds", type=int, default=20, help="exams of each task (capacity: at most 10)")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--only", nargs="+", default=[], help="tasks, fakes, or TASK/FAKE")
    parser.add_argument("--n", type=int, help="base items, instead of the default size")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="folder that keeps the stores")
    parser.add_argument("--again", action="store_true", help="ask nothing: read the kept stores anew")
    parser.add_argument("--out", type=Path, help="file for one JSON line a diagnosis")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
