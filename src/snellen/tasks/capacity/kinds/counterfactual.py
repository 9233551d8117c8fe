"""Counterfactual instruction: the prompt tells of a world that uses words or numbers otherwise; what is said there?

The picture shows plain facts. The key is what the stated map makes of the fact; the fact itself, told as we would, is
the mechanism "literal". The larger size chains two maps. Asked plainly, there is no other world: the fact is the key,
and what the map would have made of it a mistake.
"""

from collections.abc import Mapping

from snellen.item import Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.counterfactual_worlds import LITERAL, MAKERS, MISCOUNTED, WORLDS
from snellen.tasks.capacity.scenes import SETTINGS

OTHER_WORLD = "as in the other world"
"""What the map makes of the fact, though nobody spoke of a map."""
_WORDS = table("counterfactual")
"""Of each world: the rule by which its words differ from ours, and the question, in its words."""


def make(rng: Stream, size: str, index: int) -> Truth:
    worlds = WORLDS[size]
    time, place = divmod(index, len(worlds))
    world = tuple(worlds)[place]
    again, sort = divmod(time, len(worlds[world]))
    # Answers go round with the sorts and among those of one sort: a few items, too, have answers of either kind.
    chosen = worlds[world][sort]
    inquiry = MAKERS[world](rng, SETTINGS[chosen], again + sort + place)
    return {
        "size": size,
        "world": world,
        "sort": chosen,
        "scene": inquiry.scene,
        "slots": dict(inquiry.slots),
        "options": list(inquiry.options),
        "key": inquiry.key,
        "wrong": dict(inquiry.wrong),
        "difficulty": SETTINGS[chosen].things(inquiry.scene) + (10 if size == "chained" else 0),
    }


def show(truth: Truth) -> tuple[Picture, ...]:
    return (SETTINGS[truth["sort"]].draw(truth["scene"]),)


def ask(truth: Truth) -> KindQuestion:
    options = tuple(truth["options"])
    values = {
        "rule": _WORDS[truth["world"]]["rule"].format_map(truth["slots"]),
        "question": _WORDS[truth["world"]]["question"].format_map(truth["slots"]),
        "form": f"one of these: {', '.join(options)}" if options else "a whole number",
    }
    form = Form("choice", options, about=_compared(truth)) if options else Form("number")
    habit = LITERAL if LITERAL in truth["wrong"].values() else ""
    return KindQuestion(
        form, truth["key"], values, truth["wrong"], twin=SETTINGS[truth["sort"]].words(truth["scene"]), habit=habit
    )


def _compared(truth: Truth) -> tuple[str, ...]:
    """The two things that the question compares, or the side that it asks for and the other one."""
    a, b = (truth["slots"].get(slot, "") for slot in ("a", "b"))
    if truth["world"] == "name_place":
        return f"furthest to the {a}", f"furthest to the {'right' if a == 'left' else 'left'}"
    return (a, b) if "{b}" in _WORDS[truth["world"]]["question"] else ()


def plain(truth: Truth) -> Truth:
    """The same question in our own words: what was the literal answer is the right one."""
    (literal,) = (answer for answer, mechanism in truth["wrong"].items() if mechanism == LITERAL)
    miscounted = {} if truth["options"] else {str(int(literal) + off): MISCOUNTED for off in (1, -1)}
    return {**truth, "key": literal, "wrong": miscounted | {truth["key"]: OTHER_WORLD}}


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    return {
        "world": truth["world"],
        "sort": truth["sort"],
        "things": SETTINGS[truth["sort"]].things(truth["scene"]),
        "first option": truth["options"][0] if truth["options"] else "",
        "letters of the question": len(_WORDS[truth["world"]]["question"].format_map(truth["slots"])),
        "thing asked about": truth["slots"].get("a", ""),
        "world and thing": f"{truth['world']} {truth['slots'].get('a', '')}",
    }


KIND = CapacityKind(
    "counterfactual",
    60,
    make,
    show,
    ask,
    sizes=("standard", "small", "chained"),
    describable=False,
    plain=plain,
    observe=observe,
)
