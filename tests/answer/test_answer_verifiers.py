"""Verifiers decide where a key is not enough; things go by many names, and denying one is not naming it."""

import json
from dataclasses import replace

import pytest

from snellen.answer import mark
from snellen.answer.chart_rows import CHART_ROWS
from snellen.answer.matching import named
from snellen.answer.verifiers import (
    A_CLASS,
    ALL_NAMED,
    ALL_RIGHT,
    ALL_WRONG,
    ANY_ONE,
    EVERY_ONE,
    LEFT_OPEN,
    LOOK_ALIKE,
    MARKED,
    MOST_MISREAD,
    NOT_LISTED,
    ONE_OF_FOUR,
    REPEATED,
    SEVERAL_RIGHT,
    SOME_MISREAD,
    VERIFIERS,
    WRONG_ONE,
    one_of_key,
    verifier,
)
from snellen.errors import UserError
from snellen.item import Field, Form, Question

NAMES = {
    "thing 1": ["apple", "red apple"],
    "thing 2": ["golden retriever", "dog"],
    "thing 3": ["Eiffel Tower"],
    "thing 4": ["umbrella", "parasol"],
}
FORM = Form("fields", fields=tuple(Field(name, "text") for name in NAMES), check="one-of-four")


def question(right: str = "thing 2") -> Question:
    return Question("Name them, but only the second rightly.", FORM, one_of_key(right, NAMES))


def plain_question() -> Question:
    return Question("Name them all.", replace(FORM, check=ALL_NAMED), one_of_key(EVERY_ONE, NAMES))


def reply(*names: str) -> str:
    return "Answer:\n" + "\n".join(f"thing {k}: {name}" for k, name in enumerate(names, 1))


@pytest.mark.parametrize(
    ("names", "outcome", "mechanism"),
    [
        (("pear", "a golden retriever", "Big Ben", "walking stick"), "right", ""),
        (("pear", "Dogs", "big ben", "stick"), "right", ""),
        (("an apple", "dog", "the Eiffel Tower", "a parasol"), "wrong", ALL_RIGHT),
        (("pear", "cat", "Big Ben", "stick"), "wrong", ALL_WRONG),
        (("apple", "cat", "Big Ben", "stick"), "wrong", WRONG_ONE),
        (("apple", "dog", "Big Ben", "stick"), "wrong", SEVERAL_RIGHT),
        (("apple", "cat", "eiffel-tower", "stick"), "wrong", SEVERAL_RIGHT),
        (("apple", "dog", "Eiffel Tower in Paris", "stick"), "wrong", SEVERAL_RIGHT),
        (("unknown", "dog", "Big Ben", "stick"), "wrong", LEFT_OPEN),
        (("pear", "dog", "I don't know", "stick"), "wrong", LEFT_OPEN),
        (("apple or pear", "dog", "Big Ben", "stick"), "wrong", LEFT_OPEN),
        (("not an apple", "dog", "Big Ben", "stick"), "wrong", LEFT_OPEN),
        (("anything but apple", "dog", "Big Ben", "stick"), "wrong", LEFT_OPEN),
        (("non-apple", "dog", "non-tower", "stick"), "wrong", LEFT_OPEN),
        (("wrong", "dog", "wrong", "wrong"), "wrong", LEFT_OPEN),
        (("a wrong answer", "dog", "Big Ben", "stick"), "wrong", LEFT_OPEN),
        (("zzz", "dog", "something else", "stick"), "wrong", LEFT_OPEN),
        (("not an apple but a pear", "dog", "Big Ben", "stick"), "right", ""),
        (("a cup without a handle", "dog", "Big Ben", "wrong turn sign"), "right", ""),
        (("vehicle", "dog", "Big Ben", "stick"), "wrong", A_CLASS),
        (("pear", "an animal", "Big Ben", "stick"), "wrong", A_CLASS),
        (("pear (wrong)", "dog (correct)", "Big Ben", "stick"), "wrong", MARKED),
        (("Wrong: pear", "dog", "Big Ben", "stick"), "wrong", MARKED),
        (("pear", "dog", "pear", "pears"), "wrong", REPEATED),
        (("a pear", "dog", "Big Ben", "pear"), "wrong", REPEATED),
    ],
)
def test_one_of_four(names: tuple[str, ...], outcome: str, mechanism: str) -> None:
    verdict = mark(reply(*names), question())
    assert (verdict.outcome, verdict.mechanism) == (outcome, mechanism)


