"""The card of a subject as a drawing: what an optometrist would hand over.

chart    the eye chart with the last line it reads
dials    the tests with one number each
plots    contrast sensitivity, thresholds over sizes of canvases
maps     colours, the field of view
curves   psychometric curves
layout   where all of it goes
"""

from snellen.tasks.acuity.card.layout import beside, draw
from snellen.tasks.acuity.card.saving import ENDINGS, check_ending, save_card
from snellen.tasks.acuity.card.tones import DARK, LIGHT, Tones

__all__ = ["DARK", "ENDINGS", "LIGHT", "Tones", "beside", "check_ending", "draw", "save_card"]
