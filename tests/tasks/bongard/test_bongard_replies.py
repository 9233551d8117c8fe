"""Rules and descriptions of generated Bongard problems are read, judged on facts, and filed by what decided."""

from collections import Counter
from collections.abc import Iterable

import pytest
from bongard_other_words import OTHER_FORMS, framed
from bongard_plants import SCENE_FORMS, Plant, scene_plants
from bongard_stroke_plants import stroke_plants
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snellen.draw.scenes import twin
from snellen.rng import Stream
from snellen.tasks.bongard import scenes
from snellen.tasks.bongard.replies import LANGUAGES
from snellen.tasks.bongard.replies.describing import read_scene
from snellen.tasks.bongard.replies.differences import differences
from snellen.tasks.bongard.replies.filing import WrongVerdict, file, known
from snellen.tasks.bongard.replies.rules import readings
from snellen.tasks.bongard.replies.strokes import claims, read_drawing
from snellen.tasks.bongard.replies.world import facts, holds
from snellen.tasks.bongard.scenes import language
from snellen.tasks.bongard.scenes.concepts import SORTS, random_concept
from snellen.tasks.bongard.study.errors import GROUPS
from support.lengths import some_of

RIGHTLY = 0.9
ANIMAL, PLANT, DRINK = {"category": "animal"}, {"category": "plant"}, {"category": "drink"}
WORDS = [
    "a",
    "dog",
    "and",
    "or",
    "no",
    "not",
    "all",
    "same",
    "two",
    "red",
    "tile",
    "left",
    "of",
    "the",
    "above",
    ",",
    ".",
]
DOG = {"kind": "dog", "x": 60, "y": 60, "size": "large", "tile": "red", "framed": False}
CAT = {"kind": "cat", "x": 300, "y": 300, "size": "small", "tile": "blue", "framed": True}
SCENE = {"background": "cream", "things": [DOG, CAT]}
READ = ("kind", "size", "tile", "row", "column", "framed")


def filed_rightly(plants: Iterable[Plant]) -> dict[str, float]:
    """The share of plants that are filed where they belong, by group and by form."""
    right, of = Counter[str](), Counter[str]()
    for plant in plants:
        group = file(plant.case, plant.about).group
        for key in (plant.group, plant.how.partition(",")[0]):
            of[key] += 1
            right[key] += group == plant.group
    return {key: right[key] / count for key, count in of.items()}


def check(shares: dict[str, float], forms: int) -> None:
    assert len(shares) == len(GROUPS) - 1 + forms
    assert min(shares.values()) >= RIGHTLY, shares


@pytest.mark.soak
def test_planted_errors_in_scenes_are_filed_rightly() -> None:
    check(filed_rightly(p for k in range(10) for p in scene_plants(3, k)), len(SCENE_FORMS))


@pytest.mark.soak
def test_planted_errors_in_strokes_are_filed_rightly() -> None:
    check(filed_rightly(p for k in range(6) for p in stroke_plants(3, k)), 3)


def test_planted_errors_are_filed_rightly_whatever_the_wording() -> None:
    names = list(OTHER_FORMS)
    for turn in range(4):  # three problems and three forms at a time, all frames of words between them
        forms = {name: OTHER_FORMS[name] for name in names[3 * turn : 3 * turn + 3]}
        plants = (p for k in range(turn, 10, 4) for p in scene_plants(5, k, forms, framed(turn)))
        shares = filed_rightly(plants)
        assert min(shares.values()) >= RIGHTLY, shares


@pytest.mark.soak
def test_planted_errors_in_many_problems_are_filed_rightly() -> None:
    check(filed_rightly(p for k in range(80) for p in scene_plants(4, k)), len(SCENE_FORMS))
    check(filed_rightly(p for k in range(60) for p in stroke_plants(4, k)), 3)
    for turn in range(3):
        plants = (p for k in range(20) for p in scene_plants(6 + turn, k, OTHER_FORMS, framed(turn)))
        check(filed_rightly(plants), len(OTHER_FORMS))


@pytest.mark.parametrize("sort", SORTS)
def test_the_generators_own_words_are_read_back(sort: str) -> None:
    for index in range(40):
        concept = random_concept(sort, Stream(index), (2, 5))
        meant = {language.meaning(reading) for reading in readings(scenes.words(concept))}
        assert language.meaning(concept) in meant, scenes.words(concept)


