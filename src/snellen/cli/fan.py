"""`snellen fan`: an exam of many subjects over many machines."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.options import examples_epilog

if TYPE_CHECKING:
    from snellen.bridge.fan.plan import FanPlan, FanUnit
    from snellen.bridge.fan.units import Heartbeat

EXAMPLES = """\
  snellen fan plan.toml --on local --dry-run       the units, and what they would cost
  snellen fan plan.toml --on local                 processes of this machine
  snellen fan plan.toml --on ray://head:10001      a Ray cluster
  snellen fan plan.toml --on slurm
"""
NOTES = """\
PLAN, for instance:
  subjects = ["step-1000=local/./run/checkpoint-1000", "step-2000=local/./run/checkpoint-2000"]
  tasks = ["TASK", "TASK"]
  shards = 4
  gpus = 1
  store = "run.sqlite"
  exam = { n = 40, seed = 1 }
An interrupted fan continues where it stopped when the same command is given again.
"""
OWN = {"tasks", "shard", "store", "out", "open", "json", "dry-run", "price"}
"""Options of an exam that are the plan's."""
SECONDS_BETWEEN_LINES = 15


@click.command(epilog=examples_epilog("fan", EXAMPLES, NOTES))
@click.argument("path", metavar="PLAN.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--on", required=True, metavar="local|slurm|ray[://ADDRESS]", help="Who runs the units.")
@click.option("--dry-run", is_flag=True, help="List the units with calls, tokens and dollars, and stop.")
def fan(path: Path, on: str, dry_run: bool) -> int:
    """Examine many subjects on many machines: one unit for each subject, task and shard; then merge their stores."""
    from snellen.bridge.fan.launching import done_before, fan_out
    from snellen.bridge.fan.plan import read_plan
    from snellen.cli.exam import exam
    from snellen.engine.merge import merge

    options = {word.removeprefix("--") for param in exam.params for word in param.opts if word.startswith("--")}
    plan = read_plan(path, options - OWN)
    units = plan.units()
    if dry_run:
        return _bill(plan, units, done_before(plan, units))
    _exam_plan(plan, "sim/ideal", plan.tasks)  # what the units would refuse one by one
    with _watching(units) as watch:
        ended = fan_out(plan, on, units, watch)
    stores = [store for unit in units if (store := plan.place / f"{unit.name}.sqlite").exists()]
    if stores:
        merge(stores, Path(plan.store))
    return _say_end(plan, ended)


def _exam_plan(plan: "FanPlan", subject: str, tasks: Sequence[str]) -> Any:
    """The plan of an exam with these options; `UserError` for what cannot be asked."""
    from snellen.bridge.fan.plan import words
    from snellen.cli.exam import _plan, exam

    prices = [f"--price={name}={price}" for name, price in plan.prices.items()]
    line = [subject, "--tasks", ",".join(tasks), *words(plan.exam), *prices]
    params = exam.make_context("exam", line).params
    return _plan(params.pop("subjects"), params)


def _bill(plan: "FanPlan", units: "Sequence[FanUnit]", done: "Mapping[str, Heartbeat]") -> int:
    """Every unit with its share of the calls, and the sum."""
    from snellen.cli.exam import prices_of
    from snellen.examine import forecast

    shares, total = {}, [0.0, 0.0, 0.0, 0.0]
    for subject in plan.subjects:
        for task in plan.tasks:
            exam_plan = _exam_plan(plan, subject, [task])
            prices = [f"{name}={price}" for name, price in plan.prices.items() if name in exam_plan.labels]
            cost = forecast(exam_plan, plan.store, prices_of(prices, exam_plan)).estimate.total
            shares[subject, task] = [cost.to_make, cost.tokens_in, cost.tokens_out, cost.cost or 0.0]
    for unit in units:
        share = [value / plan.shards for value in shares[unit.subject, unit.task]]
        if unit.name in done:
            click.echo(f"{unit.name}: done")
            continue
        total = [a + b for a, b in zip(total, share, strict=True)]
        click.echo(f"{unit.name}: {_in_words(share, plan)}")
    click.echo(f"{len(units) - len(done):,} of {len(units):,} units are missing: {_in_words(total, plan)}")
    return 0


def _in_words(share: Sequence[float], plan: "FanPlan") -> str:
    calls, tokens_in, tokens_out, dollars = share
    money = f", ${dollars:,.2f}" if plan.prices else ""
    return f"about {calls:,.0f} calls, {tokens_in:,.0f} tokens in and {tokens_out:,.0f} out{money}"
