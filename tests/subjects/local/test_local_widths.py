"""Padded layers compute what they did."""

from typing import Any

import pytest

from snellen.subjects.local.widths import MULTIPLE, widen
from support.later import later

torch = later("torch")
modeling = later("transformers.models.qwen2_5_vl.modeling_qwen2_5_vl")
configuration = later("transformers.models.qwen2_5_vl.configuration_qwen2_5_vl")


def layer(width: int) -> Any:
    torch.manual_seed(0)
    config = configuration.Qwen2_5_VLVisionConfig(hidden_size=32, intermediate_size=width)
    return modeling.Qwen2_5_VLMLP(config, bias=True).eval()


@pytest.mark.parametrize("width", [60, 3420])
def test_a_padded_layer_computes_the_same(width: int) -> None:
    known, padded = layer(width), layer(width)
    seen = torch.randn(7, 32)
    with torch.inference_mode():
        assert widen(torch.nn.ModuleList([padded])) == 1
        assert padded.gate_proj.out_features % MULTIPLE == padded.down_proj.in_features % MULTIPLE == 0
        torch.testing.assert_close(padded(seen), known(seen), rtol=0, atol=1e-6)


def test_widths_that_are_aligned_stay_as_they_are() -> None:
    known = layer(88)
    assert widen(torch.nn.ModuleList([known])) == 0
    assert known.gate_proj.out_features == 88
