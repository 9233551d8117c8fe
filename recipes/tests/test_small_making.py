"""Making *small*: stages that go on where they stopped, marks by kind, deltas that unpack into a stock folder."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from recipes.small import deltas, loop, replay, teaching
from recipes.small.batches import batch
from recipes.small.eye import Eye
from recipes.small.language import language_model
from recipes.small.recipe import SMALL
from recipes.small.speech import Speech
from recipes.small.stream import Steps, stream
from recipes.small.watching import Sitting
from recipes.tiny import boards as boards_module
from recipes.tiny.recipe import RECIPES
from support.commands import fails
from support.dwarf import write_dwarf
from support.recipes import recipe
from support.stopping import stops_at

DWARF = replace(
    SMALL,
    build=Eye(width=64, heads=1, layers=1, rank=2),
    stages=tuple(replace(stage, steps=2 if stage.name == "lifelike" else 1) for stage in SMALL.stages),
    rows=3,
    long_rows=1,
    pictures=4,
    held_out=1,
    replies=10,
)


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few boards are held out, little is watched and said, so that it takes no time."""
    torch.set_num_threads(1)
    boards_module._held_out.cache_clear()
    monkeypatch.setattr(boards_module, "_STATES", 2)
    monkeypatch.setattr(replay, "_LONGEST", 4)
    monkeypatch.setitem(RECIPES, "small", DWARF)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dwarf language model that knows the words of the lessons."""
    folder = tmp_path_factory.mktemp("world")
    made = teaching.lessons(folder)
    shares = {name: share for name, share in SMALL.stages[-1].shares.items() if name != "watched"}
    sheets = [made.sheet(shares, 3, 0, place) for place in range(12)]
    texts = [part for sheet in sheets for said in sheet.said for part in (*said.parts, said.answer)]
    write_dwarf(folder / "dwarf.gguf", [text for text in texts if isinstance(text, str)], 1000)
    return folder


WINOGROUND = Sitting("winoground", "winoground", "quick", ("direct", "words"), 1, 1)


@pytest.fixture(autouse=True)
def one_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    really = teaching.watch
    monkeypatch.setattr(teaching, "watch", lambda folder, workers, tell: really(folder, 0, tell, (WINOGROUND,)))


def made(world: Path, folder: str, *options: object) -> Any:
    more = ("--workers", 0, "--language-model", "dwarf.gguf", *options)
    return recipe("make", "small", "-o", folder, *more, cwd=world)


@pytest.mark.soak
def test_small_is_made_kept_and_taken_up_again(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "EVERY", 0.0)
    whole = made(world, "whole")
    assert whole.returncode == 0, whole.stderr
    said = [json.loads(line) for line in (world / "whole" / "log.jsonl").read_text().splitlines()]
    names = [stage.name for stage in DWARF.stages]
    assert [line["stage"] for line in said if "files" in line] == names
    assert [line["stage"] for line in said if "marks" in line] == names[1:]
    assert all(line["english"] > 0 for line in said if "marks" in line)

    with monkeypatch.context() as broken:
        broken.setattr(loop, "losses", stops_at(4, loop.losses))  # type: ignore[attr-defined]
        assert made(world, "parts").returncode != 0
    again = made(world, "parts")
    assert again.returncode == 0, again.stderr
    for name in names:
        one, other = (deltas.read(sorted((world / where).glob(f"{name}-*"))) for where in ("parts", "whole"))
        assert one.keys() == other.keys()
        assert all(torch.equal(one[each], other[each]) for each in one), name
    fails(made(world, "whole", "--seed", 9), "another recipe or seed")

    ran = recipe("unpack", "whole/fixated", "--language-model", "dwarf.gguf", "-o", "stock", cwd=world)
    assert ran.returncode == 0, ran.stderr
    fails(recipe("unpack", "-o", "other", cwd=world), "STAGE")
    fails(recipe("unpack", "whole/healed", "-o", "other", cwd=world), "name a stage")
    began = [part for path in sorted((world / "whole").glob("fixated-*")) for part in ("--from", path)]
    cured = made(world, "cured", *began, "--at", "cured")
    assert cured.returncode == 0, cured.stderr
    lines = [json.loads(line) for line in (world / "cured" / "log.jsonl").read_text().splitlines()]
    assert {line["stage"] for line in lines if "stage" in line} == {"cured"}
    fails(made(world, "none", "--at", "cured"), "--from")
    fails(made(world, "none", *began, "--at", "healed"), "no such stage")
    fails(made(world, "none", *began), "say with --at")
    fails(made(world, "none", *began, "--at", "fixated"), "which has that stage behind it")
    fails(made(world, "none", "--seed", 991), "never learnt")
    fails(made(world, "whole", *began, "--at", "cured"), "was begun already")
    fails(made(world, "none", *began, *began, "--at", "cured"), "name each file of one stage once")
    assert not (world / "none").exists()


@pytest.mark.soak
def test_several_seeds_are_made_one_after_another_and_none_of_them_twice(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def files(seed: int) -> set[str]:
        return {path.name for path in (world / "seeds" / f"seed{seed}").glob("*-of-*.safetensors")}

    with monkeypatch.context() as broken:
        broken.setattr(loop, "losses", stops_at(DWARF.steps + 1, loop.losses))  # type: ignore[attr-defined]
        assert made(world, "seeds", "--seeds", "1,2").returncode != 0
    assert files(1) > files(2)
    log = (world / "seeds" / "seed1" / "log.jsonl").read_bytes()
    again = made(world, "seeds", "--seeds", "1,2")
    assert again.returncode == 0, again.stderr
    assert f"{Path('seeds/seed1')}: finished before" in again.stdout
    assert (world / "seeds" / "seed1" / "log.jsonl").read_bytes() == log
    assert files(1) == files(2)
    one, other = (deltas.read(sorted((world / "seeds" / f"seed{seed}").glob("cured-*"))) for seed in (1, 2))
    assert not torch.equal(one["A.0"], other["A.0"])


def test_seeds_that_are_none(world: Path) -> None:
    fails(made(world, "none", "--seeds", "1,x"), "--seeds 1,x", "1,2,3")
    fails(made(world, "none", "--seeds", "1,991"), "991", "never learnt")
    assert not (world / "none").exists()


def test_a_batch_has_the_same_shape_whatever_is_on_it(world: Path) -> None:
    teaching.watch(world / "shapes", 0, lambda line: None)
    speech = Speech(language_model(world / "dwarf.gguf"), DWARF.build.picture_tokens)
    lessons = teaching.lessons(world / "shapes")
    fixated = DWARF.stages[3]
    for step in range(4):
        made = batch(DWARF, fixated, lessons, speech, 1, step)
        assert made.pictures.shape == (7, 256, 256, 3)
        assert [rows.tokens.shape for rows in made.rows] == [(3, 448), (1, 768)]
        assert any(kind.startswith("watched") for kind in made.rows[1].kinds)
        assert not any("inverse" in kind for rows in made.rows for kind in rows.kinds)
        for rows in made.rows:
            assert (rows.tokens.flatten()[rows.shown_at] == speech.picture[2]).all()
            assert rows.whose.unique().tolist() == list(range(len(rows.kinds)))
    assert not batch(DWARF, DWARF.stages[0], lessons, speech, 1, 0).rows


@pytest.mark.soak  # a process of its own takes long to begin
def test_other_processes_draw_the_same_batches_in_order(world: Path) -> None:
    speech = Speech(language_model(world / "dwarf.gguf"), DWARF.build.picture_tokens)
    stages = tuple(replace(stage, shares={"scenes": 1.0, "see": 1.0}) for stage in DWARF.stages)
    steps = Steps(replace(DWARF, stages=stages), teaching.lessons(world), speech)
    drawn = list(stream(steps, [0, 1, 2, 3], workers=1, pinned=False))
    for step, one in enumerate(drawn):
        other = steps[step]
        assert (one.pictures == other.pictures).all()
        assert [rows.kinds for rows in one.rows] == [rows.kinds for rows in other.rows]
        assert all((a.tokens == b.tokens).all() for a, b in zip(one.rows, other.rows, strict=True))


def test_a_stage_warms_up_and_falls() -> None:
    stage = replace(SMALL.stages[3], steps=1000, rate=1.0, rate_after=0.1, falls=0.5, warm_up=100)
    rates = [stage.rate_at(step) for step in range(1000)]
    assert rates[0] == pytest.approx(0.01)
    assert rates[100:500] == [1.0] * 400
    assert rates[750] == pytest.approx(0.55)
    assert rates[-1] == pytest.approx(0.1, abs=0.01)
