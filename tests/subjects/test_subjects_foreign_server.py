"""Exams at servers that nobody here wrote, with models of random weights: `transformers serve` and llama.cpp's."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import support.transformers_server
from snellen.engine import Store
from snellen.subjects import local  # noqa: F401  readies torchvision, which transformers imports
from support.commands import snellen
from tiny_models import make

LLAMA = Path(support.transformers_server.__file__).with_name("llama_server.py")
NEEDED = ("torch", "transformers", "fastapi", "uvicorn", "openai", "xllamacpp", "gguf")

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        not all(map(find_spec, NEEDED)),
        reason="needs servers: pip install torch 'transformers[serving]' xllamacpp gguf",
    ),
]


@contextmanager
def _serving(command: Sequence[object], port: int) -> Iterator[str]:
    words = [sys.executable, *map(str, command)]
    server = subprocess.Popen(words, env={**os.environ, "HF_HUB_OFFLINE": "1"}, stderr=subprocess.DEVNULL)
    try:
        while not _is_up(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None, "the server ended before it began"
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="module")
def transformers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The model at `transformers serve`."""
    folder, port = make("idefics3", tmp_path_factory.mktemp("served") / "tiny"), _free_port()
    words = ("serve", folder, "--host", "127.0.0.1", "--port", port, "--device", "cpu")
    with _serving([support.transformers_server.__file__, *words], port) as url:
        yield f"openai/{folder}@{url}"


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The model at llama.cpp's server."""
    from support.tiny_gguf import make_image_encoder, make_language_model

    folder, port = tmp_path_factory.mktemp("llama"), _free_port()
    model, eyes = make_language_model(folder / "tiny.gguf"), make_image_encoder(folder / "eyes.gguf")
    with _serving([LLAMA, model, port, eyes], port) as url:
        yield f"openai/tiny@{url}"


@pytest.fixture
def name(server: str, request: pytest.FixtureRequest) -> str:
    """What the model of a server is called."""
    return str(request.getfixturevalue(server))


def _is_up(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as response:  # noqa: S310
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def exam(name: str, cwd: Path, *more: object):
    words = ("exam", f"foreign={name}", "--tasks", "fixation", "--design", "api", "--n", 1, "--json", *more)
    return snellen(*words, cwd=cwd)


@pytest.mark.parametrize("server", ["transformers", "llama"])
def test_an_exam_is_held_whole(name: str, server: str, tmp_path: Path) -> None:
    ran = exam(f"{name}:max_tokens=8,logprobs=1", tmp_path)
    assert ran.returncode == 0, ran.stderr
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        rows, [record] = store.rows(), store.exams()
    assert rows.height > 0
    assert rows.filter(reason="error").height == 0
    assert rows["tokens_out"].max() <= 8
    assert rows["tokens_in"].min() > 0
    assert set(rows["finish"]) <= {"length", "stop"}
    # `transformers serve` says itself, in its log, that it ignores this field.
    unheeded = {"foreign": {"logprobs"}} if server == "transformers" else {}
    told = record.counts.get("asked_for_not_heeded", {})
    assert {who: set(settings) for who, settings in told.items()} == unheeded
    assert ("warning: foreign: logprobs was asked for and not heeded" in ran.stderr) == bool(unheeded)
    again = exam(f"{name}:max_tokens=8,logprobs=1", tmp_path)
    assert json.loads(again.stdout)["diagnoses"] == json.loads(ran.stdout)["diagnoses"]


@pytest.mark.parametrize("server", ["transformers", "llama"])
def test_streams_are_understood(name: str, tmp_path: Path) -> None:
    plain = exam(f"{name}:max_tokens=8", tmp_path, "--store", "plain.sqlite")
    streamed = exam(
        f'{name}:max_tokens=8,extra={{"stream": true, "stream_options": {{"include_usage": true}}}}',
        tmp_path,
        "--store",
        "streamed.sqlite",
    )
    assert (plain.returncode, streamed.returncode) == (0, 0), plain.stderr + streamed.stderr
    columns = ("item", "text", "finish", "tokens_in", "tokens_out")
    tables = []
    for store_name in ("plain", "streamed"):
        with Store.open(tmp_path / f"{store_name}.sqlite", readonly=True) as store:
            tables.append(store.rows().select(columns).sort(columns).rows())
    assert tables[0] == tables[1]


def test_a_wrong_model_name_is_named(transformers: str, tmp_path: Path) -> None:
    ran = exam(f"openai/nobody@{transformers.partition('@')[2]}", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    line = ran.stderr.splitlines()[-1]
    assert "no model 'nobody'" in line
    assert "pinned to" in line


def test_a_model_without_eyes_is_named_after_three_calls(tmp_path: Path) -> None:
    from support.tiny_gguf import make_language_model

    model, port = make_language_model(tmp_path / "blind.gguf"), _free_port()
    with _serving([LLAMA, model, port], port) as url:
        ran = exam(f"openai/tiny@{url}:max_tokens=8", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    line = ran.stderr.splitlines()[-1]
    assert "image input is not supported" in line
    assert f"openai/tiny@{url}:max_tokens=8,pictures=0" in line
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        assert len(list(store.requests())) <= 3
