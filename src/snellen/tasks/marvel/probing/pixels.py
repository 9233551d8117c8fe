"""Questions about a panel as a whole, by what its picture looks like: symmetry, emptiness; and the faces of solids."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.draw.panels import panel_pixels
from snellen.rng import Stream
from snellen.tasks.marvel.probing.fine import Fine
from snellen.tasks.marvel.probing.texts import fine, number, yes_or_no
from snellen.tasks.marvel.puzzle import Panel

Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]

_KINDS = {
    "cube": ("cube", "pyramid"),
    "tetrahedron": ("pyramid", "cube"),
    "square pyramid": ("pyramid", "cube"),
    "triangular prism": ("prism", "pyramid"),
}
_LEAST_INK = 300
_SAME, _DIFFERENT = 0.004, 0.08
_EMPTIER, _BY = 1.8, 250


def questions(panel: Panel, turn: Stream) -> Iterator[Fine]:
    """What can be asked about any drawing."""
    pixels = panel_pixels(panel)
    ink = pixels < 255
    if int(ink.sum()) >= _LEAST_INK:
        yield from _symmetry(panel, pixels, turn)
        yield from _emptiness(ink)


def _symmetry(panel: Panel, pixels: Pixels, turn: Stream) -> Iterator[Fine]:
    """Left and right, or above and below. Stripes all slant one way, and colours need not be mirrored with the rest."""
    striped = any(mark.get("fill") == "striped" or "/" in "".join(mark.get("rows", ())) for mark in panel["marks"])
    if striped:
        return
    rows = np.minimum(pixels[::2], pixels[1::2])
    small = np.minimum(rows[:, ::2], rows[:, 1::2])  # half the size: a person does not see single pixels either
    differs = [_differs(small, flipped) for flipped in (small[:, ::-1], small[::-1])]
    same, other = (part <= _SAME for part in differs)
    many_colours = len({mark.get("colour") for mark in panel["marks"]}) > 1
    if (same and not many_colours) or differs[0] >= _DIFFERENT:
        yield yes_or_no("comparison", "mirror", "unlike", same, turn)
    if same != other and max(differs) >= _DIFFERENT and not many_colours:
        names = ("left and right", "upper and lower")
        yield fine("comparison", "axis", *(names if same else names[::-1]))


def _differs(pixels: Pixels, flipped: Pixels) -> float:
    """The larger share of what is inked, or dark, here and nowhere near there."""
    worst = 0.0
    for tone in (255, 100):
        here = pixels < tone
        total = int(here.sum())
        if total and worst < _DIFFERENT:
            worst = max(worst, float((here & ~_grown(flipped < tone)).sum()) / total)
    return worst


def _grown(mask: Mask) -> Mask:
    """The mask and all its neighbours."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    wide = tall.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def _emptiness(ink: Mask) -> Iterator[Fine]:
    middle = len(ink) // 2
    halves = (
        (ink[:, :middle], ink[:, middle:], ("left", "right")),
        (ink[:middle], ink[middle:], ("upper", "lower")),
    )
    for first, second, names in halves:
        low, high = sorted((int(first.sum()), int(second.sum())))
        if high >= _EMPTIER * low and high - low >= _BY:
            yield fine("comparison", "emptier", *(names if int(first.sum()) == low else names[::-1]))


def middle(panel: Panel) -> Iterator[Fine]:
    """For want of anything else: whether the middle is white or black."""
    block = panel_pixels(panel)[82:98, 82:98]
    if bool((block == 255).all()):
        yield fine("colour", "middle", "white", "black")
    elif bool((block == 0).all()) and not any("colour" in mark for mark in panel["marks"]):
        yield fine("colour", "middle", "black", "white")


# Nets and solids


def about_solids(panel: Panel, turn: Stream) -> Iterator[Fine]:
    """What the maker of a solid says is on its faces; nothing about nets, whose faces have no names."""
    view: Mapping[str, Any] = panel.get("view", {})
    faces = [face for face in view.get("faces", ()) if face.get("name")]
    if not faces:
        return
    yield from number("quantity", "faces", len(faces), turn)
    if view.get("solid") in _KINDS:
        yield fine("shape", "solid", *_KINDS[view["solid"]])
    for fill in ("black", "grey"):
        word = "solid" if fill == "black" and any("colour" in mark for mark in panel["marks"]) else fill
        having = {face["name"]: any(panel["marks"][n].get("fill") == fill for n in face["marks"]) for face in faces}
        if any(having.values()) or fill == "black":
            for name, has in having.items():
                yield yes_or_no("colour", "filled", "unfilled", has, turn, word, name)
        with_it, without = ([name for name, has in having.items() if has == wanted] for wanted in (True, False))
        if len(with_it) == 1 and without:
            yield fine("location", "which", with_it[0], turn.choice(without), word)
