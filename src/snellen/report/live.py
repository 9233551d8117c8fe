"""The report page on the loopback, for a store that may still grow: the same page, with another source of its data.

The page asks for `status` every few seconds and, when that names a new version, for `report`: the head, the trials and
the alternative texts of the pictures. Pictures come one by one, as the bytes that were shown.

Who may ask: whoever has the address that was printed. Its token works once and is exchanged for a cookie; every other
request needs that cookie, and a Host that names this machine, so that no web page can reach the server through a name
of its own (DNS rebinding). The page's policy is that of the file, and beyond it allows requests to this server only.

What it costs: nothing is built while nobody looks, and a build is followed by a pause of several times its length.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import Any, Protocol

from aiohttp import web

from snellen.item import Picture
from snellen.report.page import built, page, policy
from snellen.report.pictures import SHOWABLE

LEAST_PAUSE = 3.0
PAUSE = 4.0
"""After a build: at least so many seconds, and so many times as long as the build took."""
UNSEEN = 10.0
"""A page that has not asked for so many seconds is closed."""
LONGEST_FAREWELL = 60.0
"""The most seconds a page is given to fetch the last version and its pictures."""

HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class PageSource(Protocol):
    """A store, as the server looks at it."""

    def status(self) -> dict[str, Any]:
        """Progress and spend, quickly. `state` is "running" while more may come; `mark` changes with the trials."""
        ...

    def build(self) -> bytes:
        """The contents of the page in JSON; takes its time, in a thread."""
        ...

    def picture(self, digest: str) -> Picture | None: ...


@dataclass
class LiveReport:
    """Serves one page. `leaves`: the server ends when the exam has, once open pages have all of it."""

    source: PageSource
    leaves: bool = False
    token: str = field(default_factory=lambda: token_urlsafe(24))
    port: int = 0
    _cookie: str = field(default_factory=lambda: token_urlsafe(24))
    _body: bytes = b""
    _version: int = 0
    _mark: Any = None
    _next: float = 0.0
    _over: float = 0.0
    _building: "asyncio.Task[None] | None" = None
    _problem: str = ""
    _asked: dict[str, float] = field(default_factory=dict)
    """The open pages, by the name each gave itself, and when they last asked."""

    @property
    def address(self) -> str:
        """Where the page is; works once."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    async def serve(self, ready: Callable[[], None]) -> None:
        """Serve until cancelled, or until the exam is over. `ready` is called once the page can be asked for."""
        runner = web.AppRunner(self.application(), access_log=None, handle_signals=False)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", self.port)
            await site.start()
            self.port = runner.addresses[0][1]
            self._refresh(self.source.status())
            self._asked["about to open"] = monotonic()
            ready()
            while self._is_needed():  # noqa: ASYNC110 - a store tells nobody that it has changed
                await asyncio.sleep(0.5)
        finally:
            if self._building:
                with suppress(Exception):
                    await self._building
            await runner.cleanup()

    def application(self) -> web.Application:
        """The addresses there are; all of them check who asks first."""
        app = web.Application(middlewares=[self._guard])
        handlers = {
            "/": self._page,
            "/status": self._status,
            "/report": self._report,
            "/favicon.ico": self._no_icon,
            "/picture/{digest}": self._picture,
        }
        for path, handler in handlers.items():
            app.router.add_get(path, handler, allow_head=False)
        return app

    def _is_needed(self) -> bool:
        """Whether the exam runs, or an open page still has to fetch the end of it."""
        if not self.leaves or self.source.status()["state"] == "running":
            return True
        self._over = self._over or monotonic()
        is_open = any(monotonic() - asked < UNSEEN for asked in self._asked.values())
        return is_open and monotonic() - self._over < LONGEST_FAREWELL

    # Who may ask

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self._is_local(request):
            answer: web.StreamResponse = web.Response(status=403, text="This server answers to this machine only.\n")
        elif not (self._is_known(request) or self._is_admitted(request)):
            answer = web.Response(status=403, text=_NOT_ADMITTED)
        else:
            try:
                answer = await handler(request)
            except web.HTTPException as error:
                answer = web.Response(status=error.status, text=f"{error.reason}\n")
        answer.headers.update(_HEADERS)
        return answer

    def _is_local(self, request: web.Request) -> bool:
        host = request.headers.get("Host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        site = request.headers.get("Sec-Fetch-Site", "none")
        return name in HOSTS and (site in ("none", "same-origin") or request.path == "/")

    def _is_known(self, request: web.Request) -> bool:
        return hmac.compare_digest(request.cookies.get(self._cookie_name, "").encode(), self._cookie.encode())

    def _is_admitted(self, request: web.Request) -> bool:
        """Whether the request has the token; it is used up by that."""
        token = request.query.get("token", "") if (request.method, request.path) == ("GET", "/") else ""
        if not self.token or not hmac.compare_digest(token.encode(), self.token.encode()):
            return False
        self.token = ""
        return True

    @property
    def _cookie_name(self) -> str:
        return f"snellen-{self.port}"  # cookies know no ports: two servers need two names

    # What there is

    async def _page(self, request: web.Request) -> web.Response:
        response = web.Response(text=live_page(), content_type="text/html")
        response.set_cookie(self._cookie_name, self._cookie, httponly=True, samesite="Strict", path="/")
        return response

    async def _status(self, request: web.Request) -> web.Response:
        status = self.source.status()
        self._refresh(status)
        self._note_page(request)
        mark = status.pop("mark")
        complete = self._version > 0 and mark == self._mark and not self._building
        own = {"version": self._version, "current": complete, "leaves": self.leaves, "problem": self._problem}
        return web.json_response({**status, **own})

    def _note_page(self, request: web.Request) -> None:
        """Remember that a page is open, or forget one that says goodbye."""
        name = request.query.get("page", "")[:40]
        if "bye" in request.query:
            self._asked.pop(name, None)
        elif name:
            self._asked[name] = monotonic()

    async def _report(self, request: web.Request) -> web.Response:
        return web.Response(body=self._body, content_type="application/json")

    async def _no_icon(self, request: web.Request) -> web.Response:
        return web.Response(status=204)  # browsers ask, whatever the page says

    async def _picture(self, request: web.Request) -> web.Response:
        self._note_page(request)
        picture = self.source.picture(request.match_info["digest"])
        if picture is None or picture.media_type not in SHOWABLE:
            raise web.HTTPNotFound
        return web.Response(body=picture.data, content_type=picture.media_type)

    # Building

    def _refresh(self, status: dict[str, Any]) -> None:
        """Start a build if there is something new and the last one was long enough ago."""
        is_early = monotonic() < self._next
        waits = is_early and (status["state"] == "running" or bool(self._problem))
        if status["mark"] == self._mark or self._building or waits:
            return
        self._building = asyncio.create_task(self._build(status["mark"]))

    async def _build(self, mark: Any) -> None:
        start = monotonic()
        try:
            self._body = await asyncio.to_thread(self.source.build)
            self._version += 1
            self._mark, self._problem = mark, ""
        except Exception as error:  # one version less: the next may do, and the exam must not suffer
            self._problem = str(error)
        finally:
            self._building = None
            self._next = monotonic() + max(LEAST_PAUSE, PAUSE * (monotonic() - start))


_NOT_ADMITTED = "Open the address that snellen printed. It works once; run `snellen view STORE` for a new one.\n"


def live_page() -> str:
    """The page without its data, which it asks for."""
    return "".join(page("Snellen", {"live": True}, {}, iter(()), live=True))


_HEADERS = {
    "Content-Security-Policy": f"{policy(built('report.js'), built('report.css'), live=True)}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
