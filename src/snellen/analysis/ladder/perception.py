"""Eyes and thinking told apart by an item's own perception questions, where no rung does.

Where pictures have no exact words, the step from *told* to *pictures* adds thinking and eyes together. Some sets ask of
every item what its pictures show and nothing more (three counts of panels, one detail). Item by item, what came
of these questions stands beside what came of the item:

- **Eyes** are charged with items whose perception questions fail, as far as failing them goes with failing the item.
  Questions that fail by a slip, or about something that does not matter, fail on solved and unsolved items alike: that
  is taken off. If next to no item is solved even where they are answered, this cannot be seen; then it is not.
- **Thinking** is charged with items that fail although their perception questions are answered, less what the eyes
  could have missed elsewhere: the questions cover a part of what an item shows (`Rung.covers`), and the rest may be
  missed as often as that part, one part independently of the other.
- What lies between is left to "thinking or eyes".

Luck is taken out question by question: a score is (right - c) / (1 - c), and the product of an item's scores is on
average the share of items of which all is solved, whatever the chances of the single questions. Intervals are from
4,000 draws of a Dirichlet distribution over what an item can show, half an item added to each, at the number of
clusters.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.joint import SHOWN_LOW, SHOWN_SIZE
from snellen.analysis.ladder.losses import NEXT_TO_NOTHING, Charge
from snellen.analysis.ladder.rungs import LadderResult, RungResult, luck
from snellen.charts.blocks import Value, scaled
from snellen.ladder import EYES, FEW, THINKING

DRAWS = 4000
FLOOR = 0.1
"""If perception is right on fewer items than this, or fewer of those are solved, whether it matters cannot be seen."""


@dataclass(frozen=True, slots=True)
class Divided:
    """A loss divided: shares of all items. `beside_thinking`: all but what is lost to thinking; likewise of the eyes;
    `together`: all but both."""

    thinking: Value
    eyes: Value
    beside_thinking: Value
    beside_eyes: Value
    together: Value


@dataclass(frozen=True, slots=True)
class PerceptionSplit:
    """What the perception questions say of the loss at the step that adds thinking and eyes. `seen`, `solved_seen`:
    items whose questions were all right, and how many of them were solved; `others`, `solved_others`: the same of the
    rest. `parts`: one in so many parts of what an item shows is asked about."""

    probes: tuple[RungResult, ...]
    seen: int
    solved_seen: int
    others: int
    solved_others: int
    parts: float
    lost: Divided

    @property
    def isolated(self) -> tuple[str, ...]:
        """Which of the two are shown to lose something by themselves."""
        return tuple(name for name in ("thinking", "eyes") if _is_shown(getattr(self.lost, name)))


def _is_shown(share: Value) -> bool:
    return (share.low or 0.0) > SHOWN_LOW and (share.value or 0.0) >= SHOWN_SIZE


def is_undivided(faculties: Sequence[str]) -> bool:
    """Whether a step adds thinking and eyes at once."""
    return any(name in THINKING for name in faculties) and any(name in EYES for name in faculties)


def perception_of(result: LadderResult, charges: Sequence[Charge], seed: int) -> PerceptionSplit | None:
    """The evidence of the perception questions; None if there are none, or a rung tells thinking and eyes apart."""
    step = next((charge.step for charge in charges if is_undivided(charge.step.faculties)), None)
    probes = tuple(rung for rung in result.probes if rung.asked.sum())
    if step is None or not probes:
        return None
    scores = [_scores(rung, result.units) for rung in probes]
    top = step.upper
    both = (top.read > 0) & np.all([rung.asked > 0 for rung in probes], axis=0)
    if both.sum() < FEW:
        return None
    perceived = np.prod(scores, axis=0)[both]
    right = top.right[both] / top.read[both]
    solved = (right - result.luck[both]) / (1 - result.luck[both])
    rng = np.random.default_rng([seed, int(both.sum())])
    clusters = len(np.unique(result.clusters[both])) / int(both.sum())
    draws = _draws(perceived, solved, _possible(scores), clusters, rng)
    slips = _slips(result, step.lower, rng)
    parts = 1 / min(rung.rung.covers for rung in probes)
    ends = _divided(draws, slips[1], parts, _is_at_floor(perceived, solved))
    exact = np.array([[perceived.mean(), solved.mean(), (perceived * solved).mean()]])
    middle = _divided(exact, slips[0], parts, _is_at_floor(perceived, solved))
    open_end = 3 / (clusters * int(both.sum()))
    values = {name: _value(middle[name], ends[name], open_end, int(both.sum())) for name in middle}
    all_right = perceived == 1
    return PerceptionSplit(
        probes,
        *(int(all_right.sum()), int((right[all_right] == 1).sum())),
        *(int((~all_right).sum()), int((right[~all_right] == 1).sum())),
        parts,
        Divided(**values),
    )


def _scores(rung: RungResult, units: Sequence[str]) -> Floats:
    """Each unit's answer to a perception question, luck taken out; one that could not be read is not solved."""
    by_unit = rung.trials.group_by("unit").agg(luck().mean())
    chances = dict(zip(by_unit["unit"].to_list(), by_unit["luck"].to_list(), strict=True))
    chance = np.array([chances.get(unit, 0.0) for unit in units])
    right = rung.right / np.maximum(rung.read, 1)
    return np.where(rung.read > 0, (right - chance) / (1 - chance), 0.0)


def _possible(scores: Sequence[Floats]) -> list[float]:
    """Every product that the scores of an item can have."""
    return [*{*_rounded(np.array([np.prod(one) for one in product(*map(np.unique, scores))])), 0.0, 1.0}]


