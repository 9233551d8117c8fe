"""Paradigms: the procedures that put a stimulus to a subject.

Each is a short async function over `ask(role, *parts)`, which returns the reply of whoever plays that role, and `say`,
which gives the paradigm's own words from its prompt pack. The reply it returns is the one that is read and marked.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from snellen.call import Reply
from snellen.errors import unknown
from snellen.item import Picture, Stimulus
from snellen.paradigms.describe import describe
from snellen.paradigms.direct import direct

WORDING = Path(__file__).parent / "wording.toml"
MAIN_ROLE = "subject"


class Ask(Protocol):
    def __call__(self, role: str, *parts: str | Picture) -> Awaitable[Reply]: ...


Say = Callable[[str, Mapping[str, str]], str]
Procedure = Callable[[Stimulus, Ask, Say], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A procedure with its roles. Whoever is examined plays every role that is not given to another."""

    name: str
    about: str
    roles: tuple[str, ...]
    run: Procedure
    words: tuple[str, ...] = ()
    """The pieces of wording it takes from its pack."""
    needs_pictures: bool = False
    """Whether there is nothing to do for a stimulus in words alone."""


PARADIGMS = {
    p.name: p
    for p in (
        Paradigm("direct", "the stimulus is shown and the question asked, in one go", (MAIN_ROLE,), direct),
        Paradigm(
            "describe",
            "the describer puts each picture into words, not knowing the question; the reasoner answers from the words",
            ("describer", "reasoner"),
            describe,
            words=("describe", "reason"),
            needs_pictures=True,
        ),
    )
}


def paradigm(name: str) -> Paradigm:
    if name not in PARADIGMS:
        raise unknown("paradigm", name, PARADIGMS)
    return PARADIGMS[name]


__all__ = ["MAIN_ROLE", "PARADIGMS", "WORDING", "Ask", "Paradigm", "Procedure", "Say", "paradigm"]
