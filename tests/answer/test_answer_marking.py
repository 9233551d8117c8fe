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
