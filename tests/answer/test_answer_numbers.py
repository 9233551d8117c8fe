"""Numbers and free texts in replies."""

import pytest

from snellen.answer import mark, normal, read
from snellen.item import Form, Question

NUMBERS = [
    ("4", "4"),
    ("4.", "4"),
    ("09", "9"),
    ("+4", "4"),
    ("-3", "-3"),
    ("−3", "-3"),
    ("-0", "0"),
    ("000", "0"),
    ("4.0", "4"),
    ("four", "4"),
    ("Four.", "4"),
    ("twenty-one", "21"),
    ("Twenty one.", "21"),
    ("minus two", "-2"),
    ("1,234", "1234"),
    ("1{,}234", "1234"),
    ("1\u202f234", "1234"),
    ("1'234'567", "1234567"),
    ("٤", "4"),
    ("４", "4"),
    ("{4}", "4"),
    ("{ 4 }", "4"),
    (r"\{4\}", "4"),
    ("{4} legs", "4"),
    ("I see {4} legs, no, {5}.", "5"),
    (r"\boxed{1,234}", "1234"),
    (r"The horse has 4 legs, so $\boxed{5}$", "5"),
    (r"{4} then \boxed{5}", "5"),
    ("4 legs", "4"),
    ("Answer: 4", "4"),
    ("The answer is 10 - 4 = 6", "6"),
    ("Answer=4", "4"),
    ("Final answer: 12.", "12"),
    ("The answer is 4 legs.", "4"),
    ("The answer is 5, since 4 legs and 1 more are drawn", "5"),
    ('{"answer": 4}', "4"),
    ("There are 4 legs.", "4"),
    ("I count five legs.", "5"),
    ("The total is 5.", "5"),
    ("Usually 4 legs. Therefore there are 5 legs.", "5"),
    ("First 3, then 2 more.\n\n5", "5"),
    ("9" * 40, "9" * 40),
]

UNREAD = [
    "",
    "many",
    "4 or 5",
    "4-5",
    "4 to 5",
    "4.5",
    "3/4",
    "5%",
    "10⁴",
    "10^4",
    "4½",
    "½",
    "1,23",
    "12:30",
    "1 234",
    "9" * 41,
    "4th",
    "I see 4 legs and 2 wings.",
    "The first has 4, the second 5",
    "Usually 4 legs, I count 5.",
    "If it were a dog, the answer would be 4.",
    "The answer is not 4.",
    "The answer is 4 or 5.",
    "The answer is between 4 and 5.",
    "1. Count\n2. Sum",
    "1\n2\n3",
    "Answer with a number in curly brackets, e.g., {9}.",
    "{4 or 5}",
]


@pytest.mark.parametrize("final", ["plain", "boxed", "braces"])
@pytest.mark.parametrize(("text", "answer"), NUMBERS)
def test_reads_a_number(text: str, answer: str, final: str) -> None:
    reading = read(text, Form("number", final=final))  # type: ignore[arg-type]
    assert (reading.answer, reading.reason) == (answer, ""), reading


@pytest.mark.parametrize("final", ["plain", "boxed", "braces"])
@pytest.mark.parametrize("text", UNREAD)
def test_leaves_a_number_unread(text: str, final: str) -> None:
    reading = read(text, Form("number", final=final))  # type: ignore[arg-type]
    assert (reading.answer, reading.reason) == ("", "unparsable"), reading


def test_numbers_are_compared_as_numbers() -> None:
    question = Question("How many?", Form("number", final="braces"), "05", {"4": "default count"})
    assert mark("{5}", question).outcome == "right"
    assert mark("{04}", question).mechanism == "default count"
    assert mark("{4} or {5} or so", question).outcome == "unread"


def test_the_braces_promised_decide() -> None:
    assert read("{4} ... {unsure}", Form("number", final="braces")).answer == ""
    assert read("{4} ... {unsure}", Form("number")).answer == "4"


TEXTS = [
    ("Paris", "Paris"),
    ("Paris.", "Paris"),
    ("**a red circle**", "a red circle"),
    (r"It is \boxed{\text{a red circle}}.", "a red circle"),
    ("I looked.\nAnswer: a red circle", "a red circle"),
    ("First answer: blue\nFinal answer: red", "red"),
    ("The answer is `left`.", "left"),
    ("<think>blue?</think>red", "red"),
]


@pytest.mark.parametrize(("text", "answer"), TEXTS)
def test_reads_free_text(text: str, answer: str) -> None:
    reading = read(text, Form("text"))
    assert (reading.answer, reading.reason) == (answer, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unparsable"),
        ("one\ntwo", "unparsable"),
        ("word " * 100, "unparsable"),
        ("I cannot answer that.", "refused"),
    ],
)
def test_leaves_free_text_unread(text: str, reason: str) -> None:
    reading = read(text, Form("text"))
    assert (reading.answer, reading.reason) == ("", reason)


def test_free_text_cut_short_counts_only_in_a_box() -> None:
    assert read("a red cir", Form("text"), "length").reason == "truncated"
    assert read(r"\boxed{a red circle} bec", Form("text"), "length").answer == "a red circle"


def test_texts_are_compared_without_dress() -> None:
    assert normal("  “Ａ red\u00a0Circle!”") == normal("a RED circle") == "a red circle"
    assert normal("straße") == normal("STRASSE")
    assert normal("?!") == "?!"
    assert mark("A RED  circle.", Question("What?", Form("text"), "a red circle")).outcome == "right"
