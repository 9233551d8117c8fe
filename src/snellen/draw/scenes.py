"""Scenes of recognisable things: the picture and its twin, both from one description.

A scene is a pastel sheet of three by three cells. In a cell stands at most one thing: an icon on a coloured tile, small
or large, perhaps inside a black frame. The description, in JSON types:

    {"background": "cream", "things": [{"kind": "dog", "x": 60, "y": 180, "size": "large", "tile": "red",
     "framed": false}, ...]}

`x` and `y` are the tile's middle in pixels. Everything else follows from that: the place in words, what is above or
left of what, and what touches what (tiles that meet edge to edge; all others keep a clear distance).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from snellen.draw.icons import Icon, icon, palette
from snellen.draw.icons.sprites import Pixels, sprite
from snellen.draw.looks import Colour
from snellen.draw.plates import GROUNDS, darker
from snellen.draw.png import encode
from snellen.errors import unknown
from snellen.item import Picture

Scene = Mapping[str, Any]

CELL = 120
SIDE = 3 * CELL
TILE_SIDE = {"small": 62, "large": 100}
ICON_SIDE = {"small": 56, "large": 90}
ROWS = ("top", "middle", "bottom")
COLUMNS = ("left", "centre", "right")
SIZES = ("small", "large")
BACKGROUNDS: Mapping[str, Colour] = GROUNDS
TILES: Mapping[str, Colour] = {
    "red": (226, 70, 62),
    "yellow": (250, 212, 60),
    "green": (88, 176, 88),
    "blue": (66, 128, 218),
    "purple": (152, 96, 196),
    "white": (255, 255, 255),
}
FRAME_GAP, FRAME_LINE = 4, 4
_BLACK: Colour = (24, 24, 28)
_RADIUS = 12


@dataclass(frozen=True, slots=True)
class SceneThing:
    """One thing of a scene with all that can be said of it."""

    icon: Icon
    x: int
    y: int
    size: str
    tile: str
    framed: bool

    @property
    def row(self) -> str:
        return ROWS[self.y // CELL]

    @property
    def column(self) -> str:
        return COLUMNS[self.x // CELL]

    @property
    def place(self) -> str:
        """Where it stands, in words: "top left", "middle right", "centre"."""
        return "centre" if (self.row, self.column) == ("middle", "centre") else f"{self.row} {self.column}"

    @property
    def half(self) -> int:
        return TILE_SIDE[self.size] // 2


def things(scene: Scene) -> tuple[SceneThing, ...]:
    """The things of a scene, checked: known words, each wholly in a cell of its own."""
    checked = tuple(_thing(entry) for entry in scene["things"])
    if scene["background"] not in BACKGROUNDS:
        raise unknown("background", scene["background"], BACKGROUNDS)
    if len({(thing.row, thing.column) for thing in checked}) < len(checked):
        raise ValueError("two things in one cell")
    return checked


def _thing(entry: Mapping[str, Any]) -> SceneThing:
    thing = SceneThing(icon(entry["kind"]), entry["x"], entry["y"], entry["size"], entry["tile"], entry["framed"])
    for what, word, allowed in (("size", thing.size, TILE_SIDE), ("tile", thing.tile, TILES)):
        if word not in allowed:
            raise unknown(what, word, allowed)
    reach = thing.half + (FRAME_GAP + FRAME_LINE if thing.framed else 0)
    if not all(0 <= at < SIDE and reach <= at % CELL <= CELL - reach for at in (thing.x, thing.y)):
        raise ValueError(f"the {thing.icon.name} at ({thing.x}, {thing.y}) sticks out of its cell")
    return thing


def above(one: SceneThing, other: SceneThing) -> bool:
    """Whether one stands in a higher row, whatever the columns."""
    return one.y // CELL < other.y // CELL


def left_of(one: SceneThing, other: SceneThing) -> bool:
    """Whether one stands in a column further left, whatever the rows."""
    return one.x // CELL < other.x // CELL


def touch(one: SceneThing, other: SceneThing) -> bool:
    """Whether their tiles meet along an edge."""
    reach = one.half + other.half
    across, down = abs(one.x - other.x), abs(one.y - other.y)
    return (across == reach and down < reach) or (down == reach and across < reach)


def draw(scene: Scene) -> Picture:
    """The scene's picture, 360 x 360, with its twin."""
    names = ", ".join(thing.icon.name for thing in things(scene))
    return Picture(encode(*painted(scene)), "image/png", f"Scene: {names}", twin(scene))


