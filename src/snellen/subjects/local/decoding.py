"""How the next token is chosen: greedily or by chance, with what it and others would have had listened to.

Each is a logits processor for transformers' `generate`, which always takes the likeliest token of what it is left with.
"""

import math
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from snellen.call import Token

_MOST_TOKENS = 512
"""Of a long reply so many tokens are kept with their probabilities, from its end: that is where its answer stands."""


class Decoding(NamedTuple):
    """How a reply is generated. `logprobs`: how many alternatives are told beside each token; None: nothing is.
    `stop`: the strings before which a reply ends."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    logprobs: int | None = None
    stop: tuple[str, ...] = ()


class DecodedToken(NamedTuple):
    """What a row said at one step, and the likeliest it might have said, as (token, log-probability)."""

    said: float
    others: tuple[tuple[int, float], ...]


class Steps:
    """Counts the steps, which are the new tokens: some models return only these, some the prompt before them, and
    those with an encoder a token to begin with."""

    many = 0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        self.many += 1
        return scores

    def new(self, sequences: Any) -> Any:
        """The new tokens of sequences."""
        return sequences[:, -self.many :]


def spelled(
    ids: Sequence[int], steps: Sequence[DecodedToken], decode: Callable[[Sequence[int]], str]
) -> tuple[Token, ...]:
    """The reply token by token, each with what it adds to the text."""
    if not steps:
        return ()
    start = max(len(ids) - _MOST_TOKENS, 0)
    texts = [decode(ids[:until]) for until in range(start, len(ids) + 1)]
    return tuple(
        Token(after[len(before) :], step.said, tuple((decode([token]), chance) for token, chance in step.others))
        for before, after, step in zip(texts, texts[1:], steps[start:], strict=False)
    )


class Listener:
    """Writes down the log-probabilities of each step, before chance or force has a hand in it."""

    def __init__(self, many: int) -> None:
        self._many = many
        self._last: Any = None
        self._said: list[Any] = []
        self._others: list[tuple[Any, Any]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        self._hear(input_ids[:, -1:])
        self._last = scores.float().log_softmax(-1)
        self._others.append(tuple(part.cpu() for part in self._last.topk(self._many)) if self._many else (None, None))
        return scores

    def _hear(self, scores: Any) -> None:
        if self._last is not None:
            self._said.append(self._last.gather(1, scores)[:, 0].cpu())

    def steps(self, sequences: Any) -> list[list[DecodedToken]]:
        """What each row of the sequences that were generated said, step by step."""
        self._hear(sequences[:, -1:])
        self._last = None
        rows: list[list[DecodedToken]] = [[] for _ in range(len(sequences))]
        for token, (chances, tokens) in zip(self._said, self._others, strict=True):
            for row, steps in enumerate(rows):
                others = zip(tokens[row].tolist(), chances[row].tolist(), strict=True) if self._many else ()
                steps.append(DecodedToken(float(token[row]), tuple(others)))
        return rows


class Chance:
    """Draws each token at a temperature. Each row has a generator of its own, seeded by its call: whatever company a
    call is in, it draws the same. The likeliest token after Gumbel noise is a draw."""

    def __init__(self, seeds: Sequence[bytes], temperature: float, top_p: float, device: Any) -> None:
        import torch

        self._temperature = temperature
        self._top_p = top_p
        self._generators = [
            torch.Generator(device).manual_seed(int.from_bytes(sha256(seed).digest()[:7], "big")) for seed in seeds
        ]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        scores = scores.float() / self._temperature
        if self._top_p < 1:
            scores = _nucleus(scores, self._top_p)
        noise = torch.empty_like(scores)
        for row, generator in zip(noise, self._generators, strict=True):
            row.exponential_(generator=generator)
        return scores - noise.log()


def _nucleus(scores: Any, top_p: float) -> Any:
    """The scores with all but the likeliest tokens that make up this much ruled out."""
    chances, places = scores.softmax(-1).sort(descending=True)
    beyond = chances.cumsum(-1) - chances >= top_p
    beyond[:, 0] = False  # something is said, however little is allowed
    return scores.masked_fill(beyond.scatter(1, places, beyond), -math.inf)


class Forced:
    """Makes each row say given tokens, and writes down how likely they were; a row may have none to say.

    `listened`: tokens whose log-probability at the first step is wanted, for each row."""

    def __init__(self, ways: Sequence[Sequence[int]], listened: Sequence[Sequence[int]]) -> None:
        self._ways = ways
        self._listened = listened
        self._step = 0
        self.total = [0.0] * len(ways)
        self.first: list[dict[int, float]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        logprobs = scores.float().log_softmax(-1)
        if not self._step:
            self.first = [dict(zip(*row, strict=True)) for row in _told(logprobs, self._listened)]
        rows = [row for row, way in enumerate(self._ways) if self._step < len(way)]
        if rows:
            forced = [[self._ways[row][self._step]] for row in rows]
            for row, (_, (chance,)) in zip(rows, _told(logprobs[rows], forced), strict=True):
                self.total[row] += chance
            scores = scores.clone()
            scores[rows] = -math.inf
            scores[rows, [token for (token,) in forced]] = 0.0
        self._step += 1
        return scores


def _told(logprobs: Any, wanted: Sequence[Sequence[int]]) -> list[tuple[Sequence[int], list[float]]]:
    """What some tokens of each row are worth, fetched from the device at once: one by one would take long."""
    import torch

    most = max(1, *map(len, wanted))
    padded = torch.tensor([[*tokens, *[0] * (most - len(tokens))] for tokens in wanted], device=logprobs.device)
    gathered = logprobs.gather(1, padded).tolist()
    return [(tokens, row[: len(tokens)]) for tokens, row in zip(wanted, gathered, strict=True)]
