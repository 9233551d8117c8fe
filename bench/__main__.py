"""All benchmarks in one table: `make bench`. Figures that matter are ratios measured in one run on one machine."""

import platform
import sys
from importlib import import_module
from os import cpu_count

PARTS = (
    "startup",
    "drawing",
    "published_design",
    "marvel",
    "capacity",
    "pace",
    "engine",
    "merge",
    "servers",
    "findings",
    "report",
    "ladder",
    "power",
    "sequential",
    "local",
)


def main() -> None:
    chosen = sys.argv[1:] or PARTS
    if unknown := [part for part in chosen if part not in PARTS]:
        sys.exit(f"no bench {unknown[0]}; expected some of: {' '.join(PARTS)}")
    rows: list[tuple[str, str, str]] = []
    for part in chosen:
        print(f"{part} ...", file=sys.stderr, flush=True)
        rows += import_module(f"bench.{part}").measure()
    print(f"\n{platform.machine()}, {cpu_count()} cores, Python {platform.python_version()}\n")
    print("| what | measured | wanted |\n|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
