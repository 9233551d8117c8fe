"""Options that several commands share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def item_options(n: int | None, n_help: str) -> Callable[[F], F]:
    """--n, --seed and --set: which items, under which levels."""

    def decorate(command: F) -> F:
        for option in (
            click.option(
                "--set",
                "settings",
                multiple=True,
                metavar="FACTOR=LEVEL[,LEVEL]",
                help="Choose levels of a factor (repeatable). `snellen tasks` lists them.",
            ),
            click.option(
                "--seed",
                default=0,
                show_default=True,
                help="Seed of generated items; a new seed makes fresh ones.",
            ),
            click.option("--n", type=click.IntRange(min=1), default=n, show_default=n is not None, help=n_help),
        ):
            command = option(command)
        return command

    return decorate


data_option = click.option(
    "--data", multiple=True, metavar="TASK=PATH_OR_HUB_ID", help="A published set in place of generated items."
)

store_argument = click.argument("store", type=click.Path(path_type=Path, dir_okay=False))


def pairs(option: str, words: Iterable[str]) -> dict[str, str]:
    """NAME=VALUE words of a repeatable option as a mapping."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (equals and name and value):
            raise click.UsageError(f"{option} {word!r}: expected NAME=VALUE")
        if name in found:
            raise click.UsageError(f"{option} {word!r}: {name} is given twice, {found[name]!r} before")
        found[name] = value
    return found
