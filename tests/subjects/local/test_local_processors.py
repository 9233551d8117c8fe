"""From a folder to its processor, or to one line that says what to install."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.subjects.local.loading import load
from snellen.subjects.local.processors import import_torchvision, processor_of
from support.later import later
from support.lengths import few_and_more

torch = later("torch")
transformers = later("transformers")


@pytest.fixture
def copy(folder_of: Callable[[str], Path], tmp_path: Path) -> Path:
    """A model folder to break."""
    return Path(shutil.copytree(folder_of("idefics3"), tmp_path / "model"))


def changed(file: Path, **settings: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **settings}))


def refused(folder: Path) -> str:
    with pytest.raises(UserError) as problem:
        load(folder)
    line = str(problem.value)
    assert "\n" not in line
    return line


# torchvision


@pytest.fixture
def torchvision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a package of that name with the code given, in place of a real one; it is gone after the test."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(tmp_path / "site")

    def install(code: str) -> None:
        package = tmp_path / "site" / "torchvision"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(code)

    yield install
    sys.modules.pop("torchvision", None)


CUDA_BUILD = """
import torch
for name in ("nms", "qnms"):
    torch.library.register_fake(f"torchvision::{name}", lambda *_: None)
done = True
"""


PRINTS_WHAT_IS_DECLARED = """
import sys
sys.path.insert(0, sys.argv[1])
{prepare}
import torchvision
print(torchvision.done)
"""


@few_and_more("prepare", ["import snellen.subjects.local"], [""])
def test_a_cuda_build_is_imported_beside_a_torch_for_cpus(
    torchvision: Callable[[str], None], tmp_path: Path, prepare: str
) -> None:
    """In a process of its own: operators once declared cannot be taken back."""
    torchvision(CUDA_BUILD)
    code = PRINTS_WHAT_IS_DECLARED.format(prepare=prepare)
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "site")], capture_output=True, text=True)
    if prepare:
        assert run.stdout == "True\n", run.stderr
    else:
        assert "operator torchvision::nms does not exist" in run.stderr


def test_a_torchvision_that_cannot_be_imported_is_one_line(torchvision: Callable[[str], None]) -> None:
    torchvision("raise RuntimeError('compiled for another torch,\\nsee the table')")
    release = torch.__version__.partition("+")[0]
    with pytest.raises(UserError) as problem:
        import_torchvision()
    assert str(problem.value) == (
        "torchvision does not fit this torch (compiled for another torch, see the table): "
        f"pip install torchvision torch=={release}"
    )


def test_who_needs_torchvision_for_images_is_told_to_install_it(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = "\nLlama4ImageProcessor requires the Torchvision library but it was not found in your environment."

    def absent(*_: object, **__: object) -> None:
        raise ImportError(missing)

    monkeypatch.setattr("transformers.AutoProcessor.from_pretrained", absent)
    monkeypatch.setattr("transformers.AutoImageProcessor.from_pretrained", absent)
    release = torch.__version__.partition("+")[0]
    assert refused(copy) == (
        f"{copy}: Llama4ImageProcessor needs torchvision: pip install torchvision torch=={release}"
    )


def test_who_needs_torchvision_only_for_videos_goes_without(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise ImportError("Idefics3VideoProcessor requires the Torchvision library")

    monkeypatch.setattr("transformers.AutoProcessor.from_pretrained", absent)
    assert type(processor_of(copy)).__name__ == "Idefics3Processor"


def test_the_first_cause_is_told_and_not_that_of_the_second_attempt(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object, **__: object) -> None:
        raise ImportError("cannot load the library that sounds need")

    def broken(*_: object, **__: object) -> None:
        raise ValueError("a second error")

    monkeypatch.setattr("transformers.AutoProcessor.from_pretrained", absent)
    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", broken)
    assert refused(copy) == f"{copy}: its processor cannot be loaded (cannot load the library that sounds need)"


@pytest.mark.parametrize(
    ("pattern", "part"), [("*processor_config.json", "image processor"), ("tokenizer*", "tokenizer")]
)
def test_a_checkpoint_that_lacks_files_of_its_base_model_says_which(copy: Path, pattern: str, part: str) -> None:
    for file in copy.glob(pattern):
        file.unlink()
    message = refused(copy)
    assert message.startswith(f"{copy}: no {part} (no file ")
    assert message.endswith("; copy it from the folder of the base model")


# Types of models


def test_a_type_that_only_comes_with_code_of_its_own_is_not_said_to_be_blind(copy: Path) -> None:
    changed(copy / "config.json", model_type="kimi_own", auto_map={"AutoModel": "modeling_kimi.Kimi"})
    assert refused(copy) == (
        f"{copy}: transformers {transformers.__version__} has no model type 'kimi_own', and code that comes with a "
        "model is never run; use a converted one"
    )


def test_a_type_that_is_too_new_is_named(copy: Path) -> None:
    changed(copy / "config.json", model_type="idefics9")
    assert "has no model type 'idefics9'; a newer one may have it: pip install -U transformers" in refused(copy)
