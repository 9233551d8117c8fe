"""What `snellen exam` and its relatives print: notes on the plan, the forecast, the result, and how to go on."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.defaults import NOT_OVER

if TYPE_CHECKING:
    from snellen.analysis.power import Power
    from snellen.engine import RunProgress, RunSummary
    from snellen.examine import Exam, ExamPlan, Forecast

MOST_NOTES = 8
MOST_REASONS = 3


def say_notes(plan: "ExamPlan") -> None:
    """What is not asked, or not as it was published, in a few lines."""
    if plan.left_out:
        who = " and ".join(plan.choosy)
        kind = f"items of a kind that {who} does not do{plan.choosy_about}"
        click.echo(f"left out: {plan.left_out:,} trials on {kind}", err=True)
    if plan.tracks_left_out:
        who = " and ".join(plan.choosy) or "this way of asking"
        kind = f"tracks of a kind that {who} does not do{plan.choosy_about}"
        click.echo(f"left out: {plan.tracks_left_out:,} {kind}", err=True)
    for trained in plan.trained_items:
        click.echo(f"note: {trained}", err=True)
    tasks_by_note: dict[str, list[str]] = {}
    for part in plan.parts:
        for note in part.notes:
            tasks_by_note.setdefault(note, []).append(part.task.name)
    for note, tasks in list(tasks_by_note.items())[:MOST_NOTES]:
        where = f"{', '.join(tasks)}: " if len(plan.parts) > 1 else ""
        click.echo(f"note: {where}{note}", err=True)
    if len(tasks_by_note) > MOST_NOTES:
        click.echo(f"note: {len(tasks_by_note) - MOST_NOTES:,} more notes", err=True)
    alike = [who.name for who in plan.players if plan.samples > 1 and who.settings.get("temperature") == 0]
    if alike:
        names = ", ".join(alike)
        click.echo(f"note: {names}: at temperature 0 samples are much alike; add :temperature=1 to its name", err=True)


def say_outlook(plan: "ExamPlan") -> None:
    """What the exam will be able to tell apart; of a shard without trials nothing."""
    from snellen.examine.outlook import tells_apart

    for part in plan.parts if plan.size else ():
        click.echo(f"{part.task.name}: {tells_apart(part)}", err=True)


def once_begun(
    watches: "Iterable[Callable[[RunProgress], None]]", *first: Callable[[], None]
) -> "Callable[[RunProgress], None]":
    """All who watch, and what to do first once the exam has begun: one that cannot begin says why, and nothing
    else. Settings that a server does not heed are named once."""
    begun = False
    warned: set[tuple[str, str]] = set()

    def update(progress: "RunProgress") -> None:
        nonlocal begun
        if not begun:
            begun = True
            for act in first:
                act()
        for name, settings in progress.not_heeded.items():
            for setting, sign in settings.items():
                if (name, setting) not in warned:
                    warned.add((name, setting))
                    click.echo(f"warning: {name}: {setting} was asked for and not heeded: {sign}", err=True)
        for watch in watches:
            watch(progress)

    return update


def say_forecast(forecast: "Forecast", names: dict[str, str], as_json: bool) -> int:
    """What it would take, per subject (`names`: what each is called), and what it would show, per task."""
    estimate = forecast.estimate
    if as_json:
        subjects = {name: asdict(part) for name, part in estimate.by_subject.items()}
        powers = {task: asdict(power) for task, power in forecast.powers.items()}
        told = {"subjects": subjects, "sampled": estimate.sampled, "power": powers}
        if forecast.most:
            told["at_most"] = {name: asdict(part) for name, part in forecast.most.by_subject.items()}
        click.echo(json.dumps(told))
        return 0
    about = "about " if estimate.sampled else ""
    for name, part in estimate.by_subject.items():
        most = f", at most {forecast.most.by_subject[name].to_make:,}" if forecast.most and part.to_make else ""
        under_way = f", {part.in_batch:,} in batches under way" if part.in_batch else ""
        click.echo(
            f"{names.get(name, name)}: {about}{part.to_make:,} calls to make{most}, {part.known:,} already in the store"
            + under_way
        )
        money = f", about ${part.cost:,.2f}" if part.cost is not None else ""
        cached = f" ({part.tokens_cached:,} of them cached)" if part.tokens_cached else ""
        click.echo(f"  about {part.tokens_in:,} tokens in{cached} and {part.tokens_out:,} out{money}")
    if estimate.total.cost is None:
        click.echo("For an estimate in dollars give --price SUBJECT=IN/OUT (per million tokens).")
    for task, power in forecast.powers.items():
        click.echo(f"{task}: {_can_show(power)}")
    if forecast.powers:
        click.echo("  (differences: assuming that two subjects differ on 30 % of trials, within-item correlation 0.5)")
    return 0


def _can_show(power: "Power") -> str:
    """What a design can show, in words; a warning where it is too small for any diagnosis."""
    if power.fault is None or power.fault > 0.5:
        return f"WARNING: too few items ({power.items}): a fault on half of them may be missed; give a larger --n"
    fault = f"90 % power to detect a fault on {100 * power.fault:.0f} % of items or more"
    if power.difference is None:
        return fault
    return f"{fault}, and a difference of {100 * power.difference:.0f} points or more between two subjects"


def say_result(result: "Exam", options: dict[str, Any], tracks: int) -> int:
    """The diagnosis, the page, and how to go on if something is left to do."""
    if (summary := result.summary) and summary.ended in ("interrupted", "waiting"):
        return say_interrupted(summary, options["store"], tracks)
    if options.get("no_report"):
        if summary and summary.errors:
            say_errors(summary, tracks)
        return 0
    from snellen.cli.console import plain_console  # which load the analysis
    from snellen.cli.screen import say_judges, show_diagnoses

    if options["as_json"]:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
    else:
        show_diagnoses(result.findings, plain_console())
    page = result.report(options["out"])
    say_judges(result.rows)
    if summary and summary.errors:
        say_errors(summary, tracks)
    click.echo(f"Report: {page}", err=options["as_json"])
    return 0


def say_interrupted(summary: "RunSummary", store: Path, tracks: int) -> int:
    """What is kept of a run that was interrupted; its exit status."""
    from snellen.cli.console import plain_console
    from snellen.engine.signals import interrupted_status

    about = "about " if tracks else ""
    if summary.ended == "waiting":
        click.echo(f"Batches are not over:\n{summary.problem}", err=True)
        click.echo("They are on record: the same command, given again later, takes them up.", err=True)
        return NOT_OVER
    plain_console(stderr=True).print(
        f"Interrupted: {summary.done + summary.skipped:,} trials are kept in {store}, "
        f"{about}{summary.remaining:,} are left. Run the same command again to resume.",
        soft_wrap=True,
    )
    if summary.problem:
        click.echo(f"Batches go on without this exam: {summary.problem}.", err=True)
    return interrupted_status()


def say_errors(summary: "RunSummary", tracks: int) -> None:
    """How many trials failed, and why."""
    from snellen.cli.console import plain_console

    err = plain_console(stderr=True)
    err.print(f"{summary.errors:,} trials ended in errors; give the same command again to retry them.", soft_wrap=True)
    for reason, calls in summary.failures[:MOST_REASONS]:
        err.print(f"  {calls:,} calls: {reason}", soft_wrap=True)
    if tracks and summary.remaining:
        err.print("Tracks that wait for them are not finished, and go on from there.", soft_wrap=True)
