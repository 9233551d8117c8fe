"""Cards, scenes, racks and bars of icons: what the description says is what is to be seen."""

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from snellen.draw.plates import GROUNDS, WHITE, PictureCanvas
from snellen.draw.tints import DYES, HUES
from snellen.item import Picture
from snellen.tasks.capacity.draw.tableaux import bars, cards, rack, scene

Pixels = NDArray[np.int64]


def _pixels(picture: Picture) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(np.int64)


def _main_dye(pixels: Pixels) -> str:
    """The dye whose colour most strongly coloured pixels are nearest to."""
    flat = pixels.reshape(-1, 3)
    vivid = flat[flat.max(axis=1) - flat.min(axis=1) > 90]
    known = np.array(list(DYES.values()))
    nearest = ((vivid[:, None] - known[None]) ** 2).sum(axis=2).argmin(axis=1)
    return tuple(DYES)[int(np.bincount(nearest, minlength=len(known)).argmax())]


@pytest.mark.parametrize("name", HUES)
def test_a_dyed_icon_has_the_colour_that_is_told(name: str) -> None:
    for colour in DYES:
        plate = PictureCanvas(104, 104, WHITE)
        plate.icon(name, 52, 52, 100, colour)
        assert _main_dye(_pixels(Picture(plate.png()))) == colour


def test_a_scene_has_things_where_it_says_and_nothing_elsewhere() -> None:
    things = [
        {"icon": "dog", "x": 72, "y": 72, "side": 100},
        {"icon": "car", "x": 504, "y": 360, "side": 70, "colour": "green"},
        {"icon": "key", "x": 216, "y": 504, "side": 92, "frame": "square"},
    ]
    pixels = _pixels(scene({"ground": "cream", "things": things}))
    touched = (pixels != GROUNDS["cream"]).any(axis=2)
    assert touched[22:122, 22:122].any()
    assert touched[325:395, 469:539].any()
    assert touched[436, 160:270].all(), "the frame's upper edge"
    touched[22:122, 22:122] = touched[325:395, 469:539] = touched[436:572, 148:284] = False
    assert not touched.any()


def test_a_thing_that_leaves_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="leaves the plate"):
        scene({"ground": "cream", "things": [{"icon": "dog", "x": 10, "y": 72, "side": 100}]})


def test_bars_are_as_high_as_they_say() -> None:
    content = [
        {"icon": "dog", "colour": "red", "value": 3},
        {"icon": "cat", "colour": "blue", "value": 10},
        {"icon": "owl", "colour": "red", "value": 7},
    ]
    pixels = _pixels(bars({"ground": "cream", "bars": content}))
    columns = [72 + 6 + 80 * place + 40 for place in range(3)]
    for x, bar in zip(columns, content, strict=True):
        away = np.abs(pixels[:420, x] - np.array(DYES[str(bar["colour"])])).sum(axis=1)
        assert round(int(np.count_nonzero(away == 0)) / 38) == bar["value"]


def test_cards_and_racks_show_each_thing_in_its_place() -> None:
    """Exchanging two things changes the picture there and nowhere else."""
    four = [{"icon": name, "number": k} for k, name in enumerate(("dog", "key", "owl", "car"), start=1)]
    for layout in ("square", "row"):
        first = _pixels(cards({"ground": "cream", "layout": layout, "things": four}))
        renamed = [*four[:3], {"icon": "bus", "number": 4}]
        changed = np.argwhere(
            (first != _pixels(cards({"ground": "cream", "layout": layout, "things": renamed}))).any(axis=2)
        )
        assert changed[:, 1].min() > first.shape[1] * (1 / 2 if layout == "square" else 3 / 4)
    shelves = [[{"icon": "dog"}, {"icon": "key", "colour": "red"}], [{"icon": "owl"}, {"icon": "car"}]]
    other = [shelves[0], [{"icon": "owl"}, {"icon": "bus"}]]
    one, two = (_pixels(rack({"ground": "cream", "shelves": each})) for each in (shelves, other))
    changed = np.argwhere((one != two).any(axis=2))
    assert changed.min(axis=0).tolist() > [one.shape[0] // 2, one.shape[1] // 2]
