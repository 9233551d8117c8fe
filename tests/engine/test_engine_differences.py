"""In what two calls differ: whatever changes a key is named, and nothing else."""

from dataclasses import replace
from itertools import combinations

import pytest

from snellen.call import Call, Message
from snellen.engine.differences import differences, text_changes
from snellen.item import Picture

A, B = Picture(b"a"), Picture(b"b")
ASKED = Call("openai/m", {"temperature": 0, "max_tokens": 16}, (Message("user", (A, "Who won the game?", B)),))


def parts(*shown: str | Picture) -> Call:
    return replace(ASKED, messages=(Message("user", shown),))


CHANGED = {
    "subject": replace(ASKED, subject="openai/other"),
    "setting temperature": replace(ASKED, settings={"temperature": 1, "max_tokens": 16}),
    "setting seed": replace(ASKED, settings={**ASKED.settings, "seed": 0}),
    "setting max_tokens": replace(ASKED, settings={"temperature": 0}),
    "sample": replace(ASKED, sample=1),
    "text of the message": parts(A, "Who lost the game?", B),
    "picture 1 of the message": parts(B, "Who won the game?", B),
    "picture 2 of the message": parts(A, "Who won the game?", A),
    "order in the message": parts(B, "Who won the game?", A),
    "parts of the message": parts(A, "Who won the game?"),
    "roles": replace(ASKED, messages=(Message("system", ("Be brief.",)), *ASKED.messages)),
    "parts of all messages": replace(ASKED, messages=(*ASKED.messages, Message("assistant", (A,)))),
}


@pytest.mark.parametrize("field", CHANGED)
def test_what_was_changed_is_named(field: str) -> None:
    found = differences(ASKED.request, CHANGED[field].request)
    assert field in [each.field for each in found]
    others = {"roles", "parts of all messages", "text of all messages"}
    assert {each.field for each in found} <= {field} | (others if field in others else set())
    back = differences(CHANGED[field].request, ASKED.request)
    assert sorted((each.field, each.second, each.first) for each in back) == sorted(
        (each.field, each.first, each.second) for each in found
    )


def test_two_calls_differ_in_something_exactly_if_their_keys_do() -> None:
    calls = [ASKED, *CHANGED.values(), replace(ASKED, about=None), replace(ASKED, settings=dict(ASKED.settings))]
    for one, other in combinations(calls, 2):
        assert bool(differences(one.request, other.request)) == (one.key != other.key)


def test_the_same_parts_in_another_order_are_an_order() -> None:
    [found] = differences(parts(A, "words").request, parts("words", A).request)
    assert found.field == "order in the message"
    assert found.first == f"picture {A.digest[:12]}, text (5 characters)"
    assert found.second == f"text (5 characters), picture {A.digest[:12]}"


def test_values_are_those_on_record() -> None:
    [found] = differences(ASKED.request, CHANGED["setting seed"].request)
    assert (found.first, found.second) == ("not set", "0")
    [found] = differences(ASKED.request, CHANGED["picture 1 of the message"].request)
    assert (found.first, found.second, found.is_picture) == (A.digest, B.digest, True)


@pytest.mark.parametrize(
    ("first", "second", "changes"),
    [
        ("a b c d e f g", "a b c X e f g", [("b c d e f ", "b c X e f ")]),
        ("same", "same", []),
        ("", "new", [("", "new")]),
        ("a b c", "a b", [("a b c", "a b")]),
        ("X 1 2 3 4 5 6 Y", "W 1 2 3 4 5 6 Z", [("X 1 2 ", "W 1 2 "), ("5 6 Y", "5 6 Z")]),
        ("1 2 3 4", "1 X 3 Y", [("1 2 3 4", "1 X 3 Y")]),
    ],
)
def test_texts_are_shown_where_they_differ(first: str, second: str, changes: list[tuple[str, str]]) -> None:
    assert text_changes(first, second, around=2) == changes


def test_long_texts_that_have_nothing_in_common_take_no_time() -> None:
    first, second = (" ".join(f"{letter}{n}" for n in range(20_000)) for letter in "ab")
    [(one, other)] = text_changes(f"same {first} end", f"same {second} end")
    assert one.startswith("same a0 ")
    assert other.endswith("b19999 end")
