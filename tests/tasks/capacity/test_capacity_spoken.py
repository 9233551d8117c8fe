"""Answers in whole sentences: whatever one says of a room, a street, a crowd or a sheet is read as said, or not at all.

Every answer that a question knows, right or wrong, is put into many natural sentences. Hardly any of them is unread,
and none is taken for another answer.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from snellen.answer import mark
from snellen.item import Question
from snellen.rng import stream
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds import kind_of
from snellen.tasks.rows import form_of, form_values
from support.lengths import few_and_more

PLACES = {
    "top left": "upper left",
    "top right": "upper right",
    "bottom left": "lower left",
    "bottom right": "lower right",
}
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
ALSO = {"larger": "bigger", "nearer": "closer", "farther": "further away", "fewer": "less"}
ANY = ("{x}", "{X}.", "**{x}**", "Answer: {x}", "They would say {x}.", "In that world: {x}", "I think it is {x}.")
SENTENCES = {
    "left_right": (
        *("to the {x}", "{x} of the {b}", "The {a} is to the {x} of the {b}.", "It's on the {x}."),
        *("They would say that the {a} is to the {x} of the {b}.", "Answer: to the {x} of the {b}"),
    ),
    "above_below": (
        *("{x} the {b}", "The {a} is {x} the {b}.", "It lies {x} the {b}.", "{X} it."),
        *("In their words, the {a} is {x} the {b}.", "Answer: The {a} is {x} the {b}."),
    ),
    "presence": ("It is {x}.", "{A} is {x}.", "{A} is called {x} there.", "They would call it {x}."),
    "size": (
        *("{x} than the {b}", "The {a} is {x} than the {b}.", "It is {x}.", "{y}", "The {a} is {y} than the {b}."),
        *("The {a} is drawn {x} than the {b}.", "The {a} is {x} than the {b}, as they are drawn."),
    ),
    "depth": (
        *("{x} than the {b}", "The {a} is {x} than the {b}.", "{y}", "Answer: {y}", "The {a} is {y} than the {b}."),
        *("The {a} is {x} than the {b}, as seen from here.", "It is {y} than the {b}."),
    ),
    "amount": (
        *("There are {x} {a} than {b}.", "{x} {a}", "{x} {a} than {b}", "{x} than {b}", "There are {x} {a}."),
        *("There are {y} {a} than {b}.", "Answer: {x} {a} than {b}", "They would say there are {x} {a} than {b}."),
    ),
    "count": ("There are {x} {a}.", "{x} {a}", "There are {n} {a}.", "They count {x} {a}.", "Answer: {n}"),
    "colour": (
        "The {a} is {x}.",
        "It is {x}.",
        "The colour is {x}.",
        "They would call it {x}.",
        "It is called {x} there.",
    ),
    "name": (
        *("{i}", "the {x}", "It is {i}.", "They would call it {i}.", "Answer: the {x}", "Answer: {i}"),
        *("The person holds {i}.", "The sign shows {i}.", "The largest thing is the {x}."),
    ),
    "corner": (
        *("{h}", "{x} corner", "The {h} quarter.", "The {a} is in the {x} quarter.", "in the {h} corner", "{y}"),
        *("The {a} is in the {h} quarter of the picture.", "Answer: in the {h} corner", "They say {y}."),
    ),
    "name_place": ("{i}", "the {x}", "The {x} is furthest to the {a}.", "Answer: the {x}", "That would be the {x}."),
}
SENTENCES |= dict.fromkeys(("count_name", "count_doubled"), SENTENCES["count"])
SENTENCES |= {"colour_name": tuple(sentence.replace("{a}", "{name}") for sentence in SENTENCES["colour"])}
TURNED = {
    "left_right": ("The {b} is to the {x} of the {a}.", "{x} of the {a}", "The {b} is on the {x}."),
    "above_below": ("The {b} is {x} the {a}.", "{x} the {a}", "The {b} is {x}."),
    **dict.fromkeys(("size", "depth"), ("The {b} is {x} than the {a}.", "{y} than the {a}", "The {b} is {y}.")),
    "amount": ("There are {x} {b} than {a}.", "{x} {b}", "{x} than {a}", "Answer: There are {y} {b}."),
}
"""What is said of the other thing."""
ORDINALS = ("first", "second", "third", "fourth")
OF_FOUR = (
    *(
        "{x}",
        "Answer: {x}",
        "#{x}",
        "Answer {x} is {asked}.",
        "The {nth} answer is {asked}.",
        "The {nth} one is {asked}.",
    ),
    *(
        "the {nth}",
        "The {nth} answer.",
        "Answer: the {nth} one",
        "It's the {nth} answer.",
        "Only the {nth} answer is {asked}.",
    ),
    *("The {asked} answer is the {nth}.", "The {asked} one is number {x}.", "I think the {nth} answer is {asked}."),
    *("The answer to the {nth} question is {asked}.", "The answer to question {x} is {asked}.", "Pair {x}."),
    *("{x}. {question} - {answer}", "Answer: {x}. {question} - {answer}", "The {nth} statement is {asked}."),
)


@cache
def _truth(kind: str, size: str, n: int) -> Truth:
    return kind_of(kind).make(stream(23, "spoken", kind, size, n), size, n)


def _questions(kind: str, size: str, every: int = 1) -> Iterator[tuple[Truth, Question]]:
    """Rooms take their time: fewer items where they are."""
    made = kind_of(kind)
    assert made.plain
    for n in range(0, 72 if size == "small" else 36, every):
        truth = _truth(kind, size, n)
        for told in (truth, made.plain(truth)):
            asked = made.ask(told)
            yield told, Question("", asked.form, asked.key, asked.mechanisms)


def _said(truth: Truth, answer: str) -> Iterator[str]:
    """The answer to a question of another world in many sentences."""
    a = truth["slots"].get("a", "")
    values = {**truth["slots"], "x": answer, "X": answer.capitalize(), "i": with_article(answer), "A": a.capitalize()}
    values |= {"y": PLACES.get(answer) or ALSO.get(answer, answer), "h": answer.replace(" ", "-")}
    values |= {"n": WORDS[int(answer)]} if answer.isdigit() else {}
    for sentence in (*ANY, *SENTENCES[truth["world"]]):
        yield sentence.format_map(values)


def _pointed(truth: Truth, answer: str) -> Iterator[str]:
    """The number of one of four answers in many sentences."""
    pair = truth["pairs"][int(answer) - 1]
    values = {"x": answer, "nth": ORDINALS[int(answer) - 1], "asked": truth.get("asked", "wrong")}
    for sentence in OF_FOUR:
        yield sentence.format_map({**values, "question": pair["question"], "answer": pair["answer"]})


def _answers(question: Question) -> Sequence[str]:
    return question.form.labels or sorted({question.key, *question.mechanisms})


@pytest.mark.parametrize("kind", ["counterfactual", "wrong_answer"])
@few_and_more(("size", "every"), [("standard", 12)], [(size, 1) for size in ("standard", "small", "large")])
def test_no_sentence_is_taken_for_another_answer_and_hardly_any_is_unread(kind: str, size: str, every: int) -> None:
    unread, all_of_them = [], 0
    for truth, question in _questions(kind, size, every):
        for answer in _answers(question):
            for reply in (_said if kind == "counterfactual" else _pointed)(truth, answer):
                verdict = mark(reply, question)
                all_of_them += 1
                if verdict.outcome == "unread":
                    unread.append(reply)
                    continue
                assert verdict.reading.answer == answer, reply
                assert (verdict.outcome == "right") == (answer == question.key), reply
    assert len(unread) <= 0.01 * all_of_them, sorted(set(unread))


@few_and_more("size", ["small"], ["standard"])
def test_what_is_said_of_the_other_thing_is_no_answer(size: str) -> None:
    tried = set()
    for truth, question in _questions("counterfactual", size):
        a, b = truth["slots"].get("a", ""), truth["slots"].get("b", "")
        for sentence in TURNED.get(truth["world"], ()):
            for answer in question.form.labels:
                reply = sentence.format(a=a, b=b, x=answer, y=ALSO.get(answer, answer))
                assert mark(reply, question).outcome == "unread", reply
                tried.add((truth["world"], sentence))
    assert len(tried) >= (16 if size == "standard" else 13)


def test_what_is_compared_is_kept_with_the_form() -> None:
    forms = {question.form for _, question in _questions("counterfactual", "small")}
    assert any(form.about for form in forms)
    assert all(form_of(form_values(form)) == form for form in forms)
