"""Places of tokens are counted off the GPU, once for each kind of row, and are what the model itself counts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.subjects.local.loading import load
from snellen.subjects.local.places import by_rows, count_elsewhere, counting
from support.later import later

torch = later("torch")
later("transformers")

SIZES = ((4, 6), (8, 8), (2, 4))
ROW = st.lists(st.one_of(st.integers(1, 9), st.sampled_from(SIZES)), min_size=1, max_size=5)
"""A row: so many words, or a picture of that size, one after another."""


def test_places_are_counted_elsewhere_and_brought_home() -> None:
    """`meta` stands for a GPU: tensors go there, and nothing can be asked of them."""
    told: dict[str, Any] = {}

    def count(ids: Any, **named: Any) -> tuple[Any, Any]:
        told.update(named, ids=ids)
        return torch.arange(3), None

    numbers, floats = torch.ones(2, dtype=torch.long), torch.ones(2)
    places, nothing = counting(count, "meta", "cpu")(numbers, mask=numbers, pixels=floats, cached=True)
    assert [told[name].device.type for name in ("ids", "mask", "pixels")] == ["meta", "meta", "cpu"]
    assert told["cached"] is True
    assert places.tolist() == [0, 1, 2]
    assert nothing is None
    assert counting(count, "cpu", "meta")(numbers)[0].device.type == "meta"


def batch(rows: list[list[Any]], merge: int) -> dict[str, Any]:
    """The rows as a model is told of them, padded on the left. Between pictures there are words, as in real prompts."""
    kinds: list[list[int]] = []
    sizes: list[list[int]] = []
    for row in rows:
        own: list[int] = []
        for part in row:
            if isinstance(part, int):
                own += [0] * part
                continue
            own += [0, *[1] * (part[0] * part[1] // merge**2), 0]
            sizes.append([1, *part])
        kinds.append(own)
    longest = max(map(len, kinds))
    mask = [[0] * (longest - len(own)) + [1] * len(own) for own in kinds]
    padded = [[0] * (longest - len(own)) + own for own in kinds]
    return {
        "input_ids": torch.randint(9, 99, (len(rows), longest)),
        "mm_token_type_ids": torch.tensor(padded, dtype=torch.int),
        "attention_mask": torch.tensor(mask),
        "image_grid_thw": torch.tensor(sizes) if sizes else None,
    }


@pytest.mark.parametrize("architecture", ["qwen2_5_vl", "qwen3_vl"])
def test_rows_by_themselves_have_the_places_the_model_counts(
    architecture: str, folder_of: Callable[[str], Path]
) -> None:
    model = load(folder_of(architecture)).model.model
    count = model.get_rope_index
    asked: list[int] = []

    def counted(*told: Any, **named: Any) -> Any:
        asked.append(len(told[0]))
        return count(*told, **named)

    quick = by_rows(counted, count)

    @settings(max_examples=60, deadline=None)
    @given(st.lists(ROW, min_size=1, max_size=4))
    def alike(rows: list[list[Any]]) -> None:
        told = batch(rows, model.config.vision_config.spatial_merge_size)
        (places, shifts), (own, behind) = quick(**told), count(**told)
        here = told["attention_mask"].bool()
        assert torch.equal(places[:, here], own[:, here])
        assert torch.equal(shifts, behind)
        assert (places.dtype, shifts.dtype) == (own.dtype, behind.dtype)

    alike()
    told = batch([[3, (8, 8), 5]] * 7 + [[(4, 6)]], model.config.vision_config.spatial_merge_size)
    asked.clear()
    quick = by_rows(counted, count)
    quick(**told)
    quick(**{**told, "input_ids": told["input_ids"] + 1})
    assert asked == [1, 1], "one row of each kind"


def test_rows_of_other_numbers_are_not_taken_for_each_other(folder_of: Callable[[str], Path]) -> None:
    """One wide zero has the bytes of two narrow ones."""
    count = load(folder_of("qwen2_5_vl")).model.model.get_rope_index
    quick = by_rows(count, count)
    none = torch.zeros((0, 3), dtype=torch.long)
    for kind, many in ((torch.long, 1), (torch.int, 2)):
        words = torch.ones((1, many), dtype=torch.long)
        told = {"mm_token_type_ids": torch.zeros((1, many), dtype=kind), "attention_mask": words}
        assert quick(words, image_grid_thw=none, **told)[0].tolist() == [[list(range(many))]] * 3


def test_rows_with_more_to_them_are_counted_as_ever() -> None:
    asked: list[Any] = []

    def otherwise(*told: Any, **named: Any) -> str:
        asked.append(named)
        return "as ever"

    def never(*told: Any, **named: Any) -> Any:
        raise AssertionError(told)

    quick = by_rows(never, otherwise)
    told = batch([[2, (4, 6)]], 2)
    ids = told.pop("input_ids")
    strange: list[dict[str, Any]] = [
        told | {"video_grid_thw": told["image_grid_thw"]},
        told | {"mm_token_type_ids": told["mm_token_type_ids"] + 2 * (torch.arange(ids.shape[1]) < 1)},
        told | {"image_grid_thw": torch.tensor([[1, 4, 6]] * 2)},
        told | {"attention_mask": None},
        {name: value for name, value in told.items() if name != "mm_token_type_ids"},
    ]
    for each in strange:
        assert quick(ids, **each) == "as ever"
    assert len(asked) == len(strange)


def test_a_model_counts_elsewhere_once_told(folder_of: Callable[[str], Path]) -> None:
    model = load(folder_of("qwen2_5_vl")).model
    told = batch([[1, (4, 6), 2], [4, (8, 8)]], model.config.vision_config.spatial_merge_size)
    before = model.model.get_rope_index(**told)
    count_elsewhere(model)
    mended = model.model.get_rope_index
    count_elsewhere(model)
    assert model.model.get_rope_index is mended
    after, here = mended(**told), told["attention_mask"].bool()
    assert torch.equal(after[0][:, here], before[0][:, here])
    assert torch.equal(after[1], before[1])

    def by_ids(input_ids: Any, attention_mask: Any = None, **_: Any) -> Any:
        return input_ids, attention_mask

    older = load(folder_of("qwen2_5_vl")).model
    older.model.__class__ = type("Older", (type(older.model),), {"get_rope_index": staticmethod(by_ids)})
    count_elsewhere(older)
    ids, _ = older.model.get_rope_index(**told)
    assert torch.equal(ids, told["input_ids"]), "a release that counts by the tokens themselves is given them"
    plain = load(folder_of("idefics3")).model
    count_elsewhere(plain)
    assert not hasattr(plain.model, "get_rope_index")
