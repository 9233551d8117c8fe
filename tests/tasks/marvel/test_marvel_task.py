"""The task as a whole: the rungs of the ladder, the ways to show a puzzle, solved examples, and making many."""

import json
import re
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import snellen
from snellen.errors import UserError
from snellen.item import Condition, Item, Picture, Stimulus
from snellen.prompts import load
from snellen.tasks import Task, task
from snellen.tasks.audit import audit
from snellen.tasks.export import read_items, write_items
from snellen.tasks.marvel import EVERY
from snellen.tasks.marvel.generate import kinds, make
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES
from snellen.tasks.marvel.solve import solve
from support.marvel_blind import BlindObserver

MARVEL = task("marvel")
PACK = load(MARVEL.prompts, "marvel")
PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "marvel"
PLAIN: dict[str, Any] = {"rules": ("1",), "closeness": ("far",), "clutter": ("none",)}


def one(index: int = 0, **levels: Any) -> Item:
    kind = {
        **{"pattern": "quantities", "configuration": "matrix", "shapes": "geometric"},
        **{name: values[0] for name, values in PLAIN.items()},
        **levels,
    }
    assert MARVEL.item is not None
    return MARVEL.item(kind, index, 5)


def put(item: Item, found: Task = MARVEL, **levels: Any) -> Stimulus:
    plain = {factor.name: factor.levels[0] for factor in found.factors if not factor.of_item}
    return found.stimulus(item, Condition({**plain, **levels}), PACK)


def band_below_choices(picture: Picture) -> int:
    """How much ink there is where the choices' names stand."""
    with Image.open(BytesIO(picture.data)) as image:
        page = np.asarray(image.convert("L"))
    return int((page[-127:-90] < 128).sum())


@pytest.mark.soak
def test_every_cell_has_its_puzzles_and_every_key_is_found_by_the_solver() -> None:
    found = list(kinds({"pattern": PATTERNS, "configuration": CONFIGURATIONS, "shapes": SHAPES, **PLAIN}))
    cells = {(kind["pattern"], kind["configuration"]) for kind in found}
    assert len(cells) == 4 * 4 + 3 + 1, "all cells of the published set, and no others"
    for kind in found:
        made = [make(kind, index, 9) for index in range(4)]
        assert sorted(each.puzzle.answer for each in made) == [0, 1, 2, 3], "each place once in four"
        for each in made:
            assert solve(each.puzzle) == (each.puzzle.answer,)


@pytest.mark.parametrize("hard", [{"rules": "3"}, {"closeness": "near"}, {"clutter": "some"}])
def test_difficulty_is_a_parameter(hard: dict[str, Any]) -> None:
    for pattern in PATTERNS:
        configuration = "reassembling" if pattern == "3d" else "two-row"
        item = one(pattern=pattern, configuration=configuration, **hard)
        assert item.truth["choices"] != one(pattern=pattern, configuration=configuration).truth["choices"]


def test_a_puzzle_is_the_same_whatever_else_is_made() -> None:
    levels = {"pattern": PATTERNS, "configuration": ("matrix",), "shapes": ("geometric",), **PLAIN}
    few = list(MARVEL.items(levels, 5, 5))
    many = {item.id: item for item in MARVEL.items(levels, 15, 5)}
    assert all(many[item.id] == item for item in few)
    assert len(few) == 5
    assert len(many) == 15


def test_the_rungs_of_the_ladder() -> None:
    item = one()
    assert put(item).question.key == str(item.truth["answer"] + 1)
    assert [put(item, question=rung).question.key for rung in ("context", "choices", "whole")] == ["9", "4", "13"]
    fine = put(item, question="fine")
    assert set(fine.question.form.labels) == {item.truth["fine"]["right"], item.truth["fine"]["wrong"]}
    assert all(label in fine.question.text for label in fine.question.form.labels)
    assert fine.probes == (fine.question,)
    assert len(MARVEL.probed(fine).probes) > 20, "and every other question about every panel"


def test_wrong_choices_betray_how_they_are_wrong() -> None:
    question = put(one()).question
    assert len(question.mechanisms) == 3
    assert question.key not in question.mechanisms


def test_coarse_questions_are_asked_without_the_choices_names() -> None:
    item = one()
    assert band_below_choices(put(item).pictures[0]) > 0
    assert band_below_choices(put(item, question="whole").pictures[0]) == 0
    assert "left the empty panel out" in put(item, question="context").question.mechanisms.values()


