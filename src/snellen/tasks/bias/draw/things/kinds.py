"""All kinds of things: one line each, with what is counted and what everybody expects."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from snellen.tasks.bias.draw.things import boards, singles
from snellen.tasks.bias.draw.things.around import round_about
from snellen.tasks.bias.draw.things.birds import BIRDS
from snellen.tasks.bias.draw.things.columns import PIPS, SIDES
from snellen.tasks.bias.draw.things.flags import Striped, striped
from snellen.tasks.bias.draw.things.furniture import FURNITURE
from snellen.tasks.bias.draw.things.kind import Recipe, ThingKind
from snellen.tasks.bias.draw.things.limbs import Body, standing
from snellen.tasks.bias.draw.things.linear import LINEAR
from snellen.tasks.bias.draw.things.pips import in_columns
from snellen.tasks.bias.draw.things.quadrupeds import QUADRUPEDS
from snellen.tasks.bias.draw.things.radial import RADIAL
from snellen.tasks.bias.draw.things.rows import in_a_row
from snellen.tasks.bias.draw.things.sides import on_both_sides

_BODIES = {**QUADRUPEDS, **BIRDS, **FURNITURE}
_WHITE, _US_RED, _US_BLUE = (252, 252, 252), (188, 36, 52), (40, 52, 104)
_FLAGS = {
    "us-flag": Striped((_US_RED, _WHITE), 13, (0.4, 7, _US_BLUE), "stars"),
    "greece-flag": Striped(((20, 88, 170), _WHITE), 9, (0.37, 5, (20, 88, 170)), "cross"),
    "cuba-flag": Striped(((0, 44, 140), _WHITE), 5, None, "triangle"),
    "liberia-flag": Striped((_US_RED, _WHITE), 11, (0.3, 5, (0, 40, 104)), "star"),
}


_BARE_PARTS = {
    **dict.fromkeys(("hand", "paw-print", "three-stripe-mark", "swoosh-mark", "diamond-mark", "clock"), "bars"),
    **dict.fromkeys(("us-canton", "europe-flag", "china-flag", "venezuela-flag"), "five-sided spots"),
    **dict.fromkeys((*_FLAGS, "rainbow"), "bands"),
    **dict.fromkeys(("ring-chain-mark", "games-rings"), "loops"),
    **dict.fromkeys(("guitar", "violin"), "pale lines"),
    "dragonfly": "pale arms",
    **{"seven-of-hearts": "wedges", "traffic-light": "ovals", "snowman": "small dark dots"},
    **{"piano-white-keys": "pale bars", "piano-black-keys": "dark bars", "stave": "long lines", "stop-sign": "sides"},
}
"""What the parts of the anonymous drawing are, where they are no arms."""
_KNOWN_AS = {
    "three-stripe-mark": "the Adidas logo",
    "swoosh-mark": "the Nike logo",
    "ring-chain-mark": "the Audi logo",
    "star-in-ring-mark": "the star in the Mercedes-Benz logo",
    "diamond-mark": "the Mitsubishi logo",
    "games-rings": "the Olympic symbol",
    "seven-of-hearts": "the seven of hearts in a deck of cards",
}
"""What marks and cards are called where no picture shows them."""


def bodies() -> Mapping[str, Body]:
    """Whatever stands on legs, by name."""
    return MappingProxyType(_BODIES)


def _recipe(name: str) -> Recipe:
    """How the thing of this name is drawn, wherever it is sketched."""
    if name in _BODIES:
        return partial(standing, _BODIES[name])
    if name in RADIAL:
        return partial(round_about, RADIAL[name])
    if name in LINEAR:
        return partial(in_a_row, LINEAR[name])
    if name in PIPS:
        return partial(in_columns, PIPS[name])
    if name in SIDES:
        return partial(on_both_sides, SIDES[name])
    return partial(striped, _FLAGS[name])


def _kind(
    name: str, topic: str, whole: str, parts: str, numbers: tuple[int, int, int], alias: str, place: str, **more: Any
) -> ThingKind:
    """A kind; `numbers` are the usual one, the least and the most."""
    recipe = more.pop("recipe", None) or _recipe(name)
    if name in _BODIES:
        more["stands"] = _BODIES[name].ground
    usual, fewest, most = numbers
    more = {"bare_parts": _BARE_PARTS.get(name, "arms"), "known_as": _KNOWN_AS.get(name, ""), **more}
    return ThingKind(
        name, topic, whole, parts, _one(parts), usual, fewest, most, recipe, "figure", alias, _one(alias), place, **more
    )


def _one(parts: str) -> str:
    """One of the parts."""
    words = parts.split()
    at = next(k for k, word in enumerate(words) if word.rstrip(",").endswith("s"))
    words[at] = words[at].replace("s,", ",").removesuffix("s")
    return " ".join(words)


def _animal(name: str, usual: int) -> ThingKind:
    whole = f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return _kind(name, "animals", whole, "legs", (usual, 1, 6), "limbs", "on this animal", slimmest=0.9)


def _board(
    name: str, whole: str, board: boards.Board, across: bool, parts: str, usual: int, spread: int, alias: str
) -> ThingKind:
    numbers = usual, usual - spread, usual + spread
    return _kind(
        name,
        "boards",
        whole,
        parts,
        numbers,
        alias,
        "on this board",
        recipe=partial(board, across),
        turns=2,
        mirrors=False,
        scales=(0.86, 1.0),
        bare_parts=parts,
    )


def _flag(name: str, country: str, parts: str, numbers: tuple[int, int, int], alias: str, **more: Any) -> ThingKind:
    return _kind(name, "flags", f"the flag of {country}", parts, numbers, alias, "on this flag", mirrors=False, **more)


_ALL = (
    *(_animal(name, 4) for name in QUADRUPEDS),
    *(_animal(name, 2) for name in BIRDS),
    _kind("spider", "insects and spiders", "a spider", "legs", (8, 6, 10), "limbs", "on this animal", turns=180),
    _kind("ant", "insects and spiders", "an ant", "legs", (6, 4, 8), "side limbs", "on this animal", turns=180),
    _kind(
        "ladybird",
        "insects and spiders",
        "a ladybird",
        "legs",
        (6, 4, 8),
        "side limbs",
        "on this animal",
        turns=180,
    ),
    _kind("dragonfly", "insects and spiders", "a dragonfly", "wings", (4, 2, 6), "flaps", "on this animal", turns=180),
    _kind("starfish", "sea animals", "a starfish", "arms", (5, 3, 8), "limbs", "on this animal"),
    _kind(
        "hand",
        "hands",
        "a hand",
        "fingers (thumb included)",
        (5, 3, 7),
        "prongs",
        "on this hand",
        recipe=singles.hand,
        turns=14,
        bare="bars",
    ),
    _kind(
        "paw-print",
        "hands",
        "a dog's paw print",
        "toe pads",
        (4, 3, 6),
        "small ovals",
        "in this print",
        turns=20,
        bare="bars",
    ),
    _board("chess-board-rows", "a chess board", boards.chess, False, "rows", 8, 2, "rows"),
    _board("chess-board-columns", "a chess board", boards.chess, True, "columns", 8, 2, "columns"),
    _board("sudoku-rows", "a sudoku", boards.sudoku, False, "rows", 9, 2, "rows"),
    _board("sudoku-columns", "a sudoku", boards.sudoku, True, "columns", 9, 2, "columns"),
    _board("go-board-rows", "a go board", boards.go, False, "horizontal lines", 19, 2, "horizontal lines"),
    _board("go-board-columns", "a go board", boards.go, True, "vertical lines", 19, 2, "vertical lines"),
    _board("xiangqi-rows", "a xiangqi board", boards.xiangqi, False, "horizontal lines", 10, 2, "horizontal lines"),
    _board("xiangqi-columns", "a xiangqi board", boards.xiangqi, True, "vertical lines", 9, 2, "vertical lines"),
    _flag("us-flag", "the United States", "stripes", (13, 11, 15), "bands"),
    _kind(
        "us-canton",
        "flags",
        "the star field of the flag of the United States",
        "stars",
        (50, 48, 52),
        "shapes",
        "in this field",
        mirrors=False,
    ),
    _flag("europe-flag", "Europe", "stars", (12, 10, 14), "shapes"),
    _flag("china-flag", "China", "stars", (5, 3, 6), "shapes", recipe=singles.red_flag),
    _flag("venezuela-flag", "Venezuela", "stars", (8, 6, 9), "shapes"),
    _flag("greece-flag", "Greece", "stripes", (9, 7, 11), "bands"),
    _flag("cuba-flag", "Cuba", "stripes", (5, 3, 7), "bands"),
    _flag("liberia-flag", "Liberia", "stripes", (11, 9, 13), "bands"),
    _kind(
        "three-stripe-mark",
        "marks",
        "a sportswear mark",
        "stripes",
        (3, 3, 5),
        "bars",
        "in this mark",
        scales=(0.55, 0.97),
    ),
    _kind(
        "swoosh-mark",
        "marks",
        "a sportswear mark",
        "curves",
        (1, 1, 3),
        "shapes",
        "in this mark",
        scales=(0.55, 0.97),
        bare="bars",
    ),
    _kind(
        "ring-chain-mark",
        "marks",
        "a car maker's mark",
        "rings",
        (4, 3, 6),
        "circles",
        "in this mark",
        scales=(0.7, 0.97),
    ),
    _kind(
        "star-in-ring-mark",
        "marks",
        "a car maker's mark",
        "points",
        (3, 3, 6),
        "tips",
        "on the star in this mark",
    ),
    _kind("diamond-mark", "marks", "a car maker's mark", "diamonds", (3, 3, 6), "shapes", "in this mark", bare="bars"),
    _kind("trident", "marks", "a trident", "prongs", (3, 2, 6), "spikes", "on this trident"),
    _kind(
        "games-rings",
        "marks",
        "the Olympic rings",
        "rings",
        (5, 3, 7),
        "circles",
        "in this mark",
        recipe=singles.games_rings,
        scales=(0.6, 0.97),
    ),
    _kind(
        "seven-of-hearts",
        "cards",
        "a playing card with a 7 printed in two corners",
        "hearts in the middle of the card",
        (7, 6, 9),
        "red shapes in the middle",
        "on this card",
        mirrors=False,
    ),
    _kind("clock", "clocks", "a clock", "hour marks", (12, 10, 14), "bars at the rim", "on this clock", mirrors=False),
    _kind(
        "piano-white-keys",
        "music",
        "one octave of a piano",
        "white keys",
        (7, 5, 9),
        "pale bars",
        "in this picture",
        recipe=partial(singles.piano, False),
        mirrors=False,
    ),
    _kind(
        "piano-black-keys",
        "music",
        "one octave of a piano",
        "black keys",
        (5, 3, 6),
        "dark bars",
        "in this picture",
        recipe=partial(singles.piano, True),
        mirrors=False,
    ),
    _kind("guitar", "music", "a guitar", "strings", (6, 4, 8), "pale lines", "on this guitar"),
    _kind("violin", "music", "a violin", "strings", (4, 3, 6), "pale lines", "on this violin"),
    _kind(
        "stave",
        "music",
        "a musical stave",
        "horizontal lines",
        (5, 3, 7),
        "level lines",
        "in this stave",
        mirrors=False,
    ),
    _kind("chair", "furniture", "a chair", "legs", (4, 2, 6), "posts", "on this chair"),
    _kind("table", "furniture", "a table", "legs", (4, 2, 6), "posts", "on this table"),
    _kind("fork", "tools", "a fork", "tines", (4, 2, 6), "spikes", "on this fork", turns=40),
    _kind("traffic-light", "tools", "a traffic light", "lamps", (3, 2, 5), "circles", "in this traffic light"),
    _kind("candlestick", "tools", "a menorah", "candles", (7, 5, 9), "flames", "on this candlestick"),
    _kind(
        "stop-sign",
        "signs",
        "a stop sign",
        "sides",
        (8, 5, 10),
        "edges",
        "on this sign",
        recipe=singles.stop_sign,
        mirrors=False,
        bare="straight",
    ),
    _kind("star", "signs", "a star", "points", (5, 4, 8), "tips", "on this star", bare="bars"),
    _kind("snowflake", "nature", "a snowflake", "arms", (6, 4, 8), "spokes", "on this snowflake"),
    _kind("rainbow", "nature", "a rainbow", "bands", (7, 5, 9), "arcs", "in this rainbow", recipe=singles.rainbow),
    _kind("snowman", "nature", "a snowman", "coat buttons", (3, 1, 6), "dots on the body", "on this snowman"),
    _kind("windmill", "machines", "a windmill", "sails", (4, 3, 6), "blades", "on this windmill", stands=395.0),
    _kind("wind-turbine", "machines", "a wind turbine", "blades", (3, 3, 6), "arms", "on this turbine", stands=395.0),
    _kind("ship-wheel", "machines", "a ship's wheel", "handles", (8, 6, 10), "arms", "on this wheel"),
)

KINDS: Mapping[str, ThingKind] = MappingProxyType({kind.name: kind for kind in _ALL})
