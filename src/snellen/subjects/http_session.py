"""Requests that are more than a call to one address: other methods and addresses, files, proxies. By aiohttp."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, BinaryIO, NoReturn

import aiohttp
from yarl import URL

from snellen.subjects.http_client import CONNECT_SECONDS, LARGEST_REPLY, HttpFault, HttpReply, reason, unconnected

_READ_SECONDS = 300
_PIECE = 2**20
"""aiohttp wants longer bodies in pieces, so that one does not hold up all others."""


class HttpSession:
    """A session with these headers, directly or through a proxy. A redirect could carry the key to somebody else, so
    none is followed."""

    def __init__(self, headers: Mapping[str, str], proxy: str | None) -> None:
        self._proxy = proxy
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers,
        )

    async def close(self) -> None:
        await self._session.close()

    async def request(
        self,
        method: str,
        url: str,
        data: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        into: BinaryIO | None = None,
        waits: bool = False,
    ) -> HttpReply:
        """One attempt; raises `HttpFault`. A long body goes `into` a file, if the request succeeded. `waits`:
        without a limit to how long the server takes to answer."""
        patience = aiohttp.ClientTimeout(sock_connect=CONNECT_SECONDS, sock_read=None if waits else _READ_SECONDS)
        try:
            request = self._session.request(
                method,
                URL(url, encoded=True),
                data=BytesIO(data) if isinstance(data, bytes) and len(data) > _PIECE else data,
                headers=headers,
                proxy=self._proxy,
                allow_redirects=False,
                timeout=patience,
            )
            async with request as response:
                sent = {name.lower(): value for name, value in response.headers.items()}
                if into is not None and response.status < 300:
                    async for piece in response.content.iter_chunked(_PIECE):
                        into.write(piece)
                    return HttpReply(response.status, sent, b"")
                return HttpReply(response.status, sent, await _body(response))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            _raise_fault(error)


async def _body(response: aiohttp.ClientResponse) -> bytes:
    """The body, up to `LARGEST_REPLY`."""
    pieces: list[bytes] = []
    size = 0
    while size <= LARGEST_REPLY:
        piece = await response.content.readany()
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    response.close()
    raise HttpFault("too long")


def _raise_fault(error: Exception) -> NoReturn:
    if isinstance(error, aiohttp.ClientPayloadError):
        raise HttpFault("broken off") from None
    kinds = aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError | aiohttp.InvalidURL | UnicodeError
    if not isinstance(error, kinds):
        why = reason(ConnectionResetError() if isinstance(error, aiohttp.ServerDisconnectedError) else error)
        raise HttpFault("lost", why) from None
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        raise unconnected(error.certificate_error) from None
    raise unconnected(getattr(error, "os_error", error)) from None