def test_a_right_count_of_panels_betrays_nothing() -> None:
    for rung in ("context", "choices", "whole"):
        question = put(one(), question=rung).question
        assert question.mechanisms
        assert question.key not in question.mechanisms


def test_the_right_answer_to_a_fine_question_stands_first_or_second() -> None:
    asked = [put(one(index), question="fine").question for index in range(8)]
    assert {question.form.labels.index(question.key) for question in asked} == {0, 1}


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_whoever_counts_panels_is_not_told_how_many_there_are(configuration: str) -> None:
    item = one(pattern="3d" if configuration == "reassembling" else "quantities", configuration=configuration)
    words = (
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
    )
    numbers = {*words, *map(str, range(1, 14))}
    for rung in ("context", "choices", "whole"):
        said = " ".join(part for part in put(item, question=rung).parts if isinstance(part, str)).lower()
        assert not numbers & set(re.findall(r"\w+", said)) - {"one"}, said


def test_every_pattern_comes_in_colour_and_the_words_say_which() -> None:
    for pattern in PATTERNS:
        item = one(pattern=pattern, configuration="reassembling" if pattern == "3d" else "matrix")
        black, colour = put(item), put(item, ink="colour")
        assert black.pictures[0].digest != colour.pictures[0].digest
        if pattern != "3d":  # solids are told face by face
            assert re.search("red|blue|green|orange|purple|brown|pink|teal", colour.twin)


def test_a_cell_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UserError, match="3d exists as reassembling"):
        MARVEL.counts({**EVERY, **PLAIN, "pattern": ("3d",), "configuration": ("matrix",)}, 10)


def test_other_looks() -> None:
    item = one()
    plain = put(item)
    letters = put(item, indices="letters")
    assert letters.question.form.labels == ("A", "B", "C", "D")
    assert letters.question.key == "ABCD"[item.truth["answer"]]
    looks: list[dict[str, Any]] = [{"blank": "question-mark"}, {"indices": "letters"}]
    shown = {put(item, **look).pictures[0].digest for look in looks}
    assert plain.pictures[0].digest not in shown
    assert len(put(item, panels="apart").pictures) == 8 + 4


def test_words_stand_beside_the_picture_and_are_those_of_its_twin() -> None:
    given = put(one(), words="given")
    assert given.twin in given.parts
    assert len(given.pictures) == 1


@pytest.mark.parametrize(("shots", "count"), [("zero", 0), ("one", 1), ("two", 2)])
def test_solved_examples_come_first_and_are_other_puzzles(shots: str, count: int) -> None:
    shown = put(one(), shots=shots)
    pictures = [part for part in shown.demonstrations if isinstance(part, Picture)]
    assert len(pictures) == count
    assert shown.pictures[0].digest not in {picture.digest for picture in pictures}
    assert sum("Answer:" in part for part in shown.demonstrations if isinstance(part, str)) == count


def test_a_set_on_disk_comes_back_with_its_examples(tmp_path: Path) -> None:
    stimuli = [put(one(), shots="two"), put(one(1), question="fine")]
    write_items(stimuli, tmp_path / "set", "parquet")
    assert list(read_items(tmp_path / "set")) == [
        Stimulus(s.item, s.condition, s.parts, s.question, s.twin, s.probes, demonstrations=s.demonstrations)
        for s in map(_in_json, stimuli)
    ]


def _in_json(stimulus: Stimulus) -> Stimulus:
    truth = json.loads(json.dumps(stimulus.item.truth))
    return replace(stimulus, item=replace(stimulus.item, truth=truth))


@pytest.mark.soak
def test_no_observer_of_the_choices_finds_the_answer() -> None:
    levels = {"pattern": PATTERNS[:-1], "configuration": CONFIGURATIONS, "shapes": SHAPES, **PLAIN}
    puzzles = [make(kind, index, 4).puzzle for kind in kinds(levels) for index in range(12)]
    train, test = puzzles[::2], puzzles[1::2]
    accuracy = BlindObserver.fit(train).accuracy(test)
    assert accuracy < 0.25 + 3 * (0.25 * 0.75 / len(test)) ** 0.5, "see `python -m bench marvel` for 4,000 and 1,000"


