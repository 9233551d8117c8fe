"""How sure a subject was, from the tokens of its answer."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answer.confidence import confidence
from snellen.answer.schema import schema_of
from snellen.call import Token
from snellen.item import Field, Form


def spell(*words: tuple[str, float]) -> tuple[Token, ...]:
    return tuple(Token(text, log(chance)) for text, chance in words)


def test_the_probability_of_the_tokens_that_say_it() -> None:
    tokens = spell(("The", 0.9), (" winner", 0.8), (" is", 1.0), (" X", 0.6), (".", 0.5))
    text = "The winner is X."
    assert confidence(text, tokens, (14, 15)) == pytest.approx(0.6)
    assert confidence(text, tokens, (0, 10)) == pytest.approx(0.72)


def test_an_answer_of_several_tokens() -> None:
    tokens = spell(("Ye", 0.5), ("llow", 0.9))
    assert confidence("Yellow", tokens, (0, 6)) == pytest.approx(0.45)


def test_what_stands_before_the_reply_may_be_counted_too() -> None:
    tokens = spell(("<think>hm</think>", 0.1), ("X", 0.7))
    assert confidence("X", tokens, (0, 1)) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("text", "tokens", "span"),
    [
        ("X", (), (0, 1)),
        ("X", spell(("O", 0.5)), (0, 1)),
        ("X", spell(("X", 0.5)), (0, 0)),
        ("X y", spell(("y", 0.5)), (0, 1)),
    ],
)
def test_where_nobody_can_tell(text: str, tokens: tuple[Token, ...], span: tuple[int, int]) -> None:
    assert confidence(text, tokens, span) is None


@given(st.lists(st.tuples(st.text(min_size=1, max_size=5), st.floats(-20, 0)), min_size=1, max_size=20), st.data())
def test_it_is_a_probability(words: list[tuple[str, float]], data: st.DataObject) -> None:
    text = "".join(word for word, _ in words)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = confidence(text, tuple(Token(word, chance) for word, chance in words), (start, end))
    least = exp(sum(chance for _, chance in words))
    assert found is None or least * 0.999 <= found <= 1


def test_the_schema_of_every_form() -> None:
    assert schema_of(Form("number"))["properties"] == {"answer": {"type": "integer"}}
    assert schema_of(Form("text"))["properties"] == {"answer": {"type": "string"}}
    fields = (Field("n", "number"), Field("k", "label", ("a", "b")), Field("s", "set", ("1", "2")), Field("t", "text"))
    schema = schema_of(Form("fields", fields=fields))
    assert schema["required"] == ["n", "k", "s", "t"]
    assert schema["properties"]["s"] == {"type": "array", "items": {"type": "string", "enum": ["1", "2"]}}
    assert schema["additionalProperties"] is False
