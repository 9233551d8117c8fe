"""The HTTP client against servers that write their bytes by hand: whatever HTTP allows, and some things it does not."""

import asyncio
import gzip
import socket
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from snellen.engine.event_loop import run_to_end
from snellen.subjects import http_client
from snellen.subjects.http_client import HttpClient, HttpFault, HttpReply

OK = b"HTTP/1.1 200 OK\r\n"
WHOLE = OK + b"Content-Length: 2\r\n\r\nhi"


pytestmark = pytest.mark.filterwarnings("ignore:Overriding the .event_loop_policy.:DeprecationWarning")


@pytest.fixture(params=["asyncio", "uvloop"])
def event_loop_policy(request: pytest.FixtureRequest) -> asyncio.AbstractEventLoopPolicy:
    """Every test runs on both loops."""
    if request.param == "asyncio":
        return asyncio.DefaultEventLoopPolicy()
    policy: asyncio.AbstractEventLoopPolicy = pytest.importorskip("uvloop").EventLoopPolicy()
    return policy


class ByHand:
    """A server that gives these answers, byte for byte, and then the last one again; for None it hangs up. `then`: what
    it says a moment later, unasked."""

    def __init__(self, *answers: bytes | None, then: bytes = b"", closes: bool = False) -> None:
        self.answers = answers
        self.then = then
        self.closes = closes
        self.connections = 0
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r")[0])
                self.heads.append(head)
                self.bodies.append(await reader.readexactly(length))
                answer = self.answers[min(len(self.bodies), len(self.answers)) - 1]
                if answer is None:
                    return
                writer.write(answer)
                await writer.drain()
                if self.closes:
                    return
                if self.then:
                    await asyncio.sleep(0.05)
                    writer.write(self.then)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def client_of(server: ByHand, tls: ssl.SSLContext | None = None) -> AsyncIterator[HttpClient]:
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
    port = listening.sockets[0].getsockname()[1]
    server.url = f"http{'s' if tls else ''}://127.0.0.1:{port}/v1/chat"
    client = HttpClient(server.url, {"Authorization": "Bearer k"})
    yield client
    client.close()
    listening.close()


async def reply_to(answer: bytes, *, closes: bool = False) -> HttpReply:
    async with client_of(ByHand(answer, closes=closes)) as client:
        return await asyncio.wait_for(client.post(b"{}"), 5)


async def fault_of(answer: bytes | None, *, closes: bool = False) -> str:
    async with client_of(ByHand(answer, closes=closes)) as client:
        with pytest.raises(HttpFault) as fault:
            await asyncio.wait_for(client.post(b"{}"), 5)
    return fault.value.kind


async def test_a_request_is_written_as_http_wants_it():
    server = ByHand(WHOLE)
    async with client_of(server) as client:
        assert await client.post(b'{"a": 1}') == (200, {"content-length": "2"}, b"hi")
    line, *headers = server.heads[0].rstrip().split(b"\r\n")
    assert line == b"POST /v1/chat HTTP/1.1"
    host = server.url.split("/")[2].encode()
    assert headers == [b"Host: " + host, b"Accept: */*", b"Authorization: Bearer k", b"Content-Length: 8"]
    assert server.bodies == [b'{"a": 1}']


DEFLATED = zlib.compress(b"hi")
REPLIES = {
    "interim replies first": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + WHOLE,
    "bare line feeds": b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi",
    "no reason": b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi",
    "chunks": OK + b"Transfer-Encoding: chunked\r\n\r\n1;ext=1\r\nh\r\n1 \r\ni\r\n0\r\nTrailer: x\r\n\r\n",
    "gzip": OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b" % (len(g := gzip.compress(b"hi")), g),
    "deflate": OK + b"Content-Encoding: deflate\r\nContent-Length: %d\r\n\r\n%b" % (len(DEFLATED), DEFLATED),
    "bare deflate": OK
    + b"Content-Encoding: deflate\r\nContent-Length: %d\r\n\r\n%b" % (len(DEFLATED) - 6, DEFLATED[2:-4]),
    "gzip in two members": OK
    + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b"
    % (len(two := gzip.compress(b"h") + gzip.compress(b"i")), two),
    "a trailer that looks like a header": OK
    + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nContent-Encoding: gzip\r\n\r\n",
    "odd headers": OK + b"X-A: b\r\nx-a: \xff\r\nContent-Length:2\r\n\r\nhi",
}


@pytest.mark.parametrize("answer", REPLIES.values(), ids=REPLIES)
async def test_a_reply_may_be_written_in_many_ways(answer):
    reply = await reply_to(answer)
    assert (reply.status, reply.body) == (200, b"hi")