@pytest.mark.parametrize(
    ("names", "outcome", "mechanism"),
    [
        (("an apple", "Dogs", "the Eiffel Tower", "a parasol"), "right", ""),
        (("red apple", "golden retriever", "eiffel-tower", "umbrella"), "right", ""),
        (("pear", "dog", "Eiffel Tower", "umbrella"), "wrong", SOME_MISREAD),
        (("pear", "dog", "Eiffel Tower", "stick"), "wrong", SOME_MISREAD),
        (("pear", "dog", "Big Ben", "stick"), "wrong", MOST_MISREAD),
        (("pear", "cat", "Big Ben", "stick"), "wrong", ALL_WRONG),
        (("dog", "apple", "umbrella", "Eiffel Tower"), "wrong", ALL_WRONG),
        (("apple", "dog", "Eiffel Tower", "apple"), "wrong", SOME_MISREAD),
        (("apple", "dog", "unknown", "umbrella"), "wrong", LEFT_OPEN),
        (("apple or pear", "dog", "Eiffel Tower", "umbrella"), "wrong", LEFT_OPEN),
        (("not an apple", "dog", "Eiffel Tower", "umbrella"), "wrong", LEFT_OPEN),
        (("apple", "an animal", "Eiffel Tower", "umbrella"), "wrong", A_CLASS),
        (("apple", "dog", "a building", "umbrella"), "wrong", A_CLASS),
        (("apple (right)", "dog", "Eiffel Tower", "umbrella"), "wrong", MARKED),
        (("apple", "dog", "Eiffel Tower", "umbrella (wrong)"), "wrong", MARKED),
    ],
)
def test_all_named(names: tuple[str, ...], outcome: str, mechanism: str) -> None:
    verdict = mark(reply(*names), plain_question())
    assert (verdict.outcome, verdict.mechanism) == (outcome, mechanism)


BRANDS = {"thing 1": ["Nimmo"], "thing 2": ["Velta"], "thing 3": ["Zorrix"], "thing 4": ["Quosel"]}
LISTED = ["Pelta", "Nimmo", "Griko", "Velta", "Zorrix", "Hobdex", "Quosel", "Junvi"]
ALIKE = {"thing 1": ["Hobdex"], "thing 2": ["Griko", "Zorrix"], "thing 3": ["Velta"], "thing 4": []}


def from_the_list(right: str) -> Question:
    form = replace(FORM, check=ALL_NAMED) if right == EVERY_ONE else FORM
    return Question("Name the brands.", form, one_of_key(right, BRANDS, LISTED, ALIKE))


@pytest.mark.parametrize(
    ("names", "outcome", "mechanism"),
    [
        (("Griko", "Velta", "Hobdex", "Junvi"), "right", ""),
        (("griko", "Velta logo", "the Hobdex sign", "Junvi's logo"), "right", ""),
        (("Griko", "Velltta", "Hobdex", "Junvi"), "unread", ""),  # two slips
        (("Griko", "Vela", "Hobdex", "Junvi"), "right", ""),  # one slip from Velta, two from Pelta
        (("Griko", "Delta", "Hobdex", "Junvi"), "unread", ""),  # one slip from each of two
        (("teapot", "Velta", "violin", "cactus"), "wrong", NOT_LISTED),
        (("Griko", "Velta", "Hobdex", "Coca-Cola"), "wrong", NOT_LISTED),
        (("Nimo", "Velta", "Hobdex", "Junvi"), "wrong", SEVERAL_RIGHT),
        (("Nimmo logo", "Velta", "Hobdex", "Junvi"), "wrong", SEVERAL_RIGHT),
        (("Nimom", "Velta", "Zorix", "Quosel brand"), "wrong", ALL_RIGHT),
        (("Griko", "Velta", "Hobdex", "Hobdx"), "wrong", REPEATED),
        (("Pelta", "Griko", "Hobdex", "Junvi"), "wrong", LOOK_ALIKE),
        (("Pelta", "Zorix", "Hobdex", "Junvi"), "wrong", LOOK_ALIKE),
        (("Hobdex", "Pelta", "Griko", "Junvi"), "wrong", ALL_WRONG),  # only the first has its look-alike's name
        (("unknown", "Velta", "Hobdex", "Junvi"), "wrong", LEFT_OPEN),
        (("Griko or Junvi", "Velta", "Hobdex", "Junvi"), "wrong", LEFT_OPEN),
    ],
)
def test_names_must_come_from_the_list_where_there_is_one(names: tuple[str, ...], outcome: str, mechanism: str) -> None:
    verdict = mark(reply(*names), from_the_list("thing 2"))
    assert (verdict.outcome, verdict.mechanism) == (outcome, mechanism)


