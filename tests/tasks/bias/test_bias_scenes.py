"""Scenes: every part is seen, the thing fills its share of the picture, and counterparts differ in the thing alone."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from snellen.item import Condition, Item, Stimulus
from snellen.prompts import load
from snellen.tasks.audit import audit_task
from snellen.tasks.bias import TASK
from snellen.tasks.bias.asking import HABIT
from snellen.tasks.bias.draw.things import (
    KINDS,
    PartsDrawing,
    ThingKind,
    ThingLook,
    anonymous,
    draw,
    in_scene,
    look,
    plain,
)
from snellen.tasks.bias.draw.things.grounds import GROUND_KINDS
from snellen.tasks.bias.draw.things.kind import ThingScene
from snellen.tasks.bias.draw.things.page import boxes, paint
from snellen.tasks.bias.draw.things.scenes import SHARE, compose, place_of
from snellen.tasks.bias.draw.things.visible import LEAST_PIXELS, is_countable, part_numbers, seen_parts
from snellen.tasks.bias.kinds import against_habit
from support.lengths import few_and_more, some_of

PACK = load(TASK.prompts, "bias")
DEFAULT = Condition({factor.name: factor.levels[0] for factor in TASK.factors if not factor.of_item})
ON_LEGS = [kind for kind in KINDS.values() if kind.topic == "animals"]
every_kind = some_of("kind", KINDS.values(), 16, ids=KINDS)


def thing(name: str, index: int = 0, seed: int = 3, scene: str = "scene") -> Item:
    assert TASK.item is not None
    return TASK.item({"source": "things", "topic": KINDS[name].topic, "kind": name, "scene": scene}, index, seed)


def asked(item: Item, **levels: str) -> Stimulus:
    return TASK.stimulus(item, DEFAULT.but(**levels), PACK)


def seen(kind: ThingKind, index: int = 0) -> ThingLook:
    return in_scene(kind, look(kind, 21, index))


def pixels(data: bytes) -> NDArray[np.int16]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)


# What is seen


def painted_parts(scene: ThingScene, own: ThingLook, size: int) -> list[int]:
    """How many pixels of the finished picture change when one part gets another colour."""
    before, changed = pixels(paint(scene, own, size)), []
    for part in range(len(scene.marks)):
        groups = [
            replace(
                group,
                pieces=[replace(piece, ink=(255, 0, 255)) if piece.part == part else piece for piece in group.pieces],
            )
            for group in scene.groups
        ]
        after = pixels(paint(replace(scene, groups=groups), own, size))
        changed.append(int((np.abs(after - before).max(axis=2) > 40).sum()))
    return changed


@few_and_more("name", ["ostrich", "trident"], [name for name in KINDS if name not in ("ostrich", "trident")])
def test_every_part_has_pixels_of_its_own_in_the_finished_picture(name: str) -> None:
    kind = KINDS[name]
    scene, own = compose(kind, against_habit(kind)[1], seen(kind))
    assert min(painted_parts(scene, own, 640)) >= LEAST_PIXELS / 2


@every_kind
def test_every_number_of_parts_can_be_counted(kind: ThingKind) -> None:
    for index, count in enumerate((*against_habit(kind), kind.usual)):
        scene, own = compose(kind, count, seen(kind, index))
        assert is_countable(scene, own)
        assert len(seen_parts(scene, own)) == len(np.unique(part_numbers(scene, own))) - 1 == count


def test_a_part_that_is_covered_is_found_out() -> None:
    kind = KINDS["dog"]
    scene, own = compose(kind, 5, seen(kind))
    legs = [piece for group in scene.groups for piece in group.pieces if piece.part is not None]
    cover = replace(legs[0], part=None)
    over = replace(scene, groups=[*scene.groups, replace(scene.groups[-1], pieces=[cover])])
    assert is_countable(scene, own)
    assert not is_countable(over, own)


def test_legs_overlap_in_scenes_and_not_in_icons() -> None:
    def nearest(kind: ThingKind, own: ThingLook) -> float:
        scene, _ = compose(kind, 5, own)
        feet = sorted(mark.end[0] for mark in scene.marks)
        return min(after - before for before, after in pairwise(feet))

    kinds = [kind for kind in ON_LEGS if kind.usual == 4 and kind.parts == "legs"]
    closer = [nearest(kind, seen(kind)) < 0.8 * nearest(kind, look(kind, 21, 0)) for kind in kinds]
    assert sum(closer) > 0.8 * len(closer)


@every_kind
def test_a_thing_fills_its_share_of_the_picture_whatever_its_number(kind: ThingKind) -> None:
    for index in range(3):
        own = seen(kind, index)
        assert own.setting
        left, top, right, bottom = own.setting.box
        assert min(left, top) >= 0
        assert max(right, bottom) <= 1000
        assert (right - left) * (bottom - top) / 1e6 <= 0.75
        assert SHARE[0] <= share(kind, own) <= SHARE[1]
        for count in against_habit(kind):
            for x0, y0, x1, y1 in boxes(*compose(kind, count, own), 1000):
                assert min(x0 - left, y0 - top, right - x1, bottom - y1) > -25  # legs that overlap stand elsewhere


def share(kind: ThingKind, own: ThingLook) -> float:
    """The share of the picture that the box of the usual thing takes up, without what holds it."""
    scene, own = compose(kind, kind.usual, own)
    lines = [
        line
        for group in scene.groups
        for piece in group.pieces
        if max(float(outline[:, 1].max()) for outline in piece.outlines) < 1000
        for line in own.placing(1000)(piece.outlines)
    ]
    return float(np.prod(np.ptp(np.concatenate(lines), axis=0))) / 1e6


def test_parts_stand_out_from_the_ground_or_from_what_they_are_on() -> None:
    for kind in KINDS.values():
        own = seen(kind, 1)
        assert own.setting
        assert own.setting.ground in GROUND_KINDS
        assert (own.setting.carrier != "") == ("on" in place_of(kind))


# Counterparts


@some_of("kind", KINDS.values(), 29, ids=KINDS)
def test_all_drawings_of_an_item_have_one_ground(kind: ThingKind) -> None:
    own, size = seen(kind), 320
    assert own.setting
    left, top, right, bottom = (round(edge * size / 1000) for edge in own.setting.box)
    drawings = [draw(kind, count, own, size) for count in (kind.usual, *against_habit(kind))]
    drawings.append(plain(kind, kind.usual, own, size))
    sights = [pixels(drawing.picture.data) for drawing in drawings]
    around = np.ones((size, size), bool)
    around[max(0, top - 12) : bottom + 12, max(0, left - 12) : right + 12] = False
    if "post" in place_of(kind):
        around[top:] = False
    for other in sights[1:]:  # each picture has a palette of its own, so shades may differ by a step
        apart = np.abs(other - sights[0]).max(axis=2)[around]
        assert not len(apart) or (apart.mean() < 3 and np.quantile(apart, 0.995) < 26)


def test_two_legs_are_the_difference_between_counterparts() -> None:
    """Above the legs, an animal is the same with any number of them."""
    kind = KINDS["elephant"]
    scenes = [compose(kind, count, seen(kind))[0] for count in (3, 4, 5)]
    bodies = [[p.outlines for g in scene.groups for p in g.pieces if p.part is None] for scene in scenes]
    for body in bodies[1:]:
        assert len(body) == len(bodies[0])
        for own, other in zip(body, bodies[0], strict=True):
            assert all((a == b).all() for a, b in zip(own, other, strict=True))


@some_of("kind", KINDS.values(), 29, ids=KINDS)
def test_twins_say_the_number_and_where_it_is(kind: ThingKind) -> None:
    item = thing(kind.name)
    count = item.truth["count"]
    for level in ("counterfactual", "anonymous", "plain"):
        shown = asked(item, drawing=level)
        there = "is exactly 1 " if count == 1 else f"are exactly {count} "
        assert f"There {there}" in shown.twin
        assert "with other things around" in shown.twin
        assert shown.question.key == str(count)
        if level != "counterfactual":
            assert kind.whole not in shown.twin
    assert asked(item).question.mechanisms[str(kind.usual)] == HABIT
    assert asked(item, drawing="ordinary").question.key == str(kind.usual)


def test_boxes_of_parts_are_in_the_picture() -> None:
    for name in ("dog", "us-canton", "ring-chain-mark", "chess-board-rows"):
        kind = KINDS[name]
        for painter in (draw, plain, anonymous):
            drawing: PartsDrawing = painter(kind, kind.usual, seen(kind), 200)
            assert len(drawing.boxes) == kind.usual
            assert all(
                0 <= left < right <= 200 and 0 <= top < bottom <= 200 for left, top, right, bottom in drawing.boxes
            )


# Items


def test_icons_are_the_items_they_were_before_there_were_scenes() -> None:
    icon = thing("dog", scene="icon")
    assert (icon.id, icon.digest) == ("bias/things-3/dog/0000", "518eed40f160d428ea8644d83e772659")
    items = [(item.id, item.digest) for item in TASK.items(TASK.item_levels(TASK.design()), 60, 0)]
    digest = sha256(repr(items).encode()).hexdigest()
    assert digest == "6dc7fde1f970a1a0feaecad858b1e51dccabd31e06f2206339f60ef8c12cb533"


def test_a_scene_is_another_item_with_as_many_parts() -> None:
    icon, scene = thing("owl", scene="icon"), thing("owl")
    assert icon.id != scene.id
    assert icon.digest != scene.digest
    assert icon.truth["count"] == scene.truth["count"]
    assert (icon.levels["scene"], scene.levels["scene"]) == ("icon", "scene")


def test_the_design_of_scenes_asks_the_ladder_of_the_first_look() -> None:
    scenes, quick = TASK.design("scenes"), TASK.design("quick")
    item = thing("dog")
    assert TASK.item_levels(scenes)["scene"] == ("scene",)
    assert TASK.conditions(scenes, item) == TASK.conditions(quick, thing("dog", scene="icon"))
    assert {item.levels["scene"] for item in TASK.items(TASK.item_levels(scenes), 30, 1)} == {"scene"}
    changed = TASK.changed(TASK.design("paper"), {"scene": ("scene",)})
    assert {item.levels["scene"] for item in TASK.items(TASK.item_levels(changed), 30, 1)} == {"scene"}


def test_files_of_scenes_are_of_one_length() -> None:
    names, drawings = ("dog", "ship-wheel"), ("counterfactual", "anonymous", "plain")
    shown = [asked(thing(name), drawing=how) for name in names for how in drawings]
    lengths = {len(stimulus.pictures[0].data) for stimulus in shown}
    assert len(lengths) == 1


BYTES = {
    24: "d4bcca0cfc2e4a70191a6545219b48e3540f36ebbf993c0cc1cdc2076adb0a8b",
    1: "7b5be962aa59fea6f21b7911d03da03ace167140ff7b7da36a2df7a0557c9012",
}
"""By one kind in so many."""
DIGEST = """
import sys
from hashlib import sha256
from snellen.tasks.bias.draw.things import KINDS, anonymous, draw, in_scene, look, plain
pictures = [
    paint(kind, kind.odd[0], in_scene(kind, look(kind, 2026, 5)), 160).picture.data
    for kind in list(KINDS.values())[:: int(sys.argv[1])]
    for paint in (draw, plain, anonymous)
]
print(sha256(b"".join(pictures)).hexdigest())
"""


@few_and_more("every", [24], [1])
def test_the_bytes_of_scenes_never_change(every: int) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", DIGEST, str(every)]
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert process.stdout.strip() == BYTES[every]


@pytest.mark.soak
def test_no_observer_finds_a_shortcut_in_scenes() -> None:
    report = audit_task(TASK, {"scene": ("scene",)}, 276, 1)
    assert not [row for row in report.rows if row.leak]


@pytest.mark.soak
@pytest.mark.parametrize("index", range(30))
def test_thousands_of_scenes_can_be_counted(index: int) -> None:
    for kind in KINDS.values():
        own = seen(kind, 100 + index)
        assert SHARE[0] <= share(kind, own) <= SHARE[1]
        for count in (*against_habit(kind), kind.usual):
            assert is_countable(*compose(kind, count, own))
