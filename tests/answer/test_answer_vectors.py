"""Replies and what they say: the published parser's vectors, and everything the reader must read or leave unread."""

import pytest

from snellen.answer import mark, read
from snellen.item import Form, Question

XO, AB, BW, RY, IQ = ("X", "O"), ("A", "B"), ("Black", "White"), ("Red", "Yellow"), ("I", "Q")
ABCD, YES_NO, CATEGORIES = ("A", "B", "C", "D"), ("Yes", "No"), ("cat_1", "cat_2")

# Where the published parser is right we agree; where it guesses ("I cannot tell" is O to it), we abstain.
PUBLISHED = [
    ("I cannot tell", XO, ""),
    ("KAP", AB, ""),
    ("NEX", XO, ""),
    ("POM", XO, ""),
    ("TOV", XO, ""),
    ("RIL", XO, ""),
    ("RIL", BW, ""),
    ("The winner is B because it is a majority", AB, "B"),
    ("I think Q wins. I am sure", IQ, "Q"),
    (r"so \boxed{\text{X}}", XO, "X"),
    ("", XO, ""),
    (" X ", XO, "X"),
    ("x", XO, "X"),
    ("WHITE", BW, "White"),
    (r"\boxed{X} or rather \boxed {O}", XO, "O"),
    (r"\boxed{ black }", BW, "Black"),
    ("Therefore the winner is White", BW, "White"),
    ("So far X has a line. Next I look at", XO, ""),
    ("not X", XO, ""),
]

DRESSED = [
    (r"\boxed{\mathrm{Black}}", BW, "Black"),
    (r"\boxed{\textbf{B}}", AB, "B"),
    (r"$\boxed{B}$", AB, "B"),
    (r"\[ \boxed{\text{Player } X} \]", XO, "X"),
    ("Final answer: \\(\\boxed{\\text{Black}}\\)", BW, "Black"),
    ("Let's see.\n\nThe answer is:\n\n$$\n\\boxed{O}\n$$", XO, "O"),
    ("\x08oxed{X}", XO, "X"),
    ("<|begin_of_box|>X<|end_of_box|>", XO, "X"),
    ("<answer>X</answer>", XO, "X"),
    ("<p>The answer is <b>X</b></p>", XO, "X"),
    ("**X**", XO, "X"),
    ("__X__", XO, "X"),
    ("`X`", XO, "X"),
    ("```\nX\n```", XO, "X"),
    ('"X"', XO, "X"),
    ("«X»", XO, "X"),
    ("„X“...", XO, "X"),
    ("(X)", XO, "X"),
    ("> X", XO, "X"),
    ("* X", XO, "X"),
    ("X.", XO, "X"),
    ("X!", XO, "X"),
    ("X 🎉", XO, "X"),
    ("X\nX", XO, "X"),
    ('{"answer": "X"}', XO, "X"),
    ('{"reason": "O has a line", "answer": "X"}', XO, "X"),
    ("cat_2", CATEGORIES, "cat_2"),
    ("The answer is `cat_2`.", CATEGORIES, "cat_2"),
]

LETTERS = [
    ("Х", XO, "X"),
    ("О", XO, "O"),
    ("Ο", XO, "O"),
    ("Α", AB, "A"),
    ("Ｘ", XO, "X"),
    ("𝐗", XO, "X"),
    ("Ⓑ", AB, "B"),
    ("Вlасk", BW, "Black"),
    ("X\u200b", XO, "X"),
    ("\ufeff\u00a0X\u00a0", XO, "X"),
    ("X\u0332", XO, "X"),
    ("X\u0336", XO, ""),  # struck out
    ("~~X~~", XO, ""),
    ("The winner ≠ X", XO, ""),
    ("0", XO, "O"),
    (r"\boxed{0}", XO, "O"),
    ("The answer is 0.", XO, ""),
    ("0", ("0", "O"), "0"),
]

WORDS = [
    ("I.", IQ, "I"),
    (r"\boxed{I}", IQ, "I"),
    ("I wins", IQ, "I"),
    ("I think I wins", IQ, "I"),
    ("I lost count.", IQ, ""),
    ("I, as a model, cannot say", IQ, ""),
    ("Answer: I think Q wins", IQ, "Q"),
    ("a", AB, "A"),
    ("the answer is a.", AB, "A"),
    ("The winner is a player who has more", AB, ""),
    ("A player wins when it has more boxes.", AB, ""),
    ("A player wins when it has more boxes. Hence B.", AB, "B"),
    ("The answer is A majority of boxes", AB, ""),
    ("There are three in a row", AB, ""),
    ("three-in-a-row", AB, ""),
    ("X-axis", XO, ""),
    ("The winner is X's opponent.", XO, ""),
    ("The opponent of X wins", XO, ""),
    ("Any player other than X wins", XO, ""),
    ("The answer is no.", YES_NO, "No"),
    ("No.", YES_NO, "No"),
]

