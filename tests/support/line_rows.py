"""Rows of trials on charts of many lines, made by hand: of subjects that read down to a limit."""

from itertools import product

import numpy as np

LETTERS = "CDHKNORSVZ"
LINES = {"512": 13, "1024": 15, "2048": 17, "4096": 19}
"""Lines of a chart by its canvas."""


def spoiled(key, share, chances):
    """The letters, each guessed anew by a chance of `share`."""
    return "".join(chances.choice(list(LETTERS)) if chances.random() < share else letter for letter in key)


def readings(subject, limits, *, n=6, noise=0.0, seed=0, samples=2, tokens=None):
    """Rows of a subject that reads every line whose stroke is above its limit on that canvas (px), and guesses below;
    `noise`: how often a letter is guessed in one reply only. Guesses go by the limit, as they do by what is seen."""
    rows = []
    chances = np.random.default_rng(seed)
    for canvas, limit in limits.items():
        for ink, index in product(("1", "0.3", "0.1"), range(n)):
            item = np.random.default_rng([int(canvas), index, round(100 * float(ink))])
            key = ["".join(item.permutation(list(LETTERS))[:5]) for _ in range(LINES[canvas])]
            strokes = [10 ** ((LINES[canvas] - 3 - k) / 10) for k in range(LINES[canvas])]
            rows += _replies(subject, canvas, ink, index, key, strokes, limit, noise, samples, chances)
            for row in rows[-samples:]:
                row["tokens_in"] = None if tokens is None else tokens(int(canvas))
    return rows


def _replies(subject, canvas, ink, index, key, strokes, limit, noise, samples, chances):
    base = {"task": "acuity", "subject": subject, "test": "lines", "level": ink, "canvas": canvas, "polarity": "dark",
            "place": "centre", "font": "sloan", "paradigm": "direct", "pack": "p", "labels": [""], "how": "lines",
            "mechanism": "", "item": f"i{ink}-{index}", "cluster": f"i{ink}-{index}", "key": "/".join(key)}  # fmt: skip
    for sample in range(samples):
        if limit in ("error", "refused"):
            yield {**base, "sample": sample, "answer": "", "outcome": "unread", "reason": limit}
            continue
        guess = np.random.default_rng([index, round(1000 * limit)])
        said = []
        for row, stroke in zip(key, strokes, strict=True):
            seen = row if stroke >= limit * (0.8 + 0.4 * guess.random()) else "".join(guess.choice(list(LETTERS), 5))
            said.append(spoiled(seen, noise, chances))
        yield {**base, "sample": sample, "answer": "/".join(said), "outcome": "wrong", "reason": ""}
