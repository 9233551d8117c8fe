"""Counterfactual instruction: the prompt tells of a world that uses words or numbers otherwise; what is said there?

The picture shows plain facts. The key is what the stated map makes of the fact; the fact itself, told as we would, is
the mechanism "literal". The larger size chains two maps. Asked plainly, there is no other world: the fact is the key,
and what the map would have made of it a mistake.
"""

from collections.abc import Mapping

from snellen.item import Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.counterfactual_worlds import LITERAL, MAKERS, MISCOUNTED, WORLDS
from snellen.tasks.capacity.scenes import SETTINGS
from snellen.tasks.capacity.scenes.facts import BESIDE, NEARER

OTHER_WORLD = "as in the other world"
"""What the map makes of the fact, though nobody spoke of a map."""
RULES: Mapping[str, str] = {
    "left_right": "What we call left is called right there, and what we call right is called left.",
    "above_below": "What we call above is called below there, and what we call below is called above.",
    "presence": "Things in the picture are called absent there, and things that are not in it are called present.",
    "size": "What we call larger is called smaller there, and what we call smaller is called larger.",
    "depth": "What we call nearer is called farther there, and what we call farther is called nearer.",
    "amount": "What we call more is called fewer there, and what we call fewer is called more.",
    "count": "Every count is told there as ten minus the true count (where we count 1, they say 9).",
    "colour": (
        "What we call {colour1} is called {colour2} there, {colour2} is called {colour3}, "
        "{colour3} is called {colour4}, and {colour4} is called {colour1}."
    ),
    "name": (
        "What we call {thing1} is called {thing2} there, and {thing2} is called {thing1}. "
        "What we call {thing3} is called {thing4}, and {thing4} is called {thing3}."
    ),
    "corner": (
        "What we call left is called right there, and what we call right is called left. "
        "Also, what we call top is called bottom, and what we call bottom is called top."
    ),
    "name_place": (
        "What we call left is called right there, and what we call right is called left. "
        "Also, what we call {thing1} is called {thing2}, and {thing2} is called {thing1}; "
        "what we call {thing3} is called {thing4}, and {thing4} is called {thing3}."
    ),
    "count_name": (
        "What we call {a} are called {b} there, and what we call {b} are called {a}. "
        "Also, every count is told as ten minus the true count (where we count 1, they say 9)."
    ),
    "colour_name": (
        "What we call {a} is called {b} there, and what we call {b} is called {a}. "
        "Also, what we call {colour1} is called {colour2}, and {colour2} is called {colour1}; "
        "what we call {colour3} is called {colour4}, and {colour4} is called {colour3}."
    ),
    "count_doubled": (
        "Every count is first taken away from ten there, and what is left is then doubled "
        "(where we count 1, they say 18)."
    ),
}
"""How the words of each world differ from ours."""

QUESTIONS: Mapping[str, str] = {
    "left_right": BESIDE,
    "above_below": "Is the {a} above or below the {b}?",
    "presence": "Is {a} present or absent?",
    "size": "Is the {a} larger or smaller than the {b}, as they are drawn?",
    "depth": NEARER,
    "amount": "Are there more or fewer {a} than {b}?",
    "count": "How many {a} are there?",
    "colour": "What colour is the {a}?",
    "name": "{question}",
    "corner": "In which quarter of the picture is the {a}?",
    "name_place": "Which of these is furthest to the {a} in the picture: {four}?",
    "count_name": "How many {a} are there?",
    "colour_name": "What colour is the {name}?",
    "count_doubled": "How many {a} are there?",
}
"""What is asked, in the words of that world."""


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
        "rule": RULES[truth["world"]].format_map(truth["slots"]),
        "question": QUESTIONS[truth["world"]].format_map(truth["slots"]),
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
    return (a, b) if "{b}" in QUESTIONS[truth["world"]] else ()


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
        "letters of the question": len(QUESTIONS[truth["world"]].format_map(truth["slots"])),
        "thing asked about": truth["slots"].get("a", ""),
        "world and thing": f"{truth['world']} {truth['slots'].get('a', '')}",
    }


KIND = CapacityKind(
    name="counterfactual",
    title="Counterfactual instruction",
    category="knowledge",
    n=60,
    about="What is said of a picture in a world where some words or numbers are used otherwise",
    make=make,
    show=show,
    ask=ask,
    sizes=("standard", "small", "chained"),
    describable=False,
    plain=plain,
    observe=observe,
)
