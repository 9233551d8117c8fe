"""Fits `balance.toml`: with what chance a randomly played board is taken, by who holds which cell.

Among all ways to thin out random play so that every cell is the winner's no more often than any other, the one that
changes it least takes a board with a chance proportional to exp(-sum of tilts over the winner's cells + sum over the
loser's). The tilts are found by Newton's method on a sample. Run `python -m snellen.tasks.fixation.tilt` to print the
table anew; items change with it, so that is a new version of the task.
"""

import sys
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from snellen.rng import stream
from snellen.tasks.fixation.fresh import candidates, strata
from snellen.tasks.fixation.games import GAMES, SIZES, Game

_SIGNS = {"0": 0.0, "1": 1.0, "2": -1.0}
_RARE = 0.01
"""This share of boards would deserve more than a chance of 1; taking them with 1 costs nothing that can be measured."""


def fit(game: Game, size: str, sample: int) -> tuple[list[float], float]:
    """The tilt of each cell, and the log weight at which a board is taken for sure."""
    source = candidates(game, game.shape(size), stream(0, "tilt", game.name, size))
    endings = list(islice(source, sample))
    held = np.array([[_SIGNS[cell] for cell in ending.cells] for ending in endings])
    quotas = strata(game, size)
    groups = [
        (np.array([ending.stratum == name for ending in endings]), quotas.count(name) / len(quotas))
        for name in dict.fromkeys(quotas)
    ]
    tilt = np.zeros(held.shape[1])
    for _ in range(30):
        lean, spread = _moments(held, groups, tilt)
        tilt += 0.7 * np.linalg.solve(spread + 1e-3 * np.eye(len(tilt)), lean - lean.mean())
    tilt = np.round(tilt, 3)
    return tilt.tolist(), round(float(np.quantile(-held @ tilt, 1 - _RARE)), 2)


_Groups = list[tuple[NDArray[np.bool_], float]]


def _moments(
    held: NDArray[np.float64], groups: _Groups, tilt: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each cell leans to the winner under the tilt, and the covariance within strata."""
    lean = np.zeros(held.shape[1])
    spread = np.zeros((held.shape[1], held.shape[1]))
    for members, share in groups:
        cells = held[members]
        weights = np.exp(-cells @ tilt)
        weights /= weights.sum()
        mean = weights @ cells
        lean += share * mean
        spread += share * ((cells * weights[:, None]).T @ cells - np.outer(mean, mean))
    return lean, spread


def main() -> None:
    for name in ("tictactoe", "reversi", "connect4"):
        for size in SIZES:
            if (name, size) != ("tictactoe", "small"):
                tilt, most = fit(GAMES[name], size, 20_000)
                sys.stdout.write(f"[{name}.{size}]\nmost = {most}\ntilt = {tilt}\n\n")


if __name__ == "__main__":
    main()
