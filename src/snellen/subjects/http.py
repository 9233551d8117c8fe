"""A model behind an HTTP API: one attempt per call, one session, as little work of our own as can be.

Which API is spoken is the dialect's business (`openai.py`, `anthropic.py`); retries, limits, time-outs and records
are the engine's. Errors are raised without their cause on purpose: the libraries' errors hold the request's headers,
and the key is one of them.
"""

import asyncio
import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from types import MappingProxyType, TracebackType
from typing import Any, BinaryIO, NoReturn, Protocol, Self, TypeVar
from urllib.parse import urlsplit

import aiohttp
from yarl import URL

from snellen.call import Abilities, Call, CallFailed, Reply, without_secrets
from snellen.subjects.complaints import Complaint, blocked, complaint_of, hidden_error, read_complaint
from snellen.subjects.event_stream import DONE, events_of
from snellen.subjects.failures import Refused, Server, failure
from snellen.subjects.heed import HeedCount
from snellen.subjects.lenient_json import parsed
from snellen.subjects.providers import Secret, find_key
from snellen.subjects.settings import Value

T = TypeVar("T")

_CONNECT_SECONDS = 30
_READ_SECONDS = 300
_QUOTED = 4096
_LARGE = 2**20  # aiohttp wants bodies above this in pieces, so that one does not hold up all others
_LARGEST_REPLY = 16 * 2**20
_OTHER_SHAPES = (KeyError, TypeError, IndexError, ValueError, AttributeError, OverflowError, RecursionError)


class Dialect(Protocol):
    """How calls and replies are written in one API."""

    path: str

    def headers(self, key: str | None) -> dict[str, str]: ...

    async def body(self, call: Call) -> bytes: ...

    def reply(self, data: Any) -> Reply:
        """The reply in the server's data; KeyError, TypeError, IndexError or ValueError if there is none."""
        ...

    def whole(self, events: Sequence[Any]) -> Any:
        """The data of a reply that came in pieces, as if it had come in one; raises as `reply` does."""
        ...

    def learn(self, complaint: Complaint, body: bytes) -> bool:
        """Whether the complaint was about spelling only, and the same call will now be written otherwise."""
        ...


class Endpoint:
    """An address that takes JSON and gives JSON: one session; each exchange is one attempt or one `CallFailed`.

    The key is looked up when it is opened. `timeout`: how many seconds an exchange may take, if nobody else cares.
    """

    def __init__(self, server: Server, path: str, env: Mapping[str, str], timeout: float | None = None) -> None:
        self._server = server
        self._find_key = partial(_find_key, server, lambda: env)  # nothing shows that may hold a key
        self._timeout = timeout
        self._url = URL(server.base + path, encoded=True)
        self._proxy = _proxy(server.base, env)
        self._session: aiohttp.ClientSession | None = None
        self._met = False  # whether the server has ever answered anything
        self._settings = MappingProxyType(dict(server.settings))

    def beside(self, key_header: str) -> "Endpoint":
        """The same server, to which the key is shown in this header."""
        provider = replace(self._server.provider, key_header=key_header)
        other = Endpoint(replace(self._server, provider=provider), "", {})
        other._find_key, other._proxy = self._find_key, self._proxy
        return other

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.name} may contain a key and cannot be pickled")

    @property
    def name(self) -> str:
        return self._server.name

    @property
    def settings(self) -> Mapping[str, Value]:
        return self._settings

    async def __aenter__(self) -> Self:
        key = self._find_key()
        self._server = replace(self._server, key=key)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=_CONNECT_SECONDS),
            headers={
                "Content-Type": "application/json",
                "Accept-Encoding": "identity",  # replies are short: unpacking costs more than it saves
                "User-Agent": "snellen",
                **self._shown(key.reveal() if key else None),
            },
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _shown(self, key: str | None) -> dict[str, str]:
        header = self._server.provider.key_header
        return {**self._headers(None), header: key} if header and key else self._headers(key)

    def _headers(self, key: str | None) -> dict[str, str]:
        """How the key is shown to the server."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _learns(self, complaint: Complaint, body: bytes) -> bool:
        """Whether a complaint is about spelling only, and the same request will now be written otherwise."""
        return False

    def _data(self, raw: bytes) -> Any:
        """The data in the body of a reply; ValueError or its like if there is none."""
        return parsed(raw)

    async def _exchange(self, body: bytes, read: Callable[[Any], T]) -> T:
        """What `read` finds in the server's data; it may raise anything a wrong shape makes it raise."""
        try:
            status, headers, raw = await self._post(body)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            self._give_up(error)
        self._met = True
        return self._understood(status, headers, raw, body, read)

    def _understood(
        self, status: int, headers: Mapping[str, str], raw: bytes, body: bytes, read: Callable[[Any], T]
    ) -> T:
        """What `read` finds in an answer; `CallFailed` if it is none."""
        if status >= 300:
            raise self._failure(status, headers, raw, body)
        try:
            data = self._data(raw)
            hidden = hidden_error(data)
            if hidden is None:
                return read(data)
            complaint = complaint_of(hidden[1])
        except _OTHER_SHAPES:
            raise self._malformed(raw) from None
        raise self._failure(hidden[0], headers, raw, body, complaint)

    async def _post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        if self._session is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        data = body if len(body) < _LARGE else BytesIO(body)
        # A redirect could carry the key to somebody else, so none is followed.
        response = await self._session.post(self._url, data=data, proxy=self._proxy, allow_redirects=False)
        try:  # a body that was read to its end has given its connection back
            return response.status, response.headers, await self._body(response)
        except BaseException:
            response.close()
            raise

    async def fetch(
        self,
        method: str,
        url: str,
        data: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        into: BinaryIO | None = None,
        missing: CallFailed | None = None,
    ) -> tuple[Any, Mapping[str, str]]:
        """The data and headers at another of the server's addresses, in one attempt. A long body goes `into` a file.
        `missing`: the failure if there is nothing at that address."""
        if self._session is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        patience = aiohttp.ClientTimeout(sock_connect=_CONNECT_SECONDS, sock_read=_READ_SECONDS)
        try:
            request = self._session.request(
                method,
                URL(url, encoded=True),
                data=data,
                headers=headers,
                proxy=self._proxy,
                allow_redirects=False,
                timeout=patience,
            )
            async with request as response:
                if into is not None and response.status < 300:
                    async for piece in response.content.iter_chunked(_LARGE):
                        into.write(piece)
                    return None, response.headers
                raw = await self._body(response)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            self._give_up(error)
        self._met = True
        if missing is not None and response.status in (404, 405, 410, 501):
            raise missing
        if response.status >= 300:
            raise self._failure(response.status, response.headers, raw, b"")
        try:
            return (parsed(raw) if raw else {}), response.headers
        except ValueError:
            raise self._malformed(raw) from None

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        """What the server sends, as long as that is not absurdly much."""
        length = response.content_length or 0
        if 0 < length <= _LARGEST_REPLY and "Content-Encoding" not in response.headers:
            return await response.read()
        pieces: list[bytes] = []
        size = length if length > _LARGEST_REPLY else 0
        while size <= _LARGEST_REPLY:
            piece = await response.content.readany()
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            size += len(piece)
        response.close()
        raise CallFailed("malformed", f"{self.name}: the server's answer is longer than {_LARGEST_REPLY >> 20} MiB")

    def _failure(
        self, status: int, headers: Mapping[str, str], raw: bytes, body: bytes, complaint: Complaint | None = None
    ) -> CallFailed:
        complaint = complaint or read_complaint(raw)
        if status in (400, 422) and self._learns(complaint, body):
            return CallFailed(
                "rejected", f"{self.name}: asks for the call in another form", passing=True, retry_after=0.0
            )
        return failure(self._server, status, headers, complaint, raw)

    def _malformed(self, raw: bytes) -> CallFailed:
        start = self._server.quote(raw[:_QUOTED].decode("utf-8", "replace"))[:120]
        return CallFailed("malformed", f"{self.name}: cannot parse the server's answer: {start!r}", passing=True)

    def _give_up(self, error: Exception) -> NoReturn:
        """Raise what an error of the connection means. A server that never answered at all is not there."""
        name, base = self.name, self._server.base
        kinds = aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError | aiohttp.InvalidURL | UnicodeError
        connecting = isinstance(error, kinds)
        if connecting and not self._met and not _out_of_files(error):
            raise CallFailed(
                "unreachable",
                f"{name}: no server answers at {base} ({_why(error)}); is it running, and is the address right?",
                fatal=True,
            ) from None
        if isinstance(error, asyncio.TimeoutError) and self._timeout and not connecting:
            raise CallFailed("timeout", f"{name}: no answer within {self._timeout:g} s", passing=True) from None
        if isinstance(error, aiohttp.ClientPayloadError):
            raise CallFailed("malformed", f"{name}: the server's answer broke off", passing=True) from None
        raise CallFailed(
            "connection", f"{name}: the connection to {base} failed ({_why(error)})", passing=True
        ) from None


