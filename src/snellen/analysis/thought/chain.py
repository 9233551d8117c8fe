"""Numbers from the spans of a text: how long it is, what its parts are given to, how often it turns back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from snellen.analysis.thought.sentences import words
from snellen.analysis.thought.spans import STAGES, Annotator, TextSpan, annotate

DECILES = 10


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of thought in numbers. `shares`: of the text, in each stage. `profile`: the same for each tenth of the
    text. `late`: revisits after the first stage. `loops`: conclusions that were taken back. `spans` is all of it."""

    words: int
    shares: tuple[float, ...]
    profile: NDArray[np.float64]
    revisits: int
    late: int
    interruptions: int
    loops: int
    spans: tuple[TextSpan, ...]

    @property
    def stages(self) -> list[TextSpan]:
        return [span for span in self.spans if span.label in STAGES]


def chain(text: str, annotator: Annotator = annotate) -> Chain:
    """The text in numbers."""
    spans = tuple(annotator(text))
    stages = [span for span in spans if span.label in STAGES]
    profile = _profile(stages, len(text))
    first = stages[0].end if stages and stages[0].label == STAGES[0] else 0
    revisits = [span for span in spans if span.label == "revisit"]
    following = pairwise(stages)
    return Chain(
        words=words(text),
        shares=tuple(float(share) for share in profile.mean(0)),
        profile=profile,
        revisits=len(revisits),
        late=sum(span.start >= first for span in revisits),
        interruptions=sum(span.label == "interruption" for span in spans),
        loops=sum(a.label == "conclude" != b.label for a, b in following),
        spans=spans,
    )


def _profile(stages: Sequence[TextSpan], length: int) -> NDArray[np.float64]:
    """Tenths of the text x stages: how much of each tenth is given to each stage."""
    found = np.zeros((DECILES, len(STAGES)))
    if not length:
        return found
    lows = np.arange(DECILES) * length / DECILES
    highs = lows + length / DECILES
    for span in stages:
        inside = np.clip(np.minimum(highs, span.end) - np.maximum(lows, span.start), 0, None)
        found[:, STAGES.index(span.label)] += inside * DECILES / length
    return found
