"""The command line: parse, call, print."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, NoReturn

import click

from snellen import __version__
from snellen.cli.groups import CommandGroup, Sections
from snellen.errors import UserError, refuse_secret
from snellen.garbage import collect_seldom
from snellen.masking import learn_environment, mask, names_key

SECTIONS: Sections = {
    "Examine a model": {
        "exam": ("snellen.cli.exam:exam", "Examine a subject and say why it fails."),
        "compare": ("snellen.cli.comparing:compare", "Compare two subjects, pair by pair; fail if one got worse."),
        "watch": ("snellen.cli.watch:watch", "Examine the checkpoints of a training run as they are written."),
        "fan": ("snellen.cli.fan:fan", "Examine many subjects on many machines: Ray, Slurm, local processes."),
    },
    "Look at results": {
        "report": ("snellen.cli.results:report", "Write the report page of a store."),
        "view": ("snellen.cli.view:view", "Show the report page in the browser, also while an exam runs."),
        "table": ("snellen.cli.tables:table", "Print a table of results."),
        "figure": ("snellen.cli.figures:figure", "Write a chart of results, or an eye chart, as a file for a paper."),
        "methods": ("snellen.cli.methods:methods", "Print the methods section of a paper, numbers filled in."),
        "read": ("snellen.cli.reading:read", "Read a reply, or those in a store, and explain the reading."),
        "why": ("snellen.cli.why:why", "Say in which field two recorded calls differ."),
        "export": ("snellen.cli.results:export", "Write all trials as one tidy Parquet file."),
        "log": ("snellen.cli.run_log:log", "Log results to wandb, MLflow, TensorBoard or Trackio."),
        "check": ("snellen.cli.check:check", "Check a store for damage; save what is whole of a damaged one."),
        "merge": ("snellen.cli.merging:merge", "Merge the stores of several machines into one."),
        "import": ("snellen.cli.imports:import_group", "Bring results of other tools into a store."),
    },
    "Share results": {
        "publish": ("snellen.cli.publishing:publish", "Write results as a folder that others can read and verify."),
        "verify": ("snellen.cli.publishing:verify", "Check a published folder: replies, items and every figure."),
        "board": ("snellen.cli.publishing:board", "Write a leaderboard of published folders, without a single score."),
    },
    "Work with items": {
        "tasks": ("snellen.cli.items:tasks", "List the tasks with their designs, factors and sizes."),
        "show": ("snellen.cli.items:show", "Draw a contact sheet of a task's items."),
        "make": ("snellen.cli.items:make", "Write items, pictures, keys and twins as a data set."),
        "audit": ("snellen.cli.items:audit", "Look for shortcuts in a task or a data set."),
        "filter": ("snellen.cli.items:filter_set", "Drop items that every model solves, and duplicates."),
    },
    "Train and steer": {
        "lab": ("snellen.cli.lab:lab", "Training sets, training, transfer, steering, the bundled model."),
    },
}

_INSTEAD = "set it in the environment, as OPENAI_API_KEY, or SNELLEN_API_KEY for a server of your own"


@click.group(
    cls=CommandGroup,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Start with `snellen exam`: it needs no key and no network.",
)
@click.version_option(__version__, prog_name="snellen")
def cli() -> None:
    """An eye exam for vision-language models: it says why a model is wrong, not only how often."""


def main() -> None:
    """Run the command line."""
    collect_seldom()
    run(cli)


def run(group: click.Group) -> None:
    """Run a group of commands."""

    def work() -> Any:
        _refuse_keys(sys.argv[1:])
        return group.main(standalone_mode=False)

    ending(work)


def ending(work: Callable[[], Any]) -> NoReturn:
    """Do the work and exit with its status; every foreseeable mistake ends in one line on standard error."""
    sys.excepthook = _tell_mistake
    try:
        with _ending_on_sigterm():
            status = work()
    except UserError as error:
        _fail(str(error))
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help; older versions of click have none
            click.echo(error.format_message(), err=True)
            sys.exit(2)
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        _fail(f"{error.format_message()}{_meant(error)}{where}")
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:  # whatever a disk or a network may come up with that nobody nearer could name
        _fail(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}")
    sys.exit(status if isinstance(status, int) else 0)


@contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """Within, SIGTERM unwinds the program wherever it is, so that files are closed and processes ended; status 143."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _tell_mistake(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The traceback of a mistake of ours, without keys that its messages may hold."""
    lines = "".join(traceback.format_exception(kind, error, trace))
    click.echo(mask(lines), err=True, nl=False)


def _refuse_keys(words: list[str]) -> None:
    """Refuse keys among the words of a command, whatever they were meant for, before anything reads them."""
    learn_environment(os.environ)
    option = "the command"
    for word in words:
        option = word.partition("=")[0] if word.startswith("--") else option
        refuse_secret(word, option, _INSTEAD)
        if word.startswith("--") and option != "--key" and names_key(option):  # `audit --key COLUMN` has nothing secret
            raise UserError(f"there is no option {option}: leave it out and {_INSTEAD.replace(' it ', ' the key ')}")


def _meant(error: click.UsageError) -> str:
    """A suggestion for a long option that was given a single dash, and for --store where STORE is an argument."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return ""
    command, path = error.ctx.command, error.ctx.command_path
    if error.option_name == "--store":
        takes = any((param.metavar or "").startswith("[STORE]") for param in command.params)
        return f" STORE is an argument: {path} STORE ..." if takes else ""
    meant = f"-{error.option_name}"
    return f" Did you mean {meant}?" if any(meant in param.opts for param in command.params) else ""


def _fail(line: str) -> None:
    whole = " ".join(mask(line).split()).encode("utf-8", "replace").decode()  # half a character cannot be printed
    with suppress(OSError):  # the terminal may be gone
        click.echo(f"snellen: {whole}", err=True)
    sys.exit(2)
