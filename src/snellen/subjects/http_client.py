"""An HTTP client for one address: POST a body, read the reply.

Most of what a general client does for a request (sessions, redirects, cookies, streams) is of no use to a call, and
takes more CPU time than the rest of the call. What is left is here: HTTP/1.1 over connections that stay open, with
TLS; llhttp, by way of httptools, reads the replies. Requests through a proxy, files and other methods are aiohttp's
business (`http_session.py`).

A connection is used again only while nothing odd has come over it. As with every client that keeps connections, a
server that sends two replies to one request can pass the second one off as the reply to the next.
"""

import asyncio
import errno
import re
import socket
import ssl
import zlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from aiohappyeyeballs import AddrInfoType, start_connection
from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

CONNECT_SECONDS = 30
"""For the look-up of a name, and for a connection with its TLS handshake."""
LARGEST_REPLY = 16 * 2**20
"""Bytes of a reply, on the wire and decompressed."""
_LARGEST_HEAD = 2**18
_EARLY_REPLY = 2**16
"""An error that answers a longer request may have come before all of it was sent."""
_IDLE_SECONDS = 15
"""A connection that was idle for longer is not used again: the server may be about to close it."""
_LOOKUP_SECONDS = 300
"""How long the addresses of a name are remembered."""
_NEXT_ADDRESS_SECONDS = 0.25
"""If an address of a host has not answered by then, the next one is tried as well."""
_KEEPALIVE_SECONDS = 60
"""A model may think for longer than routers remember a silent connection."""
_ENCODINGS = ("gzip", "x-gzip", "deflate")
_RAW_DEFLATE, _GZIP_OR_ZLIB = -zlib.MAX_WBITS, zlib.MAX_WBITS | 32

FaultKind = Literal["unconnected", "lost", "broken off", "too long"]


