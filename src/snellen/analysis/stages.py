"""How many questions were solved, and what the others were lost to, with luck taken out.

Whoever cannot tell between two answers is right half of the time. So a question counts as **solved** only beyond that:
the share solved is right minus wrong answers over all (the old correction for guessing), with all keys weighing the
same, so that a favourite answer neither helps nor harms. With more options luck is rarer, and the correction smaller.
An unread answer counts as not solved. What an oracle would change is **lost** to the stage it stands in for: solved
with the oracle minus solved without, on the same questions.

A loss is **shown** if its interval lies above 5 % of the questions, and **ruled out** if it ends below 20 %.

- *unclear* comes first of all if more than a third of the answers it rests on could not be read;
- both losses ruled out: *sound*;
- *eyes*: the loss to seeing is shown, and no smaller than that to thinking;
- *thinking*: the loss to thinking is shown, and larger than that to seeing;
- otherwise *unclear*: more questions are needed, or the oracles were not asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from snellen.analysis.blocks import Value, Verdict
from snellen.analysis.contrasts import differences
from snellen.analysis.estimates import Floats, clustered_wilson, variances

SHOWN = 0.05
RULED_OUT = 0.20
MUCH_UNREAD = 1 / 3
TIMES = 1000
NOTHING = Value(None)


def above(loss: Value) -> bool:
    """Whether the loss is shown."""
    return loss.low is not None and loss.low > SHOWN


def below(loss: Value) -> bool:
    """Whether the loss is ruled out."""
    return loss.high is not None and loss.high < RULED_OUT


def judge(seeing: Value, thinking: Value) -> Verdict:
    """The verdict by the rule above; a loss without a value was not examined."""
    if below(seeing) and below(thinking):
        return "sound"
    if _of(seeing) >= _of(thinking):
        return "eyes" if above(seeing) else "unclear"
    return "thinking" if above(thinking) else "unclear"


def _of(loss: Value) -> float:
    return loss.value or 0.0


def in_words(value: Value) -> str:
    """A share as so many of 100, with its interval."""
    if value.value is None or value.low is None or value.high is None:
        return "an unknown number"
    most = f"{100 * min(max(value.high, 0), 1):.0f}"
    if value.value <= 0:
        return f"none (at most {most})"
    least = f"at most {most}" if value.low <= 0 else f"{100 * value.low:.0f} to {most}"
    return f"{100 * min(value.value, 1):.0f} ({least})"


def percent_text(value: Value) -> str:
    """A probability in words, with its interval."""
    if value.value is None or value.low is None or value.high is None:
        return "an unknown share"
    return f"{100 * value.value:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"


IN_THE_WORDS = (
    "Asked directly it does better than from its own descriptions: part of what counts as lost to seeing may be lost in"
    " putting into words what it sees."
)


def sums(pairs: pl.DataFrame, *credits: str) -> Floats:
    """Cluster by cluster (rows): the weighted credits, then the weights. Both keys weigh the same in all.

    Empty if only one key was ever right: then a favourite answer cannot be told from knowledge.
    """
    if pairs["key"].n_unique() < 2:
        return np.zeros((0, len(credits) + 1))
    weight = pl.len() / (pl.col("key").n_unique() * pl.len().over("key"))
    weighed = (
        pairs.with_columns(pl.col("cluster").cast(pl.String), weight=weight)
        .group_by("cluster")
        .agg(*((pl.col(name) * pl.col("weight")).sum() for name in credits), pl.col("weight").sum())
    )
    return weighed.sort("cluster").drop("cluster").to_numpy().astype(np.float64)


def solved(trials: pl.DataFrame, credit: str, seed: int, options: int = 2) -> Value:
    """The share of questions solved, if each had so many options."""
    own = sums(trials, credit)
    if not len(own):
        return NOTHING
    share = float(own[:, 0].sum() / own[:, 1].sum())
    variance = float(variances([(own[:, 0], own[:, 1])], seed)[0])
    low, high = clustered_wilson(share, variance, len(own), trials.height)
    value, least, most = ((options * each - 1) / (options - 1) for each in (share, low, high))
    return Value(value, least, most, trials.height)


def missing(value: Value) -> Value:
    """What is missing to all."""
    if value.value is None or value.low is None or value.high is None:
        return NOTHING
    return Value(1 - value.value, 1 - value.high, 1 - value.low, value.n)


def lost(pairs: pl.DataFrame, seed: int, options: int = 2) -> Value:
    """The share of questions that `a` solves and `b` does not, net."""
    own = sums(pairs, "credit_a", "credit_b")
    if len(own) < 2:
        return NOTHING
    ((gap, low, high),) = differences([(own[:, 0] - own[:, 1], own[:, 2])], seed)
    luck = options / (options - 1)
    return Value(luck * gap, luck * low, luck * high, pairs.height)


def lean(rules: pl.DataFrame, seed: int) -> Value:
    """Lost to finding the rule minus lost to applying it, from pairs by rule (`a`: the true one), if nothing is lost to
    seeing."""
    own = sums(rules, "credit_a", "credit_b")
    if len(own) < 2:
        return NOTHING
    ((more, low, high),) = differences([(2 * own[:, 0] - own[:, 1] - own[:, 2], own[:, 2])], seed)
    return Value(2 * more, 2 * low, 2 * high, rules.height)


@dataclass(frozen=True, slots=True)
class Parts:
    """Of all questions: solved, lost to seeing, to finding the rule, to applying it, to thinking not told apart. They
    sum to one. `lean`: lost to finding minus lost to applying."""

    shares: tuple[Value, ...]
    lean: Value = NOTHING


def parts(words: pl.DataFrame, rules: pl.DataFrame | None, seed: int) -> Parts | None:
    """What became of the questions, from pairs in words (`a`: exact words, `b`: own) and pairs by rule (`a`: the true
    rule, `b`: its own).

    Exact words leave thinking only. Of those who can apply the true rule to a picture, some had found it themselves:
    that ratio is taken for how often the rule is found, whether in pictures or in words. It must lie between what is
    solved with exact words and one, and exact words cannot harm: where chance has it otherwise, the two are averaged.
    If the true rule does not help beyond luck, finding and applying are not told apart.

    Intervals: percentiles of a seeded bootstrap over whole clusters, without those constraints, with two imaginary
    clusters of average size that disagree in everything, lest agreement pass for certainty.
    """
    apart = rules is not None and (solved(rules, "credit_a", seed).low or 0.0) > 0
    frames = [words, rules] if rules is not None and apart else [words]
    own = [sums(frame, "credit_b", "credit_a") for frame in frames]
    if any(len(each) < 2 for each in own):
        return None
    whole = _parts(*_sensible(*_rates([each.sum(0, keepdims=True) for each in own])), apart)
    low, high = np.percentile(_parts(*_rates(_drawn(frames, own, seed)), apart), (2.5, 97.5), axis=1)
    low[:5], high[:5] = np.clip(low[:5], 0, 1), np.clip(high[:5], 0, 1)
    *shares, more = (
        Value(float(point), float(min(least, point)), float(max(most, point)), words.height)
        for point, least, most in zip(whole[:, 0], low, high, strict=True)
    )
    return Parts(tuple(shares), more if apart else NOTHING)


def _sensible(mine: Floats, exact: Floats, finds: Floats) -> tuple[Floats, Floats, Floats]:
    """The rates within what they can be."""
    mean = (mine + exact) / 2
    mine, exact = (np.maximum(np.where(mine > exact, mean, rate), 0) for rate in (mine, exact))
    return mine, exact, np.clip(finds, exact, 1)


def _rates(totals: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """Solved on its own, solved with exact words, rules found: from weighted sums own, with oracle, weight."""
    mine, exact = (2 * totals[0][:, k] / totals[0][:, 2] - 1 for k in (0, 1))
    if len(totals) == 1:
        return mine, exact, np.ones_like(mine)
    found, given = (2 * totals[1][:, k] / totals[1][:, 2] - 1 for k in (0, 1))
    helps = given > 1e-9
    return mine, exact, np.where(helps, found / np.where(helps, given, 1), 1.0)


def _parts(mine: Floats, exact: Floats, finds: Floats, apart: bool) -> Floats:
    """Six rows: the five parts, and lean."""
    nothing = np.zeros_like(mine)
    if not apart:
        return np.array([mine, exact - mine, nothing, nothing, 1 - exact, nothing])
    return np.array([mine, exact - mine, 1 - finds, finds - exact, nothing, 1 - 2 * finds + exact])


def _drawn(frames: Sequence[pl.DataFrame], own: Sequence[Floats], seed: int) -> list[Floats]:
    """Bootstrap samples of the sums; a problem is drawn with all its trials, whichever frame they are in."""
    names = [frame["cluster"].cast(pl.String).unique().sort().to_list() for frame in frames]
    known = {name: k for k, name in enumerate(sorted(set().union(*names)))}
    size = len(known) + 2
    drawn = np.random.default_rng([seed, size]).multinomial(size, np.full(size, 1 / size), TIMES).astype(np.float64)
    found = []
    for each, clusters in zip(own, names, strict=True):
        table = np.zeros((size, 3))
        table[[known[name] for name in clusters]] = each
        one = each[:, 2].mean()
        table[-2:] = [[0, one, one], [one, 0, one]]
        found.append(drawn @ table)
    return found
