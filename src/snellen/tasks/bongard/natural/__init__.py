"""Bongard problems of natural concepts: what is done, by whom, with what and where."""

from snellen.tasks.bongard.natural.checker import holds, rivals
from snellen.tasks.bongard.natural.concepts import SORTS, words
from snellen.tasks.bongard.natural.draw import draw_panel, twin
from snellen.tasks.bongard.natural.facts import facts
from snellen.tasks.bongard.natural.make import MadeNatural, make

__all__ = ["SORTS", "MadeNatural", "draw_panel", "facts", "holds", "make", "rivals", "twin", "words"]