@pytest.mark.parametrize(
    ("rule", "concept"),
    [
        ("All positive images contain a dog.", {"some": {"kind": "dog"}}),
        ("a big creature somewhere in the scene", {"some": {"size": "large", **ANIMAL}}),
        ("Positive pictures include something placed on a red square", {"some": {"tile": "red"}}),
        ("every object sits on a white tile", {"every": {"tile": "white"}}),
        ("All tiles are white", {"every": {"tile": "white"}}),
        ("They do not contain any drink, while the negatives do", {"not": {"some": DRINK}}),
        ("drinks are absent", {"not": {"some": DRINK}}),
        ("two insects or more", {"least": [2, {"group": "insect"}]}),
        ("a single bird is present", {"exactly": [1, {"group": "bird"}]}),
        ("a plant is located below a bird", {"above": [{"group": "bird"}, PLANT]}),
        ("a tool to the right of a boat", {"left": [{"group": "boat"}, {"category": "tool"}]}),
        ("some drink touches something on a blue tile", {"touch": [DRINK, {"tile": "blue"}]}),
        ("an animal and a plant are both present", {"and": [{"some": ANIMAL}, {"some": PLANT}]}),
        (
            "either a boat or a thing on a green tile",
            {"or": [{"some": {"group": "boat"}}, {"some": {"tile": "green"}}]},
        ),
        ("there is an animal without any plant", {"and": [{"some": ANIMAL}, {"not": {"some": PLANT}}]}),
        ("two items share the same tile color", {"same": "tile"}),
        ("all objects are different", {"not": {"same": "kind"}}),
        ("The object inside the black frame is on a red tile", {"some": {"framed": "yes", "tile": "red"}}),
        ("something stands in the center", {"some": {"row": "middle", "column": "centre"}}),
        ("A picture is positive if it has a mammal.", {"some": {"group": "mammal"}}),
    ],
)
def test_rules_in_other_words_are_read(rule: str, concept: language.Concept) -> None:
    assert language.meaning(concept) in {language.meaning(reading) for reading in readings(rule)}


@pytest.mark.parametrize(
    "rule", ["", "?", "a sense of melancholy", "The animal is hungry", "Things tell a story of loss"]
)
def test_a_rule_that_is_not_understood_has_no_reading(rule: str) -> None:
    assert readings(rule) == ()
    assert claims(rule) == ()


def test_scenes_are_judged_as_the_generator_judges_them() -> None:
    for index in range(12):
        made = scenes.make(2, index)
        for panel in (*made.problem.positives, *made.problem.negatives):
            assert holds(made.concept, facts(panel)) is language.holds(made.concept, panel)


@pytest.mark.parametrize("form", SCENE_FORMS)
def test_a_full_description_has_no_fault_that_matters(form: str) -> None:
    panel = scenes.make(2, 3).problem.positives[0]
    described, true = read_scene(SCENE_FORMS[form](panel)), facts(panel)
    assert [[thing.get(name) for name in READ] for thing in sorted(described.things, key=lambda t: t["kind"])] == [
        [thing.get(name) for name in READ] for thing in sorted(true.things, key=lambda t: t["kind"])
    ]
    assert {fault.fact for fault in differences(described, true)} <= {f"the background is {true.background}"}


@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_whatever_upsets_the_readers(text: str) -> None:
    for language_ in LANGUAGES.values():
        language_.readings(text)
        language_.read(text)
    for fault in differences(read_scene(text), facts(SCENE)):
        assert fault.fact


@some_of("text", ["a dog and " * 3000, "[" * 5000, '{"things": [' * 3000, "a square and a heart. " * 2000], 4)
def test_long_texts_take_no_long_time(text: str) -> None:
    read = [*(language_.read(text) for language_ in LANGUAGES.values()), readings(text), claims(text)]
    assert len(read) == len(LANGUAGES) + 2


@pytest.mark.parametrize(
    "text",
    [
        "| object | size | tile | place |\n|---|---|---|---|\n| dog | large | red | top-left |\n"
        "| cat, framed | small | blue | bottom-right |",
        '{"living": [{"type": "animal", "species": "dog", "count": 1, "looks": "big, red tile", "place": "top left"},'
        ' {"type": "animal", "species": "cat", "looks": "little, blue tile, thick black border", "place":'
        ' "lower right"}]}',
        "1. **Dog** - large, red tile, top-left\n2. **Cat** - small, blue tile with a black frame, bottom-right",
        "Two animals: a big dog on a red tile in the upper left corner, and a kitten on a blue tile in the lower right"
        " corner. The kitten is tiny and in a black frame. The background is cream.",
        "A red tile at the top left holds a large puppy; a blue tile at the bottom right, with a black border around"
        " it, holds a small cat.",
        'Here it is:\n```json\n[{"item": "dog", "size": "large", "tile": "red", "position": "top left"}, {"item":'
        ' "cat", "size": "small", "tile": "blue", "position": "bottom right", "framed": true}]\n```',
        '{"top left": "large dog on a red tile", "bottom right": "small cat on a blue tile, framed"}',
    ],
)
def test_descriptions_as_people_write_them(text: str) -> None:
    faults = {fault.fact for fault in differences(read_scene(text), facts(SCENE))}
    assert faults <= {"the background is cream"}


