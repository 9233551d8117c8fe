"""Effect of training: on what was trained, on what it should carry over to, and on everything else.

Base and trained subjects are compared on the same trials, pair by pair. A training is told as one with all its seeds:
the difference is over all of them, and its interval has two parts, how far items differ (a bootstrap of whole items, as
everywhere) and, where there are several seeds, how far seeds differ (a t interval); their half-widths add up as
squares. With one seed nothing is said of other seeds.

Where a training should show is for the task to say that brings the training set (`Aims`): the same rule and across
rules, games trained and new games. Everything else that both were asked, be it other items or the same in other ways,
is a side effect. Beside accuracies stand the shares that were unread, for a training may teach no more than to say what
can be read.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import scipy

from snellen.analysis.columns import Column, chart_rows, table
from snellen.analysis.comparing import lacking, pairs_of
from snellen.analysis.contrasts import Contrast, adjust, contrast
from snellen.analysis.reading_rates import unread_warning
from snellen.charts.blocks import Intervals, Table, Value, percent
from snellen.errors import UserError

_NOTE = (
    "Difference: trained minus base on the same trials, percentage points, 95 % CI clustered by item and, with"
    " several seeds, over seeds. Range: the smallest and largest difference of any seed. p (items): exact sign-flip"
    " test over items at these seeds, Holm-adjusted over the table."
)


@dataclass(frozen=True, slots=True)
class Training:
    """One way of training: a label, the name of the set (or anything else), and its subjects, one a seed."""

    label: str
    trained_on: str
    subjects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: `where` in words, and which pairs."""

    where: str
    which: pl.Expr