def painted(scene: Scene) -> tuple[Pixels, Pixels]:
    """The picture's pixels as numbers of colours, and the colours."""
    background = scene["background"]
    content = things(scene)  # checked before any of it is drawn
    pixels = np.full((SIDE, SIDE), _numbers()[BACKGROUNDS[background]], np.uint8)
    for thing in content:
        _put(pixels, thing, background)
    return pixels, _palette()


def _put(pixels: Pixels, thing: SceneThing, background: str) -> None:
    if thing.framed:
        outer, inner = thing.half + FRAME_GAP + FRAME_LINE, thing.half + FRAME_GAP
        _square(pixels, thing, outer)[:] = _numbers()[_BLACK]
        _square(pixels, thing, inner)[:] = _numbers()[BACKGROUNDS[background]]
    _square(pixels, thing, thing.half)[:] = _tile(thing.tile, thing.size, background)
    side, ground = ICON_SIDE[thing.size], _numbers()[TILES[thing.tile]]
    drawn = sprite(thing.icon.name, side, _colours(), ground)
    np.copyto(_square(pixels, thing, side // 2), drawn, where=drawn != ground)  # round corners stay round


def _square(pixels: Pixels, thing: SceneThing, half: int) -> Pixels:
    return pixels[thing.y - half : thing.y + half, thing.x - half : thing.x + half]


@cache
def _tile(tile: str, size: str, background: str) -> Pixels:
    """A tile with a thin darker edge and round corners: tiles that touch stay two."""
    side = TILE_SIDE[size]
    steps = np.abs(2 * np.arange(side) - side + 1)  # twice the distance from the middle, so that all is whole
    past = np.maximum(steps - (side - 2 * _RADIUS), 0)
    square = past[:, None] ** 2 + past[None] ** 2
    numbers = _numbers()
    pixels = np.full((side, side), numbers[TILES[tile]], np.uint8)
    pixels[square > (2 * _RADIUS - 5) ** 2] = numbers[darker(TILES[tile])]
    pixels[square > (2 * _RADIUS) ** 2] = numbers[BACKGROUNDS[background]]
    return pixels


@cache
def _palette() -> Pixels:
    """The icons' colours first, as `sprite` numbers them, then those of sheet, tiles and frames."""
    own = [*BACKGROUNDS.values(), *TILES.values(), *map(darker, TILES.values()), _BLACK]
    return np.concatenate((palette(), np.array(own, np.uint8)))


@cache
def _colours() -> bytes:
    return _palette().tobytes()


@cache
def _numbers() -> dict[Colour, int]:
    """Numbers of the colours drawn round the icons (from the end: an icon may own the same colour)."""
    colours = _palette().tolist()
    return {(red, green, blue): number for number, (red, green, blue) in enumerate(colours)}


def twin(scene: Scene) -> str:
    """What the picture shows, in exact words, as compact JSON."""
    content = things(scene)
    names = _labels([thing.icon.name for thing in content])
    entries = [
        {
            "name": name,
            "category": thing.icon.category,
            "living": thing.icon.life == "living",
            "size": thing.size,
            "tile": thing.tile,
            "position": thing.place,
            "inside a frame": thing.framed,
        }
        for name, thing in zip(names, content, strict=True)
    ]
    relations = list(_relations(content, names))
    shown = {"background": scene["background"], "objects": entries, "relations": relations}
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def _labels(names: Sequence[str]) -> list[str]:
    """The names, numbered where one occurs more than once."""
    often, seen = Counter(names), Counter[str]()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(f"{name} {seen[name]}" if often[name] > 1 else name)
    return labels


def _relations(content: Sequence[SceneThing], names: Sequence[str]) -> Iterator[str]:
    for (one, name), (other, other_name) in combinations(zip(content, names, strict=True), 2):
        for word, holds in (("above", above), ("left of", left_of)):
            if holds(one, other):
                yield f"{name} {word} {other_name}"
            elif holds(other, one):
                yield f"{other_name} {word} {name}"
        if touch(one, other):
            yield f"{name} touches {other_name}"
        if one.icon == other.icon:
            yield f"{name} same kind as {other_name}"
        if one.tile == other.tile:
            yield f"{name} same tile colour as {other_name}"
