"""`snellen compare`: two subjects on the same trials, and gates for a team's checks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import click

from snellen.cli.options import store_argument, style_option
from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.analysis.gates import Judged

EXAMPLES = """\b
Examples:
  snellen compare snellen.sqlite sim/fixated sim/ideal
  snellen compare snellen.sqlite step-1000 step-2000 --task fixation --by rule
  snellen compare snellen.sqlite server-a server-b --same-model
  snellen compare snellen.sqlite old new --fail-if 'fixation:accuracy<-3' --fail-if 'all:unread>2' --junit gate.xml

A gate names what must not happen to the second subject: TASK:accuracy<-POINTS, TASK:unread>POINTS, also for some levels
only, as in fixation[rule=inverse]:accuracy<-5. It is passed if the 95 % interval lies on the good side of the margin.
Exit status 1 if one is not passed.

--same-model asks of two subjects that should be one (the same weights on two servers) whether they see alike on the eye
chart: acuity, contrast, effective resolution, tokens. Exit status 1 if they do not.
"""


@click.command(epilog=EXAMPLES)
@store_argument
@click.argument("before")
@click.argument("after")
@click.option("--task", help="Only this task, also level by level of its factors.")
@click.option("--by", metavar="FACTOR", help="Level by level of this factor.")
@click.option("--fail-if", "gates", multiple=True, metavar="TASK:accuracy<-POINTS", help="A gate (repeatable).")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.xml",
    help="Write the gates as a JUnit file, for whatever shows test results.",
)
@click.option("--same-model", is_flag=True, help="One model on two servers: do both see alike on the eye chart?")
@style_option
def compare(
    store: Path,
    before: str,
    after: str,
    task: str | None,
    by: str | None,
    gates: tuple[str, ...],
    junit: Path | None,
    same_model: bool,
    style: str,
) -> int:
    """Compare AFTER with BEFORE on the trials both were asked, pair by pair."""
    from snellen.analysis import comparing, tables
    from snellen.analysis.gates import gate, judge
    from snellen.examine import Exam

    if same_model:
        if task or by or gates or junit:
            raise click.UsageError("--same-model compares eye charts; it goes with --format only")
        return _same_model(store, before, after, style)
    if junit and not gates:
        raise click.UsageError("--junit needs at least one --fail-if")
    wanted = [gate(words) for words in gates]
    rows = Exam(store).rows
    table = comparing.compare(rows, before, after, task=task, by=by)
    judged = judge(rows, before, after, wanted)
    click.echo(tables.render(table, style))
    for verdict in judged:
        click.echo(verdict.line, err=True)
    if junit:
        _write_junit(junit, judged, f"{after} against {before}")
    return int(any(verdict.outcome != "passed" for verdict in judged))


def _same_model(store: Path, first: str, second: str, style: str) -> int:
    """Whether two that should be one see alike; 1 if they do not."""
    from snellen.analysis import tables
    from snellen.analysis.acuity.same import same_model
    from snellen.examine import Exam

    found = same_model(Exam(store).rows, first, second)
    click.echo(tables.render(found.table, style))
    click.echo(found.verdict, err=True)
    return int(bool(found.apart))


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
