"""Lessons as arrays, ready to be drawn from: pictures as the model sees them, and rows of tokens.

A course is made of sheets, each with as many pictures and with lessons of the same kinds in the same order, so that a
lesson is found by its sheet and its place.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from recipes.tiny import boards, scenes, things
from recipes.tiny.lessons import OTHER_TAGS, Lesson
from recipes.tiny.recipe import Course, Recipe
from snellen.draw.icons import icons
from snellen.item import Picture
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.stock import Build
from snellen.subjects.tiny.tokens import END, PAD, Vocabulary, parts, vocabulary

COURSES: Mapping[str, ModuleType] = {"boards": boards, "things": things, "scenes": scenes}
_CHUNK = 100
_SCANNED = 200  # sheets of each course whose lessons hold every word there is, tags and names of icons apart


@dataclass(frozen=True, slots=True)
class DeckSpec:
    """Lessons of these kinds. Those of a pass go through the model together and are equally long."""

    course: str
    kinds: frozenset[str]
    together: str


_CAPTIONED, _PICTURED = ("image", "exchanged image"), ("caption", "exchanged caption")
DECKS: Mapping[str, DeckSpec] = {
    "read": DeckSpec("boards", frozenset({"read"}), "shown"),
    "asked": DeckSpec("boards", frozenset({"see", "descriptive", "standard", "alias", "inverse"}), "shown"),
    "worded": DeckSpec("boards", frozenset({"words", "fact", "told", "inverse words", "inverse fact"}), "worded"),
    "counted": DeckSpec("things", frozenset({"count", "count otherwise"}), "shown"),
    "counted in words": DeckSpec("things", frozenset({"count words", "count told", "recall"}), "worded"),
    "scene": DeckSpec("scenes", frozenset({"named", *_CAPTIONED}), "shown"),
    "scenes": DeckSpec("scenes", frozenset(_PICTURED), "shown"),
    "scene in words": DeckSpec("scenes", frozenset({"scene told", *(f"{kind} words" for kind in _CAPTIONED)}), "long"),
    "scenes in words": DeckSpec("scenes", frozenset(f"{kind} words" for kind in _PICTURED), "longest"),
}
_DECK_OF = {kind: name for name, deck in DECKS.items() for kind in deck.kinds}


@dataclass(frozen=True, slots=True)
class Deck:
    """Lessons one below the other: tokens padded at the end, where the answer begins and ends, and which pictures of
    the sheet are shown. `kinds` are those of one sheet's lessons, in order; row number: sheet x kinds + place."""

    tokens: NDArray[np.int16]
    begins: NDArray[np.int32]
    ends: NDArray[np.int32]
    shown: NDArray[np.int64]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classroom:
    """A course's pictures (sheet by sheet), what is asked about them, and the keys of its items."""

    pictures: NDArray[np.uint8]
    decks: Mapping[str, Deck]
    keys: frozenset[str]


def words_known() -> Vocabulary:
    """Every word of the lessons."""
    taught = (lesson for course in COURSES.values() for k in range(_SCANNED) for lesson in course.sheet(k, 0).lessons)
    said = (part for lesson in taught for part in (*lesson.parts, lesson.answer) if isinstance(part, str))
    names = (word for icon in icons() for word in parts(f"{icon.name} {icon.category}"))
    return vocabulary(said, (*OTHER_TAGS, *names))


def classrooms(recipe: Recipe, known: Vocabulary, workers: int) -> dict[str, Classroom]:
    """All sheets of a recipe's courses, drawn and asked about by several processes."""
    with ProcessPoolExecutor(workers) as pool:
        made = {course.name: _made(pool, recipe, course, known) for course in recipe.courses}
    rows = {deck: rows for _, own, _ in made.values() for deck, rows in own.items()}
    longest = {
        spec.together: max(_longest(rows[deck]) for deck, other in DECKS.items() if other.together == spec.together)
        for spec in (DECKS[deck] for deck in rows)
    }
    return {
        name: Classroom(
            pictures,
            {deck: _deck(own[deck], longest[DECKS[deck].together], len(pictures), known) for deck in own},
            keys,
        )
        for name, (pictures, own, keys) in made.items()
    }


_Row = tuple[str, list[int], list[int], tuple[int, ...]]
_Made = tuple[NDArray[np.uint8], dict[str, list[_Row]], frozenset[str]]


def _made(pool: ProcessPoolExecutor, recipe: Recipe, course: Course, known: Vocabulary) -> _Made:
    work = partial(_chunk, recipe, course, known.pieces)
    made = list(pool.map(work, range(0, course.sheets, _CHUNK)))
    decks = [name for name, deck in DECKS.items() if deck.course == course.name]
    return (
        np.concatenate([pictures for pictures, _, _ in made]),
        {deck: [row for _, rows, _ in made for row in rows[deck]] for deck in decks},
        frozenset(key for _, _, keys in made for key in keys),
    )


def _chunk(recipe: Recipe, course: Course, pieces: Sequence[str], start: int) -> _Made:
    known = Vocabulary(pieces)
    pictures, keys = [], set[str]()
    rows: dict[str, list[_Row]] = {name: [] for name, deck in DECKS.items() if deck.course == course.name}
    for number in range(start, min(start + _CHUNK, course.sheets)):
        sheet = COURSES[course.name].sheet(number, recipe.seed)
        shown = list(dict.fromkeys(part for one in sheet.lessons for part in one.parts if isinstance(part, Picture)))
        keys.update(sheet.keys)
        pictures.append(np.stack([seen(picture, recipe.build.side) for picture in shown]))
        for lesson in sheet.lessons:
            rows[_DECK_OF[lesson.kind]].append(row(lesson, shown, known, recipe.build))
    return np.stack(pictures), rows, frozenset(keys)


def row(lesson: Lesson, shown: Sequence[Picture], known: Vocabulary, build: Build) -> _Row:
    places = tuple(shown.index(part) for part in lesson.parts if isinstance(part, Picture))
    asked = prompt(lesson.parts, known, build.picture_tokens)
    return lesson.kind, asked, [*known.read(lesson.answer), known.numbers[END]], places


def _longest(made: Sequence[_Row]) -> int:
    return max(len(asked) + len(answer) for _, asked, answer, _ in made)


def _deck(made: Sequence[_Row], longest: int, sheets: int, known: Vocabulary) -> Deck:
    tokens = np.full((len(made), longest), known.numbers[PAD], np.int16)
    for k, (_, asked, answer, _) in enumerate(made):
        tokens[k, : len(asked) + len(answer)] = asked + answer
    begins = np.array([len(asked) for _, asked, _, _ in made], np.int32)
    ends = begins + np.array([len(answer) for _, _, answer, _ in made], np.int32)
    shown = np.array([places for *_, places in made], np.int64)
    return Deck(tokens, begins, ends, shown, tuple(kind for kind, *_ in made[: len(made) // sheets]))
