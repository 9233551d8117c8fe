"""Vision towers that attend to all windows at once see what they saw before."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.subjects.local import windows
from snellen.subjects.local.loading import load
from support.later import later
from support.lengths import some_of

torch = later("torch")
later("transformers")

GRIDS = ([[1, 8, 10], [1, 6, 4], [1, 8, 10]], [[1, 2, 2]], [[1, 8, 8], [1, 8, 8]])


@some_of("architecture", ["qwen2_5_vl", "qwen3_vl"], 2)
@pytest.mark.parametrize("grid", GRIDS)
def test_a_mended_tower_sees_the_same(
    grid: list[list[int]], architecture: str, folder_of: Callable[[str], Path]
) -> None:
    stock, mended = (load(folder_of(architecture)).model for _ in range(2))
    assert windows.mend(mended)
    grids = torch.tensor(grid)
    pixels = torch.randn(int(grids.prod(1).sum()), 96, generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        before, after = (
            torch.cat(model.model.get_image_features(pixels, grids).pooler_output) for model in (stock, mended)
        )
    assert torch.allclose(before, after, atol=1e-4)


def test_windows_of_one_length_are_one_call(folder_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(folder_of("qwen2_5_vl")).model
    windows.mend(model)
    calls: list[int] = []
    attend = torch.nn.functional.scaled_dot_product_attention

    def counted(query: Any, *rest: object, **more: object) -> Any:
        calls.append(len(query))
        return attend(query, *rest, **more)

    monkeypatch.setattr("torch.nn.functional.scaled_dot_product_attention", counted)
    with torch.inference_mode():
        model.model.get_image_features(torch.zeros(5 * 64, 96), torch.tensor([[1, 8, 8]] * 5))
    # Three layers, two of them in windows of 4 by 4 patches (four a picture), one over whole pictures.
    assert calls == [20, 5, 20]


@pytest.mark.parametrize("architecture", ["idefics3", "llava_onevision", "gemma3"])
def test_other_towers_are_left_as_they_are(architecture: str, folder_of: Callable[[str], Path]) -> None:
    assert not windows.mend(load(folder_of(architecture)).model)


def test_without_bounds_it_is_plain_attention() -> None:
    query, key, value = torch.randn(3, 2, 4, 7, 8, generator=torch.Generator().manual_seed(1))
    out, _ = windows.attend(None, query, key, value, None, scaling=0.3)
    wanted = torch.nn.functional.scaled_dot_product_attention(query, key, value, scale=0.3)
    assert torch.allclose(out, wanted.transpose(1, 2))
