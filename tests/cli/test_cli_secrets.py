"""Fifty keys and more, planted wherever one can get in: none is in a store, a report, an export, a log or an error.

Every byte that is written or printed is searched, unpacked where it is packed, for ten-letter pieces of each key.
"""

import gzip
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import snellen as package
from snellen.call import Reply, Token
from snellen.engine import CallRecord, Store, TrialRecord
from snellen.errors import UserError
from snellen.item import Item, Picture
from snellen.subjects import subject
from support.commands import fails, snellen, snellen_process
from support.planted_keys import Planted, everything

PLANTED = Planted()
KEY = PLANTED.key
OWN = "correct-horse-battery-staple-and-no-digit"
"""A key that nothing but the environment betrays."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "setting": ("exam", "openai/m:system={deepseek}"),
    "unknown setting": ("exam", "openai/m:api_key={azure-plain}"),
    "extra": ("exam", 'openai/m:extra={{"user": "{openai}"}}'),
    "extra field": ("exam", "openai/m:extra={{{azure}}}"),
    "extra headers": ("exam", 'openai/m:extra={{"headers": {{"Authorization": "Bearer {client-plain}"}}}}'),
    "path": ("exam", "openai/m@https://h.example/{gemini}/v1"),
    "query": ("exam", "openai/m@{query}"),
    "login": ("exam", "openai/m@{login}"),
    "model": ("exam", "anthropic/{anthropic}"),
    "provider": ("exam", "{xai}/m"),
    "level": ("exam", "sim/ideal", "--set", "system={groq}"),
    "role": ("exam", "sim/ideal", "--role", "judge=openai/m:system={nvidia}"),
    "label": ("exam", "{huggingface}=sim/ideal"),
    "store": ("exam", "sim/ideal", "--store", "{github}.sqlite"),
    "report": ("exam", "sim/ideal", "--out", "{aws}"),
    "price": ("exam", "sim/ideal", "--price", "{jwt}=1/2"),
    "data": ("exam", "sim/ideal", "--data", "bongard={openai-old}"),
    "inspect": ("exam", "inspect/openai/m:system={bearer}"),
    "local": ("exam", "local/{huggingface}"),
    "own file": ("exam", "./mine.py:token={azure-plain}"),
    "simulated": ("exam", "sim/ideal:see={groq}"),
    "command": ("{gemini}",),
    "option": ("exam", "--api-key={aws-secret}"),
    "table": ("table", "{nvidia}"),
    "replies": ("import", "replies", "{xai}", "{xai}"),
}


def _filled(word: str, place: str) -> str:
    """A word of a command with the key it names put in."""
    for kind in ("azure-plain", "client-plain"):
        if f"{{{kind}}}" in word:
            plain = KEY(kind.partition("-")[0], place).split('": "')[-1].split(": ")[-1].rstrip('"')
            return word.replace(f"{{{kind}}}", plain).replace("{{", "{").replace("}}", "}")
    start = word.replace("{{", "  ").find("{")
    if start < 0:
        return word
    kind = word[start + 1 : word.index("}", start)]
    return (word[:start] + KEY(kind, place) + word[word.index("}", start) + 1 :]).replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("place", COMMANDS)
def test_a_key_in_a_command_is_refused_and_not_repeated(place: str, tmp_path: Path) -> None:
    words = [_filled(word, f"command: {place}") for word in COMMANDS[place]]
    ran = snellen(*words, cwd=tmp_path)
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1
    assert "contains" in ran.stderr
    assert "in the environment" in ran.stderr
    assert PLANTED.found(ran.stdout + ran.stderr) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("--api-key", "abc"), ("--token=abc",)])
def test_an_option_for_a_key_says_where_keys_come_from(words: tuple[str, ...], tmp_path: Path) -> None:
    fails(snellen("exam", "openai/m", *words, cwd=tmp_path), "no option", "set the key in the environment")


def test_the_key_of_this_process_is_refused_whatever_it_looks_like(tmp_path: Path) -> None:
    ran = snellen("exam", f"openai/m:system={OWN}", cwd=tmp_path, ANTHROPIC_API_KEY=OWN)
    assert (ran.returncode, OWN in ran.stderr, "the key in ANTHROPIC_API_KEY" in ran.stderr) == (2, False, True)
    assert list(tmp_path.iterdir()) == []


def with_default(parts: Any, api_key: str = KEY("openai", "default of a function")) -> str:
    return "X"


def plain(parts: Any) -> str:
    return "X"


class Named:
    name = f"mine {KEY('groq', 'name of an object')}"

    def answer(self, call: Any) -> str:
        return "X"


PYTHON: dict[str, Callable[[], Any]] = {
    "name": lambda: subject(f"openai/{KEY('anthropic', 'python name')}", env={}),
    "address in the environment": lambda: subject(
        "azure/m", env={"AZURE_OPENAI_ENDPOINT": f"https://h.example/{KEY('deepseek', 'endpoint')}/v1"}
    ),
    "settings": lambda: subject(plain, settings={"client_secret": KEY("client", "settings")[15:]}),
    "settings inside": lambda: subject(plain, settings={"headers": {"x": KEY("bearer", "settings")}}),
    "own name": lambda: subject(plain, name=KEY("xai", "own name")),
    "default": lambda: subject(with_default),
    "object": lambda: subject(Named()),
    "per call": lambda: subject("openai/m", env={}).abilities.per_call["system"](KEY("nvidia", "level")),
}


@pytest.mark.parametrize("place", PYTHON)
def test_a_key_in_a_python_call_is_refused_and_not_repeated(place: str) -> None:
    with pytest.raises(UserError, match="contains what looks like an API key") as refused:
        PYTHON[place]()
    assert PLANTED.found(str(refused.value) + repr(refused.value)) == []


# What servers repeat


Answer = tuple[int, dict[str, str], Any]


def _says(text: str = "X", **more: Any) -> Answer:
    message = {"role": "assistant", "content": text, **more.pop("message", {})}
    choice = {"index": 0, "finish_reason": "stop", "message": message, **more.pop("choice", {})}
    return 200, {}, {"model": "m", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 2}, **more}


def _tokens(text: str, alternative: str = "O") -> dict[str, Any]:
    pieces = [text[k : k + 3] for k in range(0, len(text), 3)]
    others = [{"token": alternative, "logprob": -2.0}]
    return {"logprobs": {"content": [{"token": piece, "logprob": -0.1, "top_logprobs": others} for piece in pieces]}}


ECHOES: dict[str, Answer] = {
    "reply": _says(f"You sent {KEY('openai', 'reply')}. The answer is X."),
    "reply in JSON": _says(json.dumps({"answer": "X", "request": json.dumps({"k": KEY("gemini", "reply in JSON")})})),
    "end of a reply": _says(f"X\n{KEY('bearer', 'end of a reply')}"),
    "address in a reply": _says(f"X, see {KEY('login', 'address')} and {KEY('query', 'address')}"),
    "model": _says("X", model=KEY("xai", "model")),
    "reasoning": _says("X", message={"reasoning_content": f"the key is {KEY('anthropic', 'reasoning')}, so X"}),
    "tokens": _says("X", choice=_tokens(KEY("groq", "tokens"))),
    "alternatives": _says("X", choice=_tokens("X", KEY("github", "alternatives"))),
    "refusal": _says("", message={"refusal": f"not with {KEY('huggingface', 'refusal')}"}),
    "thinking": _says([{"type": "thinking", "thinking": KEY("jwt", "thinking")}, {"type": "text", "text": "X"}]),  # type: ignore[arg-type]
    "own keys": _says(f"X: {OWN} and {KEY('azure', 'variable')}"),
    "rejected": (400, {}, {"error": {"message": f"bad request {KEY('deepseek', 'rejected')} sent"}}),
    "cut": (400, {}, {"error": {"message": "x" * 280 + KEY("nvidia", "cut")}}),
    "filtered": (400, {}, {"error": {"code": "content_filter", "message": f"no {KEY('aws-secret', 'filtered')}"}}),
    "inside another": (400, {}, {"error": {"message": "p", "metadata": {"raw": KEY("openai-old", "raw")}}}),
    "code": (422, {}, {"error": {"message": "m", "code": KEY("client", "code"), "param": KEY("aws", "param")}}),
    "a page": (400, {}, f"<h1>Bad</h1><p>Authorization: {KEY('bearer', 'page')}</p>".encode()),
    "hidden": (200, {}, {"error": {"code": 400, "message": KEY("groq", "hidden")}}),
    "no reply": (200, {"X-Key": KEY("github", "header")}, {"choices": [], "sent": KEY("xai", "no reply")}),
}
FATAL: dict[str, Answer] = {
    "key": (401, {}, {"error": {"message": f"Incorrect API key {KEY('openai', 'key')}"}}),
    "access": (403, {}, {"error": {"message": f"no access with {KEY('anthropic', 'access')}"}}),
    "redirect": (307, {"Location": KEY("query", "redirect")}, f"go to {KEY('login', 'redirect body')}".encode()),
    "no model": (404, {}, {"error": {"message": f"model {KEY('huggingface', 'no model')} not found"}}),
}


@contextmanager
def _serving(answers: Mapping[str, Answer], sent: list[str]) -> Iterator[str]:
    """A server that gives each of these answers to every other call, and X to the rest; what it `sent` is noted."""
    given: dict[bytes, str] = {}
    waiting = list(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if body not in given:
                given[body] = waiting.pop(0) if waiting and len(given) % 2 == 0 else ""
            place = given[body]
            if place == "no reply":  # is asked again, which takes a while
                given[body] = ""
            sent.append(place)
            status, headers, content = answers.get(place) or _says()
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(raw))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()


def _clean(folder: Path, printed: str) -> None:
    written = everything(folder)
    assert PLANTED.found(printed) == []
    assert PLANTED.found(written) == []
    assert OWN not in printed
    assert OWN.encode() not in written


def _looked_at(folder: Path, store: str) -> str:
    """What commands print about a store; what they write is in the folder."""
    printed = ""
    for words in (
        ("export", store, "-o", "rows.parquet"),
        ("table", "profile", store, "--format", "csv"),
        ("methods", store),
        ("read", store, "--unread"),
    ):
        ran = snellen(*words, cwd=folder)
        printed += ran.stdout + ran.stderr
    return printed


def test_keys_that_a_server_repeats_are_nowhere(tmp_path: Path) -> None:
    sent: list[str] = []
    variable = KEY("azure", "variable").split('"')[-2]
    with _serving(ECHOES, sent) as url:
        ran = snellen_process(
            *("exam", f"openai/m@{url}:logprobs=1", "sim/ideal", "--tasks", "fixation", "--n", 1, "--concurrency", 2),
            cwd=tmp_path,
            SNELLEN_API_KEY=OWN,
            AZURE_OPENAI_API_KEY=variable,
        )
    assert set(ECHOES) <= set(sent), ran.stderr
    assert (tmp_path / "snellen.sqlite").exists(), ran.stderr
    subjects = (f"openai/m@{url}:logprobs=1", "sim/ideal")
    compared = snellen(
        "compare", "snellen.sqlite", *subjects, "--fail-if", "all:accuracy<-99", "--junit", "junit.xml", cwd=tmp_path
    )
    assert (tmp_path / "junit.xml").exists(), compared.stderr
    _clean(
        tmp_path, ran.stdout + ran.stderr + compared.stdout + compared.stderr + _looked_at(tmp_path, "snellen.sqlite")
    )
    written = everything(tmp_path).decode("utf-8", "replace")
    assert "[masked: looks like an API key]" in written
    assert "[masked: the key in SNELLEN_API_KEY]" in written


@pytest.mark.parametrize("place", FATAL)
def test_keys_in_an_error_that_ends_an_exam_are_nowhere(place: str, tmp_path: Path) -> None:
    sent: list[str] = []
    with _serving({place: FATAL[place]}, sent) as url:
        ran = snellen("exam", f"openai/m@{url}", "--n", 1, "--concurrency", 1, cwd=tmp_path, SNELLEN_API_KEY=OWN)
    assert place in sent
    _clean(tmp_path, ran.stdout + ran.stderr)


MINE = """
import os
count = 0
def answer(parts):
    global count
    count += 1
    if count % 3 == 0:
        raise RuntimeError("call with " + {exception!r})
    return "X, as " + {reply!r} + os.environ["MY_SERVICE_TOKEN"] if count % 3 else "X"
