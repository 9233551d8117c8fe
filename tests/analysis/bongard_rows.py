"""Simulated Bongard trials as tidy rows, made without a picture and without asking anybody.

A subject sees a problem or not, finds its rule or not (both drawn once a problem and shared by its queries), applies a
rule or not (drawn anew each time), attends or not (drawn anew, too), and otherwise says "positive" at a fixed rate.
Exact words make seeing certain, the true rule makes finding certain, and who is told need only attend.
"""

import numpy as np
import polars as pl

from support.pieces import table_of

OWN = (("dvrl", {}), ("drl", {}), ("ca", {}))
FULL = (*OWN, ("drl", {"inducer": "truth"}), ("ca", {"describer": "twin"}))
LADDER = (("told", {}), ("rule-words", {}), ("words", {}), ("dvrl", {}))
ROLES = {
    "drl": ("inducer", "applier"),
    **dict.fromkeys(("ca", "describe", "ccot", "cocot"), ("describer", "reasoner")),
}


def bongard_rows(
    name="sim",
    *,
    see=1.0,
    find=1.0,
    apply=1.0,
    attend=1.0,
    guess=0.5,
    n=60,
    seed=0,
    ways=FULL,
    refuse=0.0,
    **levels,
):
    """Tidy rows of one subject: n problems x two queries x the ways (paradigm, roles given to others)."""
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    seen, found = rng.random(n) < see, rng.random(n) < find
    frames = []
    for paradigm, others in ways:
        cast = dict.fromkeys(ROLES.get(paradigm, ()), name) | others
        told = paradigm == "told"
        sees = seen | (cast.get("describer") == "twin") | (paradigm in ("told", "words", "rule-words"))
        finds = found | (cast.get("inducer") == "truth") | (paradigm in ("told", "rule-words"))
        for query in ("positive", "negative"):
            knows = sees & finds & (told | (rng.random(n) < apply))
            if attend < 1:
                knows &= rng.random(n) < attend
            guessed = np.where(rng.random(n) < guess, "positive", "negative")
            frames.append(_frame(name, paradigm, cast, query, np.where(knows, query, guessed), rng, refuse, levels))
    return table_of(frames, **dict.fromkeys(("describer", "reasoner", "inducer", "applier"), pl.String))


def _frame(name, paradigm, cast, query, answer, rng, refuse, levels):
    n = len(answer)
    refused = rng.random(n) < refuse
    label = name
    if others := [f"{role}={who}" for role, who in cast.items() if who != name]:
        label = f"{name} [{', '.join(others)}]"
    items = [f"bongard/scenes-0/{i:04d}" for i in range(n)]
    return {
        "trial": [f"{label}/{paradigm}/{query}/{'/'.join(levels.values())}/{i}" for i in range(n)],
        "task": "bongard",
        "item": items,
        "cluster": items,
        "subject": label,
        "paradigm": paradigm,
        "source": "scenes",
        "category": ["kind" if i % 2 else "count" for i in range(n)],
        "query": query,
        "prompt": "structured",
        "examples": "both",
        **{role: cast.get(role) for role in ("describer", "reasoner", "inducer", "applier")},
        **levels,
        "pack": "",
        "outcome": np.where(refused, "unread", np.where(answer == query, "right", "wrong")),
        "reason": np.where(refused, "refused", ""),
        "answer": np.where(refused, "", answer),
        "key": query,
        "labels": [["positive", "negative"]] * n,
        "exam": 1,
    }
