"""Lessons as arrays, ready to be drawn from: pictures as the model sees them, and rows of tokens.

Every board teaches lessons of the same kinds in the same order, so that a lesson is found by its board and its place.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from snellen.item import Parts, Picture
from snellen.lab.pretrain.boards import boards
from snellen.lab.pretrain.lessons import OTHER_TAGS, Lesson, lessons
from snellen.lab.pretrain.recipe import Build, Recipe
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.tokens import END, PAD, Vocabulary, vocabulary
from snellen.subjects.trained_on import training_key
from snellen.tasks.fixation.games import GAMES

_CHUNK = 100
_SCANNED = 40  # boards of each game whose lessons hold every word there is, tags apart


DECKS = ("read", "asked", "worded")
"""Boards to be read out, questions about boards, questions in words alone: rows of a deck are about equally long."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Lessons one below the other: tokens padded at the end, where the answer begins and ends. `kinds` are those of one
    board's lessons, in order; row number: board x kinds + place."""

    tokens: NDArray[np.int32]
    begins: NDArray[np.int32]
    ends: NDArray[np.int32]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classroom:
    """Boards as pixels, what is asked about them, and their keys (see `snellen.subjects.trained_on`)."""

    pictures: NDArray[np.uint8]
    decks: Mapping[str, Deck]
    keys: frozenset[str]


def words_known() -> Vocabulary:
    """Every word of the lessons."""
    items = (item for game in GAMES.values() for item in boards(game, 0, 0, _SCANNED))
    said = (part for item in items for lesson in lessons(item) for part in (*lesson.parts, lesson.answer))
    return vocabulary((part for part in said if isinstance(part, str)), OTHER_TAGS)


def classroom(recipe: Recipe, known: Vocabulary, workers: int) -> Classroom:
    """All boards of a recipe, drawn and asked about by several processes."""
    chunks = [
        (name, start, min(start + _CHUNK, recipe.boards)) for start in range(0, recipe.boards, _CHUNK) for name in GAMES
    ]
    work = partial(_chunk, recipe, known.pieces)
    with ProcessPoolExecutor(workers) as pool:
        made = list(pool.map(work, chunks))
    pictures = np.concatenate([pictures for pictures, _, _ in made])
    keys = frozenset(key for _, _, own in made for key in own)
    rows = {deck: [row for _, lot, _ in made for row in lot[deck]] for deck in DECKS}
    shown = _longest([*rows["read"], *rows["asked"]])  # these two go through the model together
    longest = {"read": shown, "asked": shown, "worded": _longest(rows["worded"])}
    return Classroom(pictures, {deck: _deck(rows[deck], longest[deck], len(pictures), known) for deck in DECKS}, keys)


_Row = tuple[str, list[int], list[int]]


def _chunk(
    recipe: Recipe, pieces: Sequence[str], which: tuple[str, int, int]
) -> tuple[NDArray[np.uint8], dict[str, list[_Row]], list[str]]:
    name, start, stop = which
    known = Vocabulary(pieces)
    pictures, keys = [], []
    rows: dict[str, list[_Row]] = {deck: [] for deck in DECKS}
    for item in boards(GAMES[name], recipe.seed, start, stop):
        taught = list(lessons(item))
        keys.append(training_key(item))
        pictures.append(seen(next(iter(_pictures(taught))), recipe.build.side))
        for lesson in taught:
            rows[_deck_of(lesson)].append(row(lesson.kind, lesson.parts, lesson.answer, known, recipe.build))
    return np.stack(pictures), rows, keys


def _deck_of(lesson: Lesson) -> str:
    if not any(isinstance(part, Picture) for part in lesson.parts):
        return "worded"
    return "read" if lesson.kind == "read" else "asked"


def _pictures(taught: Iterable[Lesson]) -> Iterable[Picture]:
    return (part for lesson in taught for part in lesson.parts if isinstance(part, Picture))


def row(kind: str, parts: Parts, answer: str, known: Vocabulary, build: Build) -> _Row:
    return kind, prompt(parts, known, build.picture_tokens), [*known.read(answer), known.numbers[END]]


def _longest(made: Sequence[_Row]) -> int:
    return max(len(asked) + len(answer) for _, asked, answer in made)


def _deck(made: Sequence[_Row], longest: int, boards_made: int, known: Vocabulary) -> Deck:
    tokens = np.full((len(made), longest), known.numbers[PAD], np.int32)
    for k, (_, asked, answer) in enumerate(made):
        tokens[k, : len(asked) + len(answer)] = asked + answer
    begins = np.array([len(asked) for _, asked, _ in made], np.int32)
    ends = begins + np.array([len(answer) for _, _, answer in made], np.int32)
    return Deck(tokens, begins, ends, tuple(kind for kind, _, _ in made[: len(made) // boards_made]))
