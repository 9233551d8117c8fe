"""Leaning: does an option draw answers whatever the item is, by its name or by its place?

Whoever leans to an option is right where it is the right one, and wrong where another is; whoever slips or guesses is
wrong as often here as there. So the **rate** of a leaning on a rung is accuracy where its option is right less accuracy
where another is. Where there are no labels to choose from (whoever says "4" to everything), one answer is seldom right:
there the rate is how often it is given where it is wrong, less how often other answers are. Whether a leaning is there
at all is tested over whole clusters: how often the option was answered minus how often it was right, by random signs,
Holm over options and rungs.

On rungs that spare the eyes a leaning is a **loss** of its own: it takes from attention and thinking what is its own.
Where only pictures draw it out, it is the way in which somebody guesses who does not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy

from snellen.analysis.contrasts import holm, sign_flip
from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.rungs import LadderResult, RungResult
from snellen.charts.blocks import Value
from snellen.ladder import THINKING

LEVEL = 0.01
LEANS = 0.10
"""A leaning is spoken of if it draws at least so many answers more than are right."""
FEW = 8
MOST = 6
"""Options of a question; of more, none is a favourite by its place."""
OFTEN = 0.1
"""Where there are no labels, an answer is a favourite only if it is given at least so often."""
NOTHING_ELSE = 0.8
"""Whoever leans in so many of 1 calls shows nothing else: what they would have answered is not known."""


@dataclass(frozen=True, slots=True)
class OptionLeaning:
    """One option, by name or place, on a rung, and the share of answers it draws beyond those that are
    right."""

    rung: str
    column: str
    option: str
    excess: float
    p: float

    @property
    def words(self) -> str:
        return f"says {self.option!r}" if self.column == "name" else f"takes the {_ordinal(self.option)} option"


@dataclass(frozen=True, slots=True)
class LeaningLoss:
    """What a leaning costs on the rungs that spare the eyes, and what is left of each step's loss without it. `total`:
    of all calls. `rest`: by step, from the lowest rung on."""

    leaning: OptionLeaning
    total: Value
    rest: tuple[Value, ...]

    @property
    def hides_all(self) -> bool:
        """Whether too little is left to judge anything else by."""
        return (self.total.value or 0.0) >= NOTHING_ELSE


def leanings(result: LadderResult) -> list[OptionLeaning]:
    """The options that draw answers on any rung, the strongest first."""
    tested: list[OptionLeaning] = []
    for rung in result.rungs:
        trials = _answers(rung)
        if trials.height >= FEW:
            own = [_tested(rung.rung.name, trials, *option) for option in _options(trials)]
            # Where an option always stands in the same place, its name and its place are one test.
            tested += {(leaning.excess, leaning.p): leaning for leaning in own}.values()
    adjusted = holm([leaning.p for leaning in tested])
    shown = [leaning for leaning, p in zip(tested, adjusted, strict=True) if p < LEVEL and leaning.excess >= LEANS]
    return sorted(shown, key=lambda leaning: (-leaning.excess, leaning.column != "place", leaning.rung))


def leaning_loss(line: Sequence[RungResult], found: Sequence[OptionLeaning]) -> LeaningLoss | None:
    """What the strongest leaning costs on the lowest rungs of the line, those that spare the eyes; None if it shows on
    none of them."""
    sparing = [rung for rung in line if set(rung.rung.demands) <= {"attention", *THINKING}]
    names = {rung.rung.name for rung in sparing}
    leaning = next((leaning for leaning in found if leaning.rung in names), None)
    if leaning is None:
        return None
    sums = [_sums(_answers(rung), leaning) for rung in sparing]
    clusters = sorted(set().union(*(own for own in sums)))
    table = np.array([[own.get(cluster, np.zeros(_COLUMNS)) for own in sums] for cluster in clusters])
    whole = table.sum(0)
    without = whole[None] - table
    values = _losses(whole[None])[0]
    spread = _losses(without)
    n = len(clusters)
    errors = np.sqrt((n - 1) / n * ((spread - spread.mean(0)) ** 2).sum(0))
    quantile = float(scipy.special.stdtrit(max(n - 1, 1), 0.975))
    total, *rest = (_interval(float(v), float(e), n, quantile) for v, e in zip(values, errors, strict=True))
    return LeaningLoss(leaning, total, tuple(rest))


def only_one_was_right(rung: RungResult) -> bool:
    """Whether the same option was right every time, so that whoever always gives it cannot be told from who knows."""
    trials = _answers(rung).filter(pl.col("labels").list.len() > 1)
    return trials.height >= FEW and min(trials["key_name"].n_unique(), trials["key_place"].n_unique()) == 1


# Rates

_COLUMNS = 6


def _sums(trials: pl.DataFrame, leaning: OptionLeaning) -> dict[str, Floats]:
    """By cluster: two counts whose difference of rates is the leaning, each with how often it could have been; right
    answers beyond luck, and all there are to have."""
    said, right = (pl.col(f"{which}_{leaning.column}") == leaning.option for which in ("answer", "key"))
    said, right = said.fill_null(value=False), right.fill_null(value=False)
    options = pl.col("labels").list.len().fill_null(0)
    luck = pl.when(options > 1).then(1 / options).otherwise(0.0)
    solved = pl.col("answer_name") == pl.col("key_name")
    if trials.select((options > 1).mean()).item() >= 0.5:
        counts = [(solved & right).sum(), right.sum(), (solved & ~right).sum(), (~right).sum()]
    else:
        known = trials["key_name"].n_unique()
        could = (known - 1 - (~right).cast(pl.Int64)).sum()
        counts = [(said & ~right).sum(), (~right).sum(), (~solved & ~said).sum(), could]
    rest = [(solved.cast(pl.Float64) - luck).sum(), (1 - luck).sum()]
    sums = trials.group_by("cluster").agg(count.alias(str(k)) for k, count in enumerate((*counts, *rest)))
    return {str(cluster): np.array(numbers, dtype=np.float64) for cluster, *numbers in sums.sort("cluster").rows()}


def _losses(sums: Floats) -> Floats:
    """For each table (tables x rungs x sums): what leaning costs, and what each step loses without it."""
    one, of_one, other, of_other, solved, most = (sums[..., k] for k in range(_COLUMNS))
    rates = np.clip(one / np.maximum(of_one, 1) - other / np.maximum(of_other, 1), 0, 0.99)
    # A leaning to one option is there on every higher rung, too: what is not, is noise.
    rates = np.minimum.accumulate(rates[:, ::-1], axis=1)[:, ::-1]
    shares = solved / np.maximum(most, 1e-9)
    before, kept = np.ones(len(sums)), np.ones(len(sums))
    total, rest = np.zeros(len(sums)), []
    for rung in range(sums.shape[1]):
        keeps = 1 - rates[:, rung]
        known = before / kept
        total = total + (kept - keeps) * known
        rest.append(keeps * known - shares[:, rung])
        before, kept = shares[:, rung], keeps
    return np.stack([total, *rest], axis=1)


def _interval(value: float, error: float, n: int, quantile: float) -> Value:
    """A t interval that is never narrower than that of a proportion with two more items on either side."""
    share = (min(max(value, 0.0), 1.0) * n + 2) / (n + 4)
    half = quantile * max(error, float(np.sqrt(share * (1 - share) / (n + 4))) / 2)
    value = min(max(value, 0.0), 1.0)
    return Value(value, max(value - half, 0.0), min(value + half, 1.0), n)


# Options


def _answers(rung: RungResult) -> pl.DataFrame:
    """The answers that could be read, with the name and the place of the answer and of the key."""
    trials = rung.trials.filter(pl.col("outcome") != "unread")
    trials = trials.select("cluster", "answer", "key", "outcome", "labels")
    few = pl.col("labels").list.len().is_between(2, MOST)

    def place(column: str) -> pl.Expr:
        same = [pl.col("labels").list.get(k, null_on_oob=True) == pl.col(column) for k in range(MOST)]
        return pl.when(few).then(pl.coalesce(pl.when(one).then(pl.lit(str(k))) for k, one in enumerate(same)))

    # What is right may be put in several ways; the key stands for all of them.
    answer = pl.when(pl.col("outcome") == "right").then("key").otherwise("answer").fill_null("")
    return trials.with_columns(
        answer_name=answer, key_name=pl.col("key").fill_null(""), answer_place=place("answer"), key_place=place("key")
    )


def _options(trials: pl.DataFrame) -> list[tuple[str, str]]:
    """Options that are offered in at least half of the trials by name or place; without labels, answers that are given
    often."""
    places = sorted(trials["key_place"].drop_nulls().unique().to_list())
    labels = trials.select(pl.col("labels").explode())["labels"].cast(pl.String).drop_nulls()
    names = {name for name, count in labels.value_counts().rows() if count >= trials.height / 2}
    free = trials.filter(pl.col("labels").list.len().fill_null(0) < 2)
    if free.height >= trials.height / 2:
        names |= {name for name, count in free["answer_name"].value_counts().rows() if count >= OFTEN * trials.height}
    return [*(("name", name) for name in sorted(names)), *(("place", place) for place in places)]


def _tested(rung: str, trials: pl.DataFrame, column: str, option: str) -> OptionLeaning:
    said, right = (pl.col(f"{which}_{column}") == option for which in ("answer", "key"))
    net = said.fill_null(value=False).sum().cast(pl.Int64) - right.fill_null(value=False).sum().cast(pl.Int64)
    by_cluster = trials.group_by("cluster").agg(net=net)["net"].to_numpy()
    excess = float(by_cluster.sum() / trials.height)
    return OptionLeaning(rung, column, option, excess, sign_flip(by_cluster.astype(np.int64)))


def _ordinal(place: str) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[int(place)]
