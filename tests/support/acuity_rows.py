"""Rows of acuity trials by observers whose thresholds are known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log10
from typing import Any

import numpy as np
import polars as pl

from snellen.psychometric import Psychometric
from snellen.tasks.acuity.battery import TESTS
from snellen.tasks.acuity.study.sights import sight

LETTERS = "CDHKNORSVZ"
EACH = 6
"""Charts a level."""
PLAIN = {"polarity": "dark", "canvas": "512", "place": "centre", "font": "sloan", "enlarged": "1"}


@dataclass
class Sitting:
    """One subject's trials, gathered test by test."""

    subject: str
    seed: int = 0
    rows: list[dict[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = np.random.default_rng([self.seed, *self.subject.encode()])

    def track(self, test: str, threshold: float, slope: float = 4.0, lapse: float = 0.0, **condition: str) -> "Sitting":
        """Answers of somebody with that threshold, at the levels around it and at the easiest one."""
        about, levels = sight(test), TESTS[test].intensities
        eye = Psychometric(log10(threshold), slope, about.chance, lapse, about.falling)
        near = sorted(levels, key=lambda level: abs(levels[level] - eye.threshold))[:12]
        for level in (*near, TESTS[test].easiest):
            right = self.chance.random(EACH) < eye(levels[level])
            for each in right:
                self._ask(test, level, "right" if each else "wrong", condition)
        return self

    def constant(self, test: str, level: float, right: int, wrong: int, **condition: Any) -> "Sitting":
        for outcome, times in (("right", right), ("wrong", wrong)):
            for _ in range(times):
                self._ask(test, f"{level:.12g}", outcome, condition)
        return self

    def unread(self, test: str, level: float, times: int) -> "Sitting":
        for _ in range(times):
            self._ask(test, f"{level:.12g}", "unread", {})
        return self

    def failed(self, test: str, level: float, times: int, **condition: str) -> "Sitting":
        """Calls that brought no answer."""
        for _ in range(times):
            self._ask(test, f"{level:.12g}", "unread", condition)
            self.rows[-1]["reason"] = "error"
        return self

    def blank(self, test: str, named: int, of: int, unread: int = 0) -> "Sitting":
        """So many blank pages, on so many of which something is named; `unread`: so many more, not to be read."""
        for outcome, times in (("wrong", named), ("right", of - named), ("unread", unread)):
            for _ in range(times):
                self._ask(test, "blank", outcome, {})
        return self

    def _ask(self, test: str, level: str, outcome: str, condition: Mapping[str, object]) -> str:
        number = len(self.rows)
        key = LETTERS[number % 10] if level != "blank" else "nothing"
        other = LETTERS[(number + 1 + int(self.chance.integers(9))) % 10]
        answer = {"right": key, "wrong": other}.get(outcome)
        self.rows.append(
            {
                "trial": f"{self.subject}-{number}",
                **{"task": "acuity", "item": f"{test}/{level}/{number}", "cluster": f"{test}/{level}/{number}"},
                **{"subject": self.subject, "pack": "", "paradigm": "direct", "outcome": outcome},
                **{"reason": "unparsable" if outcome == "unread" else None, "answer": answer, "key": key},
                **{"labels": list(LETTERS), "mechanism": None, "how": None, "text": answer or "", "exam": 1},
                **{"calls": [], "sample": 0, "tokens_in": condition.get("tokens_in"), "tokens_picture": None},
                **{"test": test, "level": level},
                **{name: str(condition.get(name, plain)) for name, plain in PLAIN.items()},
            }
        )
        return outcome


def table(*sittings: Sitting) -> pl.DataFrame:
    rows: Iterable[dict[str, object]] = [row for sitting in sittings for row in sitting.rows]
    kinds = {"reason": pl.String, "mechanism": pl.String, "how": pl.String, "answer": pl.String}
    numbers: dict[str, Any] = {"tokens_in": pl.Int64, "tokens_picture": pl.Int64, "calls": pl.List(pl.String)}
    return pl.DataFrame(list(rows), schema_overrides={**kinds, **numbers})


def whole_exam(subject: str = "sim/eyes:cap=768", seed: int = 0) -> Sitting:
    """Everything that can be asked, of somebody with middling eyes behind a cap of 768 px."""
    sitting = Sitting(subject, seed)
    for test, threshold in (
        *(("letters", 2.1), ("landolt", 2.6), ("contrast", 0.03), ("crowding", 1.5), ("alignment", 0.9)),
        *(("number", 7.0), ("crossings", 5.0), ("paths", 9.0)),
        *((f"gratings-{k}", 0.006 * k**1.2) for k in (2, 4, 8, 16, 32)),
        *((f"colour-{name}", x) for name, x in zip(HUES, (9, 7, 4, 5, 8, 7, 4, 5), strict=True)),
    ):
        sitting.track(test, threshold)
    for canvas in (256, 1024, 2048, 4096):
        sitting.track("letters", 2.1 * max(1.0, canvas / 768), canvas=str(canvas))
    for wide, high in ((1024, 512), (1024, 256), (2048, 512)):
        sitting.track("letters", 2.1 * max(1.0, wide / 768), canvas=f"{wide}x{high}")
    sitting.blank("letters", 4, 20)
    return sitting


HUES = ("red", "orange", "yellow", "lime", "green", "cyan", "blue", "purple")
