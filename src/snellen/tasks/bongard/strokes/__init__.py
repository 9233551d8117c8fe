"""Bongard problems of pen strokes: shapes with a name, free-form shapes, and abstract attributes of shapes."""

from snellen.tasks.bongard.strokes.features import observe
from snellen.tasks.bongard.strokes.language import holds, verdict
from snellen.tasks.bongard.strokes.make import KINDS, Made, agrees, made, problems, rivals
from snellen.tasks.bongard.strokes.twin import draw_panel, twin

__all__ = [
    "KINDS",
    "Made",
    "agrees",
    "draw_panel",
    "holds",
    "made",
    "observe",
    "problems",
    "rivals",
    "twin",
    "verdict",
]
