"""What names of checkpoints tell, and names that trackers and file systems take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.names import curve_of, slug, step_of


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("local/runs/checkpoint-500", ("local/runs", 500)),
        ("step-1000", ("checkpoints", 1000)),
        ("vllm/my-vlm-step-2000", ("vllm/my-vlm", 2000)),
        ("local/base:adapter=runs/checkpoints/checkpoint-30", ("local/base:adapter=runs/checkpoints", 30)),
        ("org/model_global_step7", ("org/model", 7)),
        ("tuned/step-5/step-10", ("tuned/step-5", 10)),
        ("org/epoch3-final", ("org final", 3)),
        ("openai/gpt-4.1", None),
        ("qwen2.5-vl-7b", None),
        ("one-step-planner", None),
        ("footstep-12", None),
    ],
)
def test_the_step_in_a_name(name: str, told: tuple[str, int] | None) -> None:
    assert step_of(name) == told


def test_a_curve_is_named_by_the_run_part_by_part_and_by_the_step_alone_not_at_all() -> None:
    assert curve_of("runs/sft v2/checkpoint-500") == "runs/sft-v2/"
    assert curve_of("step-500") == curve_of("checkpoint-500") == ""
    assert curve_of("openai/gpt-4.1:temperature=0.5") == "openai/gpt-4.1-temperature-0.5/"
    assert curve_of("../..") == ""


@given(st.text())
def test_a_short_name_is_one_safe_part_of_a_path(name: str) -> None:
    for short in (slug(name), slug(name, ascii_only=True)):
        assert not set(short) & set("/\\: \n")
        assert not short.startswith((".", "-"))
        assert slug(short) == short
    assert slug(name, ascii_only=True).isascii()
