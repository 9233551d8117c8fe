"""Writing a report: gather what the page needs, put it in order, and leave one file or none."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Required, TypedDict, Unpack

import polars as pl

from snellen.charts.saving import save
from snellen.report.calls import CallOf, Replies, collect
from snellen.report.columns import column, pack_trials
from snellen.report.container import squeeze
from snellen.report.facts import FactsOf, nothing, pack_facts
from snellen.report.page import page
from snellen.report.pictures import CAP, Album, ImageOf, by_urgency, choose

SHOWN = ("diagnoses", "overview", "profiles", "history", "sections", "fingerprints", "eye_cards", "looks", "glossary")


@dataclass(frozen=True)
class PageTrials:
    """What the page shows of the trials themselves, whatever is found in them. `payloads` hold them by name,
    compressed; `listed`: how many they are."""

    title: str
    listed: int
    payloads: dict[str, str]
    album: Album

    def head(self, findings: Mapping[str, Any]) -> dict[str, Any]:
        """What the page reads first."""
        return {
            "findings": {part: findings[part] for part in SHOWN if part in findings},
            "trials": self.listed,
            "pictures": self.album.head(),
        }


def write_report(
    rows: pl.DataFrame,
    findings: Mapping[str, Any],
    folder: Path,
    *,
    originals: bool = False,
    of: int = 0,
    **sources: Unpack["Sources"],
) -> Path:
    """Write `folder/index.html` and return its path; see `page_trials` for what it takes. `findings`: what analysis
    says about the trials, as `shown` writes it; see `write_page` for the rest."""
    made = page_trials(rows, **sources)
    return write_page(made, findings, folder, originals_of=sources["image_of"] if originals else None, of=of)


def write_page(
    made: PageTrials,
    findings: Mapping[str, Any],
    folder: Path,
    *,
    originals_of: ImageOf | None = None,
    of: int = 0,
) -> Path:
    """Write `folder/index.html` and return its path.

    With `originals_of`, every picture is written as it was sent to `folder/pictures` as well, and the page links to it.
    `of`: how many trials there are, if the page lists only some of them.
    """
    head = made.head(findings)
    if of > made.listed:
        head |= {"trials": of, "listed": made.listed}
    album = made.album.with_originals(folder, originals_of) if originals_of else made.album
    pieces = page(made.title, head, made.payloads, album.elements())
    return save(folder / "index.html", (piece.encode() for piece in pieces), "report")


class Sources(TypedDict, total=False):
    """Where the page's contents come from."""

    call_of: Required[CallOf]
    image_of: Required[ImageOf]
    picture_cap: int
    facts_of: FactsOf
    thresholds: Collection[str]


def page_trials(
    rows: pl.DataFrame,
    *,
    call_of: CallOf,
    image_of: ImageOf,
    picture_cap: int = CAP,
    facts_of: FactsOf = nothing,
    thresholds: Collection[str] = (),
) -> PageTrials:
    """What the page shows of these tidy trials.

    `call_of` gives a call's request and reply by its key, `image_of` a picture by its digest; what they do not know the
    page shows as missing. `facts_of` gives what is known of an item by its id, such as its concept. Pictures of the
    tasks `thresholds` are shown with every pixel; others may be compressed.
    """
    replies = Replies(rows)
    asked = collect(rows, replies, call_of)
    order = by_urgency(column(rows, "outcome").to_list())
    tasks = column(rows, "task").to_list()
    keep_pixels = {digest for i in order if tasks[i] in thresholds for digest in asked.pictures(i)}
    album = choose((d for i in order for d in asked.pictures(i)), image_of, picture_cap, keep_pixels)
    payloads = {
        "trials": squeeze(pack_trials(rows)),
        "replies": squeeze(replies.packed()),
        "calls": squeeze(asked.packed()),
        "facts": squeeze(pack_facts(rows, facts_of)),
    }
    return PageTrials(_title(rows), rows.height, payloads, album)


def _title(rows: pl.DataFrame) -> str:
    subjects = column(rows, "subject").drop_nulls().unique(maintain_order=True).to_list()
    named = ", ".join(subjects[:3]) + (f" and {len(subjects) - 3} more" if len(subjects) > 3 else "")
    return f"Snellen: {named}" if named else "Snellen"
