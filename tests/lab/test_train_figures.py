"""The curve of a training as figures."""

from pathlib import Path
from typing import Any

import pytest

from snellen.lab.train.figures import MOST, curves, draw


def steps(n: int, **values: Any) -> list[dict[str, Any]]:
    return [{"step": k + 1, **{name: value(k) for name, value in values.items()}} for k in range(n)]


def test_answers_are_told_by_loss_and_rewards_by_reward() -> None:
    sft = curves(steps(4, loss=lambda k: 4.0 - k, mean_token_accuracy=lambda k: k / 4), "sft")
    assert sft["nats"].series == ("loss",)
    assert [value.value for value in sft["nats"].rows[0][1][0] if value] == [4.0, 3.0, 2.0, 1.0]
    assert [value.value for value in sft["shares"].rows[0][1][0] if value] == [0.0, 25.0, 50.0, 75.0]
    rewarded = {"loss": lambda k: 0.0, "reward": lambda k: 0.5, "unread": lambda k: 0.1, "kl": lambda k: 0.2}
    grpo = curves(steps(4, **rewarded), "grpo")
    assert grpo["nats"].series == ("KL from the base",), "its loss says nothing"
    assert grpo["shares"].series == ("reward", "unread")


def test_many_steps_are_told_as_means() -> None:
    chart = curves(steps(1000, loss=float), "long")["nats"]
    assert len(chart.xs) <= MOST
    assert chart.xs[-1] == 1000
    first = chart.rows[0][1][0][0]
    assert first is not None
    assert first.value == pytest.approx(12)
    assert first.n == 25


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_short_and_flat_curves_are_drawn_or_left_out(n: int, tmp_path: Path) -> None:
    written = draw(steps(n, loss=lambda k: 0.0, mean_token_accuracy=lambda k: 0.0), "flat", tmp_path)
    assert len(written) == (2 if n > 1 else 0)
    assert all(path.read_text().startswith("<svg") for path in written)


def test_a_step_without_a_number_is_a_gap() -> None:
    lines = [*steps(3, loss=float), {"step": 4, "loss": None}]
    assert curves(lines, "gap")["nats"].rows[0][1][0][-1] is None