class HttpSubject(Endpoint):
    """A model behind an HTTP API."""

    def __init__(self, server: Server, dialect: Dialect, abilities: Abilities, env: Mapping[str, str]) -> None:
        super().__init__(server, dialect.path, env)
        self._dialect = dialect
        self._abilities = abilities
        self._heed = HeedCount()

    @property
    def abilities(self) -> Abilities:
        return self._abilities

    async def answer(self, call: Call) -> Reply:
        try:
            return self._kept(call, await self._exchange(await self._dialect.body(call), self._reply))
        except Refused as refused:
            return Reply(str(refused), "refused")

    def read_row(self, call: Call | None, status: int, raw: bytes) -> Reply:
        """The reply in a row of a batch's results, as if it had come by itself; raises `CallFailed`."""
        try:
            return self._kept(call, self._understood(status, {}, raw, b"", self._reply))
        except Refused as refused:
            return Reply(str(refused), "refused")

    @property
    def server(self) -> Server:
        return self._server

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    def _kept(self, call: Call | None, reply: Reply) -> Reply:
        if call is not None:
            self._heed.note(call, reply)
        return without_secrets(reply)

    def unheeded(self, least: int = 1) -> dict[str, str]:
        """Settings that were asked for and, as the replies so far show, not heeded: what shows it, by setting."""
        return self._heed.unheeded(least)

    def _reply(self, data: Any) -> Reply:
        """The reply in the server's data; what a filter kept back is a refusal, however little is left of it."""
        reason = blocked(data)
        if not reason:
            return self._dialect.reply(data)
        try:
            reply = self._dialect.reply(data)
        except _OTHER_SHAPES:
            return Reply(self._server.quote(reason), "refused", model=str(data.get("model") or ""))
        return replace(reply, finish="refused")

    def _headers(self, key: str | None) -> dict[str, str]:
        return self._dialect.headers(key)

    def _learns(self, complaint: Complaint, body: bytes) -> bool:
        return self._dialect.learn(complaint, body)

    def _data(self, raw: bytes) -> Any:
        events = events_of(raw)
        return parsed(raw.removesuffix(DONE)) if events is None else self._dialect.whole(events)


def _find_key(server: Server, env: Callable[[], Mapping[str, str]]) -> Secret | None:
    return find_key(server.provider, server.base, env(), server.name)


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
        return "connection timed out"
    if isinstance(error, ValueError):
        return "invalid address"
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
