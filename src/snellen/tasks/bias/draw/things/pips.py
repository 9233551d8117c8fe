"""Parts in columns on a card, a die or a flag: each column evenly spread, one of them with one more or less."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place
from snellen.tasks.bias.draw.things.inks import Coat, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.sketch import Sketch, outlines, pieces
from snellen.tasks.bias.draw.things.strokes_font import written


@dataclass(frozen=True, slots=True)
class Pips:
    """A thing whose parts stand in columns at `across`, as many in each as `columns` says when their number is usual.

    Those of a column go from `top` to `bottom`; a single one, and all with `inset`, keep away from the ends. `flexible`
    are the columns that may get one more or less, if not all. With `lying` columns are rows.
    """

    part: Sketch
    across: tuple[float, ...]
    columns: tuple[int, ...]
    top: float
    bottom: float
    width: float
    coats: tuple[Coat, ...]
    behind: Sketch = ()
    flexible: tuple[int, ...] = ()
    inset: bool = False
    lying: bool = False
    single: float | None = None
    """Where the only part of a column stands, if not in its middle."""
    step: float = 0
    """If given, from part to part in a column, which then is as long as it must be."""
    signs: tuple[tuple[str, Place, float], ...] = ()
    """What is written on it: sign, place, height (upside down if below 0)."""


def columns_of(thing: Pips, count: int, look: ThingLook) -> list[int]:
    """How many parts each column has."""
    columns = list(thing.columns)
    order = list(thing.flexible or range(len(columns)))
    look.stream("columns").shuffle(order)
    missing = count - sum(columns)
    for k in range(abs(missing)):
        columns[order[k % len(order)]] += 1 if missing > 0 else -1
    return columns


def _along(thing: Pips, many: int) -> Sequence[float]:
    if many == 1 and thing.single is not None:
        return [thing.single]
    if thing.step:
        middle = (thing.top + thing.bottom) / 2
        return [middle + thing.step * (k - (many - 1) / 2) for k in range(many)]
    if thing.inset or many == 1:
        return [thing.top + (thing.bottom - thing.top) * (k + 0.5) / many for k in range(many)]
    return [thing.top + (thing.bottom - thing.top) * k / (many - 1) for k in range(many)]


def in_columns(thing: Pips, count: int, look: ThingLook) -> ThingScene:
    inks = full_coat(look.stream("coat").choice(thing.coats))
    places = [
        (along, across) if thing.lying else (across, along)
        for across, many in zip(thing.across, columns_of(thing, count, look), strict=True)
        for along in _along(thing, many)
    ]
    parts = [
        ColouredPiece([line + np.array(place) for line in outlines(shape)], inks[shape[1]], number)
        for number, place in enumerate(places)
        for shape in thing.part
    ]
    signs = [ColouredPiece(_sign(*sign), inks["sign"], round=False) for sign in thing.signs]
    groups = [Group(pieces(thing.behind, inks)), Group(signs, edged=False, role="sign"), Group(parts, edged=False)]
    return ThingScene(
        [group for group in groups if group.pieces], [Mark(place, place, thing.width) for place in places]
    )


def _sign(sign: str, at: Place, height: float) -> list[np.ndarray]:
    if height > 0:
        return written(sign, at, height)
    return [2 * np.array(at) - line for line in written(sign, at, -height)]
