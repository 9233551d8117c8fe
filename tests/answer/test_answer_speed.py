"""However a reply repeats itself, reading it takes time in proportion to its length, and a bounded one at that."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from time import process_time
from typing import Any

import pytest
from golden_forms import FORMS

import snellen.answer
from snellen.answer import read
from snellen.answer.tidy import TAIL

TOKENS = (
    *(
        "answer is ",
        "====",
        "X or ",
        "{4} ",
        "\\boxed{",
        "| 1",
        "1. \n",
        " (",
        "not ",
        "photo 1 is ",
        "\n",
        "if ",
        "so ",
    ),
    *(
        "答案",
        "是X",
        "X.\n",
        "the winner is ",
        "no, ",
        "total: ",
        "3 chairs ",
        "chairs in ",
        "which is ",
        "'",
        "\\",
        "  ",
    ),
)
SHORT, LONG = 10_000, 100_000
MOST_SECONDS = 0.05
"""No pattern takes longer than this for a hundred thousand characters; here with much room, as machines differ."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every pattern that a module of the reader holds, and those made for the golden forms."""
    for module in iter_modules(snellen.answer.__path__, "snellen.answer."):
        for name, value in vars(import_module(module.name)).items():
            yield from ((f"{module.name}.{name}", pattern) for pattern in _within(value))
    from snellen.answer.statements import _grammar

    for form in FORMS.values():
        yield from (
            ((f"fields of {form.fields[0].name}", pattern) for pattern in _within(_grammar(form.fields)))
            if (form.fields)
            else ()
        )


def _within(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _within(part)


def seconds(pattern: re.Pattern[str], text: str) -> float:
    start = process_time()
    for _ in pattern.finditer(text):
        pass
    return process_time() - start


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "pattern"), [pytest.param(n, p, id=f"{n}-{k}") for k, (n, p) in enumerate(patterns())]
)
def test_every_pattern_is_linear(name: str, pattern: re.Pattern[str]) -> None:
    for token in TOKENS:
        long = seconds(pattern, (token * LONG)[:LONG].lower())
        if long > MOST_SECONDS:  # slow for its length, or is it merely a slow machine?
            short = max(seconds(pattern, (token * SHORT)[:SHORT].lower()), 1e-4)
            assert long / short < 30, (name, token, long)


@pytest.mark.parametrize("form", ["ttt_winner", "bias_number", "satellite", "counting", "maze", "bongard"])
def test_a_reply_that_repeats_itself_takes_no_longer_than_what_is_read_of_it(form: str) -> None:
    """The budget: only the end of a reply is read, whatever a pattern may do with the rest."""
    for token in ("answer is answer is ====", "X or O ", "photo 1: ", "가"):
        text = token * (3 * TAIL // len(token))
        whole, end = (read(part, FORMS[form]).answer for part in (text, text[-TAIL:]))
        assert whole == end
