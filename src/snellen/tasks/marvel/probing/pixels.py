"""Questions about a panel as a whole, by what its picture looks like: symmetry, emptiness; and the faces of solids."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.rng import Stream
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.probing.texts import Fine, fine, yes_or_no
from snellen.tasks.marvel.puzzle import Panel

Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]

_KINDS = {
    "cube": ("cube", "pyramid"),
    "tetrahedron": ("pyramid", "cube", "prism"),
    "square pyramid": ("pyramid", "cube", "prism"),
    "triangular prism": ("prism", "pyramid"),
}
_SPOTS = {
    "": (90, 90),
    "the left half of ": (45, 90),
    "the right half of ": (135, 90),
    "the upper half of ": (90, 45),
    "the lower half of ": (90, 135),
    "the upper left quarter of ": (45, 45),
    "the upper right quarter of ": (135, 45),
    "the lower left quarter of ": (45, 135),
    "the lower right quarter of ": (135, 135),
}
_LEAST_INK = 300
_SAME, _DIFFERENT = 0.004, 0.06
_SELDOM = 0.1
_EMPTIER, _JUST_EMPTIER, _BY = 1.6, 1.4, 200


def questions(panel: Panel, rng: Stream) -> Iterator[Fine]:
    """What can be asked about any drawing. Few are symmetrical, so those that are not are seldom asked about."""
    pixels = panel_pixels(panel)
    ink = pixels < 255
    if int(ink.sum()) >= _LEAST_INK:
        yield from _symmetry(panel, pixels, rng, _SELDOM)
        yield from _emptiness(ink, _EMPTIER)


def for_want_of_others(panel: Panel, rng: Stream) -> Iterator[Fine]:
    """Something that can be asked where nothing else can."""
    pixels = panel_pixels(panel)
    ink = pixels < 255
    askable = list(_emptiness(ink, _JUST_EMPTIER))
    if not askable and int(ink.sum()) >= _LEAST_INK:
        askable = list(_symmetry(panel, pixels, rng, 1.0))
    yield from askable or islice(_spots(panel, pixels, rng), 1)


def _symmetry(panel: Panel, pixels: Pixels, rng: Stream, often: float) -> Iterator[Fine]:
    """Left and right, or above and below. Stripes all slant one way, and colours need not be mirrored with the rest."""
    striped = any(mark.get("fill") == "striped" or "/" in "".join(mark.get("rows", ())) for mark in panel["marks"])
    if striped:
        return
    (least, most), (least_down, most_down) = _unmirrored(pixels)
    same, same_down = most <= _SAME, most_down <= _SAME
    different, different_down = least >= _DIFFERENT, least_down >= _DIFFERENT
    many_colours = len({mark.get("colour") for mark in panel["marks"]}) > 1
    if (same and not many_colours) or (different and rng.chance(often)):
        yield yes_or_no("comparison", "mirror", "unlike", same, rng)
    if ((same and different_down) or (same_down and different)) and not many_colours:
        names = ("left and right", "upper and lower")
        yield fine("comparison", "axis", *(names if same else names[::-1]))


def _unmirrored(pixels: Pixels) -> NDArray[np.float64]:
    """How much has no mirror image: left and right, above and below; each with much grace and with little.

    A share of all that is drawn, looked at in half the size: a person does not see single pixels either. Holes in what
    is drawn count as well.
    """
    dark, light = _halved(pixels, np.minimum), _halved(pixels, np.maximum)
    inked = dark < 255
    missing = np.zeros((2, 2))
    for mask in (inked, dark < 100, light == 255):
        near = _grown(mask)
        around = _grown(near)
        ways = [[around[:, ::-1], near[:, ::-1]], [around[::-1], near[::-1]]]
        missing = np.maximum(missing, [[np.count_nonzero(mask & ~there) for there in way] for way in ways])
    return np.asarray(missing / int(inked.sum()))


def _halved(pixels: Pixels, pick: np.ufunc) -> Pixels:
    """Half as large, each pixel the darkest or the lightest of four."""
    return np.asarray(pick(pick(pixels[::2, ::2], pixels[1::2, ::2]), pick(pixels[::2, 1::2], pixels[1::2, 1::2])))


def _grown(mask: Mask) -> Mask:
    """The mask and all its neighbours."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    wide = tall.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def _emptiness(ink: Mask, ratio: float) -> Iterator[Fine]:
    middle = len(ink) // 2
    halves = (
        (ink[:, :middle], ink[:, middle:], ("left", "right")),
        (ink[:middle], ink[middle:], ("upper", "lower")),
    )
    for first, second, names in halves:
        low, high = sorted((int(first.sum()), int(second.sum())))
        if high >= ratio * low and high - low >= _BY:
            yield fine("comparison", "emptier", *(names if int(first.sum()) == low else names[::-1]))


def _spots(panel: Panel, pixels: Pixels, rng: Stream) -> Iterator[Fine]:
    """Whether the middle of the panel, or of some part of it, is white or black."""
    coloured = any("colour" in mark for mark in panel["marks"])
    places = list(_SPOTS.items())
    rng.shuffle(places)
    for name, (x, y) in places:
        block = pixels[y - 8 : y + 8, x - 8 : x + 8]
        if bool((block == 0).all()) and not coloured:
            yield fine("colour", "middle", "black", "white", name)
        elif bool((block == 255).all()):
            yield fine("colour", "middle", "white", "black", name)


# Nets and solids


def about_solids(panel: Panel, rng: Stream) -> Iterator[Fine]:
    """What the maker of a solid says is on its faces; nothing about nets, whose faces have no names."""
    view: Mapping[str, Any] = panel.get("view", {})
    faces = [face for face in view.get("faces", ()) if face.get("name")]
    if not faces:
        return
    if len(faces) in (2, 3):  # other numbers are never right
        yield fine("quantity", "faces", *(("two", "three") if len(faces) == 2 else ("three", "two")))
    if view.get("solid") in _KINDS:
        right, *others = _KINDS[view["solid"]]
        yield fine("shape", "solid", right, rng.choice(others), others=others)
    for fill in ("black", "grey"):
        word = "solid" if fill == "black" and any("colour" in mark for mark in panel["marks"]) else fill
        having = {face["name"]: any(panel["marks"][n].get("fill") == fill for n in face["marks"]) for face in faces}
        if any(having.values()) or fill == "black":
            for name, has in having.items():
                yield yes_or_no("colour", "filled", "unfilled", has, rng, word, name)
        with_it, without = ([name for name, has in having.items() if has == wanted] for wanted in (True, False))
        if len(with_it) == 1 and without:
            yield fine("location", "which", with_it[0], rng.choice(without), word, others=without)
