"""An HTTP client for one address: POST a body, read the reply.

Most of what a general client does for a request (sessions, redirects, cookies, streams) is of no use to a call, and
takes more CPU time than the rest of the call. What is left is here: HTTP/1.1 over connections that stay open, with
TLS; llhttp, by way of httptools, reads the replies. Requests through a proxy, files and other methods are aiohttp's
business (`http_session.py`).
"""

import asyncio
import errno
import re
import socket
import ssl
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

CONNECT_SECONDS = 30
LARGEST_REPLY = 16 * 2**20
"""Bytes of a reply, unpacked; also bytes on the wire, with its headers."""
_IDLE_SECONDS = 15
"""A connection that was idle for longer is not used again: the server may be about to close it."""
_PACKED = ("gzip", "x-gzip", "deflate")
_RAW_DEFLATE, _GZIP_OR_ZLIB = -zlib.MAX_WBITS, zlib.MAX_WBITS | 32

FaultKind = Literal["unconnected", "lost", "broken off", "too long"]


class HttpReply(NamedTuple):
    """A server's reply. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpFault(Exception):
    """No reply: `kind` says how far it got, `why` the reason in a few words of our own. A library's words may quote
    headers, and the key is one of them."""

    def __init__(self, kind: FaultKind, why: str = "", *, is_ours: bool = False) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why
        self.is_ours = is_ours
        """True if this machine is at fault: it has no file handles left."""


class HttpClient:
    """Connections to the server of one address; as many as there are requests at once."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        address = urlsplit(url)
        self._is_secure = address.scheme == "https"
        self._host = address.hostname or ""
        self._port = address.port or (443 if self._is_secure else 80)
        self._idle: list[_Connection] = []
        lines = {"Host": address.netloc, "Accept": "*/*", **headers}
        if any(c in f"{name}{value}" for name, value in lines.items() for c in "\r\n\0"):
            raise ValueError("a header contains a line break")
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._head = f"POST {address.path or '/'} HTTP/1.1\r\n{head}Content-Length: ".encode()

    async def post(self, body: bytes) -> HttpReply:
        """Send a body in one attempt; raises `HttpFault`."""
        connection = self._idle_connection() or await self._connect()
        try:
            reply = await connection.exchange(b"%b%d\r\n\r\n" % (self._head, len(body)), body)
        except BaseException:
            connection.close()
            raise
        if connection.is_open:
            self._idle.append(connection)
        return reply

    def close(self) -> None:
        """Close the connections that no request is using."""
        while self._idle:
            self._idle.pop().close()

    def _idle_connection(self) -> "_Connection | None":
        now = asyncio.get_running_loop().time()
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open and now - connection.idle_since < _IDLE_SECONDS:
                return connection
            connection.close()
        return None

    async def _connect(self) -> "_Connection":
        loop = asyncio.get_running_loop()
        tls = _tls() if self._is_secure else None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                _, connection = await loop.create_connection(_Connection, self._host, self._port, ssl=tls)
        except (OSError, UnicodeError) as error:
            is_ours = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
            raise HttpFault("unconnected", reason(error), is_ours=is_ours) from None
        return connection


class _Connection(asyncio.Protocol):
    """One connection: a request, its reply, the next request. The methods `on_...` are called by the parser."""

    def __init__(self) -> None:
        self.is_open = False
        self.idle_since = 0.0
        self._transport: Any = None
        self._reply: asyncio.Future[HttpReply] | None = None
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._size = 0
        self.on_message_begin()

    def exchange(self, head: bytes, body: bytes) -> "asyncio.Future[HttpReply]":
        """Send a request; the future has its reply, or an `HttpFault`."""
        self._size = 0
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.writelines((head, body))
        return self._reply

    def close(self) -> None:
        """Give the connection up, whatever is under way."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    # What the transport tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self.is_open = transport, True
        if (wire := transport.get_extra_info("socket")) is not None:  # a model may think for longer than routers wait
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def data_received(self, data: bytes) -> None:
        if self._reply is None or self._reply.done():  # nobody asked
            self.close()
            return
        self._size += len(data)
        if self._size > LARGEST_REPLY:
            self._fail(HttpFault("too long"))
            return
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self.close()
            self._fail(HttpFault("lost", "not an HTTP reply"))  # unless the reply was over before that

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if self._has_head and not self._is_framed and error is None:
            self._finish()  # a body without a length ends with the connection
        elif self._has_head:
            self._fail(HttpFault("broken off"))
        else:
            self._fail(HttpFault("lost", reason(error or ConnectionResetError())))

    # What the parser tells

    def on_message_begin(self) -> None:
        if self._reply is not None and self._reply.done():  # two replies to one request: which is the next one's?
            self.close()
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []
        self._has_head = self._is_framed = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("utf-8", "replace")

    def on_headers_complete(self) -> None:
        self._has_head = True
        self._is_framed = "content-length" in self._headers or "chunked" in self._headers.get("transfer-encoding", "")

    def on_body(self, piece: bytes) -> None:
        self._pieces.append(piece)

    def on_message_complete(self) -> None:
        if self._parser.get_status_code() < 200:  # the reply proper follows
            self._has_head = False
            return
        self.is_open = self.is_open and self._parser.should_keep_alive()
        self._finish()

    # How an exchange ends

    def _finish(self) -> None:
        reply = self._reply
        if reply is None or reply.done():
            return
        self._has_head = False
        body = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        packed = self._headers.get("content-encoding", "").strip().lower()
        try:
            body = _unpacked(body, packed) if packed in _PACKED else body
        except HttpFault as fault:
            self._fail(fault)
            return
        if not self.is_open or self._transport.get_write_buffer_size():  # it answered before it had heard all
            self.close()
        self.idle_since = asyncio.get_running_loop().time()
        reply.set_result(HttpReply(self._parser.get_status_code(), self._headers, body))

    def _fail(self, fault: HttpFault) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(fault)


def _unpacked(body: bytes, packed: str) -> bytes:
    """A body that was packed although nobody asked for it, as long as that is not absurdly much."""
    is_bare = packed == "deflate" and body[:1] != b"" and body[0] & 15 != 8  # without zlib's header, as some send it
    unpacker = zlib.decompressobj(_RAW_DEFLATE if is_bare else _GZIP_OR_ZLIB)
    try:
        data = unpacker.decompress(body, LARGEST_REPLY + 1)
    except zlib.error:
        raise HttpFault("broken off") from None
    if len(data) > LARGEST_REPLY:
        raise HttpFault("too long")
    if body and not unpacker.eof:
        raise HttpFault("broken off")
    return data


@cache
def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def reason(error: Exception) -> str:
    """Why a connection failed, in a few words of our own."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate was not accepted"
    if isinstance(error, ssl.SSLError):
        return "the TLS handshake failed"
    if isinstance(error, socket.gaierror):
        return "unknown host"
    if isinstance(error, TimeoutError):
        return "connection timed out"
    if isinstance(error, ValueError):
        return "invalid address"
    code = getattr(error, "errno", None)
    if code is None and (each := re.search(r"\[Errno (\d+)\]", str(error))):  # one for each of the host's addresses
        code = int(each[1])
    if code == errno.ECONNREFUSED:
        return "connection refused"
    if isinstance(error, ConnectionError):
        return "connection reset"
    return errno.errorcode.get(code, "network error") if isinstance(code, int) else "network error"
