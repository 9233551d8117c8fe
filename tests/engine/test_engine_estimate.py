"""The dry run: what would be asked, after what the store already has."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from snellen.engine import Engine, Price, Store, estimate
from snellen.engine.estimate import REPLY_TOKENS, picture_tokens, request_tokens
from snellen.item import Picture
from support.fakes import PICTURE, FakeSubject, call


async def test_what_is_known_is_free_and_the_same_call_counts_once(tmp_path: Path) -> None:
    calls = [call(f"{i % 600}", max_tokens=16) for i in range(1200)]
    with Store.open(tmp_path / "s.db") as store:
        engine = Engine(store)
        for asked in calls[:100]:
            await engine.ask(FakeSubject(), asked)
        found = estimate(calls, store, {"fake": Price(2.0, 10.0), "someone else": Price(1, 1)})
    part = found.by_subject["fake"]
    assert (part.known, part.to_make) == (100, 500)
    assert part.tokens_in == sum(request_tokens(asked) for asked in calls[100:600])
    assert part.tokens_out == 500, "replies were one token long so far"
    assert part.cost == pytest.approx((part.tokens_in * 2 + 500 * 10) / 1e6)
    assert found.total == part


def test_without_a_store_or_a_price() -> None:
    found = estimate([call("a"), call("a", "other", max_tokens=16), call("b", "other")], None)
    assert found.by_subject["fake"].tokens_out == REPLY_TOKENS
    assert found.by_subject["other"].tokens_out == REPLY_TOKENS + 16
    assert (found.total.to_make, found.total.known, found.total.cost) == (3, 0, None)
    assert estimate([], None).total.to_make == 0


def test_tokens_of_words_and_pictures() -> None:
    assert picture_tokens(PICTURE) == 14 * 14
    assert request_tokens(call("x" * 41)) == 4 + 14 * 14 + 11
    jpeg = BytesIO()
    Image.new("RGB", (1000, 100)).save(jpeg, "JPEG")
    assert picture_tokens(Picture(jpeg.getvalue(), "image/jpeg")) == 36 * 4
    assert picture_tokens(Picture(b"what is this")) == 85
