"""Stop strings: a reply ends before the first of them, and generation soon after it.

What counts is the text, whatever tokens it is made of. The criterion only spares a model the rest; a row goes on until
all have ended, so the reply is cut by its text."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from snellen.call import Token
from snellen.subjects.local.decoding import Steps

Decode = Callable[[Sequence[int]], str]
_SPARE = 8
"""Tokens beyond one for each byte of the longest stop string in which it is looked for: some write nothing."""


def first_stop(text: str, stop: Sequence[str]) -> int | None:
    """Where the first of the stop strings begins."""
    return min((place for each in stop if (place := text.find(each)) >= 0), default=None)


def tokens_to_stop(ids: Sequence[int], stop: Sequence[str], decode: Decode) -> int:
    """How many tokens were said when the first stop string was complete; all of them if none is."""
    counts = range(1, len(ids))
    return 1 + bisect_left(counts, True, key=lambda count: first_stop(decode(ids[:count]), stop) is not None)


def without_end(tokens: Sequence[Token], characters: int) -> tuple[Token, ...]:
    """The tokens without so many characters at their end."""
    kept = list(tokens)
    while kept and characters > 0:
        last = kept.pop()
        if len(last.text) > characters:
            kept.append(last._replace(text=last.text[: len(last.text) - characters]))
        characters -= len(last.text)
    return tuple(kept)


class StopCriterion:
    """A stopping criterion for transformers' `generate`: a row is done once its reply holds a stop string.

    Only the end of a row is decoded at each step, and all of it when something is found there."""

    def __init__(self, stop: Sequence[str], decode: Decode, steps: Steps) -> None:
        self._stop = stop
        self._decode = decode
        self._steps = steps
        self._tail = max(len(each.encode()) for each in stop) + _SPARE
        self._done: list[bool] = []

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        said = self._steps.new(input_ids)
        self._done = self._done or [False] * len(said)
        for row, ids in enumerate(said[:, -self._tail :].tolist()):
            if not self._done[row] and self._stops(ids):
                self._done[row] = self._stops(said[row].tolist())
        return torch.tensor(self._done, device=input_ids.device)

    def _stops(self, ids: Sequence[int]) -> bool:
        return first_stop(self._decode(ids), self._stop) is not None
