"""Indoor direction: photos hang together, the answer follows, flats are sensible."""

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indoor_rays import box_of, visible

from snellen.rng import stream
from snellen.tasks.capacity.draw.space.models import FURNITURE
from snellen.tasks.capacity.flats.furnish import furnish
from snellen.tasks.capacity.flats.layout import HOMELY, ROOMY, rooms_of
from snellen.tasks.capacity.flats.plan import flat_of, photos_of, taken, told
from snellen.tasks.capacity.kinds.direction import KIND, own_frame
from snellen.tasks.capacity.kinds.direction_making import DIRECTIONS, make, plan, word
from support.lengths import some_of

INDICES = (0, 1, 4, 5, 17)


@cache
def truth_of(index):
    return make(stream(11, "direction", index), "standard", index)


def kind_of(name):
    return name.rstrip("0123456789 ")


def things(truth):
    return {thing[0]: thing for thing in truth["things"]}


def room_at(truth, at):
    for room in truth["rooms"]:
        if all(low <= value <= high for low, value, high in zip(room["low"], at, room["high"], strict=True)):
            return room["name"]
    raise AssertionError("a photo taken inside a wall")


def seen_from(thing, photo):
    """Degrees between a thing's front and the way from it to the camera."""
    _, _, x, y, turn, *_ = thing
    way = complex(photo[1] - y, photo[0] - x)  # north is real, east imaginary
    front = complex(*_unit(turn))
    return abs(_degrees(way / front))


def _unit(bearing):
    from math import cos, radians, sin

    return cos(radians(bearing)), sin(radians(bearing))


def _degrees(number):
    from cmath import phase
    from math import degrees

    return degrees(phase(number))


@pytest.mark.soak
@some_of("index", INDICES, 2)
def test_each_photo_shares_a_landmark_with_the_next(index):
    truth = truth_of(index)
    kinds = Counter(thing[1] for thing in truth["things"])
    for number, ((one, other), links) in enumerate(zip(pairwise(truth["photos"]), truth["links"], strict=True), 1):
        assert links
        for name in links:
            thing = things(truth)[name]
            assert kinds[thing[1]] == 1
            assert thing[4] % 90 == 0
            for photo, view in ((number, one), (number + 1, other)):
                assert visible(truth, name, photo) > 0.25
                assert seen_from(thing, view) <= FURNITURE[thing[1]].evident + 1


@pytest.mark.soak
@some_of("index", INDICES, 2)
def test_asked_things_are_seen_where_asked_and_not_in_the_first_photo(index):
    truth = truth_of(index)
    elsewhere = 0
    for name, photo, _ in truth["asked"]:
        thing = things(truth)[name]
        assert visible(truth, name, photo) > 0.35
        assert visible(truth, name, 1) < 0.05
        assert seen_from(thing, truth["photos"][photo - 1]) <= FURNITURE[thing[1]].evident + 1
        same = [other for other in things(truth) if kind_of(other) == thing[1] and other != name]
        assert all(visible(truth, other, photo) < 0.02 for other in same)
        elsewhere += thing[6] != room_at(truth, truth["photos"][0][:2])
    assert elsewhere


def solved_by_words(twin, given, asked):
    """The asked directions from the plan in words and the one direction given."""
    faces = {
        (match[1], int(photo)): int(match[2])
        for match in re.finditer(r"^- ([a-z ]+?)(?: \d+)? at .*?faces (\d+), photos ([\d, ]+)$", twin, re.M)
        for photo in match[3].split(", ")
    }
    if match := re.search(r"camera looks exactly (\w+):", given):
        start = DIRECTIONS.index(match[1]) * 45
    else:
        match = re.fullmatch(r"The (.+) in photo 1 faces (\w+)\.", given)
        start = DIRECTIONS.index(match[2]) * 45 - faces[match[1], 1]
    found = []
    for line in asked.splitlines():
        name, photo = re.fullmatch(r"- the (.+) in photo (\d)", line).groups()
        bearing = (start + faces[name, int(photo)]) % 360
        assert bearing % 45 == 0
        found.append(f"{name}: {DIRECTIONS[bearing // 45]}")
    return "; ".join(found)


@some_of("index", INDICES, 5)
def test_the_twin_says_enough(index):
    asked = KIND.ask(truth_of(index))
    assert solved_by_words(asked.twin, asked.values["given"], asked.values["things"]) == asked.key
    assert not re.search("north|east|south|west", asked.twin)


