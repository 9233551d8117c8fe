"""The processing tree that a ladder implies, fitted to the joint pattern of every item over all rungs.

Each item is taken in and worked out or not, once for all rungs that demand it; each call may slip; what is not solved,
and every slip, is a guess. An item that is solved below a step against a habit is answered by habit there, for sure
wrongly: the same item always, or one call and not the other; the tree lets the two mix as the data have it.

So the parameters are the losses themselves, one for every part of a step, and they sum to what is not right. Because an
item that is solved in words *and* missed in pictures says more than two averages do, the tree needs fewer items than
the steps. An interval holds the values whose profile likelihood falls short of the best by less than the usual amount;
unlike a bootstrap this keeps its word at the edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.analysis.estimates import Floats
from snellen.analysis.ladder.climb import Stand
from snellen.analysis.ladder.steps import Step

TINY = 1e-9
MANY = 4000
"""More patterns than this are not enumerated: a design of many trials an item has enough in its steps."""
DRAWS = 400
CLOUD, PARENTS, CHILDREN = 1500, 4, 12
SCALES = (0.01, 0.03, 0.1, 0.2)
NARROWING = (0.1, 0.06, 0.04, 0.025, 0.015, 0.01, 0.006)
MISFIT_P, MISFIT_MOVED = 0.01, 0.02
WIDER = 1.2
"""The usual amount is right for many items; with tens of them intervals must be this much more generous to hold."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a parameter stands for: slips (a call), fails (an item, from a rung on), or habit (for sure wrong)."""

    kind: str
    step: int


@dataclass(frozen=True, slots=True)
class Patterns:
    """Items alike in all that matters, counted: answers read and right on each rung, luck, and how many there are."""

    read: Floats
    right: Floats
    luck: Floats
    count: Floats


@dataclass(frozen=True)
class Tree:
    """The tree of a line of rungs. Parameters: the share of each part, then how much of the habit is the item's."""

    rungs: int
    parts: tuple[Part, ...]

    @cached_property
    def size(self) -> int:
        return len(self.parts) + self.has_habit

    @property
    def has_habit(self) -> bool:
        return any(part.kind == "habit" for part in self.parts)

    def of_step(self, step: int) -> Floats:
        """Which parameters add up to a step's loss."""
        member = [float(part.step == step) for part in self.parts]
        return np.array([*member, *([0.0] if self.has_habit else [])])

    def chances(self, theta: Floats, patterns: Patterns) -> Floats:
        """The probability of each pattern (but for the number of ways to get it): parameters x patterns."""
        slip, fails, habit = self._unpacked(theta)
        fates, shares = self._fates(len(theta), fails, habit)
        chances = np.empty((len(theta), len(patterns.luck)))
        lost = patterns.read - patterns.right
        for luck in np.unique(patterns.luck):
            here = patterns.luck == luck
            solved, slipped = (1 - slip)[:, None, None], (slip * luck)[:, None, None]
            # A fate says of each rung how likely an answer is right that is not a slip; NaN where it is a mere guess.
            right = np.where(np.isnan(fates), luck, solved * fates + slipped)
            right = np.clip(right, TINY, 1 - TINY)
            logs = np.log(right) @ patterns.right[here].T + np.log1p(-right) @ lost[here].T
            chances[:, here] = (shares[:, :, None] * np.exp(logs)).sum(1)
        return chances

    def _fates(
        self, rows: int, fails: "Sequence[tuple[int, Floats]]", habit: "tuple[int, Floats, Floats] | None"
    ) -> tuple[Floats, Floats]:
        """What may become of an item: for each fate how its rungs are answered, and how many items have it."""
        top = np.clip(1 - sum((share for _, share in fails), np.zeros(rows)), 0, 1)
        fates, shares = [], []
        for step, share in fails:
            fates.append(np.repeat([[1.0] * step + [np.nan] * (self.rungs - step)], rows, axis=0))
            shares.append(share)
        if habit is None:
            fates.append(np.ones((rows, self.rungs)))
            shares.append(top)
        else:
            step, always, sometimes = habit
            for own, share in ((np.ones(rows), always), (sometimes, 1 - always)):
                fate = np.ones((rows, self.rungs))
                fate[:, step:] = (1 - own)[:, None]
                fates.append(fate)
                shares.append(top * share)
        return np.stack(fates, 1), np.stack(shares, 1)

    def _unpacked(self, theta: Floats) -> tuple[Floats, list[tuple[int, Floats]], tuple[int, Floats, Floats] | None]:
        """Slips, the share of items that fail at each step, and the habit: its step, how many items, how many calls."""
        slip = np.zeros(len(theta))
        for k, part in enumerate(self.parts):
            if part.kind == "slip":
                slip = np.clip(theta[:, k], 0, 1 - TINY)
        awake = 1 - slip
        fails = [(part.step, theta[:, k] / awake) for k, part in enumerate(self.parts) if part.kind == "fail"]
        if not self.has_habit:
            return slip, fails, None
        k, part = next((k, part) for k, part in enumerate(self.parts) if part.kind == "habit")
        top = np.maximum(awake * (1 - sum((share for _, share in fails), np.zeros(len(theta)))), TINY)
        whole = np.clip(theta[:, k] / top, 0, 1)
        always = whole * np.clip(theta[:, -1], 0, 1)
        sometimes = np.clip((whole - always) / np.maximum(1 - always, TINY), 0, 1)
        return slip, fails, (part.step, always, sometimes)


