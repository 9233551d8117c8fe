"""The card of a subject as a drawing: what an optometrist would hand over.

chart    the eye chart with the last line it reads
dials    the tests with one number each
plots    contrast sensitivity, thresholds over sizes of canvases
maps     colours, the field of view
curves   psychometric curves
layout   where all of it goes
screen   the same in characters, on a terminal
"""

from snellen.tasks.acuity.card.layout import draw, side_by_side
from snellen.tasks.acuity.card.tones import DARK, LIGHT, Tones

__all__ = ["DARK", "LIGHT", "Tones", "draw", "side_by_side"]
