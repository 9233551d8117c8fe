"""Writing a report: gather what the page needs, put it in order, and leave one file or none."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from snellen.errors import UserError
from snellen.report.calls import CallOf, Replies, collect
from snellen.report.columns import column, pack_trials
from snellen.report.container import squeeze
from snellen.report.page import page
from snellen.report.pictures import CAP, ImageOf, by_urgency, choose


def write_report(
    rows: pl.DataFrame,
    findings: Mapping[str, Any],
    folder: Path,
    *,
    call_of: CallOf,
    image_of: ImageOf,
    picture_cap: int = CAP,
) -> Path:
    """Write `folder/index.html` and return its path.

    `rows` are tidy trials, `findings` what analysis says about them, as JSON. `call_of` gives a call's request
    and reply by its key, `image_of` a picture by its digest; what they do not know the page shows as missing.
    """
    replies = Replies(rows)
    asked = collect(rows, replies, call_of)
    order = by_urgency(column(rows, "outcome").to_list())
    album = choose((digest for i in order for digest in asked.pictures(i)), image_of, picture_cap)
    payloads = {
        "trials": squeeze(pack_trials(rows)),
        "replies": squeeze(replies.packed()),
        "calls": squeeze(asked.packed()),
    }
    shown = {part: findings.get(part, ()) for part in ("diagnoses", "sections", "fingerprints")}
    head = {"findings": shown, "trials": rows.height, "pictures": album.head()}
    return _save(folder / "index.html", page(_title(rows), head, payloads, album.elements()))


def _title(rows: pl.DataFrame) -> str:
    subjects = column(rows, "subject").drop_nulls().unique(maintain_order=True).to_list()
    named = ", ".join(subjects[:3]) + (f" and {len(subjects) - 3} more" if len(subjects) > 3 else "")
    return f"Snellen: {named}" if named else "Snellen"


def _save(path: Path, pieces: Iterable[str]) -> Path:
    """Write beside the target and move into place, so that a full disk never leaves half a page."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(pieces)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(f"cannot write the report {path}: {reason}; choose another folder") from error
    return path
