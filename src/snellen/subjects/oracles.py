"""The oracles: players who never err, so that whatever still goes wrong is another role's doing.

`twin` describes: it gives the exact words for the pictures it is shown. `truth` induces: it states the rule that the
item's maker had in mind. Neither invents anything: where nobody knows the words or the rule, the call is rejected.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.item import NOTHING, Item


def twin_of(call: Call) -> str:
    """The exact words for what the call shows: each picture's own, or those for the whole stimulus."""
    twins = [picture.twin for picture in call.pictures]
    if twins and all(twins):
        return "\n\n".join(twins)
    if call.about is None or not call.about.twin:
        what = call.about.item.id if call.about else "the call"
        raise CallFailed("rejected", f"{what} has no twin, so there are no exact words for it")
    return call.about.twin


def concept_of(item: Item) -> str:
    """The rule behind an item, in one line of plain words; empty if there is none or nobody wrote it down."""
    concept = item.truth.get("concept")
    return " ".join(concept.split()) if isinstance(concept, str) else ""


def true_rule(call: Call) -> str:
    """The true rule, put the way an inducer is asked to put it."""
    concept = concept_of(call.about.item) if call.about else ""
    if not concept:
        what = call.about.item.id if call.about else "the call"
        raise CallFailed("rejected", f"{what} has no known concept, so there is no true rule to state")
    return f"Rule: {concept}"


class Oracle:
    """Answers every call from what the item's maker knows."""

    settings: Mapping[str, str] = NOTHING

    def __init__(self, name: str, about: str, abilities: Abilities, says: Callable[[Call], str]) -> None:
        self.name = name
        self.about = about
        self.abilities = abilities
        self._says = says

    def __repr__(self) -> str:
        return f"Oracle({self.name})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        return Reply(self._says(call))


_ALL_KNOWING = Abilities(sees_truth=True, in_process=True)

ORACLES = {
    oracle.name: oracle
    for oracle in (
        Oracle(
            "twin",
            "describes: the exact words for the pictures shown",
            replace(_ALL_KNOWING, roles=("describer",), needs_twins=True),
            twin_of,
        ),
        Oracle(
            "truth",
            "induces: the rule that the item's maker had in mind",
            replace(_ALL_KNOWING, roles=("inducer",), knows=lambda item: bool(concept_of(item))),
            true_rule,
        ),
    )
}
