"""The context-blind observer: can the choices alone tell which one is right?

The known leak of such puzzles is that the right choice is what the others are edits of, so that whoever never looks at
the context picks the choice that has most in common with the rest. This observer looks at nothing but the four choices:
what stands in each (how many of what, how large, where, how turned, closed or open) and how that compares with the
other three (rank, distance, with how many it is shared). A conditional logit (a score for each choice, softmax over the
four) learns from puzzles with their answers and is tested on others. At chance, there is nothing to learn.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from snellen.tasks.marvel.puzzle import CHOICES, Panel, Puzzle

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mark = Mapping[str, Any]

PENALTY = 20.0
"""Weight of the squared coefficients against the log-likelihood of all puzzles."""
_STEPS = 60
_SHAPES = (
    "circle", "square", "triangle", "diamond", "pentagon", "hexagon", "star", "cross", "heart", "rectangle",
    "ellipse", "trapezoid", "arrow", "moon", "drop", "line", "path", "grid", "letter",
)  # fmt: skip
_FILLS = ("none", "white", "black", "grey", "striped")
_CELLS = "#.o/"
_KEYS = ("shape", "x", "y", "size", "fill", "turn", "colour", "letter", "points", "rows", "closed", "curved")


def features(puzzles: Sequence[Puzzle]) -> Floats:
    """Puzzles x choices x features."""
    seen = np.array([[_traits(panel) for panel in puzzle.choices] for puzzle in puzzles])
    votes = np.array([_votes(puzzle.choices) for puzzle in puzzles])
    place = np.broadcast_to(np.eye(CHOICES), (len(puzzles), CHOICES, CHOICES))
    return np.concatenate((seen, _compared(seen), votes, place), axis=2)


def _traits(panel: Panel) -> list[float]:
    """What is seen in one choice, as numbers, always in the same order."""
    marks: Sequence[Mark] = panel["marks"]
    shapes = [mark["shape"] for mark in marks]
    fills = [mark.get("fill", "none") for mark in marks]
    cells = "".join(row for mark in marks for row in mark.get("rows", ()))
    paths = [mark for mark in marks if mark["shape"] == "path"]
    turns = [mark.get("turn", 0) for mark in marks]
    return [
        len(marks),
        *(shapes.count(shape) for shape in _SHAPES),
        *(fills.count(fill) for fill in _FILLS),
        *(cells.count(cell) for cell in _CELLS),
        *(len({str(mark.get(key)) for mark in marks}) for key in ("shape", "fill", "size", "turn", "colour")),
        *_spread([mark["size"] for mark in marks if "size" in mark]),
        *_spread([x for mark in marks for x in _places(mark, "x", 0)]),
        *_spread([y for mark in marks for y in _places(mark, "y", 1)]),
        sum(turns),
        sum(map(bool, turns)),
        round(sum(cos(turn * pi / 180) for turn in turns), 6),
        round(sum(sin(turn * pi / 180) for turn in turns), 6),
        sum(bool(path.get("closed")) for path in paths),
        sum(bool(path.get("curved")) for path in paths),
        sum(len(path["points"]) for path in paths),
        round(sum(_length(mark) for mark in marks), 3),
        round(sum(_area(path["points"]) for path in paths), 3),
        sum(ord(mark["letter"]) for mark in marks if "letter" in mark),
        len(str(panel.get("words", ""))),
    ]


def _spread(values: Sequence[float]) -> list[float]:
    """Least, greatest, mean, and mean distance from the mean."""
    if not values:
        return [0.0, 0.0, 0.0, 0.0]
    mean = sum(values) / len(values)
    return [min(values), max(values), round(mean, 6), round(sum(abs(v - mean) for v in values) / len(values), 6)]


def _places(mark: Mark, name: str, part: int) -> Iterable[float]:
    if mark["shape"] == "path":
        return [point[part] for point in mark["points"]]
    return [mark[key] for key in (name, name + "2") if key in mark]


def _length(mark: Mark) -> float:
    if mark["shape"] == "line":
        return hypot(mark["x2"] - mark["x"], mark["y2"] - mark["y"])
    if mark["shape"] == "path":
        return sum(hypot(c - a, d - b) for (a, b), (c, d) in pairwise(mark["points"]))
    return 0.0


def _area(points: Sequence[Sequence[float]]) -> float:
    ring = [*points, points[0]]
    return abs(sum(a * d - b * c for (a, b), (c, d) in pairwise(ring))) / 2


def _votes(choices: Sequence[Panel]) -> list[list[float]]:
    """How much each choice has in common with the others, mark by mark and key by key: the vote of the majority."""
    panels = [panel["marks"] for panel in choices]
    named = [[{key: str(mark[key]) for key in _KEYS if key in mark} for mark in marks] for marks in panels]
    shared = [
        [_shared(named[i], named[j]) if i != j else (0.0, 0.0) for j in range(len(named))] for i in range(len(named))
    ]
    votes = []
    for row in shared:
        alike, equal = [pair[0] for pair in row], [pair[1] for pair in row]
        votes.append([sum(alike), max(alike), sum(equal), max(equal)])
    return votes


def _shared(one: Sequence[Mapping[str, str]], other: Sequence[Mapping[str, str]]) -> tuple[float, float]:
    """How many attributes two panels share (their marks taken in order), and how many whole marks."""
    alike = sum(sum(b.get(key) == value for key, value in a.items()) for a, b in zip(one, other, strict=False))
    return float(alike), float(sum(mark in other for mark in one))


def _compared(seen: Floats) -> Floats:
    """Every trait against the other choices: its distance from their mean, its rank, how many share its value."""
    mean = seen.mean(axis=1, keepdims=True)
    spread = seen.std(axis=1, keepdims=True)
    distance = (seen - mean) / np.where(spread > 0, spread, 1.0)
    pairs = seen[:, :, None, :], seen[:, None, :, :]
    above, same = pairs[0] > pairs[1], pairs[0] == pairs[1]
    rank = above.sum(axis=2) + (same.sum(axis=2) - 1) / 2
    sharing = same.sum(axis=2) - 1.0
    parts = [distance, np.abs(distance), np.abs(rank - (CHOICES - 1) / 2), sharing]
    differs = (spread > 0).astype(np.float64)
    whole = [
        (sharing * differs).sum(axis=2, keepdims=True),
        np.abs(distance).sum(axis=2, keepdims=True),
        ((sharing >= CHOICES // 2) * differs).sum(axis=2, keepdims=True),
        ((sharing == 0) * differs).sum(axis=2, keepdims=True),
    ]
    return np.concatenate((*parts, *whole), axis=2)


@dataclass(frozen=True, slots=True)
class BlindObserver:
    """What has been learned: which features differ between choices at all, their scale, and a weight for each."""

    used: Ints
    scale: Floats
    weights: Floats

    @classmethod
    def fit(cls, puzzles: Sequence[Puzzle], penalty: float = PENALTY) -> "BlindObserver":
        """Learn from puzzles whose answers are known."""
        table = _centred(features(puzzles))
        scale = table.std(axis=(0, 1))
        used = np.flatnonzero(scale > 1e-9)
        inputs = table[:, :, used] / scale[used]
        answers = np.array([puzzle.answer for puzzle in puzzles])
        if not len(used):
            return cls(used, scale[used], np.zeros(0))
        return cls(used, scale[used], _logit(inputs, answers, penalty))

    def scores(self, puzzles: Sequence[Puzzle]) -> Floats:
        """Puzzles x choices: the higher, the more it looks like the right one."""
        scores: Floats = (_centred(features(puzzles))[:, :, self.used] / self.scale) @ self.weights
        return scores

    def accuracy(self, puzzles: Sequence[Puzzle]) -> float:
        """The share of puzzles whose right choice gets the highest score; ties count for their share."""
        scores = np.round(self.scores(puzzles), 9)
        best = scores == scores.max(axis=1, keepdims=True)
        right = best[np.arange(len(puzzles)), [puzzle.answer for puzzle in puzzles]]
        return float((right / best.sum(axis=1)).mean())


def _centred(table: Floats) -> Floats:
    """Only differences between the choices of a puzzle can matter to a softmax over them."""
    centred: Floats = table - table.mean(axis=1, keepdims=True)
    return centred


def _logit(inputs: Floats, answers: Ints, penalty: float) -> Floats:
    """Weights of a conditional logit with an L2 penalty."""
    flat = inputs.reshape(-1, inputs.shape[2]).astype(np.float32)  # twice as fast, and precise enough to find a leak
    chosen = inputs[np.arange(len(answers)), answers].sum(axis=0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = (flat @ weights.astype(np.float32)).reshape(inputs.shape[:2]).astype(np.float64)
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        total = odds.sum(axis=1, keepdims=True)
        value = np.log(total).sum() - scores[np.arange(len(answers)), answers].sum()
        slope = (odds / total).ravel().astype(np.float32) @ flat - chosen
        return float(value + penalty * weights @ weights / 2), slope + penalty * weights

    best = minimize(loss, np.zeros(inputs.shape[2]), jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return np.asarray(best.x)
