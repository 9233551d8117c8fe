"""The reward: a reply read by the project's reader, right or not.

An answer that is right earns 1, a wrong one 0. An unread one (refused, unparsable, nothing said) earns nothing either
and is counted apart: it is no wrong answer. `reward` is what TRL calls, `compute_score` what verl calls; both take the
question from the row that `snellen lab trainset` wrote. A reply that was cut short is read as an exam reads it, where
the trainer says which were: `rewarding` makes a reward that can tell.

Two controls tell learning from its look-alikes: `shuffled` deals the answers out anew among the rows, `RandomReward`
gives points by the toss of a coin, whatever was said.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial, update_wrapper
from typing import Any

from snellen.answer import Outcome, mark
from snellen.call import Finish
from snellen.errors import UserError
from snellen.item import Form
from snellen.lab.trainset.rows import packed, unpacked
from snellen.rng import stream

__all__ = ["RandomReward", "reward"]

POINTS: Mapping[Outcome, float] = {"right": 1.0, "wrong": 0.0, "unread": 0.0}
UNREAD: Outcome = "unread"


def outcome(reply: Any, question: str, finish: Finish = "stop") -> Outcome:
    """Score a reply (text or messages) by a row's question: right, wrong or unread."""
    try:
        asked = unpacked(question)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"a row has no question to score by ({error}); make the set with `snellen lab trainset`"
        ) from None
    return mark(words_of(reply), asked, finish).outcome


def words_of(reply: Any) -> str:
    """The text of a completion: a string, a chat message, or a list of messages or parts."""
    if isinstance(reply, str):
        return reply
    if isinstance(reply, Mapping):
        return words_of(reply.get("content") or reply.get("text") or "")
    return "".join(map(words_of, reply)) if isinstance(reply, Sequence) else ""


def reward(
    completions: Sequence[Any],
    question: Sequence[str],
    log_metric: Callable[[str, float], None] | None = None,
    completion_ids: Sequence[Sequence[int]] | None = None,
    ends: Collection[int] = (),
    **others: Any,
) -> list[float]:
    """Points for `completions`, in the form that TRL's trainers call: columns of the rows come as arguments.

    `question`: that column of the rows, as `snellen lab trainset` wrote it. `log_metric`: told the share of unread
    replies. `completion_ids`, `ends`: the tokens of each reply, and those that end one: only by these can it be told
    which replies were cut short; without them, all count as whole.

    Returns 1 for each right answer and 0 for any other. Raises `UserError` for a row without a question.

    >>> reward(["X"], [row["question"]])  # doctest: +SKIP
    [1.0]
    """
    token_ids = completion_ids if completion_ids is not None and ends else [()] * len(completions)
    finishes: list[Finish] = ["length" if len(ids) and ids[-1] not in ends else "stop" for ids in token_ids]
    outcomes = [outcome(*reply) for reply in zip(completions, question, finishes, strict=True)]
    if log_metric is not None and outcomes:
        log_metric(UNREAD, outcomes.count(UNREAD) / len(outcomes))
    return [POINTS[result] for result in outcomes]


def rewarding(ends: Collection[int]) -> Callable[..., list[float]]:
    """The reward for a model whose complete replies end with one of these tokens; others are truncated."""
    return update_wrapper(partial(reward, ends=frozenset(ends)), reward)


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None, **others: Any
) -> dict[str, float]:
    """Points for one reply, in the form that verl calls; `unread` is logged beside the score. verl does not say whether
    a reply was cut short, so all count as whole: give them room."""
    if not extra_info or "question" not in extra_info:
        raise UserError(f"a row of {data_source} has no extra_info.question; make the set with --format verl")
    result = outcome(solution_str, extra_info["question"])
    return {"score": POINTS[result], "acc": POINTS[result], UNREAD: float(result == UNREAD)}


class RandomReward:
    """Random rewards. They depend on the seed, the step, the process and the position in the batch, so that a resumed
    training draws the same ones, and never on the reply."""

    __name__ = "random_reward"

    def __init__(self, seed: int, ends: Collection[int] = ()) -> None:
        self.seed = seed
        self._reward = rewarding(ends)

    def __call__(
        self,
        completions: Sequence[Any],
        question: Sequence[str],
        trainer_state: Any = None,
        log_metric: Callable[[str, float], None] | None = None,
        **others: Any,
    ) -> list[float]:
        self._reward(completions, question, log_metric, **others)  # only to count what is unread
        step = getattr(trainer_state, "global_step", 0)
        toss = stream(self.seed, "random reward", step, os.environ.get("RANK", "0"))
        return [float(toss.chance()) for _ in completions]


def shuffled(rows: Sequence[Mapping[str, Any]], seed: int) -> list[dict[str, Any]]:
    """The rows with their answers dealt out anew: among the rows that want an answer of the same form, whatever they
    ask for, answers change places at random. Every answer is as frequent as before, and right as often as by chance."""
    changed = [dict(row) for row in rows]
    for number, places in enumerate(_alike(rows)):
        given = list(places)
        stream(seed, "shuffled labels", number).shuffle(given)
        for place, source in zip(places, given, strict=True):
            own, other = (unpacked(rows[k]["question"]) for k in (place, source))
            question = packed(replace(own, key=other.key, also=other.also))
            answers = {name: rows[source][name] for name in ("answer", "completion")}
            changed[place] |= {**answers, "question": question}
    return changed


def unshuffled(rows: Sequence[Mapping[str, Any]]) -> int:
    """The number of rows that shuffling cannot change, because their answer format has a single answer."""
    alike = ([rows[place]["answer"] for place in places] for places in _alike(rows))
    return sum(len(answers) for answers in alike if len(set(answers)) == 1)


def _alike(rows: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Row indices grouped by answer format; what the rows ask for (winner, loser) may differ."""
    by_form: dict[Form, list[int]] = {}
    for place, row in enumerate(rows):
        by_form.setdefault(replace(unpacked(row["question"]).form, asked=""), []).append(place)
    return list(by_form.values())