def tree_of(steps: Sequence[Step]) -> Tree:
    """The tree that these steps imply."""
    parts: list[Part] = []
    for k, step in enumerate(steps):
        if "attention" in step.faculties:
            parts.append(Part("slip", k))
        if any(faculty not in ("attention", "habit") for faculty in step.faculties):
            parts.append(Part("fail", k))
        if "habit" in step.faculties:
            parts.append(Part("habit", k))
    return Tree(len(steps), tuple(parts))


def patterns_of(line: Sequence[Stand], luck: Floats) -> Patterns:
    """The items of a climb, counted by pattern."""
    read = np.column_stack([stand.read for stand in line])
    right = np.column_stack([stand.right for stand in line])
    rows = np.column_stack([read, right, luck])[read.sum(1) > 0]
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    n = len(line)
    return Patterns(kinds[:, :n], kinds[:, n : 2 * n], kinds[:, -1], counts.astype(np.float64))


def likelihood(tree: Tree, patterns: Patterns, theta: Floats) -> Floats:
    """The log-likelihood of each row of parameters."""
    chances = np.maximum(tree.chances(np.atleast_2d(theta), patterns), 1e-300)
    return np.asarray(np.log(chances) @ patterns.count)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted tree: for each step its loss with its ends, and whether the tree fits. `p`: the fit test, `moved`: the
    share of items that would have to have another pattern for a perfect fit."""

    tree: Tree
    theta: Floats
    losses: tuple[tuple[float, float, float], ...]
    p: float
    moved: float

    @property
    def fits(self) -> bool:
        return self.p >= MISFIT_P or self.moved <= MISFIT_MOVED


def fit(steps: Sequence[Step], line: Sequence[Stand], luck: Floats, inflation: float, seed: int) -> Fit | None:
    """The tree fitted to these items; None if it would have too many patterns, or nothing to go by. `inflation`: how
    many items go into one independent observation."""
    tree, patterns = tree_of(steps), patterns_of(line, luck)
    items = float(patterns.count.sum())
    if items < 8 or not tree.parts or len(patterns.count) > MANY:
        return None
    theta = _best(tree, patterns, steps)
    quantile = float(scipy.special.stdtrit(max(items / inflation - 1, 1), 0.975))
    floor = float(likelihood(tree, patterns, theta)[0]) - WIDER * quantile**2 / 2 * inflation
    members = np.array([tree.of_step(k) for k in range(len(steps))])
    ends = _ends(tree, patterns, theta, np.concatenate([-members, members]), floor, seed)
    values = members @ theta
    lows, highs = (np.einsum("kp,kp->k", members, half) for half in np.split(ends, 2))
    losses = [(float(value), float(low), float(high)) for value, low, high in zip(values, lows, highs, strict=True)]
    p, moved = _misfit(tree, patterns, theta, seed)
    return Fit(tree, theta, tuple(losses), p, moved)


def _slope(tree: Tree, patterns: Patterns, theta: Floats) -> Floats:
    """The gradient of the log-likelihood, by differences taken all at once and within bounds."""
    size, step = len(theta), 1e-6
    up = np.minimum(theta + step, 1.0)
    down = np.maximum(theta - step, 0.0)
    points = np.repeat(theta[None], 2 * size, axis=0)
    points[np.arange(size), np.arange(size)] = up
    points[size + np.arange(size), np.arange(size)] = down
    values = likelihood(tree, patterns, points)
    return np.asarray((values[:size] - values[size:]) / (up - down))


def _best(tree: Tree, patterns: Patterns, steps: Sequence[Step]) -> Floats:
    """The most likely parameters, from what the steps say and from the middle."""
    items = float(patterns.count.sum())
    losses = np.array([*np.ones(len(tree.parts)), *np.zeros(tree.size - len(tree.parts))])
    tried = []
    for start in _starts(tree, steps):
        result = scipy.optimize.minimize(
            lambda x: -float(likelihood(tree, patterns, x)[0]) / items,
            start,
            jac=lambda x: -_slope(tree, patterns, x) / items,
            bounds=[(0.0, 1.0)] * tree.size,
            constraints={"type": "ineq", "fun": lambda x: 1 - losses @ x, "jac": lambda x: -losses},
            method="SLSQP",
            options={"maxiter": 100, "ftol": 1e-8},
        )  # type: ignore[call-overload]
        tried += [_allowed(tree, np.asarray(result.x))[0], start]
    scores = [float(likelihood(tree, patterns, theta)[0]) for theta in tried]
    return np.asarray(tried[int(np.nanargmax(scores))])


def _starts(tree: Tree, steps: Sequence[Step]) -> list[Floats]:
    even = np.full(tree.size, 0.5 / max(len(tree.parts), 1))
    losses = np.array([step.loss.value or 0.0 for step in steps])
    split = np.array([losses[part.step] / sum(other.step == part.step for other in tree.parts) for part in tree.parts])
    told = np.concatenate([split, np.full(tree.size - len(split), 0.5)])
    mixed = 0.9 * told + 0.1 * even
    if tree.has_habit:
        mixed[-1] = even[-1] = 0.5
    return [mixed, even]


def _ends(tree: Tree, patterns: Patterns, theta: Floats, towards: Floats, floor: float, seed: int) -> Floats:
    """For each direction (rows) the parameters that go furthest in it among those that are likely enough.

    A cloud of points around the best ones is narrowed down on the far ends: slower than following a slope, but it does
    not get stuck at the edges, where the truth often lies.
    """
    rng = np.random.default_rng([seed, len(towards)])
    scales = rng.choice(SCALES, CLOUD)[:, None]
    points = _allowed(tree, theta + scales * rng.standard_normal((CLOUD, tree.size)))
    points = np.concatenate([theta[None], points])
    kept = points[likelihood(tree, patterns, points) >= floor]
    kept = kept if len(kept) else theta[None]
    for scale in NARROWING:
        reach = kept @ towards.T
        best = np.argsort(-reach, axis=0)[:PARENTS].T.ravel()
        parents = np.repeat(kept[best], CHILDREN, axis=0)
        away = (parents - theta) * rng.uniform(0, 0.5, (len(parents), 1))
        children = parents + away + scale * rng.standard_normal(parents.shape) * rng.choice([0.3, 1.0], parents.shape)
        children = _allowed(tree, children)
        kept = np.concatenate([kept[np.unique(best)], children[likelihood(tree, patterns, children) >= floor]])
    return np.asarray(kept[np.argmax(kept @ towards.T, axis=0)])


def _allowed(tree: Tree, theta: Floats) -> Floats:
    """The nearest parameters that are shares."""
    inside = np.clip(np.nan_to_num(np.atleast_2d(theta)), 0, 1)
    losses = inside[:, : len(tree.parts)]
    losses /= np.maximum(losses.sum(1, keepdims=True), 1)
    return np.asarray(inside)


def _misfit(tree: Tree, patterns: Patterns, theta: Floats, seed: int) -> tuple[float, float]:
    """How often the tree itself would give patterns as unlike its own as these, and how many items are out of place.

    Patterns are drawn from the tree, without fitting it to each draw anew: that is slow, and makes the test no worse
    than more lenient.
    """
    whole = enumerated(patterns)
    if whole is None:
        return 1.0, 0.0
    kinds, kind_of, ways = whole
    expected = tree.chances(theta[None], kinds)[0] * ways
    rng = np.random.default_rng([seed, len(expected)])
    seen = kinds.count
    total, simulated = 0.0, np.zeros(DRAWS)
    moved = 0.0
    for kind in np.unique(kind_of):
        here = kind_of == kind
        n = float(seen[here].sum())
        shares = expected[here] / expected[here].sum()
        drawn = rng.multinomial(int(n), shares, DRAWS)
        scale = np.maximum(n * shares, 0.05)
        total += float((((seen[here] - n * shares) ** 2) / scale).sum())
        simulated += (((drawn - n * shares) ** 2) / scale).sum(1)
        moved += float(np.abs(seen[here] - n * shares).sum() - np.abs(drawn - n * shares).sum(1).mean()) / 2
    return float((1 + (simulated >= total).sum()) / (1 + DRAWS)), max(moved, 0.0) / float(seen.sum())


def enumerated(patterns: Patterns) -> tuple[Patterns, NDArray[np.intp], Floats] | None:
    """Every pattern there could be of items asked as these were, with how often each was seen, which way of asking it
    belongs to, and in how many ways it comes about. None if there are too many."""
    asked, kind_of = np.unique(np.column_stack([patterns.read, patterns.luck]), axis=0, return_inverse=True)
    if np.prod(asked[:, :-1] + 1, axis=1).sum() > MANY:
        return None
    rows, counts, kinds, ways = [], [], [], []
    for kind, way in enumerate(asked):
        read, luck = way[:-1], way[-1]
        grid = np.stack(np.meshgrid(*(np.arange(int(n) + 1) for n in read), indexing="ij"), -1).reshape(-1, len(read))
        own = np.flatnonzero(np.ravel(kind_of) == kind)
        seen = {tuple(patterns.right[k].astype(int)): patterns.count[k] for k in own}
        rows.append(np.column_stack([np.repeat(read[None], len(grid), 0), grid, np.full(len(grid), luck)]))
        counts += [seen.get(tuple(point), 0.0) for point in grid]
        kinds += [kind] * len(grid)
        ways.append(scipy.special.comb(read[None], grid).prod(1))
    table, n = np.concatenate(rows), patterns.read.shape[1]
    every = Patterns(table[:, :n], table[:, n : 2 * n], table[:, -1], np.array(counts))
    return every, np.array(kinds, dtype=np.intp), np.concatenate(ways)
