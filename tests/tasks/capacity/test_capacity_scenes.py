"""Rooms, streets and crowds: what is said of them is what the pixels show, and wishes are granted."""

import io
from collections import Counter
from functools import cache
from math import hypot

import numpy as np
import pytest
from indoor_rays import visible
from PIL import Image
from twin_reader import many, seen_in

from snellen.draw.tints import DYES
from snellen.rng import stream
from snellen.tasks.capacity.draw import crowds, streets
from snellen.tasks.capacity.draw.space.render import look
from snellen.tasks.capacity.draw.streets import house_box
from snellen.tasks.capacity.flats.plan import flat_of, photos_of
from snellen.tasks.capacity.scenes import SETTINGS
from snellen.tasks.capacity.scenes.room import CLOTHS, COUNTED, SCENERY
from snellen.tasks.capacity.scenes.setting import SceneWish
from support.lengths import few_and_more, some_of

FLAT = ("street", "crowd")
CARS = {**DYES, "tyre": (38, 38, 44), "rim": (190, 194, 200), "glass": (196, 222, 236), "light": (255, 240, 186)}
"""What a car is painted with."""


@cache
def made(sort, seed=0, wish=SceneWish()):  # noqa: B008 - a frozen value
    return SETTINGS[sort].make(stream(seed, "scenes", sort), wish)


def pixels(sort, described):
    return np.asarray(Image.open(io.BytesIO(SETTINGS[sort].draw(described).data)).convert("RGB")).astype(int)


def nearest(colours, dyes):
    """The name of the dye next to each colour (the last axis)."""
    apart = np.asarray(colours)[..., None, :] - np.array(list(dyes.values()))
    return np.array(list(dyes))[(apart**2).sum(axis=-1).argmin(axis=-1)]


def shown_of(owner, number, part):
    """The pixels that show a part of a thing, in rows and columns."""
    return owner.owner == owner.numbers[number, part]


@few_and_more("seed", range(2), range(2, 4))
def test_shirts_have_the_colours_that_are_told(seed):
    described = made("crowd", seed, SceneWish(large=seed % 2 == 1))
    page, owner = pixels("crowd", described), crowds.owners(described)
    shirts = []
    for number in range(len(described["people"])):
        chest = page[shown_of(owner, number, "shirt")]
        shirts.append(Counter(nearest(chest, DYES).tolist()).most_common(1)[0][0])
    assert shirts == [one["shirt"] for one in seen_in(SETTINGS["crowd"].words(described))]


@few_and_more("seed", range(1), range(1, 4))
def test_houses_and_cars_have_the_colours_that_are_told(seed):
    described = made("street", seed)
    page, owner = pixels("street", described), streets.owners(described)
    told = seen_in(SETTINGS["street"].words(described))
    boxes = [house_box(described, number) for number in range(len(described["houses"]))]
    walls = nearest([page[bottom - 90, left + 34] for left, _, _, bottom in boxes], DYES)
    assert walls.tolist() == [one["colour"] for one in told if one["name"] == "house"]
    cars = [number for number, one in enumerate(described["standing"]) if "car" in one]
    seen = [Counter(nearest(page[shown_of(owner, number, "all")], CARS).tolist()) for number in cars]
    found = [max(DYES, key=lambda dye: one[dye]) for one in seen]
    assert found == [one["colour"] for one in told if one["name"] == "car"]


def alone(sort, described, shown, number, without):
    """How many pixels change when something is taken away: from the picture as it is (its pixels: `shown`), and where
    it is all there is."""
    whole = "people" if sort == "crowd" else "standing"
    entries = described[whole]

    def changed(some, at):
        less = [*some[:at], *([without] if without else []), *some[at + 1 :]]
        before = shown if some is entries else pixels(sort, {**described, whole: some})
        after = pixels(sort, {**described, whole: less})
        return np.count_nonzero(np.abs(before - after).max(axis=2) > 40)

    return changed(entries, number), changed([entries[number]], 0)


