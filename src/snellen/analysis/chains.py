"""The chains of thought in replies: how long, in which stages, how often they turn back, and what comes of it.

Only what stands in the reply, or in the thinking that came with it, can be read: a model that thinks where nobody sees
it shows no chain. Replies of fewer than `SPOKEN` words are taken for bare answers and left out.

Which columns make up a setting, and what kinds of items there are, is the task's to say (`SpokenReplies`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import polars as pl

from snellen.analysis.columns import Column
from snellen.analysis.estimates import AtLevels, accuracy
from snellen.analysis.rows import asked
from snellen.analysis.thought import Annotator, Chain, annotate, chain, words
from snellen.charts.blocks import Value

SPOKEN = 25
FIFTHS = ("shortest fifth", "second", "third", "fourth", "longest fifth")
TURNED = {"none": 0, "1 or 2": 1, "3 to 5": 3, "6 or more": 6}
"""How often a reply interrupts itself: names of the groups, and the least number for each."""
ALL = ""
FEW = 1
"""Examples of right and of wrong replies of each subject and kind."""


@dataclass(frozen=True, slots=True)
class SpokenReplies:
    """The replies of a task as its study sees them.

    `rows`: one row a reply, as the rules marked it, with its `text` and the `kind` of its item ('' for none).
    `setting`: the columns in which replies of one item may differ; `named`: those worth a column in a table.
    `rank` sorts settings with a `kind`, `kind_order` kinds alone; `kind_title` is what a kind is called.
    """

    rows: pl.DataFrame
    setting: tuple[str, ...]
    named: Sequence[str]
    rank: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    kind_order: Callable[[str], Any]
    kind_title: Callable[[str], str]


@runtime_checkable
class SpeakingStudy(Protocol):
    """A task's study that has conditions and kinds of its own for the study of chains of thought."""

    @property
    def spoken(self) -> SpokenReplies: ...


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
    """All chains of thought there are in the replies."""

    def __init__(self, spoken: SpokenReplies, seed: int, annotator: Annotator = annotate) -> None:
        self.spoken = spoken
        replies = asked(spoken.rows).with_row_index("place")
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
        """How every subject thinks aloud: over all kinds, then by kind; where items are of no kind, only over all."""
        setting = list(self.spoken.setting)
        habits: dict[tuple[Any, ...], Habit] = {}
        for by in (setting, [*setting, "kind"]):
            for key, own in self.rows.group_by(by, maintain_order=True):
                if own["spoken"].any():
                    levels = {"kind": ALL, **dict(zip(by, key, strict=True))}
                    habits[*key[: len(setting)], levels["kind"]] = self._habit(levels, own)
        return sorted(habits.values(), key=lambda habit: self.spoken.rank(habit.levels))

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
        rank = pl.col("words").rank("ordinal").over([*self.spoken.setting, "kind"])
        fifth = ((rank - 1) * len(FIFTHS) // pl.len().over([*self.spoken.setting, "kind"])).cast(pl.Int64)
        enough = pl.len().over([*self.spoken.setting, "kind"]) >= len(FIFTHS)
        spoken = self.rows.filter("spoken").filter(enough).with_columns(fifth=fifth)
        return self._accuracies(spoken, "fifth", FIFTHS)

    def by_interruptions(self) -> dict[tuple[Any, ...], dict[str, Value]]:
        """Accuracy of every setting by how often the reply interrupts itself."""
        least = np.array(list(TURNED.values()))
        spoken = self.rows.filter("spoken")
        group = np.searchsorted(least, spoken["interruptions"].to_numpy(), side="right") - 1
        grouped = spoken.with_columns(group=pl.Series(group, dtype=pl.Int64))
        return self._accuracies(grouped, "group", tuple(TURNED))

    def _accuracies(
        self, rows: pl.DataFrame, column: str, names: tuple[str, ...]
    ) -> dict[tuple[Any, ...], dict[str, Value]]:
        setting = self.spoken.setting
        accuracies: dict[tuple[Any, ...], dict[str, Value]] = {}
        for row in accuracy(rows, [*setting, column], self.seed):
            accuracies.setdefault(tuple(row[name] for name in setting), {})[names[row[column]]] = row.share
        return accuracies

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
        return sorted(
            examples, key=lambda example: self.spoken.kind_order(example["kind"])
        )  # stable: subject by subject


def _mean(numbers: Sequence[float]) -> float:
    return float(np.mean(numbers))


THOUGHT_NOTE = (
    "Means over replies with a chain of thought (words: median). Stages: percent of the text; looks back: how often a"
    " reply returns to the picture; late: percent of these after the first stage; loops: retracted conclusions."
    " Annotated by rules from the text of the reply."
)
THOUGHT_COLUMNS: list[Column[Habit]] = [
    Column("replies", "", lambda habit: habit.replies),
    Column("aloud %", "", lambda habit: 100 * habit.spoken / habit.replies),
    Column("words", "", lambda habit: habit.words),
    Column("collects %", "share", lambda habit: habit.shares[0]),
    Column("analyses %", "share", lambda habit: habit.shares[1]),
    Column("concludes %", "share", lambda habit: habit.shares[2]),
    Column("looks back", "", lambda habit: habit.revisits),
    Column("late %", "share", lambda habit: habit.late),
    Column("interruptions", "", lambda habit: habit.interruptions),
    Column("loops", "", lambda habit: habit.loops),
]
"""What a table says of a habit, after its setting and kind."""
