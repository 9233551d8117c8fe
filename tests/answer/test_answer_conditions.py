"""The same answer put the same way is read alike under every condition, and the words of the question are read."""

from collections import Counter

import pytest
from restating_styles import STYLES, answers, questions, short, spoken

from snellen.answer import mark

DESIGNS = [("winoground", "quick"), ("bongard", "prompts")]
MORE = [
    ("fixation", "controls"),
    ("fixation", "main"),
    ("fixation", "published"),
    ("bias", "quick"),
    ("bias", "naming"),
    ("marvel", "ladder"),
]


def check(name: str, design: str) -> None:
    read: Counter[tuple[str, str]] = Counter()
    put: Counter[tuple[str, str]] = Counter()
    for levels, question in questions(name, design):
        if question.form.kind not in ("choice", "number"):
            continue
        where = "/".join(levels.get(factor, "") for factor in ("prompt", "rule", "target", "response", "ask", "name"))
        for label in answers(question.form, question.key):
            for style, reply in spoken(question, label):
                reading = mark(reply, question).reading
                assert reading.answer in ("", label), (question.text[-200:], reply, reading)
                put[where, style] += 1
                read[where, style] += bool(reading.answer)
    for style in STYLES:
        rates = [read[key] / many for key, many in put.items() if key[1] == style]
        assert not rates or min(rates) >= 0.9, (style, rates)
        assert not rates or max(rates) - min(rates) <= 0.02, (
            style,
            {k: read[k] / put[k] for k in put if k[1] == style},
        )


@pytest.mark.parametrize(("name", "design"), DESIGNS)
def test_conditions_are_read_alike(name: str, design: str) -> None:
    check(name, design)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "design"), MORE)
def test_more_conditions_are_read_alike(name: str, design: str) -> None:
    check(name, design)


@pytest.mark.soak
def test_who_answers_questions_about_panels_shortly_is_read() -> None:
    """ "6" for six, "left" for on the left: a perfect subject that answers shortly is right on every one of them."""
    asked = [question for _, question in questions("marvel", "ladder") if question.form.kind == "choice"]
    fine = [question for question in asked if not set(question.form.labels) <= set("1234ABCD")]
    assert len(fine) >= 300
    for question in fine:
        for reply in (
            question.key,
            short(question.key)[0],
            f"Answer: {short(question.key)[0]}",
            f"{short(question.key)[0]}.",
        ):
            if short(question.key)[0] in ("other figure",):
                continue  # "at the other figure" cannot be put any shorter
            verdict = mark(reply, question)
            assert verdict.outcome == "right", (question.text[-120:], question.form.labels, reply, verdict)
