"""How a puzzle is shown: what stands under the choices, in the blank panel, and whether in colour."""

from typing import Literal, NamedTuple

Indices = Literal["digits", "letters", "none"]


class Look(NamedTuple):
    """`indices`: digits, letters or none. `blank`: empty or question-mark."""

    indices: Indices = "digits"
    blank: Literal["empty", "question-mark"] = "empty"
    colour: bool = False
