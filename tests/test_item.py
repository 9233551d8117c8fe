"""Items, conditions, pictures and calls are plain values."""

import hashlib
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.call import Call, CallFailed, Message
from snellen.errors import UserError, unknown
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus, content_digest

levels = st.dictionaries(st.text(max_size=6), st.text(max_size=6), max_size=6)


@given(levels, st.randoms(use_true_random=False))
def test_a_condition_is_the_same_in_any_order(found: dict[str, str], random: object) -> None:
    shuffled = list(found.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = Condition(found), Condition(dict(shuffled))
    assert first == second
    assert hash(first) == hash(second)
    assert dict(first) == found
    assert list(first) == list(found)
    assert len(first) == len(found)


def test_a_condition_reads_well_and_changes_into_another() -> None:
    condition = Condition({"rule": "standard"}, prompt="base")
    changed = condition.but(rule="inverse", order="text_first")
    assert str(condition) == "rule=standard, prompt=base"
    assert str(changed) == "rule=inverse, prompt=base, order=text_first"
    assert condition != changed
    assert len({condition, changed, Condition(prompt="base", rule="standard")}) == 2
    assert condition["rule"] == "standard"
    with pytest.raises(KeyError):
        condition["order"]


def test_a_condition_keeps_no_hold_of_what_it_was_made_from() -> None:
    given_levels = {"rule": "standard"}
    condition = Condition(given_levels)
    given_levels["rule"] = "inverse"
    assert condition["rule"] == "standard"
    assert pickle.loads(pickle.dumps(condition)) == condition  # noqa: S301 - our own bytes


def test_a_picture_is_its_bytes() -> None:
    picture = Picture(b"\x89PNG...", alt="a board")
    assert picture.digest == hashlib.sha256(b"\x89PNG...").hexdigest()
    assert "PNG" not in repr(picture)
    with pytest.raises(FrozenInstanceError):
        picture.data = b""  # type: ignore[misc]


def stimulus(*parts: str | Picture) -> Stimulus:
    item = Item("t/0001", "t", {}, {}, "d")
    return Stimulus(item, Condition(), parts, Question("Who?", Form("choice", ("X", "O")), "X"))


def test_a_stimulus_and_a_call_find_their_pictures() -> None:
    one, two = Picture(b"1"), Picture(b"2")
    assert stimulus(one, "words", two).pictures == (one, two)
    assert Call("s", {}, (Message("system", ("be brief",)), Message("user", (one, "w")))).pictures == (one,)


@given(st.lists(st.one_of(st.text(), st.binary()), max_size=4), st.lists(st.one_of(st.text(), st.binary()), max_size=4))
def test_content_digests_differ_with_the_content(one: list[str | bytes], two: list[str | bytes]) -> None:
    def as_bytes(parts: list[str | bytes]) -> list[bytes]:
        return [part.encode() if isinstance(part, str) else part for part in parts]

    assert (content_digest(*one) == content_digest(*two)) == (as_bytes(one) == as_bytes(two))


def test_content_digests_are_the_same_everywhere() -> None:
    assert content_digest("board", b"\x00") == GOLDEN
    assert content_digest("ab", "c") != content_digest("a", "bc")


GOLDEN = "0dd951902d3c38fb3c1e52b4640ae650"


def call(**changes: object) -> Call:
    base = Call("openai/m", {"temperature": 0}, (Message("user", ("Who wins?", Picture(b"1"))),))
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_call_is_known_by_what_is_sent_and_nothing_else() -> None:
    same = call(about=stimulus("x"))
    assert same.key == call().key
    assert len(call().key) == 16
    assert call().key == Call("openai/m", {"temperature": 0}, call().messages).key
    different = [
        call(subject="openai/n"),
        call(settings={"temperature": 1}),
        call(settings={"temperature": 0, "top_p": 1}),
        call(messages=(Message("user", ("Who wins?", Picture(b"2"))),)),
        call(messages=(Message("user", (Picture(b"1"), "Who wins?")),)),
        call(messages=(Message("system", ("Who wins?", Picture(b"1"))),)),
        call(messages=(Message("user", ("Who wins?",)), Message("user", (Picture(b"1"),)))),
        call(sample=1),
        call(sample=2),
    ]
    assert len({each.key for each in different} | {call().key}) == len(different) + 1


def test_a_blind_call_is_the_same_call_without_the_truth() -> None:
    told = Picture(b"1", alt="a board", twin="X wins")
    seeing = call(about=stimulus("x"), messages=(Message("user", ("Who wins?", told)),), sample=1)
    blind = seeing.blind
    assert blind.key == seeing.key
    assert blind.about is None
    assert blind.pictures == (Picture(b"1"),)


def test_settings_make_the_same_call_in_any_order() -> None:
    assert call(settings={"a": 1, "b": 2}).key == call(settings={"b": 2, "a": 1}).key


def test_words_are_not_mistaken_for_a_picture() -> None:
    picture = Picture(b"1")
    words = '{"picture":"' + picture.digest + '"}'
    assert call(messages=(Message("user", (words,)),)).key != call(messages=(Message("user", (picture,)),)).key


def test_half_a_surrogate_pair_can_be_asked_about() -> None:
    assert call(messages=(Message("user", ("\ud83d",)),)).key != call().key


def test_a_failed_call_says_what_may_be_done() -> None:
    failure = CallFailed("busy", "slow down", passing=True, retry_after=2.5)
    assert (str(failure), failure.passing, failure.fatal, failure.retry_after) == ("slow down", True, False, 2.5)


def test_an_unknown_name_gets_the_nearest_ones() -> None:
    assert str(unknown("task", "fixatoin", ["fixation", "marvel"])) == "unknown task 'fixatoin'; did you mean fixation?"
    assert str(unknown("task", "zzz", ["fixation", "marvel"])) == "unknown task 'zzz'; known: fixation, marvel"
    assert isinstance(unknown("task", "", []), UserError)
