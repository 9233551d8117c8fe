"""How a puzzle is shown: what stands under the choices, in the blank panel, and whether in colour."""

from typing import Literal, NamedTuple

NAMES = {"digits": ("1", "2", "3", "4"), "letters": ("A", "B", "C", "D")}
Indices = Literal["digits", "letters", "none"]


class PuzzleLook(NamedTuple):
    """`indices`: digits, letters or none (where the choices must not be counted by them). `blank`: empty or
    question-mark."""

    indices: Indices = "digits"
    blank: Literal["empty", "question-mark"] = "empty"
    colour: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What the choices are called, also where it does not stand under them."""
        return NAMES["letters" if self.indices == "letters" else "digits"]