STATED = [
    ("Answer: X", XO, "X"),
    ("The answer is **X**.", XO, "X"),
    ("The answer is:  \n  X", XO, "X"),
    ("The answer should be X", XO, "X"),
    ("The correct answer is (B).", AB, "B"),
    ("The answer is option B: a triangle.", ABCD, "B"),
    ("### Final Answer\n\n**X**", XO, "X"),
    ("I choose X.", XO, "X"),
    ("X is the answer", XO, "X"),
    ("The answer is X, not O.", XO, "X"),
    ("Thus the answer is X, because O has no line.", XO, "X"),
    ("X has three in a row, so under this rule X loses. The answer is O.", XO, "O"),
    ("The answer is X. Hm. Actually the answer is O.", XO, "O"),
    (r"The answer is O. \boxed{X}", XO, "X"),
    (r"\boxed{X} Actually, the answer is O.", XO, "O"),
    ("Row 1 has X X X.\nSo X has a line.\n\nO", XO, "O"),
    ("Question: who wins? Answer with only X or O.\nX", XO, "X"),
    ("X\nQ: Who has lost?\nA: O", XO, "X"),
    ("I: 12\nQ: 13", IQ, ""),  # a label, not the start of another question
    ("<think>the answer is O</think>X", XO, "X"),
    ("<think>one</think><think>the answer is O</think>\nThe answer is X.", XO, "X"),
    ("O (the second player)", XO, "O"),
    ("X because it has three in a row and O does not", XO, "X"),
    ("X\n\nExplanation: O has no line.", XO, "X"),
    ("(B) 12", ABCD, "B"),
    ("B. a triangle", ABCD, "B"),
    ("Player A", AB, "A"),
    ("The winner is the player who plays X", XO, "X"),
    ("The winner is **Black**.\n\nExplanation: Black has 14 pieces and White has 11.", BW, "Black"),
    ("Winner: Black", BW, "Black"),
    ("Black wins", BW, "Black"),
    ("Player A wins", AB, "A"),
    ("the loser is White", BW, "White"),
    ("Sure! The winner is X! 🎉", XO, "X"),
    ("The winner is **player X** (crosses).", XO, "X"),
]

OPEN = [
    ("X does not win", XO),
    ("The winner isn't X", XO),
    ("The answer isn't X.", XO),
    ("The answer is not X", XO),
    ("The answer can't be X", XO),
    ("I don't think the answer is X.", XO),
    ("It is false that X is the answer", XO),
    ("X isn't the answer", XO),
    ("X", BW),
    ("X or O", XO),
    ("X/O", XO),
    ("X, O", XO),
    ("X?", XO),
    ("!X", XO),
    ("either X or O", XO),
    ("The answer is X or O.", XO),
    ("The answer is X and O.", XO),
    ("The answer is both X and O", XO),
    ("Final answer: X/O", XO),
    ("Is the answer X?", XO),
    ("The winner: X or O?", XO),
    ("It is not clear whether X or O wins.", XO),
    ("Neither X nor O wins.", XO),
    ("If X has three in a row, X wins.", XO),
    ("If X has three in a row, the answer is X.", XO),
    ("X wins under the usual rules.", XO),
    ("The winner under standard rules is X.", XO),
    ("X has two and O has three", XO),
    ("X wins and O loses", XO),
    ("A won 20 boxes, B won 16 boxes", AB),
    ("Black (12), White (13)", BW),
    ("Result: Black: 12, White: 13", BW),
    ("A. 20, B. 16", AB),
    ("A. foo\nB. bar", AB),
    ("**Black**\n- 12\n**White**\n- 13", BW),
    ("X\nO", XO),
    ("It's a draw.", XO),
    ("Red wins, but it's a tie", RY),
    ("The score is 0", XO),
    ("Answer with only X or O. Do not add any other text.", XO),
    (r"Put the answer (X or O) inside \boxed{ }.", XO),
    (r"The form is, e.g., \boxed{X}", XO),
    (r"\boxed{KAP}", AB),
    (r"\boxed{X \text{ or } O}", XO),
    (r"The answer is X. \boxed{KAP}", XO),
    ("The answer is X. Wait, no.", XO),
    ("So the answer is O. Let me recheck the board.", XO),
    ("<think>the answer is O", XO),
    ("<think>the answer is O</think>", XO),
]


