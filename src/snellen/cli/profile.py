"""`snellen profile`: subjects x tasks, and what each subject loses to which faculty."""

import json
from pathlib import Path

import click

from snellen.cli.options import store_argument
from snellen.errors import unknown

EXAMPLES = """\b
Examples:
  snellen profile snellen.sqlite                          everybody
  snellen profile snellen.sqlite sim/fixated sim/ideal    two subjects
  snellen profile snellen.sqlite --json | jq '.overview[].verdict'
  snellen table snellen.sqlite profile --format latex     for a column of a paper
"""


@click.command(epilog=EXAMPLES)
@store_argument
@click.argument("subjects", nargs=-1, metavar="[SUBJECT...]")
@click.option("--json", "as_json", is_flag=True, help="Print overview and profiles as JSON.")
def profile(store: Path, subjects: tuple[str, ...], as_json: bool) -> None:
    """Print who in STORE has which verdict on which task, and the profile of each SUBJECT (of all without one):
    what it loses to which faculty, task by task, and the mean over tasks. There is no single score."""
    from snellen.analysis.ladder.overview import profile_json
    from snellen.cli.screen import plain_console, show_overview, show_profile
    from snellen.examine import Exam

    if subjects:
        examined = Exam(store).rows["subject"].unique(maintain_order=True).to_list()
        for subject in subjects:
            if subject not in examined:
                raise unknown("subject", subject, examined)
    findings = Exam(store, subjects).findings
    if as_json:
        click.echo(json.dumps(profile_json(findings), ensure_ascii=False))
        return
    console = plain_console()
    show_overview(findings.diagnoses, console)
    for of_subject in findings.profiles:
        show_profile(of_subject, console)
    console.print()
