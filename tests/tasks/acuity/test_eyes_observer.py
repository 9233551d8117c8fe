"""`sim/eyes` by name, put before the charts of the battery as an exam puts them."""

import subprocess
import sys
from typing import Any

import pytest

from snellen.call import Call, CallFailed, Message
from snellen.errors import UserError
from snellen.subjects import subject
from snellen.tasks.acuity.battery import NAMES, TESTS
from snellen.tasks.acuity.eyes.asked import test_of as asked_of
from snellen.tasks.acuity.kind import BLANK
from support.lengths import some_of
from support.sittings import replies, right, stimulus


def easy(test, number=0, **condition):
    level = TESTS[test].easiest
    return stimulus(test, level if level != "50.1" else "10", number, **condition)


# Names


def test_it_is_found_by_its_limits_and_says_them():
    who = subject("sim/eyes:blur=1.50,cap=768,count=7,lapse=0.05")
    assert who.name == "sim/eyes:cap=768,blur=1.5,count=7,lapse=0.05"
    assert who.settings["blur"] == 1.5
    assert subject(who.name).settings == who.settings
    assert subject("sim/eyes").name == "sim/eyes"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sim/eyes:cup=768", ["setting 'cup' of sim/eyes", "cap"]),
        ("sim/eyes:count=0", ["count='0'", "from 1"]),
        ("sim/eyes:lapse=2", ["lapse='2'", "probability"]),
        ("sim/eyes:noise=-1", ["noise='-1'", "grey levels"]),
        ("sim/eyes:jitter=3", ["jitter says nothing without patch"]),
        ("sim/eyse", ["simulated subject 'eyse'", "eyes"]),
    ],
)
def test_a_wrong_name_gets_one_clear_line(name, words):
    with pytest.raises(UserError) as caught:
        subject(name)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_other_simulated_subjects_load_no_pixels():
    code = "import sys; from snellen.subjects import subject; subject('sim/ideal'); print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# Answers


@some_of("test", NAMES, 3)
def test_without_limits_it_answers_every_test_by_looking(test):
    assert right("sim/eyes", *(easy(test, number) for number in range(3))) == 1


@some_of(
    "condition",
    [
        {"polarity": "light"},
        {"canvas": "1024x256"},
        {"canvas": "2048", "place": "r5c1"},
        {"font": "sans"},
        {"place": "+7"},
    ],
    3,
)
def test_letters_are_read_under_every_condition(condition):
    assert right("sim/eyes:blur=1", *(stimulus("letters", "3.16", number, **condition) for number in range(4))) == 1


@pytest.mark.parametrize("test", [name for name, test in TESTS.items() if test.blank])
def test_on_empty_charts_it_sees_nothing(test):
    blank = [stimulus(test, BLANK, number) for number in range(3)]
    assert replies("sim/eyes:blur=1", *blank) == ["0" if test == "number" else "nothing"] * 3


def test_too_faint_to_see_is_nothing_and_where_that_cannot_be_said_a_guess():
    assert replies("sim/eyes:contrast=0.5", stimulus("contrast", "0.051")) == ["nothing"]
    crowd = [stimulus("crowding", "1.5", number) for number in range(6)]
    said = replies("sim/eyes:contrast=1,blur=12", *crowd)
    assert set(said) <= set("CDHKNORSVZ")
    assert len(set(said)) > 2


def test_lapses_are_as_often_as_planted_and_random():
    shown = [stimulus("letters", "10", number) for number in range(40)]
    assert right("sim/eyes:lapse=0.5", *shown) == pytest.approx(0.55, abs=0.2)
    assert right("sim/eyes:lapse=1", *shown) < 0.3


@pytest.mark.soak
def test_it_says_the_same_whatever_was_asked_before_and_something_else_by_another_seed():
    shown = [stimulus("letters", "0.794", number) for number in range(12)]
    first = replies("sim/eyes:blur=1.8", *shown)
    assert replies("sim/eyes:blur=1.8", *reversed(shown)) == first[::-1]
    assert replies("sim/eyes:blur=1.8,seed=1", *shown) != first


# What it may know


def test_it_is_shown_no_truth_and_takes_one_picture_with_words():
    abilities = subject("sim/eyes").abilities
    assert not abilities.sees_truth
    assert (abilities.pictures, abilities.words, abilities.in_process) == (1, False, True)
    assert abilities.only == "the charts of task acuity"


def test_a_chart_relabelled_is_answered_by_its_pixels():
    """The same question about another picture: only the picture decides."""
    one, other = (stimulus("letters", "10", number) for number in (0, 1))
    assert one.question.key != other.question.key
    words = one.parts[-1]
    who: Any = subject("sim/eyes")
    for shown in (one, other):
        call = Call(who.name, who.settings, (Message("user", (shown.pictures[0], words)),), one)
        assert who._handle(call).text == shown.question.key


@pytest.mark.parametrize(
    "question",
    ["Who has won?", "How many squares are there?", "Describe the picture.", "Which word is written here?"],
)
def test_other_questions_are_refused_in_one_line(question):
    who: Any = subject("sim/eyes")
    call = Call(who.name, who.settings, (Message("user", (easy("letters").pictures[0], question)),))
    with pytest.raises(CallFailed, match=r"^sim/eyes looks at the charts of task acuity, one at a time"):
        who._handle(call)


def test_every_test_is_known_by_its_words():
    looks = {asked_of(easy(test).parts[-1]).look.__name__ for test in NAMES}
    assert looks == {
        "letter", "ring", "middle", "stripes", "digit", "out_of_line", "number", "crossed", "led_to",
    }  # fmt: skip
    for test in NAMES:
        found = asked_of(easy(test).parts[-1])
        assert TESTS[test].answers in (found.answers, ())
