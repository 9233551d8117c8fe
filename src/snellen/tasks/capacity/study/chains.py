"""The chains of thought in the replies: how long, in which stages, how often they turn back, and what comes of it.

Only what stands in the reply, or in the thinking that came with it, can be read: a model that thinks where nobody sees
it shows no chain. Replies of fewer than `SPOKEN` words are taken for bare answers and left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from snellen.analysis.estimates import AtLevels, accuracy
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
class Habit(AtLevels):
    """How a subject thinks aloud on a `kind` of items ('' for all): means over its replies. `profile`: tenths of the
    text x stages."""

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
class Example(AtLevels):
    """One reply's chain."""

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
        habits = []
        for by in (list(SETTING), [*SETTING, "kind"]):
            for key, own in self.rows.group_by(by, maintain_order=True):
                if own["spoken"].any():
                    habits.append(self._habit({"kind": ALL, **dict(zip(by, key, strict=True))}, own))
        return sorted(habits, key=lambda habit: (habit["kind"] != ALL, kind_order(habit["kind"])))

    def _habit(self, levels: dict[str, Any], own: pl.DataFrame) -> Habit:
        chains = [self.chains[place] for place in own.filter("spoken")["place"]]
        profile = np.mean([chain.profile for chain in chains], axis=0)
        return Habit(
            levels=levels,
            replies=own.height,
            spoken=len(chains),
            words=float(np.median([chain.words for chain in chains])),
            shares=tuple(float(share) for share in profile.mean(0)),
            profile=tuple(tuple(float(share) for share in tenth) for tenth in profile),
            revisits=_mean([chain.revisits for chain in chains]),
            late=sum(chain.late for chain in chains) / max(sum(chain.revisits for chain in chains), 1),
            interruptions=_mean([chain.interruptions for chain in chains]),
            loops=_mean([chain.loops for chain in chains]),
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
        examples = []
        for setting in settings:
            here = [pl.col(name).eq_missing(pl.lit(level)) for name, level in setting.items()]
            own = self.rows.filter("spoken", pl.col("outcome").is_in(["right", "wrong"]), *here)
            apart = (pl.col("words") - pl.col("words").median()).abs().over("kind", "outcome")
            near = own.with_columns(apart=apart, name=pl.col("item").cast(pl.String)).sort("outcome", "apart", "name")
            for (kind, outcome), some in near.group_by(["kind", "outcome"], maintain_order=True):
                for row in some.head(FEW).iter_rows(named=True):
                    made = self.chains[row["place"]]
                    examples.append(Example({**setting, "kind": str(kind)}, row["name"], str(outcome), made))
        return sorted(examples, key=lambda example: kind_order(example["kind"]))  # stable: subject by subject


def _accuracies(
    rows: pl.DataFrame, column: str, names: tuple[str, ...], seed: int
) -> dict[tuple[Any, ...], dict[str, Value]]:
    accuracies: dict[tuple[Any, ...], dict[str, Value]] = {}
    for row in accuracy(rows, [*SETTING, column], seed):
        accuracies.setdefault(tuple(row[name] for name in SETTING), {})[names[row[column]]] = row.share
    return accuracies


def _mean(numbers: Sequence[float]) -> float:
    return float(np.mean(numbers))
