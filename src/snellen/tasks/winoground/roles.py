"""Samples in which roles are exchanged: the cat chases the mouse, the mouse chases the cat.

Any animal may do anything to any other, so that what animals usually do says nothing. In the second picture the two
either change places, or stay where they are while all goes the other way: neither place nor direction betrays a role.
"""

from collections.abc import Mapping
from typing import Any

from snellen.draw.deeds import ACTORS, KINDS, SIDES, are_alike, faces, sentence
from snellen.draw.plates import GROUNDS
from snellen.item import Form, Question
from snellen.rng import Stream
from snellen.tasks.winoground.sample import Sample

ROLE = "role"
"""The tag of these samples."""


def role_sample(name: str, turn: int, rng: Stream) -> Sample:
    """A sample; deeds come by turns."""
    deed = tuple(KINDS)[turn % len(KINDS)]
    one, other = _pair(rng)
    towards = rng.choice(SIDES)
    again = towards if rng.chance() else SIDES[1 - SIDES.index(towards)]
    background = rng.choice(tuple(GROUNDS))
    drawn = [
        {"background": background, "deed": deed, "one": a, "other": b, "towards": side}
        for a, b, side in ((one, other, towards), (other, one, again))
    ]
    captions = (caption(drawn[0]), caption(drawn[1]))
    return Sample(name, captions, ({"deed": drawn[0]}, {"deed": drawn[1]}), {"tag": (ROLE,), "secondary": (deed,)})


def _pair(rng: Stream) -> tuple[str, str]:
    while True:
        one, other = rng.sample(ACTORS, 2)
        if not are_alike(one, other):
            return one, other


def caption(deed: Mapping[str, str]) -> str:
    return sentence({**deed, "one": f"the {deed['one']}", "other": f"the {deed['other']}"})


def facing(panel: Mapping[str, Any], ask: str) -> tuple[Question, ...]:
    """What can be asked about a picture without its roles: which way each animal looks. `ask` has a slot for its
    name."""
    deed = panel["deed"]
    return tuple(
        Question(ask.replace("{name}", deed[role]), Form("choice", SIDES), faces(deed, role))
        for role in ("one", "other")
    )
