"""The server of the live page: who may ask, what it answers, and how often it builds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from snellen.item import Picture
from snellen.report.live import LiveReport, live_page
from snellen.report.page import built, policy
from support.fakes import PICTURE

DRAWING = Picture(b"<svg/>", "image/svg+xml")
Client = TestClient[Any, Any]


@dataclass
class FakeSource:
    """A store of which every look finds more trials; its pictures are of any type."""

    state: str = "running"
    looks: int = 0
    builds: int = 0
    pictures: dict[str, Picture] = field(
        default_factory=lambda: {"ab": PICTURE, "cd": Picture(b"<svg/>", "image/svg+xml")}
    )

    def status(self) -> dict[str, Any]:
        self.looks += 1
        return {"state": self.state, "mark": self.looks}

    def build(self) -> bytes:
        self.builds += 1
        return b'{"head": {}}'

    def picture(self, digest: str) -> Picture | None:
        return self.pictures.get(digest)


@asynccontextmanager
async def serving(live: LiveReport) -> AsyncIterator[Client]:
    async with TestClient(TestServer(live.application(), host="127.0.0.1")) as client:
        yield client


async def statuses(client: Client, *paths: str, **headers: str) -> list[int]:
    return [(await client.get(path, headers=headers)).status for path in paths]


EVERYTHING = ("/", "/status", "/report", "/picture/ab", "/favicon.ico", "/no-such-page")


async def test_without_the_token_nothing_is_served() -> None:
    live = LiveReport(FakeSource())
    async with serving(live) as client:
        assert await statuses(client, *EVERYTHING, "/?token=", "/?token=wrong") == [403] * (len(EVERYTHING) + 2)
        # the token opens the page, not the data
        assert await statuses(client, f"/status?token={live.token}", f"/report?token={live.token}") == [403, 403]
        # a cookie of one's own making is none
        assert await statuses(client, *EVERYTHING, Cookie=f"snellen-{live.port}={live.token}") == [403] * len(
            EVERYTHING
        )


async def test_the_token_works_once_and_is_exchanged_for_a_cookie() -> None:
    live = LiveReport(FakeSource())
    token = live.token
    async with serving(live) as client:
        first = await client.get(f"/?token={token}")
        assert first.status == 200
        assert await first.text() == live_page()
        cookie = first.cookies[f"snellen-{live.port}"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert await statuses(client, "/", "/status", "/report", "/picture/ab") == [200] * 4
        client.session.cookie_jar.clear()
        assert await statuses(client, f"/?token={token}", "/?token=", "/status") == [403] * 3


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example:1", ""]
)
async def test_a_foreign_host_is_refused_even_with_the_cookie(host: str) -> None:
    live = LiveReport(FakeSource())
    async with serving(live) as client:
        await client.get(f"/?token={live.token}")
        assert await statuses(client, *EVERYTHING, Host=host) == [403] * len(EVERYTHING)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9999", "[::1]:80", "[::1]"])
async def test_a_tunnel_to_this_machine_is_served(host: str) -> None:
    live = LiveReport(FakeSource())
    async with serving(live) as client:
        await client.get(f"/?token={live.token}")
        assert await statuses(client, "/status", Host=host) == [200]


async def test_another_page_of_this_machine_cannot_use_the_cookie() -> None:
    live = LiveReport(FakeSource())
    async with serving(live) as client:
        await client.get(f"/?token={live.token}")
        for site in ("same-site", "cross-site"):
            assert await statuses(client, "/status", "/report", "/picture/ab", **{"Sec-Fetch-Site": site}) == [403] * 3
        assert await statuses(client, "/status", **{"Sec-Fetch-Site": "same-origin"}) == [200]


async def test_every_answer_has_the_policy_of_the_page() -> None:
    live = LiveReport(FakeSource())
    script, style = built("report.js"), built("report.css")
    async with serving(live) as client:
        for path in ("/", f"/?token={live.token}", "/report", "/picture/cd"):
            headers = (await client.get(path)).headers
            rules = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
            of_file = dict(rule.split(" ", 1) for rule in policy(script, style).split("; "))
            assert {name for name in rules if rules[name] != of_file.get(name)} == {
                "img-src",
                "connect-src",
                "frame-ancestors",
            }
            assert (rules["img-src"], rules["connect-src"]) == ("data: blob: 'self'", "'self'")
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cache-Control"] == "no-store"
        assert await statuses(client, "/picture/cd", "/picture/ef") == [404, 404]  # what could run is no picture


async def test_it_builds_once_however_often_it_is_asked_and_rests_after_that() -> None:
    source = FakeSource()
    live = LiveReport(source)
    async with serving(live) as client:
        await client.get(f"/?token={live.token}")
        for _ in range(30):
            status = await (await client.get("/status?page=a")).json()
            await asyncio.sleep(0.002)
        assert (status["version"], status["current"], source.builds) == (1, False, 1)
        source.state = "finished"  # the last version does not wait
        await client.get("/status?page=a")
        await asyncio.sleep(0.05)
        assert (await (await client.get("/status?page=a")).json())["version"] == 2


async def test_a_build_that_fails_is_said_and_the_last_version_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    source = FakeSource(state="finished")
    live = LiveReport(source)
    async with serving(live) as client:
        await client.get(f"/?token={live.token}")
        await client.get("/status")
        await asyncio.sleep(0.05)

        def fails() -> bytes:
            raise ValueError("no luck")

        monkeypatch.setattr(source, "build", fails)
        await client.get("/status")
        await asyncio.sleep(0.05)
        status = await (await client.get("/status")).json()
        assert (status["version"], status["problem"]) == (1, "no luck")
        assert await (await client.get("/report")).json() == {"head": {}}


async def test_it_ends_with_the_exam_once_no_page_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.report.live.UNSEEN", 0.3)
    source = FakeSource()
    live = LiveReport(source, leaves=True)
    started = asyncio.Event()
    serve = asyncio.create_task(live.serve(started.set))
    await started.wait()
    assert live.port
    source.state = "finished"
    await asyncio.wait_for(serve, 5)
