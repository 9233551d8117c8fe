"""Who plays which role: every paradigm with every cast that the chosen subjects allow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import chain, product
from typing import Any

from snellen.call import Subject
from snellen.errors import UserError, unknown
from snellen.examine.judging import JUDGE_ROLE
from snellen.examine.subjects import SubjectPool
from snellen.item import Item, Stimulus
from snellen.paradigms import MAIN_ROLE, PARADIGMS, Paradigm
from snellen.subjects.oracles import concept_of

READING_ROLE = "reader"
"""Not a role of any paradigm: whoever has it reads what the rules cannot."""
ANY_WAY = (READING_ROLE, JUDGE_ROLE)
"""Roles that can be given whatever the paradigm."""
SKIPPING = "skipping"
"""The first word of a note on what a plan leaves out."""


@dataclass(frozen=True, eq=False)
class Procedure:
    """A paradigm with its cast. `label` is what the results call whoever is examined: the one whose answer counts, with
    the others in brackets where they are not the same. `levels`: the cast as levels, so that casts can be compared like
    any factor. `judge`: who scores the answer, if not the rules."""

    paradigm: Paradigm
    players: Mapping[str, Subject]
    label: str
    levels: Mapping[str, str]
    judge: Subject | None = None

    @property
    def answering(self) -> Subject:
        """Whose answer counts."""
        return self.players[self.paradigm.roles[-1]]

    @property
    def wordless(self) -> Subject | None:
        """Who in the cast takes no call without a picture, if anyone."""
        return next((who for who in self.players.values() if not who.abilities.words), None)

    @cached_property
    def is_untold(self) -> bool:
        """Whether someone in the cast was trained on items that are not on record."""
        return any(who.abilities.trained_on is None for who in self.players.values())

    def trained_on(self, task: str) -> frozenset[str]:
        """The keys of the task's items that someone in the cast was trained on."""
        return self._trained_on.get(task, frozenset())

    @cached_property
    def _trained_on(self) -> dict[str, frozenset[str]]:
        together: dict[str, frozenset[str]] = {}
        for who in self.players.values():
            for task, keys in (who.abilities.trained_on or {}).items():
                together[task] = together.get(task, frozenset()) | keys
        return together

    @property
    def needs_pictures(self) -> bool:
        """Whether there is nothing to do for a stimulus in words alone."""
        return self.paradigm.needs_pictures or self.wordless is not None


def make_ways(
    subjects: Sequence[Subject], paradigms: Sequence[Paradigm], roles: Mapping[str, Any], pool: SubjectPool
) -> tuple[Procedure, ...]:
    """Every paradigm with every combination of players for its roles; each subject plays what nobody else is given."""
    playable = list(dict.fromkeys(role for paradigm in paradigms for role in paradigm.roles if role != MAIN_ROLE))
    for role in roles:
        if role not in playable:
            raise _no_such_role(role, playable, paradigms)
    casts = {role: pool.for_role(role, given) for role, given in roles.items()}
    ways: dict[tuple[str, ...], Procedure] = {}
    for subject, paradigm in product(subjects, paradigms):
        for players in product(*(casts.get(role, (subject,)) for role in paradigm.roles)):
            way = _way(paradigm, dict(zip(paradigm.roles, players, strict=True)), pool)
            ways.setdefault((paradigm.name, *(who.name for who in players)), way)
    return tuple(ways.values())


def _no_such_role(role: str, roles: Sequence[str], paradigms: Sequence[Paradigm]) -> UserError:
    if roles or get_close_matches(role, ANY_WAY):
        return unknown("role", role, [*roles, *ANY_WAY])
    names = ", ".join(paradigm.name for paradigm in paradigms)
    owners = [paradigm.name for paradigm in PARADIGMS.values() if role in paradigm.roles]
    hint = f"it belongs to --paradigm {' or '.join(owners)}" if owners else "try --paradigm describe"
    return UserError(f"--role {role}: not a role of {names} (they have {' and '.join(ANY_WAY)}); {hint}")


def _way(chosen: Paradigm, players: Mapping[str, Subject], pool: SubjectPool) -> Procedure:
    for role, who in players.items():
        check_role(who, role, f"{role} of {chosen.name}")
    answering = players[chosen.roles[-1]]
    others = [f"{role}={pool.called(who)}" for role, who in players.items() if who is not answering]
    label = pool.called(answering) + (f" [{', '.join(others)}]" if others else "")
    levels = {role: pool.called(who) for role, who in players.items() if role != MAIN_ROLE}
    return Procedure(chosen, players, label, levels)


def with_judges(ways: Sequence[Procedure], judges: Sequence[Subject], pool: SubjectPool) -> tuple[Procedure, ...]:
    """Every way as it is, and once more for every judge: the same answer, scored by another."""

    def scored(way: Procedure) -> Iterator[Procedure]:
        yield way
        for who in judges:
            yield replace(way, judge=who, levels={**way.levels, JUDGE_ROLE: pool.called(who)})

    return tuple(chain.from_iterable(map(scored, ways)))


def check_role(who: Subject, role: str, what: str) -> None:
    roles = who.abilities.roles
    if roles and role not in roles:
        raise UserError(f"{who.name} as {what}: it can only have the role {roles[0]} (--role {roles[0]}={who.name})")
    if role in ANY_WAY and not who.abilities.words:
        raise UserError(f"{who.name} as {what}: it requires an image, and a {role} is shown text only")


def cannot(way: Procedure, stimulus: Stimulus) -> str:
    """Why this cast cannot do this: someone would have to look at more pictures than they take, or at none where they
    need one, or there would have to be exact words where there are none. Empty if they can."""
    name = way.paradigm.name
    if name not in stimulus.scripts:
        for step in way.paradigm.scripts:
            if step not in stimulus.scripts:
                return f"{SKIPPING} {name}: these items have no wording for its step {step!r}"
    told = stimulus.twin or all(picture.twin for picture in stimulus.pictures)
    if way.paradigm.needs_twins and not told and name not in stimulus.scripts:
        return f"{SKIPPING} {name}: these images have no exact descriptions"
    for role, who in way.players.items():
        if who.abilities.needs_twins and not told:
            return f"{SKIPPING} {name} with {role}={who.name}: these images have no exact descriptions"
        needed = way.paradigm.pictures(role, stimulus)
        as_role = "" if role == MAIN_ROLE else f" ({role})"
        if needed == 0 and not who.abilities.words:
            return f"{SKIPPING} {name}: {who.name}{as_role} requires an image"
        if (most := who.abilities.pictures) is not None and needed > most:
            return f"{SKIPPING} {name}: it needs {needed} images in one call, and {who.name}{as_role} accepts {most}"
    return ""


def choosy(way: Procedure) -> bool:
    """Whether someone in the cast knows only some items."""
    return way.paradigm.needs_rule or any(who.abilities.knows for who in way.players.values())


def knows(way: Procedure, item: Item) -> bool:
    """Whether everyone in the cast has something to say about the item."""
    if way.paradigm.needs_rule and not concept_of(item):
        return False
    choices = (who.abilities.knows for who in way.players.values())
    return all(choice(item) for choice in choices if choice)