@given(st.sampled_from(list(REPLIES.values())), st.lists(st.integers(1, 40), max_size=30))
def test_a_reply_may_come_in_any_pieces(answer, sizes):
    async def in_pieces() -> HttpReply:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n{}")
            rest = answer
            for size in sizes:
                writer.write(rest[:size])
                rest = rest[size:]
                await asyncio.sleep(0)
            writer.write(rest)
            await writer.drain()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
        reply = await asyncio.wait_for(client.post(b"{}"), 5)
        client.close()
        server.close()
        return reply

    assert run_to_end(in_pieces()).body == b"hi"


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\n"])
async def test_a_body_without_a_length_ends_with_the_connection(head):
    assert (await reply_to(head + b"hi", closes=True)).body == b"hi"


async def test_a_reply_without_a_body():
    assert (await reply_to(b"HTTP/1.1 204 No Content\r\n\r\n")).status == 204


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, "lost"),
        (b"", "lost"),
        (b"HTTP/1.1 200", "lost"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", "lost"),
        (b"SSH-2.0-OpenSSH\r\n", "lost"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "lost"),
        (OK + b"Content-Length: 3\r\n\r\nhi", "broken off"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", "broken off"),
        (OK + b"Transfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n", "broken off"),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\n" + gzip.compress(b"hi")[:12], "broken off"),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi", "broken off"),
    ],
)
async def test_what_is_no_reply_is_told_apart(answer, kind):
    assert await fault_of(answer, closes=True) == kind


@pytest.mark.parametrize("framing", [b"Content-Length: 100000\r\n\r\n", b"Connection: close\r\n\r\n"])
async def test_a_long_reply_is_not_read_to_its_end(framing, monkeypatch):
    monkeypatch.setattr(http_client, "LARGEST_REPLY", 1000)
    assert await fault_of(OK + framing + b"x" * 100_000) == "too long"


async def test_a_long_head_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(http_client, "_LARGEST_HEAD", 1000)
    assert await fault_of(OK + b"X: 1\r\n" * 200_000) == "too long"


async def test_a_small_reply_that_unpacks_to_much_is_too_long(monkeypatch):
    monkeypatch.setattr(http_client, "LARGEST_REPLY", 10_000)
    bomb = gzip.compress(b"\0" * 10**6)
    assert await fault_of(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb) == "too long"


# Connections


async def test_a_connection_is_used_again():
    server = ByHand(WHOLE)
    async with client_of(server) as client:
        for _ in range(20):
            assert (await client.post(b"{}")).body == b"hi"
    assert server.connections == 1


@pytest.mark.parametrize(
    ("answer", "closes"),
    [
        (WHOLE, True),
        (OK + b"Connection: close\r\nContent-Length: 2\r\n\r\nhi", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", False),
        (WHOLE + b"more than was said", False),
        (WHOLE + WHOLE, False),
        (WHOLE + WHOLE[:20], False),
    ],
)
async def test_a_connection_that_ends_or_cannot_be_trusted_is_not_used_again(answer, closes):
    server = ByHand(answer, closes=closes)
    async with client_of(server) as client:
        for _ in range(3):
            assert (await client.post(b"{}")).body == b"hi"
            await asyncio.sleep(0.02)
    assert server.connections == 3


async def test_a_reply_that_nobody_asked_for_answers_no_later_request():
    server = ByHand(WHOLE, then=OK + b"Content-Length: 5\r\n\r\nother")
    async with client_of(server) as client:
        for _ in range(3):
            assert (await client.post(b"{}")).body == b"hi"
            await asyncio.sleep(0.1)


async def test_a_connection_that_was_idle_for_long_is_not_used_again(monkeypatch):
    server = ByHand(WHOLE)
    async with client_of(server) as client:
        await client.post(b"{}")
        monkeypatch.setattr(http_client, "_IDLE_SECONDS", 0)
        await client.post(b"{}")
    assert server.connections == 2


async def test_a_request_that_was_given_up_leaves_no_reply_to_the_next():
    async def late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            *_, length = (await reader.readuntil(b"\r\n\r\n")).split()
            body = await reader.readexactly(int(length))
            await asyncio.sleep(0.05)
            writer.write(OK + b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    server = await asyncio.start_server(late, "127.0.0.1", 0)
    client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(client.post(b"first"), 0.02)
    assert (await client.post(b"second")).body == b"second"
    client.close()
    server.close()


async def _refuse_early(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
    await reader.read(2**26)
    await asyncio.sleep(0.2)
    writer.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_an_answer_to_half_a_request_is_an_answer_and_ends_the_connection(tls, trusted, scheme):
    server = await asyncio.start_server(_refuse_early, "127.0.0.1", 0, ssl=tls if scheme == "https" else None)
    client = HttpClient(f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
    assert (await asyncio.wait_for(client.post(bytes(2**25)), 10)).status == 413
    assert client._idle_connection() is None
    server.close()


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.0 413 Content Too Large\r\n\r\nno"])
async def test_a_server_that_stops_listening_in_the_middle_of_a_request_is_heard(answer):
    async def stop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.write_eof()
        await asyncio.sleep(2)
        writer.close()

    server = await asyncio.start_server(stop, "127.0.0.1", 0)
    client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
    posting = asyncio.wait_for(client.post(bytes(2**26)), 1)
    if answer:
        assert (await posting).status == 413
    else:
        with pytest.raises(HttpFault, match="lost"):
            await posting
    server.close()


async def test_a_server_that_hangs_up_at_odd_moments_costs_calls_and_nothing_else():
    rng, hung_up = Random(0), 0

    async def moody(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while rng.random() < 0.8:
                await reader.readuntil(b"\r\n\r\n{}")
                writer.write(WHOLE)
                await writer.drain()
        (writer.close if rng.random() < 0.5 else writer.transport.abort)()

    server = await asyncio.start_server(moody, "127.0.0.1", 0)
    client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})

    async def worker() -> None:
        nonlocal hung_up
        for _ in range(20):
            try:
                assert (await asyncio.wait_for(client.post(b"{}"), 5)).body == b"hi"
            except HttpFault as fault:
                hung_up += fault.kind == "lost"

    await asyncio.gather(*(worker() for _ in range(16)))
    assert 0 < hung_up < 320
    client.close()
    server.close()


# Addresses


async def test_if_one_address_is_dead_the_next_one_is_taken():
    server = ByHand(WHOLE)
    async with client_of(server) as client:
        dead = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 9)) for host in ("127.0.0.1", "192.0.2.1")]
        good = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", client._port))
        client._addresses = asyncio.get_running_loop().create_future()
        client._addresses.set_result([*dead, good])
        client._looked_up = asyncio.get_running_loop().time()
        assert (await asyncio.wait_for(client.post(b"{}"), 5)).body == b"hi"


