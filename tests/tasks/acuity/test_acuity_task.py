"""The eye chart as a task: what exists, balanced answers, charts that fit, words that ask, an exam from end to end."""

import json
import re
from collections import Counter
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

import snellen
from snellen.analysis.ladder.rungs import ladder_results
from snellen.answer import mark
from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import load
from snellen.subjects.ocr.saying import said
from snellen.tasks import Design, task
from snellen.tasks.acuity.battery import BLANKS, GROUPS, TESTS, TRACKS, expanded, eye_test
from snellen.tasks.acuity.designs import MAIN, spread
from snellen.tasks.acuity.draw import optotypes, printed
from snellen.tasks.acuity.view import ALONG, FACTORS, PLACES, USUALLY, ChartView, page_of
from snellen.tasks.audit import audit_task
from snellen.tasks.ladder_spec import spec_of
from snellen.tasks.making import ItemRequest, make_stimuli
from support.lengths import examples

ACUITY = task("acuity")
PACK = load(ACUITY.prompts, "acuity")
OPEN = "number"
"""The test without alternatives."""


def made(test: str, level: str, index: int = 0, seed: int = 0) -> Item:
    assert ACUITY.item is not None
    return ACUITY.item({"test": test, "level": level}, index, seed)


def shown(test: str, level: str, index: int = 0, seed: int = 0, **condition: str) -> Stimulus:
    return ACUITY.stimulus(made(test, level, index, seed), Condition({**USUALLY, **condition}), PACK)


# What exists


def test_levels_rise_and_are_what_they_are_called() -> None:
    for test in TESTS.values():
        intensities = list(test.intensities.values())
        assert intensities == sorted(set(intensities)), test.name
        assert test.easiest == test.levels[0 if test.hard == "high" else -1]
        assert test.chance == (1 / len(test.answers) if test.answers else 0)


def test_every_level_of_a_test_exists_and_no_other() -> None:
    everything = {"test": tuple(TESTS), "level": ACUITY.factor("level").levels}
    wanted = {("letters", "blank"): 20} | {(name, "blank"): 5 for name in BLANKS[1:]}
    counts = [((kind["test"], kind["level"]), count) for kind, count in ACUITY.counts(everything, 3)]
    kinds = [kind for kind, count in counts if count == wanted.get(kind, 3)]
    known = {(test.name, level) for test in TESTS.values() for level in test.levels}
    assert set(kinds) == known | {(name, "blank") for name in BLANKS}
    assert len(kinds) == len(set(kinds))


def test_a_level_that_none_of_the_tests_has_is_one_clear_line() -> None:
    with pytest.raises(UserError, match=r"none of these tests has it \(number: 1 to 44\)"):
        ACUITY.counts({"test": ("number",), "level": ("0.5",)}, 1)


def test_tests_of_several_kinds_are_chosen_by_one_name() -> None:
    assert expanded(("letters", "gratings", "gratings-2")) == ("letters", *GROUPS["gratings"])
    assert len(GROUPS["colour"]) == 8
    with pytest.raises(UserError, match="did you mean letters"):
        eye_test("leters")


def test_the_default_battery_takes_about_550_calls() -> None:
    design = ACUITY.design()
    assert design.tracks == TRACKS
    assert {graded.kind["test"] for graded in TRACKS} == set(TESTS)
    most = sum(graded.most for graded in TRACKS) + ACUITY.size(design, design.n)
    assert 550 <= most <= 620
    assert sum(graded.check is not None for graded in TRACKS) == 1, "small print, after letters"


def test_designs_over_canvases_and_places_ask_only_what_fits() -> None:
    for name in ("resolution", "field"):
        tracks = ACUITY.design(name).tracks
        assert len({graded.track.name for graded in tracks}) == len(tracks)
        for graded in tracks:
            for turn in graded.turns or ({},):
                condition = Condition({**USUALLY, **graded.condition, **turn})
                for level in graded.track.levels:
                    assert ACUITY.applies({**graded.kind, "level": level}, condition), (graded.track.name, level)
    field = [graded for graded in ACUITY.design("field").tracks if not graded.turns]
    assert Counter(graded.condition["canvas"] for graded in field) == {"512": 25, "1024": 25, "2048": 25}
    assert {graded.condition["place"] for graded in field if graded.condition["canvas"] == "2048"} == set(PLACES)
    rows = [graded for graded in ACUITY.design("field").tracks if graded.turns]
    assert {turn["place"] for graded in rows for turn in graded.turns} == set(ALONG)
    assert len(ALONG) == 64


