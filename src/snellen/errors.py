"""What bad input gets: one line that says what was found, what was expected and how to fix it."""

import re
import shlex
from collections.abc import Iterable
from difflib import get_close_matches

from snellen.masking import mask, secret_in

__all__ = ["UserError"]

_NOUN = re.compile(r"(?!kind of|sort of|animal)(.+?)( (?:of|in|with) .+)?")
"""What is unknown, and where it was looked for: "level", " of factor rule"."""


class UserError(Exception):
    """Something the user can fix. The CLI prints its one line and exits with status 2. It shows no keys."""

    def __init__(self, message: str = "") -> None:
        super().__init__(mask(message))


def unknown(what: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a name that is not one of `known`, with the nearest names."""
    names = list(known)
    spelt = {known.lower(): known for known in names}
    near = [spelt[match] for match in get_close_matches(name.lower(), spelt, n=3)]
    several = [spelt.get(word) for word in re.split(r"[\s;|+]+", name.lower())]
    if len(several) > 1 and (listed := [word for word in several if word]) == several:
        hint = f"separate names by commas: {','.join(listed)}"
    else:
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names)}"
    noun, where = found.groups("") if (found := _NOUN.fullmatch(what)) else (what, "")
    return UserError(f"unknown {noun} {name!r}{where}; {hint}")


def refuse_secret(text: str, where: str, instead: str) -> None:
    """Refuse a key where it would be recorded or shown. `where` it was found, and what to do `instead`."""
    if what := secret_in(text, strict=True):
        raise UserError(f"{where} contains {what}, and would be recorded; leave it out and {instead}")


def invocation(*words: object) -> str:
    """A `snellen` command with these arguments, quoted for a shell."""
    return shlex.join(["snellen", *map(str, words)])


def in_one_line(error: BaseException) -> str:
    """The message of a library's error, in one short line."""
    words = " ".join(mask(str(error)).split()) or type(error).__name__
    return words if len(words) <= 200 else words[:199] + "…"
