"""Simulated Winoground trials as tidy rows. Whether a sample is seen, and whether it is thought through, is drawn once
for its four choices; otherwise each choice is a guess."""

import numpy as np
import polars as pl

from support.pieces import table_of

GIVEN = ("image_0", "image_1", "caption_0", "caption_1")
WAYS = (("direct", None), ("ca", "own"), ("ca", "twin"))
LADDER = (("told", None), ("words", None), ("direct", None))


def winoground_rows(name="sim", *, see=1.0, think=1.0, guess=0.5, n=100, seed=0, ways=WAYS, refuse=0.0):
    """Tidy rows of one subject: n samples x four choices x ways (paradigm, describer)."""
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    seen, thought = rng.random(n) < see, rng.random(n) < think
    flipped = rng.random(n) < 0.5
    frames = []
    for paradigm, describer in ways:
        describer = name if describer == "own" else describer
        label = name if describer in (name, None) else f"{name} [describer={describer}]"
        for given in GIVEN:
            labels = ("A", "B") if given.startswith("image") else ("first", "second")
            key = (int(given[-1]) + flipped) % 2
            spared = describer == "twin" or paradigm in ("words", "told")
            knows = (seen | spared) & (thought | (paradigm == "told"))
            answer = np.where(knows, key, rng.random(n) >= guess).astype(int)
            refused = rng.random(n) < refuse
            items = [f"winoground/{i:04d}" for i in range(n)]
            frames.append(
                {
                    "trial": [f"{label}/{paradigm}/{given}/{i}" for i in range(n)],
                    "task": "winoground",
                    "item": items,
                    "cluster": items,
                    "subject": label,
                    "paradigm": paradigm,
                    "source": "generated",
                    "tag": ["relation" if i % 3 else "colour" for i in range(n)],
                    "given": given,
                    "describer": describer,
                    "reasoner": None if describer is None else name,
                    "pack": "",
                    "outcome": np.where(refused, "unread", np.where(answer == key, "right", "wrong")),
                    "reason": np.where(refused, "refused", ""),
                    "answer": np.where(refused, "", np.array(labels)[answer]),
                    "key": np.array(labels)[key],
                    "labels": [list(labels)] * n,
                    "exam": 1,
                }
            )
    return table_of(frames, describer=pl.String, reasoner=pl.String)