async def test_a_name_is_looked_up_once_for_all_who_connect(monkeypatch):
    looked_up, resolve = 0, socket.getaddrinfo

    def slowly(*arguments, **how):
        nonlocal looked_up
        looked_up += 1
        time.sleep(0.3)
        return resolve("127.0.0.1", *arguments[1:], **how)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)
    server = ByHand(WHOLE, closes=True)
    async with client_of(server) as client:
        client._host = "a.name.example"
        if type(asyncio.get_running_loop()).__module__.startswith("uvloop"):
            return  # asks the system by itself
        await asyncio.gather(*(client.post(b"{}") for _ in range(40)))
        await client.post(b"{}")
    assert (looked_up, server.connections) == (1, 41)


async def test_each_of_many_requests_at_once_gets_its_own_reply():
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            body = await reader.readexactly(int(head.split()[-1]))
            await asyncio.sleep(int(body) % 7 / 500)
            writer.write(OK + b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
    for _ in range(3):
        replies = await asyncio.gather(*(client.post(b"%d" % n) for n in range(50)))
        assert [int(reply.body) for reply in replies] == list(range(50))
    client.close()
    server.close()


def test_a_header_cannot_bring_in_another():
    with pytest.raises(ValueError, match="line break") as refused:
        HttpClient("http://127.0.0.1/", {"Authorization": "Bearer k\r\nX: y"})
    assert "Bearer" not in str(refused.value)


# Over TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def trusted(authority: trustme.CA) -> Iterator[None]:
    """Who opens a connection trusts the authority."""
    authority.configure_trust(http_client._tls_context())
    yield
    http_client._tls_context.cache_clear()


async def test_a_server_with_a_good_certificate_is_asked_over_one_connection(tls, trusted):
    server = ByHand(WHOLE)
    async with client_of(server, tls) as client:
        for _ in range(3):
            assert (await client.post(bytes(10**6))).body == b"hi"
    assert server.connections == 1


async def test_a_certificate_for_another_host_is_refused(authority, trusted):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("elsewhere.example").configure_cert(context)
    async with client_of(ByHand(WHOLE), context) as client:
        with pytest.raises(HttpFault, match="certificate"):
            await client.post(b"{}")


async def test_a_certificate_that_nobody_vouches_for_is_refused(tls):
    server = ByHand(WHOLE)
    async with client_of(server, tls) as client:
        with pytest.raises(HttpFault) as fault:
            await client.post(b"{}")
    assert (fault.value.kind, fault.value.why) == ("unconnected", "its certificate was not accepted")
    assert server.bodies == []


async def test_https_to_a_server_that_speaks_http():
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    client = HttpClient(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
    with pytest.raises(HttpFault) as fault:
        await client.post(b"{}")
    assert (fault.value.kind, fault.value.why) == ("unconnected", "the TLS handshake failed")
    server.close()