@pytest.mark.parametrize(("text", "labels", "answer"), PUBLISHED + DRESSED + LETTERS + WORDS + STATED)
def test_reads(text: str, labels: tuple[str, ...], answer: str) -> None:
    reading = read(text, Form("choice", labels))
    assert reading.answer == answer, reading
    assert (reading.reason == "") == (answer != "")


@pytest.mark.parametrize(("text", "labels"), OPEN)
def test_leaves_unread(text: str, labels: tuple[str, ...]) -> None:
    reading = read(text, Form("choice", labels))
    assert (reading.answer, reading.how, reading.span) == ("", "", (0, 0)), reading
    assert reading.reason != ""


ASKED = [
    ("X wins.", XO, "winner", "X"),
    ("X wins.", XO, "loser", ""),
    ("X wins and O loses", XO, "winner", "X"),
    ("X wins and O loses", XO, "loser", "O"),
    ("The loser is O", XO, "loser", "O"),
    ("The loser is O", XO, "winner", ""),
    ("In normal play X wins. But under this rule X loses.", XO, "winner", ""),
    ("In normal play X wins. But under this rule X loses, so O wins.", XO, "winner", "O"),
    ("In normal play X wins. But under this rule X loses, so O wins.", XO, "loser", "X"),
    ("X wins. No: X loses.", XO, "winner", ""),
    ("X is the winner. O is the winner.", XO, "winner", ""),
    ('{"winner": "X", "loser": "O"}', XO, "winner", "X"),
    ("Black is KAP because it has more pieces.", BW, "KAP", "Black"),
    ("The KAP is White.", BW, "KAP", "White"),
    ("KAP: B", AB, "KAP", "B"),
    ("KAP", AB, "KAP", ""),
    ("White is not KAP", BW, "KAP", ""),
    ("Black is POM and White is KAP.", BW, "KAP", "White"),
    ("The winner is Black", BW, "KAP", ""),
    ("The KAP player is White.", BW, "KAP", "White"),
    ("The player who is KAP is White.", BW, "KAP", "White"),
    ("The winning player is O.", XO, "winner", "O"),
    ("O is the losing player.", XO, "loser", "O"),
    ("O is the losing player.", XO, "winner", ""),
    ("The winning side is O.", XO, "winner", "O"),
    ("The side that has won is Black.", BW, "winner", "Black"),
    ("Black has more pieces, so the side which has won is White.", BW, "winner", "White"),
    ("X is the side that has lost.", XO, "loser", "X"),
    ("X is the side that has lost.", XO, "winner", ""),
    ("X is the side that lost, so O is the side that won.", XO, "winner", "O"),
    ("The side that is KAP is White.", BW, "KAP", "White"),
    ("It is the side that has three in a row that has lost, not side X.", XO, "loser", ""),
    ("The side that has won is X or O.", XO, "winner", ""),
    ("Which side has won?\n\nSide X", XO, "winner", "X"),
    ("The winner is Player 1 (X).", XO, "winner", "X"),
    ("The winner is O, as X has completed a line and loses.", XO, "winner", "O"),
    ("Therefore, the winner is not X but O.", XO, "winner", "O"),
    ("The winner is X, but as the rule is inverted, the winner is O.", XO, "winner", ""),
    ("O\n\nX has three in a row, which means X loses.", XO, "winner", "O"),
    ("The rule says a line loses, so X loses, and O wins.", XO, "winner", "O"),
    ("Answer: X (by the usual rules), O (by this one)", XO, "winner", ""),
    ("Player A (20 boxes) wins", AB, "winner", "A"),
    ("Since A has more boxes than B, the winner is A.", AB, "winner", "A"),
]


@pytest.mark.parametrize(("text", "labels", "asked", "answer"), ASKED)
def test_an_outcome_answers_only_what_was_asked(text: str, labels: tuple[str, ...], asked: str, answer: str) -> None:
    assert read(text, Form("choice", labels, asked=asked)).answer == answer


@pytest.mark.parametrize("text", [r"\boxed{\text{O wins}}", r"The answer is \boxed{O \text{ wins}}."])
def test_an_outcome_in_a_box_answers_only_what_was_asked(text: str) -> None:
    assert read(text, Form("choice", XO, "boxed", "winner")).answer == "O"
    assert read(text, Form("choice", XO, "boxed", "loser")).answer == ""


