"""`snellen compare --until-sure`: ask two subjects the same items until it is known which is better."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.options import F, is_store, price_option
from snellen.defaults import DEFAULT_STORE

if TYPE_CHECKING:
    from snellen.engine import Price
    from snellen.examine.plan import ExamPlan
    from snellen.examine.until_sure import UntilSureComparison

ASKING = "--until-sure --margin --most --seed --store --concurrency --price --dry-run"
"""The options, as the help lists them."""


@dataclass(frozen=True)
class UntilSureOptions:
    """What may be chosen where both subjects are asked."""

    until_sure: bool
    margin: float | None
    most: int | None
    seed: int | None
    store: Path | None
    concurrency: int | None
    prices: tuple[str, ...]
    dry_run: bool

    def check(self) -> None:
        """Raise `UsageError` for a choice that needs --until-sure."""
        given = [name for name in _NAMES[1:] if getattr(self, name) not in (None, (), False)]
        if given and not self.until_sure:
            option = {"prices": "price", "dry_run": "dry-run"}.get(given[0], given[0])
            raise click.UsageError(f"--{option} goes with --until-sure, which asks both subjects")

    def at(self, store: Path, words: Sequence[str]) -> "UntilSureOptions":
        """With the store that the words of the command name, if they do."""
        named = any(is_store(Path(word)) for word in words)
        if named and self.store not in (None, store):
            raise click.UsageError(f"two stores are named, {store} and {self.store}; name one")
        return replace(self, store=store if named else self.store or DEFAULT_STORE)


_NAMES = [field.name for field in fields(UntilSureOptions)]
_DECORATORS = (
    click.option("--until-sure", is_flag=True, help="Ask both the same new items, and stop when it is decided."),
    click.option(
        "--margin",
        type=click.FloatRange(2, 50),
        metavar="POINTS",
        help="A smaller difference does not matter: two may be shown equivalent within it.  [default: 10]",
    ),
    click.option(
        "--most",
        type=click.IntRange(1),
        metavar="N",
        help="The most calls to each subject, divided equally among the tasks."
        "  [default: about twice those of a fixed comparison]",
    ),
    click.option("--seed", type=int, help="Seed of the items.  [default: 0]"),
    click.option(
        "--store",
        type=click.Path(path_type=Path, dir_okay=False),
        help=f"The file that keeps every call and trial.  [default: {DEFAULT_STORE}]",
    ),
    click.option("--concurrency", type=click.IntRange(1, 1024), help="Most calls at once.  [default: 64]"),
    price_option,
    click.option("--dry-run", is_flag=True, help="Say how many calls, tokens and dollars it would take, and stop."),
)


def asking_options(command: F) -> F:
    """Adds the options to a command, which gets them as one value, `asking`."""

    @wraps(command)
    def with_asking(**given: Any) -> Any:
        asking = UntilSureOptions(**{name: given.pop(name) for name in _NAMES})
        asking.check()
        return command(**given, asking=asking)

    decorated: Any = with_asking
    for option in reversed(_DECORATORS):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def compare_asking(first: str, second: str, tasks: str | None, asking: UntilSureOptions, style: str) -> int:
    """Ask both until it is decided on each task, and say what was found."""
    from snellen.cli.exam import prices_of, prints_aside
    from snellen.cli.exam_output import say_forecast, say_notes
    from snellen.examine.until_sure import plan_comparison

    if style not in ("text", "json"):
        raise click.UsageError(f"--format {style}: --until-sure prints text or json")
    as_json = style == "json"
    margin = None if asking.margin is None else asking.margin / 100
    with prints_aside(as_json):
        plan = plan_comparison(first, second, tasks=tasks, margin=margin, most=asking.most, seed=asking.seed or 0)
    say_notes(plan)
    prices = prices_of(asking.prices, plan)
    if asking.dry_run:
        from snellen.examine import forecast

        names = {who.name: plan.pool.called(who) for who in plan.players}
        return say_forecast(forecast(plan, asking.store or DEFAULT_STORE, prices), names, as_json)
    with prints_aside(as_json):
        found = _run(plan, asking, prices)
    return _say(found, as_json)


def _run(plan: "ExamPlan", asking: UntilSureOptions, prices: "dict[str, Price]") -> "UntilSureComparison":
    from snellen.cli.exam_output import once_begun, say_outlook
    from snellen.cli.progress_bars import watching
    from snellen.examine.until_sure import run_comparison

    with watching(" against ".join(plan.labels), plan.size, prices) as watch:
        announced: Callable[..., None] = once_begun([watch], lambda: say_outlook(plan))
        store = asking.store or DEFAULT_STORE
        return run_comparison(plan, store, concurrency=asking.concurrency, watch=announced)


def _say(found: "UntilSureComparison", as_json: bool) -> int:
    """A line for each task, warnings, and how to go on if something is open."""
    from snellen.cli.exam_output import say_errors, say_interrupted

    summary = found.exam.summary
    if summary and summary.ended == "interrupted":
        return say_interrupted(summary, found.exam.store, len(found.tasks))
    click.echo(json.dumps(found.to_json(), ensure_ascii=False) if as_json else "\n".join(found.lines))
    if found.warning:
        click.echo(found.warning, err=True)
    if summary and summary.errors:
        say_errors(summary, len(found.tasks))
    elif any(one.result.status == "open" for one in found.tasks):
        click.echo("To go on with what is open: the same command with a larger --most.", err=True)
    return 0
