"""A thing in a scene: where it stands or lies, what a mark is on, and how its surface is turned away.

The scene of a recipe is put on its carrier and turned, as a whole, by one map of the plane; from there on it is drawn,
made anonymous or reduced to its marks like any other. Size and place are chosen so that the thing takes up 15 to 60 %
of the picture, whatever its number of parts.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from snellen.draw.looks import Colour
from snellen.rng import Stream
from snellen.tasks.bias.draw.things.bare import dense
from snellen.tasks.bias.draw.things.forms import Place, bar
from snellen.tasks.bias.draw.things.grounds import GROUND_KINDS
from snellen.tasks.bias.draw.things.inks import full_coat, palette
from snellen.tasks.bias.draw.things.kind import (
    ColouredPiece,
    Group,
    Mark,
    ThingKind,
    ThingLook,
    ThingScene,
    ThingSetting,
    View,
)
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.sketch import pieces, sketch
from snellen.tasks.bias.draw.things.visible import is_countable

_TABLES = tomllib.loads((Path(__file__).parent / "data" / "scenes.toml").read_text(encoding="utf-8"))
SHARE = 0.15, 0.6
"""The least and the greatest share of the picture that the box of a thing takes up."""
_WANTED = 0.2, 0.45
"""What is aimed at, if the table says nothing else; long things fit less well."""
_ROOM = 930
"""How wide and high the largest box may be, in thousandths of the picture."""
_APART = 70
"""By how much a part's colour and that of the ground differ at least in a channel, if any ground is so different."""
_CROWDS = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
_FEET = 240
"""How far below the middle a thing that carries a mark stands: its feet stay level when it is turned."""
_SMALL = 200
"""What is smaller than this is bent by its corners alone."""
_POST: Colour = (112, 114, 120)
_SLEEVE: Colour = (70, 88, 120)
_Map = Callable[[Points], Points]


def place_of(kind: ThingKind) -> Mapping[str, Any]:
    """What the table says about a kind."""
    return {**_TABLES["topics"][kind.topic], **_TABLES["kinds"].get(kind.name, {})}


def in_scene(kind: ThingKind, look: ThingLook) -> ThingLook:
    """The look with a place in a scene. Nothing of it depends on how many parts the thing will have."""
    dice, table = look.stream("setting"), place_of(kind)
    turned = table.get("turned", False)
    tilt = (dice.between(0.25, 0.5) * (1 if dice.chance() else -1), dice.between(-0.16, 0.16)) if turned else (0, 0)
    carrier = dice.choice(table["on"]) if "on" in table else ""
    view: View = "lies" if carrier in ("shirt", "sheet") else table["view"]
    first = ThingSetting(view, "", 0, (0, 0, 0, 0), carrier, tilt)
    turn = look.turn if view == "lies" else look.turn * 0.4
    look = replace(look, style="photo", setting=first, scale=1.0, shift=(0, 0), turn=turn)
    usual, whole = _box(kind, look, (kind.usual,)), _box(kind, look, kind.counts)
    scale = min(
        sqrt(dice.between(*table.get("share", _WANTED)) / _area(usual)), *(_ROOM / extent for extent in _extents(whole))
    )
    left, top, right, bottom = (edge * scale for edge in whole)
    shift = _within(dice, left, right, 20, 980), _height(dice, view, top, bottom)
    box = left + shift[0] + 500, top + shift[1] + 500, right + shift[0] + 500, bottom + shift[1] + 500
    horizon = {"lies": 0.0, "hangs": dice.between(800, 900)}.get(view) if view != "stands" else None
    if horizon is None:
        horizon = max(180.0, box[3] - dice.between(0.3, 0.75) * (box[3] - box[1]))
    setting = replace(first, ground=_ground(kind, look, table["grounds"], dice), horizon=horizon, box=box)
    return replace(look, scale=scale, shift=shift, setting=setting)


def _within(dice: Stream, low: float, high: float, first: float, last: float) -> float:
    """How far to move what reaches from low to high (from the middle), so that it lies within the limits."""
    return dice.between(first - 500 - low, last - 500 - high)


def _height(dice: Stream, view: str, top: float, bottom: float) -> float:
    if view == "stands":
        lowest = max(bottom - top + 25, 780)
        return dice.between(lowest, max(lowest, 950)) - 500 - bottom
    return _within(dice, top, bottom, 25, 975 if view == "lies" else max(bottom - top + 30, 860))


def _box(kind: ThingKind, look: ThingLook, counts: Iterable[int]) -> tuple[float, float, float, float]:
    """The box of the thing with any of these numbers of parts, in thousandths from the middle."""
    placed = look.placing(1000)
    lines = [
        line
        for count in counts
        for group in _composed(kind, count, look).groups
        for piece in group.pieces
        for line in placed(piece.outlines)
    ]
    corners = np.concatenate(lines) - 500
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, top, right, bottom


def _extents(box: tuple[float, float, float, float]) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _area(box: tuple[float, float, float, float]) -> float:
    wide, high = _extents(box)
    return wide * high / 1e6


def _ground(kind: ThingKind, look: ThingLook, grounds: list[str], dice: Stream) -> str:
    """A ground from which all parts stand out, or the one from which they do most."""
    scene = _composed(kind, kind.usual, look)
    inks = {piece.ink for group in scene.groups for piece in group.pieces if piece.part is not None}
    if look.setting and look.setting.carrier:
        inks = {piece.ink for group in scene.groups[:1] for piece in group.pieces}
    order = list(grounds)
    dice.shuffle(order)

    def contrast(name: str) -> int:
        base = GROUND_KINDS[name].colours[1]
        return min(max(abs(a - b) for a, b in zip(ink, base, strict=True)) for ink in inks)

    return next((name for name in order if contrast(name) >= _APART), max(order, key=contrast))


