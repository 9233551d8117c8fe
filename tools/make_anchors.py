"""Measure the lines that stand on every eye chart anew: `python tools/make_anchors.py` (or `make anchors`).

Readers of letters that are installed (`pip install 'snellen[ocr]'`, `apt install tesseract-ocr`) sit the eye chart's
tests of letters, in an exam like any other, given whole pictures as a model is. What they answered at every level is
written into the package, with their versions, the date and the kind of processor: its arithmetic may move an answer
near the threshold. Those not installed are left as they were measured before. Some minutes.
"""

import json
import os
import platform
import re
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from snellen.analysis.acuity.anchors import FILE, READERS, SEEDS, TESTS, WHOLE, tallies
from snellen.errors import UserError
from snellen.examine import exam
from snellen.subjects.ocr import ocr_subject

OURS = ("psm",)
"""Settings, which are no versions."""


def measured(name: str, store: Path) -> dict[str, object]:
    """What a reader answered, and which it was."""
    subject = ocr_subject(name.removeprefix("ocr/"), (), os.environ)
    versions = {key: str(value) for key, value in subject.settings.items() if key not in OURS}
    rows = pl.concat(exam(name, store=store, tasks="acuity", levels={"test": TESTS}, seed=seed).rows for seed in SEEDS)
    when, where = f"{datetime.now(UTC):%Y-%m-%d}", platform.machine()
    return {"versions": versions, "shown": WHOLE, "date": when, "machine": where, "tests": tallies(rows)}


def main() -> None:
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in READERS:
            try:
                known[name] = measured(name, Path(folder) / f"{name.partition('/')[2]}.sqlite")
            except UserError as error:
                sys.stderr.write(f"{name}: {error}; as it was\n")
    written = re.sub(r"\[\s+(\d+),\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2, \3]", json.dumps(known, indent=1))
    FILE.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
