"""A model behind an HTTP API: one attempt per call, one session, as little work of our own as can be.

Which API is spoken is the dialect's business (`openai.py`, `anthropic.py`); retries, limits, time-outs and records
are the engine's. Errors are raised without their cause on purpose: the libraries' errors hold the request's headers,
and the key is one of them.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, Protocol, Self, TypeVar
from urllib.parse import urlsplit

from snellen.call import Abilities, Call, CallFailed, Reply, without_secrets
from snellen.subjects.complaints import Complaint, blocked, complaint_of, hidden_error, read_complaint
from snellen.subjects.event_stream import DONE, events_of
from snellen.subjects.failures import Refused, Server, failure
from snellen.subjects.heed import HeedCount
from snellen.subjects.http_client import LARGEST_REPLY, HttpClient, HttpFault, HttpReply
from snellen.subjects.lenient_json import parsed
from snellen.subjects.providers import Secret, find_key
from snellen.subjects.settings import Value

if TYPE_CHECKING:
    from snellen.subjects.http_session import HttpSession

T = TypeVar("T")

_QUOTED = 4096
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
        self._url = server.base + path
        self._proxy = _proxy(server.base, env)
        self._client: HttpClient | None = None
        self._session: HttpSession | None = None  # for what is more than a call, if anything is
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
        self._client = HttpClient(self._url, self._sent_headers())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            self._client.close()
        if self._session is not None:
            await self._session.close()
        self._client = self._session = None

    def _sent_headers(self) -> dict[str, str]:
        key = self._server.key
        return {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",  # replies are short: unpacking costs more than it saves
            "User-Agent": "snellen",
            **self._shown(key.reveal() if key else None),
        }

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
            answer = self._post(body)
            reply = await (answer if self._timeout is None else asyncio.wait_for(answer, self._timeout))
        except HttpFault as fault:
            self._give_up(fault)
        except TimeoutError:
            raise CallFailed("timeout", f"{self.name}: no answer within {self._timeout:g} s", passing=True) from None
        self._met = True
        return self._understood(reply, body, read)

    def _understood(self, reply: HttpReply, body: bytes, read: Callable[[Any], T]) -> T:
        """What `read` finds in an answer; `CallFailed` if it is none."""
        status, headers, raw = reply
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

    async def _post(self, body: bytes) -> HttpReply:
        if self._client is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        if self._proxy is None:
            return await self._client.post(body)
        return await self._opened_session().request("POST", self._url, body, waits=True)

    def _opened_session(self) -> "HttpSession":
        if self._client is None:
            raise RuntimeError(f"{self.name} was asked before it was opened")
        if self._session is None:
            from snellen.subjects.http_session import HttpSession  # which takes long to load

            self._session = HttpSession(self._sent_headers(), self._proxy)
        return self._session

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
        try:
            reply = await self._opened_session().request(method, url, data, headers=headers, into=into)
        except HttpFault as fault:
            self._give_up(fault)
        self._met = True
        status, told, raw = reply
        if missing is not None and status in (404, 405, 410, 501):
            raise missing
        if status >= 300:
            raise self._failure(status, told, raw, b"")
        try:
            return (parsed(raw) if raw else {} if into is None else None), told
        except ValueError:
            raise self._malformed(raw) from None

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

    def _give_up(self, fault: HttpFault) -> NoReturn:
        """Raise what a fault of the connection means. A server that never answered at all is not there."""
        name, base = self.name, self._server.base
        if fault.kind == "unconnected" and not self._met and not fault.is_ours:
            raise CallFailed(
                "unreachable",
                f"{name}: no server answers at {base} ({fault.why}); is it running, and is the address right?",
                fatal=True,
            ) from None
        if fault.kind == "too long":
            longest = LARGEST_REPLY >> 20
            raise CallFailed("malformed", f"{name}: the server's answer is longer than {longest} MiB") from None
        if fault.kind == "broken off":
            raise CallFailed("malformed", f"{name}: the server's answer broke off", passing=True) from None
        raise CallFailed("connection", f"{name}: the connection to {base} failed ({fault.why})", passing=True) from None


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
            return self._kept(call, self._understood(HttpReply(status, {}, raw), b"", self._reply))
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
