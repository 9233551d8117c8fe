"""Satellite matching: two solvers that draw nothing find the photos' places; towns hold together; names fit."""

import io
import json
import re
from collections import Counter
from functools import cache
from itertools import combinations
from math import atan2, degrees, hypot
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.rng import stream
from snellen.tasks.capacity import town as towns
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.models import LANDMARKS
from snellen.tasks.capacity.draw.space.render import RenderedView
from snellen.tasks.capacity.kinds.satellite import KIND, key, places, show
from snellen.tasks.capacity.kinds.satellite_making import MadeSatellite, contrast, lettered, moved
from snellen.tasks.capacity.kinds.satellite_places import confusable, mistaken, think_of
from snellen.tasks.capacity.kinds.satellite_views import MAP, PHOTO, SPAN
from snellen.tasks.capacity.town_plan import EDGE, Site, plan
from support.lengths import some_of

ITEMS = range(4)
Spot = tuple[float, float]


@cache
def truth(index: int) -> dict[str, Any]:
    made = KIND.make(stream(5, "capacity", "satellite", "standard", index), "standard", index)
    read: dict[str, Any] = json.loads(json.dumps(made))  # as it comes out of a file
    return read


# --- solver 1: bearings of buildings and their colours, from the plan alone ---


def way(start: Spot, end: Spot) -> float:
    return degrees(atan2(end[0] - start[0], end[1] - start[1]))


def folded(angle: float) -> float:
    return (angle + 180.0) % 360.0 - 180.0


def outlines(town: dict[str, Any]) -> dict[str, tuple[tuple[str, ...], Spot, Spot]]:
    """What each thing looks like (kind, colours), its middle and half its extent, eaves and awnings included."""
    found: dict[str, tuple[tuple[str, ...], Spot, Spot]] = {}
    for number, (kind, x, y, turn, wall, roof, wide, deep, *_) in enumerate(town["buildings"]):
        a, b = (wide / 2, deep / 2) if turn % 180 == 0 else (deep / 2, wide / 2)
        eaves = 1.5 if kind == "shop" else 1.0
        found[f"{kind} {number + 1}"] = ((kind, wall, roof), (x, y), (a + eaves, b + eaves))
    for number, (kind, x, y, _, colour) in enumerate(town["smalls"]):
        found[f"{kind} #{number}"] = ((kind, colour), (x, y), (2.3, 2.3))
    return found


def between(eye: Spot, at: Spot, reach: Spot, middle: float) -> tuple[float, float]:
    """The angles between which something lies."""
    centre = way(eye, at)
    corners = [(at[0] + sx * reach[0], at[1] + sy * reach[1]) for sx in (-1, 1) for sy in (-1, 1)]
    angles = [folded(centre - middle) + folded(way(eye, corner) - centre) for corner in corners]
    return min(angles), max(angles)


def fit(town: dict[str, Any], eye: Spot, photo: dict[str, Any]) -> float:
    """The share of what is in a photo that would be in it if it were taken there, by widths."""
    things, middle = outlines(town), way(eye, (0.0, 0.0)) + photo["aside"]
    expected = [(look, *between(eye, at, reach, middle)) for look, at, reach in things.values()]
    right = total = 0.0
    for name, left, end, *_ in photo["seen"]:
        if name in things:
            look = things[name][0]
            there = any(look == other and low - 0.5 <= left and end <= high + 0.5 for other, low, high in expected)
            right, total = right + (end - left) * there, total + end - left
    return right / total


@pytest.mark.soak
@some_of("index", ITEMS, 2)
def test_the_plan_alone_tells_where_each_photo_was_taken(index: int) -> None:
    item = truth(index)
    for photo in item["photos"]:
        fits = {letter: fit(item["town"], (x, y), photo) for letter, (x, y) in item["candidates"].items()}
        best = max(fits, key=lambda letter: fits[letter])
        others = sorted(fits.values())[-2]
        assert best == photo["at"]
        assert fits[best] > 0.95
        assert others < 0.7


# --- solver 2: reads the words of the twin, goes by distances ---