@few_and_more(("seed", "times"), [(0, 1)], [(seed, 2) for seed in range(3)])
def test_what_is_asked_of_people_is_seen_by_taking_it_away(seed, times):
    """Apart from the map of owners: pixels of the pictures themselves are counted."""
    described = made("crowd", seed, SceneWish((5, 3)))
    fields = {"glasses": False, "waves": False, "holds": "", "hat": ""}
    tried, shown = Counter(), pixels("crowd", described)
    for number, person in enumerate(described["people"]):
        for field, none in fields.items():
            if person[field] and tried[field] < times:
                tried[field] += 1
                left, whole = alone("crowd", described, shown, number, {**person, field: none})
                assert left >= 0.5 * whole >= 5, (field, number)
    assert len(tried) >= 3


@few_and_more("seed", range(1), range(1, 3))
def test_what_stands_in_a_street_is_seen_by_taking_it_away(seed):
    described = made("street", seed)
    shown = pixels("street", described)
    for number in range(0, len(described["standing"]), 9):
        left, whole = alone("street", described, shown, number, None)
        assert left >= 0.35 * whole >= 30, number


@some_of("sort", ["crowd", "street", "room"], 3)
def test_a_picture_holds_forty_things_some_of_them_hidden_and_others_like_those_that_are_counted(sort):
    setting = SETTINGS[sort]
    for seed in range(1):
        described = made(sort, seed, SceneWish((3, 2)))
        assert setting.things(described) >= 40
        told = seen_in(setting.words(described))
        for plural, number in setting.facts(described).counts.items():
            assert many(told, plural) == number == (3, 2)[list(setting.facts(described).counts).index(plural)]
            colour = next((dye for dye in DYES if dye in plural), "")
            own = [one for one in told if colour and colour in (one.get("shirt"), one.get("colour"))]
            assert not colour or len(own) > number, "other things of that colour, or that have the colour alone"
        if sort != "room":
            owner = (crowds if sort == "crowd" else streets).owners(described)
            parts = owner.seen()
            hidden = {part[0] for part, whole in owner.whole.items() if parts[part] < 0.9 * whole}
            assert len(hidden) >= 10


@pytest.mark.parametrize("sort", FLAT)
def test_enough_is_seen_of_everything_by_the_map_of_owners(sort):
    for seed in range(2):
        described = made(sort, seed, SceneWish(large=seed % 2 == 1))
        owner = (crowds if sort == "crowd" else streets).owners(described)
        parts = owner.seen()
        for (number, part), whole in owner.whole.items():
            share = {"head": 0.6, "shirt": 0.4, "all": 0.55, "glasses": 0.7, "hat": 0.7, "holds": 0.65, "waves": 0.6}
            assert parts[number, part] >= share.get(part, 0) * whole


def test_a_map_of_owners_is_the_picture_without_its_colours():
    """Wherever the picture shows something but the street, somebody owns the pixel; and nowhere else."""
    described = made("street", 0)
    empty = pixels("street", {**described, "standing": []})
    differs = np.abs(pixels("street", described) - empty).max(axis=2) > 60
    owned = streets.owners(described).owner > 0
    assert np.mean(differs & ~owned) < 0.002  # soft edges and shadows
    assert np.mean(owned & ~differs) < 0.03  # a green car before a green house, and the like


@pytest.mark.parametrize("sort", FLAT)
def test_everything_that_is_asked_for_stands_in_the_picture(sort):
    for seed in range(4):
        facts = SETTINGS[sort].facts(made(sort, seed, SceneWish(large=seed % 2 == 1)))
        for name, (left, top, right, bottom) in facts.boxes.items():
            assert 0 <= left < right <= facts.frame[0], name
            assert 0 <= top < bottom <= facts.frame[1], name


