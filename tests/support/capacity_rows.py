"""Simulated capacity trials as tidy rows, made without a picture and without asking anybody.

Each kind of items is answered rightly at some rate; wrong answers betray one planted mechanism at some rate and nothing
else. Directions and counts come with real answers, replies with a chain of thought where `aloud` says so.
"""

import numpy as np
import polars as pl

CATEGORY = {
    **dict.fromkeys(("satellite", "direction", "counting"), "spatial"),
    **dict.fromkeys(("gomoku", "unblock", "maze", "jigsaw", "chart"), "geometric"),
    **dict.fromkeys(("sandbagging", "counterfactual", "wrong_answer"), "knowledge"),
}
COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
TURNED = {"rotated 90": 2, "rotated 180": 4, "mirrored": 6}
LOOKED = "The picture shows a flat with many things in it. There are chairs and lamps on the plan. "
WEIGHED = "If the first view is right, then the lamp must be in the other room, because the wall is there. "
DOUBTED = "Wait, let me re-check that. Looking back at the image, it may be the same lamp after all. "
ENDED = "So the answer is as follows.\nAnswer: "


def capacity_rows(
    name="sim",
    *,
    right=0.5,
    planted=None,
    named=1.0,
    n=40,
    seed=0,
    unread=0.0,
    aloud=False,
    kinds=tuple(CATEGORY),
    **levels,
):
    """Tidy rows of one subject: n items of each kind. `right`: a rate, or rates by kind; `planted`: mechanisms by kind;
    `named`: how many of the errors betray them, a rate or rates by kind. Items depend on the seed alone, answers also
    on name and levels."""
    planted = planted or {}
    setting = {"source": "generated", "describe": "no", **levels}
    rng = np.random.default_rng([seed, sum(map(ord, name)), sum(map(ord, "".join(setting.values())))])
    rows = []
    for kind in kinds:
        rate, telling = (each.get(kind, 0.5) if isinstance(each, dict) else each for each in (right, named))
        made = np.random.default_rng([seed, sum(map(ord, kind))])
        for i in range(n):
            views, turn, count = 2 + i % 3, int(made.integers(8)), int(made.integers(2, 7))
            fate = "unread" if rng.random() < unread else "right" if rng.random() < rate else "wrong"
            mechanism = planted.get(kind, "") if fate == "wrong" and rng.random() < telling else ""
            key, answer = _answers(kind, mechanism, (views, turn, count), rng)
            said = {"right": key, "wrong": answer, "unread": ""}[fate]
            item = f"capacity/{kind}/{setting['source']}/{i:04d}"
            rows.append(
                {
                    "trial": f"{name}/{item}/{'/'.join(setting.values())}",
                    **{"task": "capacity", "item": item, "cluster": item, "subject": name, "paradigm": "direct"},
                    **{"kind": kind, "category": CATEGORY[kind], "size": "standard", "views": str(views)},
                    **{"difficulty": str(1 + i % 4), **setting, "judge": None, "pack": "", "outcome": fate},
                    **{"reason": "unparsable" if fate == "unread" else "", "answer": said, "key": key, "labels": []},
                    **{"mechanism": mechanism, "how": "stated", "text": _reply(said, fate, aloud, rng)},
                }
            )
    return pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String), "judge": pl.String})


def _answers(kind, mechanism, facts, rng):
    """The key, and a wrong answer."""
    views, turn, count = facts
    if kind == "direction":
        by = TURNED.get(mechanism) or int(rng.choice([1, 3, 5, 7]))
        return tuple(f"sofa: {COMPASS[t % 8]}; lamp: {COMPASS[(t + 3) % 8]}" for t in (turn, turn + by))
    if kind == "counting":
        more = views - 1 if mechanism == "double counted" else -1
        return f"chairs: {count}; lamps: 2", f"chairs: {count + more}; lamps: 2"
    return "A", "B"


def _reply(said, fate, aloud, rng):
    if not aloud:
        return f"Answer: {said}"
    doubts = int(rng.integers(0, 3)) + (4 if fate == "wrong" else 0)
    return LOOKED + WEIGHED * int(rng.integers(1, 5)) + (DOUBTED + WEIGHED) * doubts + ENDED + said


def judged(rows, judge="judge", *, lenient=0.0, strict=0.0, unread=0.0, seed=0):
    """The same trials as a judge marked them: wrong ones let pass, right ones refused at these rates."""
    rng = np.random.default_rng(seed)
    outcomes = []
    for outcome in rows["outcome"]:
        flip = rng.random() < {"wrong": lenient, "right": strict}.get(outcome, 0.0)
        seen = {"wrong": "right", "right": "wrong"}[outcome] if flip else outcome
        outcomes.append("unread" if rng.random() < unread else seen)
    return rows.with_columns(
        judge=pl.lit(judge),
        outcome=pl.Series(outcomes),
        mechanism=pl.lit(""),
        trial=pl.col("trial") + f"/{judge}",
    )
