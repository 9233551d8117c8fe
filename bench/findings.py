"""What the analysis takes: findings of 100,000 trials over five tasks, grown from small exams of simulated subjects."""

import tempfile
from pathlib import Path
from time import process_time

import polars as pl

from snellen import exam
from snellen.examine.findings import findings

TRIALS = 100_000
TASKS = {"fixation": 2, "bongard": 4, "winoground": 6, "marvel": 12, "capacity": 11}
SUBJECTS = ["sim/fixated", "sim/nearsighted", "sim/chatty"]


def measure() -> list[tuple[str, str, str]]:
    rows = grown(TRIALS)
    started = process_time()
    findings(rows)
    took = process_time() - started
    return [(f"findings of {rows.height:,} trials, five tasks, three subjects", f"{took:.1f} s of CPU", "")]


def grown(trials: int) -> pl.DataFrame:
    """So many rows: those of small exams over and over, every time as other items."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "small.sqlite"
        small = exam(SUBJECTS, tasks=list(TASKS), n=TASKS, store=store).rows
    times = -(-trials // small.height)
    again = [
        small.with_columns(pl.format("{}~{}", "item", pl.lit(k)), pl.format("{}~{}", "cluster", pl.lit(k)))
        for k in range(times)
    ]
    return pl.concat(again).head(trials)
