"""Who does what to whom: two animals and one deed, the picture and its twin from one description.

    {"background": "cream", "deed": "pulls", "one": "cat", "other": "horse", "towards": "left"}

`one` does it, `other` has it done. Everything moves or looks `towards` one side; drawn towards the right, the whole
picture is mirrored. Both animals are as large whatever their role, and whoever acts is told by what they do: a rope
leads from who pulls, a bubble rises from who thinks, a ball's trail begins where it was thrown.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from snellen.draw.icons import SIDE as ICON_SIDE
from snellen.draw.icons import icon, pixels
from snellen.draw.plates import DARK_WOOD, GROUNDS, INK, LINE, WHITE, WOOD, PictureCanvas
from snellen.draw.soft import box, disc
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

_WIDTH, _HEIGHT = 448, 304
_FLOOR = 262
_TALL = 128
"""The side of an animal's square."""


@dataclass(frozen=True, slots=True)
class DeedKind:
    """A deed: where the two stand ("right", "left", "top", "bottom") and which way they face when all goes to the left,
    what else is there, how that is drawn, and the words between their names, if not the deed's name."""

    one: tuple[str, str]
    other: tuple[str, str]
    props: tuple[str, ...]
    draw: Callable[[PictureCanvas, str, str], None]
    words: str = ""