def _rounded(scores: Floats) -> list[float]:
    return [float(score) + 0.0 for score in np.round(scores, 9)]


def _draws(
    perceived: Floats, solved: Floats, possible: Sequence[float], clusters: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Means of perceived, solved and both, as they may be: draws x 3."""
    worst = min(_rounded(solved)) if (solved < 1).any() else -round(1 / 3, 9)
    seen = list(zip(_rounded(perceived), _rounded(solved), strict=True))
    cells = sorted(product({*possible, *(x for x, _ in seen)}, {1.0, worst, *(y for _, y in seen)}))
    counts = Counter(seen)
    weights = rng.dirichlet(np.array([counts[cell] for cell in cells]) * clusters + 0.5, DRAWS)
    x, y = (np.array(column) for column in zip(*cells, strict=True))
    return np.asarray(weights @ np.column_stack([x, y, x * y]))


def _slips(result: LadderResult, told: RungResult | None, rng: np.random.Generator) -> tuple[float, Floats | float]:
    """What is lost where the answer is told, as it is and as it may be; nothing if it was not asked."""
    if told is None:
        return 0.0, 0.0
    read = told.read > 0
    chance = float(result.luck[read].mean())
    right = float(told.right[read].sum() / told.read[read].sum())
    n = len(np.unique(result.clusters[read]))
    drawn = rng.beta(n * right + 0.5, n * (1 - right) + 0.5, DRAWS)
    return (1 - right) / (1 - chance), np.clip((1 - drawn) / (1 - chance), 0.0, 1.0)


def _is_at_floor(perceived: Floats, solved: Floats) -> bool:
    share = float(perceived.mean())
    return share < FLOOR or float((perceived * solved).mean()) / share < FLOOR


def _divided(
    means: NDArray[np.float64], slips: Floats | float, parts: float, at_floor: bool
) -> dict[str, NDArray[np.float64]]:
    """The shares lost to thinking, to eyes and to either, for each row of means (perceived, solved, both)."""
    share, right, both = np.clip(means[:, 0], 1e-9, 1.0), np.clip(means[:, 1], 0.0, 1.0), means[:, 2]
    missed = 1 - share
    in_spite = np.clip((right - both) / np.maximum(missed, 1e-9), 0.0, 1.0)
    decisive = 1.0 if at_floor else np.clip(1 - in_spite / np.maximum(both / share, 1e-9), 0.0, 1.0)
    kept = 1 - missed * decisive
    lost = np.maximum(1 - slips - right, 0.0)
    eyes = np.minimum((1 - slips) * (1 - kept), lost)
    thinking = np.clip((1 - slips) * kept**parts - right, 0.0, lost - eyes)
    together = lost - eyes - thinking
    return {
        "thinking": thinking,
        "eyes": eyes,
        "beside_thinking": lost - thinking,
        "beside_eyes": lost - eyes,
        "together": together,
    }


def _value(middle: Floats, drawn: Floats, open_end: float, n: int) -> Value:
    """A share with its interval; one that no draw has is still possible (the rule of three)."""
    value = float(middle[0])
    low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
    return Value(value, min(low, value), max(high, min(value + open_end, 1.0)), n)


def with_perception(charges: Sequence[Charge], perception: PerceptionSplit | None) -> list[Charge]:
    """The charges, with what the perception questions isolate taken out of the step that adds thinking and eyes. What
    they do not isolate stays together."""
    made: list[Charge] = []
    for charge in charges:
        undivided = is_undivided(charge.step.faculties) and charge.share.value
        made += _split(charge, perception) if perception and undivided else [charge]
    return made


def _split(charge: Charge, perception: PerceptionSplit) -> list[Charge]:
    isolated, lost = perception.isolated, perception.lost
    total = (lost.thinking.value or 0.0) + (lost.beside_thinking.value or 0.0)
    if not isolated or not total:
        return [charge]
    scale = (charge.share.value or 0.0) / total
    thinking = tuple(name for name in charge.step.faculties if name not in EYES)
    eyes = tuple(name for name in charge.step.faculties if name in EYES)
    shares = [(thinking, lost.thinking), (eyes, lost.eyes)]
    left = lost.together
    if len(isolated) == 1:
        rest = lost.beside_thinking if isolated == ("thinking",) else lost.beside_eyes
        if (rest.value or 0.0) >= NEXT_TO_NOTHING:
            shares, left = [shares[0 if isolated == ("thinking",) else 1]], rest
    if (left.value or 0.0) >= NEXT_TO_NOTHING:
        shares.append((charge.step.faculties, left))
    else:
        # What may be left between the two is not listed: either may have it.
        scale *= total / (total - (left.value or 0.0))
        untested = perception.seen < FLOOR * (perception.seen + perception.others)
        own = Value(None) if untested else replace(lost.thinking, high=lost.beside_eyes.high)
        shares = [(thinking, own), (eyes, replace(lost.eyes, high=lost.beside_thinking.high))]
    return [_part(charge, faculties, share, scale) for faculties, share in shares]


def _part(charge: Charge, faculties: tuple[str, ...], share: Value, scale: float) -> Charge:
    """A part of a charge. It has no step of its own: the pairs of item and questions are what was measured."""
    own = scaled(share, scale)
    if own.value is not None and own.high is not None:
        own = replace(own, value=min(own.value, 1.0), high=min(own.high, 1.0))
    return replace(charge, step=replace(charge.step, faculties=faculties, loss=own, measured=own, p=None), share=own)
