"""Which things are drawn how often, and with how many parts."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from math import sqrt

from snellen.errors import UserError, unknown
from snellen.rng import stream
from snellen.tasks.bias.draw.things import KINDS, ThingKind
from snellen.tasks.task import Levels, spread

SOURCES = ("things", "synth-legs")
ICON, SCENE = "icon", "scene"
TOPICS = tuple(dict.fromkeys(kind.topic for kind in KINDS.values()))
BIRD_LEGS, QUADRUPED_LEGS = (1, 2, 3), (3, 4, 5)
"""What synth-legs draws from: birds and quadrupeds, half and half, every number alike."""
_LATER = ("australia-flag", "zimbabwe-flag")
"""Kinds that were added later come last, so that items of earlier versions stay what they are."""
_GOLDEN = (sqrt(5) - 1) / 2


def kind_of(name: str) -> ThingKind:
    if name not in KINDS:
        raise unknown("kind of thing", name, KINDS)
    return KINDS[name]


@cache
def order() -> tuple[str, ...]:
    """All kinds, so that any first n of them have every topic in about its share, and not its first kinds only."""
    rank = dict.fromkeys(_LATER, 1.0)
    for topic in TOPICS:
        own = [name for name, kind in KINDS.items() if kind.topic == topic and name not in _LATER]
        mixed = sorted(own, key=lambda name: own.index(name) * _GOLDEN % 1)
        rank |= {name: place / len(own) for place, name in enumerate(mixed)}
    return tuple(sorted(KINDS, key=lambda name: rank[name]))


def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
    """n items in all of each source, as icons and in scenes, spread over the kinds that are wanted."""
    rows: list[tuple[Mapping[str, str], int]] = []
    for source, scene in product(levels["source"], levels.get("scene", (ICON,))):
        wanted = [name for name in order() if name in levels["kind"] and KINDS[name].topic in levels["topic"]]
        if source == "synth-legs":
            birds, quadrupeds = ([name for name in wanted if _legs(name) == legs] for legs in (2, 4))
            halves = (birds, n - n // 2), (quadrupeds, n // 2)
            shares = [share for names, half in halves if names for share in _spread(source, scene, names, half)]
        else:
            shares = _spread(source, scene, wanted, n) if wanted else []
        if not shares:
            raise UserError(
                f"source={source}: no such thing has topic {'|'.join(levels['topic'])} and is one of the kinds"
                f" {'|'.join(levels['kind'])[:200]}"
            )
        rows += shares
    return rows


def _spread(source: str, scene: str, names: list[str], n: int) -> list[tuple[Mapping[str, str], int]]:
    kinds = [{"source": source, "topic": KINDS[name].topic, "kind": name, "scene": scene} for name in names]
    return [(kind, share) for kind, share in spread(kinds, n) if share]


def _legs(name: str) -> int:
    """How many legs an animal that stands on them usually has; 0 for anything else."""
    kind = KINDS[name]
    return kind.usual if kind.topic == "animals" and kind.parts == "legs" else 0


def against_habit(kind: ThingKind) -> tuple[int, int]:
    """The two numbers that a thing is drawn with against the habit: one fewer and one more, or the next two where
    there cannot be fewer."""
    fewer, more = kind.usual - 1, kind.usual + 1
    return (fewer, more) if fewer in kind.counts else (more, more + 1)


def count_of(kind: ThingKind, source: str, index: int, seed: int) -> int:
    """How many parts the index-th thing of a kind has.

    Against the habit, two in a row are one with fewer and one with more, in an order that is drawn; kinds take turns in
    which comes first, so that fewer and more are as frequent among things of different kinds.
    """
    if source == "synth-legs":
        legs = list(BIRD_LEGS if _legs(kind.name) == 2 else QUADRUPED_LEGS)
        stream(seed, "bias", source, kind.name, index // 3).shuffle(legs)
        return legs[index % 3]
    turn = order().index(kind.name) + index + stream(seed, "bias", "turn", index // 2).below(2)
    return against_habit(kind)[turn % 2]
