"""What a paradigm is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from snellen.call import Reply
from snellen.item import Picture, Stimulus

WORDING = Path(__file__).parent / "wording.toml"
MAIN_ROLE = "subject"


class Ask(Protocol):
    def __call__(self, role: str, *parts: str | Picture) -> Awaitable[Reply]: ...


Say = Callable[[str], str]
Procedure = Callable[[Stimulus, Ask, Say], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A procedure with its roles. Whoever is examined plays every role that is not given to another.

    `words` are the pieces of wording it takes from its pack; `scripts` those it expects the stimulus to bring;
    `needs_pictures` says that there is nothing to do for a stimulus in words alone.
    """

    name: str
    about: str
    roles: tuple[str, ...]
    run: Procedure
    words: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    needs_pictures: bool = False

    def pictures(self, role: str, stimulus: Stimulus) -> int:
        """How many pictures at once this role has to look at."""
        if self.scripts:
            shown = stimulus.scripts[self.scripts[self.roles.index(role)]]
            return sum(isinstance(part, Picture) for part in shown)
        if self.needs_pictures:
            return 1 if role == self.roles[0] else 0
        return sum(isinstance(part, Picture) for part in (*stimulus.demonstrations, *stimulus.parts))