@pytest.mark.parametrize(
    ("text", "fault", "fact"),
    [
        ("a large dog on a red tile at the top left", "missed", "there is a small cat on a blue tile"),
        ("- large dog, red tile, top left\n- small fox, blue tile, bottom right, framed", "misnamed", "is a cat"),
        ("- large dog, green tile, top left\n- small cat, blue tile, bottom right, framed", "wrong", "on a red tile"),
        ("- small dog, red tile, top left\n- small cat, blue tile, bottom right, framed", "wrong", "the dog is large"),
        (
            "- large dog, red tile, top right\n- small cat, blue tile, bottom right, framed",
            "wrong",
            "dog is at top left",
        ),
        ("- large dog, red tile, top left\n- small cat, blue tile, bottom right", "unsaid", "the cat is in a frame"),
        ("- large dog, top left\n- small cat, blue tile, bottom right, framed", "unsaid", "the dog is on a red tile"),
        (
            "- large dog, red tile, top left\n- small cat, blue tile, bottom right, framed\n- bus, white tile, centre",
            "invented",
            "there is no bus",
        ),
    ],
)
def test_each_fault_of_a_description_has_its_name_and_fact(text: str, fault: str, fact: str) -> None:
    true = facts(SCENE)
    faults = [each for each in differences(read_scene(text), true) if "background" not in each.fact]
    assert [each.fault for each in faults] == [fault]
    assert fact in faults[0].fact
    assert [each.fault for each in differences(faults[0].mended, true) if "background" not in each.fact] == []


def test_the_evidence_names_picture_fact_and_words() -> None:
    made = scenes.make(2, 0)  # "at least one" of a kind
    sides = {"positive": made.problem.positives, "negative": made.problem.negatives}
    about = known(made.problem.concept, sides, LANGUAGES["scenes"])
    wrong = file(WrongVerdict("positive", "everything is small", "", {}), about)
    assert (wrong.group, wrong.words) == ("rule is wrong", "everything is small")
    assert wrong.picture.startswith(("positive ", "negative "))
    assert made.problem.concept in wrong.fact
    assert file(WrongVerdict("positive", "animals that feel joy", "", {}), about).group == "cannot be told"
    assert file(WrongVerdict("positive", "", "", {}), about).group == "cannot be told"


@pytest.mark.parametrize("rule", ["A warm and playful mood", "Everything is done with taste.", "It stands out"])
def test_a_rule_that_names_nothing_in_the_pictures_is_wrong(rule: str) -> None:
    made = scenes.make(2, 0)
    sides = {"positive": made.problem.positives, "negative": made.problem.negatives}
    decided = file(WrongVerdict("positive", rule, "", {}), known(made.problem.concept, sides, LANGUAGES["scenes"]))
    assert (decided.group, decided.words) == ("rule is wrong", rule)


def test_descriptions_that_hide_the_rule_are_to_blame_for_a_wrong_one() -> None:
    made = scenes.make(2, 0)
    sides = {"positive": made.problem.positives, "negative": made.problem.negatives}
    [kind] = made.concept["some"].values()
    described = {
        side: [twin(panel).replace(f'"name":"{kind}', '"name":"spoon') for panel in sides[side][:-1]] for side in sides
    }
    case = WrongVerdict("positive", "everything is small", twin(sides["positive"][-1]), described)
    decided = file(case, known(made.problem.concept, sides, LANGUAGES["scenes"]))
    assert decided.group == "description says it wrongly"
    assert decided.picture == "positive 1"
    assert "spoon" in decided.words


def test_shapes_are_told_apart_in_prose() -> None:
    drawing = read_drawing("There is a heart on the left. Next to it is a right triangle made of three straight lines.")
    assert [sorted(name for name, truth in (shape.names or {}).items() if truth) for shape in drawing] == [
        ["heart"],
        ["right triangle", "triangle"],
    ]
    assert drawing[1].straight == 3
    (only,) = read_drawing("An open path without any right angle, which crosses itself.")
    assert dict(only.attributes) == {"closed": False, "right angle": False, "meets itself": True}