def test_constant_stimuli_go_from_the_first_to_the_last_level() -> None:
    levels = spread("letters", 8)
    assert (levels[0], levels[-1], len(set(levels))) == ("0.501", "50.1", 8)
    assert ACUITY.size(ACUITY.design("constant"), 10) == 10 * (8 * len(TESTS) + len(BLANKS) + 1)


# Charts


def test_every_answer_has_its_turn() -> None:
    for test in TESTS.values():
        for start in (0, len(test.answers) * 7):
            turns = [
                made(test.name, test.levels[1], index).truth["answer"]
                for index in range(start, start + len(test.answers))
            ]
            assert sorted(turns) == sorted(test.answers), test.name
    letters = ["".join(made("letters", level, k).truth["answer"] for k in range(10)) for level in ("1", "2", "10")]
    assert len(set(letters)) == 3, "levels have orders of their own"


def test_an_item_needs_none_before_it_and_the_seed_makes_it() -> None:
    for name, test in TESTS.items():
        assert made(name, test.easiest, 7) == made(name, test.easiest, 7)
        several = {made(name, test.easiest, 7, seed).digest for seed in range(3)}
        assert len(several) > 1, name


def test_no_chart_is_shown_twice() -> None:
    """The same picture with the same words is one call, and its answer would count twice."""
    for name in ("letters", "gratings-8", "alignment", "number", "crossings", "paths"):
        level = TESTS[name].levels[len(TESTS[name].levels) // 2]
        assert len({made(name, level, index).digest for index in range(40)}) >= 38, name
    assert len({shown("letters", "1", index).pictures[0].digest for index in range(20)}) == 20
    for name in BLANKS:
        assert len({shown(name, "blank", index).pictures[0].digest for index in range(20)}) == 20, name


@st.composite
def trials(draw: st.DrawFn) -> tuple[str, str, dict[str, str]]:
    test = draw(st.sampled_from(sorted(TESTS)))
    levels = (*TESTS[test].levels, "blank") if TESTS[test].blank else TESTS[test].levels
    condition = {factor.name: draw(st.sampled_from(factor.levels)) for factor in FACTORS if draw(st.booleans())}
    return test, draw(st.sampled_from(levels)), {**USUALLY, **condition}


@examples(15, 30)
@given(trials(), st.integers(0, 10**4), st.integers(0, 10**6))
def test_whatever_applies_can_be_drawn_and_asked(trial: tuple[str, str, dict[str, str]], index: int, seed: int) -> None:
    test, level, condition = trial
    page = page_of(condition["canvas"])
    assume(page.width * page.height <= 1536 * 1536)  # larger ones are the same, slowly
    condition = condition if ACUITY.applies({"test": test, "level": level}, Condition(condition)) else dict(USUALLY)
    page = page_of(condition["canvas"])
    stimulus = shown(test, level, index, seed, **condition)
    [picture] = stimulus.pictures
    with Image.open(BytesIO(picture.data)) as image:
        assert image.size == (page.width, page.height)
    assert json.loads(json.dumps(stimulus.item.truth)) == stimulus.item.truth
    question = stimulus.question
    assert mark(question.key, question).outcome == "right"
    for wrong, why in question.mechanisms.items():
        verdict = mark(wrong, question)
        assert (verdict.outcome, verdict.mechanism) == ("wrong", why)


def test_what_does_not_fit_a_canvas_is_not_asked_on_it() -> None:
    def applies(test: str, level: str, **condition: str) -> bool:
        return ACUITY.applies({"test": test, "level": level}, Condition({**USUALLY, **condition}))

    assert applies("letters", "50.1", canvas="256")
    assert not applies("letters", "50.1", canvas="256", font="sans")
    assert not applies("crowding", "5.31", canvas="256")
    assert not applies("colour-red", "20", polarity="light")
    assert not applies("landolt", "1", font="sans")
    assert not applies("letters", "blank", place="r1c1")


def test_letters_stand_where_the_field_has_them() -> None:
    view = ChartView(page_of("1024x512"), "r1c5")
    assert view.spot(10, (0, 0)) == (922, 51)
    assert ChartView(place="+5").spot(10, (7, -7)) == (261, 261)
    assert ChartView(place="centre").spot(10, (7, -7)) == (263, 249)
    x, y = ChartView(page_of("256"), "r5c1").spot(250.5, (-16, 15))
    assert (x, y) == (2 + 125.25, 3 + 125.25), "what would leave the page is moved inside"
    assert ChartView(page_of("256"), "r1c1").spot(50, (-16, -16)) == (35, 35), "and what would touch its edge"


@pytest.mark.soak
def test_files_of_a_test_are_equally_long() -> None:
    """Else their length would tell stripes that stand from stripes that lean, and many dots from few."""
    for name, test in TESTS.items():
        if not name.startswith("colour-") or name == "colour-red":
            shares = (0, len(test.levels) // 2, -1)
            sizes = {len(shown(name, test.levels[at], index).pictures[0].data) for at in shares for index in range(4)}
            assert len(sizes) == 1, (name, sizes)


PINNED = {
    "letters": "9c61aae0c2a7060d",
    "landolt": "a26c5d892f22f69f",
    "contrast": "af2ef11833300330",
    "crowding": "f7e10c4bec3e153f",
    "gratings-8": "b127c86ce1bfde78",
    "colour-red": "732f091458681996",
    "alignment": "9caeffe91e6d0abd",
    "number": "993acad3cd5f9fc9",
    "crossings": "83b1f44870be96df",
    "paths": "889f33e6c7fa4af9",
}


@pytest.mark.parametrize("test", MAIN)
def test_bytes_are_the_same_everywhere(test: str) -> None:
    sha = sha256()
    for at in (0, len(TESTS[test].levels) // 2, -1):
        sha.update(shown(test, TESTS[test].levels[at], 3, 11).pictures[0].data)
    assert sha.hexdigest()[:16] == PINNED[test]


def test_print_is_as_high_as_optotypes_and_says_what_it_is() -> None:
    plain, print_ = (shown("letters", "10", 1, font=font) for font in ("sloan", "sans"))
    assert "DejaVu Sans Bold, 50 px high" in print_.twin
    assert plain.question.key == print_.question.key
    assert f"the letter {plain.question.key}" in print_.twin
    high = printed.painted(printed.PrintedLetter("H", 10.0, 256, 256)).numbers < 128
    rows = np.flatnonzero(high.any(axis=1))
    assert rows[-1] - rows[0] + 1 == 50
    with pytest.raises(ValueError, match="none of the letters"):
        printed.PrintedLetter("Q", 10.0, 256, 256)
    assert printed.PrintedLetter("H", 10.0, 256, 256).size == optotypes.UNITS * 10


# Words


def test_words_speak_of_letters_and_digits_only_where_these_are_asked_for() -> None:
    """Readers of print take look-alikes for what is asked for."""
    letters = {"letters", "contrast", "crowding"}
    for name, test in TESTS.items():
        words = shown(name, test.easiest).question.text
        assert bool(re.search(r"\bletters?\b", words)) == (name in letters), name
        assert bool(re.search(r"\bdigits?\b", words)) == name.startswith("colour-"), name
        assert "{" not in words
        if test.answers and not name.startswith("colour-") and name not in ("crossings", "paths"):
            assert all(answer in words for answer in test.answers), name
    assert said("5", shown("letters", "10").question.text) == "S"
    assert said("S", shown("colour-red", "10").question.text) == "5"


@pytest.mark.soak
def test_the_words_of_a_test_are_the_same_for_every_item() -> None:
    for name, test in TESTS.items():
        levels = (*test.levels[::12], "blank") if test.blank else test.levels[::12]
        assert len({shown(name, level, index).question.text for level in levels for index in range(2)}) == 1, name


def test_the_twin_says_what_is_there_and_the_alt_text_does_not() -> None:
    for name in ("letters", "contrast", "landolt", "crowding", "gratings-8", "colour-blue"):
        for index in range(4):
            stimulus = shown(name, TESTS[name].levels[3], index)
            assert re.search(rf"\b{stimulus.question.key}\b", stimulus.twin), stimulus.twin
            assert stimulus.pictures[0].alt == "an eye chart"
    assert "nothing at all" in shown("letters", "blank").twin


def test_wrong_answers_say_what_was_seen_instead() -> None:
    crowd = shown("crowding", "1.5", 2)
    above, right, below, left = crowd.item.truth["flankers"]
    named = {letter: crowd.question.mechanisms[letter] for letter in (above, right, below, left)}
    assert list(named.values()) == ["flanker above", "flanker right", "flanker below", "flanker left"]
    assert Counter(crowd.question.mechanisms.values())["another letter"] == 5
    letter = shown("letters", "2", 0).question
    other = "K" if letter.key != "K" else "H"
    assert letter.mechanisms[other] == f"read as {other}"
    assert letter.mechanisms["nothing"] == "saw nothing"
    assert set(shown("letters", "blank").question.mechanisms.values()) == {"saw what is not there"}
    ring = next(s.question for k in range(8) if (s := shown("landolt", "5.01", k)).question.key == "upper right")
    assert ring.mechanisms["lower left"] == "the opposite direction"
    assert ring.mechanisms["up"] == ring.mechanisms["right"] == "one step off"
    path = shown("paths", "10", 5)
    straight = str(path.item.truth["start"] + 1)
    assert straight == path.question.key or path.question.mechanisms[straight] == "straight across"
    dots = shown("number", "19").question
    assert (dots.mechanisms["18"], dots.mechanisms["20"]) == ("one too few", "one too many")
    assert dots.mechanisms["25"] == "a round number"
    assert (dots.mechanisms["13"], dots.mechanisms["27"]) == ("too few", "too many")
    assert mark("3", shown("number", "blank").question).mechanism == "saw what is not there"


# Exams


@pytest.mark.soak
def test_who_sees_everything_is_right_about_everything(tmp_path: Path) -> None:
    exam = snellen.exam("sim/ideal", tasks="acuity", design="constant", n=1, store=tmp_path / "s.sqlite")
    assert set(exam.rows["outcome"]) == {"right"}
    assert set(exam.rows["test"]) == set(TESTS)
    assert {"direct", "words", "told"} == set(exam.rows["paradigm"])


def test_chosen_tests_are_asked_and_no_others(tmp_path: Path) -> None:
    levels = {"test": ("letters", "number")}
    exam = snellen.exam("sim/ideal", tasks="acuity", levels=levels, store=tmp_path / "s.sqlite")
    assert set(exam.rows["test"]) == {"letters", "number"}
    assert set(exam.rows.filter(exam.rows["test"] == "letters")["level"]) <= {*TESTS["letters"].levels, "blank"}


def test_only_easy_charts_are_charged_to_the_eyes(tmp_path: Path) -> None:
    """Who sees nothing small has a threshold, no fault: the ladder stands on what is easy."""
    levels = {"test": ("letters", "number")}
    who, store = "sim/ideal:see=0.5", tmp_path / "s.sqlite"
    exam = snellen.exam(who, tasks="acuity", design="constant", n=4, levels=levels, store=store)
    asked = exam.rows.filter(exam.rows["paradigm"] == "direct").select("item", "test", "level").iter_rows()
    easy = {item for item, test, level in asked if level == TESTS[test].easiest}
    assert 0 < len(easy) < exam.rows["item"].n_unique()
    [result] = ladder_results(exam.rows, spec_of("acuity", ()))
    assert set(result.units) == easy


@pytest.mark.soak
def test_a_battery_of_charts_is_drawn_in_no_time() -> None:
    """2,000 charts in the battery's proportions are to take less than a minute: here some of them."""
    wanted = [
        (graded.kind["test"], list(graded.track.levels)[index * 5 % len(graded.track.levels)], index)
        for graded in TRACKS
        for index in range(graded.track.most // 8)
    ]
    for test in TESTS:  # what all charts of a test share is made once
        shown(test, TESTS[test].easiest)
    begun = process_time()
    for test, level, index in wanted:
        shown(test, level, index)
    assert (process_time() - begun) * 2000 / len(wanted) < 60


@pytest.mark.soak
@pytest.mark.parametrize("test", MAIN)
def test_no_shortcut_leads_to_the_answer(test: str) -> None:
    levels = TESTS[test].levels
    chosen = {"test": (test,), "level": (levels[len(levels) // 2],)}
    report = audit_task(ACUITY, chosen, 120, 1)
    assert not report.leaks, str(report)


# Sets


def test_what_is_made_ahead_does_not_depend_on_answers() -> None:
    assert ACUITY.design().name == "adaptive"
    assert ACUITY.design_ahead().name == "constant"
    assert task("fixation").design_ahead().name == "quick"
    with pytest.raises(UserError, match=r"design field of task acuity: .* choose a fixed one \(constant, same\)"):
        ACUITY.design_ahead("field")


def test_levels_that_only_another_test_is_asked_at_are_not_made() -> None:
    """Letters and bars are both asked at 1 px in some design, and neither at all levels of the other."""
    blocks = ({"test": ("letters",), "level": ("2",)}, {"test": ("alignment",), "level": ("1",)})
    order = ItemRequest(ACUITY, Design("two", "", 3, blocks), 3, 0, PACK)
    assert order.size == 6
    assert {(kind["test"], kind["level"]) for kind, _ in order.places or ()} == {("letters", "2"), ("alignment", "1")}
    assert len(list(make_stimuli(order, 1))) == 6


@pytest.mark.parametrize("canvas", ["1024x256", "2048", "3072", "4096"])
def test_files_on_other_canvases_are_equally_long_too(canvas: str) -> None:
    pictures = [
        shown("letters", level, index, canvas=canvas).pictures[0] for level in ("1", "25.1") for index in (0, 1, 2)
    ]
    assert len({picture.digest for picture in pictures}) == 6
    assert len({len(picture.data) for picture in pictures}) == 1
