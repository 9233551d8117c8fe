"""`snellen exam`: plan, run, diagnose, write the report."""

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from snellen.cli.exam_output import once_begun, say_forecast, say_notes, say_outlook, say_result
from snellen.cli.groups import GroupedCommand
from snellen.cli.options import (
    DATA_FORM,
    OutputPath,
    at_least_one,
    data_option,
    examples_epilog,
    levels_option,
    log_option,
    own_paths,
    pairs,
    per_task,
    price_option,
    prompts_option,
    seed_option,
    shard_option,
    store_option,
)
from snellen.defaults import DEFAULT_REPORT, DEFAULT_SUBJECT
from snellen.errors import UserError, unknown
from snellen.tasks import default_task

if TYPE_CHECKING:
    from snellen.cli.result_process import ResultProcess
    from snellen.engine import Price
    from snellen.engine.batch_records import BatchOptions
    from snellen.examine import ExamOptions, ExamPlan

EXAMPLES = """\
  snellen exam                                     the bundled model; no key, no network
  snellen exam openai/gpt-4.1 --n 50               50 items of each kind
  snellen exam small=openai/my-model@http://localhost:8000/v1 openai/gpt-4.1
  snellen exam ./my_model.py                       your own: a file with a function answer(parts)
  snellen exam sim/fixated:see=0.9,map=0.4 --seed 3
  snellen exam openai/gpt-4.1 --tasks all --until-sure    stop when every step is known
  snellen exam openai/gpt-5 --set reasoning_effort=low,high --samples 5
  snellen exam anthropic/claude-sonnet-4-5 --design api --set states=published --n 300 --dry-run
  snellen exam vllm/a --paradigm describe --role describer=twin
  snellen exam vllm/a --tests letters,contrast     an eye chart with two of its tests
  snellen exam openai/gpt-4.1 --batch              in batches, at half the price
  snellen exam a=vllm/m b=openai/m@http://localhost:8001/v1 --design same    one model, two servers
  snellen exam vllm/a --shard 3/8                  the third of eight machines; then: snellen merge
"""
NOTES = """\
Settings of a subject follow its name: openai/gpt-4.1:temperature=0.7,max_tokens=2000,detail=high.

An interrupted exam continues where it stopped when the same command is given again. Exit status 75: batches are not
over; give the same command later.
"""


GROUPS = {
    "What to ask": "--tasks --tests --design --n --seed --set --samples --data --prompts",
    "How to ask": "--paradigm --role --concurrency --shard",
    "In batches": "--batch",
    "When to stop": "--until-sure --detect --most --budget",
    "Cost": "--dry-run --price",
    "Results": "--store --out --open --no-report --log --json",
}


