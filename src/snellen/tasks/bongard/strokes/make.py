"""Problems made of proposals that the checker accepts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from snellen.errors import unknown
from snellen.rng import Stream, stream
from snellen.tasks.bongard.problem import Problem
from snellen.tasks.bongard.strokes.drafts import DRAFTS, Proposal, StrokeDraft
from snellen.tasks.bongard.strokes.language import features, implied, separators, verdict

KINDS = tuple(DRAFTS)
_PER_SIDE = 7
_PROPOSALS, _REPAIRS = 120, 40
"""Pairs proposed for one place, and pairs replaced in all, before a concept is given up."""


@dataclass(frozen=True, slots=True)
class MadeStrokes:
    """A problem, and how often which check made the maker discard something on the way to it."""

    problem: Problem
    discarded: Mapping[str, int]


def make(seed: int, index: int, *, kinds: Sequence[str] = KINDS) -> MadeStrokes:
    """Problem number `index` of this seed; the kinds take turns."""
    kind = kinds[index % len(kinds)]
    if kind not in DRAFTS:
        raise unknown("kind of stroke problem", kind, KINDS)
    rng = stream(seed, "bongard strokes", kind, index)
    discarded: Counter[str] = Counter()
    while True:
        draft = DRAFTS[kind](rng)
        pairs = _checked(draft, rng, discarded)
        if pairs:
            break
        discarded["concept given up"] += 1
    # The two queries are a pair, so that the examples are pairs too: were one side's examples short of a triangle, say,
    # and the query one, that alone would tell where it belongs.
    *examples, queries = pairs
    sides = [[pair[k] for pair in examples] for k in (0, 1)]
    for side, query in zip(sides, queries, strict=True):
        rng.shuffle(side)
        side.append(query)
    name = f"strokes-{seed}/{index:04d}"
    return MadeStrokes(Problem(name, name, "strokes", draft.concept, kind, tuple(sides[0]), tuple(sides[1])), discarded)


def _checked(draft: StrokeDraft, rng: Stream, discarded: Counter[str]) -> list[Proposal]:
    """Pairs the concept tells apart and nothing else does; none if they could not be found."""
    pairs: list[Proposal] = []
    for _ in range(_PER_SIDE):
        pair = _accepted(draft, rng, discarded)
        if pair is None:
            return []
        pairs.append(pair)
    looks = [(features(one), features(other)) for one, other in pairs]
    for _ in range(_REPAIRS):
        if not separators([one for one, _ in looks], [other for _, other in looks]) - implied(draft.concept):
            return pairs
        discarded["another rule would do"] += 1
        pair = _accepted(draft, rng, discarded)
        if pair is None:
            return []
        place = rng.below(_PER_SIDE)
        pairs[place], looks[place] = pair, (features(pair[0]), features(pair[1]))
    return []


def _accepted(draft: StrokeDraft, rng: Stream, discarded: Counter[str]) -> Proposal | None:
    """A pair of which the checker says that the concept holds for the first and not for the second."""
    for _ in range(_PROPOSALS):
        pair = draft.propose(rng)
        if pair is None:
            discarded["unclear drawing"] += 1
        elif verdict(draft.concept, pair[0]) is True and verdict(draft.concept, pair[1]) is False:
            return pair
        else:
            discarded["checker disagrees"] += 1
    return None
