"""Replies in the styles of today's models with what a fair marker would write down. Never is anything else read; hardly
ever is nothing read where there is something.

The replies are in `golden/`: choices.jsonl (labels) and parts.jsonl (numbers and fields), then second to fifth.jsonl;
probes.jsonl are traps, written with an eye on the rules; restated.jsonl and sixth.jsonl come with the question that
they answer (for the sixth in questions.json). Their forms are in `golden_forms.py`. An empty answer means that a fair
marker would say: this gives none.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from golden_forms import FORMS, QUESTIONS

from snellen.answer import read
from snellen.item import Question

GOLDEN = Path(__file__).parent / "golden"
CASES = [json.loads(line) for path in sorted(GOLDEN.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
for known in CASES:
    if "asks" in known:
        known["question"] = QUESTIONS[known["asks"]]
READ: dict[str, str] = {}
"""By the id of a case: what was read once."""


def reading(case: dict[str, Any]) -> str:
    if case["id"] not in READ:
        READ[case["id"]] = _reading(case)
    return READ[case["id"]]


def _reading(case: dict[str, Any]) -> str:
    form = FORMS[case["form"]]
    question = Question(case["question"], form, "") if "question" in case else None
    return read(case["reply"], form, case.get("finish", "stop"), question).answer


def test_there_are_many() -> None:
    assert len(CASES) >= 500
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["form"] for case in CASES} == set(FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_read_that_was_not_said(form: str) -> None:
    wrong = {
        case["id"]: (said, case["answer"])
        for case in CASES
        if case["form"] == form and (said := reading(case)) not in ("", case["answer"])
    }
    assert wrong == {}


def test_hardly_anything_that_was_said_is_left_unread() -> None:
    answered = [case for case in CASES if case["answer"]]
    unread = [case["id"] for case in answered if not reading(case)]
    assert len(unread) < 0.05 * len(answered), unread
