"""However a reply repeats itself, reading it takes time in proportion to its length, and no rule sees much of it."""

import random
import re
from time import process_time

import pytest
from golden_forms import FORMS
from repeating import Used, patterns, tokens

from snellen.answer import read
from snellen.answer.lexicon import entries
from snellen.answer.repeats import repeated
from snellen.answer.tidy import TAIL, spoken
from support.lengths import some_of

PATTERNS = {**patterns("snellen.answer"), **patterns("snellen.analysis.thought")}
LENGTH = 100_000
LIMIT = 0.05
REPEATED = ("answer is answer is ====", "X or O ", "photo 1: ", "가", "{", "\\boxed{", "the winner is ", "1. a\n", "\n")


def seconds(used: Used, text: str) -> float:
    """The best of three: other work on the machine only ever makes it slower."""

    def once() -> float:
        start = process_time()
        used.run(text)
        return process_time() - start

    return min(once() for _ in range(3)) if once() > LIMIT / 2 else 0.0


@pytest.fixture(scope="module")
def limit() -> float:
    """What a pattern may take for 100 kB: 50 ms, or as much as this machine takes to list that many letters thrice."""
    return max(LIMIT, 3 * seconds(Used(re.compile(r"\w"), anywhere=True), "a" * LENGTH))


@some_of("name", PATTERNS, 12)
def test_no_pattern_takes_long_for_a_token_that_repeats_itself(name: str, limit: float) -> None:
    used = PATTERNS[name]
    length = LENGTH // 8  # what is superlinear shows here, too
    slow = {token for token in tokens(used.pattern, 3) if seconds(used, token * (length // len(token))) > limit}
    assert slow == set()


@pytest.mark.soak
@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_takes_long_for_100_kilobytes(name: str, limit: float) -> None:
    """No pattern ever sees that much (`tidy.TAIL`). What takes long here and is linear takes four times as long as for
    a quarter of it; what is quadratic, sixteen times."""
    used = PATTERNS[name]

    def grows(token: str) -> bool:
        whole = seconds(used, token * (LENGTH // len(token)))
        return whole > 5 * limit and whole > 8 * seconds(used, token * (LENGTH // 4 // len(token)))

    assert {token for token in tokens(used.pattern, 12, seed=1) if grows(token)} == set()


@pytest.mark.parametrize("token", REPEATED)
def test_the_budget_shortens_what_repeats_itself(token: str) -> None:
    """Whatever a future pattern may do with it: it never sees more of it than this."""
    text = "A reply that goes on and on. " + token * (3 * TAIL // len(token)) + "And here it ends: X"
    letters = spoken(text)
    assert len(letters.text) < 1000
    assert letters.text.endswith("And here it ends: X")
    end = len(letters.text)
    assert letters.raw(end - 1, end) == (len(text) - 1, len(text))


def test_prose_is_not_shortened() -> None:
    text = " ".join(f"In row {k} the {k % 7}th cell is {'white' if k % 3 else 'black'}, I think." for k in range(300))
    assert repeated(text) == []
    assert spoken(text).text == text


@pytest.mark.parametrize("form", ["ttt_winner", "bias_number", "satellite", "counting", "maze", "bongard"])
def test_a_reply_that_repeats_itself_takes_no_longer_than_what_is_read_of_it(form: str) -> None:
    """The other half of the budget: of what does not repeat itself, only the end is seen."""
    for token in ("answer is answer is ====", "X or O ", "photo 1: ", "가"):
        text = token * (3 * TAIL // len(token))
        whole, end = (read(part, FORMS[form]).answer for part in (text, text[-TAIL:]))
        assert whole == end


@some_of("form", ["ttt_winner", "bias_number", "marvel", "bongard"], 4)
def test_the_grammar_takes_time_in_proportion_to_the_words(form: str) -> None:
    """Patterns over tags see words, not letters: random words of the lexicon are the worst for them."""
    words = sorted({word for _, word in entries()})
    for seed in range(4):
        rng = random.Random(seed)
        few = [*rng.sample(words, (3, 8, 40, 200)[seed]), *(FORMS[form].labels or "45"), ",", ".", "(", ")", ":"]
        text = " ".join(rng.choice(few) for _ in range(8000))[:TAIL]
        start = process_time()
        read(text, FORMS[form])
        assert process_time() - start < 3
