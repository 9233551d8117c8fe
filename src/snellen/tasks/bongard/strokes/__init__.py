"""Bongard problems of pen strokes: shapes with a name, free-form shapes, and abstract attributes of shapes."""

from snellen.tasks.bongard.strokes.language import verdict
from snellen.tasks.bongard.strokes.make import KINDS, MadeStrokes, make
from snellen.tasks.bongard.strokes.twin import draw_panel, twin

__all__ = ["KINDS", "MadeStrokes", "draw_panel", "make", "twin", "verdict"]
