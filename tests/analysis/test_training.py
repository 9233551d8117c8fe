"""The curves of trainings."""

from typing import Any

import pytest

from snellen.analysis.training import MOST, Lines, curves, section
from snellen.charts.blocks import Curves, to_json


def steps(n: int, **values: Any) -> list[dict[str, Any]]:
    return [{"step": k + 1, **{name: value(k) for name, value in values.items()}} for k in range(n)]


def of(lines: Lines) -> Any:
    return curves({"it": lines}, "title")


REWARDED = {"loss": lambda k: 0.0, "reward": lambda k: 0.5, "unread": lambda k: 0.1, "kl": lambda k: 0.2}


def test_answers_are_told_by_loss_and_rewards_by_reward() -> None:
    sft = of(steps(4, loss=lambda k: 4.0 - k, mean_token_accuracy=lambda k: k / 4))
    assert sft["nats"].series == ("loss",)
    assert [value.value for value in sft["nats"].rows[0][1][0] if value] == [4.0, 3.0, 2.0, 1.0]
    assert [value.value for value in sft["shares"].rows[0][1][0] if value] == [0.0, 25.0, 50.0, 75.0]
    grpo = of(steps(4, **REWARDED))
    assert grpo["nats"].series == ("KL from the base model",), "its loss says nothing"
    assert grpo["shares"].series == ("reward", "unread")


def test_many_steps_are_told_as_means() -> None:
    chart = of(steps(1000, loss=float))["nats"]
    assert len(chart.xs) <= MOST
    assert chart.xs[-1] == 1000
    first = chart.rows[0][1][0][0]
    assert first is not None
    assert first.value == pytest.approx(12)
    assert first.n == 25


def test_a_step_without_a_number_is_a_gap() -> None:
    lines = [*steps(3, loss=float), {"step": 4, "loss": None}]
    assert of(lines)["nats"].rows[0][1][0][-1] is None


def test_trainings_of_both_kinds_and_of_different_lengths_stand_side_by_side() -> None:
    both = section({"taught": steps(2, loss=float), "rewarded": steps(4, **REWARDED), "short": steps(1, loss=float)})
    assert both is not None
    assert {block["kind"] for block in to_json(both)["blocks"]} == {"curves"}, "as the page knows it"
    shares, nats = (block for block in both.blocks if isinstance(block, Curves))
    assert [name for name, _ in shares.rows] == ["rewarded"], "nobody measured a share of the other"
    assert nats.series == ("loss", "KL from the base model")
    assert nats.xs == (1, 2, 3, 4)
    panels = {name: [[value and value.value for value in line] for line in lines] for name, lines in nats.rows}
    assert panels == {
        "taught": [[0.0, 1.0, None, None], [None] * 4],
        "rewarded": [[None] * 4, [0.2] * 4],
    }
    assert section({"short": steps(1, loss=float)}) is None
    assert section({}) is None
