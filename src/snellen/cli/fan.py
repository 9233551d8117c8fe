"""`snellen fan`: an exam of many subjects over many machines."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog

if TYPE_CHECKING:
    from snellen.bridge.fan.plan import FanPlan, FanUnit
    from snellen.bridge.fan.units import Heartbeat
    from snellen.examine import ExamPlan

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
    _exam_plan(["sim/ideal", "--tasks", ",".join(plan.tasks), *plan.words])  # what units would refuse one by one
    with _watching() as watch:
        ended = fan_out(plan, on, units, watch)
    stores = [store for unit in units if (store := plan.place / f"{unit.name}.sqlite").exists()]
    if stores:
        merge(stores, Path(plan.store))
    return _say_end(plan, ended)


def _exam_plan(words: Iterable[str]) -> "ExamPlan":
    """The plan of an exam with these arguments; `UserError` for what cannot be asked."""
    from snellen.cli.exam import _plan, exam

    params = exam.make_context("exam", list(words)).params
    return _plan(params.pop("subjects"), params)


def _bill(plan: "FanPlan", units: "Sequence[FanUnit]", done: "Mapping[str, Heartbeat]") -> int:
    """Every unit with what it would take, and the sum."""
    shares = {task: _shares(plan, task) for task in {unit.task for unit in units if unit.name not in done}}
    total = [0.0] * 4
    for unit in units:
        if unit.name in done:
            click.echo(f"{unit.name}: done")
            continue
        began = (plan.place / f"{unit.name}.sqlite").exists()
        share = _shares(plan, unit.task, unit)[unit.subject] if began else shares[unit.task][unit.subject]
        total = [before + more for before, more in zip(total, share, strict=True)]
        click.echo(f"{unit.name}: {_in_words(plan, *share)}")
    click.echo(f"{len(units) - len(done):,} of {len(units):,} units to run: {_in_words(plan, *total)}")
    return 0


def _shares(plan: "FanPlan", task: str, unit: "FanUnit | None" = None) -> dict[str, list[float]]:
    """Calls, tokens in and out and dollars of a shard, by subject; those of judges and the like are divided equally.
    For a `unit` that has begun, what is left of it."""
    from snellen.cli.exam import prices_of
    from snellen.examine import forecast

    subjects, shards = ([unit.subject], 1) if unit else (plan.subjects, plan.shards)
    exam_plan = _exam_plan(unit.words if unit else [*subjects, "--tasks", task, *plan.words])
    named = {exam_plan.pool.called(who) for who in exam_plan.players} | {who.name for who in exam_plan.players}
    prices = prices_of((f"{name}={price}" for name, price in plan.prices.items() if name in named), exam_plan)
    store = plan.place / f"{unit.name}.sqlite" if unit else Path(plan.store)
    by_subject = {
        name: [part.to_make, part.tokens_in, part.tokens_out, part.cost or 0.0]
        for name, part in forecast(exam_plan, store, prices).estimate.by_subject.items()
    }
    own = {word: [by_subject.pop(who.name, [0.0] * 4) for who in exam_plan.pool.all(word)] for word in subjects}
    others = [[value / len(subjects) for value in part] for part in by_subject.values()]
    return {word: [sum(values) / shards for values in zip(*parts, *others, strict=True)] for word, parts in own.items()}


def _in_words(plan: "FanPlan", calls: float, tokens_in: float, tokens_out: float, dollars: float) -> str:
    money = f", ${dollars:,.2f}" if plan.prices else ""
    return f"about {calls:,.0f} calls, {tokens_in:,.0f} tokens in and {tokens_out:,.0f} out{money}"


@contextmanager
def _watching() -> "Iterator[Callable[[Mapping[str, Heartbeat]], None]]":
    """A screen of the units under way; where there is no terminal, a line when one begins or ends, and now and then a
    line about all."""
    from rich.live import Live
    from rich.text import Text

    from snellen.cli.console import plain_console

    told: dict[str, str] = {}
    due = monotonic() + SECONDS_BETWEEN_LINES
    with Live(console=plain_console(stderr=True), transient=True) as screen:
        is_terminal, lines = screen.console.is_terminal, max(screen.console.height - 2, 3)

        def update(beats: "Mapping[str, Heartbeat]") -> None:
            nonlocal due
            for name, beat in beats.items():
                if told.get(name, "queued") != beat.state and (not is_terminal or beat.problem):
                    click.echo(_line(name, beat), err=True)
                told[name] = beat.state
            counts = Counter(beat.state for beat in beats.values())
            all_of_them = f"{len(beats):,} units: {', '.join(f'{many:,} {state}' for state, many in counts.items())}"
            busy = [_line(name, beat) for name, beat in beats.items() if beat.state in ("running", "waiting")]
            screen.update(Text("\n".join([all_of_them, *busy[:lines]])))
            if not is_terminal and monotonic() >= due:
                due = monotonic() + SECONDS_BETWEEN_LINES
                click.echo("\n".join([all_of_them, *busy]), err=True)

        yield update


def _line(name: str, beat: "Heartbeat") -> str:
    full = round(20 * beat.done / beat.total) if beat.total else 0
    numbers = f" {'━' * full}{'─' * (20 - full)} {beat.done:,}/{beat.total:,}" if beat.total else ""
    errors = f", {beat.errors:,} errors" if beat.errors else ""
    late = f", {beat.host}, {max(time() - beat.at, 0):.0f} s ago" if beat.at and beat.state != "done" else ""
    return f"{name}:{numbers} {beat.state}{errors}{late}{beat.problem and f': {beat.problem}'}"


def _say_end(plan: "FanPlan", ended: "Mapping[str, Heartbeat]") -> int:
    """What is merged, what is missing, and the status."""
    failed = [name for name, beat in ended.items() if beat.state != "done"]
    errors = sum(beat.errors for beat in ended.values())
    click.echo(f"{len(ended) - len(failed):,} of {len(ended):,} units are done; merged in {plan.store}")
    for name in failed:
        click.echo(_line(name, ended[name]), err=True)
    if failed or errors:
        click.echo(f"{errors:,} trials ended in errors; give the same command again to go on.", err=True)
    return 1 if failed else 0
