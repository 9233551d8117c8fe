"""People as flat little figures: shirts and skirts in colours that have names, a hat, something in one hand.

    {"x": 80, "feet": 300, "shirt": "red", "skin": 1, "hair": 2, "long": true, "skirt": false, "hat": "crown",
     "glasses": false, "waves": false, "holds": "guitar"}

`x` is the middle between the feet; `hat` and `holds` are icons, or empty. What is held is held up at the right of the
picture, clear of the body; whoever waves does so at the left.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from snellen.draw.canvas import WHOLE, Canvas, Cover, Point, ellipse, line, mixed, polygon
from snellen.draw.looks import Colour
from snellen.draw.tints import DYES

Person = Mapping[str, Any]

SKINS: tuple[Colour, ...] = ((250, 216, 184), (232, 184, 140), (190, 132, 92), (128, 84, 58))
HAIRS: tuple[Colour, ...] = ((44, 36, 34), (104, 66, 40), (206, 162, 88), (150, 146, 142))
_TROUSERS: Colour = (72, 80, 104)
_SHOES: Colour = (44, 44, 52)
_INK: Colour = (40, 36, 40)
_BLACK: Colour = (0, 0, 0)

HELD = 46
"""The side of what is held, at full scale."""
_HELD_AT = (39, -66)
"""Its middle, from the feet."""
_HATS: Mapping[str, tuple[int, int]] = {
    "crown": (34, -130),
    "graduation cap": (46, -126),
    "sun hat": (48, -123),
    "top hat": (38, -132),
}
"""The side of each hat and how far its middle is above the feet."""
HATS = tuple(_HATS)
"""What may be worn."""


def held_at(person: Person, percent: int) -> tuple[int, int, int]:
    """The middle of what somebody holds (x, y) and its side."""
    across, up = _HELD_AT
    return person["x"] + across * percent // 100, person["feet"] + up * percent // 100, HELD * percent // 100


def _untold(part: str) -> None:
    """Nobody asks what is drawn."""


def draw(canvas: Canvas, person: Person, percent: int = 100, tell: Callable[[str], None] = _untold) -> None:
    """Somebody, in per cent of full scale; `tell` learns which part is drawn next."""
    figure = _Figure(canvas, person, percent, tell)
    figure.legs()
    figure.body()
    figure.head()
    figure.arms()


# A figure's parts are the same wherever it stands, so their covers are kept and only shifted.


@lru_cache(maxsize=1024)
def _part(form: str, points: tuple[Point, ...], across: float, down: float, percent: int) -> Cover:
    scaled = [(x * percent / 100, y * percent / 100) for x, y in points]
    across, down = across * percent / 100, down * percent / 100
    if form == "line":
        return line(scaled, across)
    return polygon(scaled) if form == "shape" else ellipse(scaled[0], across, down)


class _Figure:
    """Draws in units of full scale, seen from between the feet: x to the right, y down."""

    def __init__(self, canvas: Canvas, person: Person, percent: int, tell: Callable[[str], None]) -> None:
        self.canvas, self.person, self.percent, self.tell = canvas, person, percent, tell
        self.skin, self.hair = SKINS[person["skin"]], HAIRS[person["hair"]]
        self.shirt = DYES[person["shirt"]]

    def lay(self, part: Cover, colour: Colour, strength: int = WHOLE) -> None:
        there = Cover(part.amount, part.top + self.person["feet"], part.left + self.person["x"])
        self.canvas.lay(there, colour, strength)

    def disc(self, x: float, y: float, across: float, down: float, colour: Colour) -> None:
        self.lay(_part("disc", ((x, y),), across, down, self.percent), colour)

    def line(self, points: tuple[Point, ...], width: float, colour: Colour) -> None:
        self.lay(_part("line", points, width, 0, self.percent), colour)

    def shape(self, points: tuple[Point, ...], colour: Colour) -> None:
        self.lay(_part("shape", points, 0, 0, self.percent), colour)

    def icon(self, name: str, x: int, y: int, side: int) -> None:
        right, down, wide = (part * self.percent // 100 for part in (x, y, side))
        self.canvas.icon(name, self.person["x"] + right, self.person["feet"] + down, wide)

    def legs(self) -> None:
        self.tell("legs")
        self.lay(_part("disc", ((0, 0),), 26, 5, self.percent), _BLACK, 3)
        skirt = self.person["skirt"]
        for side in (-1, 1):
            self.line(((8 * side, -46), (8 * side, -6)), 9 if skirt else 13, self.skin if skirt else _TROUSERS)
            self.disc(9 * side + 1, -3, 9, 5, _SHOES)
        if skirt:
            self.shape(((-15, -52), (15, -52), (23, -26), (-23, -26)), _TROUSERS)

    def body(self) -> None:
        if self.person["long"]:
            self.shape(((-17, -112), (17, -112), (20, -84), (-20, -84)), self.hair)
        self.tell("shirt")
        self.shape(((-16, -92), (16, -92), (17, -46), (-17, -46)), self.shirt)
        self.line(((-11, -88), (11, -88)), 12, self.shirt)
        self.line(((0, -96), (0, -92)), 9, mixed(self.skin, _BLACK, 12))

    def head(self) -> None:
        self.tell("head")
        self.disc(0, -112, 17, 17, self.hair)
        self.disc(0, -108, 15, 15, self.skin)
        self.disc(0, -121, 14, 6, self.hair)
        if self.person["glasses"]:
            self.tell("glasses")
            for x in (-6, 6):
                self.disc(x, -108, 5.5, 5, _INK)
            self.line(((-14, -110), (14, -110)), 2, _INK)
            self.tell("head")
        else:
            for x in (-5, 5):
                self.disc(x, -108, 1.8, 2.2, _INK)
        self.line(((-5, -101), (0, -99), (5, -101)), 1.8, mixed(self.skin, _INK, 70))
        if self.person["hat"]:
            self.tell("hat")
            side, up = _HATS[self.person["hat"]]
            self.icon(self.person["hat"], 0, up, side)

    def arms(self) -> None:
        self.tell("arms")
        sleeve = mixed(self.shirt, _BLACK, 14)
        hand = (-26, -116) if self.person["waves"] else (-21, -52)
        elbow = (-27, -92) if self.person["waves"] else (-21, -70)
        self.tell("waves" if self.person["waves"] else "arms")
        self.line(((-15, -86), elbow, hand), 9, sleeve)
        self.disc(*hand, 5, 5, self.skin)
        self.tell("arms")
        if self.person["holds"]:
            self.line(((15, -86), (22, -68), (30, -56)), 9, sleeve)
            self.tell("holds")
            self.icon(self.person["holds"], *_HELD_AT, HELD)
            self.tell("arms")
            self.disc(31, -54, 5, 5, self.skin)
        else:
            self.line(((15, -86), (21, -70), (21, -52)), 9, sleeve)
            self.disc(21, -52, 5, 5, self.skin)
