"""`local/...` as a subject: named, told apart, and examined."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from local_calls import CALLS, RED, call

import snellen
import tiny_models
from snellen.call import Reply
from snellen.cli import cli
from snellen.engine import Engine
from snellen.errors import UserError
from snellen.subjects import subject
from snellen.subjects.hosted import Hosted, Making
from snellen.subjects.local.model import LANES, LoadedWeights, LocalModel, Placement
from snellen.subjects.local.prompts import Prompt
from snellen.subjects.local.running import Runner
from snellen.subjects.local.subject import BATCH_ON_GPU
from support.later import later
from support.lengths import some_of

torch = later("torch")
later("transformers")
peft = later("peft")

FEW: dict[str, Any] = {"tasks": "fixation", "n": 1, "levels": {"game": ("tictactoe",)}}


@pytest.fixture
def copy(folder_of: Callable[[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder_of("idefics3"), tmp_path / "model"))


# Names and settings


def test_a_name_says_what_matters(copy: Path) -> None:
    named = subject(f"local/{copy}:max_tokens=9,batch=4,device=cpu,temperature=0")
    assert named.name == f"local/{copy}:max_tokens=9"
    assert named.settings["max_tokens"] == 9
    assert "device" not in named.settings
    assert set(named.abilities.per_call) >= {"max_tokens", "temperature", "score"}
    assert "dtype" not in named.abilities.per_call


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("dtype=int3", "expected one of auto"),
        ("batch=0", "expected a whole number from 1"),
        ("score=maybe", "score='maybe'"),
        ("speed=9", "unknown setting"),
        ("adapter=nowhere", "no adapter_config.json"),
    ],
)
def test_a_wrong_setting_is_one_line(copy: Path, written: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        subject(f"local/{copy}:{written}")


def test_a_missing_extra_is_one_line(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UserError, match=r"^local models need torch and transformers: pip install 'snellen\[local\]'$"):
        subject(f"local/{copy}")


def test_naming_a_model_loads_no_torch(copy: Path) -> None:
    code = f"import snellen, sys; snellen.subject('local/{copy}'); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# Who it is


def test_the_fingerprint_says_how_a_model_sees_and_computes(copy: Path) -> None:
    known = subject(f"local/{copy}").settings
    assert known["architecture"] == "Idefics3ForConditionalGeneration"
    assert known["dtype"] == "float32"
    assert known["torch"] == torch.__version__.partition("+")[0]
    assert known["processor"]["size"]["size"] == {"longest_edge": 32}
    assert known["processor"]["picture_tokens"] == {"image_seq_len": 4}
    json.dumps(dict(known))


def test_other_weights_are_another_model(copy: Path, tmp_path: Path) -> None:
    first = subject(f"local/{copy}").settings
    again = subject(f"local/{shutil.copytree(copy, tmp_path / 'again')}").settings
    assert first == again
    tiny_models.make("idefics3", copy, seed=1)
    other = subject(f"local/{copy}").settings
    assert {name for name in first if first[name] != other[name]} == {"weights"}


def test_another_adapter_is_another_model(copy: Path, tmp_path: Path) -> None:
    from snellen.subjects.local.loading import load

    def adapted(seed: int) -> str:
        torch.manual_seed(seed)
        config = peft.LoraConfig(r=2, target_modules=["q_proj"], init_lora_weights=False)
        peft.get_peft_model(load(copy).model, config).save_pretrained(tmp_path / str(seed))
        return f"local/{copy}:adapter={tmp_path / str(seed)}"

    plain = subject(f"local/{copy}").settings
    one, other = (subject(adapted(seed)).settings for seed in (1, 2))
    assert "adapter" not in plain
    assert one["weights"] == other["weights"] == plain["weights"]
    assert one["adapter"] != other["adapter"]


def test_how_it_sees_and_computes_is_part_of_who_it_is(copy: Path) -> None:
    plain = subject(f"local/{copy}").settings
    assert subject(f"local/{copy}:dtype=bfloat16").settings["dtype"] == "bfloat16"
    file = copy / "preprocessor_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "resample": 3}))
    assert subject(f"local/{copy}").settings["processor"] != plain["processor"]


@pytest.mark.parametrize(
    "name", ["chat_template.json", "generation_config.json", "merges.txt", "tokenizer.model", "added_tokens.json"]
)
def test_every_small_file_is_part_of_who_it_is(copy: Path, name: str) -> None:
    plain = subject(f"local/{copy}").settings
    (copy / name).write_text("{ }")
    assert subject(f"local/{copy}").settings["weights"] != plain["weights"]


def test_a_processor_that_cuts_pictures_up_says_so(copy: Path) -> None:
    file = copy / "preprocessor_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "do_pan_and_scan": True, "crop_size": 9}))
    sees = subject(f"local/{copy}").settings["processor"]
    assert sees["splitting"]["do_pan_and_scan"] is True
    assert sees["size"]["crop_size"] == 9


@pytest.mark.parametrize("inner", [{}, {"dtype": "float16"}])
def test_a_config_that_names_no_dtype_leaves_it_to_the_weights(
    copy: Path, inner: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from snellen.subjects.local.loading import load

    monkeypatch.setattr("snellen.subjects.local.dtypes.cpu_flags", lambda: frozenset({"avx512_bf16"}))
    load(copy, dtype="bfloat16").model.save_pretrained(copy)
    file = copy / "config.json"
    said = json.loads(file.read_text(), object_hook=lambda part: {k: part[k] for k in part if k != "dtype"})
    said["text_config"] |= inner  # which nobody asks
    file.write_text(json.dumps(said))
    assert subject(f"local/{copy}").settings["dtype"] == "bfloat16"
    assert load(copy).model.dtype == torch.bfloat16


def test_a_digest_is_taken_once(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = subject(f"local/{copy}").settings
    monkeypatch.setattr("snellen.subjects.local.fingerprint.file_digest", lambda *_: pytest.fail("read again"))
    assert subject(f"local/{copy}").settings == first


# Answers


async def test_it_answers_as_a_subject(folder_of: Callable[[str], Path]) -> None:
    import asyncio

    who = subject(f"local/{folder_of('idefics3')}:max_tokens=6,batch=4")
    async with who:
        together = await asyncio.gather(*(who.answer(each) for each in CALLS))
        alone = [await who.answer(each) for each in CALLS]
        [weighed] = await asyncio.gather(who.answer(call(RED, "Who?", labels=("X", "O"))))
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert {reply.model for reply in together} == {"idefics3"}
    assert weighed.text in ("X", "O")


@pytest.mark.soak
async def test_a_process_of_its_own_answers_as_this_one_does(folder_of: Callable[[str], Path]) -> None:
    """As on a GPU."""
    import asyncio

    name = f"local/{folder_of('idefics3')}:max_tokens=6,batch=4"
    own, apart = subject(name), subject(f"{name},processes=1")
    assert own.settings == apart.settings
    assert own.name == apart.name
    async with own, apart:
        here, there = [await asyncio.gather(*(who.answer(each) for each in CALLS)) for who in (own, apart)]
    assert here == there


@pytest.mark.parametrize(
    ("many", "places"),
    [("dtype=auto", ["cuda:0", "cuda:1"]), ("processes=2", ["cuda:0", "cuda:0", "cuda:1", "cuda:1"])],
)
async def test_each_gpu_has_processes_of_its_own(
    copy: Path, monkeypatch: pytest.MonkeyPatch, many: str, places: list[str]
) -> None:
    started: list[Placement] = []

    class Started(Hosted):
        def __init__(self, name: str, makings: Sequence[Making]) -> None:
            started.extend(making.arguments[2] for making in makings)
            super().__init__(name, [])

    monkeypatch.setattr("snellen.subjects.local.subject.devices", lambda _: ("cuda:0", "cuda:1"))
    monkeypatch.setattr("snellen.subjects.local.subject.Hosted", Started)
    async with subject(f"local/{copy}:{many}") as who:
        assert [place.device for place in started] == places
        assert {place.batch for place in started} == {who.abilities.batch} == {BATCH_ON_GPU}
        assert who.abilities.together == 2 * BATCH_ON_GPU * LANES * len(places)


@some_of("able", [True, False], 2, ids=["answers", "fails"])
async def test_a_model_on_a_gpu_is_warmed_up_before_it_is_asked(
    copy: Path, monkeypatch: pytest.MonkeyPatch, able: bool
) -> None:
    """The CPU stands for a GPU. Who fails at that is asked nevertheless."""
    warmed: list[int] = []
    answer = Runner.answer

    def warm(runner: Runner, prompts: Sequence[Prompt]) -> list[Reply]:
        warmed.append(len(prompts))
        if not able:
            raise RuntimeError("not this")
        return answer(runner, prompts)

    monkeypatch.setattr("snellen.subjects.local.model.is_gpu", lambda _: True)
    monkeypatch.setattr("snellen.subjects.local.model.answers_alike", lambda *_: True)
    monkeypatch.setattr(Runner, "answer", warm)
    model = LocalModel("local", LoadedWeights(copy, None, "auto"), Placement("cpu", 4, 10_000))
    assert model.open() == LANES
    assert warmed == [4] * (LANES if able else 1), "no more at once than it is to be given"
    monkeypatch.setattr(Runner, "answer", answer)
    async with model:
        assert (await model.answer(CALLS[0])).tokens_out


def test_an_exam_of_a_model_that_says_nonsense_ends(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    who = f"local/{folder_of('idefics3')}:max_tokens=4"
    exam = snellen.exam(who, store=tmp_path / "s.sqlite", **FEW)
    rows = exam.rows
    assert rows.height > 10
    assert (rows["outcome"] == "unread").mean() > 0.5
    assert not (rows["reason"] == "error").any()


def test_as_many_calls_are_under_way_as_two_batches_take(copy: Path, tmp_path: Path) -> None:
    seen: list[int] = []

    class Watched(Engine):
        def __init__(self, store: Any, *, concurrency: int, **rest: Any) -> None:
            seen.append(concurrency)
            super().__init__(store, concurrency=concurrency, **rest)

    who = f"local/{copy}:max_tokens=1,batch=100"
    with patch("snellen.examine.run.Engine", Watched):
        snellen.exam(who, store=tmp_path / "a.sqlite", **FEW)
        snellen.exam("sim/ideal", store=tmp_path / "b.sqlite", **FEW)
        snellen.exam("sim/ideal", store=tmp_path / "c.sqlite", concurrency=3, **FEW)
    assert seen == [200, 64, 3]


def test_a_model_that_cannot_be_asked_stops_the_exam_with_one_line(copy: Path, tmp_path: Path) -> None:
    for name in ("chat_template.jinja", "tokenizer_config.json"):
        file = copy / name
        if name.endswith(".json"):
            said = json.loads(file.read_text())
            file.write_text(json.dumps({key: value for key, value in said.items() if key != "chat_template"}))
        elif file.is_file():
            file.unlink()
    with pytest.raises(UserError, match="no chat template"):
        snellen.exam(f"local/{copy}", store=tmp_path / "s.sqlite", **FEW)
    assert not (tmp_path / "s.sqlite").exists()


def test_weighed_labels_are_all_read_and_have_a_confidence(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    who = f"local/{folder_of('qwen2_5_vl')}:max_tokens=4,score=true"
    rows = snellen.exam(who, store=tmp_path / "s.sqlite", **FEW).rows
    direct = rows.filter(rows["paradigm"] == "direct", rows["response"] == "direct")
    assert direct.height > 0
    assert set(direct["outcome"]) <= {"right", "wrong"}
    assert direct["confidence"].null_count() == 0


def test_the_command_line_examines_a_local_model(folder_of: Callable[[str], Path], tmp_path: Path) -> None:
    where = folder_of("gemma3")
    words = ["exam", f"local/{where}:max_tokens=3", "--tasks", "fixation", "--n", "1", "--set", "game=tictactoe"]
    words += ["--store", str(tmp_path / "s.sqlite"), "--out", str(tmp_path / "report")]
    held = CliRunner().invoke(cli, words)
    assert held.exit_code == 0, held.output
    assert (tmp_path / "report" / "index.html").is_file()
    again = CliRunner().invoke(cli, ["exam", "local/nowhere/at/all", "--n", "1"])
    assert isinstance(again.exception, UserError)
    assert "no such folder" in str(again.exception)
