"""Where in a reply an answer may stand, and what is found there."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from snellen.answer.tidy import Tidy, plain_letters
from snellen.item import Field

Fields = tuple[Field, ...]


class Entry(NamedTuple):
    """A field's value as stated at text[start:end]; the value may be `OPEN`."""

    field: int
    value: str
    start: int
    end: int


class Row(NamedTuple):
    """A table's row at text[start:end]."""

    cells: list[str]
    start: int
    end: int


@dataclass(frozen=True)
class Zone:
    """A stretch of tidy text where an answer may stand. `marked`: the reply says that it stands here."""

    text: str
    start: int
    end: int
    marked: bool

    @cached_property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]

    def tables(self) -> list[list[Row]]:
        """The tables, row by row. The rule below a heading is no row; a line that is none ends a table."""
        tables: list[list[Row]] = [[]]
        for line in re.finditer(r"[^\n]+", self.words):
            if "|" not in line[0]:
                tables.append([])
            elif re.search(r"[^\s|:+-]", line[0]):
                tables[-1].append(Row(cells(line[0]), self.start + line.start(), self.start + line.end()))
        return [table for table in tables if table]


def cells(row: str) -> list[str]:
    return row.strip().removeprefix("|").removesuffix("|").split("|")


def pieces(name: str) -> list[str]:
    """The words and numbers of a name, in small letters: "Photo1" is photo and 1."""
    return re.findall(r"[^\W\d_]+|\d+", plain_letters(Tidy(name)).text.lower())
