"""Stop strings: a reply ends before the first one, whatever tokens it is made of and whatever batch it is in."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from local_calls import CALLS

import tiny_models
from snellen.call import Call, Reply, Token
from snellen.errors import UserError
from snellen.subjects import settings
from snellen.subjects.local.loading import load
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.running import Runner
from snellen.subjects.local.stopping import first_stop, tokens_to_stop, without_end
from snellen.subjects.settings import STOP, SubjectSetting, strings, strings_of
from support.later import later

later("torch")

LENGTH = 12


@pytest.fixture(scope="module")
def answer(folder_of: Callable[[str], Path]) -> Callable[[Sequence[Call]], list[Reply]]:
    loaded = load(folder_of(tiny_models.EACH[0]))
    prompts, runner = PromptMaker(ProcessingHere(loaded)), Runner(loaded)
    return lambda calls: runner.answer([prompts.of(call) for call in calls])


def with_stop(call: Call, *stop: str) -> Call:
    more = {"stop": json.dumps(stop)} if stop else {}
    return replace(call, settings={**call.settings, "max_tokens": LENGTH, "logprobs": 0, **more})


def test_a_reply_ends_before_its_first_stop_string(answer: Callable[[Sequence[Call]], list[Reply]]) -> None:
    call = with_stop(CALLS[0])
    (plain,) = answer([call])
    pieces = [token.text for token in plain.tokens]
    across = plain.text[len(pieces[0]) :][: len(pieces[1]) + 1]  # ends within the third token
    (stopped,) = answer([with_stop(call, across, "never said")])
    assert stopped.text == plain.text[: plain.text.find(across)]
    assert stopped.finish == "stop"
    assert "".join(token.text for token in stopped.tokens) == stopped.text
    assert 0 < stopped.tokens_out <= 3 < plain.tokens_out


def test_company_changes_nothing(answer: Callable[[Sequence[Call]], list[Reply]]) -> None:
    plain = answer([with_stop(call) for call in CALLS])
    stop = (plain[0].tokens[1].text, plain[1].tokens[4].text)
    calls = [with_stop(call, *stop) for call in CALLS]
    alone = [reply for call in calls for reply in answer([call])]
    told = [(reply.text, reply.finish, reply.tokens_out) for reply in answer(calls)]
    assert told == [(reply.text, reply.finish, reply.tokens_out) for reply in alone]
    for reply, unstopped in zip(alone, plain, strict=True):
        assert reply.text == unstopped.text[: first_stop(unstopped.text, stop)]
    assert any(reply.finish == "stop" for reply in alone)


def test_a_string_that_is_never_said_changes_nothing(answer: Callable[[Sequence[Call]], list[Reply]]) -> None:
    assert answer([with_stop(CALLS[0], "never said")]) == answer([with_stop(CALLS[0])])


def test_the_count_of_tokens_includes_those_of_the_stop_string() -> None:
    pieces = ("a", "", "b#", "#", "#c")

    def decode(ids: Sequence[int]) -> str:
        return "".join(pieces[each] for each in ids)

    ids = range(len(pieces))
    assert tokens_to_stop(ids, ["##"], decode) == 4
    assert tokens_to_stop(ids, ["a"], decode) == 1
    assert tokens_to_stop(ids, ["c"], decode) == tokens_to_stop(ids, ["z"], decode) == 5


def test_tokens_are_cut_with_the_text() -> None:
    tokens = tuple(Token(text, -0.5) for text in ("ab", "", "cd"))
    assert [token.text for token in without_end(tokens, 1)] == ["ab", "", "c"]
    assert [token.text for token in without_end(tokens, 3)] == ["a"]
    assert without_end(tokens, 0) == tokens
    assert without_end(tokens, 4) == ()


def test_one_string_or_several_are_written_in_one_way() -> None:
    schema = (SubjectSetting("stop", STOP, strings),)

    def read(text: str) -> tuple[str, ...]:
        return strings_of(settings.read([("stop", text)], schema, "x")["stop"])

    assert read("###") == read('["###"]') == ("###",)
    assert read(r'["\n\n", "é"]') == ("\n\n", "é")
    assert read("[END]") == ("[END]",)
    for wrong in ("", "[]", '[""]', "[1]"):
        with pytest.raises(UserError, match="expected some words, or a JSON list"):
            read(wrong)
