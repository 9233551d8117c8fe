"""What the questions say. Slots: {where} the panel, {a} and {b} the answers, {x} and {y} what is asked about."""

from collections.abc import Iterable, Iterator

from snellen.rng import Stream
from snellen.tasks.marvel.probing.fine import NUMBERS, Fine

TEXTS = {
    "half": "Does the {x} lie in the {a} half or in the {b} half of {where}?",
    "beside": "In {where}, is the {x} to the {a} or to the {b} of the {y}?",
    "above": "In {where}, is the {x} {a} or {b} the {y}?",
    "inside": "In {where}, is the {x} {a} or {b} the {y}?",
    "further": "Which of the two is further {x} in {where}, the {a} or the {b}?",
    "row": "In which {x} of the grid of {where} is the {y}, the {a} or the {b} one?",
    "points": "Does the arrow in {where} point {a} or {b}?",
    "tone": "Is the {x} in {where} {a} or {b}?",
    "tones": "Are the shapes in {where} {a} or {b}?",
    "cell": "In the grid of {where}, is row {x}, column {y} {a} or {b}?",
    "hue": "Which colour does the {x} in {where} have, {a} or {b}?",
    "exists": "Which of the two does {where} show, a {a} or a {b}?",
    "outer": "Which shape is around everything else in {where}, a {a} or a {b}?",
    "within": "What lies inside the {x} in {where}, a {a} or a {b}?",
    "letter": "Which letter does {where} show, {a} or {b}?",
    "bent": "What kind of lines is {where} drawn with, {a} or {b} ones?",
    "closed": "Is the line in {where} {a} or {b}?",
    "all_closed": "Are the lines in {where} {a} or {b}?",
    "count": "How many {x} are there in {where}, {a} or {b}?",
    "crossings": "How many times do the two lines in {where} cross, {a} or {b}?",
    "count_in": "How many straight lines are there inside the {x} in {where}, {a} or {b}?",
    "cells": "How many cells of the grid in {where} are {x}, {a} or {b}?",
    "more": "Which are there more of in {where}, {a} or {b}?",
    "contains": "Is one of the two shapes in {where} inside the other?",
    "contains_not": "Is each of the two shapes in {where} at least partly outside the other?",
    "larger": "Which of the two is larger in {where}, the {a} or the {b}?",
    "size": "Are the two {x} in {where} {a} or {b} in size?",
    "filling": "Are the two {x} in {where} {a} or {b} in tone?",
    "meet": "Do the two {x} in {where} {a} or {b}?",
    "longer": "Which of the two lines in {where} is longer, the {a} or the {b} one?",
    "mirror": "Are the left and the right half of {where} mirror images of each other?",
    "unlike": "Would one half of {where} have to be changed before left and right are mirror images of each other?",
    "axis": "Which halves of {where} are mirror images of each other, {a} or {b}?",
    "emptier": "Which half of {where} is emptier, the {a} or the {b} one?",
    "middle": "Which tone does the very middle of {x}{where} have, {a} or {b}?",
    "faces": "How many faces of the solid are to be seen in {where}, {a} or {b}?",
    "filled": "Is there a {x} area on the {y} in {where}?",
    "unfilled": "Is the {y} in {where} without a {x} area?",
    "which": "On which face in {where} is there a {x} area, the {a} or the {b}?",
    "solid": "Which kind of solid does {where} show, a {a} or a {b}?",
}
_SINGLE = 0.25
MOST = 12
"""Nobody is asked to count further."""
_PLURALS = {"cross": "crosses"}


def fine(kind: str, text: str, right: str, wrong: str, x: str = "", y: str = "", *, others: Iterable[str] = ()) -> Fine:
    """The question of that name."""
    return Fine(kind, TEXTS[text].replace("{x}", x).replace("{y}", y), right, wrong, tuple(others))


def plural(name: str) -> str:
    """The name for several."""
    return _PLURALS.get(name, f"{name}s")


def number(kind: str, text: str, n: int, rng: Stream, x: str = "") -> Iterator[Fine]:
    """A question after a number: the other answer is one more or one less, as chance has it.

    Nothing is asked that has the answer zero, so zero is no answer either. To make up for it a single thing, which is
    what most often there is, is seldom asked about.
    """
    others = [word for k, word in enumerate(NUMBERS) if 0 < k <= MOST and k != n]
    if n == 1 and rng.chance(_SINGLE):
        yield fine(kind, text, NUMBERS[1], NUMBERS[2], x, others=others)
    if 2 <= n <= MOST:
        yield fine(kind, text, NUMBERS[n], NUMBERS[n + (1 if rng.chance() else -1)], x, others=others)


def yes_or_no(kind: str, if_so: str, if_not: str, holds: bool, rng: Stream, x: str = "", y: str = "") -> Fine:
    """A question whether something holds, or whether it does not, as chance has it: yes is right half the time."""
    text, answer = (if_so, holds) if rng.chance() else (if_not, not holds)
    return fine(kind, text, *(("yes", "no") if answer else ("no", "yes")), x, y)


def more(n: int, m: int, one: str, other: str) -> Iterator[Fine]:
    """Which of two are more, if either is."""
    if n != m:
        yield fine("comparison", "more", *((one, other) if n > m else (other, one)))
