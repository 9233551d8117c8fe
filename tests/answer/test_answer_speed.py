"""However a reply repeats itself, reading it takes a bounded time: only its end is read."""

import pytest
from golden_forms import FORMS

from snellen.answer import read
from snellen.answer.tidy import TAIL


@pytest.mark.parametrize("form", ["ttt_winner", "bias_number", "satellite", "counting", "maze", "bongard"])
def test_a_reply_that_repeats_itself_takes_no_longer_than_what_is_read_of_it(form: str) -> None:
    """The budget: whatever a pattern may do with the rest, it never sees it."""
    for token in ("answer is answer is ====", "X or O ", "photo 1: ", "가"):
        text = token * (3 * TAIL // len(token))
        whole, end = (read(part, FORMS[form]).answer for part in (text, text[-TAIL:]))
        assert whole == end
