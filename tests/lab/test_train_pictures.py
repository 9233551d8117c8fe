"""Pictures made ready once a step: the same numbers as ever, and fewer looks."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.lab.train.pictures import once
from snellen.subjects.local.processors import processor_of
from snellen.subjects.local.prompting import DIGEST
from support.later import later
from support.lengths import some_of
from tiny_models import EACH, make

torch = later("torch")

SIDES = {False: (40, 40, 40), True: (40, 64, 40)}


def pictures(odd: bool) -> list[Image.Image]:
    dice = np.random.default_rng(3)
    return [Image.fromarray(dice.integers(0, 255, (side, 40, 3), dtype=np.uint8)) for side in SIDES[odd]]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return one.dtype == other.dtype and torch.equal(one, other)
    return np.array_equal(np.asarray(one), np.asarray(other))


@some_of("odd", [False, True], 4)
@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("architecture", EACH)
def test_repeated_pictures_come_out_as_ever(architecture: str, nested: bool, odd: bool, tmp_path: Path) -> None:
    processor = processor_of(make(architecture, tmp_path / "model")).image_processor
    a, b, c = pictures(odd)
    shown: list[Any] = [a, a, b, a.copy(), c, b]
    given = [[one] for one in shown] if nested else shown
    expected = processor(given, return_tensors="pt")
    once(processor)
    for _ in range(2):  # the second time from memory
        found = processor(given, return_tensors="pt")
        assert found.keys() == expected.keys()
        assert all(same(found[name], expected[name]) for name in expected)
    other = processor([[c], [b]] if nested else [c, b], return_tensors="pt")
    assert not same(other["pixel_values"], expected["pixel_values"])


def test_a_row_that_is_shown_again_is_not_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    processor = processor_of(make("idefics3", tmp_path / "model")).image_processor
    kind, looked = type(processor), []
    really = kind.preprocess
    monkeypatch.setattr(
        kind, "preprocess", lambda self, images, **how: looked.append(len(images)) or really(self, images, **how)
    )
    once(processor)
    a, b, _ = pictures(False)
    for how in ({}, {"return_tensors": "pt"}):  # as TRL asks for them
        processor([[a]] * 5 + [[b]] * 5, **how)
    assert looked == [2]


def test_a_picture_that_carries_its_digest_is_known_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    processor = processor_of(make("idefics3", tmp_path / "model")).image_processor
    once(processor)
    a, b, _ = pictures(False)
    for picture, digest in ((a, "a"), (b, "b")):
        picture.info[DIGEST] = digest
    expected = processor([[a], [b], [deepcopy(a)]], return_tensors="pt")["pixel_values"]
    assert torch.equal(expected[0], expected[2])
    assert not torch.equal(expected[0], expected[1])
    monkeypatch.setattr("snellen.lab.train.pictures.sha256", None)  # no pixel is read again
    assert torch.equal(processor([[b], [a]], return_tensors="pt")["pixel_values"], expected[[1, 0]])


def test_a_processor_is_saved_as_it_was(tmp_path: Path) -> None:
    processor = processor_of(make("idefics3", tmp_path / "model"))
    before = processor.image_processor.to_dict()
    once(processor.image_processor)
    assert processor.image_processor.to_dict() == before
    processor.save_pretrained(tmp_path / "again")
    assert processor_of(tmp_path / "again").image_processor.to_dict() == before
