"""Questions about where things are."""

from collections.abc import Iterator
from itertools import permutations
from math import floor

from snellen.rng import Stream
from snellen.tasks.marvel.probing.nouns import Nouns
from snellen.tasks.marvel.probing.sight import PanelScene, PanelThing
from snellen.tasks.marvel.probing.texts import Fine, fine

GAP = 8
"""Things are beside each other if so many pixels are between them."""
_MIDDLE, _MARGIN = 90, 8
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_POINTS = {0: "up", 90: "to the right", 180: "down", 270: "to the left"}


def places(scene: PanelScene, nouns: Nouns, rng: Stream) -> Iterator[Fine]:
    """Halves, neighbours, insides, cells of a grid."""
    yield from _halves(scene, nouns)
    yield from _relations(scene, nouns)
    yield from _cells(scene, nouns, rng)


def _halves(scene: PanelScene, nouns: Nouns) -> Iterator[Fine]:
    for place, noun in nouns.items():
        thing = scene.things[place]
        left, top, right, bottom = thing.box
        for low, high, names in ((left, right, ("left", "right")), (top, bottom, ("upper", "lower"))):
            if high <= _MIDDLE - _MARGIN:
                yield fine("location", "half", *names, noun)
            elif low >= _MIDDLE + _MARGIN:
                yield fine("location", "half", *names[::-1], noun)
        if noun == "arrow" and (turned := thing.mark.get("turn", 0) % 360) in _POINTS:
            yield fine("location", "points", _POINTS[turned], _POINTS[(turned + 180) % 360])


def _relations(scene: PanelScene, nouns: Nouns) -> Iterator[Fine]:
    for subject, other in permutations(nouns, 2):
        thing, mate = scene.things[subject], scene.things[other]
        relation = scene.relation(thing, mate)
        roomy = mate.box[2] - mate.box[0] > 1.5 * (thing.box[2] - thing.box[0])
        if mate.closed and mate.kind != "grid" and (relation == "inside" or (relation == "apart" and roomy)):
            pair = ("inside", "outside") if relation == "inside" else ("outside", "inside")
            yield fine("location", "inside", *pair, nouns[subject], nouns[other])
        if relation == "apart":
            across, down = mate.x - thing.x, mate.y - thing.y
            if abs(across) >= 2 * abs(down) and gap(thing, mate, 0) >= GAP:
                pair = ("left", "right") if across > 0 else ("right", "left")
                yield fine("location", "beside", *pair, nouns[subject], nouns[other])
            if abs(down) >= 2 * abs(across) and gap(thing, mate, 1) >= GAP:
                pair = ("above", "below") if down > 0 else ("below", "above")
                yield fine("location", "above", *pair, nouns[subject], nouns[other])
        for axis, word in ((0, "to the left"), (1, "up")):
            if subject < other and gap(thing, mate, axis) >= GAP:
                pair = (nouns[subject], nouns[other])
                yield fine("location", "further", *(pair if thing.box[axis] < mate.box[axis] else pair[::-1]), word)


def gap(subject: PanelThing, other: PanelThing, axis: int) -> float:
    """How many pixels are between two things, across (axis 0) or up and down (1); less than 0 if they overlap so."""
    return max(subject.box[axis] - other.box[axis + 2], other.box[axis] - subject.box[axis + 2])


def _cells(scene: PanelScene, nouns: Nouns, rng: Stream) -> Iterator[Fine]:
    """Where in a grid a thing lies."""
    grids = [thing for thing in scene.things if thing.kind == "grid"]
    if len(grids) != 1:
        return
    grid = grids[0].mark
    many = len(grid["rows"]), len(grid["rows"][0])
    for place, noun in nouns.items():
        thing = scene.things[place]
        column, row = (floor((at - grid[axis]) / grid["cell"]) for at, axis in ((thing.x, "x"), (thing.y, "y")))
        held = 0 <= row < many[0] and 0 <= column < many[1] and max(many) <= len(_ORDINALS)
        if not held or not _fits(
            thing, grid["x"] + column * grid["cell"], grid["y"] + row * grid["cell"], grid["cell"]
        ):
            continue
        for word, at, number in (("row", row, many[0]), ("column", column, many[1])):
            if number > 1:
                wrong = [_ORDINALS[other] for other in range(number) if other != at]
                yield fine("location", "row", _ORDINALS[at], rng.choice(wrong), word, noun, others=wrong)


def _fits(thing: PanelThing, left: float, top: float, side: float) -> bool:
    return left <= thing.box[0] and top <= thing.box[1] and thing.box[2] <= left + side and thing.box[3] <= top + side