Aims = Callable[[pl.DataFrame], Iterable[Place]]
"""From the pairs of base and trained to the places where a training should show."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a training changed somewhere: the contrast over all seeds, and the difference of each seed."""

    training: Training
    where: str
    contrast: Contrast
    by_seed: tuple[float, ...]

    @property
    def difference(self) -> Value:
        """The difference in points with its interval over items and seeds."""
        over_items, seeds = percent(self.contrast.gap), np.asarray(self.by_seed)
        low, high, gap = over_items.low, over_items.high, over_items.value
        if len(seeds) < 2 or low is None or high is None or gap is None:
            return over_items
        half = 100 * float(scipy.special.stdtrit(len(seeds) - 1, 0.975) * seeds.std(ddof=1) / np.sqrt(len(seeds)))
        below, above = np.hypot(gap - low, half), np.hypot(high - gap, half)
        return Value(gap, max(-100.0, gap - float(below)), min(100.0, gap + float(above)), over_items.n)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Effect of training where it should show, and what it did elsewhere."""

    base: str
    aimed: tuple[Effect, ...]
    aside: tuple[Effect, ...]
    lacking: str = ""

    def tables(self) -> tuple[Table, ...]:
        """Of both, without those that would be empty."""
        both = (
            ("transfer", f"Effect of training, compared with {self.base}", self.aimed),
            ("side-effects", f"Effect of training on other tasks, compared with {self.base}", self.aside),
        )
        return tuple(_table(name, title, effects, self.lacking) for name, title, effects in both if effects)

    def charts(self) -> dict[str, Intervals]:
        """Each set is asked in places of its own; beside those, everybody is asked everything."""
        both = {
            "transfer": _chart("Effect of training", self.aimed, sparse=True),
            "side-effects": _chart("Side effects", self.aside),
        }
        return {name: chart for name, chart in both.items() if chart.rows}


def transfer(
    rows: pl.DataFrame, base: str, trainings: Sequence[Training], aims: Mapping[str, Aims], seed: int = 0
) -> Transfer:
    """Every training against the base. `aims`: where each training set should show, by its name."""
    aimed: list[Effect] = []
    aside: list[Effect] = []
    for training in trainings:
        pairs = _pairs(rows, base, training)
        places = tuple(aims[training.trained_on](pairs)) if training.trained_on in aims else ()
        aimed += (effect for place in places for effect in _effect(training, place, pairs, seed))
        taken = pl.any_horizontal(pl.lit(False), *(place.which for place in places))
        rest, there = pairs.filter(~taken), set(pairs.filter(taken)["task"])
        others = [Place(place.where, place.which & ~taken) for place in _others(rest, there)]
        aside += (effect for place in others for effect in _effect(training, place, pairs, seed))
    if not aimed and not aside:
        raise UserError(f"{base} and the trained subjects share no trials; use the same design, --n and --seed")
    return Transfer(base, _adjusted(aimed), _adjusted(aside), _lacking(rows, base, trainings))


def _pairs(rows: pl.DataFrame, base: str, training: Training) -> pl.DataFrame:
    """The pairs of every seed, with whose they are."""
    frames = [pairs_of(rows, base, name).with_columns(seed_of=pl.lit(name)) for name in training.subjects]
    return pl.concat(frames, how="diagonal_relaxed")


def _lacking(rows: pl.DataFrame, base: str, trainings: Sequence[Training]) -> str:
    """How many trials are in no pair, as a sentence; nothing if all are."""
    counts = [lacking(rows, base, name) for training in trainings for name in training.subjects]
    failed, alone = sum(c.failed_before + c.failed_after for c in counts), sum(c.alone for c in counts)
    if not failed and not alone:
        return ""
    return f" Excluded: {failed:,} trials that ended in errors, {alone:,} that only one of the two has."


def at_levels(pairs: pl.DataFrame, task: str, levels: Mapping[str, str]) -> pl.Expr:
    """Whether trials are of this task, at all of these levels."""
    return pl.all_horizontal(has_level(pairs, factor, level) for factor, level in {"task": task, **levels}.items())


def _others(pairs: pl.DataFrame, aimed_at: Collection[str]) -> Iterator[Place]:
    """What else both were asked, task by task; of a task that was aimed at, what is asked of it in other ways."""
    for task in pairs["task"].unique(maintain_order=True).to_list():
        yield Place(f"{task}, asked otherwise" if task in aimed_at else task, pl.col("task") == task)


def has_level(pairs: pl.DataFrame, factor: str, *levels: str) -> pl.Expr:
    """Whether a factor has one of these levels; of trials that do not have it, nothing is asked."""
    if factor not in pairs.columns:
        return pl.lit(True)
    return pl.col(factor).cast(pl.String).is_in(levels).fill_null(True)


def _effect(training: Training, place: Place, pairs: pl.DataFrame, seed: int) -> list[Effect]:
    own = pairs.filter(place.which)
    if own.is_empty():
        return []
    sides = ("trained", "base")
    named = {"training": training.label, "where": place.where}
    by_seed = tuple(seeds.difference for seeds in contrast(own, ["seed_of"], seed))
    return [Effect(training, place.where, whole.at(**named), by_seed) for whole in contrast(own, [], seed, sides)]


def _adjusted(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    adjusted = adjust([effect.contrast for effect in effects], [])
    return tuple(replace(effect, contrast=found) for effect, found in zip(effects, adjusted, strict=True))


_COLUMNS: list[Column[Effect]] = [
    Column("training", "", lambda effect: effect.training.label),
    Column("where", "", lambda effect: effect.where),
    Column("seeds", "", lambda effect: len(effect.by_seed)),
    Column("pairs", "", lambda effect: effect.contrast.pairs),
    Column("items", "", lambda effect: effect.contrast.items),
    Column("base %", "share", lambda effect: effect.contrast.b),
    Column("trained %", "share", lambda effect: effect.contrast.a),
    Column("base unread %", "share", lambda effect: effect.contrast.unread_b),
    Column("trained unread %", "share", lambda effect: effect.contrast.unread_a),
    Column("difference", "", lambda effect: effect.difference),
    Column("range", "", lambda effect: _range(effect.by_seed)),
    Column("p (items)", "p", lambda effect: effect.contrast.p_items_holm),
]


def _table(name: str, title: str, effects: Sequence[Effect], lacking: str) -> Table:
    unread = unread_warning([effect.contrast for effect in effects], ("training", "where"))
    return table(name, title, _NOTE + lacking + unread, _COLUMNS, effects)


def _range(by_seed: Sequence[float]) -> str:
    points = [percent(difference) for difference in by_seed]
    return f"{min(points):+.1f} to {max(points):+.1f}" if len(points) > 1 else ""


def _chart(title: str, effects: Sequence[Effect], sparse: bool = False) -> Intervals:
    """A row for each place, a series for each training."""
    series = tuple(dict.fromkeys(effect.training.label for effect in effects))
    cells = ((effect.where, effect.training.label, effect.difference) for effect in effects)
    return Intervals(
        title=title,
        note=_NOTE,
        unit="points",
        series=series,
        rows=chart_rows(cells, series),
        reference=0.0,
        line="no change",
        quantity="change in accuracy",
        sparse=sparse,
    )
