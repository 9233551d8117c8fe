"""Options that several commands share."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from snellen.defaults import DEFAULT_STORE
from snellen.errors import UserError
from snellen.plugins import examples
from snellen.shard import Shard, parse_shard, shard_of_process

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class OutputPath(click.Path):
    """A file or folder to write; one that cannot be written is refused before anything is done or spent.

    `makes_parents`: whether folders above it are made where they are missing.
    """

    def __init__(self, *, makes_parents: bool = True, **more: Any) -> None:
        super().__init__(path_type=Path, **more)
        self.makes_parents = makes_parents

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if problem := self._problem(path):
            option = f"{param.opts[0]} " if param else ""
            raise UserError(f"{option}{path}: cannot write there, {problem}; choose another path")
        return path

    def _problem(self, path: Path) -> str:
        if not self.file_okay and path.suffix == ".html" and not path.is_dir():
            return "it names a folder, in which the page is index.html"
        there = next(place for place in (path, *path.absolute().parents) if os.path.lexists(place))
        if there != path and not there.is_dir():
            return f"{there} is not a folder"
        if not self.makes_parents and not path.absolute().parent.is_dir():
            return f"there is no folder {path.parent}"
        return "" if _can_write(there) else f"no permission to write to {there}"


def _can_write(place: Path) -> bool:
    """Tries it in a folder: to root the system says yes everywhere, read-only file systems included."""
    if not place.is_dir():
        return os.access(place, os.W_OK)
    try:
        with TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def item_options(n: int | None, n_help: str) -> Callable[[F], F]:
    """--n, --seed, --set and --prompts: which items, under which levels, in which words."""
    n_option = click.option("--n", type=click.IntRange(min=1), default=n, show_default=n is not None, help=n_help)

    def decorate(command: F) -> F:
        for option in (prompts_option, levels_option, seed_option, n_option):
            command = option(command)
        return command

    return decorate


levels_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="[TASK.]FACTOR=LEVEL[,LEVEL]",
    help="Choose levels of a factor (repeatable). `snellen tasks` lists them.",
)
seed_option = click.option(
    "--seed", default=0, show_default=True, metavar="N", help="Seed of generated items; a new seed makes fresh ones."
)
prompts_option = click.option(
    "--prompts",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A prompt pack in place of the built-in wording.",
)


DATA_FORM = "TASK=PATH_OR_HUB_ID"
data_option = click.option(
    "--data", multiple=True, metavar=DATA_FORM, help="A published set in place of generated items."
)


def _read_width(_: click.Context, option: click.Parameter, word: str | None) -> str | float | None:
    """A width of LaTeX in points, from millimetres, or its name."""
    if word is None or word in ("column", "page"):
        return word
    try:
        mm = float(word)
    except ValueError:
        mm = 0.0
    if not 40 <= mm <= 400:
        raise click.UsageError(f"--width {word!r}: expected column, page, or millimetres from 40 to 400")
    return mm * 72.27 / 25.4


width_option = click.option(
    "--width",
    callback=_read_width,
    metavar="column|page|MM",
    help="Width of a LaTeX table.  [default: a column if it fits one, else the page]",
)
style_option = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "md", "latex", "csv", "json"]),
    default="text",
    show_default=True,
    help="Format of the table.",
)

PRICE_FORM = "SUBJECT=IN/OUT[/CACHED]"
price_option = click.option(
    "--price",
    "prices",
    multiple=True,
    metavar=PRICE_FORM,
    help="Dollars per million tokens of input and output, for the estimate and the running spend. CACHED: price of"
    " input that the provider reads from its cache; /WRITTEN after it: of input written to the cache."
    "  [default: IN; 1.25 times IN]",
)

LOG_FORM = "wandb|mlflow|tensorboard|trackio[=WHERE]"
log_option = click.option(
    "--log", multiple=True, metavar=LOG_FORM, help="Also log the results to this experiment tracker (repeatable)."
)

store_argument = click.argument(
    "store", metavar="[STORE]", default=DEFAULT_STORE, type=click.Path(path_type=Path, dir_okay=False)
)
store_option = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    default=DEFAULT_STORE,
    show_default=True,
    help="The file that keeps every call and trial.",
)


def _read_shard(_: click.Context, __: click.Parameter, words: str | None) -> Shard | None:
    """The shard that was named, or that of this process among those a launcher started, which is said."""
    if words is not None:
        return parse_shard(words)
    if (found := shard_of_process(os.environ)) is None:
        return None
    click.echo(f"shard {found.shard} (from {found.where}; --shard 1/1 for everything)", err=True)
    return found.shard


shard_option = click.option(
    "--shard",
    callback=_read_shard,
    metavar="I/N",
    help="Do only part I of N; an item and all its conditions are in one part. `snellen merge` joins the stores."
    "  [default: the number that SLURM or torchrun gives this process]",
)


def own_paths(shard: Shard | None, options: dict[str, Any], *names: str) -> None:
    """Put the shard's number into the files and folders of these options that were not named, so that workers never
    write to the same one."""
    source = click.get_current_context().get_parameter_source
    own = [name for name in names if shard is not None and source(name) is ParameterSource.DEFAULT]
    if shard is None or not own:
        return
    for name in own:
        options[name] = shard.named(options[name])
    click.echo(f"shard {shard}: {' '.join(f'--{name} {options[name]}' for name in own)}", err=True)


def split_stores(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The stores among these words, or the default one, and the other words.

    A word is a store if it ends like one or is a file that is no Python file: names of tables, figures and subjects are
    neither.
    """
    stores = [word for word in words if is_store(Path(word))]
    return [Path(word) for word in stores] or [DEFAULT_STORE], [word for word in words if word not in stores]


