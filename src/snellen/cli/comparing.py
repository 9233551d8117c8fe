"""`snellen compare`: two subjects on the same trials, and gates for a team's checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import click

from snellen.cli.groups import GroupedCommand
from snellen.cli.options import OutputPath, examples_epilog, split_store, style_option
from snellen.cli.until_sure import ASKING, UntilSureOptions, asking_options, compare_asking
from snellen.cli.waiting import waiting
from snellen.errors import UserError, invocation

if TYPE_CHECKING:
    import polars as pl

    from snellen.analysis.gates import Judged

EXAMPLES = """\
  snellen compare sim/fixated sim/ideal
  snellen compare server-a server-b --same-model
  snellen compare runs.sqlite old new --fail-if 'all:accuracy<-3' --fail-if 'all:unread>2' --junit gate.xml
  snellen compare sim/ideal sim/fixated --until-sure    ask both, and stop when it is decided
  snellen compare old=vllm/a new=vllm/b --until-sure --tasks all --margin 5 --most 4000
"""
NOTES = """\
A gate names a change of the second subject that must not happen: TASK:accuracy<-POINTS or TASK:unread>POINTS, for some
levels only TASK[FACTOR=LEVEL]:accuracy<-POINTS. It is passed if the 95 % CI lies on the good side of the margin. Exit
status 1 if a gate is not passed.

--until-sure asks both subjects the same new items, batch by batch, and stops on each task when one is shown better,
when both are equivalent within --margin, or at --most. Looking after every batch is allowed for: one of two equal
subjects is called better on a task in at most 1 of 20 comparisons. An unread reply is not right. The same command again
goes on where it stopped, or prints the same.

