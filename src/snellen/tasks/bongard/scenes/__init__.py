"""Bongard problems of scenes: recognisable things, and concepts over kind, number, colour, size, place and relation."""

from snellen.draw.scenes import draw as draw_panel
from snellen.tasks.bongard.scenes.checker import parts, rivals
from snellen.tasks.bongard.scenes.concepts import SORTS
from snellen.tasks.bongard.scenes.generate import OBJECTS, MadeProblem, make
from snellen.tasks.bongard.scenes.language import Concept, cost, holds, meaning
from snellen.tasks.bongard.scenes.words import words

__all__ = [
    "OBJECTS",
    "SORTS",
    "Concept",
    "MadeProblem",
    "cost",
    "draw_panel",
    "holds",
    "make",
    "meaning",
    "parts",
    "rivals",
    "words",
]
