"""On a model whose directions are known, the patch does what it should and every control says what it is there for."""

import numpy as np
import planted
import polars as pl
import pytest
from planted import DEPTH, LATE, Planted

from snellen.lab.steer.outcomes import runs, summary
from snellen.lab.steer.patches import AT_QUERY
from snellen.lab.steer.rows import split
from snellen.lab.steer.steering import SteeringPlan, early, record, steer

ALPHAS = (1.0, 0.25, 2.0)


@pytest.fixture(scope="module")
def found() -> pl.DataFrame:
    rows = planted.rows()
    model = Planted(rows)
    plan = SteeringPlan(tuple(split(rows, seed) for seed in (1, 2, 3)), 12, ALPHAS, 16)
    own = record(model, rows, plan, lambda parts, total, label: parts)
    return steer(model, rows, plan, (own, own), lambda parts, total, label: parts)


@pytest.fixture(scope="module")
def over(found: pl.DataFrame) -> pl.DataFrame:
    return summary(found)


def accuracy(
    over: pl.DataFrame, control: str, rule: str = "inverse", layer: int = DEPTH, alpha: float | None = ALPHAS[0]
) -> float:
    """The one accuracy of that control; layers counted from 1."""
    alpha = None if control in ("none", "probe", "donor") else alpha
    where = pl.col("layer").eq_missing(pl.lit(None if control in ("none", "donor") else layer, pl.Int64))
    rows = over.filter(where, pl.col("alpha").eq_missing(pl.lit(alpha, pl.Float64)), control=control, rule=rule)
    assert rows.height == 1
    return float(rows["accuracy"][0])


def test_the_plant_is_fixated(over: pl.DataFrame) -> None:
    assert accuracy(over, "none", "standard") == 1
    assert accuracy(over, "none") == pytest.approx(planted.FOLLOWS, abs=0.1)


def test_what_has_no_margin_has_no_interval_of_it(over: pl.DataFrame) -> None:
    ends = [pl.col("margin", "margin_low", "margin_high")]
    assert over.filter(control="probe").select(ends).null_count().row(0) == (over.filter(control="probe").height,) * 3
    assert over.filter(control="router").select(ends).null_count().row(0) == (0, 0, 0)


def test_oracle_routing_flips_every_answer_at_every_late_layer(over: pl.DataFrame) -> None:
    assert [accuracy(over, "oracle", layer=k) for k in range(LATE + 1, DEPTH + 1)] == [1, 1, 1, 1]


def test_the_routed_patch_is_as_good_as_the_router_alone(over: pl.DataFrame) -> None:
    assert accuracy(over, "router") == accuracy(over, "probe") > 0.95
    assert accuracy(over, "router", "standard") > 0.95


def test_no_direction_but_the_right_one_helps(over: pl.DataFrame) -> None:
    unpatched = accuracy(over, "none")
    assert accuracy(over, "random") < unpatched + 0.15
    assert accuracy(over, "shuffled") < 0.75
    assert accuracy(over, "means") == pytest.approx(unpatched, abs=0.1)


def test_the_same_patch_elsewhere_does_nothing(over: pl.DataFrame) -> None:
    assert accuracy(over, "early") == accuracy(over, "none")
    pictures = over.filter(control="picture", rule="inverse")
    assert pictures["layer"].to_list() == [1, 5, 8]
    assert pictures["accuracy"].max() < 0.6


def test_before_the_plant_begins_neither_router_nor_patch_knows_anything(over: pl.DataFrame) -> None:
    assert accuracy(over, "probe", "all", layer=1) == pytest.approx(0.5, abs=0.15)
    assert accuracy(over, "oracle", layer=1) == accuracy(over, "none")


def test_margins_move_with_alpha_before_answers_flip(over: pl.DataFrame) -> None:
    own = over.filter(control="router", rule="inverse", layer=DEPTH).sort("alpha")
    assert own["alpha"].to_list() == [0.25, 1.0, 2.0]
    assert own["margin"].is_sorted()
    assert accuracy(over, "router", alpha=0.25) < accuracy(over, "router", alpha=1.0)
    assert own["margin"][0] > over.filter(control="none", rule="inverse")["margin"][0] + 0.3


def test_every_control_is_there_for_every_seed_layer_and_alpha(found: pl.DataFrame) -> None:
    lines = runs(found)
    for control in (*AT_QUERY, "early"):
        own = lines.filter(control=control, rule="all")
        assert own.height == 3 * DEPTH * len(ALPHAS)
    assert lines.filter(control="probe", rule="all").height == 3 * DEPTH
    assert lines.filter(control="none", rule="all").height == 3
    assert lines["rows"].max() == 48  # 12 of 40 states, four rows each


def test_intervals_are_clustered_on_states_and_spread_is_over_seeds(over: pl.DataFrame) -> None:
    own = over.filter(control="none", rule="inverse").row(0, named=True)
    assert own["low"] < own["accuracy"] < own["high"]
    assert own["seeds"] == 3
    assert own["accuracy_sd"] is not None
    # as many rows of as many states would be much narrower if rows were independent
    n = own["rows"]
    assert own["high"] - own["low"] > 2 * 1.96 * np.sqrt(own["accuracy"] * (1 - own["accuracy"]) / n)


def test_the_probe_has_no_margin(over: pl.DataFrame) -> None:
    assert over.filter(control="probe")["margin"].null_count() == over.filter(control="probe").height


def test_a_donor_that_knows_better_is_followed() -> None:
    rows = planted.rows()
    target, source = Planted(rows, follows=0.0), Planted(rows, seed=1, follows=1.0)
    plan = SteeringPlan((split(rows, 1),), 2, (1.0,), 64)

    def watch(parts, total, label):
        return parts

    own, donor = (record(model, rows, plan, watch) for model in (target, source))
    alone = summary(steer(target, rows, plan, (own, own), watch))
    helped = summary(steer(target, rows, plan, (own, donor), watch))
    assert accuracy(alone, "none") == 0 == accuracy(alone, "oracle")  # its own donors are all wrong
    assert accuracy(helped, "donor") == 1
    assert accuracy(helped, "oracle") == 1


def test_the_early_layer_is_in_the_first_quarter() -> None:
    assert [early(depth) for depth in (1, 4, 8, 28)] == [0, 0, 1, 6]
