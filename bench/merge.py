"""Merging eight stores of as many trials each, as workers write them: CPU seconds, and that memory does not grow.

The stores hold the trials of a small exam of simulated subjects over and over, each as other items (`bench.million`),
and share no keys but those of the exam's pictures. `python -m bench.merge 10000 100000` measures other sizes.
"""

import sys
import tempfile
from pathlib import Path

from bench.million import grow, peak

SIZES = (1_000, 10_000)
STORES = 8


def measure(sizes: tuple[int, ...] = SIZES) -> list[tuple[str, str, str]]:
    rows = []
    least = 0.0
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            stores = [Path(folder) / f"{number}.sqlite" for number in range(STORES)]
            trials = sum(grow(store, size, salt=number) for number, store in enumerate(stores))
            there = sum(store.stat().st_size for store in stores)
            merged = Path(folder) / "merged.sqlite"
            for name in ("", ", again"):
                memory, cpu, _ = peak(["merge", *map(str, stores), "-o", str(merged)])
                least = least or memory
                told = f"{memory:,.0f} MB, {cpu:.1f} s of CPU, {1e6 * cpu / trials:,.0f} µs a trial"
                wanted = f"<= 1.2x (is {memory / least:.1f}x)" if size != sizes[0] else ""
                rows.append(
                    (f"`snellen merge` of {STORES} stores, {trials:,} trials{name}: peak memory, time", told, wanted)
                )
            told = f"{there / 1e6:,.0f} MB in {STORES} stores, {merged.stat().st_size / 1e6:,.0f} MB merged"
            rows.append((f"{trials:,} trials on disk", told, ""))
    return rows


if __name__ == "__main__":
    for row in measure(tuple(map(int, sys.argv[1:])) or SIZES):
        print(" | ".join(row), flush=True)