def solved_by_words(twin: str) -> dict[str, str]:
    plan, *photos = re.split(r"^Photo \d, .*$", twin, flags=re.M)
    things: dict[str, list[Spot]] = {}
    for line in re.findall(r"^- (.*)\.$", plan, flags=re.M):
        words, *rest = line.split("; ")
        at = re.match(r"(-?[\d.]+) east, (-?[\d.]+) north", rest[0]) if rest else None
        if at:
            things.setdefault(words, []).append((float(at[1]), float(at[2])))
    spots = {m[0]: (float(m[1]), float(m[2])) for m in re.findall(r"^- ([A-G]): (\S+) east, (\S+) north", plan, re.M)}
    assert len(spots) == 7
    found = {}
    for number, photo in enumerate(photos):
        seen = re.findall(r"^- (.*); from (-?\d+) to (-?\d+); top -?\d+; (\d+) away\.$", photo, flags=re.M)
        told = [(words, int(away)) for words, _, _, away in seen if words in things]
        assert len(told) >= 4
        fitting = [
            letter
            for letter, (x, y) in spots.items()
            if all(any(abs(hypot(a - x, b - y) - away) <= 0.6 for a, b in things[words]) for words, away in told)
        ]
        assert len(fitting) == 1
        found[f"photo {number + 1}"] = fitting[0]
    return found


@pytest.mark.soak
@some_of("index", ITEMS, 2)
def test_the_twin_suffices(index: int) -> None:
    asked = KIND.ask(truth(index))
    found = solved_by_words(asked.twin)
    assert asked.key == "; ".join(f"{name}: {letter}" for name, letter in found.items())
    landmark = truth(index)["town"]["landmark"]
    high = round(extent(LANDMARKS[landmark].build())[1][2])
    assert f"{landmark} {high} metres high, with {LANDMARKS[landmark].annex}" in asked.twin


# --- pictures ---


@pytest.mark.soak
def test_pictures_show_the_town_and_nothing_leaks() -> None:
    item = truth(1)
    pictures = show(item)
    sizes = [Image.open(io.BytesIO(picture.data)).size for picture in pictures]
    assert sizes == [MAP, PHOTO, PHOTO]
    chart = np.asarray(Image.open(io.BytesIO(pictures[0].data))).astype(int)
    for x, y in item["candidates"].values():
        column, row = round((x / SPAN + 0.5) * MAP[0]), round((0.5 - y / SPAN) * MAP[1])
        disc = chart[row - 14 : row + 14, column - 14 : column + 14].reshape(-1, 3)
        assert (disc.min(axis=1) > 250).mean() > 0.25  # paper
        assert (disc.max(axis=1) < 40).mean() > 0.08  # ink
    moved = {**item, "candidates": dict(item["candidates"])}
    taken = {photo["at"] for photo in item["photos"]}
    for letter in set(moved["candidates"]) - taken:
        moved["candidates"][letter] = [0.0, 40.0]
    assert [p.data for p in show(moved)[1:]] == [p.data for p in pictures[1:]]  # other candidates leave no trace


@some_of("index", ITEMS, 4)
def test_the_landmark_is_in_both_photos(index: int) -> None:
    for photo in truth(index)["photos"]:
        found = {name: (left, right, share) for name, left, right, _, share in photo["seen"]}
        left, right, share = found[truth(index)["town"]["landmark"]]
        assert share > 0.013
        assert left - 3 < -photo["aside"] < right + 3  # it is seen where it stands
        assert 4 <= abs(photo["aside"]) <= 17


def test_views_are_compared_by_colour_and_by_what_stands_where() -> None:
    names = ("ground", "house 1", "house 2", "church")
    ids = np.array([[-1, -1, 3, 3], [1, 1, 3, 3], [0, 0, 0, 0]], np.int32)
    other = np.array([[-1, -1, 3, 3], [2, 2, 3, 3], [0, 0, -1, 0]], np.int32)
    dark, light = np.zeros((3, 4, 3), np.uint8), np.full((3, 4, 3), 30, np.uint8)
    one, two = RenderedView(lambda: dark, ids, names), RenderedView(lambda: light, other, names)
    assert (contrast(one, one), moved(one, one)) == (0.0, 0.0)
    assert (contrast(one, two), moved(one, two)) == pytest.approx((30.0, 2 / 6))


# --- mechanisms ---


@pytest.mark.parametrize(
    ("front", "wrong", "name"),
    [
        (0, (-10, -33), "mirrored"),
        (180, (-10, -33), "mirrored"),
        (90, (10, 33), "mirrored"),
        (90, (-10, -33), "front for back"),
        (0, (10, 33), "front for back"),
        (0, (-10, 33), "rotated 180"),
        (90, (-10, 33), "rotated 180"),
        (0, (33, 10), "rotated 90"),
        (270, (-33, -10), "rotated 90"),
        (0, (33, -10), "mirrored and rotated 90"),
        (0, (50, -33), "right street, wrong distance"),
        (0, (6, -22), "right street, wrong distance"),
        (0, (-50, -33), ""),
        (0, (33, 50), ""),
    ],
)
def test_mistakes_have_their_names(front: int, wrong: Spot, name: str) -> None:
    assert mistaken((10, -33), wrong, front) == name
    if name != "rotated 90":
        assert mistaken(wrong, (10, -33), front) == name


