"""What the tests cost, by folder and the dearest of them, as a table for CONTRIBUTING.md.

    python -m pytest -n 2 --dist worksteal --junitxml=junit.xml
    python tools/test_costs.py junit.xml

Seconds are those of the clock, set-up included: on a machine with nothing else to do, about those of its processors.
"""

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

DEAREST = 10
"""How many single tests are named."""


def costs(report: Path) -> list[tuple[str, str, float]]:
    """Folder, name and seconds of every test in a JUnit report."""
    cases = ElementTree.parse(report).iter("testcase")  # noqa: S314 (a file of one's own)
    return [(_folder(case.get("classname", "")), case.get("name", ""), float(case.get("time", 0))) for case in cases]


def _folder(module: str) -> str:
    """`tests/tasks/marvel` of `tests.tasks.marvel.test_marvel_load`."""
    parts = module.split(".")
    place = next((k for k, part in enumerate(parts) if part.startswith("test_")), len(parts))
    return "/".join(parts[:place])


def tables(rows: list[tuple[str, str, float]]) -> str:
    """Two tables in Markdown: folders, and the dearest tests."""
    folders: dict[str, list[float]] = defaultdict(list)
    for folder, _, seconds in rows:
        folders[folder].append(seconds)
    total = sum(seconds for _, _, seconds in rows)
    lines = ["| folder | tests | seconds |", "|---|--:|--:|"]
    for folder, times in sorted(folders.items(), key=lambda pair: -sum(pair[1])):
        lines.append(f"| `{folder}` | {len(times):,} | {sum(times):.0f} |")
    lines += [f"| all | {len(rows):,} | {total:.0f} |", "", "| test | seconds |", "|---|--:|"]
    for folder, name, seconds in sorted(rows, key=lambda row: -row[2])[:DEAREST]:
        lines.append(f"| `{folder}`: {name} | {seconds:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(tables(costs(Path(sys.argv[1]))))  # noqa: T201
