"""The ladder of a task: ways of putting its items, from the least to the most demanding.

A **rung** is one way of putting an item; it demands some **faculties** and spares the others. Rungs on the line go from
the least to the most demanding, each adding to the one below, if it can by one faculty only: what is solved on the
lower rung and not on the higher one is then lost to that faculty. Off-ladder rungs are compared with it.

    told       the answer is stated, then the question asked      attention
    words      exact words in place of the pictures               + thinking
    pictures   the item as it is                                  + eyes

These three every task has for nothing. A task adds rungs of its own where it has the means: the same item against a
habit, the rule given, own descriptions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from snellen.faculties import Faculty, relatives

Levels = Mapping[str, tuple[str, ...]]
THINKING, EYES = relatives("thinking"), relatives("eyes")

FEW = 8
"""A rung that only some items have says nothing with fewer of them than this."""
SELF = "*"
"""In a cast: whoever is examined."""


@dataclass(frozen=True, slots=True)
class RungQuery:
    """One way of making a rung: by one of these paradigms, at these levels (factors that are not named stay at their
    plainest level), with these players in roles (SELF for whoever is examined). `of`: the levels of the items that are
    put so, where it is not all of them."""

    paradigms: tuple[str, ...]
    levels: Levels = field(default_factory=dict)
    cast: Mapping[str, str] = field(default_factory=dict)
    of: Levels = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung. `puts`: the ways it can be made; of each item the first that was asked counts. An item that none of
    them is for does not have the rung. `because`: what a loss at this rung means, as the end of a sentence, where the
    usual words for its faculty do not fit. `signature`: the mechanism of an answer by habit, and that of the answer
    equally far from the key on the other side: a habit is charged only with what the first has beyond the second.
    `counterparts`: rungs that show the same with nothing against the habit; the first that was asked must be answered
    better. `joint`: whether a rung beside the line is of one piece with it, so that the processing tree may take it in.
    `habit_helps`: whether a habit gives the right answer there, so that knowing may stand in for seeing. `covers`: of a
    rung beside the line that asks about what the pictures show and nothing more (a perception question), the share of
    what an item shows that it is about; 0 for all others. Where no rung tells thinking and eyes apart, these do."""

    name: str
    about: str
    demands: tuple[Faculty, ...]
    puts: tuple[RungQuery, ...]
    on_line: bool = True
    because: str = ""
    signature: tuple[str, str] | None = None
    counterparts: tuple[str, ...] = ()
    joint: bool = False
    habit_helps: bool = False
    covers: float = 0.0

    def is_for(self, levels: Mapping[str, str]) -> bool:
        """True if an item of these levels has the rung."""
        return any(all(levels.get(name, "") in allowed for name, allowed in put.of.items()) for put in self.puts)


Ladder = tuple[Rung, ...]

SPARING = ("told", "words", "rule", "rule-words", "rule-ca")
"""The paradigms that spare a faculty: rungs of the ladder, not the task itself."""
SETTING = "setting_"
"""What a factor's name begins with if it is a setting of the subject, varied like a condition."""
NO_SCORE = "judge gave no score"
"""How a trial was marked whose judge never kept to the form."""

TOLD = Rung("told", "the answer stated before the question", ("attention",), (RungQuery(("told",)),))
WORDS = Rung("words", "exact words in place of the pictures", ("attention", "thinking"), (RungQuery(("words",)),))
PICTURES = Rung("pictures", "the item as it is", ("attention", "thinking", "eyes"), (RungQuery(("direct",)),))
FREE: Ladder = (TOLD, WORDS, PICTURES)
"""The ladder that every task has."""


def at_levels(rung: Rung, **levels: tuple[str, ...]) -> Rung:
    """A copy of the rung that is also asked at these levels."""
    return replace(rung, puts=tuple(replace(put, levels={**put.levels, **levels}) for put in rung.puts))


def chains(demands: tuple[Faculty, ...], **levels: tuple[str, ...]) -> Ladder:
    """Off-ladder rungs for the chains of thought. The pictures stay visible, so they require the same faculties: a
    difference is due to the method, not to a faculty."""
    own = {"describer": SELF, "reasoner": SELF}
    made = (
        ("sub-questions first", "its own sub-questions and what it finds on them, then the item", "ddcot"),
        ("scene graph first", "its own scene graph, then the item", "ccot"),
        ("comparison first", "its own comparison of the pictures, then the item", "cocot"),
    )
    casts = {"ddcot": {"planner": SELF, **own}}
    return tuple(
        Rung(name, about, demands, (RungQuery((paradigm,), levels, casts.get(paradigm, own)),), on_line=False)
        for name, about, paradigm in made
    )


def to_json(ladder: Ladder) -> list[dict[str, Any]]:
    """The ladder in JSON types. A store keeps it for reading without the task installed."""
    return [
        {
            **{"name": rung.name, "about": rung.about, "demands": list(rung.demands), "on_line": rung.on_line},
            **{"because": rung.because, "signature": list(rung.signature) if rung.signature else None},
            **{"counterparts": list(rung.counterparts), "joint": rung.joint},
            **{"habit_helps": rung.habit_helps, "covers": rung.covers},
            "puts": [
                {
                    "paradigms": list(put.paradigms),
                    "levels": {name: list(levels) for name, levels in put.levels.items()},
                    "cast": dict(put.cast),
                    "of": {name: list(levels) for name, levels in put.of.items()},
                }
                for put in rung.puts
            ],
        }
        for rung in ladder
    ]


def from_json(content: list[dict[str, Any]]) -> Ladder:
    return tuple(
        Rung(
            rung["name"],
            rung["about"],
            tuple(rung["demands"]),
            tuple(_put(put) for put in rung["puts"]),
            rung["on_line"],
            rung.get("because", ""),
            _signature(rung.get("signature")),
            tuple(rung.get("counterparts") or filter(None, [rung.get("counterpart")])),  # one, in older stores
            rung.get("joint", False),
            rung.get("habit_helps", False),
            rung.get("covers", 0.0),
        )
        for rung in content
    )


def _signature(content: list[str] | None) -> tuple[str, str] | None:
    return (content[0], content[1]) if content else None


def _put(content: Mapping[str, Any]) -> RungQuery:
    levels, of = _levels(content["levels"]), _levels(content["of"])
    return RungQuery(tuple(content["paradigms"]), levels, dict(content["cast"]), of)


def _levels(content: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(levels) for name, levels in content.items()}