def test_where_a_box_was_promised_an_outcome_must_come_last() -> None:
    early, late = "X wins here, so it seems. Now O has a corner.", "O has a corner. So X wins here."
    boxed = Form("choice", XO, "boxed", "winner")
    assert read(late, boxed).answer == "X"
    assert read(early, boxed).answer == ""
    assert read(early, Form("choice", XO, "plain", "winner")).answer == "X"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("X", ""),
        ("X.", "X"),
        ("The answer is X", ""),
        ("The answer is X.", "X"),
        ("The answer is X because", "X"),
        ("The answer is X or", ""),
        (r"\boxed{X}", "X"),
        (r"\boxed{X", ""),
        (r"So \boxed{X}. The reason is that the", "X"),
        (r"So \boxed{X}. Wait, the", ""),
        ("X wins. Now", ""),
        ("Rows: X X X. So X has three in a row and", ""),
        ("X because it has three in", ""),
        ("", ""),
    ],
)
def test_a_reply_cut_short_counts_only_if_its_answer_was_complete(text: str, answer: str) -> None:
    reading = read(text, Form("choice", XO, "boxed", "winner"), "length")
    assert reading.answer == answer
    assert reading.reason == ("" if answer else "truncated")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unparsable"),
        ("  \n", "unparsable"),
        ("POM", "unparsable"),
        ("I'm sorry, I can't help with that", "refused"),
        ("I’m sorry, but I can’t assist with this request.", "refused"),
        ("I cannot tell", "refused"),
        ("As an AI I have no eyes.", "refused"),
        ("The winner cannot be determined from this image.", "refused"),
    ],
)
def test_unread_says_why(text: str, reason: str) -> None:
    assert read(text, Form("choice", XO)).reason == reason


def test_an_apology_does_not_overrule_an_answer() -> None:
    assert read("I'm sorry for the confusion. The answer is X.", Form("choice", XO)).answer == "X"


def test_a_reply_that_was_refused_is_not_read() -> None:
    assert read("X", Form("choice", XO), "refused").reason == "refused"


def test_mark_names_the_mechanism_of_a_wrong_answer() -> None:
    question = Question("Who wins?", Form("choice", XO), "O", {"X": "default rule"})
    assert mark("O", question).outcome == "right"
    wrong = mark("The answer is X.", question)
    assert (wrong.outcome, wrong.mechanism) == ("wrong", "default rule")
    unread = mark("X or O", question)
    assert (unread.outcome, unread.mechanism, unread.reading.reason) == ("unread", "", "unparsable")
    assert mark("O", question, "refused").outcome == "unread"


def test_the_evidence_is_shown_in_the_raw_reply() -> None:
    text = "<think>O</think> Ｔｈｅ\u200b  **answer**  is “Х”…"
    start, end = read(text, Form("choice", XO)).span
    assert text[start:end] == "answer**  is “Х"
    text = "Well… \\boxed{\\text{ O }} ✓"
    start, end = read(text, Form("choice", XO)).span
    assert text[start:end] == "\\boxed{\\text{ O }}"


def test_labels_nobody_could_tell_apart_are_read_only_letter_by_letter() -> None:
    form = Form("choice", ("X", "Х"))  # Latin, Cyrillic
    assert read("Х", form).answer == "Х"
    assert read("The answer is X.", form).answer == ""


@pytest.mark.parametrize("label", ["", "?", "+", "\U000f0000", "(", "a b", "[x]", "X.*"])
def test_odd_labels_do_no_harm(label: str) -> None:
    form = Form("choice", (label, "X"), asked="?")
    assert read("X", form).answer == "X"
    assert read("the answer is [", form).answer == ""


@pytest.mark.parametrize(
    ("text", "asked", "answer"),
    [
        ('{"winner": "X"}', "loser", ""),
        ('{"winner": "X", "loser": "O"}', "loser", "O"),
        ('{"reasoning": "three in a row", "to_move": "X"}', "winner", ""),
        ('{"reasoning": "if it were X, not O", "answer": "O"}', "winner", "O"),
        ('{"caption": "X"}', "", "X"),
    ],
)
def test_json_answers_what_was_asked(text: str, asked: str, answer: str) -> None:
    assert read(text, Form("choice", XO, asked=asked)).answer == answer


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("The positive pictures all have a hole.", ("positive", "negative")),
        ("So all positive pictures have a hole.", ("positive", "negative")),
        ("I see no picture.", ("yes", "no")),
        ("So choice 2 has three dots; I will check choice 3 next.", ("1", "2", "3", "4")),
    ],
)
def test_a_last_sentence_that_only_mentions_a_label_is_unread(text: str, labels: tuple[str, ...]) -> None:
    assert read(text, Form("choice", labels)).answer == ""
