"""What a vision tower is told beforehand is what it would have worked out, and it sees the same."""

from collections.abc import Callable
from inspect import getmodule
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.subjects.local.layout import lay_out_beforehand, layout
from snellen.subjects.local.loading import load
from snellen.subjects.local.windows import mend
from support.later import later

torch = later("torch")
later("transformers")
vision = later("transformers.vision_utils")

SIDE = st.integers(1, 12).map(lambda half: 2 * half)
SIZE = st.tuples(st.sampled_from((1, 1, 2)), SIDE, SIDE)


def test_what_is_put_together_is_what_all_pictures_come_to(folder_of: Callable[[str], Path]) -> None:
    tower = load(folder_of("qwen2_5_vl")).model.model.visual

    @settings(max_examples=80, deadline=None)
    @given(st.lists(SIZE, min_size=1, max_size=6))
    def alike(sizes: list[tuple[int, int, int]]) -> None:
        grid = torch.tensor(sizes)
        told = layout(tower, sizes, "cpu")
        order, windows = vision.get_vision_window_index(
            grid, tower.spatial_merge_size, tower.window_size, tower.patch_size
        )
        frames = vision.get_vision_cu_seqlens(grid)
        assert torch.equal(told["position_ids"], vision.get_vision_position_ids(grid, tower.spatial_merge_size))
        assert torch.equal(told["window_index"], order)
        assert torch.equal(told["cu_window_seqlens"], windows)
        assert torch.equal(told["cu_seqlens"], frames)
        assert told["max_seqlen"] == frames.diff().max()
        assert told["max_window_seqlen"] == windows.diff().max()

    alike()


@pytest.mark.parametrize("ours", [True, False], ids=["mended", "stock"])
def test_a_tower_that_is_told_beforehand_sees_the_same(
    ours: bool, folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (load(folder_of("qwen2_5_vl")).model for _ in range(2))
    if ours:
        mend(before)
        mend(after)
    assert lay_out_beforehand(after)
    assert lay_out_beforehand(after), "a second time changes nothing"
    grid = torch.tensor([[1, 8, 10], [1, 6, 4], [1, 8, 10]])
    pixels = torch.randn(int(grid.prod(1).sum()), 96, generator=torch.Generator().manual_seed(3))
    told: list[bool] = []
    own = vision.get_vision_position_ids

    def noted(*sizes: Any, kwargs: dict[str, Any]) -> Any:
        told.append("position_ids" in kwargs)
        return own(*sizes, kwargs=kwargs)

    with torch.inference_mode():
        wanted = torch.cat(before.model.get_image_features(pixels, grid).pooler_output)
        monkeypatch.setattr(getmodule(type(after.model.visual)), "get_vision_position_ids", noted)
        found = torch.cat(after.model.get_image_features(pixels, grid).pooler_output)
    assert torch.equal(wanted, found)
    assert told == [ours], "others want the bounds on their device, and work them out"


@pytest.mark.parametrize("architecture", ["idefics3", "qwen3_vl", "gemma3"])
def test_other_towers_are_told_nothing(architecture: str, folder_of: Callable[[str], Path]) -> None:
    assert not lay_out_beforehand(load(folder_of(architecture)).model)
