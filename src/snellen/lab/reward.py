"""The reward: a reply read by the project's reader, right or not.

An answer that is right earns 1, a wrong one 0. An unread one (refused, unparsable, nothing said) earns nothing either
and is counted apart: it is no wrong answer. `reward` is what TRL calls, `compute_score` what verl calls; both take the
question from the row that `snellen trainset` wrote.

Two controls tell learning from its look-alikes: `shuffled` gives every row another row's answer, `RandomReward` gives
points by the toss of a coin, whatever was said.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from snellen.answer import Outcome, mark
from snellen.errors import UserError
from snellen.lab.trainset.rows import unpacked
from snellen.rng import stream

POINTS: Mapping[Outcome, float] = {"right": 1.0, "wrong": 0.0, "unread": 0.0}
UNREAD: Outcome = "unread"


def outcome(reply: Any, question: str) -> Outcome:
    """Right, wrong or unread: a reply, as text or as the messages of a conversation, held against a row's question."""
    try:
        asked = unpacked(question)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"a row without a question to judge by ({error}); make the set with `snellen trainset`"
        ) from None
    return mark(words_of(reply), asked).outcome


def words_of(reply: Any) -> str:
    """What was said, however it is wrapped."""
    if isinstance(reply, str):
        return reply
    if isinstance(reply, Mapping):
        return words_of(reply.get("content") or reply.get("text") or "")
    return "".join(map(words_of, reply)) if isinstance(reply, Sequence) else ""


def reward(
    completions: Sequence[Any],
    question: Sequence[str],
    log_metric: Callable[[str, float], None] | None = None,
    **others: Any,
) -> list[float]:
    """Points for completions, in the form that TRL's trainers call: columns of the rows come as arguments."""
    found = [outcome(reply, asked) for reply, asked in zip(completions, question, strict=True)]
    if log_metric is not None and found:
        log_metric(UNREAD, found.count(UNREAD) / len(found))
    return [POINTS[each] for each in found]


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None, **others: Any
) -> dict[str, float]:
    """Points for one reply, in the form that verl calls; `unread` is logged beside the score."""
    if not extra_info or "question" not in extra_info:
        raise UserError(f"a row of {data_source} has no extra_info.question; make the set with --format verl")
    found = outcome(solution_str, extra_info["question"])
    return {"score": POINTS[found], "acc": POINTS[found], UNREAD: float(found == UNREAD)}


class RandomReward:
    """Points by the toss of a coin. The toss hangs on the seed, the step, the process and the place in the batch, so
    that a resumed training tosses as an uninterrupted one does, and never on what was said."""

    __name__ = "random_reward"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(
        self,
        completions: Sequence[Any],
        question: Sequence[str],
        trainer_state: Any = None,
        log_metric: Callable[[str, float], None] | None = None,
        **others: Any,
    ) -> list[float]:
        reward(completions, question, log_metric)  # only to count what is unread
        step = getattr(trainer_state, "global_step", 0)
        toss = stream(self.seed, "random reward", step, os.environ.get("RANK", "0"))
        return [float(toss.chance()) for _ in completions]


def shuffled(rows: Sequence[Mapping[str, Any]], seed: int) -> list[dict[str, Any]]:
    """The rows with answers that belong to other rows: within questions of the same form each row gets another row's
    answer, no row keeps its own, and every answer is as frequent as before. A form that a single row has stays."""
    alike: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        alike.setdefault(repr(unpacked(row["question"]).form), []).append(place)
    changed = [dict(row) for row in rows]
    for number, places in enumerate(alike.values()):
        given = list(places)
        toss = stream(seed, "shuffled labels", number)
        for k in range(len(given) - 1, 0, -1):  # Sattolo: one cycle through all, so nothing stays where it was
            other = toss.below(k)
            given[k], given[other] = given[other], given[k]
        for place, source in zip(places, given, strict=True):
            changed[place] |= {name: rows[source][name] for name in ("answer", "question", "completion")}
    return changed
