"""What is added to an activation: the patch that is studied, and the controls that say what it proves. Arithmetic only.

A patch moves an activation h by alpha times a displacement; with alpha 1 and the displacement `centroid - h` it puts
the centroid in its place. All controls are displacements too, so one machine applies them all:

- `router`: towards the centroid of the rule and the answer that the router predicts. The patch that is studied.
- `oracle`: towards the centroid of the true rule and answer: what perfect routing would bring.
- `random`: as long a way as the router's patch, in a random direction.
- `shuffled`: towards the centroid of the predicted kind, of donors whose kinds were shuffled.
- `means`: one fixed direction for all rows, from the mean donor of the usual rule to that of the other; no router.

Further controls are no displacements at this place: `none` (no patch), `probe` (the router's own answer, no model),
`picture` and `early` (the router's displacement added elsewhere; `picture_none` are the rows of `picture` unpatched).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.router import centroids, learn
from snellen.lab.steer.rows import Ints, Rows, RowSplit

AT_QUERY = ("router", "oracle", "random", "shuffled", "means")

SHUFFLES = 16
"""Tested rows take turns with so many shuffles: by one alone all rows of a kind would be moved to the same point, and
be right or wrong together."""

Activations = NDArray[np.float32]


@dataclass(frozen=True)
class RecordedActivations:
    """What a model did on all rows of a setup, as plain tables.

    `layers`: which layers (counted from 0). `hidden`: layers x rows x width, each layer's output at the query token.
    `scores`: rows x labels, their log-probabilities.
    """

    layers: tuple[int, ...]
    hidden: Activations
    scores: Floats

    def right(self, rows: Rows) -> NDArray[np.bool_]:
        return np.asarray(self.scores.argmax(axis=1) == rows.answer)


@dataclass(frozen=True)
class Patch:
    """The displacements of the tested rows at one layer by control, and where the router sent them."""

    moves: dict[str, Floats]
    rule: Ints
    answer: Ints


def patch(rows: Rows, part: RowSplit, place: int, target: RecordedActivations, donor: RecordedActivations) -> Patch:
    """Everything that is to be added at the `place`-th recorded layer, learnt from the rows of the split."""
    learnt, tested = part.learnt, part.tested
    points, given = target.hidden[place].astype(np.float64), donor.hidden[place].astype(np.float64)
    right = donor.right(rows)
    random = np.random.default_rng([part.seed, target.layers[place], len(rows)])
    router = learn(points[learnt], rows.rule[learnt], rows.answer[learnt])
    rule, answer = router.route(points[tested])
    means = centroids(given[learnt], rows.rule[learnt], rows.answer[learnt], right[learnt])
    muddled = np.stack([_shuffled(rows, learnt, given, right, random) for _ in range(SHUFFLES)])
    turn = np.arange(len(tested)) % SHUFFLES
    here = points[tested]
    routed = means[rule, answer] - here
    moves = {
        "router": routed,
        "oracle": means[rows.rule[tested], rows.answer[tested]] - here,
        "random": _as_long(random.normal(size=here.shape), routed),
        "shuffled": muddled[turn, rule, answer] - here,
        "means": np.broadcast_to(means[1].mean(axis=0) - means[0].mean(axis=0), here.shape),
    }
    return Patch(moves, rule, answer)


def _shuffled(rows: Rows, learnt: Ints, given: Floats, right: NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """Centroids of donors whose kinds were dealt out anew."""
    mixed = random.permutation(learnt)
    return centroids(given[learnt], rows.rule[mixed], rows.answer[mixed], right[learnt])


def _as_long(directions: Floats, moves: Floats) -> Floats:
    """The directions, each as long as the row's move."""
    lengths = np.linalg.norm(moves, axis=1) / np.linalg.norm(directions, axis=1)
    return np.asarray(directions * lengths[:, None])
