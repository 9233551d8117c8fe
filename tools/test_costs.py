"""What the tests cost, by folder, and the dearest of them: the tables in CONTRIBUTING.md, which `make costs` renews.

    python -m pytest -n 2 --dist worksteal --junitxml=junit.xml
    python tools/test_costs.py junit.xml            prints them
    python tools/test_costs.py junit.xml --write    puts them into CONTRIBUTING.md

Seconds are those of the processor, set-up and the processes that a test started included; tests/conftest.py has them
written into the report.
"""

import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

DEAREST = 10
"""How many single tests are named."""
PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
BEGIN, END = "<!-- costs: make costs -->\n", "<!-- end of costs -->\n"


class Cost(NamedTuple):
    """What one test takes."""

    folder: str
    test: str
    seconds: float


def costs(report: Path) -> list[Cost]:
    """The cost of every test in a JUnit report."""
    return [_cost(case) for case in ElementTree.parse(report).iter("testcase")]  # noqa: S314 (a file of one's own)


def _cost(case: ElementTree.Element) -> Cost:
    parts = case.get("classname", "").split(".")
    place = next((k for k, part in enumerate(parts) if part.startswith("test_")), len(parts))
    measured = case.find("properties/property[@name='cpu']")
    seconds = 0.0 if measured is None else float(measured.get("value", 0))
    return Cost("/".join(parts[:place]), case.get("name", ""), seconds)


def tables(rows: list[Cost]) -> str:
    """Two tables in Markdown: folders, and the dearest tests."""
    folders: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        folders[row.folder].append(row.seconds)
    lines = ["| folder | tests | CPU seconds |", "|---|--:|--:|"]
    for folder, seconds in sorted(folders.items(), key=lambda pair: -sum(pair[1])):
        lines.append(f"| `{folder}` | {len(seconds):,} | {sum(seconds):.0f} |")
    lines.append(f"| all | {len(rows):,} | {sum(row.seconds for row in rows):.0f} |")
    lines += ["", "| test | CPU seconds |", "|---|--:|"]
    for row in sorted(rows, key=lambda row: -row.seconds)[:DEAREST]:
        lines.append(f"| `{row.folder}`: {row.test} | {row.seconds:.1f} |")
    return "\n".join(lines)


def written(page: str, told: str) -> str:
    """The page with these tables in their place."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{told}\n{END}{after}"


if __name__ == "__main__":
    told = tables(costs(Path(sys.argv[1])))
    if "--write" in sys.argv:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), told), encoding="utf-8")
    else:
        sys.stdout.write(told + "\n")
