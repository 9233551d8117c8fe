"""Who does what to whom: two animals and one deed, the picture and its twin from one description.

    {"background": "cream", "deed": "pulls", "one": "cat", "other": "horse", "towards": "left"}

`one` does it, `other` has it done. Everything moves or looks `towards` one side; drawn towards the right, the whole
picture is mirrored. Both animals are as large whatever their role, and whoever acts is told by what they do: a rope
leads from who pulls, the hose lies with who sprays, the key is with who locks up. No arrow or bubble says so.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.draw.deeds import giving, moving, watching
from snellen.draw.deeds.stage import FLOOR, HEIGHT, WIDTH, DeedKind
from snellen.draw.icons import icon
from snellen.draw.plates import GROUNDS, LINE, PictureCanvas
from snellen.errors import unknown
from snellen.item import Picture

Deed = Mapping[str, str]

ACTORS = (
    *("camel", "cat", "chick", "cow", "deer", "dinosaur", "duck", "elephant", "flamingo", "goat", "hedgehog"),
    *("hippopotamus", "horse", "llama", "mouse", "penguin", "rabbit", "raccoon", "rhinoceros", "rooster"),
    *("squirrel", "tiger", "turkey", "turtle", "zebra"),
)
"""Animals whose drawings look to the left, so that it is seen which way they face."""
SIDES = ("left", "right")
ALIKE = (
    {"camel", "llama"},
    {"deer", "goat"},
    {"horse", "zebra"},
    {"chick", "duck"},
    {"rooster", "turkey"},
    {"elephant", "hippopotamus", "rhinoceros"},
    {"mouse", "rabbit", "squirrel", "raccoon", "hedgehog"},
)
"""Animals that might be taken for one another at a glance: never together."""

KINDS: Mapping[str, DeedKind] = {**moving.KINDS, **giving.KINDS, **watching.KINDS}


def are_alike(one: str, other: str) -> bool:
    return any({one, other} <= alike for alike in ALIKE)


def sentence(deed: Deed) -> str:
    """The deed in words, the animals by their names alone."""
    return f"{deed['one']} {KINDS[deed['deed']].words or deed['deed']} {deed['other']}"


def faces(deed: Deed, role: str) -> str:
    """Which way whoever has the role looks."""
    return _turned(deed, getattr(_kind(deed), role)[1])


def _turned(deed: Deed, side: str) -> str:
    """A side as it is seen: everything is laid out towards the left."""
    if deed["towards"] == "left" or side not in SIDES:
        return side
    return SIDES[1 - SIDES.index(side)]


def _kind(deed: Deed) -> DeedKind:
    for what, allowed in (("deed", KINDS), ("background", GROUNDS)):
        if deed[what] not in allowed:
            raise unknown(what, deed[what], allowed)
    for name in (deed["one"], deed["other"]):
        if name not in ACTORS:
            raise unknown("animal that faces one way", name, ACTORS)
    return KINDS[deed["deed"]]


def draw(deed: Deed) -> Picture:
    """The picture, with its twin."""
    plate = painted(deed)
    return Picture(plate.png(), "image/png", f"Two animals: {deed['one']} and {deed['other']}", twin(deed))


def painted(deed: Deed) -> PictureCanvas:
    """The picture still open for more."""
    kind = _kind(deed)
    plate = PictureCanvas(HEIGHT, WIDTH, GROUNDS[deed["background"]])
    plate.fill(FLOOR, 0, 3, WIDTH, LINE)
    kind.draw(plate, deed["one"], deed["other"])
    if deed["towards"] == "right":
        plate.pixels = np.ascontiguousarray(plate.pixels[:, ::-1])
    return plate


def twin(deed: Deed) -> str:
    """What the picture shows, in exact words, as compact JSON."""
    return json.dumps(told(deed), ensure_ascii=False, separators=(",", ":"))


def told(deed: Deed) -> dict[str, Any]:
    """What the picture shows, in exact words; animals in the order of the alphabet."""
    kind = _kind(deed)
    places = {deed[role]: _turned(deed, getattr(kind, role)[0]) for role in ("one", "other")}
    looks = {deed[role]: faces(deed, role) for role in ("one", "other")}
    animals: list[dict[str, Any]] = [
        {"name": name, "category": icon(name).category, "living": True, "position": places[name], "faces": looks[name]}
        for name in sorted(places)
    ]
    first, second = sorted(places, key=lambda name: ("left", "top", "right", "bottom").index(places[name]))
    beside = "above" if places[first] == "top" else "left of"
    return {
        "background": deed["background"],
        "objects": animals,
        "also there": [prop.format_map(deed) for prop in kind.props],
        "relations": [f"{first} {beside} {second}", sentence(deed)],
    }
