"""Multiple choice in data sets of other makers: what a row offers, and which place its key names.

Options are a list, a list written as a text, columns A, B, C ... or option_a, option_b ..., a mapping from letters, or
lines of the question that begin with letters. Keys are letters, places (counted from 0 or 1) or the options themselves:
whichever reading fits most rows is taken for all.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from snellen.tasks.audit.observer import Observation

LETTERED = ("{}", "option_{}", "option{}", "choice_{}", "choice{}", "answer_{}")
_LINE = re.compile(r"^\s*\(?([A-Z])[).:]\s*(\S.*)$", re.MULTILINE)
_LONGEST = 20_000


def options_in(row: Mapping[str, Any], column: str, question: str) -> tuple[str, ...]:
    """The options of a row as texts; none where there are none, or where they are pictures."""
    cell = row.get(column) if column else None
    if isinstance(cell, str):
        cell = _literal(cell)
    if isinstance(cell, Mapping):
        texts = cell.get("text")
        cell = texts if isinstance(texts, list) else [value for value in cell.values() if value is not None]
    if cell is None:
        cell = _lettered(row) or _lines(question)
    if not isinstance(cell, Sequence) or not all(isinstance(option, str | int | float) for option in cell):
        return ()
    return tuple(map(str, cell)) if len(cell) > 1 else ()


def _literal(text: str) -> Any:
    """A list that was written into a cell as Python or JSON writes it."""
    if not text.lstrip().startswith(("[", "{")) or len(text) > _LONGEST:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _lettered(row: Mapping[str, Any]) -> list[str]:
    """Columns named by letters from A on, as far as they are filled."""
    spelled = {name.lower(): name for name in row}
    for pattern in LETTERED:
        options = []
        for letter in ascii_uppercase:
            cell = row.get(spelled.get(pattern.format(letter.lower()), ""))
            if cell is None or cell == "":
                break
            options.append(str(cell))
        if len(options) > 1:
            return options
    return []


def _lines(question: str) -> list[str]:
    options = _LINE.findall(question)
    letters = "".join(letter for letter, _ in options)
    return [text.rstrip() for _, text in options] if letters and ascii_uppercase.startswith(letters) else []


def _as_text(key: str, options: Sequence[str]) -> int:
    plain = [option.strip().casefold() for option in options]
    return plain.index(key.strip().casefold()) if key.strip().casefold() in plain else -1


def _as_letter(key: str, options: Sequence[str]) -> int:
    letter = re.fullmatch(r"\(?([A-Za-z])(?:[).:].*)?", key.strip(), re.DOTALL)
    return ascii_uppercase.index(letter[1].upper()) if letter else -1


def _as_place(key: str, options: Sequence[str]) -> int:
    return int(key.partition(".")[0]) if re.fullmatch(r"\d{1,3}(\.0)?", key) else -1


READINGS: tuple[Callable[[str, Sequence[str]], int], ...] = (
    _as_text,
    _as_letter,
    _as_place,
    lambda key, options: _as_place(key, options) - 1,
)


NOT_OFFERED = "key is none of the options"


def placed(rows: Sequence[Observation]) -> list[Observation]:
    """The rows with the place of the right option as their key.

    Rows without options, or whose key is none of them, are groups of their own. If that were most rows, the options are
    something else, and all keys stay as they are.
    """
    offering = [row for row in rows if row.options]
    read = max(READINGS, key=lambda read: sum(0 <= read(row.key, row.options) < len(row.options) for row in offering))
    made = []
    for row in rows:
        place = read(row.key, row.options) if row.options else -1
        if 0 <= place < len(row.options):
            made.append(replace(row, key=str(place), choices=len(row.options)))
        else:
            group = NOT_OFFERED if row.options else "no options"
            made.append(replace(row, group=group, options=(), choices=0))
    if 2 * sum(bool(row.options) for row in made) < len(offering) or not offering:
        return [replace(row, options=()) for row in rows]
    return made