@some_of("sort", [*FLAT, "tableau"], 3)
def test_wishes_are_granted(sort):
    setting = SETTINGS[sort]
    for seed, name in enumerate(setting.pool if sort == "tableau" else setting.pool[::6]):
        there, gone = (
            seen_in(setting.words(made(sort, seed, wish))) for wish in (SceneWish(has=name), SceneWish(lacks=name))
        )
        assert sum(name in (one["name"], one.get("holds")) for one in there) == 1
        assert not any(name in (one["name"], one.get("holds")) for one in gone)
    for seed in range(40 if sort == "tableau" else 3):
        counts = (2 + seed % 7, 8 - seed % 5)
        described = made(sort, seed, SceneWish(counts))
        told = seen_in(setting.words(described))
        assert tuple(many(told, plural) for plural in setting.facts(described).counts) == counts


ROOMS = [
    SceneWish(),
    SceneWish((2, 4)),
    SceneWish((4, 2)),
    SceneWish(has="clock"),
    SceneWish(lacks="sofa"),
    SceneWish((5,)),
]


@few_and_more("number", range(1, 4), (0, *range(4, len(ROOMS))))
def test_a_photo_of_a_room_shows_what_is_told_and_nothing_else(number):
    """By the photo's id map and, apart from the renderer, by straight lines from the eye."""
    wish = ROOMS[number]
    described = made("room", number, wish)
    flat, (photo,) = flat_of(described), photos_of(described)
    view = look(flat.stage, photo.camera, 640, 480)
    told = {name: (kind, tuple(box), far) for name, kind, *box, far in described["seen"]}
    assert len(told) >= 40
    assert {piece.name for piece in flat.pieces if view.box(piece.name)} == set(told)
    for name, (kind, box, far) in told.items():
        piece = flat.piece(name)
        assert view.box(name) == box
        assert abs(hypot(photo.at[0] - piece.at[0], photo.at[1] - piece.at[1]) - far) <= 0.06
        if kind not in SCENERY:
            assert view.seen()[name] >= 160
            # For the lines a bed is as high as its headboard all over: they see less than there is to be seen.
            assert visible(described, name, 1) > 0.05, name
    numbers = [
        sum(piece.kind == kind and (not colour or piece.colour == CLOTHS[colour]) for piece in flat.pieces)
        for kind, colour in map(COUNTED.__getitem__, described["counted"])
    ]
    assert not wish.counts or tuple(numbers) == wish.counts
    kinds = {kind for kind, *_ in told.values()}
    assert not wish.has or wish.has in kinds
    assert not wish.lacks or wish.lacks not in kinds


@pytest.mark.soak
@few_and_more("number", range(1), range(1, 2))
def test_furniture_has_the_colours_that_are_told(number):
    described = made("room", number, ROOMS[number])
    page, flat, (photo,) = pixels("room", described), flat_of(described), photos_of(described)
    view = look(flat.stage, photo.camera, 640, 480)
    colours = SETTINGS["room"].facts(described).colours
    assert colours
    for kind, colour in colours.items():
        shown = page[view.ids == view.names.index(next(piece.name for piece in flat.pieces if piece.kind == kind))]
        shown = shown[np.ptp(shown, axis=1) > 50]
        hues = nearest(shown * 255 / shown.max(axis=1, keepdims=True), _bright(CLOTHS))
        assert np.mean(hues == colour) > 0.6, (kind, colour)


def _bright(dyes):
    return {name: [part * 255 / max(colour) for part in colour] for name, colour in dyes.items()}


@pytest.mark.parametrize(("number", "wished"), [(7, 3), (12, 2)])
def test_rooms_show_no_slivers(number: int, wished: int) -> None:
    """Nothing one pixel wide, lost at the scale at which rooms are cleared."""
    room = SETTINGS["room"]
    described = room.make(stream(4, "sl", number), SceneWish((wished,)))
    assert list(room.facts(described).counts.values()) == [wished]
    spoken = [box for _, kind, *box, _ in described["seen"] if kind not in SCENERY]
    assert all(right - left >= 6 and bottom - top >= 6 for left, top, right, bottom in spoken)