--same-model tests whether the same weights on two servers see the same pictures, at each canvas size, on the charts of
`snellen exam A B --design same`. Exit status 1 if they do not, or if that could not be measured.
"""


EYES = (
    "Eye charts that tracks chose are left out: each is as hard as can be for whoever was asked; `{}` compares"
    " thresholds."
)


GROUPS = {
    "What to compare": "--tasks --by --same-model",
    "Asking both (--until-sure)": ASKING,
    "Gates": "--fail-if --junit",
}


STOPPED = (
    "{}: asked until it was decided which of the two is better, which the intervals and p values here do not allow for;"
    " add --until-sure for those that do."
)


@click.command(cls=GroupedCommand, groups=GROUPS, epilog=examples_epilog("compare", EXAMPLES, NOTES))
@click.argument("words", metavar="[STORE] BEFORE AFTER", nargs=-1, required=True)
@click.option(
    "--tasks",
    "task",
    metavar="NAME",
    help="Only this task, also by the levels of each of its factors. With --until-sure: NAME,...|all.",
)
@click.option("--by", metavar="FACTOR", help="By the levels of this factor.")
@click.option(
    "--fail-if",
    "gates",
    multiple=True,
    metavar="TASK:accuracy<-POINTS",
    help="A gate: exit with status 1 on this change (repeatable).",
)
@click.option(
    "--junit",
    type=OutputPath(dir_okay=False, makes_parents=False),
    metavar="FILE.xml",
    help="Write the gates as a JUnit file, for CI.",
)
@click.option("--same-model", is_flag=True, help="One model on two servers: do both see the same pictures?")
@asking_options
@style_option
def compare(
    words: tuple[str, ...],
    same_model: bool,
    style: str,
    asking: UntilSureOptions,
    **wanted: Unpack["ComparisonOptions"],
) -> int:
    """Compare the subject AFTER with BEFORE on the trials both were asked, pair by pair."""
    store, names = split_store(words)
    if len(names) != 2:
        found = f"found {' and '.join(names) or 'none'}"
        raise click.UsageError(f"expected two subjects, BEFORE and AFTER; {found}")
    if asking.until_sure:
        if same_model or wanted["by"] or wanted["gates"] or wanted["junit"]:
            raise click.UsageError("--same-model, --by, --fail-if and --junit do not go with --until-sure")
        return compare_asking(names[0], names[1], wanted["task"], asking.at(store, words), style)
    sides = ComparedSubjects(store, names[0], names[1], style)
    if not same_model:
        return _answers(sides, wanted)
    if any(wanted.values()):
        raise click.UsageError("--same-model compares eye charts; it goes with --format only")
    return _eyes(sides)


class ComparisonOptions(TypedDict):
    """What to look at of the answers, and what must not happen to them."""

    task: str | None
    by: str | None
    gates: tuple[str, ...]
    junit: Path | None


@dataclass(frozen=True)
class ComparedSubjects:
    """Two subjects of a store to compare. `style`: the format of the printed table."""

    store: Path
    before: str
    after: str
    style: str

    @cached_property
    def rows(self) -> "pl.DataFrame":
        """All trials that a design chose. What tracks chose to ask is as hard as can be for one of the two."""
        from snellen.examine import Exam
        from snellen.examine.findings import measures

        exam = Exam(self.store)
        rows, asked = exam.untracked, set(exam.rows["subject"])
        measured = [task for task in exam.rows["task"].unique(maintain_order=True) if measures(task)]
        charts = exam.rows["task"].is_in(measured)
        for name in (self.before, self.after):
            if name in asked - set(rows["subject"]):
                limits = f"{measured[0]}-differences" if charts.all() else "difficulty"
                command = invocation("table", self.store, limits)
                raise UserError(f"{name!r} was asked in tracks only, which are in no accuracy; limits: `{command}`")
        if int(charts.sum()) > int(rows["task"].is_in(measured).sum()):
            command = invocation("table", self.store, f"{measured[0]}-differences")
            click.echo(EYES.format(command), err=True)
        if compared := _until_sure(exam.fingerprints, {self.before, self.after}):
            click.echo(STOPPED.format(", ".join(compared)), err=True)
        return rows


def _until_sure(fingerprints: Sequence[Mapping[str, Any]], names: set[str]) -> list[str]:
    """The tasks on which these two were asked until it was decided which is better."""
    from snellen.sequential import COMPARED

    both = (own for own in fingerprints if names <= set(own.get("subjects", ())))
    return list(dict.fromkeys(name for own in both for name, task in own["tasks"].items() if COMPARED in task))


def _answers(sides: ComparedSubjects, wanted: ComparisonOptions) -> int:
    """How often two are right on the same trials; 1 if a gate is not passed."""
    from snellen.analysis import comparing, tables
    from snellen.analysis.gates import gate, judge

    if wanted["junit"] and not wanted["gates"]:
        raise click.UsageError("--junit needs at least one --fail-if")
    gates = [gate(words) for words in wanted["gates"]]
    rows = sides.rows
    with waiting(f"Comparing {sides.before} and {sides.after}"):
        table = comparing.compare(rows, sides.before, sides.after, task=wanted["task"], by=wanted["by"])
        judged = judge(rows, sides.before, sides.after, gates)
    click.echo(tables.render(table, sides.style))
    for verdict in judged:
        click.echo(verdict.line, err=True)
    if wanted["junit"]:
        _write_junit(wanted["junit"], judged, f"{sides.after} against {sides.before}")
    return int(any(verdict.outcome != "passed" for verdict in judged))


def _eyes(sides: ComparedSubjects) -> int:
    """Whether two that should be one see alike; 1 if they do not."""
    from snellen.analysis import tables
    from snellen.examine import Exam
    from snellen.tasks import tasks_with

    alike = next((task.alike for task in tasks_with(lambda task: task.alike)), None)
    if alike is None:
        raise UserError("--same-model: no task is installed that compares servers")
    sight = alike(Exam(sides.store).rows, sides.before, sides.after)
    click.echo(tables.render(sight.table, sides.style))
    click.echo(sight.verdict, err=True)
    return int(bool(sight.apart) or not sight.compared)


def _write_junit(path: Path, judged: Sequence["Judged"], title: str) -> None:
    failures = sum(verdict.outcome != "passed" for verdict in judged)
    suite = Element("testsuite", name=f"snellen compare: {title}", tests=str(len(judged)), failures=str(failures))
    for verdict in judged:
        case = SubElement(suite, "testcase", classname=f"snellen.{verdict.gate.task}", name=verdict.gate.words)
        if verdict.outcome != "passed":
            SubElement(case, "failure", type=verdict.outcome, message=verdict.line)
    indent(suite)
    try:
        path.write_bytes(tostring(suite, encoding="utf-8", xml_declaration=True))
    except OSError as error:
        raise UserError(f"--junit {path}: {error.strerror or error}; give a file in a folder that exists") from None
