"""What holds for any label in any dress: it is read; denied, hedged or asked about, it is not; nothing crashes."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from snellen.answer import read
from snellen.answer.tidy import TAIL, plain_letter, spoken, undressed
from snellen.item import Form
from support.lengths import examples

LABELS = [
    ("X", "O"),
    ("A", "B"),
    ("Black", "White"),
    ("Red", "Yellow"),
    ("I", "Q"),
    ("W", "P"),
    ("cat_1", "cat_2"),
    ("Yes", "No"),
    ("1", "2", "3", "4"),
    ("blue circle", "red circle"),
]
ALIKE = {"X": "ХΧＸ𝐗", "O": "ОΟＯⓄ", "A": "АΑＡ", "B": "ВΒＢ", "I": "ІΙＩ", "Q": "ＱԚ", "W": "ԜＷ", "P": "РΡＰ"}

forms = st.sampled_from(LABELS).flatmap(
    lambda labels: st.tuples(st.just(labels), st.sampled_from(labels), st.sampled_from(["plain", "boxed", "braces"]))
)

MARKUP = [
    "**{}**",
    "*{}*",
    "__{}__",
    "_{}_",
    "`{}`",
    "```\n{}\n```",
    '"{}"',
    "'{}'",
    "“{}”",
    "„{}“",
    "«{}»",
    "「{}」",
    "({})",
    "[{}]",
    "${}$",
    "\\({}\\)",
    "$${}$$",
    "\\text{{{}}}",
    "\\mathrm{{{}}}",
    "\\textbf{{{}}}",
    "\\boxed{{{}}}",
    "\\boxed{{ {} }}",
    "{{{}}}",
    "<b>{}</b>",
    "<answer>{}</answer>",
    "{}.",
    "{}...",
    "{}!",
    " {}\n",
    "\u200b{}\ufeff",
    "\u00a0{}\u00a0",
    "{} 👍",
    "✅ {}",
]
SAID = [
    "{}",
    "The answer is {}",
    "The answer is: {}",
    "Answer: {}",
    "**Final answer:** {}",
    "My answer is clearly {}",
    "the correct answer is player {}",
    "So the answer must be {}",
    "I choose {}",
    "Let me look closely.\nThe rule is odd.\n\n{}",
    "<think>Is it this? The answer is something.</think>{}",
    '{{"answer": "{}"}}',
    "{} is the answer",
    "Therefore: {}",
]


def dressed(label: str, layers: list[str]) -> str:
    for layer in layers:
        label = layer.format(label)
    return label


@settings(max_examples=400, deadline=None)
@given(forms, st.lists(st.sampled_from(MARKUP), max_size=4), st.sampled_from(SAID), st.data())
@example((("X", "O"), "X", "plain"), ["_{}_", "{}...", "**{}**"], "The answer is {}", None)
def test_a_label_in_any_dress_is_read(
    form: tuple[tuple[str, ...], str, str], layers: list[str], said: str, data: st.DataObject | None
) -> None:
    labels, label, final = form
    spelling = label
    if data and len(label) > 1:
        spelling = data.draw(st.sampled_from([label, label.upper(), label.lower(), label.title()]))
    elif data and label in ALIKE:
        spelling = data.draw(st.sampled_from([label, *ALIKE[label]]))
    layers = sorted(dict.fromkeys(layers), key=lambda layer: "\n" in layer or "<answer>" in layer)  # blocks go outside
    if said.startswith("{} is"):  # a dot inside would end the sentence there
        layers = [layer for layer in layers if layer not in ("{}.", "{}...", "{}!", " {}\n", "```\n{}\n```")]
        layers = [layer for layer in layers if "👍" not in layer and "answer" not in layer]
    text = said.format(dressed(spelling, layers))
    reading = read(text, Form("choice", labels, final))  # type: ignore[arg-type]
    assert reading.answer == label, text
    start, end = reading.span
    evidence = undressed(spoken(text[start:end])).text.lower()
    assert label.lower() in " ".join(evidence.split()), (text, reading)


DENIED = [
    "not {}",
    "It isn't {}.",
    "It is not {}.",
    "The answer is not {}.",
    "The answer isn't {}",
    "I don't think it is {}.",
    "I don't believe the answer is {}.",
    "{} is not the answer.",
    "{} does not win.",
    "{} isn't the winner.",
    "If it were so, the answer would be {}.",
    "Is it {}?",
    "Could the answer be {}?",
    "anything but {}",
    "the opposite of {}",
    "The answer is {}. Wait, that is wrong.",
    "~~{}~~",
]
BOTH = [
    "{} or {}",
    "either {} or {}",
    "{}/{}",
    "{}, {}",
    "{} and {}",
    "{} vs {}",
    "The answer is {} or {}.",
    "The answer is either {} or {}.",
    "Answer: {} / {}",
    "\\boxed{{{} \\text{{ or }} {}}}",
    "I cannot tell whether it is {} or {}.",
    "Answer with only {} or {}.",
    "It could be {}, it could be {}.",
    "{} has three and {} has two.",
    "- {}\n- {}",
    "{}: 12\n{}: 13",
    "The answer is {}. Hmm, or is it {}?",
    "{} wins and {} loses",
    "{} (12), {} (13)",
]
PLAIN_MARKUP = ["{}", "**{}**", '"{}"', "`{}`", "\\text{{{}}}", "«{}»"]


@examples(60, 200)
@given(forms, st.sampled_from(DENIED), st.sampled_from(PLAIN_MARKUP))
def test_a_label_denied_or_asked_about_is_unread(
    form: tuple[tuple[str, ...], str, str], denial: str, markup: str
) -> None:
    labels, label, final = form
    text = denial.format(markup.format(label))
    assert read(text, Form("choice", labels, final)).answer == "", text  # type: ignore[arg-type]


@examples(60, 200)
@given(forms, st.sampled_from(BOTH), st.sampled_from(PLAIN_MARKUP), st.data())
def test_two_labels_without_a_conclusion_are_unread(
    form: tuple[tuple[str, ...], str, str], template: str, markup: str, data: st.DataObject
) -> None:
    labels, label, final = form
    other = data.draw(st.sampled_from([each for each in labels if each != label]))
    text = template.format(markup.format(label), markup.format(other))
    assert read(text, Form("choice", labels, final)).answer == "", text  # type: ignore[arg-type]


@given(st.sampled_from(["KAP", "TOV", "NEX", "RIL", "POM"]), st.lists(st.sampled_from(MARKUP), max_size=3), st.data())
def test_a_tag_is_never_a_label(tag: str, layers: list[str], data: st.DataObject) -> None:
    labels = data.draw(st.sampled_from([("X", "O"), ("A", "B"), ("Black", "White"), ("K", "P"), ("N", "M")]))
    text = data.draw(st.sampled_from(SAID[:-2])).format(dressed(tag, layers))
    assert read(text, Form("choice", labels, asked=tag)).answer == "", text


PIECES = [
    *"XOxoAaI045 \n.,?!:-(){}[\\$*_`'\"<>|/=~Х²½İßﬁ’—“🎉\u200b\u0301\u0336\U000f0000\U0010fff0\ud800\x00",
    *(
        "\\boxed{",
        "\\text{",
        "</think>",
        "<think>",
        "<answer>",
        "\x08oxed{",
        "answer",
        " is ",
        "the ",
        "winner",
        "loser",
    ),
    *(
        " wins",
        " loses",
        "not ",
        "or",
        "and",
        "so ",
        "therefore ",
        "if ",
        "KAP",
        "player ",
        "e.g. ",
        "wait",
        "I'm sorry",
    ),
    *("1,234", "four", "minus ", "Black", "{4}"),
]
FORMS = [
    Form("choice", ("X", "O"), asked="winner"),
    Form("choice", ("A", "B"), "boxed", asked="KAP"),
    Form("choice", ("I", "Black", "a b", "?")),
    Form("choice", ()),
    Form("number"),
    Form("number", final="braces"),
    Form("text"),
]


@examples(100, 400)
@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.text(max_size=60)),
    st.sampled_from(FORMS),
    st.sampled_from(["stop", "length", "refused"]),
)
def test_any_reply_is_read_within_bounds_or_unread(text: str, form: Form, finish: str) -> None:
    reading = read(text, form, finish)  # type: ignore[arg-type]
    start, end = reading.span
    assert 0 <= start <= end <= len(text)
    if reading.reason:
        assert (reading.answer, reading.how, reading.span) == ("", "", (0, 0))
        assert reading.reason == "refused" or (reading.reason == "truncated") == (finish == "length")
    else:
        assert reading.answer
        assert reading.how
        assert start < end
        assert finish != "refused"
        if form.kind == "choice":
            assert reading.answer in form.labels
        if form.kind == "number":
            assert re.fullmatch(r"0|-?[1-9]\d*", reading.answer)


@given(
    st.integers(-(10**30), 10**30),
    st.sampled_from(["{}", "{{{}}}", "\\boxed{{{}}}", "The answer is {}.", "**{}** legs"]),
)
def test_any_whole_number_is_read(n: int, template: str) -> None:
    assert read(template.format(n), Form("number")).answer == str(n)
    assert read(template.format(f"{n:,}"), Form("number", final="braces")).answer == str(n)


REASONED = (
    "Let's go through the grid. The top row is X, X, X, and O holds two corners. If a player has three in a row, that "
    "player loses, so X would lose here.\n\nTherefore, the answer is **O**.\n\n$$\\boxed{\\text{O}}$$\n"
)


@given(st.integers(0, len(REASONED)))
def test_a_reply_cut_anywhere_never_says_something_else(length: int) -> None:
    reading = read(REASONED[:length], Form("choice", ("X", "O"), "boxed", "winner"), "length")
    assert reading.answer in ("", "O")
    assert reading.answer or reading.reason == "truncated"


def test_plain_letters_keep_their_length_in_lower_case() -> None:
    """The reader lowers the case of tidy text in place, so no character may grow by it."""
    ideographs = [*range(0x3400, 0xA000), *range(0xAC00, 0xD7A4)]
    for code in sorted({*range(0x80, 0x20000), 0xE0001, 0xF0000, 0x10FFFF} - set(ideographs)):
        plain = plain_letter(chr(code))
        assert len(plain.lower()) == len(plain), hex(code)
        assert not any(unicodedata.category(char) == "Co" for char in plain), hex(code)


M = 300_000
MONSTERS = {
    "braces": "{" * M,
    "boxes": "\\boxed{" * (M // 7),
    "nested boxes": "\\boxed{" * 1000 + "X" + "}" * 1000,
    "blanks": "the answer is" + " " * M + "X",
    "statements": "the answer is X " * (M // 16),
    "half statements": "the answer of a b c d e f g h " * (M // 30),
    "outcomes": "X wins " * (M // 7),
    "conditions": "if " * (M // 3) + "X wins",
    "brackets": "answer (" * (M // 8),
    "tags": "<a " * (M // 3),
    "less": "<" * M,
    "quotes": "'" * M,
    "underscores": "_" * M,
    "backslashes": "\\" * M,
    "stars": "* " * (M // 2),
    "marks": "X" + "\u0301" * M,
    "wide": "Ａ" * M,
    "lines": "X\n" * (M // 2),
    "numbers": " ".join(map(str, range(M // 7))),
    "thinking": "<think>" * (M // 7),
    "letters": "a" * M,
}


@pytest.mark.parametrize("name", MONSTERS)
def test_monstrous_replies_are_read_or_unread_like_any_other(name: str) -> None:
    """Patterns that take more than linear time would never finish here."""
    says_so = {"statements": "X", "outcomes": "X", "blanks": "X", "lines": "X", "nested boxes": "X"}
    assert read(MONSTERS[name], FORMS[0]).answer == says_so.get(name, "")
    assert read(MONSTERS[name], FORMS[5]).answer == ""


def test_only_the_end_of_a_monstrous_reply_is_read() -> None:
    form = Form("choice", ("X", "O"))
    assert read("The answer is X. " + "so it goes " * (TAIL // 11) + "The answer is O.", form).answer == "O"
    assert read("The answer is X. " + "la " * TAIL, form).answer == ""
