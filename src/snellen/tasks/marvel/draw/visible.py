"""What of a panel's marks can be seen, and in which form words should tell it.

Marks that differ may look the same: a square turned by 90 degrees, a line drawn from its other end, a white disc over
nothing instead of a see-through ring, a dot that something hides. Words should tell what is seen and not how it was
drawn. So marks are first brought into one form. If then the panel looks the same when it is drawn in the natural order
(the largest first, every outline see-through), nothing need be said about order; if not, the marks stay as they are,
from back to front.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from json import dumps

import numpy as np

from snellen.tasks.marvel.draw.drawn import DrawnMark, drawn
from snellen.tasks.marvel.draw.figures import FIGURES, upright
from snellen.tasks.marvel.draw.marks import render
from snellen.tasks.marvel.marks import Mark


@dataclass(frozen=True, slots=True)
class PictureMarks:
    """The marks to tell. `layered`: from back to front, and what is in front may hide what is behind."""

    marks: tuple[DrawnMark, ...]
    layered: bool


def sight(marks: Sequence[Mark], colour: bool) -> PictureMarks:
    """What is to be told of these marks, in the order they are drawn."""
    there = _without_hidden([drawn(one_form(mark, colour)) for mark in marks], colour)
    plain = _natural(there)
    if _ambiguous(plain) or (_overlapping(there, colour) and not _same(plain, there, colour)):
        return PictureMarks(tuple(there), True)
    return PictureMarks(tuple(plain), False)


def one_form(mark: Mark, colour: bool) -> Mark:
    """The mark with all defaults filled in, and in the first of several ways to say the same."""
    form = {key: value for key, value in mark.items() if colour or key != "colour"}
    shape = form["shape"]
    if shape in FIGURES:
        form["turn"] = upright(shape, form.get("turn", 0))
    if shape in FIGURES or shape == "path":
        form.setdefault("fill", "none")
    if shape == "path":
        form["closed"], form["curved"] = bool(form.get("closed")), bool(form.get("curved"))
        form["points"] = [list(point) for point in form["points"]]
    if shape == "line":
        (form["x"], form["y"]), (form["x2"], form["y2"]) = sorted([(form["x"], form["y"]), (form["x2"], form["y2"])])
    return form


def _natural(there: Sequence[DrawnMark]) -> list[DrawnMark]:
    """Each mark once, white ones see-through, the largest first and lines last."""
    through = [
        replace(shown, mark={**shown.mark, "fill": "none"}) if shown.fill == "white" else shown for shown in there
    ]
    once = {dumps(shown.mark, sort_keys=True): shown for shown in through}
    return [once[key] for key in sorted(once, key=lambda key: (-_rank(once[key]), key))]


def _rank(shown: DrawnMark) -> float:
    return 0 if shown.shape == "line" else shown.reach


def _ambiguous(marks: Sequence[DrawnMark]) -> bool:
    """Whether grey or stripes show through something, so that it must be said that they do."""
    tinted = [shown for shown in marks if shown.fill in ("grey", "striped")]
    clear = [shown for shown in marks if "fill" in shown.mark and shown.fill == "none" and shown.closed]
    return any(back.near(front, 0) and not back.within(front) for back in tinted for front in clear)


def _overlapping(there: Sequence[DrawnMark], colour: bool) -> bool:
    """Whether the natural order might look different: where it changes which of two near marks hides the other."""
    for place, front in enumerate(there):
        for back in there[:place]:
            hides = _solid(front) or (_solid(back) and _rank(back) <= _rank(front))
            kept = _rank(back) > _rank(front) and front.fill != "white"
            if (hides or colour) and not kept and front.near(back):
                return True
    return False


def _solid(shown: DrawnMark) -> bool:
    """Whether a mark covers more than its lines."""
    return shown.fill != "none" or shown.shape == "grid"


def _without_hidden(there: list[DrawnMark], colour: bool) -> list[DrawnMark]:
    """Only the marks that leave something to be seen."""
    for shown in _doubtful(there):
        rest = [other for other in there if other is not shown]
        if _same(rest, there, colour):
            there = rest
    return there


def _doubtful(there: Sequence[DrawnMark]) -> list[DrawnMark]:
    """Marks that lie within what is drawn over them, or black on black."""
    doubtful = []
    for place, shown in enumerate(there):
        for other_place, other in enumerate(there):
            hiding = _solid(other) and (other_place > place or other.fill == "black")
            if other is not shown and (hiding or other.shape == "grid") and shown.within(other):
                doubtful.append(shown)
                break
    return doubtful


def _same(some: Sequence[DrawnMark], others: Sequence[DrawnMark], colour: bool) -> bool:
    """Whether two lists of marks look the same."""
    first, second = (render((shown.mark for shown in marks), colour) for marks in (some, others))
    return np.array_equal(first, second)
