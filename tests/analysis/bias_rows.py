"""Simulated bias trials as tidy rows: each thing is counted rightly, or called by its usual number, or miscounted."""

import numpy as np
import polars as pl

from support.pieces import table_of

FOUR = ("animals", "marks", "flags", "boards")
VIEWS = (("upright", "base"), ("flipped", "base"), ("upright", "alias"), ("flipped", "alias"))


def bias_rows(name="sim", *, right=0.2, habit=0.7, n=40, seed=0, ways=VIEWS, topics=FOUR, published=False, refuse=0.0):
    """Tidy rows of one subject: n things x topics x configurations. `right` and `habit`: one share, or one for each
    configuration."""
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    shares = [np.broadcast_to(share, len(ways)) for share in (right, habit)]
    frames = []
    for topic in topics:
        items = [f"bias/{topic}/{i:04d}" for i in range(n)]
        for (view, prompt), rightly, usually in zip(ways, *shares, strict=True):
            drawn = rng.random(n)
            said = np.where(drawn < rightly, "5", np.where(drawn < rightly + usually, "4", "9"))
            refused = rng.random(n) < refuse
            own = {"split": "main", "question": "Q1", "pixel": "384"} if published else {"source": "things"}
            drawing = {} if published else {"drawing": "counterfactual", "ask": "count", "name": "class"}
            frames.append(
                {
                    "trial": [f"{name}/{view}/{prompt}/{item}" for item in items],
                    "task": "bias",
                    "item": items,
                    "cluster": items,
                    "subject": name,
                    "paradigm": "direct",
                    **own,
                    **drawing,
                    "topic": topic,
                    "view": view,
                    "prompt": prompt,
                    "pack": "",
                    "outcome": np.where(refused, "unread", np.where(said == "5", "right", "wrong")),
                    "reason": np.where(refused, "refused", ""),
                    "answer": np.where(refused, "", said),
                    "key": "5",
                    "labels": [[]] * n,
                    "mechanism": np.where((said == "4") & ~refused, "the usual number", ""),
                    "exam": 1,
                }
            )
    return table_of(frames, labels=pl.List(pl.String))
