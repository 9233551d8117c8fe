"""Counterfactual instruction: the prompt tells of a world that uses words or numbers otherwise; what is said there?

The picture shows plain facts. The key is what the stated map makes of the fact; the fact itself, told as we would, is
the mechanism "literal". The larger size chains two maps. Asked plainly, there is no other world: the fact is the key,
and what the map would have made of it a mistake.
"""

from collections.abc import Mapping

from snellen.draw.tableaux import scene
from snellen.item import Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity.kind import Asked, Kind, Truth
from snellen.tasks.capacity.kinds.counterfactual_worlds import LITERAL, MISCOUNTED, WORLDS
from snellen.tasks.capacity.placing import words

OTHER_WORLD = "as in the other world"
"""What the map makes of the fact, though nobody spoke of a map."""
RULES: Mapping[str, str] = {
    "left_right": "What we call left is called right there, and what we call right is called left.",
    "above_below": "What we call above is called below there, and what we call below is called above.",
    "presence": "Things in the picture are called absent there, and things that are not in it are called present.",
    "size": "What we call larger is called smaller there, and what we call smaller is called larger.",
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
    "left_right": "Is the {a} to the left or to the right of the {b}?",
    "above_below": "Is the {a} above or below the {b}?",
    "presence": "Is {a} present or absent?",
    "size": "Is the {a} larger or smaller than the {b}, as they are drawn?",
    "amount": "Are there more or fewer {a} than {b}?",
    "count": "How many {a} are there?",
    "colour": "What colour is the {a}?",
    "name": "What is the largest thing in the picture, as it is drawn?",
    "corner": "In which corner of the picture is the {a}?",
    "name_place": "What is the {a} thing in the picture?",
    "count_name": "How many {a} are there?",
    "colour_name": "What colour is the {name}?",
    "count_doubled": "How many {a} are there?",
}
"""What is asked, in the words of that world."""


def make(rng: Stream, size: str, index: int) -> Truth:
    worlds = WORLDS[size]
    time, place = divmod(index, len(worlds))
    world = tuple(worlds)[place]
    inquiry = worlds[world](rng, time + place)  # a few items, too, have answers of either sort
    return {
        "size": size,
        "world": world,
        "scene": inquiry.scene,
        "slots": dict(inquiry.slots),
        "options": list(inquiry.options),
        "key": inquiry.key,
        "wrong": dict(inquiry.wrong),
        "difficulty": len(inquiry.scene["things"]) + (10 if size == "chained" else 0),
    }


def show(truth: Truth) -> tuple[Picture, ...]:
    return (scene(truth["scene"]),)


def ask(truth: Truth) -> Asked:
    options = tuple(truth["options"])
    values = {
        "rule": RULES[truth["world"]].format_map(truth["slots"]),
        "question": QUESTIONS[truth["world"]].format_map(truth["slots"]),
        "form": f"one of these: {', '.join(options)}" if options else "a whole number",
    }
    form = Form("choice", options) if options else Form("number")
    habit = LITERAL if LITERAL in truth["wrong"].values() else ""
    return Asked(form, truth["key"], values, truth["wrong"], twin=words(truth["scene"]), habit=habit)


def plain(truth: Truth) -> Truth:
    """The same question in our own words: what was the literal answer is the right one."""
    (literal,) = (answer for answer, mechanism in truth["wrong"].items() if mechanism == LITERAL)
    miscounted = {} if truth["options"] else {str(int(literal) + off): MISCOUNTED for off in (1, -1)}
    return {**truth, "key": literal, "wrong": miscounted | {truth["key"]: OTHER_WORLD}}


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    things = truth["scene"]["things"]
    return {
        "world": truth["world"],
        "things": len(things),
        "kinds of things": len({entry["icon"] for entry in things}),
        "ground": truth["scene"]["ground"],
        "first option": truth["options"][0] if truth["options"] else "",
        "letters of the question": len(QUESTIONS[truth["world"]].format_map(truth["slots"])),
        "thing asked about": truth["slots"].get("a", ""),
    }


KIND = Kind(
    name="counterfactual",
    title="Counterfactual instruction",
    category="knowledge",
    n=60,
    about="What is said of a picture in a world where some words or numbers are used otherwise",
    make=make,
    show=show,
    ask=ask,
    sizes=("standard", "chained"),
    describable=False,
    plain=plain,
    observe=observe,
)
