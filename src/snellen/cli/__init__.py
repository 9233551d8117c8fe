"""The command line: parse, call, print. Commands are imported when they are asked for, so that help is instant."""

import sys
from contextlib import suppress
from importlib import import_module

import click

from snellen import __version__
from snellen.errors import UserError

_COMMANDS = {
    "exam": ("snellen.cli.exam", "exam", "Examine a subject and say why it fails."),
    "tasks": ("snellen.cli.items", "tasks", "List the tasks with their designs, factors and sizes."),
    "show": ("snellen.cli.items", "show", "Draw a contact sheet of a task's items."),
    "make": ("snellen.cli.items", "make", "Write items, pictures, keys and twins as a data set."),
    "audit": ("snellen.cli.items", "audit", "Look for shortcuts in a task or a made data set."),
    "filter": ("snellen.cli.items", "filter_set", "Drop items that every model gets, and duplicates."),
    "profile": ("snellen.cli.profile", "profile", "Which verdict on which task, and what is lost to which faculty."),
    "report": ("snellen.cli.results", "report", "Write the report page of a store."),
    "view": ("snellen.cli.view", "view", "Show the report page of a store in the browser, also while an exam runs."),
    "table": ("snellen.cli.results", "table", "Print a table of a store's results."),
    "read": ("snellen.cli.reading", "read", "Read a reply, or those in a store, and say why it is read so."),
    "figure": ("snellen.cli.figures", "figure", "Write a chart of a store as SVG or PDF for a paper."),
    "card": ("snellen.cli.card", "card", "Write the eye chart of a subject, with its prescription."),
    "compare": ("snellen.cli.comparing", "compare", "Compare two subjects, pair by pair; fail if one got worse."),
    "similarity": ("snellen.cli.results", "similarity", "How like rules are to descriptions of their queries."),
    "thoughts": ("snellen.cli.results", "thoughts", "How subjects think aloud, by rules and by a model."),
    "export": ("snellen.cli.results", "export", "Write all trials as one tidy Parquet file."),
    "trainset": ("snellen.cli.lab", "trainset", "Write a training set, with what an exam asks held out."),
    "train": ("snellen.cli.lab", "train", "Train a model on such a set: SFT or GRPO."),
    "transfer": ("snellen.cli.transfer", "transfer", "What training brought, where it carries over, what it cost."),
    "steer": ("snellen.cli.steer", "steer", "Patch a local model's activations, layer by layer, with controls."),
    "lab": ("snellen.cli.unpacking", "lab", "Unpack the bundled model for other tools."),
    "import-inspect": ("snellen.cli.results", "import_inspect", "Read an Inspect log into a store."),
    "import-replies": ("snellen.cli.results", "import_replies", "Read replies to a made data set into a store."),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in _COMMANDS.items()])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Start with `snellen exam`: it needs no key and no network.",
)
@click.version_option(__version__, prog_name="snellen")
def cli() -> None:
    """An eye exam for vision-language models: it says why a model is wrong, not only how often."""


def main() -> None:
    """Run the command line."""
    run(cli)


def run(group: click.Group) -> None:
    """Run a group of commands; every foreseeable mistake ends in one line on standard error."""
    try:
        status = group.main(standalone_mode=False)
    except UserError as error:
        _fail(str(error))
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        _fail(f"{error.format_message()}{where}")
    except click.ClickException as error:
        _fail(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:  # whatever a disk or a network may come up with that nobody nearer could name
        _fail(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}")
    sys.exit(status if isinstance(status, int) else 0)


def _fail(line: str) -> None:
    whole = " ".join(line.split()).encode("utf-8", "replace").decode()  # half a character cannot be printed
    with suppress(OSError):  # the terminal may be gone
        click.echo(f"snellen: {whole}", err=True)
    sys.exit(2)
