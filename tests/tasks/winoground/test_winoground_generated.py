"""Generated Winoground samples: same words, each caption true of its own picture alone."""

from collections import Counter

import pytest

from snellen.draw.scenes import Scene, above, left_of, things
from snellen.item import Condition, Stimulus
from snellen.prompts import load
from snellen.tasks.audit import audit_task
from snellen.tasks.winoground import GIVEN, TASK
from snellen.tasks.winoground.generated import SWAPS, Claim, samples
from snellen.tasks.winoground.roles import ROLE
from snellen.tasks.winoground.sample import Sample

PACK = load(TASK.prompts, TASK.name)


@pytest.fixture(scope="module")
def many() -> list[Sample]:
    return list(samples(240, 5))


def stimuli(n: int, seed: int = 0) -> list[Stimulus]:
    design = TASK.design()
    return [TASK.stimulus(i, c, PACK) for i in TASK.items({}, n, seed) for c in TASK.conditions(design, i)]


def test_the_two_captions_have_the_same_words(many: list[Sample]) -> None:
    for sample in many:
        one, other = sample.captions
        assert one != other
        assert Counter(one.split()) == Counter(other.split())


def placed(many: list[Sample]) -> list[Sample]:
    return [sample for sample in many if sample.tags["tag"] != (ROLE,)]


def holds(claim: Claim, scene: Scene) -> bool:
    """Whether a scene is as a claim says, looked up in the scene alone."""
    content = things(scene)
    ones = [thing for thing in content if thing.icon.name == claim["one"]]
    others = [thing for thing in content if thing.icon.name == claim["other"]]
    match claim["swap"]:
        case "above":
            return all(above(a, b) for a in ones for b in others)
        case "left":
            return all(left_of(a, b) for a in ones for b in others)
        case "colour":
            return all(a.tile == claim["first"] for a in ones) and all(b.tile == claim["second"] for b in others)
        case "size":
            return all(a.size == "large" for a in ones) and all(b.size == "small" for b in others)
        case "frame":
            return all(a.framed for a in ones) and not any(b.framed for b in others)
        case "number":
            return len(ones) == 2 and len(others) == 1
    raise ValueError(f"no such exchange: {claim['swap']}")


def test_each_caption_is_true_of_its_own_picture_alone(many: list[Sample]) -> None:
    for sample in placed(many):
        for k, panel in enumerate(sample.panels):
            assert holds(panel["claim"], panel["scene"])
            assert not holds(panel["claim"], sample.panels[1 - k]["scene"])


def test_the_pictures_differ_in_nothing_else(many: list[Sample]) -> None:
    for sample in placed(many):
        one, other = (panel["scene"] for panel in sample.panels)
        assert one["background"] == other["background"]
        for name in ("size", "tile", "framed"):
            assert Counter(t[name] for t in one["things"]) == Counter(t[name] for t in other["things"])
        assert {(t["x"], t["y"]) for t in one["things"]} == {(t["x"], t["y"]) for t in other["things"]}


def test_kinds_take_turns_and_an_item_stands_alone(many: list[Sample]) -> None:
    found = Counter(sample.tags["tag"][0] for sample in many)
    assert found == {name: 20 * SWAPS.count(name) for name in SWAPS}
    assert found[ROLE] == len(many) // 2
    assert list(samples(20, 5))[19] == many[19]


def test_every_choice_has_one_right_answer_and_both_labels_are_equally_often_right() -> None:
    found = stimuli(60)
    assert len(found) == 240
    for stimulus in found:
        assert stimulus.question.key in stimulus.question.form.labels
        assert stimulus.question.text in stimulus.parts
        assert len(stimulus.pictures) == (1 if "image" in stimulus.condition["given"] else 2)
    keys = Counter(stimulus.question.key for stimulus in found)
    assert keys["A"] == keys["B"]
    assert keys["first"] == keys["second"]


def test_the_key_follows_from_what_is_shown() -> None:
    for stimulus in stimuli(24):
        panels = stimulus.item.truth["panels"]
        kind, number = stimulus.condition["given"].split("_")
        own = panels[int(number)]
        if kind == "image":
            text = stimulus.question.text
            offered = {"A": text.split("A: ")[1].split(". B: ")[0], "B": text.split("B: ")[1].split(". Which")[0]}
            assert offered[stimulus.question.key] == stimulus.item.truth["captions"][int(number)]
        else:
            position = stimulus.question.form.labels.index(stimulus.question.key)
            first = own["deed"]["one"] if "deed" in own else own["scene"]["things"][0]["kind"]
            assert f'"{first}' in stimulus.pictures[position].twin
            assert (
                TASK.stimulus(stimulus.item, Condition(given=f"image_{number}"), PACK).pictures[0]
                == stimulus.pictures[position]
            )


@pytest.mark.soak
def test_the_audit_is_clean() -> None:
    assert audit_task(TASK, {"given": GIVEN}, 200, 1).leaks == ()
