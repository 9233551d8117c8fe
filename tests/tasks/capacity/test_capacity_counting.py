"""Counting without counting twice: whatever counts is seen, no photo shows it all, adding up is wrong."""

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import product
from math import atan, degrees, radians, tan

import pytest
from indoor_rays import visible

from snellen.rng import stream
from snellen.tasks.capacity.draw.space.camera import Camera
from snellen.tasks.capacity.draw.space.render import look, prepare
from snellen.tasks.capacity.draw.space.solids import SolidScene
from snellen.tasks.capacity.flats.plan import flat_of, photos_of
from snellen.tasks.capacity.flats.views import sights
from snellen.tasks.capacity.kinds.counting import KIND
from snellen.tasks.capacity.kinds.counting_making import (
    _SURE,
    CATEGORIES,
    LOOSE,
    VIEWS,
    _album,
    _landmarks,
    _seen,
    _unlike,
    make,
    plan,
)
from support.lengths import few_and_more

INDICES = (1, 3, 12, 20, 49)
some_flats = few_and_more("index", INDICES[:1], INDICES[1:])


@cache
def truth_of(index):
    return make(stream(13, "counting", index), "standard", index)


def of(truth, kinds):
    return [thing[0] for thing in truth["things"] if thing[1] in kinds]


@pytest.mark.soak
@pytest.mark.parametrize("index", INDICES)
def test_what_counts_and_what_is_like_it_is_seen_well_somewhere(index):
    truth = truth_of(index)
    photos = range(1, truth["views"] + 1)
    for one in truth["asked"]:
        category = CATEGORIES[one["category"]]
        assert len(of(truth, category.kinds)) == one["count"]
        assert len(of(truth, category.alike)) == one["alike"]
        shares = {
            name: [visible(truth, name, photo) for photo in photos]
            for name in of(truth, (*category.kinds, *category.alike))
        }
        assert all(max(seen) > 0.3 for seen in shares.values()), shares
        counted = [shares[name] for name in of(truth, category.kinds)]
        # No photo shows all of them well, and some are shown more than once.
        assert all(sum(seen[photo - 1] > 0.45 for seen in counted) < one["count"] for photo in photos)
        assert sum(share > 0.2 for seen in counted for share in seen) > one["count"]


def shown_in(truth, name):
    """The pixels of a thing and the share of its outline that each photo shows, by the photos' id maps."""
    flat, shown = flat_of(truth), []
    for photo in photos_of(truth):
        pixels = look(flat.stage, photo.camera, 640, 480).seen().get(name, 0)
        # The whole outline: the same lens on a screen three times as wide and high.
        field = 2 * degrees(atan(3 * tan(radians(photo.field / 2))))
        wider = Camera(photo.camera.eye, photo.yaw, photo.pitch, field)
        alone = prepare(SolidScene((flat.piece(name).thing,)))
        whole = look(alone, wider, 1920, 1440).seen().get(name, 1)
        shown.append((pixels, pixels / whole))
    return shown


def clearly_there(truth):
    """Every counted thing and every look-alike is seen for more than half somewhere, and look-alikes there are."""
    for one in truth["asked"]:
        category = CATEGORIES[one["category"]]
        assert one["alike"] == len(of(truth, category.alike)) > 0
        for name in of(truth, (*category.kinds, *category.alike)):
            shown = shown_in(truth, name)
            assert any(pixels > 1500 and share > 0.55 for pixels, share in shown), (name, shown)


@pytest.mark.soak
@pytest.mark.parametrize("index", INDICES[:2])
def test_id_maps_show_every_counted_thing_and_some_that_are_like_it(index):
    clearly_there(truth_of(index))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(60))
def test_id_maps_show_every_counted_thing_over_many_seeds(seed):
    clearly_there(make(stream(seed, "seen clearly"), "standard", seed))


@pytest.mark.soak
@pytest.mark.parametrize("index", INDICES)
def test_photos_hang_together_by_things_of_which_there_is_one(index):
    truth = truth_of(index)
    kinds = Counter(thing[1] for thing in truth["things"])
    single = [thing[0] for thing in truth["things"] if kinds[thing[1]] == 1 and thing[1] not in LOOSE | {"rug"}]
    seen = [{name for name in single if visible(truth, name, photo) > 0.2} for photo in range(1, truth["views"] + 1)]
    for number in range(1, len(seen)):
        assert seen[number] & set().union(*seen[:number])


@pytest.mark.soak
@pytest.mark.parametrize("index", INDICES)
def test_things_of_a_kind_look_the_same(index):
    looks = {(kind, tuple(colour)) for _, kind, _, _, _, colour, _ in truth_of(index)["things"]}
    assert len(looks) == len({kind for kind, _ in looks})


