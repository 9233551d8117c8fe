"""Drawings as text: each line of a sketch is one shape, the name of its ink and its measures.

    oval coat x,y across down           an ellipse by its half axes; a fifth number turns it
    blob coat x,y x,y ...               a smooth closed line through places
    poly horn x,y x,y ...               the same with corners
    limb coat x,y x,y ... 40 20         a smooth line whose width goes through the numbers at its end
    box coat left top right bottom 12   a rectangle with round corners
    ring coat x,y radius width          a circular line
    star gold x,y points outer inner    a star, one point up

A shape goes on to the next shape's name, over as many lines as it needs.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things import forms
from snellen.tasks.bias.draw.things.kind import ColouredPiece
from snellen.tasks.bias.draw.things.raster import Points

Line = tuple[Any, ...]
Sketch = tuple[Line, ...]
_FORMS = ("oval", "blob", "poly", "limb", "box", "ring", "star")


def sketch(text: str) -> Sketch:
    """A sketch from its text."""
    lines: list[list[Any]] = []
    for word in text.split():
        if word in _FORMS:
            lines.append([word])
        elif len(lines[-1]) == 1:
            lines[-1].append(word)
        else:
            lines[-1].append(_measure(word))
    return tuple(tuple(line) for line in lines)


def _measure(word: str) -> float | tuple[float, ...]:
    """A number, or a place."""
    return tuple(float(part) for part in word.split(",")) if "," in word else float(word)


@lru_cache(maxsize=4096)
def outlines(line: Line) -> list[Points]:
    """The outlines of one line of a sketch."""
    form, _, *rest = line
    if form == "limb":
        places = [value for value in rest if isinstance(value, tuple)]
        widths = [value for value in rest if not isinstance(value, tuple)]
        return [forms.limb(places, widths or [20])]
    if form == "ring":
        return forms.ring(*rest)
    if form == "star":
        middle, points, outer, inner = rest
        return [forms.star(middle, int(points), outer, inner)]
    if form in ("blob", "poly"):
        return [getattr(forms, form)(rest)]
    return [getattr(forms, form)(*rest)]


def pieces(lines: Sequence[Line], inks: Mapping[str, Colour], round: bool = True) -> list[ColouredPiece]:
    """The shapes of a sketch, neighbours of one ink as one piece."""
    drawn: list[ColouredPiece] = []
    for line in lines:
        ink = inks[line[1]]
        if drawn and drawn[-1].ink == ink:
            drawn[-1] = ColouredPiece(drawn[-1].outlines + outlines(line), ink, round=round)
        else:
            drawn.append(ColouredPiece(outlines(line), ink, round=round))
    return drawn
