"""The chains of thought in the replies: how long, in which stages, how often they turn back, and what comes of it.

Only what stands in the reply, or in the thinking that came with it, can be read: a model that thinks where nobody sees
it shows no chain. Replies of fewer than `SPOKEN` words are taken for bare answers and left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.estimates import accuracy
from snellen.analysis.rows import asked
from snellen.analysis.thought import Annotator, Chain, annotate, chain, words
from snellen.charts.blocks import Value
from snellen.tasks.capacity.study.kinds import SETTING, kind_order

SPOKEN = 25
FIFTHS = ("shortest fifth", "second", "third", "fourth", "longest fifth")
TURNED = {"none": 0, "1 or 2": 1, "3 to 5": 3, "6 or more": 6}
"""How often a reply interrupts itself: names of the groups, and the least number for each."""
ALL = ""
FEW = 1
"""Examples of right and of wrong replies of each subject and kind."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How a subject thinks aloud on a kind of items ('' for all): means over its replies. `profile`: tenths of the
    text x stages."""

    setting: dict[str, Any]
    kind: str
    replies: int
    spoken: int
    words: float
    shares: tuple[float, ...]
    profile: tuple[tuple[float, ...], ...]
    revisits: float
    late: float
    interruptions: float
    loops: float


@dataclass(frozen=True, slots=True)
class Example:
    """One reply's chain."""

    setting: dict[str, Any]
    kind: str
    item: str
    outcome: str
    chain: Chain


class Chains:
    """All chains of thought there are in the rows."""

    def __init__(self, rows: pl.DataFrame, seed: int, annotator: Annotator = annotate) -> None:
        replies = asked(rows).with_row_index("place")
        texts = replies["text"].to_list()
        self.seed = seed
        lengths = [words(text) for text in texts]
        self.chains = {k: chain(text, annotator) for k, text in enumerate(texts) if lengths[k] >= SPOKEN}
        turned = [self.chains[k].interruptions if k in self.chains else 0 for k in range(len(texts))]
        self.rows = replies.drop("text").with_columns(
            pl.Series("words", lengths, dtype=pl.Int64),
            pl.Series("interruptions", turned, dtype=pl.Int64),
            pl.Series("spoken", [k in self.chains for k in range(len(texts))], dtype=pl.Boolean),
        )

    def habits(self) -> list[Habit]:
        """How every subject thinks aloud: over all kinds, then by kind."""
        found = []
        for by in (list(SETTING), [*SETTING, "kind"]):
            for key, own in self.rows.group_by(by, maintain_order=True):
                if own["spoken"].any():
                    setting = dict(zip(SETTING, key[: len(SETTING)], strict=True))
                    found.append(self._habit(setting, str(key[-1]) if len(by) > len(SETTING) else ALL, own))
        return sorted(found, key=lambda each: (each.kind != ALL, kind_order(each.kind)))

    def _habit(self, setting: dict[str, Any], kind: str, own: pl.DataFrame) -> Habit:
        mine = [self.chains[place] for place in own.filter("spoken")["place"]]
        profile = np.mean([each.profile for each in mine], axis=0)
        return Habit(
            setting=setting,
            kind=kind,
            replies=own.height,
            spoken=len(mine),
            words=float(np.median([each.words for each in mine])),
            shares=tuple(float(share) for share in profile.mean(0)),
            profile=tuple(tuple(float(share) for share in tenth) for tenth in profile),
            revisits=_mean([each.revisits for each in mine]),
            late=sum(each.late for each in mine) / max(sum(each.revisits for each in mine), 1),
            interruptions=_mean([each.interruptions for each in mine]),
            loops=_mean([each.loops for each in mine]),
        )

    def by_length(self) -> dict[tuple[Any, ...], dict[str, Value]]:
        """Accuracy of every setting by length: fifths of the replies of the same kind, so that hard kinds that take
        long replies do not speak for long replies."""
        rank = pl.col("words").rank("ordinal").over([*SETTING, "kind"])
        fifth = ((rank - 1) * len(FIFTHS) // pl.len().over([*SETTING, "kind"])).cast(pl.Int64)
        enough = pl.len().over([*SETTING, "kind"]) >= len(FIFTHS)
        spoken = self.rows.filter("spoken").filter(enough).with_columns(fifth=fifth)
        return _accuracies(spoken, "fifth", FIFTHS, self.seed)

    def by_interruptions(self) -> dict[tuple[Any, ...], dict[str, Value]]:
        """Accuracy of every setting by how often the reply interrupts itself."""
        least = np.array(list(TURNED.values()))
        spoken = self.rows.filter("spoken")
        group = np.searchsorted(least, spoken["interruptions"].to_numpy(), side="right") - 1
        return _accuracies(
            spoken.with_columns(group=pl.Series(group, dtype=pl.Int64)), "group", tuple(TURNED), self.seed
        )

    def examples(self, settings: Sequence[dict[str, Any]]) -> list[Example]:
        """Of every kind a few right and a few wrong replies in these settings, those nearest to the usual length."""
        found = []
        for setting in settings:
            here = [pl.col(name).eq_missing(pl.lit(level)) for name, level in setting.items()]
            own = self.rows.filter("spoken", pl.col("outcome").is_in(["right", "wrong"]), *here)
            apart = (pl.col("words") - pl.col("words").median()).abs().over("kind", "outcome")
            near = own.with_columns(apart=apart, name=pl.col("item").cast(pl.String)).sort("outcome", "apart", "name")
            for (kind, outcome), some in near.group_by(["kind", "outcome"], maintain_order=True):
                for row in some.head(FEW).iter_rows(named=True):
                    made = self.chains[row["place"]]
                    found.append(Example(setting, str(kind), row["name"], str(outcome), made))
        return sorted(found, key=lambda each: kind_order(each.kind))  # stable: subject by subject


def _accuracies(
    rows: pl.DataFrame, column: str, names: tuple[str, ...], seed: int
) -> dict[tuple[Any, ...], dict[str, Value]]:
    found: dict[tuple[Any, ...], dict[str, Value]] = {}
    for each in accuracy(rows, [*SETTING, column], seed):
        value = Value(each["accuracy"], each["low"], each["high"], each["trials"])
        found.setdefault(tuple(each[name] for name in SETTING), {})[names[each[column]]] = value
    return found


def _mean(numbers: Sequence[float]) -> float:
    return float(np.mean(numbers))
