"""What is true of a picture beyond doubt, as plain data, whatever it is a picture of.

A fact is in here only if it holds by a clear margin; what lies in between is left out. Things of which there is one go
by their name ("guitar"), things of which there are several by their plural ("cars").
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""

BESIDE = "Is the {a} to the left or to the right of the {b}?"
NEARER = "Is the {a} nearer or farther than the {b}, as seen from here?"
_GAP = 20
"""Pixels between two things of which one is left of the other or above it."""
_LARGER = 1.3
"""So many times as large as the other is larger beyond doubt."""
_NEARER = 1.5
"""Metres by which a thing must be nearer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with its answer, other answers that are as likely to who does not look, and what it speaks of."""

    question: str
    right: str
    others: Sequence[str]
    about: frozenset[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """`frame` is the width and height of the picture.

    `sizes` are how high things are, `inks` how many pixels they cover. `counts` are in the order in which they were
    wished for. `names` ask for a thing, `positions` for a place, `attributes` for a colour. `coloured` says what of a
    thing has a colour of `colours` ("shirt of the person with the {}"), `deep` what is near or far. `theme` is what
    many of the questions are about (`about` says which): of several, one at most should be.
    """

    frame: tuple[int, int]
    boxes: Mapping[str, Box]
    counts: Mapping[str, int]
    colours: Mapping[str, str]
    names: Sequence[Choice]
    positions: Sequence[Choice] = ()
    attributes: Sequence[Choice] = ()
    sizes: Mapping[str, int] = field(default_factory=lambda: {})
    inks: Mapping[str, int] = field(default_factory=lambda: {})
    depths: Mapping[str, float] = field(default_factory=lambda: {})
    coloured: str = "{}"
    deep: str = "{}"
    theme: str = ""

    def beside(self) -> list[tuple[str, str]]:
        """Pairs of which the first is clearly left of the second."""
        return list(self._apart(0))

    def above(self) -> list[tuple[str, str]]:
        return list(self._apart(1))

    def _apart(self, axis: int) -> Iterator[tuple[str, str]]:
        for name, other in permutations(self.boxes, 2):
            if self.boxes[name][axis + 2] + _GAP <= self.boxes[other][axis]:
                yield name, other

    def larger(self) -> list[tuple[str, str]]:
        """Pairs of which the first is larger whichever way one looks at it: by height and by area."""
        return [
            (a, b)
            for a, b in permutations(self.sizes, 2)
            if all(by[a] >= _LARGER * by[b] for by in (self.sizes, self.inks) if by)
        ]

    def nearer(self) -> list[tuple[str, str]]:
        return [(a, b) for a, b in permutations(self.depths, 2) if self.depths[a] + _NEARER <= self.depths[b]]

    def quarters(self) -> dict[str, str]:
        """The quarter of the picture that a thing lies in with a margin: "top left", ..."""
        wide, high = self.frame
        quarters = {}
        for name, (left, top, right, bottom) in self.boxes.items():
            across = _half(left, right, wide, ("left", "right"))
            down = _half(top, bottom, high, ("top", "bottom"))
            if across and down:
                quarters[name] = f"{down} {across}"
        return quarters


def in_halves(boxes: Mapping[str, Box], wide: int) -> list[Choice]:
    """In which half of a picture, left or right, a thing lies, if it does with a margin."""
    sides = ("left", "right")
    choices = []
    for name, box in boxes.items():
        if side := _half(box[0], box[2], wide, sides):
            other = sides[1 - sides.index(side)]
            question = f"In which half of the picture is the {name}?"
            choices.append(Choice(question, f"the {side} half", [f"the {other} half"], frozenset({name})))
    return choices


def _half(low: int, high: int, whole: int, words: tuple[str, str]) -> str:
    if high + _GAP <= whole / 2:
        return words[0]
    return words[1] if low >= whole / 2 + _GAP else ""
