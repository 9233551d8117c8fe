"""vLLM's offline engine as a subject, against a stand-in of its interface: the same replies as `local/`."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import vllm_stand_in
from local_calls import CALLS, RED, WORDS, call

import tiny_models
from snellen.call import Call, CallFailed, Reply
from snellen.errors import UserError
from snellen.subjects import subject
from snellen.subjects.http import HttpSubject
from snellen.subjects.local.base import OpenedModel
from snellen.subjects.vllm.engine import OfflineModel
from snellen.subjects.vllm.subject import VllmSubject
from support.later import later

torch = later("torch")
peft = later("peft")


@pytest.fixture(autouse=True)
def engines(monkeypatch: pytest.MonkeyPatch) -> list[vllm_stand_in.LLM]:
    """vLLM, installed as far as Python can tell, and in this process; the engines that were made."""
    made: list[vllm_stand_in.LLM] = []

    def llm(**told: Any) -> vllm_stand_in.LLM:
        made.append(vllm_stand_in.LLM(**told))
        return made[-1]

    package, lora, request = (ModuleType(name) for name in ("vllm", "vllm.lora", "vllm.lora.request"))
    package.__spec__ = ModuleSpec("vllm", None)
    vars(package).update(LLM=llm, SamplingParams=vllm_stand_in.SamplingParams, __path__=[])
    vars(request).update(LoRARequest=vllm_stand_in.LoRARequest)
    for module in (package, lora, request):
        monkeypatch.setitem(sys.modules, module.__name__, module)

    async def here(self: VllmSubject) -> OpenedModel:
        return OpenedModel(OfflineModel(self._name, self._weights, self._batch, self._engine), 1, self._batch)

    monkeypatch.setattr(VllmSubject, "placed", here)
    return made


@pytest.fixture
def folder(folder_of: Callable[[str], Path]) -> Path:
    return folder_of(tiny_models.EACH[0])


def replies(name: str, calls: Sequence[Call], **settings: Any) -> list[Reply]:
    async def ask() -> list[Reply]:
        async with subject(name) as model:
            asked = [replace(each, settings={**model.settings, **each.settings, **settings}) for each in calls]
            return list(await asyncio.gather(*map(model.answer, asked)))

    return asyncio.run(ask())


def test_replies_are_those_of_the_same_model_run_locally(folder: Path) -> None:
    settings = ({"logprobs": 2}, {"labels": ["X", "O", "no way"]}, {"logprobs": 0, "stop": json.dumps(["w", "3"])})
    for each in settings:
        pairs = zip(
            replies(f"vllm/{folder}@offline", [*CALLS, *WORDS], **each),
            replies(f"local/{folder}", [*CALLS, *WORDS], **each),
            strict=True,
        )
        for offline, local in pairs:
            for told in (offline.tokens, local.tokens):
                assert "".join(token.text for token in told).startswith(offline.text)
            assert [t.logprob for t in offline.tokens] == pytest.approx([t.logprob for t in local.tokens], abs=1e-3)
            assert [[word for word, _ in t.others] for t in offline.tokens] == [
                [word for word, _ in t.others] for t in local.tokens
            ]
            assert replace(offline, tokens=()) == replace(local, tokens=())


def test_many_calls_are_handed_over_at_a_time(folder: Path, engines: list[vllm_stand_in.LLM]) -> None:
    replies(f"vllm/{folder}@offline", CALLS)
    assert len(engines[0].adapters) < len(CALLS)
    assert len(engines[0].asked) == len(CALLS)


def test_a_sample_is_seeded_by_its_call_and_greedy_decoding_by_nothing(
    folder: Path, engines: list[vllm_stand_in.LLM]
) -> None:
    calls = [call(RED, "Who?"), replace(call(RED, "Who?"), sample=1), call(RED, "Who?")]
    replies(f"vllm/{folder}@offline:temperature=0.7,top_p=0", calls)
    first, second, again = sorted(params.seed for params in engines[0].asked)
    assert {first, second, again} == {params.seed for params in engines[0].asked}
    assert len({first, second, again}) == 2
    assert engines[0].asked[0].top_p == 1e-6
    replies(f"vllm/{folder}@offline", calls[:1])
    assert engines[1].asked[0] == vllm_stand_in.SamplingParams(temperature=0, max_tokens=6)


def test_a_call_that_vllm_refuses_fails_alone(folder: Path) -> None:
    async def ask() -> list[Reply | BaseException]:
        async with subject(f'vllm/{folder}@offline:engine={{"max_model_len": 60}}') as model:
            asked = [
                replace(each, settings={**model.settings, **each.settings})
                for each in (call("Who?"), call("Why? " * 30), call("No?"))
            ]
            return await asyncio.gather(*map(model.answer, asked), return_exceptions=True)

    short, long, other = asyncio.run(ask())
    assert isinstance(short, Reply)
    assert isinstance(other, Reply)
    assert isinstance(long, CallFailed)
    assert "longer than the maximum" in str(long)


def test_an_adapter_of_the_language_model_is_applied_by_vllm(
    folder: Path, tmp_path: Path, engines: list[vllm_stand_in.LLM]
) -> None:
    def adapted(name: str, target: str) -> Path:
        from snellen.subjects.local.loading import load

        config = peft.LoraConfig(r=20, target_modules=target, init_lora_weights=False)
        peft.get_peft_model(load(folder).model, config).save_pretrained(tmp_path / name)
        return tmp_path / name

    words = adapted("words", r".*text_model.*q_proj")
    assert subject(f"vllm/{folder}@offline:adapter={words}").settings["adapter"]
    replies(f"vllm/{folder}@offline:adapter={words}", CALLS[:1])
    assert (engines[0].enable_lora, engines[0].max_lora_rank) == (True, 32)
    assert engines[0].adapters == [vllm_stand_in.LoRARequest("adapter", 1, str(words))]
    with pytest.raises(UserError, match=r"it trains layers that see .* use local/$"):
        subject(f"vllm/{folder}@offline:adapter={adapted('eyes', r'.*vision_model.*q_proj')}")


def test_who_it_is_differs_from_local_by_the_engine_alone(folder: Path) -> None:
    local, offline = subject(f"local/{folder}:stop=###"), subject(f"vllm/{folder}@offline:stop=###,gpus=2,batch=9")
    assert offline.name == f'vllm/{folder}@offline:stop=["###"]'
    assert dict(offline.settings) == {**local.settings, "vllm": "unknown"}
    assert set(offline.abilities.per_call) == set(local.abilities.per_call)
    assert offline.abilities.batch == 9
    engine = subject(f'vllm/{folder}@offline:engine={{"seed": 1}}')
    assert engine.settings["engine"] == '{"seed": 1}'
    assert "engine" not in engine.abilities.per_call


def test_a_folder_here_is_meant_for_the_engine_and_a_name_for_a_server(folder: Path) -> None:
    assert subject(f"vllm/{folder}").name == f"vllm/{folder}@offline"
    for name in ("vllm/owner/model", "vllm/owner/model@http://localhost:1/v1", f"vllm/{folder}@http://localhost:1/v1"):
        assert isinstance(subject(name), HttpSubject)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ('engine={"dtype": "half"}', "engine: dtype is set by dtype; leave it out"),
        ('engine={"trust_remote_code": true}', "code that comes with a model is never run"),
        ("engine=8", "expected a JSON object of vLLM's engine arguments"),
        ("device=cpu", "unknown setting 'device' of vllm/.*@offline"),
    ],
)
def test_a_wrong_setting_is_one_line(folder: Path, setting: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        subject(f"vllm/{folder}@offline:{setting}")


def test_a_missing_extra_or_folder_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"^vllm/\./nowhere: no such folder"):
        subject("vllm/./nowhere@offline")
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(UserError, match=r"@offline needs vLLM: pip install 'snellen\[vllm\]'"):
        subject(f"vllm/{folder}@offline")


def test_naming_a_model_loads_neither_torch_nor_vllm(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "vllm.py").write_text("raise ImportError")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import snellen; snellen.subject('vllm/{folder}@offline');"
        " assert not {'torch', 'vllm'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
