"""Bongard replies read against facts: what a rule says of every picture, what a description has of its picture.

A reply is read by its words alone and judged by what the problem's maker knows; who wrote it does not matter.
"""

from collections.abc import Mapping

from snellen.tasks.bongard.replies import describing, differences, figures, natural, rules, strokes, world
from snellen.tasks.bongard.replies.filing import Language

LANGUAGES: Mapping[str, Language] = {
    "scenes": Language(
        facts=world.facts,
        read=describing.read_scene,
        readings=rules.readings,
        holds=world.holds,
        differences=differences.differences,
        empty=lambda described: not described.things,
        names_something=rules.names_something,
    ),
    "strokes": Language(
        facts=figures.drawing_facts,
        read=strokes.read_drawing,
        readings=strokes.claims,
        holds=figures.judge,
        differences=figures.drawing_differences,
        empty=lambda described: not described,
        names_something=strokes.names_something,
    ),
    "natural": Language(
        facts=natural.deed_facts,
        read=natural.read_deed,
        readings=natural.readings,
        holds=natural.holds,
        differences=natural.differences,
        empty=lambda described: not described.facts,
        names_something=natural.names_something,
    ),
}
"""How to read what is said of generated pictures, by what they are made of."""
