"""Stock architectures answer as transformers' own `generate` does, and what does not is found out when it is opened."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from local_calls import CALLS, GREEN, RED, call

from snellen.call import CallFailed
from snellen.errors import UserError
from snellen.subjects.local import dtypes
from snellen.subjects.local.loading import load
from snellen.subjects.local.processing import ProcessingHere
from snellen.subjects.local.prompts import PromptMaker
from snellen.subjects.local.subject import local_subject
from stock_answers import SHAPES, compared
from stock_models import STOCK, make_stock
from support.later import later

torch = later("torch")
later("transformers")
later("torchvision")

QUICK = ("Florence-2", "Janus", "Llama 4")
"""One with an encoder, whose batch differs; one with a `generate` of its own; one with torchvision's processor only."""
PAGE = Path(__file__).parents[3] / "docs" / "guides" / "models.md"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else (pytest.mark.soak,)) for name in STOCK]
)
def test_every_kind_of_call_is_answered_as_by_transformers(name: str, tmp_path: Path) -> None:
    stock = STOCK[name]
    if stock.needs and find_spec(stock.needs) is None:
        with pytest.raises(ImportError, match=f"pip install {stock.needs}"):
            make_stock(stock, tmp_path)
        return
    answers, batches = compared(stock, tmp_path)
    refused = {kind for kind, answer in answers.items() if answer.startswith("refused: ")}
    assert refused == set(stock.refused)
    assert {kind: answer for kind, answer in answers.items() if answer and kind not in refused} == {}
    assert batches == (not stock.batch)


def test_the_page_has_every_architecture_and_every_kind_of_call() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for stock in STOCK.values():
        assert f"| {stock.name} (`{stock.model_type}`) |" in page
    assert f"| {' | '.join(['', *SHAPES, 'batches'])} |" in page


def test_a_processor_that_drops_pictures_is_not_asked_with_several(tmp_path: Path) -> None:
    prompts = PromptMaker(ProcessingHere(load(make_stock(STOCK["BLIP-2"], tmp_path))))
    assert prompts.of(call(RED, "Who won?")).tokens_picture == 4
    with pytest.raises(CallFailed, match="takes one picture a call; here are 2"):
        prompts.of(call(RED, GREEN, "Who won?"))


# The check when a model is opened


async def batch_of(folder: Path, **settings: str) -> int:
    """How many calls at once the model is asked in the end."""
    async with local_subject(str(folder), [("max_tokens", "4"), ("device", "cpu"), *settings.items()]) as subject:
        await subject.answer(CALLS[0])
        return subject._model._batch  # type: ignore[union-attr]


async def test_a_model_whose_batch_differs_is_asked_one_call_at_a_time_and_says_so(tmp_path: Path) -> None:
    folder = make_stock(STOCK["Florence-2"], tmp_path)
    with pytest.warns(UserWarning, match="Florence2ForConditionalGeneration answers a batch unlike single calls"):
        assert await batch_of(folder) == 1


async def test_a_model_whose_batch_does_not_differ_is_asked_in_batches(
    folder_of: Callable[[str], Path], recwarn: pytest.WarningsRecorder
) -> None:
    assert await batch_of(folder_of("idefics3")) > 1
    assert not recwarn.list


async def test_nothing_is_checked_where_calls_are_single_anyway(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snellen.subjects.local.model.answers_alike", None)  # would fail if called
    assert await batch_of(folder_of("idefics3"), batch="1") == 1


# Numbers


@pytest.fixture
def half(folder_of: Callable[[str], Path], tmp_path: Path) -> Path:
    """A model saved in bfloat16."""
    loaded = load(folder_of("idefics3"), dtype="bfloat16", device="cpu")
    for part in (loaded.model, loaded.processor):
        part.save_pretrained(tmp_path)
    return tmp_path


def recorded(folder: Path, **settings: str) -> Any:
    told: Mapping[str, Any] = local_subject(str(folder), [("device", "cpu"), *settings.items()]).settings
    return told["dtype"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"avx512f", "avx512_vnni"}, "float32"),
        ({"avx512f", "avx512_fp16"}, "float32"),
        ({"avx512_bf16"}, "bfloat16"),
        ({"amx_bf16"}, "bfloat16"),
        ({"asimd", "bf16"}, "bfloat16"),
        (set(), "bfloat16"),  # a system that does not say
    ],
)
def test_a_cpu_without_instructions_for_the_saved_numbers_computes_in_float32(
    flags: set[str], expected: str, half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dtypes, "cpu_flags", lambda: frozenset(flags))
    assert recorded(half) == expected
    assert str(load(half, device="cpu").model.dtype) == f"torch.{expected}"


def test_numbers_that_are_asked_for_and_those_of_a_gpu_are_left(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dtypes, "cpu_flags", lambda: frozenset({"avx2"}))
    assert recorded(half, dtype="bfloat16") == "bfloat16"
    assert dtypes.computed_dtype(half, "auto", "cuda:0") == "bfloat16"
    assert dtypes.computed_dtype(half, "auto", "cpu") == "float32"


@pytest.mark.parametrize("line", ["flags\t\t: fpu amx_bf16 avx", "Features\t: fp asimd bf16"])
def test_the_flags_are_read_as_linux_writes_them(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\n{line}\n\nprocessor\t: 1\n{line}\n")
    monkeypatch.setattr(dtypes, "_CPUINFO", tmp_path / "cpuinfo")
    assert dtypes.cpu_flags.__wrapped__() == frozenset(line.partition(": ")[2].split())
    monkeypatch.setattr(dtypes, "_CPUINFO", tmp_path / "nothing")
    assert dtypes.cpu_flags.__wrapped__() == frozenset()


def test_a_missing_package_of_a_model_is_one_line(
    folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object, **__: object) -> None:
        raise ImportError("\nTimmWrapperModel requires the timm library but it was not found in your environment.")

    monkeypatch.setattr("transformers.AutoModelForImageTextToText.from_pretrained", absent)
    with pytest.raises(UserError) as problem:
        load(folder_of("idefics3"))
    assert str(problem.value) == f"{folder_of('idefics3')}: TimmWrapperModel needs timm: pip install timm"
