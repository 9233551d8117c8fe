"""What can be drawn: kinds of things with parts to count, the looks they take on, and the scenes they are made of.

Scenes are in thousandths of the picture's side, (0, 0) its middle, x to the right and y down. A thing stays within
`REACH` of the middle, so that it can be shrunk, turned a little and moved about and still be whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Literal

import numpy as np

from snellen.draw.looks import Colour
from snellen.rng import Stream, stream
from snellen.tasks.bias.draw.things.forms import Place
from snellen.tasks.bias.draw.things.raster import Points

REACH = 420
Bare = Literal["bent", "straight", "bars"]
View = Literal["stands", "lies", "hangs"]
STYLES = ("flat", "outline", "shaded")


@dataclass(frozen=True, slots=True)
class ThingSetting:
    """Where a thing is that is drawn like a photograph."""

    view: View
    """On a ground before a horizon; on a ground seen from above; before the sky."""
    ground: str
    horizon: float
    """Where the ground ends, in thousandths from the top; 0 if it is seen from above."""
    box: tuple[float, float, float, float]
    """What other things keep clear of, in thousandths: left, top, right, bottom."""
    carrier: str = ""
    """What a mark is on."""
    tilt: tuple[float, float] = (0, 0)
    """How the surface is turned away: by how much it gets narrower along, and how much it is sheared."""
    crowd: float = 0
    """How far limbs overlap: 0 not at all, 1 as far as they can be told apart."""


@dataclass(frozen=True, slots=True)
class ThingLook:
    """Everything about a drawing but its kind and the number of its parts."""

    name: str
    seed: int
    index: int
    style: str
    paper: str
    ground: str | None
    horizon: float
    turn: float
    mirrored: bool
    scale: float
    squeeze: float
    """Its width as a share of what it is drawn with: a stocky dog, a lean one."""
    shift: Place
    setting: ThingSetting | None = None
    """Its place in a scene; an icon has none."""

    def stream(self, purpose: str) -> Stream:
        """Choices of a recipe, the same whatever the number of parts."""
        return stream(self.seed, "things", self.name, self.index, purpose)

    def placing(self, size: int) -> Callable[[Sequence[Points]], list[Points]]:
        """What takes outlines of a scene to pixels of a picture that is `size` wide and high."""
        unit = size / 1000
        c, s = self.scale * cos(radians(self.turn)) * unit, self.scale * sin(radians(self.turn)) * unit
        flip = -self.squeeze if self.mirrored else self.squeeze
        matrix = np.array([[flip * c, flip * s], [-s, c]])
        corner = (np.array(self.shift) + 500) * unit
        return lambda outlines: [np.asarray(outline @ matrix + corner) for outline in outlines]


@dataclass(frozen=True, slots=True)
class ColouredPiece:
    """What several outlines enclose together, in one colour. `part`: which of the parts it belongs to, from 0."""

    outlines: list[Points]
    ink: Colour
    part: int | None = None
    round: bool = True
    """Whether the shaded style shades it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces from back to front that lie in one plane: the outline style draws its line around all of them."""

    pieces: list[ColouredPiece]
    edged: bool = True
    role: Literal["", "kept", "clutter", "sign"] = ""
    """What becomes of pieces that are no parts in the anonymous drawing: a body gives way to a blob; others are kept,
    or become blobs at the same places (clutter), or are left out as they do nothing but name the thing (sign)."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A part without identity: a bar from `begin` to `end`, a dot if they are one, or a ring of radius `hollow`."""

    begin: Place
    end: Place
    width: float
    hollow: float = 0


@dataclass(frozen=True, slots=True)
class ThingScene:
    """A thing from back to front, and for each of its parts a mark of about the same size at about the same place."""

    groups: list[Group]
    marks: list[Mark]
    words: str = ""
    """What is to be seen beside the number of parts, as full sentences."""


Recipe = Callable[[int, ThingLook], ThingScene]


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A thing with parts to count.

    `parts` and `part` name what is counted (several, one), `whole` the thing with its article; `alias_parts` fits
    the drawing as well and gives its identity away to nobody. `usual` is the number everybody expects; the thing can be
    drawn with any number from `fewest` to `most`, and remains itself with each of them.
    """

    name: str
    topic: str
    whole: str
    parts: str
    part: str
    usual: int
    fewest: int
    most: int
    recipe: Recipe = field(repr=False)
    alias_parts: str = "parts"
    place: str = "in this picture"
    """Where the parts are, for a question: "How many legs are there on this animal?"."""
    bare_parts: str = "arms"
    """What the parts are in the anonymous drawing."""
    known_as: str = ""
    """What the thing is called where no picture shows it, if not `whole`."""
    scales: tuple[float, float] = (0.8, 0.97)
    """The least and the greatest size it is drawn in."""
    slimmest: float = 1
    """How far it may be squeezed from the sides."""
    turns: float = 6
    """Degrees by which it may be turned either way."""
    mirrors: bool = True
    """Whether it may be drawn the other way round."""
    stands: float | None = None
    """How far below the middle its feet are, if it stands on a ground."""
    papers: tuple[str, ...] = ()
    """Backgrounds it may have, if not all."""
    styles: tuple[str, ...] = STYLES
    bare: Bare = "bent"
    """How the parts are drawn when nothing may name the thing: bent a little, as straight as they are, or as bars."""

    @property
    def bare_part(self) -> str:
        return self.bare_parts.removesuffix("s")

    @property
    def counts(self) -> range:
        """The numbers it can be drawn with."""
        return range(self.fewest, self.most + 1)

    @property
    def odd(self) -> tuple[int, ...]:
        """The numbers that go against the habit."""
        return tuple(count for count in self.counts if count != self.usual)
