"""Perception questions about generated panels: what is there, where, how many, from the marks alone.

Every question is a choice between two answers, and is asked only where there is no doubt (`probing/sight.py`). A wrong
number is one too many as often as one too few; a question with yes and no for answers is asked the one way or the other
as chance has it. Which of its two answers a question names first is up to whoever asks: its text has slots for them.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from snellen.rng import Stream
from snellen.tasks.marvel.probing import pixels
from snellen.tasks.marvel.probing.counts import comparisons, numbers
from snellen.tasks.marvel.probing.looks import looks
from snellen.tasks.marvel.probing.measured import measured
from snellen.tasks.marvel.probing.nouns import nouns_of
from snellen.tasks.marvel.probing.places import places
from snellen.tasks.marvel.probing.sight import PanelScene
from snellen.tasks.marvel.probing.texts import NUMBERS, Fine
from snellen.tasks.marvel.puzzle import CHOICES, FINE_TYPES, Panel

__all__ = ["NUMBERS", "Fine", "coarse", "fine_questions"]


def coarse(rows: int, columns: int) -> tuple[int, int, int]:
    """How many panels the context has (the blank is one), the choices, and the whole puzzle."""
    context = rows * columns
    return context, CHOICES, context + CHOICES


def fine_questions(
    panel: Panel, where: str, rng: Stream, *, colour: bool = False, cells: bool = False, turns_on: Collection[str] = ()
) -> list[Fine]:
    """Everything that can be asked about a panel, kind by kind, in random order within a kind.

    `where` is what the panel is called ("choice 2"). With `colour`, colours are asked about as well: for puzzles that
    are drawn in colour. All other questions hold for either drawing. With `cells`, every cell of a grid is asked about,
    else a few. `turns_on` names what the rule of the puzzle turns on: measured only where it matters.
    """
    askable = list(_every_question(panel, rng, colour, cells)) or list(pixels.for_want_of_others(panel, rng))
    if turns_on:
        askable += [question for question in measured(panel, rng) if question.name in turns_on]
    questions = [replace(question, text=question.text.replace("{where}", where)) for question in askable]
    rng.shuffle(questions)
    return sorted(questions, key=lambda fine: FINE_TYPES.index(fine.type))


def _every_question(panel: Panel, rng: Stream, colour: bool, cells: bool) -> Iterator[Fine]:
    if "words" in panel:  # nets and solids: their marks are faces in perspective
        yield from pixels.about_solids(panel, rng)
    else:
        scene = PanelScene(panel)
        nouns = nouns_of(scene)
        yield from places(scene, nouns, rng)
        yield from looks(scene, nouns, rng, colour, cells)
        yield from numbers(scene, rng)
        yield from comparisons(scene, nouns, rng)
    yield from pixels.questions(panel, rng)


def rule_questions(panel: Panel, where: str, rng: Stream, turns_on: Collection[str]) -> list[Fine]:
    """What can be asked about a panel that the rule of its puzzle turns on, each question once."""
    every = fine_questions(panel, where, rng, cells=True, turns_on=turns_on)
    return list(dict.fromkeys(question for question in every if question.name in turns_on))
