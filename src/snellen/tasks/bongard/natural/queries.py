"""What the two queries of a problem show, so that neither looks nor names tell their sides.

A deed is no hint if it is shown by as many positive as negative queries, and comparing looks does not help if both
queries of a problem look alike. Both hold if deeds are exchanged between concepts: as often as the positive query of
one concept shows d and the negative one e, those of another show e and d. So concepts are paired by a symmetric table
whose rows add up to 1, weighted towards deeds that take about as many words and as much ink.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, permutations, product
from math import sqrt

from snellen.rng import Stream
from snellen.tasks.bongard.asking import ink, words_in_twin
from snellen.tasks.bongard.natural.concepts import DEEDS, TOOLS
from snellen.tasks.bongard.natural.draw import draw_panel

_ALIKE = (("forest", "room", "concert"), ("garden", "town", "road"))
"""Places whose twins can take as many words."""
_WEIGHTS = 1, 0.4, 0.001
"""Weights of one word of the twin, one grey level of ink (of 255) and one byte of the picture's file."""
_LEVEL = 0.8
"""The largest allowed difference between the rows behind the two queries of a place problem, in words."""
_ROUNDS = 200

PanelLooks = tuple[float, float, float]
"""Words in the twin, ink and size of the file."""
QueryDeeds = tuple[str, str]
"""The deeds of the positive and of the negative query."""


def query_place(place: str, rng: Stream) -> str:
    """Where the negative query is, if the positive one is at this place."""
    return rng.choice([other for alike in _ALIKE if place in alike for other in alike if other != place])


def are_level(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows of things behind take about as many words, as much ink and as large a file."""
    return _apart(_row(one), _row(other)) <= _LEVEL


def query_deeds(word: str, value: str, rng: Stream) -> QueryDeeds:
    """What the queries show if the concept is a deed ("deed") or a tool ("with")."""
    shares = deed_shares(word)[value]
    limits = list(accumulate(shares.values()))
    return list(shares)[bisect(limits, rng.between(0, limits[-1]), hi=len(limits) - 1)]


@cache
def deed_shares(word: str) -> Mapping[str, Mapping[QueryDeeds, float]]:
    """For each concept, how often its queries show which deeds."""
    own: dict[str, tuple[str, ...]] = {name: (name,) for name in DEEDS}
    kept_away: dict[str, tuple[str, ...]] = {}
    if word == "with":
        own, kept_away = ({tool: deeds[k] for tool, deeds in TOOLS.items()} for k in (0, 1))
    barred = {value: {*own[value], *kept_away.get(value, ())} for value in own}
    likeness = {
        (one, other): {
            (deed, rival): _likeness(deed, rival)
            for deed, rival in product(own[one], own[other])
            if deed not in barred[other] and rival not in barred[one]
        }
        for one, other in permutations(own, 2)
    }
    scale = _scaled({pair: sum(deeds.values()) for pair, deeds in likeness.items()})
    shares: dict[str, dict[QueryDeeds, float]] = {value: {} for value in own}
    for (one, other), all_deeds in likeness.items():
        for deeds, weight in all_deeds.items():
            shares[one][deeds] = shares[one].get(deeds, 0) + weight * scale[one] * scale[other]
    return shares


def _scaled(table: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """The factors, of rows and columns alike, with which every row of a symmetric table adds up to 1."""
    scale = dict.fromkeys((one for one, _ in table), 1.0)
    for _ in range(_ROUNDS):
        rows = dict.fromkeys(scale, 0.0)
        for (one, other), weight in table.items():
            rows[one] += weight * scale[other]
        scale = {one: sqrt(factor / rows[one]) for one, factor in scale.items()}
    return scale


def _likeness(one: str, other: str) -> float:
    apart = 1 + _apart(_looks(one, "rose"), _looks(other, "rose"))
    return 1 / (apart * apart * apart * apart)


def _row(behind: Sequence[str]) -> PanelLooks:
    """The looks of a row of things: those of rows of each of them, on the average."""
    words, dark, size = zip(*(_looks("pulls", name) for name in behind), strict=True)
    return sum(words) / len(behind), sum(dark) / len(behind), sum(size) / len(behind)


@cache
def _looks(deed: str, thing: str) -> PanelLooks:
    """The looks of a deed of the same animals before a row of the same thing."""
    animals = {"background": "cream", "one": "cat", "other": "horse", "towards": "left"}
    picture = draw_panel({**animals, "deed": deed, "behind": [thing] * 3})
    return words_in_twin(picture), ink(picture), len(picture.data)


def _apart(one: PanelLooks, other: PanelLooks) -> float:
    """How much two pictures differ, in words of a twin."""
    return sum(abs(a - b) * weight for a, b, weight in zip(one, other, _WEIGHTS, strict=True))
