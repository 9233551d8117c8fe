"""Chains of thought in today's styles, labelled by hand: the rules agree with people, and never take long."""

import re
from time import process_time

import pytest

from snellen.analysis.thought import MARKS, STAGES, annotate, chain, cues, evidence, lexicon, marks, sentences, spans
from support.golden_thoughts import Labelled, golden_thoughts, precision_and_recall, stages_right, told
from support.lengths import some_of

CHAINS = golden_thoughts()


def test_the_golden_set_is_large_and_varied() -> None:
    assert len(CHAINS) >= 60
    assert len({labelled.name for labelled in CHAINS}) == len(CHAINS)
    assert {labelled.style for labelled in CHAINS} >= {"o-series", "deepseek-r1", "qwen-thinking", "gemini", "claude"}
    assert {labelled.task for labelled in CHAINS} >= {
        "maze",
        "counting",
        "jigsaw",
        "gomoku",
        "chart",
        "bongard",
        "satellite",
    }
    assert {sentence.stage for labelled in CHAINS for sentence in labelled.sentences} == set(STAGES)


@pytest.mark.parametrize("held_out", [False, True])
def test_stages_and_marks_are_those_that_people_see(held_out: bool) -> None:
    sentences = told(labelled for labelled in CHAINS if labelled.held_out == held_out)
    assert stages_right(sentences) >= 0.85
    for mark in MARKS:
        assert min(precision_and_recall(sentences, mark)) >= 0.9, mark


@pytest.mark.parametrize("labelled", [one for one in CHAINS if "terse" in one.name], ids=lambda one: one.name)
def test_terse_chains_have_stages_too(labelled: Labelled) -> None:
    found = [span.label for span in annotate(labelled.text) if span.label in STAGES]
    assert found[0] == "collect"
    assert found[-1] == "conclude"


# Single phrases, in the middle of a chain

BEFORE = (
    "The task is to count the chairs. Photo 1 shows three chairs at a table by the window. If the lamp is the same one,"
    " then the chairs in photo 2 must be the same too, so that would make four. "
)
AFTER = " That would still mean that the total could be four. So the answer is 4."


def marks_of(sentence: str) -> set[str]:
    spans = annotate(BEFORE + sentence + AFTER)
    inside = range(len(BEFORE), len(BEFORE + sentence))
    return {span.label for span in spans if span.label in MARKS and span.start in inside}


@pytest.mark.parametrize(
    "sentence",
    [
        "Zooming in on row 7, there is a gap.",
        "Let me look more carefully at photo 1.",
        "I'll sanity-check with photo 5.",
        "Let me recount the chairs in photo 2.",
        "Referring back to the chart, the bar is 30.",
        "On closer inspection, the bar ends at 40.",
        "Let's inspect the bottom right corner.",
        "Let me verify this against the image.",
    ],
)
def test_looks_back(sentence: str) -> None:
    assert marks_of(sentence) == {"revisit"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Wait, the wall is closed.",
        "Hmm, that contradicts what I had.",
        "No, scratch that.",
        "Actually, the lamp is another one.",
        "Nope, that fails.",
        "Ah, I missed the one behind the door.",
        "Something is off here.",
    ],
)
def test_interruptions(sentence: str) -> None:
    assert marks_of(sentence) == {"interruption"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The path leads back to the corner.",
        "The sofa appears again in photo 4.",
        "Looking at photo 5, there are two chairs.",
        "We count the same chair again, so it must be removed.",
        "Is there a wall? No, it is open.",
        "An answer that is wrong must be given for the rest.",
        "The man waits for the bus.",
        "It then turns left again and reaches 5.",
    ],
)
def test_neither(sentence: str) -> None:
    assert marks_of(sentence) == set()


@pytest.mark.parametrize("opening", ["Hmm, let me see.", "Hmm, okay, so this is a jigsaw with nine tiles."])
def test_an_opening_hmm_breaks_nothing_off(opening: str) -> None:
    assert chain(f"{opening} {BEFORE}{AFTER}").interruptions == 0


# Time


def patterns() -> dict[str, tuple[re.Pattern[str], frozenset[str]]]:
    """Every pattern that thoughts are told by, with words that it is about."""
    by_name = {}
    for module in (cues, lexicon, evidence, marks, sentences, spans):
        for name, value in vars(module).items():
            if isinstance(value, cues.Cues) and name != "_PHRASES":  # those are the lexicon's
                by_name |= {f"{name}.{k}": (one.pattern, one.needs) for k, one in enumerate(value.cues)}
            elif isinstance(value, re.Pattern):
                by_name[name] = value, frozenset(("the",))
    return by_name


PATTERNS = patterns()


def seconds(pattern: re.Pattern[str], token: str, size: int) -> float:
    text = (token * (size // len(token) + 1))[:size]
    start = process_time()
    pattern.search(text)
    return process_time() - start


def linear(pattern: re.Pattern[str], token: str) -> bool:
    """Whether ten times the text takes less than twenty times as long; what is over at once is."""
    return any(
        (long := seconds(pattern, token, 100_000)) < 0.005 or long < 20 * seconds(pattern, token, 10_000)
        for _ in range(3)  # a machine that is busy with something else deserves another chance
    )


@some_of("name", PATTERNS, 6)
def test_every_pattern_takes_time_in_proportion_to_the_text(name: str) -> None:
    pattern, needs = PATTERNS[name]
    word = min(needs)
    for token in (f"{word} ", f"{word} the photo ", "* "):
        assert linear(pattern, token), token


@pytest.mark.parametrize(
    "token", ["answer is ====", "so the ", "wait, no. ", "!", ". ", "1. ", "no\n", "**", "photo 1 ", "再看"]
)
def test_a_text_that_repeats_itself_is_cut_into_few_short_sentences(token: str) -> None:
    """The budget: whatever a pattern does, it sees few characters at a time, and not too often."""
    text = (token * (100_000 // len(token) + 1))[:100_000]
    places = list(sentences.sentences(text, 0, len(text)))
    assert "".join(text[start:end] for start, end in places) == text
    assert max(end - start for start, end in places) <= sentences.LONGEST
    assert len(places) <= 2 * sentences.MOST
    assert annotate(text)[-1].end <= len(text)
