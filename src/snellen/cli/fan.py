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
from snellen.defaults import NOT_OVER
from snellen.errors import UserError, unknown

if TYPE_CHECKING:
    from snellen.bridge.fan.plan import FanPlan, FanUnit
    from snellen.bridge.fan.units import Heartbeat
    from snellen.examine import ExamPlan

EXAMPLES = """\
  snellen fan plan.toml --on local --dry-run       list the units and their cost
  snellen fan plan.toml --on local                 processes on this machine
  snellen fan plan.toml --on ray://head:10001      a Ray cluster
  snellen fan plan.toml --on slurm                 job arrays
"""
NOTES = """\
\b
A plan is a file such as:
  subjects = ["step-1000=local/./step-1000", "openai/gpt-4.1"]
  tasks = "all"                or a list of their names
  shards = 8                   units per subject and task
  exam = { n = 40 }            options of `snellen exam`
  batch = "24h"                in the provider's batches, at half the price

An interrupted fan continues when the same command is given again; finished units are not run again. Exit status 1: a
unit failed; 75: batches are not over.
"""
SECONDS_BETWEEN_LINES = 15
_NOTHING = [0.0] * 5


@click.command(epilog=examples_epilog("fan", EXAMPLES, NOTES))
@click.argument("path", metavar="PLAN.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--on", required=True, metavar="local|slurm|ray[://HOST:PORT]", help="What runs the units.")
@click.option("--dry-run", is_flag=True, help="List the units with calls, tokens and dollars, and stop.")
def fan(path: Path, on: str, dry_run: bool) -> int:
    """Examine many subjects on many machines, one unit per subject, task and shard. The units' stores are merged at the
    end."""
    from snellen.bridge.fan.launching import check_engine, done_before, fan_out
    from snellen.bridge.fan.plan_file import read_plan
    from snellen.bridge.fan.units import is_busy
    from snellen.cli.exam import exam
    from snellen.engine.merge import MergeConflicts, merge
    from snellen.engine.schema import refuse_place

    check_engine(on)
    plan = read_plan(path, {word[2:] for param in exam.params for word in param.opts if word.startswith("--")})
    units = plan.units()
    for name in plan.prices:
        if not any(re.search(rf"(^|=){re.escape(name)}($|[=:@])", word) for word in (*plan.subjects, *plan.words)):
            raise unknown("subject in [prices]", name, plan.subjects)
    refuse_place(Path(plan.store))
    if dry_run:
        return _Bill(plan).say(units, done_before(plan, units))
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


class _Bill:
    """What the units that are not done would take."""

    def __init__(self, plan: "FanPlan") -> None:
        self.plan = plan
        self.unpriced: dict[str, None] = {}
        self.notes: dict[str, None] = {}
        self._whole: dict[str, dict[str, list[float]]] = {}

    def say(self, units: "Sequence[FanUnit]", done: "Mapping[str, Heartbeat]") -> int:
        """Every unit with its share, and the sum."""
        bill = _NOTHING
        for unit in units:
            if unit.name in done:
                click.echo(f"{unit.name}: done")
                continue
            share = self._share(unit)
            bill = [before + more for before, more in zip(bill, share, strict=True)]
            click.echo(f"{unit.name}: {_in_words(*share)}")
        click.echo(f"{len(units) - len(done):,} of {len(units):,} to run: {_in_words(*bill)}")
        if self.unpriced and self.plan.prices:
            click.echo(f"without a price, and not in these dollars: {', '.join(self.unpriced)}")
        elif self.unpriced:
            click.echo('For dollars write prices = { "SUBJECT" = "IN/OUT" } into the plan (per million tokens).')
        for note in self.notes:
            click.echo(f"note: {note}", err=True)
        return 0

    def _share(self, unit: "FanUnit") -> list[float]:
        """A unit that has not begun is taken to be as large as the others; items are drawn once for all subjects."""
        store = self.plan.place / f"{unit.name}.sqlite"
        if store.exists():
            return self._costs([unit.subject], unit.task, store, unit.shard)[unit.subject]
        if unit.task not in self._whole:
            self._whole[unit.task] = self._costs(self.plan.subjects, unit.task, None)
        return [value / self.plan.shards for value in self._whole[unit.task][unit.subject]]

    def _costs(
        self, subjects: Sequence[str], task: str, store: Path | None, shard: str = "1/1"
    ) -> dict[str, list[float]]:
        """Calls to make and in batches, tokens in and out, and dollars, by subject; those of judges and the like are
        divided equally."""
        from snellen.cli.exam import prices_of
        from snellen.examine import forecast
        from snellen.examine.batching import batch_notes, batch_options, in_batches

        exam_plan, batch = _exam_plan(self.plan, subjects, task, shard), batch_options(self.plan.batch or None)
        names = {who.name: exam_plan.pool.called(who) for who in exam_plan.players}
        asked = {*names, *names.values()}
        prices = prices_of((f"{name}={price}" for name, price in self.plan.prices.items() if name in asked), exam_plan)
        if batch:
            self.notes |= dict.fromkeys(batch_notes(exam_plan, batch))
        by_name: dict[str, list[float]] = {}
        for name, part in forecast(
            exam_plan, store, in_batches(exam_plan, prices, batch), batch
        ).estimate.by_subject.items():
            by_name[name] = [part.to_make, part.in_batch, part.tokens_in, part.tokens_out, part.cost or 0.0]
            if part.cost is None and part.to_make:
                self.unpriced[names.get(name, name)] = None
        own = {word: [by_name.pop(who.name, _NOTHING) for who in exam_plan.pool.all(word)] for word in subjects}
        others = [[value / len(subjects) for value in part] for part in by_name.values()]
        return {word: [sum(values) for values in zip(*parts, *others, strict=True)] for word, parts in own.items()}


def _in_words(calls: float, in_batch: float, tokens_in: float, tokens_out: float, dollars: float) -> str:
    money = f", ${dollars:,.2f}" if dollars else ""
    under_way = f", {in_batch:,.0f} in batches under way" if in_batch else ""
    return f"about {calls:,.0f} calls, {tokens_in:,.0f} tokens in and {tokens_out:,.0f} out{money}{under_way}"


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
    from snellen.bridge.fan.units import IN_BATCHES

    states = Counter(beat.state for beat in ended.values())
    where = f"; merged in {merged}" if merged else ""
    click.echo(f"{states['done']:,} of {len(ended):,} units are done{where}")
    for name, beat in ended.items():
        if beat.state not in ("done", IN_BATCHES):
            click.echo(_line(name, beat), err=True)
    left = [
        f"{errors:,} trials ended in errors" if (errors := sum(beat.errors for beat in ended.values())) else "",
        f"units that failed: {failed:,}, their logs are beside their stores" if (failed := states["failed"]) else "",
        f"units whose batches are not over: {waiting:,}" if (waiting := states[IN_BATCHES]) else "",
    ]
    if any(left):
        click.echo(f"{'; '.join(filter(None, left))}. Give the same command again to go on.", err=True)
    return 1 if failed else NOT_OVER if waiting else 0
