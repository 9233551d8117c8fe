"""Simulated MARVEL trials as tidy rows, made without a picture and without asking anybody.

A subject sees a puzzle or not and reasons it out or not: both are drawn once for a group of duplicates. Where it sees,
the detail is right; where it also reasons, the puzzle is. Otherwise it guesses: an option by its habit, the detail by
taking the answer offered first at some rate. Exact words make seeing certain.
"""

import numpy as np
import polars as pl

from support.pieces import table_of

PATTERNS = ("temporal", "spatial", "quantities", "mathematical", "2d", "3d")
CONFIGURATIONS = ("sequence", "two-row", "matrix", "group", "reassembling")
FINE = {"location": ("left", "right"), "colour": ("black", "white"), "quantity": ("two", "three")}
PLAIN = {
    "indices": "digits",
    "blank": "empty",
    "words": "none",
    "shots": "zero",
    "demos": "same-pattern",
    "panels": "together",
    "ink": "black",
    "wording": "usual",
}
ALL = ("context", "choices", "whole", "fine", "avr")
NAMES = {"digits": ("1", "2", "3", "4"), "letters": ("A", "B", "C", "D")}


def marvel_rows(
    name="sim",
    *,
    see=1.0,
    reason=1.0,
    count=1.0,
    guess=(0.25, 0.25, 0.25, 0.25),
    first=0.5,
    n=80,
    group=1,
    seed=0,
    questions=ALL,
    refuse=0.0,
    second=0.0,
    paradigm="direct",
    **levels,
):
    """Tidy rows of one subject: n puzzles (in groups of duplicates) x questions, in one setting.

    The puzzles depend on the seed alone, the answers also on the name and the setting.
    """
    made = np.random.default_rng([seed, n])
    keys = made.integers(0, 4, n)
    offered = made.integers(0, 2, n)
    setting = {**PLAIN, "source": "generated", **levels}
    rng = np.random.default_rng([seed, sum(map(ord, name)), sum(map(ord, "".join(setting.values())))])
    groups = np.arange(n) // group
    spared = setting["words"] == "given" or paradigm in ("words", "told")
    seen = rng.random(n)[groups] < (1.0 if spared else see)
    solved = seen & (rng.random(n)[groups] < (1.0 if paradigm == "told" else reason))
    frames = []
    for question in questions:
        if question == "avr":
            labels = [list(NAMES[setting["indices"]])] * n
            key, answer = keys, np.where(solved, keys, rng.choice(4, n, p=guess))
        elif question == "fine":
            pairs = list(FINE.values())
            labels = [list(pairs[i % len(pairs)][:: -1 if offered[i] else 1]) for i in range(n)]
            key, answer = offered, np.where(seen, offered, rng.random(n) >= first).astype(int)
        else:
            labels = [[] for _ in range(n)]
            key, answer = np.zeros(n, int), (rng.random(n) >= count ** (1 / 3)).astype(int)
        frames.append(_frame(name, question, labels, key, answer, groups, rng, (refuse, second), setting))
    made_by = table_of(frames, labels=pl.List(pl.String)).with_columns(paradigm=pl.lit(paradigm))
    return made_by.with_columns(trial=pl.lit(f"{paradigm}/") + pl.col("trial"))


def _frame(name, question, labels, key, answer, groups, rng, odd, setting):
    n = len(key)
    refuse, second = odd
    refused = rng.random(n) < refuse
    items = [f"marvel/{setting['source']}/{i:04d}" for i in range(n)]

    def named(places):
        return [own[k] if own else str(9 + k) for own, k in zip(labels, places, strict=True)]

    kinds = list(FINE)
    return {
        "trial": [f"{name}/{question}/{'/'.join(setting.values())}/{i}" for i in range(n)],
        "task": "marvel",
        "item": items,
        "cluster": [f"{setting['source']}/{k}" for k in groups],
        "subject": name,
        "paradigm": "direct",
        "question": question,
        "pattern": [PATTERNS[i % 6] for i in range(n)],
        "configuration": [CONFIGURATIONS[4 if i % 6 == 5 else i % 4] for i in range(n)],
        "shapes": ["abstract" if i % 3 else "geometric" for i in range(n)],
        "fine_type": [kinds[i % len(kinds)] for i in range(n)],
        **setting,
        "pack": "",
        "outcome": np.where(refused, "unread", np.where(answer == key, "right", "wrong")),
        "reason": np.where(refused, "refused", ""),
        "answer": np.where(refused, "", named(answer)),
        "key": named(key),
        "labels": labels,
        "how": np.where(rng.random(n) < second, "second reading: a model", "tail"),
        "exam": 1,
    }
