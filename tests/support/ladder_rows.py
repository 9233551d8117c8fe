"""Trials on a small ladder as tidy rows, made without a picture and without asking anybody.

Whether an item is thought through and seen is drawn once for all its trials, a slip or a leaning anew at every call.
Whoever does not solve an item guesses; against the habit they give the other answer for sure, some items always.
"""

from itertools import product

import numpy as np
import polars as pl

from snellen.analysis.ladder.rungs import LadderSpec, ladder_results
from snellen.ladder import FREE, Rung, RungQuery, at_levels

AGAINST = Rung(
    "against",
    "the item against a habit",
    (*FREE[-1].demands, "habit"),
    (RungQuery(("direct",), {"rule": ("inverse",)}),),
)
LADDER = (*FREE, AGAINST)
SPEC = LadderSpec("beads", LADDER, {"rule": "standard"})
PUT = {
    "told": ("told", "standard"),
    "words": ("words", "standard"),
    "pictures": ("direct", "standard"),
    "against": ("direct", "inverse"),
}
NUMBERS = tuple(str(number) for number in range(1, 10))


def nested(*given):
    """The ladder that every task has, asked at several levels of a factor."""
    return LadderSpec("beads", tuple(at_levels(rung, given=given) for rung in FREE), {"given": given[0]})


def ladder_rows(
    who="s",
    *,
    n=60,
    attend=1.0,
    think=1.0,
    see=1.0,
    follow=1.0,
    guess=None,
    lean=0.0,
    options=("A", "B"),
    rungs=tuple(PUT),
    refuse=0.0,
    calls=1,
    given=(),
    think_at=None,
    seed=0,
):
    """Tidy rows of one subject. `guess`: the place of the option that is always guessed, any if None. `lean`: how often
    the first option (without options: the number 4) is given whatever is asked. Without options keys are numbers.
    `given`: the levels of a factor that every item is asked at; `think_at`: those where thinking may fail, all if None.
    """
    rng = np.random.default_rng([seed, n])
    names = list(options) or NUMBERS
    keys = rng.permutation(np.arange(n) % len(names))
    thought, seen, follows = (rng.random(n) < share for share in (think, see, follow))
    rows = []
    for rung in rungs:
        for i in range(n):
            for call, level in product(range(calls), given or ("",)):
                thinks = thought[i] or (think_at is not None and level not in think_at)
                solved = (rung == "told" or thinks) and (rung in ("told", "words") or seen[i])
                said = _guess(keys[i], options, rng) if guess is None else guess
                if rng.random() < attend and solved:
                    said = keys[i] if rung != "against" or follows[i] else (keys[i] + 1) % len(names)
                if rng.random() < lean:
                    said = 0 if options else NUMBERS.index("4")
                row = _row(who, rung, i, f"{call}{level}", options, int(keys[i]), int(said), rng.random() < refuse)
                rows.append(row | ({"given": level} if given else {}))
    return pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String)})


def _guess(key, options, rng):
    """Any option; a number nearby, which is never right."""
    if options:
        return int(rng.integers(len(options)))
    return int((key + rng.choice([-2, -1, 1, 2])) % len(NUMBERS))


def _row(who, rung, i, call, options, key, said, refused):
    paradigm, rule = PUT[rung]
    names = list(options) or NUMBERS
    outcome = "unread" if refused else "right" if said == key else "wrong"
    return {
        **{"trial": f"{who}/{rung}/{i}/{call}", "task": "beads", "item": f"beads/{i:04}", "cluster": f"beads/{i:04}"},
        **{"subject": who, "paradigm": paradigm, "rule": rule, "pack": "", "outcome": outcome},
        **{"reason": "refused" if refused else "", "answer": "" if refused else names[said]},
        **{"key": names[key], "labels": list(options)},
    }


def at_each(**levels):
    """Rows made apart for each level of the factor `given`, as one exam."""
    return pl.concat(own.with_columns(given=pl.lit(level)) for level, own in levels.items())


def spoiled(rows, where, **columns):
    """The rows with other values in some of them."""
    return rows.with_columns(
        pl.when(where).then(pl.lit(value)).otherwise(name).alias(name) for name, value in columns.items()
    )


def result_of(rows, spec=SPEC):
    """The only subject's result."""
    (result,) = ladder_results(rows, spec)
    return result
