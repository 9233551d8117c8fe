"""Both dialects against the fault server: every fault it knows comes out as what it is."""

import pytest
from scripted_api import a_call

from snellen.call import CallFailed
from snellen.subjects import subject
from support.fault_server import ANSWERS, BROKEN, STATUSES, FaultServer

REPLIES = {"ok": "stop", "empty": "stop", "filtered": "refused", "length": "length", "slow": "stop"}
FAILURES = {
    "429": ("busy", "passing"),
    "429-later": ("busy", "passing"),
    "529": ("busy", "passing"),
    "500": ("server", "passing"),
    "503": ("busy", "passing"),
    "reset": ("connection", "passing"),
    "truncated": ("malformed", "passing"),
    "malformed": ("malformed", "passing"),
    "html": ("malformed", "passing"),
    "401": ("key", "fatal"),
    "404": ("rejected", "fatal"),
    "400": ("rejected", ""),
}


def test_every_fault_is_tried_here():
    assert set(REPLIES) == set(ANSWERS)
    assert {*FAILURES, "hang"} == {*STATUSES, *BROKEN}, "how long to wait is the engine's business"


@pytest.mark.parametrize("place", ["openai", "anthropic"])
@pytest.mark.parametrize("fault", [*REPLIES, *FAILURES])
async def test_a_fault_comes_out_as_what_it_is(place, fault):
    async with (
        FaultServer(script=[fault]) as server,
        subject(f"{place}/m@{server.url}", env={}) as who,
    ):
        if fault in REPLIES:
            reply = await who.answer(a_call(who))
            assert reply.finish == REPLIES[fault]
            assert (reply.text in ("X", "O")) == (fault in ("ok", "slow"))
            return
        with pytest.raises(CallFailed) as caught:
            await who.answer(a_call(who))
        failed, (kind, fate) = caught.value, FAILURES[fault]
        assert (failed.kind, failed.passing, failed.fatal) == (kind, fate == "passing", fate == "fatal")
        assert (failed.retry_after is not None) == (fault == "429-later")
        assert server.asked.total() == 1
        # Once the trouble is over, the same open subject gets its answer.
        assert (await who.answer(a_call(who))).text in ("X", "O")
