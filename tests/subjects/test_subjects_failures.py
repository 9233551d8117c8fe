"""Everything that can go wrong between us and a server, as one clear line of the right kind."""

import asyncio
import gzip
import json
import socket
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from scripted_api import a_call, openai_says

from snellen.call import CallFailed
from snellen.subjects import subject
from snellen.subjects.failures import retry_after
from snellen.subjects.http_client import HttpClient
from support.lengths import some_of

KEY = "sk-test-0123456789abcdef"


async def fail(api, settings="", place="openai"):
    name = f"{place}/m@{api.url}{settings}"
    async with subject(name, env={"SNELLEN_API_KEY": KEY}) as who:
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
    line = str(failed.value)
    assert "\n" not in line
    assert len(line) < 700
    assert line.isprintable()
    assert failed.value.__cause__ is None
    return failed.value


def error(message, **more):
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "kind", "passing", "fatal"),
    [
        (429, "busy", True, False),
        (529, "busy", True, False),
        (500, "server", True, False),
        (502, "server", True, False),
        (503, "busy", True, False),
        (408, "timeout", True, False),
        (401, "key", False, True),
        (403, "key", False, True),
        (404, "rejected", False, True),
        (402, "rejected", False, True),
        (400, "rejected", False, False),
        (413, "rejected", False, False),
        (307, "rejected", False, True),
    ],
)
@pytest.mark.parametrize("place", ["openai", "anthropic"])
async def test_each_status_has_its_meaning(api, place, status, kind, passing, fatal):
    api.says(error("so it is"), status, Location="http://127.0.0.1:9/elsewhere")
    failed = await fail(api, place=place)
    assert (failed.kind, failed.passing, failed.fatal) == (kind, passing, fatal)
    assert len(api.sent) == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_the_server_says_when_to_come_back(api, status):
    api.says(error("later"), status, Retry_After="7")
    assert (await fail(api)).retry_after == 7


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "3"}, b"", 3),
        ({"retry-after": " 2.5 "}, b"", 2.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, b"", 0.25),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT"}, b"", 30),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT"}, b"", 0),
        ({"retry-after": "Wed, 21 Oct 2026 09:00:20 GMT", "date": "Wed, 21 Oct 2026 09:00:00 GMT"}, b"", 20),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": "now"}, b"", 30),
        ({}, b'{"retryDelay": "19.5s"}', 19.5),
        ({"retry-after": "soon"}, b"", None),
        ({"retry-after": "-5"}, b"", None),
        ({"retry-after": "1e9"}, b"", None),
        ({"retry-after-ms": "x"}, b"", None),
        ({"retry-after-ms": "inf", "retry-after": "4"}, b"", 4),
        ({"retry-after": "nan"}, b"", None),
        ({}, b'{"retryDelay": "..s"}', None),
        ({}, b"", None),
    ],
)
def test_a_time_to_come_back_is_read_in_all_its_forms(headers, body, seconds):
    now = datetime(2026, 10, 21, 7, 28, 0, tzinfo=UTC)
    assert retry_after(headers, body, now) == seconds


async def test_a_refused_key_is_named_by_its_variable(api):
    api.says(error(f"Incorrect API key provided: {KEY[:8]}****{KEY[-4:]}."), 401)
    failed = await fail(api)
    assert "openai: the server refused the key in SNELLEN_API_KEY" in str(failed)
    assert KEY[:8] not in str(failed)
    assert KEY[-4:] not in str(failed)


async def test_google_says_400_for_a_wrong_key(api):
    api.says([error("API key not valid. Please pass a valid API key.", code=400)], 400)
    failed = await fail(api)
    assert (failed.kind, failed.fatal) == ("key", True)


async def test_a_server_that_wants_a_key_we_do_not_have_says_where_to_put_it(api):
    api.says(error("no"), 401)
    async with subject(f"vllm/m@{api.url}", env={}) as who:
        with pytest.raises(CallFailed, match="requires a key; set VLLM_API_KEY"):
            await who.answer(a_call(who))


