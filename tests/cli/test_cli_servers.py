"""An exam at an odd server: it is finished, and what was odd is said in one line each."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from snellen.engine import Store
from support.commands import snellen


class OddServer(BaseHTTPRequestHandler):
    """Heeds no setting, and lets nothing through that shows one of its bodies' endings."""

    protocol_version = "HTTP/1.1"
    seen: list[bytes] = []

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        content = json.dumps(json.loads(content)["messages"]).encode()
        if content not in self.seen:
            self.seen.append(content)
        blocked = self.seen.index(content) % 10 == 3
        message = {"role": "assistant", "content": "X"}
        answer = {"choices": [{"message": message, "finish_reason": "stop"}]}
        body = b"<html>Not let through: rule 942100</html>" if blocked else json.dumps(answer).encode()
        self.send_response(403 if blocked else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), OddServer) as server:
        OddServer.seen = []
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


def test_an_exam_at_an_odd_server_ends_and_says_what_was_odd(url: str, tmp_path: Path) -> None:
    who = f"odd=openai/m@{url}:logprobs=2,structured=json"
    words = ("exam", who, "--tasks", "fixation", "--n", 2, "--design", "api", "--json", "--concurrency", 4)
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stderr.splitlines()
    warnings = [line for line in lines if line.startswith("warning: ")]
    assert [line.partition(" of ")[0].rstrip("0123456789") for line in sorted(warnings)] == [
        "warning: odd: logprobs was asked for and not heeded: no log-probabilities in ",
        "warning: odd: structured was asked for and not heeded: no JSON in ",
    ]
    [errors] = [line for line in lines if "trials ended in errors" in line]
    [reason] = [line for line in lines if "rule 942100" in line]
    assert "other calls were answered" in reason
    assert int(reason.split()[0]) <= int(errors.split()[0])
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        [exam] = store.exams()
    assert set(exam.counts["asked_for_not_heeded"]["odd"]) == {"logprobs", "structured"}
    [fingerprint] = json.loads(ran.stdout)["fingerprints"]
    assert fingerprint["asked_for_not_heeded"] == exam.counts["asked_for_not_heeded"]
