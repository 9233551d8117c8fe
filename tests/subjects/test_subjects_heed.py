"""Settings that servers ignore: noticed where replies show it, and nothing more is claimed."""

from typing import Any

import pytest
from scripted_api import a_call, openai_says

from snellen.call import Call, Reply, Token
from snellen.subjects import subject
from snellen.subjects.heed import HeedCount
from support.fakes import call

X = Reply("X")
THOUGHT = Reply("X", tokens_reasoning=9)
NONE_THOUGHT = Reply("X", tokens_reasoning=0)


def found(replies: list[Reply], least: int = 1, **settings: Any) -> dict[str, str]:
    heed = HeedCount()
    for i, reply in enumerate(replies):
        heed.note(call(f"{i}", **settings), reply)
    return heed.unheeded(least)


LOGPROBS = Reply("X", tokens=(Token("X", -0.1),))
JSON = Reply('{"answer": "X"}')


@pytest.mark.parametrize(
    ("settings", "replies", "expected"),
    [
        ({}, [X] * 9, {}),
        ({"logprobs": 0}, [X] * 9, {"logprobs": "no log-probabilities in 9 of 9 replies"}),
        ({"logprobs": 3}, [LOGPROBS] * 9 + [X], {"logprobs": "no log-probabilities in 1 of 10 replies"}),
        ({"logprobs": 3}, [LOGPROBS] * 99 + [X], {}),
        ({"logprobs": 3}, [Reply("")] * 9, {}),
        ({"schema": {}}, [JSON] * 9, {}),
        ({"schema": {}}, [X, *[JSON] * 9], {"structured": "no JSON in 1 of 10 replies"}),
        ({"schema": {}}, [Reply('{"answer": "X', "length")] * 9, {}),
        ({"structured": "json"}, [X] * 9, {}),
        ({"reasoning_effort": "high"}, [X] * 9, {}),
        ({"reasoning_effort": "high"}, [NONE_THOUGHT] * 4, {}),
        ({"reasoning_effort": "high"}, [NONE_THOUGHT] * 9 + [THOUGHT], {}),
        (
            {"reasoning_effort": "high"},
            [NONE_THOUGHT] * 9,
            {"reasoning_effort=high": "no reasoning, by the server's own count, in 9 of 9 replies"},
        ),
        ({"reasoning_effort": "minimal"}, [NONE_THOUGHT] * 9, {}),
        ({"reasoning_effort": "none"}, [NONE_THOUGHT] * 9, {}),
        (
            {"reasoning_effort": "none"},
            [Reply("X", reasoning="Row one.")] * 2,
            {"reasoning_effort=none": "reasoning reported in 2 of 2 replies"},
        ),
        ({"seed": 7}, [X, Reply("O")] * 9, {}),
    ],
)
def test_what_is_seen_and_nothing_else(
    settings: dict[str, Any], replies: list[Reply], expected: dict[str, str]
) -> None:
    assert found(replies, **settings) == expected


def test_a_seed_is_not_heeded_where_the_same_request_is_answered_differently() -> None:
    heed = HeedCount()
    for sample, text in enumerate(["X", "X", "O"]):
        heed.note(Call("m", {"seed": 7}, call("Who?").messages, sample=sample), Reply(text))
    heed.note(Call("m", {"seed": 8}, call("Who?").messages), Reply("O"))
    assert heed.unheeded() == {"seed": "another answer to the same request in 1 of 2 replies"}


def test_nothing_is_said_before_enough_replies_could_show_it() -> None:
    assert found([X] * 4, 5, logprobs=1) == {}
    assert found([X] * 5, 5, logprobs=1) != {}


async def test_a_subject_behind_a_server_counts_its_replies(api):
    api.says(openai_says("X"))
    async with subject(f"openai/m@{api.url}:logprobs=2", env={}) as who:
        assert who.unheeded() == {}  # type: ignore[attr-defined]
        await who.answer(a_call(who))
        assert who.unheeded() == {"logprobs": "no log-probabilities in 1 of 1 replies"}  # type: ignore[attr-defined]
