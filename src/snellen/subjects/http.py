"""A model behind an HTTP API: one attempt per call, one session, as little work of our own as can be.

Which API is spoken is the dialect's business (`openai.py`, `anthropic.py`); retries, limits and records are
the engine's. Errors are raised without their cause on purpose: the libraries' errors hold the request's
headers, and the key is one of them.
"""

import asyncio
import errno
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType, TracebackType
from typing import Any, NoReturn, Protocol, Self, TypeVar
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.subjects.failures import Complaint, Server, complaint, failure
from snellen.subjects.settings import Value

T = TypeVar("T")

_CONNECT_SECONDS = 30
_TIMEOUT = 300.0
_QUOTED = 4096
_LARGE = 2**20  # aiohttp wants bodies above this in pieces, so that one does not hold up all others


class Dialect(Protocol):
    """How calls and replies are written in one API."""

    path: str

    def headers(self, key: str | None) -> dict[str, str]: ...

    async def body(self, call: Call) -> bytes: ...

    def reply(self, data: Any) -> Reply:
        """The reply in the server's data; KeyError, TypeError, IndexError or ValueError if there is none."""
        ...

    def learn(self, said: Complaint, body: bytes) -> bool:
        """Whether the complaint was about spelling only, and the same call will now be written otherwise."""
        ...


class Endpoint:
    """An address that takes JSON and gives JSON: one session; each exchange is one attempt or one `CallFailed`."""

    def __init__(self, server: Server, path: str, timeout: float, env: Mapping[str, str]) -> None:
        self._server = server
        self._timeout = timeout
        self._url = URL(server.base + path, encoded=True)
        self._proxy = _proxy(server.base, env)
        self._session: aiohttp.ClientSession | None = None
        self._met = False  # whether the server has ever answered anything
        self._settings = MappingProxyType(dict(server.settings))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    @property
    def name(self) -> str:
        return self._server.name

    @property
    def settings(self) -> Mapping[str, Value]:
        return self._settings

    async def __aenter__(self) -> Self:
        key = self._server.key
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=min(self._timeout, _CONNECT_SECONDS)),
            headers={
                "Content-Type": "application/json",
                "Accept-Encoding": "identity",  # replies are short: unpacking costs more than it saves
                "User-Agent": "snellen",
                **self._headers(key.reveal() if key else None),
            },
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _headers(self, key: str | None) -> dict[str, str]:
        """How the key is shown to the server."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _learns(self, said: Complaint, body: bytes) -> bool:
        """Whether a complaint is about spelling only, and the same request will now be written otherwise."""
        return False

    async def _exchange(self, body: bytes, read: Callable[[Any], T]) -> T:
        """What `read` finds in the server's data; it may raise anything a wrong shape makes it raise."""
        try:
            status, headers, raw = await self._post(body)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._give_up(error)
        self._met = True
        if status >= 300:
            raise self._failure(status, headers, raw, body)
        try:
            data = json.loads(raw)
            if type(data) is dict and "error" in data and (code := _hidden_status(data["error"])):
                raise self._failure(code, headers, raw, body)
            return read(data)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, RecursionError):
            raise self._malformed(raw) from None

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if self._session is None:
            raise RuntimeError(f"{self.name} is asked before it is opened")
        data = body if len(body) < _LARGE else BytesIO(body)
        # A redirect could carry the key to somebody else, so none is followed.
        async with self._session.post(self._url, data=data, proxy=self._proxy, allow_redirects=False) as response:
            return response.status, response.headers, await response.read()

    def _failure(self, status: int, headers: Mapping[str, str], raw: bytes, body: bytes) -> CallFailed:
        if status in (400, 422) and self._learns(complaint(raw), body):
            return CallFailed(
                "rejected", f"{self.name}: asks for the call in other words", passing=True, retry_after=0.0
            )
        return failure(self._server, status, headers, raw)

    def _malformed(self, raw: bytes) -> CallFailed:
        start = self._server.quote(raw[:_QUOTED].decode("utf-8", "replace"))[:120]
        return CallFailed(
            "malformed", f"{self.name}: the server's answer cannot be understood: {start!r}", passing=True
        )

    def _give_up(self, error: Exception) -> NoReturn:
        """Raise what an error of the connection means. A server that never answered at all is not there."""
        name, base = self.name, self._server.base
        connecting = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
        if connecting and not self._met and not _out_of_files(error):
            raise CallFailed(
                "unreachable",
                f"{name}: no server answers at {base} ({_why(error)}); is it running, is the address right?",
                fatal=True,
            ) from None
        if isinstance(error, asyncio.TimeoutError):
            raise CallFailed("timeout", f"{name}: no answer within {self._timeout:g} s", passing=True) from None
        if isinstance(error, aiohttp.ClientPayloadError):
            raise CallFailed("malformed", f"{name}: the server's answer broke off", passing=True) from None
        raise CallFailed(
            "connection", f"{name}: the connection to {base} failed ({_why(error)})", passing=True
        ) from None


class HttpSubject(Endpoint):
    """A model behind an HTTP API."""

    def __init__(self, server: Server, dialect: Dialect, abilities: Abilities, env: Mapping[str, str]) -> None:
        super().__init__(server, dialect.path, abilities.timeout or _TIMEOUT, env)
        self._dialect = dialect
        self._abilities = abilities

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    async def answer(self, call: Call) -> Reply:
        return self._clean(await self._exchange(await self._dialect.body(call), self._dialect.reply))

    def _headers(self, key: str | None) -> dict[str, str]:
        return self._dialect.headers(key)

    def _learns(self, said: Complaint, body: bytes) -> bool:
        return self._dialect.learn(said, body)

    def _clean(self, reply: Reply) -> Reply:
        """The reply; were a server to repeat the key in it, without the key, since replies are kept."""
        key = self._server.key
        if key is None or not key.is_secret or not (key.within(reply.text) or key.within(reply.model)):
            return reply
        return replace(reply, text=key.hide(reply.text), model=key.hide(reply.model))


def _hidden_status(error: Any) -> int:
    """The status of an error that came as a success, as OpenRouter sends it; 0 if there is none."""
    if not error:
        return 0
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def _out_of_files(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)


def _why(error: Exception) -> str:
    """The reason in a few words, never the library's own account, which may quote headers."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError):
        return "its certificate was not accepted"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "unknown host"
    if isinstance(error, ConnectionRefusedError) or getattr(error, "errno", None) == errno.ECONNREFUSED:
        return "connection refused"
    if isinstance(error, asyncio.TimeoutError):
        return "no connection in time"
    if isinstance(error, aiohttp.ServerDisconnectedError | ConnectionResetError):
        return "connection reset"
    code = getattr(error, "errno", None)
    return errno.errorcode.get(code, "network error") if isinstance(code, int) else "network error"


def _proxy(base: str, env: Mapping[str, str]) -> str | None:
    """The proxy the environment names for this address; never for this very machine."""
    url = urlsplit(base)
    host = url.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127."):
        return None
    proxy, exempt = (env.get(f"{name}_proxy") or env.get(f"{name}_proxy".upper()) or "" for name in (url.scheme, "no"))
    for place in (entry.strip().lstrip("*.") for entry in exempt.split(",") if entry.strip()):
        if place in ("", host, url.netloc) or host.endswith("." + place):
            return None
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy or None
