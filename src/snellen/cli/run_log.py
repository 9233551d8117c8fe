"""`snellen log`, and `--log` of other commands: results where a training run is looked at."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from snellen.cli.options import LOG_FORM, examples_epilog, store_argument
from snellen.cli.waiting import waiting
from snellen.errors import unknown

if TYPE_CHECKING:
    from snellen.examine import Exam

EXAMPLES = """\
  snellen log runs.sqlite --to tensorboard=runs/exam         all subjects, each at its step
  snellen log checkpoints.sqlite --to wandb=my-project --to mlflow
  snellen log old.sqlite my-model --to mlflow --step 1000
"""
NOTES = """\
WHERE is the project (wandb, trackio), the experiment (mlflow) or the folder (tensorboard). A subject with a step in its
name (step-500, checkpoint-500) is logged at that step. Where data go is up to the tracker's own settings, such as
WANDB_MODE=offline, MLFLOW_TRACKING_URI and TRACKIO_DIR.
"""


@click.command(epilog=examples_epilog("log", EXAMPLES, NOTES))
@store_argument
@click.argument("subjects", metavar="[SUBJECT]...", nargs=-1)
@click.option("--to", "logs", multiple=True, required=True, metavar=LOG_FORM, help="The tracker (repeatable).")
@click.option(
    "--step", type=click.IntRange(0), metavar="N", help="Step of subjects whose names contain none.  [default: 0]"
)
def log(store: Path, subjects: tuple[str, ...], logs: tuple[str, ...], step: int | None) -> None:
    """Log the results in STORE, of these subjects or all, to an experiment tracker: accuracy and losses by faculty as
    curves, the report page as an artifact, and a table of the answers that changed from one subject to the next."""
    from snellen.examine import Exam

    check_logs(logs)
    known = Exam(store).examined  # whatever is wrong with the store is said before a run is begun
    if strange := [name for name in subjects if name not in known]:
        raise unknown("subject in this store", strange[0], known)
    exam = Exam(store, subjects)
    with (
        logging_to(logs, step) as send_all,
        TemporaryDirectory() as report,
        waiting(f"Analysing {store} and logging it"),
    ):
        exam.report(report)
        send_all(exam, Path(report))
    click.echo(f"logged to {', '.join(logs)}: {', '.join(exam.examined)}")


def check_logs(logs: Sequence[str]) -> None:
    """Refuse trackers that are unknown or not installed, before anything is spent."""
    if logs:
        from snellen.bridge.run_logs import check_run_log

        for words in logs:
            check_run_log(words)


@contextmanager
def logging_to(logs: Sequence[str], step: int | None = None) -> "Iterator[Callable[[Exam, Path | None], None]]":
    """Open these run logs, for a function that sends an exam and the folder of its report to all of them."""
    if not logs:
        yield lambda exam, report: None
        return
    from snellen.bridge.run_logs import open_run_log, send

    with ExitStack() as stack:
        opened = [stack.enter_context(open_run_log(words)) for words in logs]

        def send_all(exam: "Exam", report: Path | None) -> None:
            for each in opened:
                send(exam, each, step=step, report=report)

        yield send_all
