"""Scenes: picture and twin say the same, relations follow from where things stand, bytes never change."""

import io
import json
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.draw import scenes
from snellen.draw.icons.sprites import _scaled, _summed
from snellen.draw.scenes import BACKGROUNDS, SIDE, TILES, above, draw, left_of, things, touch
from snellen.errors import UserError


def thing(kind: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "x": x, "y": y, "size": "small", "tile": "red", "framed": False, **more}


def scene(*content: dict[str, Any], background: str = "cream") -> dict[str, Any]:
    return {"background": background, "things": list(content)}


def rgb(picture_of: dict[str, Any]) -> np.ndarray:
    with Image.open(io.BytesIO(draw(picture_of).data)) as image:
        return np.asarray(image.convert("RGB"))


EXAMPLE = scene(
    thing("dog", 70, 180, size="large", tile="blue"),
    thing("cat", 151, 180, tile="yellow"),
    thing("dog", 300, 60, framed=True),
    background="pale green",
)


def test_the_twin_says_what_is_there_and_how_it_stands() -> None:
    twin = json.loads(draw(EXAMPLE).twin)
    assert twin["background"] == "pale green"
    assert twin["objects"][0] == {
        "name": "dog 1",
        "category": "animal",
        "living": True,
        "size": "large",
        "tile": "blue",
        "position": "middle left",
        "inside a frame": False,
    }
    assert [entry["position"] for entry in twin["objects"]] == ["middle left", "centre", "top right"]
    assert set(twin["relations"]) == {
        "dog 1 left of cat",
        "dog 1 touches cat",
        "dog 2 above dog 1",
        "dog 1 left of dog 2",
        "dog 1 same kind as dog 2",
        "dog 2 above cat",
        "cat left of dog 2",
    }


def test_colours_are_those_the_words_promise() -> None:
    pixels = rgb(EXAMPLE)
    assert pixels.shape == (SIDE, SIDE, 3)
    assert tuple(pixels[-1, 0]) == BACKGROUNDS["pale green"]
    assert tuple(pixels[180, 70 - 46]) == TILES["blue"]
    assert tuple(pixels[180, 151 + 27]) == TILES["yellow"]
    assert tuple(pixels[60, 300 - 31 - 6]) == scenes._BLACK
    assert tuple(pixels[60, 300 - 31 - 2]) == BACKGROUNDS["pale green"]


def test_the_ground_under_an_icon_is_the_tile_itself() -> None:
    pixels = rgb(scene(thing("racing car", 60, 60, size="large", tile="green")))
    assert tuple(pixels[60 - 40, 60]) == TILES["green"]


def test_every_pair_of_words_has_colours_of_its_own() -> None:
    own = [*BACKGROUNDS.values(), *TILES.values()]
    assert len(set(own)) == len(own)
    apart = min(
        np.abs(np.subtract(one, other)).sum() for one in TILES.values() for other in TILES.values() if one != other
    )
    assert apart > 100


def test_relations_follow_from_where_things_stand() -> None:
    low_left, high_right, same_row = things(scene(thing("cat", 60, 300), thing("dog", 180, 60), thing("car", 300, 300)))
    assert above(high_right, low_left)
    assert not above(low_left, high_right)
    assert not above(low_left, same_row)
    assert left_of(low_left, high_right)
    assert left_of(high_right, same_row)
    assert not left_of(same_row, low_left)


@pytest.mark.parametrize(
    ("x", "y", "meets"), [(151, 180, True), (151, 170, True), (152, 180, False), (180, 180, False), (151, 271, False)]
)
def test_tiles_touch_only_edge_to_edge(x: int, y: int, meets: bool) -> None:
    one, other = things(scene(thing("dog", 89, 180), thing("cat", x, y)))
    assert touch(one, other) is meets
    assert touch(other, one) is meets


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (scene(thing("unicorn", 60, 60)), "unicorn"),
        (scene(thing("dog", 60, 60, tile="beige")), "beige"),
        (scene(thing("dog", 60, 60, size="huge")), "huge"),
        (scene(thing("dog", 60, 60), background="night"), "night"),
        (scene(thing("dog", 20, 60)), "sticks out"),
        (scene(thing("dog", 60, 400)), "sticks out"),
        (scene(thing("dog", 60, 55, size="large", framed=True)), "sticks out"),
        (scene(thing("dog", 60, 60), thing("cat", 50, 50)), "one cell"),
    ],
)
def test_a_scene_that_cannot_be_is_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises((ValueError, UserError), match=why):
        draw(wrong)


def test_scaling_loses_and_adds_nothing() -> None:
    for side in (52, 86):
        ink = np.random.default_rng(side).integers(0, 255, (160, 3, 4))
        assert (_summed(ink, side).sum(axis=0) == ink.sum(axis=0) * side).all()
        assert (_summed(np.ones_like(ink), side) == 160).all()
    bricks = _scaled("brick wall", 86)
    assert (bricks[20:60, 20:60, 3] == 255).all()
    assert (bricks[:, :, :3].max(axis=2) <= bricks[:, :, 3]).all()


def test_the_same_scene_is_the_same_bytes_everywhere() -> None:
    assert sha256(draw(EXAMPLE).data).hexdigest() == DIGEST
    assert draw(EXAMPLE) == draw(json.loads(json.dumps(EXAMPLE)))


DIGEST = "625b8324b6d7e605c8efdf8ce30142512fe3154b9110b9921ae9a6d90da66a68"
