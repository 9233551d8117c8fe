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

from snellen.draw.deeds import ACTORS, KINDS, SIDES, draw, faces, sentence
from snellen.draw.deeds.stage import WATER, feet
from snellen.draw.icons import icon
from snellen.draw.icons.sprites import sprite
from snellen.draw.plates import DARK_WOOD, GROUNDS, INK, WHITE
from snellen.draw.tints import DYES
from snellen.errors import UserError
from snellen.item import content_digest
from support.lengths import some_of

Image_ = NDArray[np.uint8]


def deed(what: str, one: str = "cat", other: str = "elephant", towards: str = "left") -> dict[str, str]:
    return {"background": "cream", "deed": what, "one": one, "other": other, "towards": towards}


def seen(description: Mapping[str, str]) -> Image_:
    """The picture's pixels, as numbers of the palette."""
    return np.asarray(Image.open(BytesIO(draw(description).data)))


def find(
    image: Image_,
    name: str,
    side: int = 128,
    ground: tuple[int, int, int] = GROUNDS["cream"],
    share: float = 0.7,
) -> tuple[int, int, str] | None:
    """Where the middle of an animal is in the picture and which way it faces; None if it is not there, `share` of it
    at least: a net or bars may cover some."""
    below = number(ground)
    drawn = sprite(name, side, palette().tobytes(), below)
    height, width = image.shape[0] - side + 1, image.shape[1] - side + 1
    for facing, template in (("left", drawn), ("right", drawn[:, ::-1])):
        points = np.argwhere(template != below)
        points = points[:: len(points) // 60]
        hits = np.zeros((height, width), np.int8)
        for y, x in points:
            hits += image[y : y + height, x : x + width] == template[y, x]
        if hits.max() > share * len(points):
            y, x = np.unravel_index(int(hits.argmax()), hits.shape)
            return int(x) + side // 2, int(y) + side // 2, facing
    return None


@cache
def palette() -> NDArray[np.uint8]:
    with Image.open(BytesIO(draw(deed("chases")).data)) as any_picture:
        return np.array(any_picture.getpalette(), np.uint8).reshape(-1, 3)


def number(colour: tuple[int, int, int]) -> int:
    return int(np.flatnonzero((palette() == np.array(colour)).all(axis=1))[-1])


def acts(image: Image_, what: str, one: str, other: str) -> bool:
    """Whether it is `one` who does it to `other`, by what is where and who looks which way."""
    first, second = look_for(image, one), look_for(image, other)
    assert first is not None
    assert second is not None
    ahead = -1 if first[2] == "left" else 1
    in_front = (second[0] - first[0]) * ahead > 0
    higher = _floor(one, first[1]) - _floor(other, second[1])

    def at_one(colour: tuple[int, int, int]) -> bool:
        return abs(middle(image, colour) - first[0]) < abs(middle(image, colour) - second[0])

    rules: Mapping[str, Callable[[], bool]] = {
        "chases": lambda: in_front and second[2] == first[2],
        "pulls": lambda: not in_front and higher > 20,
        "pushes": lambda: in_front and higher > 20,
        "carries": lambda: higher > 20 and abs(first[0] - second[0]) < 40,
        "tows": lambda: not in_front and at_one(DYES["red"]),
        "chauffeurs": lambda: not in_front and at_one(DYES["red"]),
        "lifts": lambda: in_front and higher > 20,
        "swings": lambda: in_front and higher > 20,
        "outweighs": lambda: higher > 20,
        "beats": lambda: higher < -20,
        "gives": lambda: _nearer(image, "gift", 56, second[0], first[0]),
        "rolls": lambda: higher < -20,
        "sprays": lambda: at_one(DYES["green"]) and not at_one(WATER),
        "pours": lambda: higher < -20 and not at_one(WATER),
        "sells": lambda: at_one(DYES["red"]),
        "cooks": lambda: at_one(DYES["red"]),
        "crowns": lambda: _nearer(image, "crown", 70, second[0], first[0]),
        "bubbles": lambda: at_one(DARK_WOOD) and not at_one(WATER),
        "shines": lambda: at_one(INK),
        "watches": lambda: at_one(INK),
        "photographs": lambda: at_one(INK),
        "paints": lambda: _painted(image, other) and not _painted(image, one),
        "hides": lambda: at_one(DARK_WOOD) and not at_one(INK),
        "shelters": lambda: not at_one(DYES["red"]),
        "catches": lambda: not at_one(DARK_WOOD),
        "locks up": lambda: _nearer(image, "key", 52, first[0], second[0]) and not at_one(INK),
        "sings": lambda: at_one(DYES["red"]),
        "teaches": lambda: at_one(DARK_WOOD),
    }
    return rules[what]()


def look_for(image: Image_, name: str) -> tuple[int, int, str] | None:
    """An animal, wherever it is: also behind the window of a truck."""
    return find(image, name) or find(image, name, ground=WHITE)


def middle(image: Image_, colour: tuple[int, int, int]) -> float:
    """The middle column of a colour."""
    return float(np.argwhere((palette()[image] == np.array(colour)).all(axis=2))[:, 1].mean())


def _painted(image: Image_, name: str) -> bool:
    return find(image, name, 76, WHITE, 0.85) is not None


def _floor(name: str, middle: int) -> int:
    return middle - 64 + feet(name) * 128 // 160


def _nearer(image: Image_, thing: str, side: int, here: int, there: int) -> bool:
    found = find(image, thing, side)
    return found is not None and abs(found[0] - here) < abs(found[0] - there)


@some_of("what", KINDS, 4)
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
    "chases": "speed lines behind cat; speed lines behind elephant",
    "pulls": "rope from cat to the cart; cart under elephant",
    "pushes": "cart under elephant; handle of the cart at cat; speed lines behind cat",
    "carries": "tray under elephant",
    "tows": "water; boat under cat; raft under elephant; rope from the boat to the raft",
    "chauffeurs": "truck; cat in the cab; elephant on the bed",
    "lifts": "wooden frame with two pulleys; hanging platform under elephant; rope from cat over the pulleys to it",
    "swings": "swing under elephant; pole from cat to the swing",
    "outweighs": "seesaw; cat at its lower end; elephant at its upper end",
    "beats": "upper step with a cup under cat; lower step under elephant",
    "gives": "present on a tray before elephant; handle of the tray at cat",
    "rolls": "platform under cat; ramp down to elephant; ball on the ramp",
    "sprays": "hose in front of cat; water from the hose to elephant",
    "pours": "platform under cat; pole from cat to a bucket; water from the bucket to elephant",
    "sells": "awning over cat; counter with apples in front of cat",
    "cooks": "stove with a pot in front of cat; table with a plate in front of elephant",
    "crowns": "crown over elephant; pole from cat to the crown",
    "bubbles": "hoop in front of cat; soap bubbles from the hoop to elephant",
    "shines": "lamp in front of cat; light from the lamp on elephant",
    "watches": "telescope from cat to elephant",
    "photographs": "camera in front of cat, its lens to elephant",
    "paints": "canvas with a picture of elephant; paintbrush in front of cat",
    "hides": "wall in front of cat; lamp of elephant that shines on the wall",
    "shelters": "umbrella over elephant; handle of the umbrella at cat; rain beside the umbrella",
    "catches": "net round elephant; handle of the net at cat",
    "locks up": "cage round elephant; key in front of cat",
    "sings": "stage under cat; curtain behind cat; microphone in front of cat",
    "teaches": "blackboard; pointer from cat to the blackboard",
}
"""What there is to be seen beside the animals."""


@pytest.mark.parametrize("what", KINDS)
def test_words_leave_out_nothing_that_is_drawn(what: str) -> None:
    assert json.loads(draw(deed(what)).twin)["also there"] == DRAWN[what].split("; ")


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


DIGEST = "faba693c713e0354c13608ba70effb99"
