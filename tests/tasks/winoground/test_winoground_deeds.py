"""Deeds as they are drawn: found again in the pixels, by a reader that knows the animals and not the maker."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from snellen.draw.icons import icon
from snellen.draw.icons.sprites import sprite
from snellen.draw.plates import GROUNDS, INK, WHITE
from snellen.errors import UserError
from snellen.item import content_digest
from snellen.tasks.winoground.draw import deeds
from snellen.tasks.winoground.draw.deeds import ACTORS, KINDS, SIDES, draw, faces, sentence

Image_ = NDArray[np.uint8]


def deed(what: str, one: str = "cat", other: str = "elephant", towards: str = "left") -> dict[str, str]:
    return {"background": "cream", "deed": what, "one": one, "other": other, "towards": towards}


def seen(description: Mapping[str, str]) -> Image_:
    """The picture's pixels, as numbers of the palette."""
    return np.asarray(Image.open(BytesIO(draw(description).data)))


def find(
    image: Image_, name: str, side: int = 128, ground: tuple[int, int, int] = GROUNDS["cream"]
) -> tuple[int, int, str] | None:
    """Where the middle of an animal is in the picture and which way it faces; None if it is not there."""
    below = number(ground)
    drawn = sprite(name, side, palette().tobytes(), below)
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    for facing, template in (("left", drawn), ("right", drawn[:, ::-1])):
        points = np.argwhere(template != below)
        points = points[:: len(points) // 60]
        hits = np.zeros((height, width), np.int8)
        for y, x in points:
            hits += image[y : y + height, x : x + width] == template[y, x]
        if hits.max() > 0.85 * len(points):  # a little of it may be covered
            y, x = np.unravel_index(int(hits.argmax()), hits.shape)
            return int(x) + side // 2, int(y) + side // 2, facing
    return None


@cache
def palette() -> NDArray[np.uint8]:
    with Image.open(BytesIO(draw(deed("chases")).data)) as any_picture:
        return np.array(any_picture.getpalette(), np.uint8).reshape(-1, 3)


def number(colour: tuple[int, int, int]) -> int:
    return int(np.flatnonzero((palette() == np.array(colour)).all(axis=1))[-1])


def _arrow_tip(image: Image_) -> float:
    """The column in which an arrow is thickest, less the middle of the arrow."""
    band = image[150:175] == number(INK)
    columns = np.flatnonzero(band.any(axis=0))
    return float(band.sum(axis=0).argmax() - (columns[0] + columns[-1]) / 2)


def acts(image: Image_, what: str, one: str, other: str) -> bool:
    """Whether it is `one` who does it to `other`, by what is where and who looks which way."""
    first, second = find(image, one), find(image, other)
    assert first is not None
    assert second is not None
    ahead = -1 if first[2] == "left" else 1
    in_front = (second[0] - first[0]) * ahead > 0
    raised = _floor(other, second[1]) < _floor(one, first[1]) - 20
    rules: Mapping[str, Callable[[], bool]] = {
        "chases": lambda: in_front and second[2] == first[2],
        "looks at": lambda: in_front and second[2] == first[2],
        "pulls": lambda: not in_front and raised,
        "pushes": lambda: in_front and raised,
        "carries": lambda: raised and abs(first[0] - second[0]) < 40,
        "thinks of": lambda: _thought(image, other) and not _thought(image, one),
        "throws": lambda: _nearer(image, "soccer ball", 44, second[0], first[0]),
        "gives": lambda: in_front and _arrow_tip(image) * ahead > 0,
    }
    return rules[what]()


def _thought(image: Image_, name: str) -> bool:
    return find(image, name, 76, WHITE) is not None


def _floor(name: str, middle: int) -> int:
    return middle - 64 + deeds._feet(name) * 128 // 160


def _nearer(image: Image_, thing: str, side: int, here: int, there: int) -> bool:
    found = find(image, thing, side)
    return found is not None and abs(found[0] - here) < abs(found[0] - there)


@pytest.mark.parametrize("what", KINDS)
def test_who_does_it_can_be_found_in_the_pixels(what: str) -> None:
    for (one, other), towards in product((("cat", "elephant"), ("turtle", "deer")), SIDES):
        image = seen(deed(what, one, other, towards))
        assert acts(image, what, one, other), (one, other, towards)
        assert not acts(image, what, other, one), (one, other, towards)


@pytest.mark.parametrize("what", KINDS)
@pytest.mark.parametrize("towards", SIDES)
def test_words_and_picture_agree_on_who_faces_where(what: str, towards: str) -> None:
    description = deed(what, towards=towards)
    image, told = seen(description), json.loads(draw(description).twin)
    looks = {animal["name"]: animal["faces"] for animal in told["objects"]}
    places = {animal["name"]: animal["position"] for animal in told["objects"]}
    at = {name: find(image, name) for name in looks}
    for role in ("one", "other"):
        found = at[description[role]]
        assert found is not None
        assert found[2] == looks[description[role]] == faces(description, role)
    assert sentence(description) in told["relations"]
    across = sorted(at, key=lambda name: (at[name] or (0,))[0])
    if set(places.values()) == set(SIDES):
        assert [places[name] for name in across] == list(SIDES)
        assert f"{across[0]} left of {across[1]}" in told["relations"]


DRAWN = {
    "chases": {"speed lines behind cat", "speed lines behind elephant"},
    "looks at": {"dotted arrow from cat to elephant"},
    "pulls": {"rope from cat to the cart", "cart under elephant"},
    "pushes": {"cart under elephant", "handle of the cart at cat", "speed lines behind cat"},
    "carries": {"tray under elephant"},
    "thinks of": {"thought bubble with elephant, rising from cat"},
    "throws": {"ball in the air", "dotted trail from cat to the ball"},
    "gives": {"present between the two", "arrow from cat to elephant"},
}
"""What there is to be seen beside the animals."""


@pytest.mark.parametrize("what", KINDS)
def test_words_leave_out_nothing_that_is_drawn(what: str) -> None:
    assert set(json.loads(draw(deed(what)).twin)["also there"]) == DRAWN[what]


@pytest.mark.soak
@pytest.mark.parametrize("what", KINDS)
def test_every_animal_can_play_either_role(what: str) -> None:
    for k, one in enumerate(ACTORS):
        other = ACTORS[(k + 7) % len(ACTORS)]
        image = seen(deed(what, one, other))
        assert acts(image, what, one, other), (one, other)


def test_mirrored_is_the_same_picture_the_other_way_round() -> None:
    for what in KINDS:
        assert (seen(deed(what))[:, ::-1] == seen(deed(what, towards="right"))).all()


def test_actors_are_animals_and_all_grounds_are_known() -> None:
    assert {icon(name).category for name in ACTORS} == {"animal"}
    assert len(set(ACTORS)) == len(ACTORS)
    for ground in GROUNDS:
        assert draw({**deed("pulls"), "background": ground}).twin.startswith(f'{{"background":"{ground}"')


@pytest.mark.parametrize("wrong", [{"deed": "eats"}, {"one": "bear"}, {"background": "red"}])
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UserError):
        draw({**deed("pulls"), **wrong})


def test_pictures_are_the_same_for_ever() -> None:
    assert content_digest(*(draw(deed(what)).data for what in KINDS)) == DIGEST


DIGEST = "e03971eff221577cc29e905576515fbc"
