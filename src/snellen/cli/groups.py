"""Groups of commands: imported when they are asked for, listed under headings, with a suggestion for a near miss."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from snellen.cli.old import RENAMED, RENAMED_OPTIONS, renamed_option, translated

Sections = Mapping[str, Mapping[str, tuple[str, str]]]
"""Heading -> command -> where it is (`module:name`) and what it does."""


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings. `groups`: heading -> options; the rest come last."""

    def __init__(self, *args: Any, groups: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = (param for param in self.get_params(ctx) if isinstance(param, click.Option))
        shown = ((option.opts[0], option.get_help_record(ctx)) for option in options)
        records = {option: record for option, record in shown if record is not None}
        for heading, names in self.groups.items():
            with formatter.section(heading):
                formatter.write_dl([records.pop(name) for name in names.split()])
        with formatter.section("Other options"):
            formatter.write_dl(list(records.values()))


class CommandGroup(click.Group):
    """A group whose commands are imported when they are asked for, so that help is instant."""

    def __init__(self, *args: Any, sections: Sections, **more: Any) -> None:
        super().__init__(*args, **more)
        self.sections = sections

    @property
    def places(self) -> dict[str, str]:
        """The module and function of each command, by the command's name."""
        return {name: place for commands in self.sections.values() for name, (place, _) in commands.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.places:
            return None
        module, _, name = self.places[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        first, *rest = args
        is_root = ctx.parent is None
        if is_root and first in RENAMED:
            click.echo(f"snellen: `snellen {first}` is now `snellen {RENAMED[first]}`", err=True)
            args = translated(first, rest)
        elif is_root and (old := RENAMED_OPTIONS.keys() & {word.partition("=")[0] for word in rest}):
            for option in sorted(old):
                click.echo(f"snellen: `{option}` is now `{RENAMED_OPTIONS[option]}`", err=True)
            args = [first, *map(renamed_option, rest)]
        elif first not in self.places and not first.startswith("-"):
            names = {name: name for name in self.places} | (RENAMED if is_root else {})
            near = get_close_matches(first.lower(), names, n=1)
            hint = f"Did you mean {names[near[0]]!r}?" if near else f"Known: {', '.join(self.places)}."
            raise click.UsageError(f"No such command {first!r}. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        longest = max(map(len, self.places))
        for heading, commands in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{longest}}", about) for name, (_, about) in commands.items()])
