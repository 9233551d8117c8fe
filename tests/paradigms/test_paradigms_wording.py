"""The paradigms' own words: every piece keeps its slots; the bundled model knows each word of its rungs."""

import pytest

from snellen.item import Condition
from snellen.paradigms import WORDING
from snellen.prompts import load
from snellen.subjects.tiny import FILE
from snellen.subjects.tiny.speaking import speaker
from snellen.subjects.tiny.tokens import parts

SLOTS = {
    "paradigms": {
        "with_graph": {"notes"},
        "with_comparison": {"notes"},
        "look": {"plan"},
        "with_findings": {"plan", "seen"},
        "told_end": {"answer"},
        "reread": {"question", "answers", "reply"},
    },
    "judge": {"judge": {"question", "key", "criteria", "answer"}, "judge_criteria": {"criteria"}},
    "annotator": {"annotate": {"reply"}},
}


@pytest.mark.parametrize("table", SLOTS)
def test_every_piece_has_the_slots_that_are_filled_and_no_others(table: str) -> None:
    pack = load(WORDING, table)
    known = {name for slots in SLOTS[table].values() for name in slots}
    for piece in pack.pieces:
        assert pack.uses(piece, Condition(), known) == SLOTS[table].get(piece, set()), piece


@pytest.mark.parametrize(("table", "piece"), [("judge", "judge_again"), ("annotator", "annotate_again")])
def test_a_second_request_says_the_form_and_nothing_else(table: str, piece: str) -> None:
    assert "nothing else" in load(WORDING, table).say(piece, Condition(), {})


@pytest.mark.parametrize("piece", ["told", "told_end", "in_words"])
def test_the_bundled_model_knows_every_word_of_its_rungs(piece: str) -> None:
    """What it has to spell letter by letter it does not understand: told the answer in such words it scored 46 %."""
    words = parts(load(WORDING, "paradigms").say(piece, Condition(), {"answer": "X"}))
    known = speaker(FILE).known
    assert [word for word in words if len(known.word(word)) > 1] == []
