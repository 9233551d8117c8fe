"""The published MARVEL: 770 puzzles; nothing of it is kept here.

Two forms are read: the one on GitHub (`marvel_label.json` beside `Marvel/<id>.png`), and the Hub's Parquet files with
the pictures inside. Ids count from 1.

What is irregular about the set, and what becomes of it (each record's `notes` say so where it applies):

1. The configuration "3D" is the one its paper calls reassembling: mapped (`sources.py`).
2. The paper's table by pattern has the rows of Quantities and Mathematical exchanged: the labels are taken as they are,
   and whoever compares with that table must exchange them back.
3. Sequences have 4, 5, 6 or 8 panels with the blank, not 4 to 7, and a cell of pattern x configuration has 15 puzzles
   at least, not 45: nothing is assumed about either (`pixels.layout_found`).
4. 205 puzzles have their four choices in common with others (89 groups, 71 pairs of transposed matrices among them):
   told from the pixels, and the same `cluster` (`pixels.choices`).
5. Two choices of one puzzle look the same (134): told from the pixels; both are `accepted`.
6. Some choices are meant to be empty (321, 662): used as they are, with a note.
7. Explanations name choices by letters, the pictures by digits: `Published.explained` translates. One contradicts its
   key (15): not `demo_ok`.
8. One explanation is a list written as text (47), some have stray blanks, line ends or quotation marks: tidied. Those
   of the solids, and some of one word, explain nothing: not `demo_ok` (`words.explanation`).
9. Some options of perception questions are misspelt or in other words than in their question (73, 90, 119, 445, 619):
   spelled as the question spells them, as is their case. One question does not offer its own answers (357): no `fine`
   (`words.perception`).
10. Perception questions lack their question mark, or say "one of two" for "one or two": mended. The order in which they
    offer their options gives the right one away a little (379 to 279): slots take the place of the options.
11. The prefaces of the questions contradict each other and have misprints: only the sentence that asks is kept, and the
    coarse questions are asked in our own words.
12. The panels that are shipped singly (`Panel_data`) are the cells of the picture, some of them transparent: not read,
    as panels are cut from the picture. Should a whole picture be transparent, it is laid on white.

Kinds of perception questions are not published. `words.kind` tells them by their words: location 170, colour 52,
shape 182, quantity 301 (and the broken one), comparison 64. The sizes behind the paper's table of kinds are 65, 53,
177, 304 and 171: close to ours except that location and comparison seem to have changed places there.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from snellen.errors import UserError
from snellen.tasks.data import LoadedSet, check_options, distinct, image_folder, parse_where, place_of, with_something
from snellen.tasks.marvel.load.pictures import Pictures
from snellen.tasks.marvel.load.record import PublishedPuzzle
from snellen.tasks.marvel.load.sources import label_entries, labels_in, parquet_entries, parquet_in, roots_of
from snellen.tasks.marvel.load.texts import Texts, read_texts

__all__ = ["CREDIT", "OBTAIN", "OPTIONS", "LoadedPuzzles", "Pictures", "PublishedPuzzle", "load"]

OPTIONS = ("images", "text", "only")
CREDIT = "MARVEL (Jiang et al. 2024), Apache-2.0 by its Hub card; most puzzles were collected from public exam sites"
OBTAIN = (
    "MARVEL: give kianasun/MARVEL (on the Hugging Face Hub), or a folder with marvel_label.json and Marvel/<id>.png "
    "from github.com/1171-jpg/MARVEL_AVR, or with the Hub's Parquet files"
)
_SHOWN_IDS = 8


class LoadedPuzzles(LoadedSet[PublishedPuzzle]):
    """The published MARVEL."""

    def puzzles(self) -> Iterator[PublishedPuzzle]:
        """The puzzles that can be used, in the set's order."""
        return self.usable()

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was irregular in the whole set, a line each with the numbers of the puzzles."""
        where: dict[str, list[int]] = defaultdict(list)
        for puzzle in self.usable():
            for note in puzzle.notes:
                where[note].append(puzzle.number)
        return tuple(f"{_numbers(numbers)}: {note}" for note, numbers in where.items())


def _numbers(numbers: list[int]) -> str:
    first = ", ".join(map(str, numbers[:_SHOWN_IDS]))
    more = len(numbers) - _SHOWN_IDS
    return f"puzzle{'s' if len(numbers) > 1 else ''} {first}" + (f" and {more} more" if more > 0 else "")


def load(where: str) -> LoadedPuzzles:
    """The set at `PLACE[:OPTION=VALUE,...]`.

    Options: `images`, a folder of the pictures `<id>.png`; `text`, a file of descriptions (`texts.py` has the format)
    or `snellen` for ours; `only=described` leaves out all puzzles that are not described there.
    """
    asked = parse_where(where)
    check_options(asked, OPTIONS)
    place = place_of(asked.place, OBTAIN)
    texts = read_texts(asked.options) if {"text", "only"} & {*asked.options} else Texts()
    parquet = parquet_in(place)
    files = parquet or labels_in(place)
    if not files:
        raise UserError(f"{place}: neither marvel_label.json nor Parquet files with its columns; {OBTAIN}")
    roots = image_folder(asked.options) or roots_of(place, files)
    entries = parquet_entries if parquet else label_entries
    loaded = LoadedPuzzles(lambda: texts.put(distinct(entries(files, roots))), roots, CREDIT, "a puzzle")
    with_something(loaded, place, OBTAIN)
    return loaded