async def test_what_a_gateway_blocks_is_not_said_to_be_for_want_of_a_key(api):
    api.says(b"<html><title>Forbidden</title>Blocked by WAF</html>", 403)
    for env in ({}, {"SNELLEN_API_KEY": KEY}):
        async with subject(f"openai/m@{api.url}", env=env) as who:
            with pytest.raises(CallFailed, match=r"denied access .*Blocked by WAF") as failed:
                await who.answer(a_call(who))
        assert "SNELLEN_API_KEY" in str(failed.value)


async def test_a_redirect_says_where_it_leads(api):
    api.says(b"", 302, Location=f"https://{KEY}@login.example/a?state={KEY}")
    failed = str(await fail(api))
    assert "/a; give the final address" in failed
    assert KEY not in failed


@pytest.mark.parametrize(
    ("message", "more", "remedy"),
    [
        (
            "Unsupported value: 'temperature' does not support 0 with this model. "
            "Only the default (1) value is supported.",
            {"param": "temperature", "code": "unsupported_value"},
            "openai/m:temperature=1 ",
        ),
        (
            "Unsupported parameter: 'temperature' is not supported with this model.",
            {"param": "temperature", "code": "unsupported_parameter"},
            "openai/m:temperature=default ",
        ),
        ("`temperature` is deprecated for this model.", {}, "openai/m:temperature=default "),
    ],
)
async def test_a_model_that_rejects_the_temperature_stops_the_exam_with_the_remedy(api, message, more, remedy):
    api.says(error(message, **more), 400)
    failed = await fail(api)
    assert remedy in str(failed)
    assert failed.fatal
    assert api.sent[0].json["temperature"] == 0


async def test_an_objection_to_a_setting_stops_the_exam(api):
    api.says(error("Invalid 'top_p'", param="top_p"), 400)
    failed = await fail(api, ":top_p=0.5")
    assert failed.fatal
    assert "change the setting top_p" in str(failed)


async def test_no_credit_is_not_worth_waiting_for(api):
    api.says(error("You exceeded your current quota", code="insufficient_quota"), 429)
    failed = await fail(api)
    assert (failed.passing, failed.fatal) == (False, True)
    assert "no credit" in str(failed)


async def test_an_error_that_comes_as_a_success_is_an_error(api):
    api.says(error("Rate limited upstream", code=429))
    assert (await fail(api)).kind == "busy"
    api.says(error("something"))
    assert (await fail(api)).kind == "server"


@pytest.mark.parametrize(
    "body",
    [
        b"<html><head><title>502</title></head>" + b"<p>bad gateway</p>\n" * 1000,
        b'{"error": "just words"}',
        b'{"detail": "not found"}',
        b"[]",
        b"null",
        b"\x1b[31mred\x00\xff",
        b"",
        '{"error": {"message": "bidi \u202e and\\nlines"}}'.encode(),
    ],
)
async def test_whatever_a_server_says_stays_one_printable_line(api, body):
    api.says(body, 500)
    await fail(api)


async def test_a_server_that_is_not_there(api):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    api.url = f"http://127.0.0.1:{port}/v1"
    failed = await fail(api)
    assert (failed.kind, failed.fatal) == ("unreachable", True)
    assert f"no server answers at {api.url} (connection refused)" in str(failed)


async def test_a_host_that_does_not_exist(api):
    api.url = "http://no-such-host.invalid/v1"
    failed = await fail(api)
    assert (failed.kind, failed.fatal) == ("unreachable", True)


async def test_a_server_that_goes_away_later_may_come_back(api):
    api.says(openai_says())
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    async with subject(f"openai/m@{api.url}", env={}) as who:
        await who.answer(a_call(who))
        who._client = HttpClient(f"http://127.0.0.1:{port}/v1", {})  # type: ignore[attr-defined]
        with pytest.raises(CallFailed) as failed:
            await who.answer(a_call(who))
    assert (failed.value.kind, failed.value.passing, failed.value.fatal) == ("connection", True, False)


