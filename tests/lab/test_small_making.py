"""Making *small*: stages that go on where they stopped, marks by kind, deltas that unpack into a stock folder."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from snellen.errors import UserError
from snellen.lab.pretrain import boards as boards_module
from snellen.lab.pretrain.recipe import RECIPES
from snellen.lab.pretrain.small import deltas, loop, making, replay, teaching
from snellen.lab.pretrain.small.batches import batch
from snellen.lab.pretrain.small.language import language_model
from snellen.lab.pretrain.small.recipe import SMALL, Eye
from snellen.lab.pretrain.small.speech import Speech
from snellen.lab.pretrain.small.stream import Steps, stream
from support.commands import fails, snellen
from support.dwarf import write_dwarf

DWARF = replace(
    SMALL,
    build=Eye(width=64, heads=1, layers=1, rank=2),
    stages=tuple(replace(stage, steps=2) for stage in SMALL.stages),
    rows=3,
    long_rows=1,
    pictures=4,
    held_out=1,
    replies=4,
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