@click.command(cls=GroupedCommand, groups=GROUPS, epilog=examples_epilog("exam", EXAMPLES, NOTES))
@click.argument("subjects", metavar="[[NAME=]SUBJECT]...", nargs=-1)
@click.option("--tasks", show_default=default_task(), metavar="NAME,...|all", help="What to examine.")
@click.option("--tests", metavar="NAME,...", help="Only these tests, for a task with several: letters,contrast.")
@click.option(
    "--design",
    multiple=True,
    metavar="[TASK=]NAME",
    help="A named design of the task; `snellen tasks` lists them.  [default: a quick one, with the whole ladder]",
)
@click.option(
    "--n",
    multiple=True,
    metavar="[TASK=]N",
    help="Base items of each kind; the design crosses them with its conditions. In an adaptive design: the maximum"
    " number of trials per track.",
)
@seed_option
@levels_option
@click.option(
    "--samples", type=click.IntRange(1), default=1, metavar="N", help="Times each question is asked.  [default: 1]"
)
@click.option("--paradigm", metavar="NAME,...", help="How items are presented.  [default: as the task has it]")
@data_option
@click.option(
    "--role",
    "roles",
    multiple=True,
    metavar="ROLE=SUBJECT",
    help="Give a role of the paradigm (describer, judge, ...) to another subject (repeatable).",
)
@store_option
@click.option(
    "--out",
    "-o",
    type=OutputPath(file_okay=False),
    default=DEFAULT_REPORT,
    show_default=True,
    help="Folder of the report page.",
)
@prompts_option
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Maximum number of calls at once; fewer while the server says that it is busy."
    "  [default: 64; for a local model twice its batch]",
)
@shard_option
@price_option
@click.option(
    "--batch",
    is_flag=False,
    flag_value="24h",
    metavar="[TIME[,then-calls]|files:DIR]",
    help="Send calls through the provider's batch API, mostly at half the price, and wait up to TIME (24h) for each"
    " batch. then-calls: ask what is left after TIME by single calls. files:DIR: write files for `vllm run-batch` and"
    " read its results.",
)
@click.option(
    "--until-sure",
    is_flag=True,
    help="Ask each rung of the ladder only until its loss is shown or excluded, instead of a fixed design.",
)
@click.option(
    "--detect",
    type=click.FloatRange(5, 50),
    metavar="PERCENT",
    help="With --until-sure: the smallest loss to show or exclude, in percent of items.  [default: 20]",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    metavar="N",
    help="With --until-sure: maximum number of calls to each subject, divided equally among the tasks."
    "  [default: as many as the tasks' usual designs take]",
)
@click.option(
    "--budget",
    type=click.FloatRange(0, min_open=True),
    metavar="DOLLARS",
    help="With --until-sure and --price: maximum spend, with every call counted at the estimated price of the dearest.",
)
@click.option("--open", "opens", is_flag=True, help="Show the report page in the browser while the exam runs.")
@click.option("--no-report", is_flag=True, help="Only record the replies: no diagnosis, no page.")
@log_option
@click.option("--dry-run", is_flag=True, help="Print the number of calls, tokens and dollars, and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print diagnosis and estimates as one JSON object.")
def exam(subjects: tuple[str, ...], **options: Any) -> int:
    """Examine one SUBJECT or several and say why they fail: the eyes, the thinking or a habit."""
    from snellen.cli.result_process import ResultProcess

    if options["no_report"] and options["as_json"]:
        raise click.UsageError("--no-report does not go with --json: there is no diagnosis to print")
    own_paths(options["shard"], options, "store", *(() if options["no_report"] else ("out",)))
    with ResultProcess(options["store"], says=not options["no_report"]) as sayer:
        if not options["dry_run"]:
            sayer.begin()  # first of all: it loads what it needs while this process loads the rest
        return _examine(subjects, options, sayer)


def _examine(subjects: tuple[str, ...], options: dict[str, Any], sayer: "ResultProcess") -> int:
    from snellen.cli.run_log import check_logs
    from snellen.examine.batching import batch_notes, batch_options, in_batches, refuse_unbatched

    batch = batch_options(options["batch"])
    check_logs(options["log"])
    with prints_aside(options["as_json"]):
        plan = _plan(subjects, options)
    sayer.expect(plan.size)
    say_notes(plan)
    if batch:
        refuse_unbatched(plan)
        for note in batch_notes(plan, batch):
            click.echo(f"note: {note}", err=True)
    prices = in_batches(plan, prices_of(options["prices"], plan), batch)
    if options["dry_run"]:
        return _foresee(plan, options, prices, batch)
    return _hold(plan, options, prices, sayer)


def _foresee(
    plan: "ExamPlan", options: dict[str, Any], prices: "dict[str, Price]", batch: "BatchOptions | None"
) -> int:
    from snellen.examine import forecast

    names = {who.name: plan.pool.called(who) for who in plan.players}
    foreseen = forecast(plan, options["store"], prices, batch)
    if not plan.size and not options["as_json"]:
        click.echo(f"Shard {plan.shard}: no trials are in it.")
        return 0
    say_outlook(plan)
    return say_forecast(foreseen, names, options["as_json"])


