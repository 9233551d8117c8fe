"""What an exam left together, and the command that would tell it apart."""

from collections.abc import Iterator, Sequence

import polars as pl

from snellen.analysis.casts import IN_WORDS
from snellen.analysis.ladder.case import LadderEvidence
from snellen.analysis.ladder.steps import LadderStep
from snellen.faculties import listed
from snellen.ladder import FEW, Rung

RETRY = "Run the same exam again: calls that failed are made again, and no others."


def missing(case: LadderEvidence) -> tuple[str, ...]:
    """Which faculties were left together, and what would tell them apart."""
    return tuple(_missing(case))


def _missing(case: LadderEvidence) -> Iterator[str]:
    asked_rungs = {rung.rung.name for rung in case.result.line}
    left_out = {harder.rung.rung.name for harder in case.harder}
    unread = {rung.rung.name for rung in case.untested}
    shown = {loss.faculties for loss in case.losses if loss.shown}
    wanted = [rung for rung in case.result.spec.ladder if rung.on_line and rung.name not in asked_rungs]
    wanted = [rung for rung in wanted if _is_for_some(rung, case)]
    for rung in case.untested:
        items = int((rung.asked > 0).sum())
        few = "readable replies" if rung.is_unread else f"items: {items} (at least {FEW} are needed)"
        yield f"{rung.rung.name}: too few {few}; the faculty that this rung adds was not tested."
    for step in case.steps:
        names = [name for name in step.faculties if name != "form"]
        between = [rung for rung in wanted if _tells(rung, names)]
        if names == ["habit"] and step.faculties in shown:
            yield from _filled_in(case, step, [rung for rung in wanted if _is_possible(rung, case)])
        if len(names) < 2 or (case.perception and step.faculties not in shown):
            continue
        told = f"{listed(names, 'and')} were not told apart"
        failed = [rung for rung in between if rung.name in case.result.failed]
        blank = [] if failed else [rung for rung in between if not _is_possible(rung, case)]
        if blank:
            between = [rung for rung in between if rung not in blank]
            shows = "shows" if len(blank) == 1 else "show"
            told += f": {case.result.subject} requires an image, and {_named(blank)} {shows} none"
        if failed:
            yield f"{told}: {_failed(case, failed)}"
        elif between:
            was = "was" if len(between) == 1 else "were"
            short = f", and its own perception questions do not tell on {case.items} items" if case.perception else ""
            yield f"{told}: {_named(between)} {was} not asked{short}. {_remedy(case, asked_rungs)}".rstrip()
        elif blank:
            yield f"{told}."
        elif left_out or unread:
            yield f"{told}: {' and '.join(sorted(left_out | unread))} could not be used."


def _failed(case: LadderEvidence, rungs: Sequence[Rung]) -> str:
    counts = " and ".join(f"{case.result.failed[rung.name]} calls of {rung.name}" for rung in rungs)
    return f"{counts} failed. {RETRY}"


def _tells(rung: Rung, names: Sequence[str]) -> bool:
    """Whether a rung demands some of the faculties and not others."""
    demanded = [name in rung.demands for name in names]
    return any(demanded) and not all(demanded)


def _is_possible(rung: Rung, case: LadderEvidence) -> bool:
    """Whether the subject can be asked a rung: some take no call without a picture."""
    return "eyes" in rung.demands or case.result.subject not in case.result.spec.wordless


def _is_for_some(rung: Rung, case: LadderEvidence) -> bool:
    """Whether an item that was asked has the rung."""
    names = sorted({name for put in rung.puts for name in put.of} & {*case.result.trials.columns})
    kinds = case.result.trials.select(pl.col(names).cast(pl.String)).unique().rows(named=True) if names else [{}]
    return any(rung.is_for(kind) for kind in kinds)


def _filled_in(case: LadderEvidence, step: LadderStep, wanted: Sequence[Rung]) -> Iterator[str]:
    """What a habit may hide where the rung right below it, which shows the same parts without it, was not asked."""
    order = [rung.name for rung in case.result.spec.ladder]
    lower, upper = (order.index(rung.rung.name) for rung in (step.lower, step.upper) if rung)
    if between := [rung for rung in wanted if lower < order.index(rung.name) < upper]:
        yield (
            f"What it does not make out and fills in by habit is not told apart from what it sees and overrides:"
            f" {_named(between)} was not asked.{_to_ask(case)}"
        )


def _named(rungs: Sequence[Rung]) -> str:
    return " and ".join(rung.name for rung in rungs)


def _remedy(case: LadderEvidence, asked_rungs: set[str]) -> str:
    """What to ask for. Where the rest of the ladder was asked, these pictures have no exact words: then another's may
    stand in."""
    if "told" not in asked_rungs or "words" in asked_rungs:
        return _to_ask(case).strip()
    own = [put.paradigms[0] for rung in case.result.spec.ladder for put in rung.puts if "describer" in put.cast]
    describing = next((name for name in own if name in IN_WORDS), IN_WORDS[-1])
    spec = case.result.spec
    command = spec.asking(case.result.subject, "--paradigm", describing, "--role", "describer=OTHER")
    stand_in = "These pictures have no exact words; those of a better describer may stand in"
    return f"{stand_in}: {command}." if command else f"{stand_in}."


def _to_ask(case: LadderEvidence) -> str:
    """The command that asks the whole ladder, where there is one."""
    command = case.result.spec.asking(case.result.subject)
    return f" To ask: {command}." if command else ""