# The thing on its carrier, turned away


def compose(kind: ThingKind, count: int, look: ThingLook) -> tuple[ThingScene, ThingLook]:
    """What is drawn of a thing with so many parts, and the look to draw it with: in a scene its limbs overlap as far as
    each can still be told apart, which is checked on the pixels that are seen of each."""
    if look.setting is None:
        return kind.recipe(count, look), look
    post = place_of(kind).get("post")
    for crowd in _CROWDS:
        crowded = replace(look, setting=replace(look.setting, crowd=crowd))
        scene = _composed(kind, count, crowded)
        if is_countable(scene, crowded):
            return (_held(scene, post) if post else scene), crowded
    raise RuntimeError(f"{kind.name}, {count} {kind.parts}: some part cannot be seen (seed {look.seed}, {look.index})")


def _held(scene: ThingScene, post: tuple[float, float, float]) -> ThingScene:
    x, y, width = post
    ink = _SLEEVE if width > 100 else _POST
    pole = ColouredPiece([bar((x, y), (x, y + 2500), width, round_ends=False)], ink)
    return replace(scene, groups=[Group([pole], role="sign"), *scene.groups])


def _composed(kind: ThingKind, count: int, look: ThingLook) -> ThingScene:
    setting, scene = look.setting, kind.recipe(count, look)
    if setting is None:
        return scene
    if setting.carrier:
        scene = _on_carrier(scene, look, setting.carrier)
    if setting.carrier == "bottle":
        scene = _mapped(scene, _around)
    elif setting.tilt != (0, 0):
        scene = _mapped(scene, _wave(look) if kind.topic == "flags" else _turned_away(setting))
    return scene


@cache
def _carrier(name: str) -> tuple[Mapping[str, Any], Any]:
    table = _TABLES["carriers"][name]
    return table, sketch(table["sketch"])


def _on_carrier(scene: ThingScene, look: ThingLook, name: str) -> ThingScene:
    table, drawn = _carrier(name)
    dice = look.stream("carrier")
    inks = full_coat({ink: dice.choice(palette(colours)) for ink, colours in table["coats"].items()})
    turn, size = radians(table["turn"]), table["size"]
    matrix = size * np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    on_it = _mapped(scene, lambda line: line @ matrix + np.array(table["at"], np.float64))
    flat = [replace(group, pieces=[replace(piece, round=False) for piece in group.pieces]) for group in on_it.groups]
    words = " ".join(filter(None, (scene.words, f"It is on {table['whole']}.")))
    return replace(on_it, groups=[Group(pieces(drawn, inks)), *flat], words=words)


def _turned_away(setting: ThingSetting) -> _Map:
    """A plane seen at an angle: boards and sheets from their near side, what stands from one side."""
    narrow, shear = setting.tilt
    lying = setting.view == "lies"

    def turned(line: Points) -> Points:
        x, y = line.T
        if lying:
            scale = 1.0 / (1.0 - abs(narrow) * y / 1000)
            return np.stack(((x + shear * y) * scale, 0.84 * y * scale), axis=1)
        scale = 1.0 / (1.0 - 0.6 * narrow * x / 1000)
        return np.stack((0.88 * x * scale, _FEET + (y - _FEET) * scale), axis=1)

    return turned


def _around(line: Points) -> Points:
    """Around a bottle that is seen a little from above."""
    x, y = dense(line).T
    return np.stack((x, y - 0.0011 * x * x), axis=1)


def _wave(look: ThingLook) -> _Map:
    """Cloth in the wind: held on the left, it waves more and more to the right."""
    dice = look.stream("wind")
    length, phase, high = dice.between(340, 520), dice.between(0, 6.28), dice.between(16, 30)

    def waved(line: Points) -> Points:
        # A star keeps its corners: by these the anonymous drawing knows it.
        x, y = (line if np.ptp(line, axis=0).max() < _SMALL else dense(line)).T
        reach = (x + 400) / 800
        lift = high * (0.25 + reach) * (np.sin(x * (6.283 / length) + phase) - sin(phase))
        return np.stack((0.94 * x, y + lift), axis=1)

    return waved


def _mapped(scene: ThingScene, place: _Map) -> ThingScene:
    """The scene with all its places mapped."""
    groups = [
        replace(group, pieces=[replace(p, outlines=[place(line) for line in p.outlines]) for p in group.pieces])
        for group in scene.groups
    ]
    return replace(scene, groups=groups, marks=[_mapped_mark(mark, place) for mark in scene.marks])


def _mapped_mark(mark: Mark, place: _Map) -> Mark:
    begin, end = _at(mark.begin, place), _at(mark.end, place)
    middle = (mark.begin[0] + mark.end[0]) / 2, (mark.begin[1] + mark.end[1]) / 2
    here, right, down = (_at(at, place) for at in (middle, (middle[0] + 1, middle[1]), (middle[0], middle[1] + 1)))
    a, b, c, d = right[0] - here[0], right[1] - here[1], down[0] - here[0], down[1] - here[1]
    size = sqrt(abs(a * d - b * c))
    return Mark(begin, end, mark.width * size, mark.hollow * size)


def _at(at: Place, place: _Map) -> Place:
    [[x, y]] = place(np.array([at, at, at], np.float64))[:1].tolist()
    return x, y