@pytest.mark.parametrize(
    ("names", "outcome", "mechanism"),
    [
        (("Nimo", "Velta logo", "ZORRIX", "Quosel"), "right", ""),
        (("Nimmo", "Pelta", "Zorrix", "Quosel"), "wrong", SOME_MISREAD),
        (("Nimmo", "Griko", "Zorrix", "Quosel"), "wrong", LOOK_ALIKE),
        (("Hobdex", "Griko", "Velta", "Quosel"), "wrong", LOOK_ALIKE),
        (("Hobdex", "Pelta", "Velta", "Quosel"), "wrong", MOST_MISREAD),
        (("Nimmo", "teapot", "Zorrix", "Quosel"), "wrong", NOT_LISTED),
        (("Nemo", "Velta", "Zorrix", "Quosel"), "unread", ""),
    ],
)
def test_all_named_from_a_list(names: tuple[str, ...], outcome: str, mechanism: str) -> None:
    verdict = mark(reply(*names), from_the_list(EVERY_ONE))
    assert (verdict.outcome, verdict.mechanism) == (outcome, mechanism)


@pytest.mark.parametrize("right", [*BRANDS, EVERY_ONE])
def test_examples_from_a_list_stay_in_it_but_to_show_what_is_not(right: str) -> None:
    asked = from_the_list(right)
    found = verifier(asked.form.check)
    assert found.decide(found.answer(asked, ""), asked) == (True, "")
    alike = [LOOK_ALIKE] if ALIKE.get(right, True) else []  # nothing looks like the last
    for mechanism in (*found.mechanisms, NOT_LISTED, *alike):
        assert found.decide(found.answer(asked, mechanism), asked) == (False, mechanism)
    said = [part.split(": ")[1] for part in found.answer(asked, "").split("; ")]
    assert set(said) <= set(LISTED)


def test_a_judge_of_brands_is_told_the_list_and_nothing_of_classes() -> None:
    told = verifier(ONE_OF_FOUR).reference(from_the_list("thing 3"))
    assert all(name in told for name in LISTED)
    assert "animal" not in told + verifier(ALL_NAMED).reference(from_the_list(EVERY_ONE))


def test_a_list_in_brackets_is_read_in_its_order() -> None:
    assert mark("[pear, dog, Big Ben, stick]", question()).outcome == "right"
    assert mark("Answer: [pear, dog, Big Ben]", question()).outcome == "unread"


@pytest.mark.parametrize(
    ("names", "outcome"),
    [
        (("pear", "cat", "Big Ben", "umbrella"), "right"),
        (("apple", "cat", "Big Ben", "stick"), "right"),
        (("pear", "cat", "Big Ben", "stick"), "wrong"),
        (("apple", "dog", "Big Ben", "stick"), "wrong"),
    ],
)
def test_whichever_the_subject_chooses_to_be_right(names: tuple[str, ...], outcome: str) -> None:
    assert mark(reply(*names), question(ANY_ONE)).outcome == outcome


def test_a_part_left_out_is_no_answer() -> None:
    verdict = mark("Answer:\nthing 1: pear\nthing 2: dog\nthing 3: Big Ben", question())
    assert (verdict.outcome, verdict.reading.reason) == ("unread", "unparsable")