@pytest.mark.soak
def test_the_audit_is_clean() -> None:
    design = MARVEL.changed(MARVEL.design("shots"), {"shots": ("zero",)})
    found = audit(MARVEL.stimuli(design, 152, 1, PACK), MARVEL.observe, MARVEL.audited_by())
    assert not found.leaks, str(found)


@pytest.fixture(scope="module")
def published() -> Task:
    if not PUBLISHED.is_dir():
        pytest.skip("the published puzzles are not here")
    return task("marvel", str(PUBLISHED))


@pytest.fixture(scope="module")
def everything(published: Task) -> dict[str, Item]:
    return {item.id: item for item in published.items(published.item_levels(published.design()), 770, 0)}


@pytest.mark.soak
def test_the_published_puzzles_run_end_to_end(published: Task, tmp_path: Path) -> None:
    result = snellen.exam("sim/ideal", tasks=published, store=tmp_path / "s.sqlite")
    rows = result.rows
    told = rows.filter(rows["paradigm"] == "told")
    assert told.height == 770
    rows = rows.filter(rows["paradigm"] != "told")
    assert rows.height == 770 * 5 - 1, "every question of every puzzle but the broken fine one; nothing in exact words"
    assert set(rows["outcome"]) == set(told["outcome"]) == {"right"}
    asked = rows.filter(rows["question"] == "avr")
    counts = Counter(zip(asked["pattern"], asked["configuration"], strict=True))
    assert counts["quantities", "matrix"] == 60
    assert counts["3d", "reassembling"] == 20
    assert asked["cluster"].n_unique() == 654


@pytest.mark.soak
def test_published_examples_are_never_duplicates_of_the_puzzle(published: Task, everything: dict[str, Item]) -> None:
    clusters = {put(item, published).pictures[0].digest: item.cluster for item in everything.values()}
    for item in [*everything.values()][::40]:
        shown = put(item, published, shots="two")
        pictures = [part for part in shown.demonstrations if isinstance(part, Picture)]
        groups = [clusters[picture.digest] for picture in pictures]
        assert len(pictures) == 2
        assert item.cluster not in groups
        assert len(set(groups)) == 2


@pytest.mark.soak
def test_worked_examples_name_choices_as_the_picture_does(published: Task, everything: dict[str, Item]) -> None:
    shown = put(everything["marvel/published/0300"], published, shots="two", indices="letters")
    said = " ".join(part for part in shown.demonstrations if isinstance(part, str))
    assert re.search(r"Answer: [A-D]", said)
    assert not re.search(r"choices? [1-4]", said)


@pytest.mark.soak
def test_the_authors_own_words_are_put_word_by_word(published: Task, everything: dict[str, Item]) -> None:
    item = everything["marvel/published/0001"]
    label = json.loads((PUBLISHED / "marvel_label.json").read_text())[0]
    picture, asked = put(item, published, wording="authors").parts
    assert isinstance(picture, Picture)
    assert asked == label["avr_question"]
    assert put(item, published, wording="authors", question="fine").parts[1] == label["f_perception_question"]
    whole = put(item, published, wording="authors", question="whole").parts[1]
    assert whole == label["c_perception_question_tuple"][2]
    looks = [c for c in published.conditions(published.design("looks"), item) if c["wording"] == "authors"]
    assert len(looks) == 1, "the rewordings are compared with the authors' own words"
    assert not published.applies(item.levels, looks[0].but(indices="letters")), "their words are about digits"


def test_other_words_say_the_same() -> None:
    for configuration in CONFIGURATIONS:
        item = one(pattern="3d" if configuration == "reassembling" else "quantities", configuration=configuration)
        said = {
            wording: tuple(part for part in put(item, wording=wording).parts if isinstance(part, str))
            for wording in ("usual", "brief", "formal")
        }
        assert len(set(said.values())) == 3
        assert all(words[-1].endswith("the choice, 1, 2, 3 or 4.") for words in said.values())
    assert "authors" not in next(factor.levels for factor in MARVEL.factors if factor.name == "wording")


@pytest.mark.soak
def test_identical_choices_are_both_right_and_lacking_questions_are_not_asked(
    published: Task, everything: dict[str, Item]
) -> None:
    twice = put(everything["marvel/published/0134"], published).question
    assert (twice.key, twice.also) == ("1", ("4",))
    broken = everything["marvel/published/0357"]
    rungs = [condition["question"] for condition in published.conditions(published.design(), broken)]
    assert rungs == ["avr", "context", "choices", "whole"]
