"""Scoring: how likely each label of a choice is as the beginning of the reply, in place of generating one.

One pass tells it for all labels that are one token; a label of several tokens has the model say it, in a row of its
own. A label that is the beginning of another ("1" and "12") has only what the other leaves it.
"""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

from snellen.call import Reply, Token

Way = tuple[int, ...]
_LEAST = 1e-30
"""What a label is given, relative to the likeliest, that has nothing left."""


class ScoredLabel(NamedTuple):
    """A label, and the tokens it may be written in."""

    text: str
    ways: tuple[Way, ...]


def labels_of(tokenizer: Any, text: str, labels: Sequence[str]) -> tuple[ScoredLabel, ...]:
    """The labels as they may follow a prompt: after one that ends in a word they may begin with a space."""
    openings = ("",) if not text or text[-1].isspace() else ("", " ")

    def ways(label: str) -> tuple[Way, ...]:
        written = (tokenizer(opening + label, add_special_tokens=False)["input_ids"] for opening in openings)
        return tuple(dict.fromkeys(tuple(way) for way in written if way))

    return tuple(ScoredLabel(label, ways(label)) for label in labels)


def longer(labels: Sequence[ScoredLabel]) -> list[Way]:
    """The ways that one step does not tell the likelihood of."""
    return list(dict.fromkeys(way for label in labels for way in label.ways if len(way) > 1))


def shorter(labels: Sequence[ScoredLabel]) -> list[int]:
    """The tokens that are labels by themselves."""
    return list(dict.fromkeys(way[0] for label in labels for way in label.ways if len(way) == 1))


def chances(labels: Sequence[ScoredLabel], logprobs: Mapping[Way, float]) -> dict[str, float]:
    """The log-probability of each label, likeliest first, from those of the ways it may be written in."""
    top = max(logprobs.values())
    own: dict[Way, float] = {}
    for way in sorted(logprobs, key=len, reverse=True):
        beyond = sum(mass for other, mass in own.items() if other[: len(way)] == way)
        own[way] = max(exp(logprobs[way] - top) - beyond, 0.0)
    told = {label.text: log(max(sum(own[way] for way in label.ways), _LEAST)) + top for label in labels}
    return dict(sorted(told.items(), key=lambda pair: -pair[1]))


def scored(chances: Mapping[str, float], tokens_in: int, tokens_picture: int) -> Reply:
    """The likeliest label as a reply that tells the log-probability of every label."""
    best = next(iter(chances))
    tokens = (Token(best, chances[best], tuple(chances.items())),)
    return Reply(best, "stop", tokens_in, 1, tokens_picture=tokens_picture, tokens=tokens)
