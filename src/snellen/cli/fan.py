"""`snellen fan`: an exam of many subjects over many machines."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING

import click

from snellen.cli.options import examples_epilog
from snellen.errors import UserError, unknown

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
A plan names subjects, tasks and what each unit needs; exam = {...} takes the options of `snellen exam`.
A unit goes on from its store: an interrupted fan continues when the same command is given again.
"""
OWN = {"tasks", "shard", "store", "out", "open", "no-report", "json", "dry-run", "price", "budget", "batch", "log"}
"""Options of an exam that are the plan's, that mean all of it, or that outlast a unit (batches)."""
SECONDS_BETWEEN_LINES = 15
_NOTHING = [0.0] * 4


@click.command(epilog=examples_epilog("fan", EXAMPLES, NOTES))
@click.argument("path", metavar="PLAN.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--on", required=True, metavar="local|slurm|ray[://ADDRESS]", help="Who runs the units.")
@click.option("--dry-run", is_flag=True, help="List the units with calls, tokens and dollars, and stop.")
def fan(path: Path, on: str, dry_run: bool) -> int:
    """Examine many subjects on many machines: one unit for each subject, task and shard; then merge their stores."""
    from snellen.bridge.fan.launching import check_engine, done_before, fan_out
    from snellen.bridge.fan.plan import read_plan
    from snellen.bridge.fan.units import is_busy
    from snellen.cli.exam import exam
    from snellen.engine.merge import MergeConflicts, merge

    options = {word.removeprefix("--") for param in exam.params for word in param.opts if word.startswith("--")}
    plan = read_plan(path, options - OWN)
    check_engine(on)
    units = plan.units()
    for name in plan.prices:
        if not any(re.search(rf"(^|=){re.escape(name)}($|[=:@])", word) for word in (*plan.subjects, *plan.words)):
            raise unknown("subject in [prices]", name, plan.subjects)
    if dry_run:
        return _bill(plan, units, done_before(plan, units))
    for task in plan.tasks:
        _exam_plan(plan, ["sim/ideal"], task)  # says at once what each unit would refuse
    with _watching() as watch:
        ended = fan_out(plan, on, units, watch)
    there = (plan.place / f"{unit.name}.sqlite" for unit in units)
    stores = [store for store in there if store.exists() and not is_busy(store)]
    try:
        if stores:
            merge(stores, Path(plan.store), plan.keep)
    except MergeConflicts as found:
        click.echo("\n".join(map(str, found.conflicts)), err=True)
        raise UserError(f'{found}; in a plan: keep = "both" or keep = "first"') from None
    return _say_end(ended, plan.store if stores else None)


def _exam_plan(plan: "FanPlan", subjects: Sequence[str], task: str, shard: str = "1/1") -> "ExamPlan":
    """The plan of a unit's exam, or of several subjects; `UserError` for what cannot be asked."""
    from snellen.cli.exam import _plan, exam

    params = exam.make_context("exam", [*subjects, *plan.exam_words(task, shard)]).params
    return _plan(params.pop("subjects"), params)


def _bill(plan: "FanPlan", units: "Sequence[FanUnit]", done: "Mapping[str, Heartbeat]") -> int:
    """Every unit with what it would take, and the sum. Shards that have not begun are taken to be of one size."""
    whole: dict[str, dict[str, list[float]]] = {}
    bill = _NOTHING
    for unit in units:
        store = plan.place / f"{unit.name}.sqlite"
        if unit.name in done:
            click.echo(f"{unit.name}: done")
            continue
        if store.exists():
            share = _costs(plan, [unit.subject], unit.task, store, unit.shard)[unit.subject]
        else:  # items are drawn once for all subjects
            whole[unit.task] = whole.get(unit.task) or _costs(plan, plan.subjects, unit.task, store)
            share = [value / plan.shards for value in whole[unit.task][unit.subject]]
        bill = [before + more for before, more in zip(bill, share, strict=True)]
        click.echo(f"{unit.name}: {_in_words(*share)}")
    click.echo(f"{len(units) - len(done):,} of {len(units):,} to run: {_in_words(*bill)}")
    return 0


def _costs(
    plan: "FanPlan", subjects: Sequence[str], task: str, store: Path, shard: str = "1/1"
) -> dict[str, list[float]]:
    """Calls, tokens in and out, and dollars, by subject, of what is not in the store; those of judges and the like
    are divided equally."""
    from snellen.cli.exam import prices_of
    from snellen.examine import forecast

    exam_plan = _exam_plan(plan, subjects, task, shard)
    asked = {name for who in exam_plan.players for name in (who.name, exam_plan.pool.called(who))}
    prices = prices_of((f"{name}={price}" for name, price in plan.prices.items() if name in asked), exam_plan)
    by_name = {
        name: [part.to_make, part.tokens_in, part.tokens_out, part.cost or 0.0]
        for name, part in forecast(exam_plan, store, prices).estimate.by_subject.items()
    }
    own = {word: [by_name.pop(who.name, _NOTHING) for who in exam_plan.pool.all(word)] for word in subjects}
    others = [[value / len(subjects) for value in part] for part in by_name.values()]
    return {word: [sum(values) for values in zip(*parts, *others, strict=True)] for word, parts in own.items()}


def _in_words(calls: float, tokens_in: float, tokens_out: float, dollars: float) -> str:
    money = f", ${dollars:,.2f}" if dollars else ""
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
            trials = sum(beat.done for beat in beats.values())
            all_of_them = f"{trials:,} trials; units: {', '.join(f'{counts[state]:,} {state}' for state in counts)}"
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


def _say_end(ended: "Mapping[str, Heartbeat]", merged: str | None) -> int:
    """What is merged, what is missing, and the status."""
    failed = [name for name, beat in ended.items() if beat.state != "done"]
    errors = sum(beat.errors for beat in ended.values())
    where = f"; merged in {merged}" if merged else ""
    click.echo(f"{len(ended) - len(failed):,} of {len(ended):,} units are done{where}")
    for name in failed:
        click.echo(_line(name, ended[name]), err=True)
    if failed or errors:
        what = f"{errors:,} trials ended in errors" if errors else "their logs are beside their stores"
        click.echo(f"{what}; give the same command again to go on.", err=True)
    return 1 if failed else 0