def _place(plate: PictureCanvas, name: str, x: int, floor: int, *, side: int = _TALL, turned: bool = False) -> None:
    """An animal with its feet on a floor, its middle at x."""
    below = (ICON_SIDE - _feet(name)) * side // ICON_SIDE
    plate.icon(name, x, floor + below - side // 2, side, turned=turned)


@cache
def _feet(name: str) -> int:
    """The row of a drawing below its feet."""
    rows = np.flatnonzero((pixels(name)[:, :, 3] > 127).any(axis=1))
    return int(rows[-1]) + 1


@cache
def _height(name: str) -> int:
    """How tall an animal stands, in pixels of the picture."""
    top = int(np.flatnonzero((pixels(name)[:, :, 3] > 127).any(axis=1))[0])
    return (_feet(name) - top) * _TALL // ICON_SIDE


def _rushing(plate: PictureCanvas, left: int) -> None:
    """Lines that say how fast somebody runs, behind them."""
    for down, width in ((96, 26), (70, 38), (44, 30)):
        plate.lay(box(6, width, 3), _FLOOR - down, left, INK)


def _cart(plate: PictureCanvas, left: int) -> int:
    """A cart with two wheels; what stands on it stands at the height that is returned."""
    top = _FLOOR - 44
    plate.lay(box(18, 160, 6), top, left, WOOD)
    for wheel in (left + 16, left + 108):
        plate.lay(disc(36, 140), _FLOOR - 34, wheel, INK)
        plate.lay(disc(36, 60), _FLOOR - 34, wheel, WOOD)
    return top + 2


def _dots(plate: PictureCanvas, points: list[tuple[int, int]], side: int = 9) -> None:
    for x, y in points:
        plate.lay(disc(side, 4 * side), y - side // 2, x - side // 2, INK)


def _chases(plate: PictureCanvas, one: str, other: str) -> None:
    _place(plate, other, 84, _FLOOR)
    _rushing(plate, 156)
    _place(plate, one, 300, _FLOOR)
    _rushing(plate, 372)


def _looks_at(plate: PictureCanvas, one: str, other: str) -> None:
    _place(plate, other, 90, _FLOOR)
    _place(plate, one, 358, _FLOOR)
    eyes = _FLOOR - _height(one) * 3 // 4
    _dots(plate, [(x, eyes) for x in range(178, 300, 16)])
    _head(plate, 166, eyes)


def _head(plate: PictureCanvas, x: int, y: int) -> None:
    """The head of an arrow to the left, its tip at (x, y)."""
    for step in range(16):
        plate.fill(y - step * 3 // 4, x + step, 2 * (step * 3 // 4) + 1, 1, INK)


def _pulls(plate: PictureCanvas, one: str, other: str) -> None:
    floor = _cart(plate, 262)
    plate.lay(box(6, 170, 3), floor + 4, 96, DARK_WOOD)
    _place(plate, one, 88, _FLOOR)
    _place(plate, other, 342, floor)


def _pushes(plate: PictureCanvas, one: str, other: str) -> None:
    floor = _cart(plate, 20)
    plate.lay(box(30, 8, 4), floor - 22, 172, DARK_WOOD)
    plate.lay(box(8, 96, 4), floor - 22, 172, DARK_WOOD)  # so low that the smallest can lay hands on it
    _place(plate, other, 96, floor)
    _place(plate, one, 290, _FLOOR)
    _rushing(plate, 364)


def _carries(plate: PictureCanvas, one: str, other: str) -> None:
    """On a tray over the head: on the back, faces would be hidden."""
    floor = _FLOOR + 20
    _place(plate, one, 224, floor)
    tray = floor - _height(one) - 8
    plate.lay(box(12, 100, 6), tray, 174, WOOD)
    _place(plate, other, 224, tray + 4)


def _thinks_of(plate: PictureCanvas, one: str, other: str) -> None:
    _place(plate, other, 84, _FLOOR)
    _place(plate, one, 340, _FLOOR)
    for side, left, top in ((18, 280, 136), (28, 256, 104)):
        _bubble(plate, side, side, top, left)
    _bubble(plate, 92, 124, 8, 150)
    plate.icon(other, 212, 54, 76)


def _bubble(plate: PictureCanvas, height: int, width: int, top: int, left: int) -> None:
    plate.lay(box(height, width, height // 2), top, left, INK)
    plate.lay(box(height - 6, width - 6, height // 2 - 3), top + 3, left + 3, WHITE)


def _throws(plate: PictureCanvas, one: str, other: str) -> None:
    _facing(plate, one, other)
    _dots(plate, [(318, 166), (308, 146), (296, 127), (282, 110), (266, 96), (248, 86), (229, 80), (210, 78)])
    plate.icon("soccer ball", 178, 84, 44)


def _gives(plate: PictureCanvas, one: str, other: str) -> None:
    _facing(plate, one, other)
    plate.icon("gift", 224, _FLOOR - 36, 64)
    plate.lay(box(8, 74, 4), _FLOOR - 104, 196, INK)
    _head(plate, 180, _FLOOR - 100)


def _facing(plate: PictureCanvas, one: str, other: str) -> None:
    _place(plate, other, 84, _FLOOR, turned=True)
    _place(plate, one, 364, _FLOOR)


_BEHIND, _AHEAD = ("right", "left"), ("left", "left")
_FACING = ("left", "right")
KINDS: Mapping[str, DeedKind] = {
    "chases": DeedKind(_BEHIND, _AHEAD, ("speed lines behind {one}", "speed lines behind {other}"), _chases),
    "looks at": DeedKind(_BEHIND, _AHEAD, ("dotted arrow from {one} to {other}",), _looks_at),
    "pulls": DeedKind(_AHEAD, _BEHIND, ("rope from {one} to the cart", "cart under {other}"), _pulls),
    "pushes": DeedKind(
        _BEHIND,
        _AHEAD,
        ("cart under {other}", "handle of the cart at {one}", "speed lines behind {one}"),
        _pushes,
    ),
    "carries": DeedKind(("bottom", "left"), ("top", "left"), ("tray under {other}",), _carries),
    "thinks of": DeedKind(_BEHIND, _AHEAD, ("thought bubble with {other}, rising from {one}",), _thinks_of),
    "throws": DeedKind(
        _BEHIND, _FACING, ("ball in the air", "dotted trail from {one} to the ball"), _throws, "throws the ball to"
    ),
    "gives": DeedKind(
        _BEHIND, _FACING, ("present between the two", "arrow from {one} to {other}"), _gives, "gives the present to"
    ),
}
"""All deeds. Where they stand and face: (place, facing)."""


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
    kind = _kind(deed)
    plate = PictureCanvas(_HEIGHT, _WIDTH, GROUNDS[deed["background"]])
    plate.fill(_FLOOR, 0, 3, _WIDTH, LINE)
    kind.draw(plate, deed["one"], deed["other"])
    if deed["towards"] == "right":
        plate.pixels = np.ascontiguousarray(plate.pixels[:, ::-1])
    return Picture(plate.png(), "image/png", f"Two animals: {deed['one']} and {deed['other']}", twin(deed))


def twin(deed: Deed) -> str:
    """What the picture shows, in exact words, as compact JSON; animals in the order of the alphabet."""
    kind = _kind(deed)
    places = {deed[role]: _turned(deed, getattr(kind, role)[0]) for role in ("one", "other")}
    looks = {deed[role]: faces(deed, role) for role in ("one", "other")}
    animals: list[dict[str, Any]] = [
        {"name": name, "category": icon(name).category, "living": True, "position": places[name], "faces": looks[name]}
        for name in sorted(places)
    ]
    first, second = sorted(places, key=lambda name: ("left", "top", "right", "bottom").index(places[name]))
    beside = "above" if places[first] == "top" else "left of"
    shown = {
        "background": deed["background"],
        "objects": animals,
        "also there": [prop.format_map(deed) for prop in kind.props],
        "relations": [f"{first} {beside} {second}", sentence(deed)],
    }
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
