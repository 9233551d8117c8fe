"""Training: a few steps on every architecture, resumed as if never interrupted, and an adapter that can be examined."""

import json
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.examine.trained import curve
from snellen.item import Form, Question
from snellen.lab.train import recipe
from snellen.lab.train.data import controlled, dataset, digest_of, rows_of
from snellen.lab.train.layers import end_tokens, linear_layers, part_of, picture_tokens
from snellen.lab.train.recipes import read
from snellen.lab.train.run import Trained, train
from snellen.lab.train.trainer import last_checkpoint, shares, trainer
from snellen.lab.trainset import write_trainset
from snellen.lab.trainset.rows import packed
from snellen.subjects.local.loading import load
from snellen.subjects.local.processors import processor_of
from snellen.tasks.fixation.trainsets import of_split
from snellen.tasks.training import of_task
from support.later import later
from support.lengths import few_and_more
from tiny_models import ARCHITECTURES, make

torch = later("torch")
tensors = later("safetensors.torch")
later("trl")
later("peft")


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests that are kept go nowhere near the user's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for architecture in ARCHITECTURES:
        make(architecture, folder / architecture)
    return folder


@pytest.fixture(scope="module")
def d1(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "d1"
    write_trainset(of_split("d1", states=2, held_out=2), folder)
    return folder


def few(method: Any, model: Path, data: Path, **more: Any) -> Any:
    """A recipe that is over in no time."""
    quick = {"batch": 4, "together": 4, "steps": 2, "lr": 1e-2}
    if method == "grpo":
        quick |= {"batch": 2, "generations": 2, "reply_tokens": 3}
    return recipe(method, model=str(model), data=str(data), **{**quick, **more})


@pytest.fixture(scope="module")
def finished(models: Path, d1: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training that is over, for tests that look at what it left; nobody changes it."""
    folder = tmp_path_factory.mktemp("finished") / "out"
    train(few("sft", models / "idefics3", d1), folder)
    return folder


@pytest.fixture
def left(finished: Path, tmp_path: Path) -> Path:
    """The same folder, for whoever goes on in it."""
    return Path(shutil.copytree(finished, tmp_path / "out"))


@few_and_more("architecture", ARCHITECTURES[:1], ARCHITECTURES[1:])
def test_supervised_training_takes_its_steps(architecture: str, models: Path, d1: Path, tmp_path: Path) -> None:
    done = train(few("sft", models / architecture, d1), tmp_path / "out")
    assert done.steps == 2
    assert [line["step"] for line in done.curve] == [1, 2]
    assert moved(done)


@pytest.mark.soak
@few_and_more("architecture", ARCHITECTURES[1:2], (ARCHITECTURES[0], *ARCHITECTURES[2:]))
def test_training_by_reward_takes_its_steps(architecture: str, models: Path, d1: Path, tmp_path: Path) -> None:
    # A random reward, because a model that never got anything right would have nothing to learn from.
    done = train(few("grpo", models / architecture, d1, control="random"), tmp_path / "out")
    assert done.steps == 2
    assert all(0 <= line["reward"] <= 1 and 0 <= line["unread"] <= 1 and "kl" in line for line in done.curve)
    assert moved(done)


@pytest.mark.soak
def test_a_step_by_reward_looks_at_each_picture_once(
    models: Path, d1: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, looked = type(processor_of(models / "idefics3").image_processor), []
    really = kind.preprocess

    def counted(self: Any, images: Any, **how: Any) -> Any:
        looked.append(len(images))
        return really(self, images, **how)

    monkeypatch.setattr(kind, "preprocess", counted)
    train(few("grpo", models / "idefics3", d1, steps=1, generations=3, together=2), tmp_path / "out")
    assert len(looked) == 1
    assert looked[0] <= 2


def moved(done: Trained) -> bool:
    """Whether the adapter adds anything: its second halves begin as zeros."""
    added = tensors.load_file(done.adapter / "adapter_model.safetensors")
    return any(value.abs().sum() > 0 for name, value in added.items() if "lora_B" in name)


@pytest.mark.soak
def test_the_loss_goes_down_and_the_trained_answers_are_given(models: Path, tmp_path: Path) -> None:
    rows = tiny_set(tmp_path / "set")
    done = train(few("sft", models / "idefics3", rows, steps=16, batch=2, lr=0.02), tmp_path / "out")
    first, last = done.curve[0]["loss"], done.curve[-1]["loss"]
    assert last < 0.4 * first  # no lower: sixteen numbers and a norm cannot be surer of a word than that
    for adapter, outcome in (("", False), (tmp_path / "out", True), (tmp_path / "out" / "adapter", True)):
        loaded = load(models / "idefics3", adapter=str(adapter), device="cpu")
        assert (says(loaded, rows) == "X") is outcome


def tiny_set(folder: Path) -> Path:
    """A set in which the answer is always X."""
    made = of_split("d1", states=2, held_out=2)
    only = [s for s in made.train() if s.question.key == "X"] * 4
    write_trainset(replace(made, train=lambda: iter(only), exam=None), folder)
    return folder


def says(loaded: Any, data: Path) -> str:
    """What the model replies to the set's first row, in its own words."""
    row = pl.read_parquet(data / "data" / "train-00000.parquet").row(0, named=True)
    from io import BytesIO

    from PIL import Image

    prompt = loaded.processor.apply_chat_template(row["prompt"], add_generation_prompt=True)
    picture = Image.open(BytesIO(row["images"][0]["bytes"])).convert("RGB")
    inputs = loaded.processor(text=[prompt], images=[[picture]], return_tensors="pt", add_special_tokens=False)
    with torch.no_grad():
        said = loaded.model.generate(**inputs, max_new_tokens=4, do_sample=False)
    return str(loaded.tokenizer.decode(said[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)).strip()


@pytest.mark.soak
@few_and_more("method", ["sft"], ["grpo"])
def test_a_resumed_training_is_the_one_that_was_never_interrupted(
    method: str, models: Path, d1: Path, tmp_path: Path
) -> None:
    how = few(
        method, models / "idefics3", d1, steps=4, save_every=2, **({"control": "random"} if method == "grpo" else {})
    )
    whole = train(how, tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    shutil.rmtree(tmp_path / "cut" / "adapter")
    shutil.rmtree(tmp_path / "cut" / "checkpoints" / "checkpoint-4")
    begun: list[int] = []
    done = train(how, tmp_path / "cut", resume=True, begin=lambda made, rows, step: begun.append(step))
    assert begun == [2]
    assert done.steps == 4
    assert [line["step"] for line in curve(tmp_path / "cut")] == [1, 2, 3, 4]
    for one, other in zip(whole.curve, done.curve, strict=True):
        assert one["loss"] == pytest.approx(other["loss"], abs=1e-5)
    ours, theirs = (tensors.load_file(t.adapter / "adapter_model.safetensors") for t in (whole, done))
    assert all(torch.allclose(ours[name], theirs[name], atol=1e-5) for name in theirs)


@pytest.mark.soak
def test_a_finished_training_that_is_resumed_takes_no_step_more(models: Path, d1: Path, left: Path) -> None:
    before = curve(left)
    shutil.rmtree(left / "adapter")
    after = train(few("sft", models / "idefics3", d1), left, resume=True)
    assert after.steps == 2
    assert list(after.curve) == list(before)
    assert moved(after)


def test_a_checkpoint_that_was_cut_short_is_not_gone_on_from(tmp_path: Path) -> None:
    for step in (8, 16):
        (tmp_path / "checkpoints" / f"checkpoint-{step}").mkdir(parents=True)
    (tmp_path / "checkpoints" / "checkpoint-8" / "trainer_state.json").write_text("{}")
    assert last_checkpoint(tmp_path) == tmp_path / "checkpoints" / "checkpoint-8"


@pytest.mark.soak
@few_and_more("part", ["connector"], ["vision", "language"])
def test_only_the_chosen_part_is_trained(part: str, models: Path, d1: Path, tmp_path: Path) -> None:
    done = train(few("sft", models / "idefics3", d1, parts=(part,), steps=1), tmp_path / "out")
    names = tensors.load_file(done.adapter / "adapter_model.safetensors").keys()
    assert names
    assert {part_of(name) for name in names} == {part}


def test_parts_are_told_apart_in_every_architecture(models: Path) -> None:
    for architecture in ARCHITECTURES:
        layers = linear_layers(load(models / architecture, device="cpu").model)
        assert layers["vision"]
        assert layers["language"]
        assert bool(layers["connector"]) == (architecture != "gemma3"), "Gemma's connector is no linear layer"
        assert not any("lm_head" in name for names in layers.values() for name in names)


def test_picture_tokens_are_never_sampled(models: Path) -> None:
    for architecture in ARCHITECTURES:
        loaded = load(models / architecture, device="cpu")
        barred = picture_tokens(loaded.model, loaded.tokenizer)
        assert loaded.picture_token_id in barred
        assert loaded.tokenizer.eos_token_id not in barred
        assert loaded.tokenizer.convert_tokens_to_ids("X") not in barred


@pytest.mark.soak
def test_shuffled_answers_are_what_the_control_is_trained_on(
    models: Path, d1: Path, finished: Path, tmp_path: Path
) -> None:
    control = train(few("sft", models / "idefics3", d1, steps=1, control="shuffled"), tmp_path / "control")
    assert curve(finished)[0]["loss"] != control.curve[0]["loss"]
    assert read(tmp_path / "control").control == "shuffled"


def test_a_picture_is_decoded_once_however_often_it_is_shown(d1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(d1)
    decoded: list[int] = []
    really = Image.open
    monkeypatch.setattr(Image, "open", lambda *some: (decoded.append(1), really(*some))[1])
    shown = dataset(rows)
    again = [shown[:], shown[:]]
    assert len(decoded) <= len({picture["bytes"] for row in rows for picture in row["images"]})
    monkeypatch.undo()
    for some in again:
        for row, found in zip(rows, some["images"], strict=True):
            expected = [really(BytesIO(each["bytes"])).convert("RGB").tobytes() for each in row["images"]]
            assert [each.tobytes() for each in found] == expected


def test_a_set_is_known_by_what_it_says_and_not_by_how_its_files_were_written(d1: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    shutil.copytree(d1, again)
    for file in again.glob("data/train-*.parquet"):
        pl.read_parquet(file).write_parquet(file, compression="uncompressed")
        assert file.read_bytes() != (d1 / "data" / file.name).read_bytes()
    rows = rows_of(again)
    assert digest_of(rows) == digest_of(rows_of(d1))
    assert digest_of([{**rows[0], "answer": "another"}, *rows[1:]]) != digest_of(rows)


def test_recipes_that_differ_in_nothing_but_the_seed_are_kin(models: Path, d1: Path, finished: Path) -> None:
    one, two, other = (few("sft", models / "idefics3", d1, **more) for more in ({}, {"seed": 1}, {"rank": 4}))
    assert one.kin == two.kin != other.kin
    kept = json.loads((finished / "recipe.json").read_text())
    assert (kept["trained_on"], kept["rank"], kept["seed"], kept["method"]) == ("d1", 8, 0, "sft")
    assert kept["data_digest"]


def test_the_papers_recipe_is_the_default() -> None:
    sft, grpo = (recipe(method, model="m", data="d") for method in ("sft", "grpo"))
    assert (sft.rank, sft.epochs, sft.steps, sft.batch, sft.lr, sft.schedule, sft.warmup) == (
        8, 1.0, None, 128, 1e-4, "cosine", 0.03,
    )  # fmt: skip
    assert (grpo.generations, grpo.beta, grpo.lr, grpo.weight_decay, grpo.steps) == (5, 1e-2, 1e-6, 1e-2, 64)
    assert shares(grpo, 1) == (8, 80)
    assert shares(sft, 4) == (8, 4)
    assert shares(replace(sft, batch=6), 2) == (3, 1)


def test_trl_is_told_the_recipe(models: Path, d1: Path, tmp_path: Path) -> None:
    from snellen.lab.train.model import load as load_model

    how = recipe("grpo", model=str(models / "idefics3"), data=str(d1), batch=16)
    model, processor = load_model(how)
    built = trainer(how, model, processor, dataset(rows_of(d1)), tmp_path / "out")
    args = built.args
    assert built.generation_config.suppress_tokens == picture_tokens(model, processor.tokenizer)
    assert (args.loss_type, args.beta, args.num_generations, args.max_steps) == ("grpo", 0.01, 5, 64)
    assert args.generation_kwargs["suppress_tokens"] == picture_tokens(model, processor.tokenizer)
    assert args.per_device_train_batch_size * args.gradient_accumulation_steps == 16 * 5


@pytest.mark.soak
def test_what_ends_a_training_before_its_time_is_one_line(models: Path, d1: Path, tmp_path: Path) -> None:
    how = few("sft", models / "idefics3", d1, save_every=1)
    ends = {KeyboardInterrupt: "continue from the last checkpoint", torch.OutOfMemoryError: "out of memory"}
    for place, (what, line) in enumerate(ends.items()):

        def stop(progress: Any, what: type[BaseException] = what) -> None:
            raise what

        with pytest.raises(UserError, match=line):
            train(how, tmp_path / "out", tell=stop, resume=place > 0)
        assert not (tmp_path / "out" / "adapter").exists()
    done = train(how, tmp_path / "out", resume=True)  # no checkpoint yet: from the beginning
    assert [line["step"] for line in done.curve] == [1, 2]


# What is wrong is said in one line, before anything long


@pytest.mark.parametrize(
    ("chosen", "line"),
    [
        ({"parts": ("ears",)}, "unknown part 'ears'"),
        ({"control": "placebo"}, "unknown control 'placebo'"),
        ({"control": "random"}, "sft has none"),
        ({"beta": 0.1}, "--beta applies to grpo only"),
        ({"steps": 3, "epochs": 2.0}, "exclude each other"),
        ({"rank": 0}, "--rank 0: expected a whole number from 1"),
        ({"lr": 0.0}, "--lr 0: expected more than 0"),
        ({"steps": 0}, "--steps 0"),
        ({"batch": 0}, "--batch 0"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(chosen: dict[str, Any], line: str) -> None:
    with pytest.raises(UserError, match=line):
        recipe("sft", model="m", data="d", **chosen)


def test_a_batch_that_does_not_go_into_the_devices_is_refused() -> None:
    with pytest.raises(UserError, match="cannot be divided over 3 devices"):
        shares(recipe("sft", model="m", data="d"), 3)


def test_a_folder_that_is_no_training_set_is_refused(models: Path, d1: Path, tmp_path: Path) -> None:
    def refused(folder: Path, line: str) -> None:
        with pytest.raises(UserError, match=line):
            train(few("sft", models / "idefics3", folder), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    refused(tmp_path / "nowhere", "no manifest.json")
    write_trainset(of_split("d1", states=2, held_out=2), tmp_path / "verl", "verl")
    refused(tmp_path / "verl", "its format is 'verl'; training needs --format trl")
    other = tmp_path / "other"
    shutil.copytree(d1, other)
    file = other / "data" / "train-00000.parquet"
    pl.read_parquet(file).rename({"question": "query"}).write_parquet(file)
    refused(other, "column question is missing")
    file.write_bytes(b"PAR1 no")
    refused(other, "not readable as Parquet")
    pl.read_parquet(d1 / "data" / "train-00000.parquet").head(0).write_parquet(file)
    refused(other, "no rows")
    pl.read_parquet(d1 / "data" / "train-00000.parquet").with_columns(question=pl.lit("who?")).write_parquet(file)
    refused(other, "row 1 is not a row of a training set")
    (other / "manifest.json").write_text("[]")
    refused(other, "does not describe a training set")


def test_a_model_that_cannot_be_trained_is_refused(models: Path, d1: Path, tmp_path: Path) -> None:
    def refused(line: str, **more: Any) -> None:
        with pytest.raises(UserError, match=line):
            train(
                few(more.pop("method", "sft"), **{"model": models / "idefics3", "data": d1, **more}), tmp_path / "out"
            )
        assert not (tmp_path / "out").exists()

    refused("no such folder", model=tmp_path / "nowhere")
    refused("unpack it first: `snellen lab unpack tiny -o DIR`", model="tiny")
    refused("unpack it first: `snellen lab unpack tiny -o DIR`", model="local/tiny")
    blind = tmp_path / "blind"
    shutil.copytree(models / "idefics3", blind)
    config = json.loads((blind / "config.json").read_text())
    (blind / "config.json").write_text(json.dumps({**config, "model_type": "llama"}))
    refused("accepts no images", model=blind)
    refused("--part connector: this model has no linear layers there", model=models / "gemma3", parts=("connector",))
    refused("the set has only 16 rows", method="grpo", batch=32)
    if not torch.cuda.is_available():
        refused("--four-bit needs a GPU", four_bit=True)


@pytest.mark.soak
def test_several_pictures_are_trained_on_where_trl_can(models: Path, tmp_path: Path) -> None:
    write_trainset(of_task("winoground", design="quick", n=2, held_out=0), tmp_path / "set")
    assert train(few("sft", models / "idefics3", tmp_path / "set", steps=1), tmp_path / "out").steps == 1
    with pytest.raises(UserError, match="only on rows of one picture"):
        train(few("grpo", models / "llava_onevision", tmp_path / "set"), tmp_path / "other")


def test_folders_of_others_are_left_alone(models: Path, d1: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UserError, match="exists and is not empty"):
        train(few("sft", models / "idefics3", d1), tmp_path)
    with pytest.raises(UserError, match=r"has no recipe\.json"):
        train(few("sft", models / "idefics3", d1), tmp_path, resume=True)
    (tmp_path / "recipe.json").write_text("{}")
    with pytest.raises(UserError, match="not a recipe"):
        train(few("sft", models / "idefics3", d1), tmp_path, resume=True)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def another(folder: Path) -> None:
    """Other weights of the same shape in the place of these."""
    values = tensors.load_file(folder / "model.safetensors")
    name = sorted(values)[0]
    tensors.save_file({**values, name: values[name] + 1}, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.soak
def test_a_model_that_was_replaced_is_noticed(models: Path, d1: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(models / "idefics3", tmp_path / "model"))
    how = few("sft", own, d1, steps=1)
    train(how, tmp_path / "out")
    before = read(tmp_path / "out")
    load(models / "idefics3", adapter=tmp_path / "out", device="cpu")  # the same weights in another place will do
    settings = json.loads((own / "config.json").read_text())
    (own / "config.json").write_text(json.dumps({**settings, "transformers_version": "5.0.1"}))
    load(own, adapter=tmp_path / "out", device="cpu")  # and so will those that another version wrote
    another(own)
    with pytest.raises(UserError, match=f"base_digest was '{before.base_digest}' and is"):
        train(how, tmp_path / "out", resume=True)
    for adapter in (tmp_path / "out", tmp_path / "out" / "adapter"):
        with pytest.raises(UserError, match=f"trained on another model .{before.base_digest}."):
            load(own, adapter=adapter, device="cpu")
    shutil.copytree(tmp_path / "out" / "adapter", tmp_path / "alone")
    load(own, adapter=tmp_path / "alone", device="cpu")  # without its recipe nobody can tell


def test_a_control_that_controls_nothing_is_refused() -> None:
    how = recipe("sft", model="m", data="d", control="shuffled")
    row = {"answer": "4", "completion": "4", "question": packed(Question("", Form("text"), "4"))}
    pairs = [
        {"answer": key, "completion": key, "question": packed(Question("", Form("number"), key))} for key in ("1", "2")
    ]
    with pytest.raises(UserError, match="--control shuffled: 3 of 5 rows"):
        controlled([row, row, row, *pairs], how)
    with pytest.warns(
        UserWarning, match="1 of 3 rows have no other row with the same answer format and a different answer"
    ):
        controlled([row, *pairs], how)


def test_what_the_reward_is_told_ends_a_reply(models: Path, d1: Path, tmp_path: Path) -> None:
    from snellen.lab.train.model import load as load_model

    how = few("grpo", models / "idefics3", d1)
    model, processor = load_model(how)
    model.generation_config.eos_token_id = [5, 6]
    assert end_tokens(model, processor.tokenizer) == {5, 6, processor.tokenizer.eos_token_id}
    built = trainer(how, model, processor, dataset(rows_of(d1)), tmp_path / "out")
    [points] = built.reward_funcs
    question = packed(Question("", Form("choice", ("X", "O"), asked="winner"), "O"))
    assert points(["O wins because"] * 2, [question] * 2, completion_ids=[[7], [7, 6]]) == [0.0, 1.0]


def test_a_training_is_resumed_with_its_own_settings_only(models: Path, d1: Path, left: Path) -> None:
    with pytest.raises(UserError, match="rank was 8, now 4"):
        train(few("sft", models / "idefics3", d1, rank=4), left, resume=True)