def split_store(words: Sequence[str]) -> tuple[Path, list[str]]:
    """The same for one store: a second one is left among the other words."""
    (store, *more), others = split_stores(words)
    return store, [*map(str, more), *others]


def is_store(path: Path) -> bool:
    return path.suffix in (".sqlite", ".sqlite3", ".db") or (path.suffix != ".py" and path.is_file())


def examples_epilog(command: str, own: str = "", more: str = "") -> str:
    """The end of a command's help: examples of its own, those that tasks bring, and more words."""
    lines = [*own.splitlines(), *(f"  {line}" for line in examples(command))]
    return "\n".join(["\b", "Examples:", *lines, *(("", *more.splitlines()) if more else ())])


def pairs(option: str, words: Iterable[str], form: str) -> dict[str, str]:
    """NAME=VALUE words of a repeatable option as a mapping; `form` says in an error what is expected."""
    values: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (equals and name and value):
            raise click.UsageError(f"{option} {word!r}: expected {form}")
        if name in values:
            raise click.UsageError(f"{option} {word!r}: {name} is given twice, {values[name]!r} before")
        values[name] = value
    return values


def per_task(option: str, words: Iterable[str], read: Callable[[str], T]) -> T | dict[str, T] | None:
    """Words of a repeatable option, each VALUE for all tasks or TASK=VALUE for one, as `examine.Choices` wants them."""
    by_task: dict[str, T] = {}
    for word in words:
        task, equals, value = word.rpartition("=")
        if (equals and not task) or not value:
            raise click.UsageError(f"{option} {word!r}: expected VALUE or TASK=VALUE")
        if task in by_task:
            raise click.UsageError(f"{option} {word!r}: given twice for {task or 'all tasks'}")
        by_task[task] = read(value)
    return by_task.get("") if set(by_task) <= {""} else by_task


def at_least_one(option: str) -> Callable[[str], int]:
    """Reads a number of items."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or int(text) < 1:
            raise click.UsageError(f"{option} {text!r}: expected a whole number from 1")
        return int(text)

    return read
