"""Who plays which role: every paradigm with every cast that the chosen subjects allow."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from snellen.call import Subject
from snellen.errors import UserError, unknown
from snellen.examine.judging import JUDGE_ROLE
from snellen.item import Item, Stimulus
from snellen.paradigms import MAIN_ROLE, Paradigm, paradigm
from snellen.subjects import subject as find_subject


@dataclass(frozen=True, eq=False)
class Way:
    """A paradigm with its cast. `label` is what the results call whoever is examined: the one whose answer counts, with
    the others in brackets where they are not the same. `judge`: who scores the answer, if not the rules."""

    paradigm: Paradigm
    players: Mapping[str, Subject]
    label: str
    judge: Subject | None = None

    @property
    def levels(self) -> dict[str, str]:
        """The cast as levels, so that casts can be compared like any factor."""
        roles = [role for role in self.paradigm.roles if role != MAIN_ROLE]
        judged = {JUDGE_ROLE: self.judge.name} if self.judge else {}
        return {**{role: self.players[role].name for role in roles}, **judged}


def cannot(way: Way, stimulus: Stimulus) -> str:
    """Why this cast cannot do this: someone would have to look at more pictures than they take, or to say the exact
    words for pictures that have none. Empty if they can."""
    for role, who in way.players.items():
        told = stimulus.twin or all(picture.twin for picture in stimulus.pictures)
        if who.abilities.needs_twins and not told:
            return f"not applicable: {way.paradigm.name} with {role}={who.name}: these pictures have no exact words"
        needed = way.paradigm.pictures(role, stimulus)
        if (most := who.abilities.pictures) is not None and needed > most:
            return (
                f"not applicable: {way.paradigm.name} shows {role} {needed} pictures at once, {who.name} takes {most}"
            )
    return ""


def choosy(way: Way) -> bool:
    """Whether someone in the cast knows only some items."""
    return any(who.abilities.knows for who in way.players.values())


def knows(way: Way, item: Item) -> bool:
    """Whether everyone in the cast has something to say about the item."""
    choices = (who.abilities.knows for who in way.players.values())
    return all(choice(item) for choice in choices if choice)


ANY_WAY = ("reader", "judge")
"""Roles that can be given whatever the paradigm."""
_NEXT_SUBJECT = re.compile(r",(?=\s*(?:[a-z]+/|twin\b|truth\b))")
"""A comma between two subjects; one inside a subject's settings is followed by something else."""


def make_ways(subject: str, paradigms: Sequence[str], roles: Mapping[str, str]) -> tuple[Way, ...]:
    """Every paradigm with every combination of players for its roles; the subject plays what nobody else is given.

    A role may name several subjects, with commas between them: "openai/gpt-4.1,twin".
    """
    chosen = [paradigm(name) for name in paradigms]
    known = list(dict.fromkeys(role for way in chosen for role in way.roles if role != MAIN_ROLE))
    for role in roles:
        if role not in known:
            if not known:
                names = ", ".join(paradigms)
                raise UserError(
                    f"--role {role}: {names} has no roles but {' and '.join(ANY_WAY)}; try --paradigm describe"
                )
            raise unknown("role", role, [*known, *ANY_WAY])
    find = cache(find_subject)  # one subject, one session, however many roles it plays
    return tuple(
        _way(each, dict(zip(each.roles, map(find, map(str.strip, players)), strict=True)))
        for each in chosen
        for players in product(*(_NEXT_SUBJECT.split(roles.get(role, subject)) for role in each.roles))
    )


def judges(names: str | None) -> tuple[Subject, ...]:
    """Who scores answers: one subject or several, with commas between them."""
    found = tuple(find_subject(name.strip()) for name in _NEXT_SUBJECT.split(names)) if names else ()
    for who in found:
        _check_role(who, JUDGE_ROLE, JUDGE_ROLE)
    return found


def with_judges(ways: Sequence[Way], chosen: Sequence[Subject]) -> tuple[Way, ...]:
    """Every way as it is, and once more for every judge: the same answer, scored by another."""
    return tuple(each for way in ways for each in (way, *(replace(way, judge=who) for who in chosen)))


def _way(chosen: Paradigm, players: Mapping[str, Subject]) -> Way:
    for role, who in players.items():
        _check_role(who, role, f"{role} of {chosen.name}")
    answering = players[chosen.roles[-1]].name
    others = [f"{role}={who.name}" for role, who in players.items() if who.name != answering]
    return Way(chosen, players, f"{answering} [{', '.join(others)}]" if others else answering)


def _check_role(who: Subject, role: str, what: str) -> None:
    known = who.abilities.roles
    if known and role not in known:
        raise UserError(f"{who.name} as {what}: it can only be the {known[0]} (--role {known[0]}={who.name})")
