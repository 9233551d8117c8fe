"""A made-up model whose every direction is known, in place of one that must be loaded: arithmetic, no torch.

Its answer is read off one direction of the last layer (SAYS). Another one holds what the right answer is (KNOWS), a
third the rule (RULE), all with a little noise. It is fixated: under the usual rule it says what it knows, under the
other one mostly the opposite. From layer LATE on, whatever is added stays to the end; before that it is lost.
"""

from collections.abc import Sequence

import numpy as np

from snellen.lab.steer.logistic import Floats
from snellen.lab.steer.patches import Activations
from snellen.lab.steer.rows import Ints, Rows
from snellen.lab.steer.steering import Move

DEPTH, LATE, WIDTH = 8, 4, 24
SAYS, KNOWS, RULE = 0, 1, 2
FOLLOWS = 0.3
"""How often it says what it knows under the other rule."""


def rows(states: int = 40) -> Rows:
    """Every state under both rules, asked for the winner and the loser."""
    state, rule, target = (axis.ravel() for axis in np.meshgrid(range(states), (0, 1), (0, 1), indexing="ij"))
    winner = np.random.default_rng(0).integers(0, 2, states)[state]
    names = tuple(f"board {k}" for k in range(states))
    return Rows("planted", ("standard", "inverse"), ("O", "X"), names, names, state, rule, winner ^ rule ^ target)


class Planted:
    """The model, asked these rows."""

    depth = DEPTH

    def __init__(self, asked: Rows, seed: int = 0, follows: float = FOLLOWS) -> None:
        random = np.random.default_rng(seed)
        sign = 2.0 * asked.answer - 1
        says = np.where((asked.rule == 1) & (random.random(len(asked)) > follows), -sign, sign)
        self._hidden = 0.3 * random.normal(size=(DEPTH, len(asked), WIDTH))
        for layer in range(LATE, DEPTH):
            self._hidden[layer, :, [SAYS, KNOWS, RULE]] += np.stack([2 * says, 2 * sign, 4.0 * asked.rule - 2])
        self.counts = {"read": 0.0, "read_again": 0.0, "tails": 0.0, "pictures": 0.0}

    def read(self, which: Ints, layers: Sequence[int]) -> tuple[Activations, Floats]:
        self.counts["read"] += len(which)
        hidden = self._hidden[list(layers)][:, which].astype(np.float32)
        return hidden, _scores(self._hidden[-1, which, SAYS])

    def follow(self, which: Ints, moves: Sequence[Move]) -> Floats:
        self.counts["tails"] += 0.01 * len(which) * len(moves)
        said = self._hidden[-1, which, SAYS]
        return np.stack([_scores(said + (move[:, SAYS] if layer >= LATE else 0)) for layer, move in moves])

    def at_pictures(self, which: Ints, move: Move) -> Floats:
        self.counts["pictures"] += len(which)
        return _scores(self._hidden[-1, which, SAYS])


def _scores(said: Floats) -> Floats:
    """Log-probabilities of the two labels."""
    return np.stack([-np.logaddexp(0, said), -np.logaddexp(0, -said)], axis=-1)
