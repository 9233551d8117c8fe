"""Everything that is found in a store, as JSON: run in a process of its own, under settings that must not matter.

python shown_numbers.py STORE OUT [SEED]: with a seed, rows are read in a random order.
"""

import io
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from snellen.analysis import tables, to_json
from snellen.cli.screen import show_overview
from snellen.engine import Store
from snellen.examine import Exam
from snellen.examine.findings import tables as tables_of


def shuffle_rows(seed: int) -> None:
    """From now on a store's rows come in a random order: trials are recorded as replies come in."""
    in_order = Store.rows

    def shuffled(self: Store, *chosen: Any) -> Any:
        return in_order(self, *chosen).sample(fraction=1.0, shuffle=True, seed=seed)

    Store.rows = shuffled  # type: ignore[assignment, method-assign]


def shown(store: Path) -> dict[str, Any]:
    """The findings in full, the overview of the terminal, and every table as `snellen table` prints it."""
    exam = Exam(store)
    console = Console(file=io.StringIO(), width=100)
    show_overview(exam.findings.diagnoses, console)
    named = tables_of(exam.rows, 0, exam.fingerprints)
    return {
        "findings": to_json(exam.findings),
        "overview": console.file.getvalue(),  # type: ignore[attr-defined]
        "tables": {name: tables.render(table.make()) for name, table in named.items()},
    }


if __name__ == "__main__":
    store, out, *seeds = sys.argv[1:]
    for seed in seeds:
        shuffle_rows(int(seed))
    Path(out).write_text(json.dumps(shown(Path(store))), encoding="utf-8")
