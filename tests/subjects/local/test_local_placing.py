"""Models in few bits, and models spread over devices."""

import asyncio
import importlib.metadata
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from local_calls import CALLS

import tiny_models
from snellen.errors import UserError
from snellen.subjects import subject
from snellen.subjects.local import loading
from snellen.subjects.local.model import LANES, lanes
from snellen.subjects.local.placing import Fitting, options
from support.later import later

torch = later("torch")
transformers = later("transformers")


@pytest.fixture
def folder(folder_of: Callable[[str], Path]) -> Path:
    return folder_of(tiny_models.EACH[0])


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> None:
    """bitsandbytes, as far as its name and version go."""
    module = ModuleType("bitsandbytes")
    module.__spec__ = ModuleSpec("bitsandbytes", None)
    monkeypatch.setitem(sys.modules, "bitsandbytes", module)
    version = importlib.metadata.version
    told = lambda name: "0.99" if name == "bitsandbytes" else version(name)  # noqa: E731
    monkeypatch.setattr(importlib.metadata, "version", told)
    monkeypatch.setattr("snellen.subjects.local.fingerprint.version", told)


def replies(name: str) -> list[str]:
    async def ask() -> list[str]:
        async with subject(name) as model:
            calls = [replace(call, settings={**model.settings, "max_tokens": 6}) for call in CALLS[:3]]
            return [reply.text for reply in await asyncio.gather(*map(model.answer, calls))]

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("setting", "missing", "words"),
    [
        ("load=4bit", "bitsandbytes", "pip install bitsandbytes accelerate"),
        ("load=8bit", "accelerate", "pip install bitsandbytes accelerate"),
        ("device_map=auto", "accelerate", "needs accelerate: pip install accelerate"),
    ],
)
@pytest.mark.usefixtures("pretend")
def test_what_is_not_installed_is_named_in_one_line(
    folder: Path, setting: str, missing: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(UserError, match=words):
        subject(f"local/{folder}:{setting}")


def test_one_copy_is_not_both_spread_and_in_one_place(folder: Path) -> None:
    for given in ("device=cuda:1", "device=cpu", "processes=2"):
        with pytest.raises(UserError, match=f"one copy over all GPUs; leave out {given}$"):
            subject(f"local/{folder}:device_map=auto,{given}")


@pytest.mark.usefixtures("pretend")
def test_bits_are_part_of_who_a_model_is_and_where_it_is_not(folder: Path) -> None:
    plain, small = subject(f"local/{folder}"), subject(f"local/{folder}:load=8bit,device_map=auto")
    assert small.name == f"{plain.name}:load=8bit"
    assert dict(small.settings) == {**plain.settings, "load": "8bit", "bitsandbytes": "0.99"}
    assert "load" not in small.abilities.per_call


@pytest.mark.usefixtures("pretend")
def test_transformers_is_told_where_and_in_how_many_bits(folder: Path) -> None:
    assert options(Fitting(), folder, "float32", "cuda:1") == {}
    assert options(Fitting(device_map="balanced"), folder, "float32", "cuda:0") == {"device_map": "balanced"}
    four = options(Fitting("4bit"), folder, "bfloat16", "cuda:1")
    assert four["device_map"] == {"": "cuda:1"}
    assert four["quantization_config"].bnb_4bit_quant_type == "nf4"
    assert four["quantization_config"].bnb_4bit_compute_dtype is torch.bfloat16
    eight = options(Fitting("8bit", "auto"), folder, "float16", "cuda:0")
    assert eight["device_map"] == "auto"
    assert eight["quantization_config"].load_in_8bit


def test_a_folder_whose_weights_are_in_few_bits_is_loaded_in_its_place(folder: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    config = (own / "config.json").read_text()
    (own / "config.json").write_text(config.replace("{", '{"quantization_config": {},', 1))
    assert options(Fitting(), own, "float32", "cuda:1") == {"device_map": {"": "cuda:1"}}


def test_a_model_that_keeps_notes_in_its_layers_is_not_copied_for_threads() -> None:
    assert lanes("cuda:0", Fitting()) == LANES > 1
    assert lanes("cuda:0", Fitting("4bit")) == lanes("cuda:0", Fitting(device_map="auto")) == 1


@pytest.mark.soak
def test_a_model_that_is_spread_answers_as_ever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("accelerate")
    plain = replies(f"local/{folder}")
    maps: list[object] = []
    load = loading._model
    monkeypatch.setattr(
        loading, "_model", lambda kind, where, dtype, told: (maps.append(told), load(kind, where, dtype, told))[1]
    )
    assert replies(f"local/{folder}:device_map=auto") == plain
    assert maps == [{"device_map": "auto"}]


@pytest.mark.parametrize("bits", ["4bit", "8bit"])
def test_weights_in_few_bits_are_loaded(folder: Path, tmp_path: Path, bits: str) -> None:
    bitsandbytes = pytest.importorskip("bitsandbytes")
    peft = pytest.importorskip("peft")
    loaded = loading.load(folder, device="cpu", fitting=Fitting(bits))
    kind = {"4bit": bitsandbytes.nn.Linear4bit, "8bit": bitsandbytes.nn.Linear8bitLt}[bits]
    assert any(isinstance(layer, kind) for layer in loaded.model.modules())
    assert any(replies(f"local/{folder}:load={bits}"))
    torch.manual_seed(1)
    config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
    peft.get_peft_model(loading.load(folder).model, config).save_pretrained(tmp_path / "adapter")
    adapted = loading.load(folder, tmp_path / "adapter", device="cpu", fitting=Fitting(bits))
    assert type(adapted.model) is type(loaded.model)
    assert replies(f"local/{folder}:load={bits},adapter={tmp_path / 'adapter'}") != replies(
        f"local/{folder}:load={bits}"
    )