@some_of("index", ITEMS, 2)
def test_mechanisms_fit_the_item(index: int) -> None:
    item, asked = truth(index), KIND.ask(truth(index))
    first, second = key(item).values()
    assert asked.mechanisms[f"photo 1={second}"] == asked.mechanisms[f"photo 2={first}"] == "photos exchanged"
    assert not {f"photo 1={first}", f"photo 2={second}"} & set(asked.mechanisms)
    assert len(asked.mechanisms) >= 4
    nearest = KIND.observe(item)["nearest"]
    for answer, name in asked.mechanisms.items():
        photo, letter = answer.split("=")
        here, there = (hypot(*item["candidates"][at]) for at in (key(item)[photo], letter))
        if name == "nearest to the landmark":
            assert letter == nearest
        elif name == "right street, wrong distance":
            assert max(here, there) > 1.15 * min(here, there)
        elif name != "photos exchanged":
            assert abs(here - there) < 5


# --- balance and sameness ---


def test_letters_go_through_all_pairs() -> None:
    made = MadeSatellite(None, ((0.0, 0.0),) * 7, (2, 5), (0.0, 0.0), (0.0, 0.0), ([], []))  # type: ignore[arg-type]
    pairs: Counter[tuple[str, str]] = Counter()
    elsewhere: Counter[str] = Counter()
    for index in range(84):
        numbers = dict(lettered(stream(1, index), made, index))
        assert sorted(numbers.values()) == list(range(7))
        at = {number: letter for letter, number in numbers.items()}
        pairs[at[2], at[5]] += 1
        elsewhere[at[0]] += 1
    assert len(pairs) == 42
    assert set(pairs.values()) == {2}
    assert max(elsewhere.values()) < 24  # the other letters are shuffled


def test_same_seed_same_item() -> None:
    again = KIND.make(stream(5, "capacity", "satellite", "standard", 2), "standard", 2)
    assert json.dumps(again) == json.dumps(truth(2))
    assert [truth(index)["town"]["landmark"] for index in ITEMS] == list(LANDMARKS)[:4]
    assert all(truth(index)["size"] == "standard" and 0 < truth(index)["difficulty"] < 100 for index in ITEMS)


# --- towns ---


@cache
def site(seed: int) -> Site:
    turn = stream(seed, "site")
    stands = think_of(turn, 33.0)
    while not confusable(stands, 0):
        stands = think_of(turn, 33.0)
    return Site("church", 0, 33.0, towns.ARMS[seed % 3 :], stands)


@pytest.mark.parametrize("seed", range(8))
def test_towns_hold_together(seed: int) -> None:
    town = plan(stream(seed, "town"), site(seed))
    assert towns.read(json.loads(json.dumps(towns.write(town)))) == town
    assert len(town.buildings) >= 20
    for a, b in combinations(town.buildings, 2):
        (ax, ay), (bx, by) = a.reach(), b.reach()
        assert abs(a.x - b.x) >= ax + bx + 1 or abs(a.y - b.y) >= ay + by + 1  # no two overlap
    for building in town.buildings:
        x, y = building.reach()
        assert max(abs(building.x), abs(building.y)) < EDGE
        assert max(abs(building.x) - x, abs(building.y) - y) > town.half + towns.CURB  # none on the square
        for sx, sy, axis in town.arms:
            aside = building.y - sy * town.half if axis == "x" else building.x - sx * town.half
            outside = building.x * sx if axis == "x" else building.y * sy
            assert outside < town.half or abs(aside) > towns.CURB + (y if axis == "x" else x)  # nor on a street
    cars = [small for small in town.smalls if small.kind == "car"]
    assert 4 <= len(cars) <= 7
    for small in town.smalls:
        assert all(hypot(small.x - x, small.y - y) >= 7.9 for x, y in site(seed).stands)
    for car in cars:  # on the right-hand side of their streets
        along, across = (car.x, car.y) if car.turn in (90, 270) else (car.y, car.x)
        right = {0: 1, 90: -1, 180: -1, 270: 1}[car.turn]
        assert abs(across - (town.half if across > 0 else -town.half) - right * 1.9) < 0.06
        assert abs(abs(along) - town.half) > 4 or abs(abs(across) - town.half) > 6


def test_places_lie_on_streets_or_the_square() -> None:
    for index in ITEMS:
        item = truth(index)
        half = item["town"]["half"]
        for x, y in places(item).values():
            on_street = min(abs(abs(x) - half), abs(abs(y) - half)) <= 1.05
            assert on_street or (max(abs(x), abs(y)) < half - towns.CURB + 2 and hypot(x, y) > 19)
            assert max(abs(x), abs(y)) < SPAN / 2 - 5
