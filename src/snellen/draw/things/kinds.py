"""All kinds of things."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from snellen.draw.things.around import round_about
from snellen.draw.things.birds import BIRDS
from snellen.draw.things.kind import Kind
from snellen.draw.things.limbs import Body, standing
from snellen.draw.things.linear import LINEAR
from snellen.draw.things.quadrupeds import QUADRUPEDS
from snellen.draw.things.radial import RADIAL
from snellen.draw.things.rows import in_a_row


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _animal(name: str, body: Body, usual: int) -> Kind:
    return Kind(name, "animals", _with_article(name), "legs", "leg", usual, 1, 6, partial(standing, body),
                "figure", "limbs", "limb", "on this animal", stands=body.ground)


def _round(name: str, topic: str, whole: str, parts: str, usual: int, fewest: int, most: int, alias: str, **more: Any) -> Kind:
    return Kind(name, topic, whole, parts, _one(parts), usual, fewest, most, partial(round_about, RADIAL[name]),
                "figure", alias, _one(alias), **more)


def _row(name: str, topic: str, whole: str, parts: str, usual: int, fewest: int, most: int, alias: str, **more: Any) -> Kind:
    return Kind(name, topic, whole, parts, _one(parts), usual, fewest, most, partial(in_a_row, LINEAR[name]),
                "figure", alias, _one(alias), **more)


def _one(parts: str) -> str:
    """One of the parts: the first word that ends in s without it."""
    irregular = {"leaves": "leaf"}
    words = parts.split()
    at = next(k for k, word in enumerate(words) if word.endswith("s"))
    words[at] = irregular.get(words[at], words[at][:-1])
    return " ".join(words)


_ALL = (
    *(_animal(name, body, 4) for name, body in QUADRUPEDS.items()),
    *(_animal(name, body, 2) for name, body in BIRDS.items()),
    _round("star", "signs", "a star", "points", 5, 4, 8, "tips", place="on this star"),
    _round("starfish", "animals", "a starfish", "arms", 5, 3, 8, "branches", place="on this animal"),
    _round("clock", "clocks", "a clock", "hour marks", 12, 10, 14, "bars", place="on this clock"),
    _round("star-in-ring-mark", "marks", "a car maker's mark", "points", 3, 2, 6, "tips", place="on the star in this mark"),
    _round("diamond-mark", "marks", "a car maker's mark", "diamonds", 3, 2, 6, "shapes", place="in this mark"),
    _round("snowflake", "plants and weather", "a snowflake", "arms", 6, 4, 8, "branches", place="on this snowflake"),
    _round("clover", "plants and weather", "a clover leaf", "leaflets", 3, 2, 6, "shapes", place="on this clover"),
    _round("windmill", "machines", "a windmill", "sails", 4, 3, 7, "blades", place="on this windmill", stands=395),
    _round("wind-turbine", "machines", "a wind turbine", "blades", 3, 2, 6, "arms", place="on this turbine", stands=395),
    _round("ship-wheel", "machines", "a ship's wheel", "handles", 8, 6, 10, "arms", place="on this wheel"),
    _round("car-wheel", "machines", "a car wheel", "spokes", 5, 3, 8, "bars", place="in this wheel"),
    _round("paw-print", "animals", "a dog's paw print", "toe pads", 4, 3, 6, "small ovals", place="in this print"),
    _row("three-stripe-mark", "marks", "a sportswear mark", "stripes", 3, 2, 5, "bars", place="in this mark"),
    _row("ring-chain-mark", "marks", "a car maker's mark", "rings", 4, 3, 6, "circles", place="in this mark"),
    _row("trident", "marks", "a trident", "prongs", 3, 2, 6, "spikes", place="on this trident"),
    _row("fork", "tools", "a fork", "tines", 4, 2, 6, "spikes", place="on this fork"),
    _row("traffic-light", "tools", "a traffic light", "lamps", 3, 2, 5, "circles", place="in this traffic light"),
    _row("guitar", "music", "a guitar", "strings", 6, 4, 8, "lines", place="on this guitar"),
    _row("violin", "music", "a violin", "strings", 4, 3, 6, "lines", place="on this violin"),
    _row("stave", "music", "a stave with three notes", "lines", 5, 3, 7, "horizontal lines", place="in this stave"),
    _row("candlestick", "tools", "a seven-branched candlestick", "candles", 7, 5, 9, "upright bars", place="on this candlestick"),
    _row("snowman", "plants and weather", "a snowman", "coat buttons", 3, 1, 6, "dots", place="on this snowman"),
)

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ALL})