"""


def test_keys_in_a_model_and_prompts_of_ones_own_are_nowhere(tmp_path: Path) -> None:
    given, out = tmp_path / "given", tmp_path / "out"
    given.mkdir(), out.mkdir()
    token = KEY("client", "environment of a model")[15:]
    code = MINE.format(exception=KEY("openai", "exception"), reply=KEY("jwt", "own reply"))
    (given / "mine.py").write_text(code)
    ran = snellen("exam", given / "mine.py", "--n", 1, cwd=out, MY_SERVICE_TOKEN=token)
    assert ran.returncode == 0, ran.stderr
    _clean(out, ran.stdout + ran.stderr)
    (given / "broken.py").write_text(f"raise ValueError({KEY('groq', 'file')!r})")
    ran = snellen("exam", given / "broken.py", cwd=out)
    assert ran.returncode == 2
    _clean(out, ran.stdout + ran.stderr)
    (given / "pack.toml").write_text(f'[fixation]\nlead = "Say {KEY("gemini", "prompts")}"')
    ran = snellen("exam", "sim/ideal", "--n", 1, "--prompts", given / "pack.toml", cwd=out)
    assert (ran.returncode, "pack.toml: [fixation] contains" in ran.stderr) == (2, True)
    _clean(out, ran.stdout + ran.stderr)


def test_keys_in_replies_brought_back_by_another_tool_are_nowhere(tmp_path: Path) -> None:
    given, out = tmp_path / "given", tmp_path / "out"
    given.mkdir()
    out.mkdir()
    made = snellen("make", "fixation", "--n", 1, "--set", "game=tictactoe", "-o", given / "set", cwd=out)
    assert made.returncode == 0, made.stderr
    rows = int(made.stdout.split()[1])  # "wrote 17 rows to ..."
    replies = [json.dumps({"reply": f"X {KEY('anthropic', f'reply {row}')}"}) for row in range(rows)]
    (given / "replies.jsonl").write_text("\n".join(replies))
    ran = snellen("import", "replies", given / "set", given / "replies.jsonl", "--store", "s.sqlite", cwd=out)
    assert ran.returncode == 0, ran.stderr
    _clean(out, ran.stdout + ran.stderr)
    (given / "replies.jsonl").write_text(f'{{"reply": 1, "key": "{KEY("aws", "bad line")}"')
    ran = snellen("import", "replies", given / "set", given / "replies.jsonl", "--store", "t.sqlite", cwd=out)
    assert ran.returncode == 2
    _clean(out, ran.stdout + ran.stderr)


def test_keys_in_whatever_else_is_recorded_are_nowhere(tmp_path: Path) -> None:
    def line(kind: str, place: str) -> str:
        return f"words {KEY(kind, place)} words"

    with Store.open(tmp_path / "s.sqlite") as store:
        exam = store.begin_exam({"import": line("gemini", "spec")}, {"server": line("aws", "fingerprint")})
        store.put_image(Picture(b"\x89PNG", alt=line("xai", "alt text")))
        store.put_item(Item("t/0", "t", {"level": line("groq", "level")}, {"note": line("nvidia", "truth")}, "d0"))
        store.put_progress({"subject": line("github", "progress")})
        reply = Reply("X", tokens=(Token(line("huggingface", "stored token"), -1.0),))
        store.add_call(CallRecord(b"k1", "s", json.dumps({"messages": line("openai", "prompt")}), reply))
        store.add_call(CallRecord(b"k2", "s", "{}", None, "server", line("bearer", "message")))
        trial = TrialRecord(
            *("t", "t/0", "s", "direct", {"style": line("deepseek", "condition")}, "p", "unread", "unparsable"),
            *(line("login", "answer"), "X", ("X", "O")),
        )
        store.add_trial(exam, b"t1", trial, [b"k1"])
        store.end_exam(exam, {"problem": line("query", "counts")})
        store.flush()
        _clean(tmp_path, "")  # the write-ahead log too
    _clean(tmp_path, "")


def test_keys_in_a_store_of_an_earlier_version_go_when_it_is_upgraded(tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "engine" / "layout1" / "store.sqlite.gz"
    path = tmp_path / "old.sqlite"
    path.write_bytes(gzip.decompress(old.read_bytes()))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE calls SET text = text || ?, message = ?", (KEY("openai", "old"), KEY("jwt", "old message")))
        db.execute("UPDATE exams SET spec = ?", (json.dumps({"subject": KEY("aws-secret", "old spec")}),))
    assert PLANTED.found(path.read_bytes())
    with Store.open(path, readonly=True) as store:
        assert store.exams()
    (tmp_path / "old.sqlite.layout1").unlink()  # the store as it was, for whoever wants to go back
    _clean(tmp_path, "")


def test_an_exam_in_python_shows_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(parts: Any) -> str:
        return f"X {KEY('nvidia', 'python reply')} {OWN}"

    monkeypatch.setenv("SOME_PASSWORD", OWN)
    exam = package.exam(leaky, tasks="fixation", n=1, store=tmp_path / "s.sqlite")
    exam.report(tmp_path / "page")
    _clean(tmp_path, str(exam) + repr(exam) + json.dumps(exam.to_json()) + exam.rows.write_ndjson())


def test_these_are_more_than_fifty() -> None:
    for place, words in COMMANDS.items():
        for word in words:
            _filled(word, f"command: {place}")
    assert len(PLANTED) > 50