@some_flats
def test_the_twin_says_enough(index):
    truth = truth_of(index)
    asked = KIND.ask(truth)
    shown = re.findall(r"^Photo \d shows: (.*)\.$", asked.twin, re.M)
    assert len(shown) == truth["views"]
    different = {tuple(re.fullmatch(r"(.+) \((\d+)\)", thing).groups()) for line in shown for thing in line.split(", ")}
    kinds = Counter(kind for kind, _ in different)
    answer = (
        f"{one['category']}: {sum(kinds[kind] for kind in CATEGORIES[one['category']].kinds)}" for one in truth["asked"]
    )
    assert "; ".join(answer) == asked.key
    assert len(re.findall(r"^- .* at \(", asked.twin, re.M)) == len(different)


@some_flats
def test_numbers_are_as_planned(index):
    truth, (first, second, views) = truth_of(index), plan(index)
    assert [one["count"] for one in truth["asked"]] == [first, second]
    assert len(truth["photos"]) == truth["views"] == views
    pair = [one["category"] for one in truth["asked"]]
    assert pair[1] not in CATEGORIES[pair[0]].alone


def test_all_numbers_occur_equally_often_with_each_other_and_with_each_number_of_photos():
    plans = Counter(plan(index) for index in range(48))
    assert set(plans) == set(product((4, 5, 6, 7), (4, 5, 6, 7), VIEWS))
    assert set(plans.values()) == {1}
    assert plan(48) == plan(0)


@some_flats
def test_photos_add_up_to_the_same_however_many_there_are(index):
    """What a photo shows of a category is at most three of four to seven, and in all photos ten or eleven."""
    for one in truth_of(index)["asked"]:
        assert sum(one["photos"]) in (10, 11)
        assert max(one["photos"]) <= 3


@pytest.mark.soak
def test_sums_over_the_photos_do_not_grow_with_the_number():
    """Sums are 10 or 11: if many things had the one and few the other, the difference would be 1."""
    sums = {True: [], False: []}
    for index in range(12):
        for one in make(stream(index, "adding up"), "standard", index)["asked"]:
            sums[one["count"] > 5].append(sum(one["photos"]))
    many, few = (sum(some) / len(some) for some in (sums[True], sums[False]))
    assert abs(many - few) <= 0.5


def test_the_words_fit_their_values():
    words = tomllib.loads(files("snellen.tasks.capacity.kinds").joinpath("counting.toml").read_text())["capacity"]
    slots = set(re.findall(r"{(\w+)}", words["counting_task"] + words["counting_reply"]))
    assert slots == set(KIND.ask(truth_of(1)).values)
    assert set(KIND.captions) < set(words)
    assert all(category.meaning.endswith(" count.") for category in CATEGORIES.values())


@some_flats
def test_the_number_asked_for_is_a_right_answer_and_no_mechanism_names_it(index):
    asked = KIND.ask(truth_of(index))
    right = dict(part.split(": ") for part in asked.key.split("; "))
    assert all(4 <= int(number) <= 7 for number in right.values())
    assert "double counted" in asked.mechanisms.values()
    assert not {f"{name}={number}" for name, number in right.items()} & set(asked.mechanisms)


@pytest.mark.soak
@few_and_more("seed", range(1), range(1, 4))
def test_photos_are_chosen_by_bits_as_they_would_be_by_sets(seed):
    rng = stream(seed, "album")
    kinds = [set(CATEGORIES[name].kinds) for name in ("chairs", "plants", "pictures")]
    flat = flat_of(make(rng, "standard", 3))
    seen = sights(rng, flat, 12)
    album, enough = _album(seen, kinds), (4, 3, 2)
    shown = [[set(_seen(sight, group, _SURE)) for group in kinds] for sight in album.photos]
    assert len(album.photos) > 4
    lengths = set()
    for attempt in range(20):
        chosen, known = album.choice(stream(attempt, "choice"), 4, enough)
        assert [many.bit_count() for many in known] == [
            len(set().union(*(shown[number][group] for number in chosen))) for group in range(3)
        ]
        assert chosen == _chosen_by_sets(stream(attempt, "choice"), album.photos, shown, enough)
        lengths.add(len(chosen))
    assert max(lengths) == 4


def _chosen_by_sets(rng, photos, shown, enough):
    marks = [set(_landmarks(sight, (1700, 0.48))) for sight in photos]
    chosen = []
    while len(chosen) < 4:
        known = [set().union(*(shown[number][group] for number in chosen)) for group in range(len(enough))]
        onward = [
            number
            for number, sight in enumerate(photos)
            if all(_unlike(sight, photos[one]) for one in chosen)
            and (not chosen or any(marks[number] & marks[one] for one in chosen))
        ]
        if not onward:
            break

        def gain(number, known=known):
            return sum(
                5 * min(len(new - old), max(0, many - len(old))) + min(2, len(new & old))
                for new, old, many in zip(shown[number], known, enough, strict=True)
            )

        chosen.append(max(rng.sample(onward, (len(onward) + 1) // 2), key=gain))
    return chosen
