"""An exam at a server that nobody here wrote: `transformers serve` with a model of random weights."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
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

NEEDED = ("torch", "transformers", "fastapi", "uvicorn", "openai")

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        not all(map(find_spec, NEEDED)), reason="needs a server: pip install torch 'transformers[serving]'"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("idefics3", tmp_path_factory.mktemp("served") / "tiny")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    script = str(support.transformers_server.__file__)
    words = ["serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    server = subprocess.Popen([sys.executable, script, *words], env={**os.environ, "HF_HUB_OFFLINE": "1"})
    try:
        while not _is_up(f"http://127.0.0.1:{port}/health"):
            assert server.poll() is None, "the server ended before it began"
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def _is_up(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as response:  # noqa: S310
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def exam(name: str, cwd: Path, *more: object):
    words = ("exam", f"foreign={name}", "--tasks", "fixation", "--design", "api", "--n", 1, "--json", *more)
    return snellen(*words, cwd=cwd)


def test_an_exam_at_transformers_serve_is_held_whole(url: str, folder: Path, tmp_path: Path) -> None:
    ran = exam(f"openai/{folder}@{url}:max_tokens=8,logprobs=1", tmp_path)
    assert ran.returncode == 0, ran.stderr
    with Store.open(tmp_path / "snellen.sqlite", readonly=True) as store:
        rows, [record] = store.rows(), store.exams()
    assert rows.height > 0
    assert rows.filter(reason="error").height == 0
    assert rows["tokens_out"].max() <= 8
    assert rows["tokens_in"].min() > 0
    assert set(rows["finish"]) <= {"length", "stop"}
    # It says itself, in its log, that it ignores this field.
    assert set(record.counts["asked_for_not_heeded"]["foreign"]) == {"logprobs"}
    assert "warning: foreign: logprobs was asked for and not heeded" in ran.stderr
    again = exam(f"openai/{folder}@{url}:max_tokens=8,logprobs=1", tmp_path)
    assert json.loads(again.stdout)["diagnoses"] == json.loads(ran.stdout)["diagnoses"]


def test_its_streams_are_understood(url: str, folder: Path, tmp_path: Path) -> None:
    plain = exam(f"openai/{folder}@{url}:max_tokens=8", tmp_path, "--store", "plain.sqlite")
    streamed = exam(
        f'openai/{folder}@{url}:max_tokens=8,extra={{"stream": true}}', tmp_path, "--store", "streamed.sqlite"
    )
    assert (plain.returncode, streamed.returncode) == (0, 0), plain.stderr + streamed.stderr
    columns = ("item", "text", "finish", "tokens_in", "tokens_out")
    tables = []
    for name in ("plain", "streamed"):
        with Store.open(tmp_path / f"{name}.sqlite", readonly=True) as store:
            tables.append(store.rows().select(columns).sort(columns).rows())
    assert tables[0] == tables[1]


def test_a_wrong_model_name_is_named(url: str, tmp_path: Path) -> None:
    ran = exam(f"openai/nobody@{url}", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    line = ran.stderr.splitlines()[-1]
    assert "no model 'nobody'" in line
    assert "pinned to" in line
