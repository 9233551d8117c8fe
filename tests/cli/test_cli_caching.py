"""An exam at a server that keeps the beginnings of prompts: estimated, asked for, counted, and estimated again."""

import asyncio
import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from types import SimpleNamespace

import pytest

from snellen.engine import Store
from support.caching_server import CachingServer
from support.commands import fails, snellen


@pytest.fixture
def server() -> Iterator[tuple[CachingServer, str]]:
    caching, lock = CachingServer("anthropic"), Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                status, _, body = asyncio.run(caching(SimpleNamespace(json=content)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        yield caching, f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()


def dollars(text: str) -> float:
    return float(re.findall(r"about \$([0-9.]+)", text)[0])


def test_an_exam_at_a_caching_server(server: tuple[CachingServer, str], tmp_path: Path) -> None:
    caching, url = server
    who = f"m=anthropic/m@{url}"
    levels = ("--set", "game=tictactoe", "--set", "modality=image", "--tasks", "fixation")

    def foreseen(n: int, settings: str = "", price: str = "1000/0/100") -> str:
        words = ("--n", n, "--dry-run", "--price", f"m={price}")
        return snellen("exam", f"{who}{settings}", *levels, *words, cwd=tmp_path).stdout

    plain, dearest, for_an_hour = (dollars(foreseen(2, s)) for s in ("", ":cache=on", ":cache=1h"))
    assert dearest == pytest.approx(1.25 * plain, rel=0.01)
    assert for_an_hour == pytest.approx(2 * plain, rel=0.01)
    ran = snellen("exam", f"{who}:cache=on", *levels, "--n", 2, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert caching.read > caching.written > 0
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        rows = store.rows()
    assert (rows["tokens_cached"].sum(), rows["tokens_written"].sum()) == (caching.read, caching.written)
    assert "of them cached" in foreseen(4)
    assert dollars(foreseen(4)) < 0.5 * dollars(foreseen(4, price="1000/0"))
    assert "0 calls to make" in foreseen(2), "whether it was asked for is no part of the key"


@pytest.mark.parametrize("price", ["m=1", "m=1/2/3/4/5", "m=1/2/-3", "m=1/2/x", "m=1/2/"])
def test_a_price_that_is_none(price: str, tmp_path: Path) -> None:
    fails(snellen("exam", "m=sim/ideal", "--dry-run", "--price", price, cwd=tmp_path), price, "IN/OUT[/CACHED]")
