"""A reading held against the question's key, and what a reply that was cut had not finished to say."""

import pytest

from snellen.answer import mark, read
from snellen.item import Form, Question

SIDES = Form("choice", ("left", "right", "above"))
QUESTION = Question("Where is it?", SIDES, "left", {"above": "a turned frame"}, also=("right",))


@pytest.mark.parametrize(
    ("reply", "outcome", "mechanism"),
    [("left", "right", ""), ("right", "right", ""), ("above", "wrong", "a turned frame"), ("below", "unread", "")],
)
def test_answers_as_right_as_the_key_are_right(reply: str, outcome: str, mechanism: str) -> None:
    verdict = mark(reply, QUESTION)
    assert (verdict.outcome, verdict.mechanism) == (outcome, mechanism)


@pytest.mark.parametrize("final", ["plain", "boxed"])
@pytest.mark.parametrize("reply", ["It is beside the box. The answer is left", r"So the answer is \boxed{left"])
def test_what_a_cut_reply_had_not_finished_to_say_is_no_answer(reply: str, final: str) -> None:
    form = Form("choice", SIDES.labels, final)  # type: ignore[arg-type]
    assert read(reply, form, "length").reason == "truncated"
    assert read(f"{reply}" + ("}." if "{" in reply else "."), form, "length").answer == "left"


def test_a_refusal_is_one_whatever_it_says() -> None:
    assert read("The answer is left.", SIDES, "refused").reason == "refused"


def test_a_reading_that_is_remembered_belongs_to_its_form_question_and_end() -> None:
    """Short replies are read once; what a reading depends on must tell them apart."""
    other = Form("choice", ("above", "below"))
    for _ in range(2):
        assert mark("It is above.", QUESTION).outcome == "wrong"
        assert mark("It is above.", Question(QUESTION.text, SIDES, "above")).outcome == "right"
        assert mark("It is left.", Question(QUESTION.text, other, "above")).outcome == "unread"
        assert read("It is left.", SIDES, "refused").reason == "refused"
        assert read("left", Form("choice", ["left", "right"])).answer == "left"  # type: ignore[arg-type]
        assert mark("A", Question("Who is the loser? A or B?", Form("choice", ("A", "B")), "B")).outcome == "wrong"