class HttpReply(NamedTuple):
    """A server's reply. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpFault(Exception):
    """A request without a reply.

    `kind`: "unconnected" (no connection), "lost" (it ended, or what came is not HTTP, before a reply's body), "broken
    off" (it ended within the body), "too long". `why`: the reason, never in a library's words, which may quote headers
    and so the key. `is_ours`: this machine is at fault, for it has no file handles left.
    """

    def __init__(self, kind: FaultKind, why: str = "", *, is_ours: bool = False) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why
        self.is_ours = is_ours


class HttpClient:
    """Connections to the server of one address; as many as there are requests at once."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        address = urlsplit(url)
        self._is_secure = address.scheme == "https"
        self._host = address.hostname or ""
        self._port = address.port if address.port is not None else 443 if self._is_secure else 80
        self._idle: list[_Connection] = []
        self._is_closed = False
        self._addresses: asyncio.Future[Any] | None = None
        self._looked_up = 0.0
        lines = {"Host": address.netloc, "Accept": "*/*", **headers}
        if not all(f"{name}{value}".isascii() and f"{name}{value}".isprintable() for name, value in lines.items()):
            raise ValueError("a header contains a line break or another character that headers cannot have")
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
        if self._is_closed:
            connection.close()
        elif connection.is_usable:
            self._idle.append(connection)
        return reply

    def close(self) -> None:
        """Close all connections, those in use after their reply."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

    def _idle_connection(self) -> "_Connection | None":
        now = asyncio.get_running_loop().time()
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable and now - connection.idle_since < _IDLE_SECONDS:
                return connection
            connection.close()
        return None

    async def _connect(self) -> "_Connection":
        context = _tls_context() if self._is_secure else None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                addresses = await self._resolved()
            async with asyncio.timeout(CONNECT_SECONDS):
                sock = await start_connection(addresses, happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS)
                try:
                    _, connection = await asyncio.get_running_loop().create_connection(
                        _Connection, sock=sock, ssl=context, server_hostname=self._host if context else None
                    )
                except BaseException:
                    sock.close()
                    raise
        except (OSError, UnicodeError) as error:
            self._addresses = None
            raise unconnected(error) from None
        return connection

    async def _resolved(self) -> list[AddrInfoType]:
        """The host's addresses: one look-up for all who connect."""
        loop = asyncio.get_running_loop()
        if self._addresses is None or loop.time() - self._looked_up > _LOOKUP_SECONDS:
            self._looked_up = loop.time()
            self._addresses = asyncio.ensure_future(
                loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
            )
        addresses: list[AddrInfoType] = await asyncio.shield(self._addresses)
        return addresses


class _Connection(asyncio.Protocol):
    """One connection: a request, its reply, the next request. The methods `on_...` are called by the parser."""

    def __init__(self) -> None:
        self.is_open = False
        self.idle_since = 0.0
        self._transport: Any = None
        self._sent = 0
        self._reply: asyncio.Future[HttpReply] | None = None
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._size = 0
        self.on_message_begin()

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent; a connection that is closing is open for a moment longer."""
        return self.is_open and not self._transport.is_closing()

    def exchange(self, head: bytes, body: bytes) -> "asyncio.Future[HttpReply]":
        """Send a request; the future has its reply, or an `HttpFault`."""
        self._size, self._sent = 0, len(body)
        self._reply = asyncio.get_running_loop().create_future()
        if self.is_usable:
            self._transport.writelines((head, body))
        else:
            self._fail(HttpFault("lost", "connection reset"))
        return self._reply

    def close(self) -> None:
        """Give the connection up, whatever is under way."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    # What the transport tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self.is_open = transport, True
        sock = transport.get_extra_info("socket")
        with suppress(OSError, AttributeError):  # the peer may be gone, or the platform without these options
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, _KEEPALIVE_SECONDS)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _KEEPALIVE_SECONDS)

    def data_received(self, data: bytes) -> None:
        if self._reply is None or self._reply.done():  # nobody asked
            self.close()
            return
        is_long_head = not self._has_head and self._size > _LARGEST_HEAD
        self._size += len(data)
        if is_long_head or self._size > LARGEST_REPLY:
            self._fail(HttpFault("too long"))
            return
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self.close()
            self._fail(HttpFault("lost", "not an HTTP reply"))  # unless the reply was over before that

    def eof_received(self) -> None:
        self.connection_lost(None)  # now, for the transport would first send what is left of the request
        self._transport.abort()

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
        if self._reply is not None and self._reply.done():  # a second reply to one request
            self.close()
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []
        self._has_head = self._is_framed = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:  # trailers come after the body
            self._headers[name.decode("latin-1").lower()] = value.decode("utf-8", "replace")

    def on_headers_complete(self) -> None:
        self._has_head = True
        self._is_framed = "content-length" in self._headers or (
            "chunked" in self._headers.get("transfer-encoding", "").lower()
        )

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
        encoding = self._headers.get("content-encoding", "").strip().lower()
        try:
            body = _decompressed(body, encoding) if encoding in _ENCODINGS else body
        except HttpFault as fault:
            self._fail(fault)
            return
        status = self._parser.get_status_code()
        is_early = self._transport.get_write_buffer_size() or (status >= 400 and self._sent > _EARLY_REPLY)
        if not self.is_open or is_early:
            self.close()
        self.idle_since = asyncio.get_running_loop().time()
        reply.set_result(HttpReply(status, self._headers, body))

    def _fail(self, fault: HttpFault) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(fault)


def _decompressed(body: bytes, encoding: str) -> bytes:
    """The content of a compressed body, up to `LARGEST_REPLY`."""
    is_raw = encoding == "deflate" and body[:1] != b"" and body[0] & 15 != 8  # without zlib's header, as some send it
    data = b""
    while body:  # gzip may come in several members
        decompressor = zlib.decompressobj(_RAW_DEFLATE if is_raw else _GZIP_OR_ZLIB)
        try:
            data += decompressor.decompress(body, LARGEST_REPLY + 1 - len(data))
        except zlib.error:
            raise HttpFault("broken off") from None
        if len(data) > LARGEST_REPLY:
            raise HttpFault("too long")
        if not decompressor.eof:
            raise HttpFault("broken off")
        body = decompressor.unused_data
    return data


@cache
def _tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def unconnected(error: Exception) -> HttpFault:
    """The fault that an error on connecting means."""
    return HttpFault("unconnected", reason(error), is_ours=_code(error) in (errno.EMFILE, errno.ENFILE))


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
    code = _code(error)
    if isinstance(error, ConnectionRefusedError) or code == errno.ECONNREFUSED:
        return "connection refused"
    if isinstance(error, ConnectionError):
        return "connection reset"
    return errno.errorcode.get(code or 0, "network error")


def _code(error: Exception) -> int | None:
    """The number of an operating system's error; of several, one for each of a host's addresses, the first."""
    code = getattr(error, "errno", None)
    if code is None and (numbered := re.search(r"\[Errno (\d+)\]", str(error))):
        code = int(numbered[1])
    return code if isinstance(code, int) else None
