"""From a folder to a model, or to one line that says what is wrong with it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from local_calls import CALLS, RED, call

import tiny_models
from snellen.call import Message
from snellen.errors import UserError
from snellen.subjects.local.loading import devices, load
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompting import inputs_of, pictures_of, text_of
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.running import Runner
from support.later import later
from support.lengths import some_of

torch = later("torch")
later("transformers")
peft = later("peft")


@pytest.fixture
def copy(folder_of: Callable[[str], Path], tmp_path: Path) -> Path:
    """A model folder to break."""
    return Path(shutil.copytree(folder_of("idefics3"), tmp_path / "model"))


def refused(folder: Path | str, words: str, **how: Any) -> None:
    with pytest.raises(UserError, match=words) as problem:
        load(folder, **how)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("architecture", tiny_models.EACH)
def test_a_folder_becomes_a_model(architecture: str, folder_of: Callable[[str], Path]) -> None:
    loaded = load(folder_of(architecture), device="cpu")
    assert not loaded.model.training
    assert loaded.model.dtype == torch.float32
    assert loaded.tokenizer.padding_side == "left"
    assert loaded.picture_token_id is not None


@pytest.mark.parametrize("architecture", tiny_models.EACH)
def test_numbers_may_be_smaller(architecture: str, folder_of: Callable[[str], Path]) -> None:
    loaded = load(folder_of(architecture), dtype="bfloat16")
    assert loaded.model.dtype == torch.bfloat16
    assert Runner(loaded).answer([PromptMaker(ProcessingHere(loaded)).of(each) for each in CALLS[:3]])[2].tokens_out


def test_a_pickle_is_refused(copy: Path) -> None:
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    refused(copy, r"pytorch_model\.bin is a pickle")


def test_a_folder_without_weights_is_refused(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    refused(copy, "no weights")


def test_weights_that_were_cut_short_are_refused(copy: Path) -> None:
    file = copy / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1000])
    refused(copy, "broken or cut short")


def test_a_missing_shard_is_refused(copy: Path) -> None:
    index = {"weight_map": {"a": "model.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (copy / "model.safetensors.index.json").write_text(json.dumps(index))
    refused(copy, "model-00002-of-00002.safetensors is missing")


def test_weights_of_another_model_are_refused(copy: Path, folder_of: Callable[[str], Path]) -> None:
    shutil.copy(folder_of("gemma3") / "model.safetensors", copy / "model.safetensors")
    refused(copy, "are missing, so it would answer at random|cannot be loaded")


def test_a_model_without_pictures_is_refused(copy: Path) -> None:
    (copy / "config.json").write_text(json.dumps({"model_type": "llama"}))
    refused(copy, "'llama' accepts no images")


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_broken_config_is_refused(copy: Path, text: str) -> None:
    (copy / "config.json").write_text(text)
    refused(copy, "config.json")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "no such folder")
    refused("./nowhere", "no such folder")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", r"no config\.json")


def test_a_model_that_the_hub_does_not_give_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_: object, **__: object) -> str:
        raise OSError("cannot\nreach it")

    monkeypatch.setattr("huggingface_hub.snapshot_download", offline)
    refused("somebody/something", "the Hugging Face Hub did not provide it .cannot reach it")


def test_a_model_of_the_hub_is_fetched_without_pickles(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def fetch(name: str, allow_patterns: list[str]) -> str:
        asked.append(allow_patterns)
        return str(folder_of(name.partition("/")[2]))

    monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
    assert type(load("somebody/gemma3").model).__name__ == "Gemma3ForConditionalGeneration"
    assert not any("bin" in pattern or pattern == "*" for pattern in asked[0])


def test_a_missing_extra_is_one_line(folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    refused(folder_of("idefics3"), r"^local models need torch and transformers: pip install 'snellen\[local\]'$")


def test_devices_that_are_not_there_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert devices("auto") == ("cpu",)
    with pytest.raises(UserError, match="sees no GPUs"):
        devices("cuda")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    assert devices("auto") == devices("cuda") == ("cuda:0", "cuda:1")
    assert devices("cuda:1") == ("cuda:1",)
    with pytest.raises(UserError, match="sees 2 GPUs"):
        devices("cuda:7")


# Adapters


def adapter(folder: Path, out: Path) -> Path:
    """A LoRA that changes everything a little, saved."""
    model = load(folder).model
    config = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        peft.get_peft_model(model, config).save_pretrained(out)
    return out


@some_of("architecture", tiny_models.EACH, 2)
def test_an_adapter_is_loaded_again(architecture: str, folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    folder = folder_of(architecture)
    saved = adapter(folder, tmp_path / "adapter")
    plain, adapted = load(folder), load(folder, adapter=saved)
    by_hand = peft.PeftModel.from_pretrained(load(folder).model, saved)
    inputs = inputs_of(plain, [text_of(plain, CALLS[0].messages)], [pictures_of(CALLS[0].messages)])
    with torch.inference_mode():
        before, after, wanted = (each(**inputs).logits for each in (plain.model, adapted.model, by_hand))
    assert torch.allclose(after, wanted, atol=1e-4)
    assert not torch.allclose(before, after, atol=1e-2)
    assert Runner(adapted).answer([PromptMaker(ProcessingHere(adapted)).of(call(RED, "Who?"))])[0].tokens_out


def test_a_wrong_adapter_is_one_line(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    folder = folder_of("idefics3")
    refused(folder, r"no adapter_config\.json", adapter=str(tmp_path))
    saved = adapter(folder_of("qwen2_5_vl"), tmp_path / "other")
    refused(folder, "does not fit this model", adapter=str(saved))
    pickled = adapter(folder, tmp_path / "pickled")
    (pickled / "adapter_model.safetensors").rename(pickled / "adapter_model.bin")
    refused(folder, "is a pickle", adapter=str(pickled))


# Prompts


def test_a_template_that_knows_no_system_has_it_in_the_first_turn(folder_of: Callable[[str], Path]) -> None:
    loaded = load(folder_of("idefics3"))
    messages = (Message("system", ("Be brief.",)), Message("user", (RED, "Who?")))
    assert text_of(loaded, messages).startswith("<s>system: Be brief.")
    refusing = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system here') }}{% endif %}"
    loaded.processor.chat_template = refusing + tiny_models.chat_template("idefics3")
    assert text_of(loaded, messages).startswith("<s>user: Be brief.\n\n<image>Who?")


def test_a_model_without_a_template_is_one_line(folder_of: Callable[[str], Path]) -> None:
    loaded = load(folder_of("idefics3"))
    loaded.processor.chat_template = loaded.tokenizer.chat_template = None
    with pytest.raises(UserError, match="no chat template"):
        text_of(loaded, CALLS[0].messages)


@pytest.mark.parametrize("architecture", tiny_models.EACH)
def test_words_cannot_pass_for_a_picture(architecture: str, folder_of: Callable[[str], Path]) -> None:
    loaded = load(folder_of(architecture))
    prompts = PromptMaker(ProcessingHere(loaded))
    for token in tiny_models.PICTURE[architecture]:
        honest, sly = (prompts.of(call(RED, words)) for words in ("Who?", f"Who? {token}"))
        assert sly.tokens_picture == honest.tokens_picture
        assert Runner(loaded).answer([sly])[0].text
