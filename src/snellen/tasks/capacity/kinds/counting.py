"""Counting without counting twice: how many things of two kinds are there in photos that overlap?

Things of a kind look the same, so that only their place tells whether two photos show the same one. Adding up the
photos gives too many, the fullest photo too few.
"""

from collections.abc import Mapping
from typing import Any

from snellen.item import Field, Form, Picture
from snellen.tasks.capacity.flats.plan import Flat, Furniture, Photo, flat_of, photos_of, taken
from snellen.tasks.capacity.flats.views import looked
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds.counting_making import CATEGORIES, make

_SHOWN = 250
"""Pixels from which the twin says that a photo shows a thing."""


def show(truth: Truth) -> tuple[Picture, ...]:
    return taken(flat_of(truth), photos_of(truth))


def ask(truth: Truth) -> KindQuestion:
    names = [entry["category"] for entry in truth["asked"]]
    form = Form("fields", fields=tuple(Field(name, "number") for name in names))
    key = "; ".join(f"{entry['category']}: {entry['count']}" for entry in truth["asked"])
    values = {
        "views": str(truth["views"]),
        "first": names[0],
        "second": names[1],
        "meanings": "\n".join(f"- {name}: {CATEGORIES[name].meaning}" for name in names),
    }
    mechanisms: dict[str, str] = {}
    for entry in truth["asked"]:
        mechanisms |= {f"{entry['category']}={value}": name for value, name in _mechanisms(entry).items()}
    return KindQuestion(form, key, values, mechanisms, twin=plan_in_words(flat_of(truth), photos_of(truth)))


def _mechanisms(entry: Mapping[str, Any]) -> Mapping[int, str]:
    """What wrong numbers betray; what is most telling comes first and keeps its name."""
    many, added = entry["count"], sum(entry["photos"])
    named = {max(entry["photos"]): "single view only", added: "double counted"}
    named |= dict.fromkeys(range(sum(entry["clear"]), added), "double counted")
    if entry["alike"]:
        named.setdefault(many + entry["alike"], "distractor counted")
    named.setdefault(many + 1, "one too many")
    named.setdefault(many - 1, "one too few")
    for value in range(many - 1):
        named.setdefault(value, "missed across views")
    for value in range(many + 2, added):
        named.setdefault(value, "partly double counted")
    return {value: name for value, name in sorted(named.items()) if value != many}


def plan_in_words(flat: Flat, photos: tuple[Photo, ...]) -> str:
    """Where every thing is, and which photo shows which."""
    views = looked(flat, photos)
    shown = [[piece for piece in flat.pieces if view.of(piece.name) > _SHOWN] for view in views]
    seen = [piece for piece in flat.pieces if any(piece in pieces for pieces in shown)]
    name = {piece.name: f"{piece.kind} ({number})" for number, piece in enumerate(seen, 1)}
    lines = [
        "All things that the photos show, each with a number of its own in brackets and its place on a plan of the "
        "flat (x, y in metres):",
        *(f"- {name[piece.name]} at ({piece.at[0]:.1f}, {piece.at[1]:.1f})" for piece in seen),
        *(f"Photo {number} shows: {_list(name, pieces)}." for number, pieces in enumerate(shown, 1)),
    ]
    return "\n".join(lines)


def _list(name: Mapping[str, str], pieces: list[Furniture]) -> str:
    return ", ".join(name[piece.name] for piece in pieces)


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    first, second = truth["asked"]
    return {
        "views": truth["views"],
        "rooms": len(truth["rooms"]),
        "things": len(truth["things"]),
        "first category": first["category"],
        "second category": second["category"],
        "first in photo 1": first["photos"][0],
        "second in photo 1": second["photos"][0],
        "first added up": sum(first["photos"]),
        "second added up": sum(second["photos"]),
    }


KIND = CapacityKind("counting", 105, make, show, ask, captions=("counting_photo",), observe=observe)
