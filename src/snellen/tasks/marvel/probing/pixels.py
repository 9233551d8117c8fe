"""Questions about a panel as a whole, by what its picture looks like: symmetry, emptiness; and the faces of solids."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.draw.panels import panel_pixels
from snellen.rng import Stream
from snellen.tasks.marvel.probing.fine import NUMBERS, Fine
from snellen.tasks.marvel.puzzle import Panel

Mask = NDArray[np.bool_]

TEXTS = {
    "mirror": "Are the left and the right half of {where} mirror images of each other?",
    "unlike": "Would one half of {where} have to be changed before left and right are mirror images of each other?",
    "axis": "Which halves of {where} are mirror images of each other, {a} or {b}?",
    "emptier": "Which half of {where} is emptier, the {a} or the {b} one?",
    "faces": "How many faces of the solid are to be seen in {where}, {a} or {b}?",
    "filled": "Is there a {x} area on the {y} in {where}?",
    "unfilled": "Is the {y} in {where} without a {x} area?",
}

_LEAST_INK = 300
_SAME, _DIFFERENT = 0.01, 0.2
_EMPTIER, _BY = 1.8, 250
_SLACK = 2


def questions(panel: Panel, turn: Stream) -> Iterator[Fine]:
    pixels = panel_pixels(panel)
    ink = pixels < 255
    if int(ink.sum()) >= _LEAST_INK:
        yield from _symmetry(panel, pixels, turn)
        yield from _emptiness(ink)


def _symmetry(panel: Panel, pixels: NDArray[np.uint8], turn: Stream) -> Iterator[Fine]:
    """Left and right, or above and below. Stripes all slant one way, and colours need not be mirrored with the rest."""
    striped = any(mark.get("fill") == "striped" or "/" in "".join(mark.get("rows", ())) for mark in panel["marks"])
    if striped:
        return
    differs = [_differs(pixels, flipped) for flipped in (pixels[:, ::-1], pixels[::-1])]
    same, other = (part <= _SAME for part in differs)
    many_colours = len({mark.get("colour") for mark in panel["marks"]}) > 1
    if (same and not many_colours) or differs[0] >= _DIFFERENT:
        text, answer = ("mirror", same) if turn.chance() else ("unlike", not same)
        yield Fine("comparison", TEXTS[text], *(("yes", "no") if answer else ("no", "yes")))
    if same != other and max(differs) >= _DIFFERENT and not many_colours:
        names = ("left and right", "upper and lower")
        yield Fine("comparison", TEXTS["axis"], *(names if same else names[::-1]))


def _differs(pixels: NDArray[np.uint8], flipped: NDArray[np.uint8]) -> float:
    """The larger share of what is inked, or dark, here and nowhere near there."""
    worst = 0.0
    for tone in (255, 100):
        here, there = pixels < tone, flipped < tone
        if total := int(here.sum()):
            worst = max(worst, float((here & ~_grown(there)).sum()) / total)
    return worst


def _grown(mask: Mask) -> Mask:
    padded = np.pad(mask, _SLACK)
    rows = np.logical_or.reduce([padded[i : i + len(mask)] for i in range(2 * _SLACK + 1)])
    return np.asarray(np.logical_or.reduce([rows[:, i : i + mask.shape[1]] for i in range(2 * _SLACK + 1)]))


def _emptiness(ink: Mask) -> Iterator[Fine]:
    middle = len(ink) // 2
    halves = (
        (ink[:, :middle], ink[:, middle:], ("left", "right")),
        (ink[:middle], ink[middle:], ("upper", "lower")),
    )
    for first, second, names in halves:
        low, high = sorted((int(first.sum()), int(second.sum())))
        if high >= _EMPTIER * low and high - low >= _BY:
            yield Fine("comparison", TEXTS["emptier"], *(names if int(first.sum()) == low else names[::-1]))


# Nets and solids


def about_solids(panel: Panel, turn: Stream) -> Iterator[Fine]:
    """What the maker of a solid says is on its faces; nothing about nets, whose faces have no names."""
    view: Mapping[str, Any] = panel.get("view", {})
    faces = [face for face in view.get("faces", ()) if face.get("name")]
    if not faces:
        return
    wrong = NUMBERS[len(faces) + (1 if turn.chance() else -1)]
    yield Fine("quantity", TEXTS["faces"], NUMBERS[len(faces)], wrong)
    for face in faces:
        fills = {panel["marks"][place].get("fill", "none") for place in face["marks"]}
        has = "black" in fills
        text, answer = ("filled", has) if turn.chance() else ("unfilled", not has)
        said = TEXTS[text].replace("{x}", "black").replace("{y}", face["name"])
        yield Fine("colour", said, *(("yes", "no") if answer else ("no", "yes")))