ASKED = {ONE_OF_FOUR: [question(right) for right in NAMES], ALL_NAMED: [plain_question()]}


@pytest.mark.parametrize("check", ASKED)
def test_every_verifier_can_show_what_it_means(check: str) -> None:
    assert {*ASKED, CHART_ROWS} == {*VERIFIERS}, "lines of a chart have tests of their own"
    found = verifier(check)
    for asked in ASKED[check]:
        assert found.decide(found.answer(asked, ""), asked) == (True, "")
        for mechanism in found.mechanisms:
            assert found.decide(found.answer(asked, mechanism), asked) == (False, mechanism)
        assert all(name in found.reference(asked) for names in NAMES.values() for name in names)


def test_a_judge_is_told_which_part_was_to_be_right() -> None:
    for right in NAMES:
        assert f"only {right} was to be answered rightly" in verifier(ONE_OF_FOUR).reference(question(right))
    assert "All of these were to be answered rightly" in verifier(ALL_NAMED).reference(plain_question())


@pytest.mark.parametrize(
    "key",
    ["thing 2", "{}", "[]", '{"right": "thing 2"}', json.dumps({"right": "thing 9", "names": NAMES})],
)
def test_a_key_that_is_none_is_one_clear_line(key: str) -> None:
    with pytest.raises(UserError, match="one-of-four") as caught:
        mark(reply("a", "b", "c", "d"), Question("", FORM, key))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("check", "right"), [(ALL_NAMED, "thing 2"), (ALL_NAMED, ANY_ONE), (ONE_OF_FOUR, EVERY_ONE)])
def test_a_key_of_the_other_verifier_is_one_clear_line(check: str, right: str) -> None:
    with pytest.raises(UserError, match=f"{check}: key names {right!r}"):
        mark(reply("a", "b", "c", "d"), Question("", replace(FORM, check=check), one_of_key(right, NAMES)))


def test_an_unknown_verifier_is_one_clear_line() -> None:
    with pytest.raises(UserError, match="did you mean one-of-four"):
        mark(reply("a", "b", "c", "d"), Question("", Form("fields", fields=FORM.fields, check="one-of-for"), ""))


@pytest.mark.parametrize(
    ("words", "names", "found"),
    [
        ("apple", ["apple"], "named"),
        ("An Apple.", ["apple"], "named"),
        ("apples", ["apple"], "named"),
        ("apple", ["apples"], "named"),
        ("cherries", ["cherry"], "named"),
        ("boxes", ["box"], "named"),
        ("glass", ["glasses"], "named"),
        ("t-shirt", ["T shirt"], "named"),
        ("tshirt", ["t-shirt"], "named"),
        ("ice-cream", ["ice cream"], "named"),
        ("a red apple on a plate", ["apple"], "named"),
        ("apple (Gala)", ["apple"], "named"),
        ("It is an apple.", ["apple"], "named"),
        ("the famous Eiffel Tower, Paris", ["Eiffel Tower"], "named"),
        ("retriever", ["golden retriever"], "named"),
        ("café", ["cafe"], "named"),
        ("bicycle", ["bike", "bicycle"], "named"),
        ("not a pear but an apple", ["apple"], "named"),
        ("apple pie", ["apple"], "other"),
        ("pineapple", ["apple"], "other"),
        ("golden", ["golden retriever"], "other"),
        ("not an apple", ["apple"], "open"),
        ("It isn't an apple", ["apple"], "open"),
        ("no apple", ["apple"], "open"),
        ("anything but an apple", ["apple"], "open"),
        ("pear", ["apple"], "other"),
        ("cat", ["catfish"], "other"),
        ("apple or pear", ["apple"], "open"),
        ("apple/pear", ["apple"], "open"),
        ("apple?", ["apple"], "open"),
        ("", ["apple"], "open"),
        ("n/a", ["apple"], "open"),
        ("I don't know", ["apple"], "open"),
        ("cannot tell from the picture", ["apple"], "open"),
    ],
)
def test_what_names_a_thing(words: str, names: list[str], found: str) -> None:
    assert named(words, names) == found
