"""What a paradigm is."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from snellen.call import Message, Reply
from snellen.errors import UserError
from snellen.item import Form, Picture, Stimulus, content_digest

WORDING = Path(__file__).parent / "wording.toml"
MAIN_ROLE = "subject"


class Ask(Protocol):
    """Asks the subject in a role.

    `after`: what was said before, for several turns. `form`: how the answer must look, where this is the call that
    brings it; a subject that can be held to a form then is. Any other keyword is a setting for this call alone.
    """

    def __call__(
        self,
        role: str,
        *parts: str | Picture,
        after: Sequence[Message] = (),
        form: Form | None = None,
        **settings: Any,
    ) -> Awaitable[Reply]: ...


class Say(Protocol):
    """Fills a template of the paradigm's wording."""

    def __call__(self, piece: str, **values: str) -> str: ...


Procedure = Callable[[Stimulus, Ask, Say], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Paradigm:
    """A procedure with its roles. The examined subject has every role that is not assigned to another.

    `words` are the pieces of wording it takes from its pack; `scripts` those it expects the stimulus to bring, one for
    each role. `needs_pictures`: there is nothing to do for a stimulus in words alone. `needs_twins`: the pictures must
    have exact words; `needs_rule`: the item must have a rule behind it. `shows`: pictures all at once, one by one to
    the first role, or none; `unseeing` are roles that see none whatever it shows. `version` tells changes of the
    procedure apart, where it is not ours.
    """

    name: str
    about: str
    roles: tuple[str, ...]
    run: Procedure
    words: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    needs_pictures: bool = False
    needs_twins: bool = False
    needs_rule: bool = False
    shows: Literal["together", "one by one", "none"] = "together"
    unseeing: tuple[str, ...] = ()
    version: str = ""

    def pictures(self, role: str, stimulus: Stimulus) -> int:
        """The number of pictures in one call to this role."""
        if role in self.unseeing:
            return 0
        if self.name in stimulus.scripts:
            return sum(isinstance(part, Picture) for part in stimulus.scripts[self.name])
        if self.shows != "together":
            return int(self.shows == "one by one" and role == self.roles[0])
        if self.scripts:
            shown = stimulus.scripts[self.scripts[self.roles.index(role)]]
            return sum(isinstance(part, Picture) for part in shown)
        return sum(isinstance(part, Picture) for part in stimulus.shown)


def own_paradigm(procedure: Any, version: str = "") -> Paradigm:
    """A custom paradigm: a `Paradigm`, or an async function (stimulus, ask, say), optionally with an attribute
    `roles`."""
    if isinstance(procedure, Paradigm):
        return replace(procedure, version=procedure.version or version or _version(procedure.run))
    if not inspect.iscoroutinefunction(procedure):
        raise UserError(
            "expected a paradigm (a name, a Paradigm or an async function (stimulus, ask, say)); got"
            f" {_kind(procedure)}"
        )
    name = procedure.__name__
    if len(inspect.signature(procedure).parameters) != 3:
        raise UserError(f"paradigm {name}: expected async def {name}(stimulus, ask, say)")
    about = (inspect.getdoc(procedure) or "").partition("\n")[0]
    roles = tuple(getattr(procedure, "roles", (MAIN_ROLE,)))
    return Paradigm(name, about, roles, procedure, version=version or _version(procedure))


def _kind(thing: Any) -> str:
    return f"the function {thing.__name__}, which is not async" if inspect.isfunction(thing) else type(thing).__name__


def _version(procedure: Any) -> str:
    try:
        return content_digest(inspect.getsource(procedure))[:12]
    except (OSError, TypeError):
        return ""
