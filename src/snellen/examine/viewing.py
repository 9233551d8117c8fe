"""A store as the live page looks at it: how far the exam in it is, what it has cost, and what its trials say so far."""

import json
from collections.abc import Mapping
from pathlib import Path
from time import time
from typing import Any

from snellen.analysis import Findings
from snellen.engine import Price, Store
from snellen.engine.lock import is_held
from snellen.examine.page import page_sources
from snellen.examine.result import Exam
from snellen.item import Picture

FRESH = 5.0
"""Progress that is older, in seconds, may be that of an exam that was killed."""
_TOKENS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_written")


class StoreView:
    """What `report.live` serves. Reads through connections of its own, which cannot write and hold up no writer.

    `prices`: dollars per million tokens, by subject, for the spend.
    """

    def __init__(self, path: Path, prices: Mapping[str, Price] | None = None) -> None:
        self.path = path
        self.prices = dict(prices or {})
        self._store = Store.open(path, readonly=True)

    def close(self) -> None:
        self._store.close()

    def status(self) -> dict[str, Any]:
        """Where the last exam stands: `state` (running, finished, interrupted or stopped) and numbers by subject."""
        state, known = _state(self._store)
        return {
            "state": state,
            "mark": [*self._store.latest_trial(), state],
            "subjects": self._subjects(known),
            "approximate": known.get("approximate", False),
            "stopping": known.get("stopping", False),
            "rate": known.get("rate", 0.0),
            "errors": known.get("errors", 0),
        }

    def _subjects(self, progress: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Of everyone who takes part: trials done and planned, calls, tokens, and money where the price is known."""
        trials, calls = progress.get("trials", {}), progress.get("calls", {})
        told = []
        for name in dict.fromkeys((*trials, *calls)):
            done, planned = trials.get(name, (None, None))
            made, known, *tokens = [*calls.get(name, ()), *(0,) * 6][:6]  # earlier versions kept fewer
            price = self.prices.get(name)
            cost = price.of(*tokens) if price and any(tokens) else None  # not all tell tokens
            numbers = {"name": name, "done": done, "planned": planned, "made": made, "known": known, "cost": cost}
            told.append(numbers | dict(zip(_TOKENS, tokens, strict=True)))
        return told

    def build(self) -> bytes:
        """The contents of the page in JSON, marked as interim unless the exam is complete. Pictures are only named:
        the page asks for those that are looked at."""
        from snellen.report import shown
        from snellen.report.write import page_trials

        exam = Exam(self.path)
        with Store.open(self.path, readonly=True) as store:
            state, _ = _state(store)
            findings = exam.findings if exam.rows.height else Findings((), (), (), ())
            wanted: list[str] = []
            sources = page_sources(store, exam.rows) | {"image_of": wanted.append}
            made = page_trials(exam.rows, **sources)
            alts = store.alts()
        pictures = {digest: alts[digest] for digest in wanted if digest in alts}
        head = made.head(shown(findings))
        counts = {**head["pictures"], "shown": len(pictures)}
        head = {**head, "live": True, "interim": state != "finished", "pictures": counts}
        return json.dumps({"title": made.title, "head": head, "payloads": made.payloads, "pictures": pictures}).encode()

    def picture(self, digest: str) -> Picture | None:
        return self._store.image(digest)


def _state(store: Store) -> tuple[str, Mapping[str, Any]]:
    """Where the last exam in a store stands, and the progress it recorded. One that was killed is "stopped"."""
    exams, progress = store.exams(), store.progress()
    if not exams:
        return "finished", {}
    last = exams[-1]
    known = progress if progress.get("exam") == last.id else {}
    if last.finished is None:
        is_running = time() - known.get("at", 0.0) < FRESH or is_held(store.path)
        return "running" if is_running else "stopped", known
    ends = {"interrupted": "interrupted", "waiting": "interrupted", "given up": "stopped"}
    return ends.get(last.counts.get("ended", ""), "finished"), known
