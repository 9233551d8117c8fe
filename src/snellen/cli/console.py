"""The terminal."""

from rich.console import Console


def plain_console(*, stderr: bool = False) -> Console:
    """A console that takes words as they are: names of models and files may hold what looks like markup."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)