@some_of("index", INDICES, 2)
def test_mechanisms_name_every_wrong_direction(index):
    truth = truth_of(index)
    asked = KIND.ask(truth)
    for number, (name, _, way) in enumerate(truth["asked"]):
        own = {found: asked.mechanisms[f"{kind_of(name)}={found}"] for found in DIRECTIONS if found != way}
        lured = own_frame(truth, number)
        assert lured != way
        assert own[lured] == "own frame of the photo"
        mirrored = word(-45 * DIRECTIONS.index(way))
        assert mirrored in (way, lured) or own[mirrored] == "mirrored"
        opposite = word(45 * DIRECTIONS.index(way) + 180)
        assert own[opposite] in ("rotated 180", "mirrored", "own frame of the photo")


@some_of("index", INDICES, 2)
def test_the_key_is_as_planned(index):
    truth, (first, second, views, style) = truth_of(index), plan(index)
    assert [way for _, _, way in truth["asked"]] == [word(first), word(second)]
    assert len(truth["photos"]) == truth["views"] == views
    assert (truth["given"][0] == "camera") == (style == "camera")


def test_all_directions_are_asked_as_often():
    plans = [plan(index) for index in range(KIND.n)]
    for which in (0, 1):
        counts = Counter(one[which] for one in plans)
        assert len(counts) == 8
        assert max(counts.values()) - min(counts.values()) <= 2
    apart = Counter((second - first) % 360 for first, second, *_ in plans)
    assert len(apart) == 8
    assert max(apart.values()) < KIND.n / 4
    assert len(Counter(one[2:] for one in plans)) == 6


@pytest.mark.soak
def test_same_stream_same_truth_and_photos_of_the_right_size():
    truth = truth_of(0)
    assert make(stream(11, "direction", 0), "standard", 0) == truth
    assert told(flat_of(truth), photos_of(truth)).items() <= truth.items()
    (photo,) = taken(flat_of(truth), photos_of(truth)[:1])
    assert photo.data[16:24] == (640).to_bytes(4, "big") + (480).to_bytes(4, "big")


def test_the_words_fit_their_values():
    words = tomllib.loads(files("snellen.tasks.capacity.kinds").joinpath("direction.toml").read_text())["capacity"]
    slots = set(re.findall(r"{(\w+)}", words["direction_task"] + words["direction_reply"]))
    assert slots == set(KIND.ask(truth_of(0)).values)
    assert set(KIND.captions) < set(words)
    fronts = {kind for kind, model in FURNITURE.items() if model.evident} - {"chair", "door"}
    assert all(kind in words["direction_task"] for kind in fronts)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_furniture_stands_free_inside_its_room_and_off_the_doorways(seed, many):
    flat = None
    turn = stream(seed, "flat")
    while flat is None:
        flat = furnish(turn, rooms_of(turn, many))
    truth = told(flat, ())
    rooms = {room["name"]: room for room in truth["rooms"]}
    solid = [thing for thing in truth["things"] if thing[1] not in ("rug", "chair")]
    for thing in solid:
        (x0, y0, _), (x1, y1, _) = box_of(thing)
        room = rooms[thing[6]]
        assert room["low"][0] <= x0
        assert x1 <= room["high"][0]
        assert room["low"][1] <= y0
        assert y1 <= room["high"][1]
        for wall, at, wide in room["openings"]:
            low, high = ((x0, x1), (y0, y1))[0 if wall % 180 == 0 else 1]
            near = {
                0: room["high"][1] - y1,
                90: room["high"][0] - x1,
                180: y0 - room["low"][1],
                270: x0 - room["low"][0],
            }
            assert near[wall] > 0.9 or high < at - wide / 2 or low > at + wide / 2
    for one, other in combinations([thing for thing in solid if thing[4] % 90 == 0], 2):
        (low, high), (start, end) = box_of(one), box_of(other)
        assert ((low >= end) | (start >= high)).any(), (one, other)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from((HOMELY, ROOMY)))
def test_every_room_can_be_reached(seed, many, measures):
    rooms = rooms_of(stream(seed, "rooms"), many, measures)
    assert len({room.wall for room in rooms}) == many
    doors = Counter(
        (opening.wall % 180, opening.at, round((room.low, room.high)[opening.wall < 180][opening.wall % 180 == 0], 1))
        for room in rooms
        for opening in room.openings
    )
    assert sum(doors.values()) % 2 == 0
    reached, before = {rooms[0].name}, set()
    while reached != before:
        before = set(reached)
        for one in rooms:
            for other in rooms:
                if one.name in reached and any(_joined(one, other, opening) for opening in one.openings):
                    reached.add(other.name)
    assert len(reached) == many


def _joined(one, other, opening):
    """Whether an opening of one room leads into the other, which has the same opening in its opposite wall."""
    axis = 1 if opening.wall % 180 == 0 else 0
    here, there = (one.high, other.low) if opening.wall < 180 else (one.low, other.high)
    back = any(o.wall == (opening.wall + 180) % 360 and o.at == opening.at for o in other.openings)
    return back and abs(abs(there[axis] - here[axis]) - 0.12) < 0.01
