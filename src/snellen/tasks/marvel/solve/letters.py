"""What everybody knows about capital letters: their symmetry, the areas they enclose, the lines they are made of."""

from typing import Any

from snellen.tasks.marvel.solve.things import SolverThing

_UPRIGHT = frozenset("AHIMOTUVWXY")  # the same when left and right are exchanged
_LYING = frozenset("BCDEHIKOX")  # the same when top and bottom are exchanged
_HALF_TURN = frozenset("HINOSXZ")
_AREAS = {"A": 1, "B": 2, "D": 1, "O": 1, "P": 1, "Q": 1, "R": 1}
_STRAIGHT = frozenset("AEFHIKLMNTVWXYZ")


def letter_symmetry(thing: SolverThing) -> Any:
    letter = thing.mark.get("letter")
    return letter and (letter in _UPRIGHT, letter in _LYING, letter in _HALF_TURN)


def letter_areas(thing: SolverThing) -> Any:
    letter = thing.mark.get("letter")
    return letter and _AREAS.get(letter, 0)


def letter_lines(thing: SolverThing) -> Any:
    letter = thing.mark.get("letter")
    return letter and letter in _STRAIGHT
