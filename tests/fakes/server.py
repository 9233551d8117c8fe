"""A fake vision-language model behind a real HTTP server that speaks the language of chat completions.

The **mind** behind it gets what a model gets and nothing else: the words and the bytes of the pictures, in their order.
It shares no code with the simulated subjects: whatever it knows, it knows from what it was sent, or from what a test
taught it before.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Part = str | bytes
"""Words, or the bytes of a picture."""
Mind = Callable[[Sequence[Part]], str]


class Refused(Exception):
    """What a server does not take (400), with its words."""


@contextmanager
def served(minds: Mapping[str, Mind]) -> Iterator[str]:
    """The address under which minds answer, each to the name of a model, as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                self.answer(_completion(request["model"], minds[request["model"]](list(_parts(request["messages"])))))
            except Refused as refused:
                self.answer({"error": {"message": str(refused), "type": "invalid_request_error"}}, 400)

        def answer(self, content: dict[str, Any], status: int = 200) -> None:
            body = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def _parts(messages: Sequence[dict[str, Any]]) -> Iterator[Part]:
    for message in messages:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                yield part["text"]
            else:
                yield b64decode(part["image_url"]["url"].partition(",")[2])


def _completion(model: str, text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}
    return {"id": "fake", "object": "chat.completion", "model": model, "choices": [choice], "usage": usage}


def lot(*content: Part) -> float:
    """A number from 0 to 1 that has nothing to do with the content but is the same for the same: a toss of a coin that
    can be repeated."""
    sha = sha256()
    for part in content:
        data = part if isinstance(part, bytes) else part.encode()
        sha.update(len(data).to_bytes(8, "big") + data)
    return int.from_bytes(sha.digest()[:7], "big") / 2**56
