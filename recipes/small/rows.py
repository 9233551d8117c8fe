"""Sheets as rows of tokens, all of one length.

What is said about the one picture a sheet begins with is packed: the picture once, then question after question, each
of which sees the picture and itself only and counts its places from the picture on. So a packed row teaches exactly
what its questions would one by one. A question with pictures of its own, or with none, sees but itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor

from recipes.small.sheets import Said
from recipes.small.speech import Speech

SHARED, PADDING, ALONE = 0, -1, -2
"""Segments: the shared picture is 0, those that see it count up from 1, those that do not count down from -2."""


class Rows(NamedTuple):
    """Tokens, segments and places are rows by length. Where something is, counts along all rows."""

    tokens: Tensor
    segments: Tensor
    places: Tensor
    shown_at: Tensor
    """Where tokens stand for what is seen,"""
    shown: Tensor
    """and what: pictures x their tokens."""
    said_at: Tensor
    """From where a token of an answer is said,"""
    said: Tensor
    """and which,"""
    counts: Tensor
    """how much it counts,"""
    whose: Tensor
    """and which answer's it is."""
    kinds: tuple[str, ...]
    """What kind each answer is of."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A question and its answer in tokens, with where which of all pictures begins."""

    question: Sequence[int]
    answer: Sequence[int]
    pictures: Sequence[tuple[int, int]]
    kind: str
    weight: float


def spoken(said: Said, speech: Speech, first: int) -> Spoken:
    """`first`: the number of the sheet's first picture among all pictures."""
    question, shown = speech.question(said.parts)
    pictures = [(at, first + number) for at, number in shown]
    return Spoken(question, speech.answer(said.answer), pictures, said.kind, said.weight)


class Row:
    """A row that is being filled."""

    def __init__(self, speech: Speech, length: int, shared: int | None = None) -> None:
        """`shared`: the picture it begins with."""
        self.tokens: list[int] = []
        self.segments: list[int] = []
        self.places: list[int] = []
        self.shown: list[tuple[int, int]] = []
        self.said: list[tuple[int, int, float, int]] = []
        self.kinds: list[str] = []
        self.length = length
        self._speech = speech
        self._shared = shared
        if shared is not None:
            begin = speech.begin
            self._put(begin, SHARED, 0, [(len(begin) - len(speech.picture), shared)])

    def takes(self, said: Spoken) -> bool:
        """Add it if there is room."""
        begin = self._speech.begin
        leans = self._shared is not None and said.pictures == [(len(begin) - len(self._speech.picture), self._shared)]
        question = said.question[len(begin) :] if leans else said.question
        if len(self.tokens) + len(question) + len(said.answer) > self.length:
            return False
        number = len(self.kinds)
        place = len(self.tokens) + len(question) - 1
        counts = said.weight / len(said.answer) ** 0.5  # of a long answer each token counts less
        self.said += [(place + k, token, counts, number) for k, token in enumerate(said.answer)]
        self.kinds.append(said.kind)
        tokens = [*question, *said.answer]
        if leans:
            self._put(tokens, SHARED + 1 + number, len(begin), ())
        else:
            self._put(tokens, ALONE - number, 0, said.pictures)
        return True

    def _put(self, tokens: Sequence[int], segment: int, place: int, pictures: Sequence[tuple[int, int]]) -> None:
        self.shown += [(len(self.tokens) + at, number) for at, number in pictures]
        self.tokens += tokens
        self.segments += [segment] * len(tokens)
        self.places += range(place, place + len(tokens))


def stacked(rows: Sequence[Row], speech: Speech) -> Rows:
    """Rows one below the other."""
    length = rows[0].length
    padding = speech.end[0]
    seen, before = speech.seen, speech.seen_from
    shown = [
        (k * length + at + before + i, picture * seen + i)
        for k, row in enumerate(rows)
        for at, picture in row.shown
        for i in range(seen)
    ]
    before_row = accumulate((len(row.kinds) for row in rows), initial=0)
    said = [
        (k * length + at, token, counts, others + number)
        for k, (row, others) in enumerate(zip(rows, before_row, strict=False))
        for at, token, counts, number in row.said
    ]
    shown_at, pictures = zip(*shown, strict=True) if shown else ((), ())
    said_at, tokens, counts, whose = zip(*said, strict=True) if said else ((), (), (), ())
    return Rows(
        _padded([row.tokens for row in rows], length, padding),
        _padded([row.segments for row in rows], length, PADDING),
        _padded([row.places for row in rows], length, 0),
        torch.tensor(shown_at, dtype=torch.long),
        torch.tensor(pictures, dtype=torch.long),
        torch.tensor(said_at, dtype=torch.long),
        torch.tensor(tokens, dtype=torch.long),
        torch.tensor(counts, dtype=torch.float32),
        torch.tensor(whose, dtype=torch.long),
        tuple(kind for row in rows for kind in row.kinds),
    )


def _padded(lists: Sequence[Sequence[int]], length: int, padding: int) -> Tensor:
    filled = [[*each, *[padding] * (length - len(each))] for each in lists]
    return torch.tensor(filled, dtype=torch.int32)
