"""Processors in processes of their own: the same numbers, and an end with whoever they help."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from local_calls import CALLS, RED, WORDS, call

import tiny_models
from snellen.call import CallFailed
from snellen.errors import UserError
from snellen.item import Picture
from snellen.subjects.local.helpers import Helpers, helpers_for
from snellen.subjects.local.loading import load
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompts import Prompt, PromptMaker
from support.later import later

torch = later("torch")
later("transformers")


@pytest.fixture
def folder(request: pytest.FixtureRequest, folder_of: Callable[[str], Path]) -> Path:
    return folder_of(request.param)


@pytest.fixture
def helpers(folder: Path) -> Iterator[Helpers]:
    helpers = Helpers(folder, 1)
    yield helpers
    helpers.close()


def of(architecture: str) -> Any:
    return pytest.param(architecture, marks=() if architecture == "qwen2_5_vl" else pytest.mark.soak)


every = pytest.mark.parametrize("folder", [of(each) for each in tiny_models.ARCHITECTURES], indirect=True)
one = pytest.mark.parametrize("folder", ["idefics3"], indirect=True)


def equal(here: Prompt, there: Prompt) -> bool:
    tensors = ((here.words, there.words), (here.about, there.about))
    views = zip(here.views, there.views, strict=True)
    every = (*tensors, *((own.tensors, others.tensors) for own, others in views))
    alike = all(a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a) for a, b in every)
    plain = ("text", "pictures", "tokens_picture", "decoding", "labels", "seed")
    return alike and all(getattr(here, name) == getattr(there, name) for name in plain)


@pytest.mark.soak
@every
def test_helpers_make_the_same_of_a_call_and_tell_where_one_fails(folder: Path, helpers: Helpers) -> None:
    loaded = load(folder)
    here, there = PromptMaker(ProcessingHere(loaded)), PromptMaker(helpers.started(loaded.model.dtype))
    for each in (*CALLS, *WORDS, call(RED, "Who?", labels=("X", "O"))):
        assert equal(here.of(each), there.of(each))
    with pytest.raises(CallFailed, match=r"OSError: .*truncated.* \(ImageFile\.py, line \d+\)") as failed:
        there.of(call(Picture(RED.data[: len(RED.data) // 2]), "Who?"))
    assert not failed.value.fatal


@pytest.mark.soak
@one
def test_a_helper_that_dies_stops_the_exam_with_one_line(helpers: Helpers) -> None:
    prompts = PromptMaker(helpers.started(torch.float32))
    prompts.of(CALLS[0])
    (process,) = helpers._pool._processes.values()
    os.kill(process.pid or 0, signal.SIGKILL)
    with pytest.raises(CallFailed, match="a preprocessing process ended") as failed:
        prompts.of(CALLS[1])
    assert failed.value.fatal


@pytest.mark.soak
@one
def test_a_helper_ends_with_whom_it_helps(folder: Path, tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from snellen.subjects.local.helpers import Helpers
if __name__ == "__main__":
    helpers = Helpers(Path({str(folder)!r}), 1)
    helpers.started("float32")
    print(*helpers._pool._processes, flush=True)
    input()
"""
    script = tmp_path / "helped.py"
    script.write_text(code)
    env = {**os.environ, "TMPDIR": str(tmp_path)}  # who is killed leaves its folder behind
    helped = subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    )
    assert helped.stdout is not None
    helper = int(helped.stdout.readline())
    os.kill(helper, 0)
    helped.kill()
    helped.communicate()
    for _ in range(100):
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.kill(helper, signal.SIGKILL)
    pytest.fail("the helper is still there")


def test_helpers_share_half_of_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 16)
    assert [helpers_for(models) for models in (1, 2, 4, 100)] == [4, 4, 2, 1]


@pytest.mark.soak
@one
def test_helpers_that_cannot_begin_say_why_in_one_line(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken = Path(shutil.copytree(folder, tmp_path / "broken"))
    (broken / "tokenizer.json").write_text("{")
    helpers = Helpers(broken, 1)
    with pytest.raises(UserError, match="its processor cannot be loaded"):
        helpers.started(torch.float32)
    helpers.close()
    assert "Traceback" not in capfd.readouterr().err