def _hold(plan: "ExamPlan", options: dict[str, Any], prices: "dict[str, Price]", sayer: "ResultProcess") -> int:
    from snellen.cli.progress_bars import watching
    from snellen.cli.run_log import logging_to
    from snellen.cli.view import beside
    from snellen.examine import run_plan

    called = {plan.pool.called(who): prices[who.name].batched for who in plan.players if who.name in prices}
    open_page = beside(options["store"], called) if options["opens"] else nullcontext(lambda: None)
    with logging_to(options["log"]) as log, open_page as show_page:
        with prints_aside(options["as_json"]), watching(", ".join(plan.labels), plan.size, prices) as watch:
            announced = once_begun([watch, sayer.look], lambda: say_outlook(plan), show_page)
            how = {name: options[name] for name in ("concurrency", "batch")}
            result = run_plan(plan, options["store"], **how, watch=announced)
        if not plan.size:
            click.echo(f"Shard {plan.shard}: no trials are in it; {options['store']} records that.", err=True)
            return 0
        if (status := sayer.say(result, options, len(plan.subject_tracks), say_result)) == 0:
            log(result, None if options["no_report"] else options["out"])
        return status


def prints_aside(as_json: bool) -> AbstractContextManager[Any]:
    """Where one JSON object is wanted, whatever a model of somebody's own prints goes to standard error."""
    return redirect_stdout(sys.stderr) if as_json else nullcontext()


def _plan(subjects: tuple[str, ...], options: dict[str, Any]) -> "ExamPlan":
    from snellen.examine import make_plan

    choices = exam_choices(options)
    examined = list(subjects) or DEFAULT_SUBJECT
    if options["budget"] is not None:
        if not options["until_sure"] or options["most"]:
            raise click.UsageError("--budget goes with --until-sure, and in place of --most")
        from snellen.examine.batching import batch_options, in_batches
        from snellen.examine.estimate import calls_for  # which loads the analysis

        whole: ExamOptions = {**choices, "shard": None}  # all shards share the budget
        plan = make_plan(examined, **whole)
        prices, batch = prices_of(options["prices"], plan), batch_options(options["batch"])
        if batch is not None and not batch.then_calls:  # what batches leave over would go at the full price
            prices = in_batches(plan, prices, batch)
        choices["most"] = calls_for(options["budget"], plan, prices)
    return make_plan(examined, **choices)


def exam_choices(options: dict[str, Any]) -> "ExamOptions":
    """What was chosen of an exam, apart from its subjects, in the terms of `make_plan`."""
    from snellen.examine.planning import usual_task
    from snellen.tasks import parse_levels

    design = per_task("--design", options["design"], str)
    chart, settings = _tests(options["tests"]) if options["tests"] is not None else ("", [])
    if chart and options["tasks"] and not {chart, "all"} & set(options["tasks"].split(",")):
        raise click.UsageError(f"--tests are those of {chart}; leave out --tasks, or name {chart} in it")
    return {
        "tasks": (chart or usual_task(design)) if options["tasks"] is None else options["tasks"],
        "design": design,
        "n": per_task("--n", options["n"], at_least_one("--n")),
        "seed": options["seed"],
        "levels": parse_levels([*settings, *options["settings"]]),
        "paradigms": options["paradigm"],
        "data": pairs("--data", options["data"], DATA_FORM),
        "roles": pairs("--role", options["roles"], "ROLE=SUBJECT, as in judge=openai/gpt-4.1"),
        "prompts": options["prompts"],
        "samples": options["samples"],
        "until": "sure" if options["until_sure"] else None,
        "detect": None if options["detect"] is None else options["detect"] / 100,
        "most": options["most"],
        "shard": options.get("shard") and str(options["shard"]),
    }


def _tests(names: str) -> tuple[str, list[str]]:
    """The task whose tests `--tests` chooses among, and what `--set` would say in its place."""
    from snellen.tasks import tasks_with

    for task in tasks_with(lambda task: task.tests):
        if task.tests:
            return task.name, [task.tests(names)]
    raise UserError("--tests: no task with tests is installed")


def prices_of(words: Iterable[str], plan: "ExamPlan") -> dict[str, "Price"]:
    """Prices by the full names of subjects."""
    from snellen.cli.view import price_of

    players = {name: who.name for who in plan.players for name in (plan.pool.called(who), who.name)}
    abilities = {who.name: who.abilities for who in plan.players}
    prices = {}
    for word in words:
        name, price = price_of(word)
        if name not in players:
            raise unknown("subject in --price", name, players)
        write = abilities[players[name]].cache_write
        written = price.tokens_in * write if write and price.written is None else price.written
        prices[players[name]] = replace(price, written=written, writes=bool(write))
    return prices
