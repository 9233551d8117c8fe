"""Every word of the lexicon is held by a reply: without the word, some reply is read otherwise.

The replies are the golden sets and `held.toml`, which has sentences for the words of each role.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from golden_forms import FORMS
from test_answer_golden import CASES

import snellen.answer.tags
from snellen.answer import read
from snellen.answer.lexicon import Lexicon, entries, lexicon
from snellen.answer.reader import _read_short, prepared, with_beyond
from snellen.item import Form, Question
from snellen.tasks.acuity.asking import form
from snellen.tasks.acuity.battery import TESTS

HELD = tomllib.loads((Path(__file__).parent / "held.toml").read_text("utf-8"))
CHARTS = {"letters": "letters", "plate": "colour-red", "stripes": "gratings-8", "landolt": "landolt"}
CHARTS |= {"crossings": "crossings", "pairs": "alignment"}
HELD_FORMS = {
    **FORMS,
    **{name: form(TESTS[test]) for name, test in CHARTS.items()},
    "worlds_colour": Form("choice", ("blue", "pink", "red", "yellow")),
    "q_legs": Form("number"),
    "things": Form("choice", ("guitar", "key", "shoe", "teapot")),
}
Case = tuple[str, Form, Question | None]


def held(role: str, word: str) -> Iterator[Case]:
    """The sentences of a role with this word in them."""
    for line in HELD.get(role, ()):
        name, *question, reply = line.split(" | ")
        asked = Question(question[0], HELD_FORMS[name], "") if question else None
        text = reply.replace("{w}", word)
        yield text[0].upper() + text[1:], HELD_FORMS[name], asked


@cache
def golden() -> list[tuple[str, Case]]:
    """The golden replies, each with its words."""
    found = []
    for case in CASES:
        asked = Question(case["question"], FORMS[case["form"]], "") if "question" in case else None
        known: Case = (case["reply"], FORMS[case["form"]], asked)
        if known[1].kind in ("choice", "number"):
            words = prepared(known[0], with_beyond(known[1]), asked).words
            found.append((f" {' '.join(words)} ", known))
    return found


def answer(case: Case) -> str:
    _read_short.cache_clear()  # readings of another lexicon
    return read(case[0], case[1], "stop", case[2]).answer


def is_held(role: str, word: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether some reply is read otherwise without the word in this role."""
    whole = lexicon()
    without = whole.but(role, word)

    def differs(case: Case) -> bool:
        def reading(known: Lexicon) -> str:
            monkeypatch.setattr(snellen.answer.tags, "lexicon", lambda: known)
            return answer(case)

        return reading(whole) != reading(without)

    cases = (*held(role, word), *(case for words, case in golden() if f" {word} " in words))
    return any(differs(case) for case in cases)


def test_a_sample_of_the_lexicon_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = list(entries())[::87]
    loose = [entry for entry in sample if not is_held(*entry, monkeypatch)]
    assert len(loose) <= 0.15 * len(sample), loose


@pytest.mark.soak
def test_nine_of_ten_entries_of_the_lexicon_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    known = list(entries())
    loose = [entry for entry in known if not is_held(*entry, monkeypatch)]
    assert len(loose) <= 0.1 * len(known), loose
