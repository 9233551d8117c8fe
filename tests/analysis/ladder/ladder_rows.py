"""Trials on a small ladder as tidy rows, made without a picture and without asking anybody.

Whether an item is thought through and seen is drawn once for all its trials, a slip anew at every call. Whoever does
not solve an item guesses; against the habit they give the other answer for sure, some items always.
"""

import numpy as np
import polars as pl

from snellen.analysis.ladder.climb import Outline, climbs
from snellen.tasks.ladder import FREE, Put, Rung

AGAINST = Rung(
    "against", "the item against a habit", (*FREE[-1].demands, "habit"), (Put(("direct",), {"rule": ("inverse",)}),)
)
LADDER = (*FREE, AGAINST)
OUTLINE = Outline("beads", LADDER, {"rule": "standard"})
PUT = {
    "told": ("told", "standard"),
    "words": ("words", "standard"),
    "pictures": ("direct", "standard"),
    "against": ("direct", "inverse"),
}


def ladder_rows(
    who="s",
    *,
    n=60,
    attend=1.0,
    think=1.0,
    see=1.0,
    follow=1.0,
    guess=None,
    options=("A", "B"),
    rungs=tuple(PUT),
    refuse=0.0,
    calls=1,
    seed=0,
):
    """Tidy rows of one subject. `guess`: the place of the option that is always guessed, any if None."""
    rng = np.random.default_rng([seed, n])
    keys = rng.permutation(np.arange(n) % max(len(options), 1))
    thought, seen, follows = (rng.random(n) < share for share in (think, see, follow))
    rows = []
    for rung in rungs:
        for i in range(n):
            for call in range(calls):
                solved = (rung == "told" or thought[i]) and (rung in ("told", "words") or seen[i])
                any_option = int(rng.integers(len(options))) if options else -1
                said = any_option if guess is None else guess
                if rng.random() < attend and solved:
                    said = keys[i] if rung != "against" or follows[i] else (keys[i] + 1) % max(len(options), 2)
                rows.append(_row(who, rung, i, call, options, int(keys[i]), int(said), rng.random() < refuse))
    return pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String)})


def _row(who, rung, i, call, options, key, said, refused):
    paradigm, rule = PUT[rung]
    names = list(options) or ["right", "wrong"]
    answer = names[said] if options else names[said != key]
    outcome = "unread" if refused else "right" if said == key else "wrong"
    return {
        **{"trial": f"{who}/{rung}/{i}/{call}", "task": "beads", "item": f"beads/{i:04}", "cluster": f"beads/{i:04}"},
        **{"subject": who, "paradigm": paradigm, "rule": rule, "pack": "", "outcome": outcome},
        **{"reason": "refused" if refused else "", "answer": "" if refused else answer},
        **{"key": names[key] if options else "right", "labels": list(options)},
    }


def climb_of(rows, outline=OUTLINE):
    """The only subject's climb."""
    (climb,) = climbs(rows, outline)
    return climb
