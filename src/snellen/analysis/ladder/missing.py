"""What an exam left together, and the command that would tell it apart."""

import shlex
from collections.abc import Iterator, Sequence

import polars as pl

from snellen.analysis.casts import IN_WORDS
from snellen.analysis.ladder.case import Case
from snellen.analysis.ladder.steps import Step
from snellen.tasks.ladder import Rung

RETRY = "Run the same exam again: calls that failed are made again, and no others."


def missing(case: Case) -> tuple[str, ...]:
    """Which faculties were left together, and what would tell them apart."""
    return tuple(_missing(case))


def _missing(case: Case) -> Iterator[str]:
    asked_rungs = {rung.rung.name for rung in case.result.line}
    left_out = {harder.rung.rung.name for harder in case.harder}
    unread = {rung.rung.name for rung in case.untested}
    shown = {loss.faculties for loss in case.losses if loss.shown}
    wanted = [rung for rung in case.result.spec.ladder if rung.on_line and rung.name not in asked_rungs]
    wanted = [rung for rung in wanted if _is_for_some(rung, case)]
    for rung in case.untested:
        yield f"{rung.rung.name}: too few replies to read; what it demands beyond the rungs below is not tested."
    for step in case.steps:
        names = [name for name in step.faculties if name != "form"]
        between = [rung for rung in wanted if _tells(rung, names)]
        if names == ["habit"] and step.faculties in shown:
            yield from _filled_in(case, step, wanted)
        if len(names) < 2 or (case.perception and step.faculties not in shown):
            continue
        told = f"{' and '.join(names)} were not told apart"
        failed = [rung for rung in between if rung.name in case.result.failed]
        if failed:
            yield f"{told}: {_failed(case, failed)}"
        elif between:
            was = "was" if len(between) == 1 else "were"
            short = f", and its own perception questions do not tell on {case.items} items" if case.perception else ""
            yield f"{told}: {_named(between)} {was} not asked{short}. {_remedy(case, asked_rungs)}"
        elif left_out or unread:
            yield f"{told}: {' and '.join(sorted(left_out | unread))} could not be used."


def _failed(case: Case, rungs: Sequence[Rung]) -> str:
    counts = " and ".join(f"{case.result.failed[rung.name]} calls of {rung.name}" for rung in rungs)
    return f"{counts} failed. {RETRY}"


def _tells(rung: Rung, names: Sequence[str]) -> bool:
    """Whether a rung demands some of the faculties and not others."""
    demanded = [name in rung.demands for name in names]
    return any(demanded) and not all(demanded)


def _is_for_some(rung: Rung, case: Case) -> bool:
    """Whether an item that was asked has the rung."""
    names = sorted({name for put in rung.puts for name in put.of} & {*case.result.trials.columns})
    kinds = case.result.trials.select(pl.col(names).cast(pl.String)).unique().rows(named=True) if names else [{}]
    return any(rung.is_for(kind) for kind in kinds)


def _filled_in(case: Case, step: Step, wanted: Sequence[Rung]) -> Iterator[str]:
    """What a habit may hide where the rung right below it, which shows the same parts without it, was not asked."""
    order = [rung.name for rung in case.result.spec.ladder]
    lower, upper = (order.index(rung.rung.name) for rung in (step.lower, step.upper) if rung)
    if between := [rung for rung in wanted if lower < order.index(rung.name) < upper]:
        yield (
            f"What it does not make out and fills in by habit is not told apart from what it sees and overrides:"
            f" {_named(between)} was not asked. To ask: `snellen exam {shlex.quote(case.result.subject)} --tasks"
            f" {case.result.spec.task}`."
        )


def _named(rungs: Sequence[Rung]) -> str:
    return " and ".join(rung.name for rung in rungs)


def _remedy(case: Case, asked_rungs: set[str]) -> str:
    """What to ask for. Where the rest of the ladder was asked, these pictures have no exact words: then another's may
    stand in."""
    who, task = case.result.subject, case.result.spec.task
    exam = f"snellen exam {shlex.quote(who)} --tasks {task}"
    if "told" not in asked_rungs or "words" in asked_rungs:
        return f"To ask: `{exam}`."
    own = [put.paradigms[0] for rung in case.result.spec.ladder for put in rung.puts if "describer" in put.cast]
    describing = next((name for name in own if name in IN_WORDS), IN_WORDS[-1])
    return (
        "These pictures have no exact words; those of a better describer may stand in:"
        f" `{exam} --paradigm {describing} --role describer=OTHER`."
    )
