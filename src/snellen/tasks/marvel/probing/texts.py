"""Questions between two answers about what is to be seen, and what they say.

Slots: {where} the panel, {a} and {b} the answers, {x} and {y} what is asked about.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from snellen.rng import Stream

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve", "thirteen"),
)

_ARTICLE = re.compile(r"\b(an?) \{([ab])\}")


@dataclass(frozen=True, slots=True)
class Fine:
    """A question between two answers. `type` is one of `puzzle.FINE_TYPES`; `text` may have slots {a} and {b}.

    `others`: what else would be wrong without a doubt. `name`: which wording of `texts.py` it is, if it is one of them.
    """

    type: str
    text: str
    right: str
    wrong: str
    others: tuple[str, ...] = ()
    name: str = ""

    def denies(self, answer: str) -> bool:
        """Whether an answer is known to be wrong."""
        return answer == self.wrong or answer in self.others

    def asked(self, first: str, second: str) -> str:
        """The question with its answers named in this order."""
        answers = {"a": first, "b": second}

        def article(match: re.Match[str]) -> str:
            return f"{'an' if answers[match[2]][:1].lower() in 'aeiou' else 'a'} {{{match[2]}}}"

        # One pass for both slots: an answer that reads like a slot stays what it is.
        return re.sub(r"\{([ab])\}", lambda slot: answers[slot[1]], _ARTICLE.sub(article, self.text))


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
    "below": "How many small figures stand in the row at the bottom of {where}, {a} or {b}?",
    "symbols": "How many symbols are there in {where}, {a} or {b}?",
    "kinds": "How many different kinds of symbols are there in {where}, {a} or {b}?",
    "blacks": "How many solid symbols are there in {where}, {a} or {b}?",
    "whites": "How many white symbols are there in {where}, {a} or {b}?",
    "strokes": "How many separate lines are drawn in {where}, {a} or {b}?",
    "curves": "How many of the lines in {where} are curved, {a} or {b}?",
    "cross_at": "At how many points do lines cross each other in {where}, {a} or {b}?",
    "areas": "How many closed areas do the lines of {where} make, {a} or {b}?",
    "corners": "How many corners does the figure in {where} have, {a} or {b}?",
    "bulges": "How many bulges does the outline in {where} have, {a} or {b}?",
    "outer_bulges": "How many bulges does the outer outline in {where} have, {a} or {b}?",
    "from_middle": "Seen from the middle of {where}, is the {x} {a} or {b}?",
    "hour": "If {where} were a clock face, would the {x} stand at {a} or at {b} o'clock?",
    "ahead": "Going clockwise round the middle of {where}, how far is it from the {y} to the {x}, {a} or {b}?",
    "dot_at": "Is the dot of the {x} figure in {where} at its {a} or at its {b}?",
    "bundle_runs": "Do the lines on the {x} of {where} run {a} or {b}?",
    "in_half": "How many of the {x} lie wholly in the {y} half of {where}, {a} or {b}?",
    "slanted": "How many {x} lines are there in {where}, an outline around them left out, {a} or {b}?",
    "has_side": "Does the {x} one of the four squares of {where} have its {y} side?",
    "lacks_side": "Is the {y} side missing from the {x} one of the four squares of {where}?",
    "lines_meet": "Are the two lines in {where} {a} or {b}?",
    "shapes_meet": "Are the two shapes in {where} {a} or {b}?",
    "small_where": "In {where}, is the small shape {a} or {b} the large one?",
    "cornered": "In {where}, is the small shape at a {a} or at a {b} of the large one?",
    "towards": "In {where}, does the small shape stand at the {a} or at the {b} of the large one?",
    "compass": "In {where}, is the solid figure {a} or {b} the white one?",
    "row_runs": "Does the line of figures in {where} run {a} or {b}?",
    "in_line": "Does the solid figure in {where} stand {a} or {b} of the line of figures?",
    "alike": "Where do the two figures that are alike stand in {where}, {a} or {b}?",
    "faces_way": "Which way does the {x} in {where} point, {a} or {b}?",
    "lines_run": "Do the lines in {where} run {a} or {b}?",
    "cut_runs": "Does the line that cuts the figure in {where} run {a} or {b}?",
    "image": "In {where}, is one of the two figures the other one {a} or {b}?",
    "drawn_with": "Is the {x} figure in {where} drawn with {a} or with {b} lines?",
    "axes": "How many axes of symmetry does the drawing in {where} have, {a} or {b}?",
    "axis_runs": "How does the axis of symmetry of the drawing in {where} lie, {a} or {b}?",
    "half_turn": "Turned upside down, would {where} look {a} or {b}?",
    "has_axis": "Which is true of the drawing in {where}: it {a}, or it {b}?",
    "lines_of": "Are the lines in {where} {a} or {b}?",
    "dent": "Is the outline of the figure in {where} {a} or {b}?",
    "pieces": "Are the two pieces of the figure in {where} {a} or {b} in size?",
    "row_turns": "From left to right, is each figure in {where} turned {a} or {b} against the one before?",
    "grows": "From the smallest to the largest, how far round the middle of {where} does each figure follow the next"
    " smaller one, {a} or {b}?",
    "stairs": "From row to row of {where}, does the filled cell move {a} or {b}?",
    "arrow_at": "Does the arrow in {where} point {a} or {b}?",
    "between": "Is the smallest of the three shapes in {where} {a} or {b}?",
    "pips_above": "How many dots are there in the upper half of the domino in {where}, {a} or {b}?",
    "pips_below": "How many dots are there in the lower half of the domino in {where}, {a} or {b}?",
    "dots": "How many dots are there in {where}, {a} or {b}?",
    "outline_corners": "How many corners does the outline in {where} have, {a} or {b}?",
    "pips": "How many pips does the {x} in {where} carry, {a} or {b}?",
    "face_letter": "Which letter does the {x} in {where} carry, {a} or {b}?",
    "face_icon": "What does the {x} in {where} carry, a {a} or a {b}?",
    "bare": "Is the {x} in {where} {a} or {b}?",
}
_SINGLE = 0.25
MOST = 12
"""Nobody is asked to count further."""
_PLURALS = {"cross": "crosses"}


def fine(kind: str, text: str, right: str, wrong: str, x: str = "", y: str = "", *, others: Iterable[str] = ()) -> Fine:
    """The question of that name."""
    return Fine(kind, TEXTS[text].replace("{x}", x).replace("{y}", y), right, wrong, tuple(others), text)


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


def more(n: int, m: int, first: str, other: str) -> Iterator[Fine]:
    """Which of two are more, if either is."""
    if n != m:
        yield fine("comparison", "more", *((first, other) if n > m else (other, first)))
