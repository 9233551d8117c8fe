"""Samples with roles: who does what to whom, and nothing but that tells the two pictures apart."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from snellen.draw.deeds import ACTORS, ALIKE, KINDS
from snellen.item import Condition
from snellen.prompts import load
from snellen.tasks.winoground import TASK, drawn, item_of
from snellen.tasks.winoground.generated import samples
from snellen.tasks.winoground.roles import ROLE
from snellen.tasks.winoground.sample import Sample

PACK = load(TASK.prompts, TASK.name)


@pytest.fixture(scope="module")
def many() -> list[Sample]:
    return [sample for sample in samples(1680, 3) if sample.tags["tag"] == (ROLE,)]


def test_deeds_take_turns_and_every_animal_plays_both_roles(many: list[Sample]) -> None:
    assert Counter(sample.tags["secondary"][0] for sample in many) == dict.fromkeys(KINDS, 30)
    first = Counter(sample.panels[0]["deed"]["one"] for sample in many)
    assert set(first) == set(ACTORS)
    assert {sample.panels[0]["deed"]["other"] for sample in many} == set(ACTORS)


def test_each_caption_says_what_the_words_of_its_own_picture_say_and_the_other_does_not(many: list[Sample]) -> None:
    for sample in many[:56]:
        told = [json.loads(drawn(panel).twin)["relations"] for panel in sample.panels]
        for k, caption in enumerate(sample.captions):
            said = re.sub(r"the (?!(ball|present|umbrella) )", "", caption)
            assert said in told[k]
            assert said not in told[1 - k]


def test_the_two_pictures_have_everything_in_common_but_the_roles(many: list[Sample]) -> None:
    for sample in many:
        one, other = (panel["deed"] for panel in sample.panels)
        assert (one["one"], one["other"]) == (other["other"], other["one"])
        assert (one["background"], one["deed"]) == (other["background"], other["deed"])


def test_neither_place_nor_direction_nor_the_order_of_words_betrays_a_role(many: list[Sample]) -> None:
    sides = Counter((panel["deed"]["deed"], panel["deed"]["towards"]) for sample in many for panel in sample.panels)
    assert min(sides.values()) >= 18  # of 60 each, 30 expected
    stay = sum(sample.panels[0]["deed"]["towards"] != sample.panels[1]["deed"]["towards"] for sample in many)
    assert 0.4 < stay / len(many) < 0.6


def test_samples_with_the_same_two_captions_are_one_cluster(many: list[Sample]) -> None:
    one = item_of(many[0], "generated")
    turned = replace(many[0], id="another", captions=many[0].captions[::-1], panels=many[0].panels[::-1])
    assert item_of(turned, "generated").cluster == one.cluster != ""
    assert item_of(many[1], "generated").cluster != one.cluster
    captions = {frozenset(sample.captions) for sample in many}
    assert len({item_of(sample, "generated").cluster for sample in many}) == len(captions) < len(many)


def test_animals_that_look_alike_do_not_meet(many: list[Sample]) -> None:
    for sample in many:
        both = {sample.panels[0]["deed"][role] for role in ("one", "other")}
        assert len(both) == 2
        assert not any(both <= alike for alike in ALIKE)
    assert {name for alike in ALIKE for name in alike} <= set(ACTORS)


def test_probes_ask_where_animals_look_and_the_only_wrong_answer_betrays_nothing() -> None:
    for item in TASK.items({}, 18, 0):
        for given in ("image_1", "caption_0"):
            shown = TASK.stimulus(item, Condition(given=given), PACK)
            of_role = item.levels["tag"] == ROLE
            assert not shown.question.mechanisms
            assert len(shown.probes) == (2 if of_role and given == "image_1" else 0)
            looks = {thing["name"]: thing.get("faces") for thing in json.loads(shown.pictures[0].twin)["objects"]}
            for probe in shown.probes:
                (name,) = [name for name in looks if f"the {name} " in probe.text]
                assert probe.key == looks[name]
