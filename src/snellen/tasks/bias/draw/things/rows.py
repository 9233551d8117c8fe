"""Parts side by side: stripes, prongs, strings, lamps."""

from dataclasses import dataclass

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place
from snellen.tasks.bias.draw.things.inks import Coat, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.sketch import Sketch, outlines, pieces


@dataclass(frozen=True, slots=True)
class PartsRow:
    """A thing whose parts stand in a row from `begin` to `end`, the outermost at its ends.

    `part` is the sketch of a part at (0, 0). With `inset` the outermost keep half a step from the ends: a row that
    fills a case. With `pitch` they are so far apart, in the middle between the ends. `mark` is the neutral
    counterpart, seen from the part. The ink of a part named "lamp" changes from part to part, through `lamps`.
    """

    part: Sketch
    begin: Place
    end: Place
    mark: Mark
    coats: tuple[Coat, ...]
    behind: Sketch = ()
    over: Sketch = ()
    inset: bool = False
    pitch: float = 0
    lamps: tuple[str, ...] = ()
    joined: bool = False
    """Whether the parts and what is over them are one body for the outline."""
    edged: bool = True
    """Whether the outline style draws a line around the parts."""
    loose: bool = False
    """Whether what is over the parts is no body that holds them."""
    grow: float = 0
    """By how much of itself the last part is higher than the first."""


def in_a_row(thing: PartsRow, count: int, look: ThingLook) -> ThingScene:
    inks = full_coat(look.stream("coat").choice(thing.coats))
    parts, marks = [], []
    for number in range(count):
        share = _share(thing, number, count)
        at = tuple(a + (b - a) * share for a, b in zip(thing.begin, thing.end, strict=True))
        size = np.array((1.0, 1.0 + thing.grow * share))
        for shape in thing.part:
            ink = thing.lamps[number % len(thing.lamps)] if shape[1] == "lamp" else shape[1]
            parts.append(ColouredPiece([line * size + np.array(at) for line in outlines(shape)], inks[ink], number))
        marks.append(_moved(thing.mark, (at[0], at[1]), float(size[1])))
    over = pieces(thing.over, inks)
    front = (
        [Group(parts + over)]
        if thing.joined
        else [Group(parts, thing.edged), Group(over, role="clutter" if thing.loose else "")]
    )
    groups = [Group(pieces(thing.behind, inks)), *front]
    return ThingScene([group for group in groups if group.pieces], marks)


def _share(thing: PartsRow, number: int, count: int) -> float:
    """Where from its beginning to its end a part stands."""
    if thing.pitch:
        length = float(np.hypot(thing.end[0] - thing.begin[0], thing.end[1] - thing.begin[1]))
        return 0.5 + (number - (count - 1) / 2) * thing.pitch / length
    if thing.inset:
        return (number + 0.5) / count
    return number / (count - 1) if count > 1 else 0.5


def _moved(mark: Mark, by: Place, grown: float) -> Mark:
    (x0, y0), (x1, y1), (x, y) = mark.begin, mark.end, by
    return Mark((x0 + x, y0 * grown + y), (x1 + x, y1 * grown + y), mark.width, mark.hollow)
