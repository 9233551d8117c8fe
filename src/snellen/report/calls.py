"""The calls behind the trials: what was asked of whom, and what came back, step by step.

A description is asked for once and used by many trials: each call is in the page once, and a trial is a short list of
calls. The last of them brought its answer.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from snellen.report.columns import coded, column
from snellen.report.container import Array, narrow, pack, texts
from snellen.report.prompts import Kept, PromptIndex

CallOf = Callable[[str], tuple[str, str | None, str, str] | None]
"""From a call's key to its request (the canonical JSON of `Call.request`), its reply, how that ended and what was
thought before it; None if the call is not known. A call that failed has no reply, and instead of its end the reason."""


class Replies:
    """Everything that was said: the replies that were read, trial by trial, and those that led there."""

    def __init__(self, rows: pl.DataFrame) -> None:
        distinct, self.read = coded(column(rows, "text"))
        self.kept = Kept(text or "" for text in distinct)

    def packed(self) -> bytes:
        """Each text once; `codes` are those that were read."""
        return pack({}, {"codes": self.read, **texts(self.kept.texts)})


@dataclass(frozen=True)
class CallIndex:
    """Each call's numbers (prompt, setup, reply + 1 or 0 if there is none, finish, thinking as the reply), and each
    trial's calls in order."""

    prompts: PromptIndex
    finishes: Kept
    calls: list[tuple[int, int, int, int, int]]
    steps: list[tuple[int, ...]]

    def pictures(self, trial: int) -> Iterable[str]:
        return (digest for call in self.steps[trial] for digest in self.prompts.pictures[self.calls[call][0]])

    def packed(self) -> bytes:
        """The prompts, the calls and the trials' runs of calls."""
        parts = zip(*self.calls, strict=True) if self.calls else ((), (), (), (), ())
        arrays: dict[str, Array] = {
            **self.prompts.arrays(),
            **dict(zip(("prompt", "setup", "reply", "finish", "reasoning"), map(_narrow, parts), strict=True)),
            "steps": _narrow(call for steps in self.steps for call in steps),
            "step_ends": np.cumsum([len(steps) for steps in self.steps], dtype=np.uint32),
        }
        return pack({**self.prompts.head(), "finishes": self.finishes.texts}, arrays)


def collect(rows: pl.DataFrame, replies: Replies, call_of: CallOf) -> CallIndex:
    """Look up every call once."""
    asked = CallIndex(PromptIndex(), Kept(), [], [])
    places: dict[str, int | None] = {}

    def place(key: str) -> int | None:
        call = call_of(key)
        if call is None:
            return None
        request, reply, finish, reasoning = call
        answer = 0 if reply is None else replies.kept.code(reply) + 1
        thought = replies.kept.code(reasoning) + 1 if reasoning else 0
        asked.calls.append((*asked.prompts.add(request), answer, asked.finishes.code(finish), thought))
        return len(asked.calls) - 1

    for keys in _calls(rows):
        for key in keys or ():
            if key not in places:
                places[key] = place(key)
        asked.steps.append(tuple(call for key in keys or () if (call := places[key]) is not None))
    return asked


def _calls(rows: pl.DataFrame) -> Sequence[Sequence[str] | None]:
    calls = column(rows, "calls")
    return calls.to_list() if calls.dtype == pl.List else [None] * rows.height


def _narrow(numbers: Iterable[int]) -> Array:
    return narrow(np.fromiter(numbers, dtype=np.uint32))
