"""The words of published labels, made regular."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.tasks.marvel.load.words import explanation, kind, perception
from snellen.tasks.marvel.puzzle import FINE_TYPES


@pytest.mark.parametrize(
    ("said", "answer", "text", "useful"),
    [
        ("  A  dot\nmoves. ", 0, "A dot moves.", True),
        ("['One.', 'Two.']", 0, "One. Two.", True),
        ("['One.'", 0, "['One.'", False),
        ("Reformation", 0, "Reformation", False),
        ("rotation ", 0, "rotation", False),
        ("So it is. Only item B is consistent.", 1, "So it is. Only item B is consistent.", True),
        ("So it is. Only item B is consistent.", 3, "So it is. Only item B is consistent.", False),
        ('Only item B is so."', 1, "Only item B is so.", True),
    ],
)
def test_explanations(said: str, answer: int, text: str, useful: bool) -> None:
    made = explanation(said, answer)
    assert (made.text, made.useful) == (text, useful)


@pytest.mark.parametrize(
    ("asked", "right", "wrong", "text", "answers"),
    [
        (
            "X. Are there one of two stars in choice 4",
            "two",
            "one",
            "Are there {a} or {b} stars in choice 4?",
            "two one",
        ),
        ("Is choice 3 a letter E or F?", "f", "e", "Is choice 3 a letter {a} or {b}?", "F E"),
        (
            "Is it a circle or a square\N{FULLWIDTH QUESTION MARK}",
            " CIRCLES ",
            "square",
            "Is it a {a} or a {b}?",
            "circle square",
        ),
        ("Are three two or three stars here?", "two", "three", "Are three {a} or {b} stars here?", "two three"),
        ("Does it point up or down?", "up", "bottom", "Does it point {a} or {b}?", "up down"),
        ("Is there a {a} star in choice 1?", "yes", "No", "Is there a (a) star in choice 1?", "yes no"),
    ],
)
def test_perception_questions(asked: str, right: str, wrong: str, text: str, answers: str) -> None:
    fine = perception(asked, right, wrong).fine
    assert fine is not None
    assert (fine.text, f"{fine.right} {fine.wrong}") == (text, answers)


@pytest.mark.parametrize(
    ("right", "wrong"), [("two", "three"), ("Two", "FOUR"), ("purple", "green"), ("circles", "circles")]
)
def test_a_question_that_does_not_offer_its_answers_is_left_out(right: str, wrong: str) -> None:
    made = perception("Are there two black circles or triangles in choice 2?", right, wrong)
    assert made.fine is None
    assert made.about == 1
    assert made.notes


def test_articles_follow_the_order_of_the_answers() -> None:
    fine = perception("Is it inside of an ellipse or a square?", "ellipse", "square").fine
    assert fine is not None
    assert fine.asked("square", "ellipse") == "Is it inside of a square or an ellipse?"


@given(st.text(max_size=60), st.text(max_size=12), st.text(max_size=12))
def test_no_words_make_it_fail(asked: str, right: str, wrong: str) -> None:
    made = perception(asked, right, wrong)
    assert made.fine is None or made.fine.type in FINE_TYPES
    assert made.fine is None or made.fine.asked(made.fine.right, made.fine.wrong)
    assert "\n" not in explanation(asked, 0).text


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("Are there two or three lines in choice 1?", "two three", "quantity"),
        ("Is the triangle in choice 1 black or white?", "black white", "colour"),
        ("Is the left or right triangle in choice 2 filled?", "left right", "colour"),
        ("Are there black triangles in choice 4 or not?", "no yes", "colour"),
        ("Is the dot outside or inside of the star in choice 4?", "inside outside", "location"),
        ("Is there a circle or a triangle inside choice 3?", "circle triangle", "shape"),
        ("Are the left and right halves in choice 3 same or different?", "same different", "comparison"),
        ("Do the two lines intersect with each other in choice 1?", "yes no", "comparison"),
    ],
)
def test_kinds_of_questions(text: str, answers: str, expected: str) -> None:
    assert kind(text, *answers.split()) == expected
