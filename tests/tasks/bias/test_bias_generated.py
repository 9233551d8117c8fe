"""Generated items: keys that boxes and words confirm, counterparts, balance, wording, and what may be asked."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.item import Condition, Form, Item, Stimulus
from snellen.prompts import load
from snellen.tasks import Design
from snellen.tasks.audit import audit, audit_task
from snellen.tasks.bias import TASK
from snellen.tasks.bias.asking import HABIT, OTHER_WAY
from snellen.tasks.bias.designs import EVERY
from snellen.tasks.bias.draw.things import KINDS, ThingKind, anonymous, draw, look, plain
from snellen.tasks.bias.kinds import against_habit, order
from support.lengths import some_of

PACK = load(TASK.prompts, "bias")
DEFAULT = Condition({factor.name: factor.levels[0] for factor in TASK.factors if not factor.of_item})


def thing(name: str, index: int = 0, seed: int = 3, source: str = "things") -> Item:
    assert TASK.item is not None
    return TASK.item({"source": source, "topic": KINDS[name].topic, "kind": name}, index, seed)


def asked(item: Item, **levels: str) -> Stimulus:
    return TASK.stimulus(item, DEFAULT.but(**levels), PACK)


def has_fewer(kind: ThingKind) -> bool:
    """Whether the thing is still itself with one part fewer than usual."""
    return kind.usual > kind.fewest


def told_number(twin: str) -> int:
    [number] = re.findall(r"There (?:is|are) exactly (\d+) ", twin)
    return int(number)


@some_of("name", KINDS, 29)
def test_the_key_is_the_number_of_boxes_and_of_the_twin(name: str) -> None:
    kind, item = KINDS[name], thing(name)
    looks = look(kind, *item.truth["look"])
    for level, drawing in (
        ("counterfactual", draw(kind, item.truth["count"], looks)),
        ("ordinary", draw(kind, kind.usual, looks)),
        ("anonymous", anonymous(kind, item.truth["count"], looks)),
        ("plain", plain(kind, item.truth["count"], looks)),
    ):
        shown = asked(item, drawing=level)
        assert int(shown.question.key) == len(drawing.boxes) == told_number(shown.twin)


def test_what_is_shown_is_the_drawing() -> None:
    item = thing("violin")
    kind, looks = KINDS["violin"], look(KINDS["violin"], *item.truth["look"])
    assert _pixels(asked(item)) == _picture(draw(kind, item.truth["count"], looks).picture.data)
    assert _pixels(asked(item, drawing="plain")) == _picture(plain(kind, item.truth["count"], looks).picture.data)


def _pixels(shown: Stimulus) -> bytes:
    [picture] = shown.pictures
    return _picture(picture.data)


def _picture(data: bytes) -> bytes:
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB").tobytes()


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_things_go_against_the_habit_by_one_either_way(kind: ThingKind) -> None:
    numbers = {thing(kind.name, index).truth["count"] for index in range(2)}
    assert numbers == set(against_habit(kind))
    assert kind.usual not in numbers
    if has_fewer(kind):
        assert numbers == {kind.usual - 1, kind.usual + 1}


@pytest.mark.parametrize("n", [60, 67, 200])
def test_more_and_fewer_are_alike_and_every_topic_is_there(n: int) -> None:
    items = list(TASK.items(TASK.item_levels(TASK.design()), n, 5))
    either = [item.truth["count"] > item.truth["usual"] for item in items if has_fewer(KINDS[item.truth["kind"]])]
    assert len(items) == n == len({item.id for item in items})
    assert abs(sum(either) - len(either) / 2) <= 5
    assert len(either) > 0.9 * n
    shares = Counter(item.levels["topic"] for item in items)
    whole = Counter(kind.topic for kind in KINDS.values())
    assert all(abs(shares[topic] / n - whole[topic] / len(KINDS)) < 0.03 for topic in whole)
    assert min(shares.values()) >= 1


def test_first_kinds_of_an_order_are_not_first_kinds_of_a_topic_only() -> None:
    assert sorted(order()) == sorted(KINDS)
    first = [name for name in order()[:40] if KINDS[name].topic == "animals"]
    assert {KINDS[name].usual for name in first} == {2, 4}


def test_habit_is_named_where_it_would_be_wrong_and_only_there() -> None:
    item = thing("dog")
    assert item.truth["count"] in (3, 5)
    assert asked(item).question.mechanisms == {"4": HABIT, str(2 * item.truth["count"] - 4): OTHER_WAY}
    assert asked(item).question.habit == HABIT
    for drawing in ("ordinary", "anonymous", "plain"):
        assert asked(item, drawing=drawing).question.mechanisms == {}
        assert asked(item, drawing=drawing).question.habit == ""
    assert asked(item, ask="usual").question.mechanisms == {"yes": HABIT}
    assert asked(item, ask="usual").question.key == "no"
    assert asked(item, ask="usual", drawing="ordinary").question.key == "yes"


@some_of("name", KINDS, 5)
def test_words_say_what_is_counted_and_other_words_do_not_say_what_it_is(name: str) -> None:
    kind, item = KINDS[name], thing(name)
    base, named, none, renamed, control = (
        asked(item, **levels).question.text
        for levels in ({}, {"name": "named"}, {"name": "none"}, {"prompt": "renamed"}, {"prompt": "reworded"})
    )
    assert kind.parts in base
    assert kind.place in base
    assert kind.whole in named
    assert kind.parts in none
    assert kind.place == "in this picture" or kind.place not in none
    assert kind.alias_parts in renamed
    assert kind.whole not in renamed
    assert len({base, named, renamed, control}) == 4
    # The control changes the sentence as much, in form and length, and keeps what renaming takes away.
    assert kind.parts in control
    assert kind.place in control
    assert control.split(" at ")[0] == renamed.split(" at ")[0] == "Look"
    assert abs(len(control) - len(renamed)) < 30


def test_fingers_leave_no_doubt_about_the_thumb() -> None:
    assert "thumb included" in asked(thing("hand")).question.text


def test_a_neutral_drawing_is_asked_about_by_its_shapes() -> None:
    shown = asked(thing("dog"), drawing="plain")
    assert "bars" in shown.question.text
    assert "leg" not in shown.question.text
    assert "leg" not in shown.twin
    assert "dog" not in shown.twin


@some_of("name", KINDS, 9)
def test_an_anonymous_drawing_is_asked_about_without_a_name(name: str) -> None:
    kind, shown = KINDS[name], asked(thing(name), drawing="anonymous")
    assert f"How many {kind.bare_parts} does it have?" in shown.question.text
    assert kind.whole not in shown.question.text + shown.twin
    assert kind.place == "in this picture" or kind.place not in shown.question.text


@some_of("name", KINDS, 5)
def test_the_other_way_is_as_far_from_the_key_as_the_habit(name: str) -> None:
    for index in (0, 1):
        question = asked(thing(name, index)).question
        answers = {mechanism: int(answer) for answer, mechanism in question.mechanisms.items()}
        assert answers[HABIT] == KINDS[name].usual
        assert int(question.key) - answers[HABIT] == answers[OTHER_WAY] - int(question.key)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_usual_is_asked_without_a_picture_once_for_all_of_a_kind(name: str) -> None:
    shown = [asked(thing(name, index, seed), ask="recall") for index, seed in ((0, 3), (1, 3), (0, 8))]
    assert len({one.parts for one in shown}) == 1
    assert not shown[0].pictures
    assert shown[0].question.key == str(KINDS[name].usual)
    assert shown[0].question.mechanisms == {}
    assert KINDS[name].parts in shown[0].question.text
    assert "usually" in shown[0].question.text
    assert not TASK.shows_pictures(DEFAULT.but(ask="recall"))


def test_flipped_pictures_are_the_same_upside_down() -> None:
    item = thing("clock")
    upright, flipped = asked(item), asked(item, view="flipped")
    with Image.open(BytesIO(upright.pictures[0].data)) as image:
        turned = image.convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM).tobytes()
    assert turned == _pixels(flipped) != _pixels(upright)
    assert flipped.twin.endswith(upright.twin)
    assert flipped.twin != upright.twin
    assert flipped.question == upright.question


def test_resolution_is_the_pictures_and_nothing_else() -> None:
    sizes = {}
    for level in TASK.factor("resolution").levels:
        shown = asked(thing("star"), resolution=level)
        with Image.open(BytesIO(shown.pictures[0].data)) as image:
            sizes[level] = image.size
        assert shown.question == asked(thing("star")).question
    assert sizes == {"640": (640, 640), "320": (320, 320), "1024": (1024, 1024)}


def test_files_are_of_one_length() -> None:
    lengths = {
        len(asked(thing(name), drawing=level).pictures[0].data)
        for name in order()[:12]
        for level in ("plain", "counterfactual")
    }
    assert len(lengths) == 1
    bent = {len(asked(thing(name), drawing="anonymous").pictures[0].data) for name in ("go-board-rows", "dog", "star")}
    assert len(bent) == 1


def test_what_makes_no_sense_is_not_asked() -> None:
    design = TASK.changed(
        TASK.design(),
        {factor.name: factor.levels for factor in TASK.factors if not factor.of_item},
    )
    conditions = TASK.conditions(design, thing("dog"))
    own = {name: level for name, level in conditions[0].items() if name not in DEFAULT}
    assert len(conditions) == len(set(conditions))
    for condition in conditions:
        if condition["ask"] == "recall":
            assert condition == DEFAULT.but(ask="recall", **own)
        if condition["drawing"] in ("anonymous", "plain"):
            assert (condition["prompt"], condition["name"], condition["ask"]) == ("base", "class", "count")
        if condition["prompt"] != "base":
            assert (condition["name"], condition["ask"]) == ("class", "count")
    texts = Counter(
        (c["drawing"], c["view"], c["resolution"], asked(thing("dog"), **c).question.text) for c in conditions
    )
    assert max(texts.values()) == 1


def test_the_same_seed_gives_the_same_bytes_and_another_another_look() -> None:
    first, again, other = asked(thing("owl")), asked(thing("owl")), asked(thing("owl", seed=4))
    assert first.pictures[0].data == again.pictures[0].data != other.pictures[0].data


def test_kinds_that_no_topic_has_are_one_line() -> None:
    with pytest.raises(UserError, match=r"source=things: no such thing"):
        list(TASK.items({"source": ("things",), "topic": ("flags",), "kind": ("dog",)}, 3, 0))


def test_synth_legs_has_the_papers_distributions() -> None:
    design = TASK.design("synth-legs")
    assert design.n == 8192
    items = list(TASK.items(TASK.item_levels(design), design.n, 1))
    birds = Counter(item.truth["count"] for item in items if item.truth["usual"] == 2)
    quadrupeds = Counter(item.truth["count"] for item in items if item.truth["usual"] == 4)
    assert birds.total() == quadrupeds.total() == 4096
    assert set(birds) == {1, 2, 3}
    assert set(quadrupeds) == {3, 4, 5}
    assert max(*birds.values(), *quadrupeds.values()) - min(*birds.values(), *quadrupeds.values()) < 25
    styles = Counter(item.levels["kind"] for item in items)
    assert len(styles) == 17
    assert max(styles.values()) < 4096 / 5
    assert len({item.id for item in items}) == 8192
    exam = {tuple(item.truth["look"]) for item in TASK.items({**EVERY, "source": ("things",)}, 500, 1)}
    assert not exam & {tuple(item.truth["look"]) for item in items}


def test_ordinary_animals_of_synth_legs_have_no_habit_to_show() -> None:
    usual = next(item for item in (thing("dog", i, source="synth-legs") for i in range(3)) if item.truth["count"] == 4)
    assert asked(usual).question.mechanisms == {}
    assert asked(usual, ask="usual").question.key == "yes"


@pytest.mark.soak
def test_no_observer_finds_a_shortcut() -> None:
    report = audit_task(TASK, {}, 400, 1)
    assert not [row for row in report.rows if row.leak]


@pytest.mark.soak
def test_nothing_but_counting_tells_more_from_fewer() -> None:
    """Nobody is owed anything here: not even the light of the picture may tell."""

    def turned() -> Iterator[Stimulus]:
        for shown in TASK.stimuli(Design("", "", 312, (EVERY,)), 312, 2, PACK):
            if not has_fewer(KINDS[shown.item.truth["kind"]]):
                continue
            key = "more" if shown.item.truth["count"] > shown.item.truth["usual"] else "fewer"
            yield replace(shown, question=replace(shown.question, form=Form("choice", ("fewer", "more")), key=key))

    rows = audit(turned(), TASK.observe, TASK.audited_by()).rows
    assert not [row.observer for row in rows if row.leak]
    assert max(row.detectable for row in rows) < 0.7