async def test_a_reset_connection_is_worth_another_try(api):
    api.answer = "reset"
    failed = await fail(api)
    assert (failed.kind, failed.passing, failed.fatal) == ("connection", True, False)


async def test_how_long_a_call_may_take_is_for_the_engine_to_say(api):
    api.answer = "hang"
    async with subject(f"openai/m@{api.url}:timeout=0.1", env={}) as who:
        assert who.abilities.timeout == 0.1
        waiting = asyncio.create_task(who.answer(a_call(who)))
        _, still = await asyncio.wait([waiting], timeout=0.5)
        assert still
        waiting.cancel()


async def test_an_answer_that_breaks_off(api):
    async def half(reader, writer):
        await reader.read(100)
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices":')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(half, "127.0.0.1", 0)
    api.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    failed = await fail(api)
    assert failed.passing
    server.close()


async def test_something_that_does_not_speak_http(api):
    async def babble(reader, writer):
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    api.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    assert (await fail(api)).kind == "connection"
    server.close()


@pytest.mark.parametrize("encoding", ["", "chunked", "gzip"])
async def test_a_reply_that_is_absurdly_long_is_not_read_to_its_end(api, monkeypatch, encoding):
    monkeypatch.setattr("snellen.subjects.http_client.LARGEST_REPLY", 2**16)
    long = json.dumps(openai_says("x" * 2**17)).encode()
    if encoding == "chunked":
        url = await _in_pieces(long)
    else:
        url = api.url
        api.says(gzip.compress(long), Content_Encoding="gzip") if encoding else api.says(long)
    async with subject(f"openai/m@{url}", env={}) as who:
        with pytest.raises(CallFailed, match="longer than") as failed:
            await who.answer(a_call(who))
    assert (failed.value.kind, failed.value.passing) == ("malformed", False)


@pytest.mark.parametrize("encoding", ["", "chunked", "gzip"])
async def test_a_reply_may_come_in_pieces_or_packed(api, encoding):
    reply = json.dumps(openai_says("x" * 2**17)).encode()
    if encoding == "chunked":
        url = await _in_pieces(reply)
    else:
        url = api.url
        api.says(gzip.compress(reply), Content_Encoding="gzip") if encoding else api.says(reply)
    async with subject(f"openai/m@{url}", env={}) as who:
        assert len((await who.answer(a_call(who))).text) == 2**17


async def _in_pieces(body):
    async def serve(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for start in range(0, len(body), 1000):
            piece = body[start : start + 1000]
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        writer.write(b"0\r\n\r\n")
        with suppress(ConnectionError):
            await writer.drain()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


NESTED = b'{"error":' * 100_000 + b"1" + b"}" * 100_000


@some_of("status", [200, 400, 403, 500], 4)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b"[" * 900 + b"]" * 900,
        NESTED,
        b'{"choices": ' + b"9" * 10_000 + b"}",
        b'{"error": {"code": ' + b"9" * 4000 + b"}}",
        b'{"error": {"code": 1e999, "message": NaN}}',
        b'{"choices": [{"message": {"content": "\xff"}}',
        b'\xff\xfe{"a"',
        b'{"error": {"message": "\\ud83d half"}}',
        b"<" * 65_536,
        b'{"choices": []}',
        b'{"choices": [null]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": {"0": 1}}',
        b'{"error": [[]]}',
        b'{"error": {"metadata": {"raw": {"error": {"metadata": {"raw": {"error": {"metadata": {"raw": []}}}}}}}}}',
    ],
)
async def test_no_body_however_odd_gets_beyond_one_line(api, body, status):
    api.says(body, status)
    await fail(api)


async def test_a_reply_cut_in_the_middle_of_a_character_is_read_all_the_same(api):
    api.says(json.dumps(openai_says("caf@")).encode().replace(b"@", b"\xc3"))
    async with subject(f"openai/m@{api.url}", env={}) as who:
        assert (await who.answer(a_call(who))).text == "caf\ufffd"
