"""Simulated fixation trials as tidy rows, made without drawing a board or asking anybody.

A subject is `see`, `map`, `guess` and a few more probabilities. Whether a board is seen is drawn once for each item and
shared by all its trials; mapping and guessing are drawn trial by trial.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl

from support.pieces import table_of

LABELS = {
    "tictactoe": ("X", "O"),
    "reversi": ("Black", "White"),
    "connect4": ("Red", "Yellow"),
    "dots_boxes": ("A", "B"),
}
FACTORS: dict[str, tuple[str, ...]] = {
    "rule": ("standard", "inverse"),
    "target": ("winner", "loser"),
    "prompt": ("base",),
    "rendering": ("base",),
    "order": ("image_first",),
    "response": ("direct",),
    "modality": ("image",),
}
Answer = Callable[[np.random.Generator, Mapping[str, str], np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def answer_by_tree(see: float, map: float, guess: float, **maps: float) -> Answer:
    """Answers as the tree has them; `map_alias=...` and the like hold under that prompt."""

    def answer(rng, condition, seen_draw, key, habit):
        follow = rng.random(len(key)) < maps.get(f"map_{condition['prompt']}", map)
        guessed = np.where(rng.random(len(key)) < guess, 1, 2)
        return np.where(seen_draw < see, np.where(follow, key, habit), guessed)

    return answer


def fixation_rows(
    subjects: Mapping[str, Answer],
    *,
    n: int = 10,
    games: Sequence[str] = tuple(LABELS),
    seed: int = 0,
    refuse: float = 0.0,
    error: float = 0.0,
    **levels: tuple[str, ...],
) -> pl.DataFrame:
    """Tidy rows: n boards for each game, crossed with the levels (default: both rules and targets, else Base)."""
    crossing = FACTORS | levels
    frames = []
    for number, (subject, answer) in enumerate(subjects.items()):
        for game in games:
            board = np.random.default_rng([seed, list(LABELS).index(game)])
            winner = board.integers(1, 3, n)
            rng = np.random.default_rng([seed, number + 1, list(LABELS).index(game)])
            seen_draw = rng.random(n)
            for values in product(*crossing.values()):
                condition = dict(zip(crossing, values, strict=True))
                asked = winner if condition["target"] == "winner" else 3 - winner
                key = asked if condition["rule"] == "standard" else 3 - asked
                said = answer(rng, condition, seen_draw, key, asked)
                frames.append(_frame(subject, game, condition, key, said, rng, refuse, error))
    return table_of(frames)


def _frame(subject, game, condition, key, said, rng, refuse, error):
    n, labels = len(key), np.array(LABELS[game])
    fate = rng.random(n)
    reason = np.where(fate < error, "error", np.where(fate < error + refuse, "refused", ""))
    outcome = np.where(reason != "", "unread", np.where(said == key, "right", "wrong"))
    name = "-".join(condition.values())
    return {
        "trial": [f"{subject}/{game}/{name}/{i}" for i in range(n)],
        "task": "fixation",
        "item": (items := [f"fixation/{game}/fresh-0/{i:04d}" for i in range(n)]),
        "cluster": items,
        "subject": subject,
        "paradigm": "direct",
        "game": game,
        "states": "fresh",
        "size": "small",
        **condition,
        "pack": "",
        "outcome": outcome,
        "reason": reason,
        "answer": np.where(reason == "", labels[said - 1], ""),
        "key": labels[key - 1],
        "labels": [list(labels)] * n,
        "exam": 1,
    }
