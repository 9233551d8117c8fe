"""Replies that read an eye chart line by line, written by hand."""

import json
from typing import Any, cast

import pytest

from snellen.answer import mark, read
from snellen.answer.chart_rows import CHART_ROWS
from snellen.answer.verifiers import verifier
from snellen.item import Form, Question

FORM = Form("text", check=CHART_ROWS)
ASKED = Question("Read it.", FORM, "KDNRS/CZHVO/HSKDN")

READ = {
    "1: K D N R S\n2: C Z H V O\n3: H S K D N": "KDNRS/CZHVO/HSKDN",
    "K D N R S\nC Z H V O": "KDNRS/CZHVO",
    "kdnrs": "",
    "KDNRS\nCZHVO": "KDNRS/CZHVO",
    "**Line 1:** K, D, N, R, S\n**Line 2:** C-Z-H-V-O": "KDNRS/CZHVO",
    "| 1 | K D N R S |\n| 2 | C Z H V O |": "KDNRS/CZHVO",
    "Here is what I can read:\n\n1. K D N R S\n3. H S ? D N\n\nThe rest is too small.": "KDNRS//HS?DN",
    "EYE CHART\n1) K D N R S": "KDNRS",
    "1: k d n r s": "KDNRS",
    "<think>1: Z Z Z Z Z, no</think>\n1: K D N R S": "KDNRS",
    "1: K D N R S\n1: K D N R C": "KDNRC",
    json.dumps({"answer": "1: K D N R S\n2: C Z H V O"}): "KDNRS/CZHVO",
    "K D N R S C Z H V O": "KDNRSCZHVO",
    "KDNRS//HS?DN": "KDNRS//HS?DN",
    "1: K/D/N/R/S": "KDNRS",
}


@pytest.mark.parametrize(("reply", "answer"), READ.items())
def test_lines_are_read_where_they_stand(reply, answer):
    assert read(reply, FORM).answer == answer


def test_only_every_letter_is_right_and_none_at_all_is_unread():
    assert mark("1: K D N R S\n2: C Z H V O\n3: H S K D N", ASKED).outcome == "right"
    assert mark("1: K D N R S\n2: C Z H V O\n3: H S K D C", ASKED).outcome == "wrong"
    for reply, finish, reason in (
        ("I'm sorry, I can't read the image.", "stop", "refused"),
        ("The chart has several lines of letters.", "stop", "unparsable"),
        ("", "length", "truncated"),
    ):
        verdict = mark(reply, ASKED, cast(Any, finish))
        assert (verdict.outcome, verdict.reading.reason) == ("unread", reason)


def test_who_is_cut_off_has_read_what_came_before():
    assert read("1: K D N R S\n2: C Z", FORM, "length").answer == "KDNRS/CZ"


def test_the_verifier_shows_what_is_right():
    found = verifier(CHART_ROWS)
    assert mark(found.answer(ASKED, ""), ASKED).outcome == "right"
    assert all(row in found.reference(ASKED) for row in ASKED.key.split("/"))
