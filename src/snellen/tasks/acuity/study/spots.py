"""Places on the page by their names: those of the field map, and offsets from the middle."""

import re

_FIELD = re.compile(r"r([1-5])c([1-5])")
_OFFSET = re.compile(r"\+(\d+)")

Place = tuple[int, int]


def field_place(place: str) -> Place | None:
    """Row and column of a place of the field map, from 0."""
    found = _FIELD.fullmatch(place)
    return (int(found[1]) - 1, int(found[2]) - 1) if found else None


def offset(place: str) -> int | None:
    """By how many pixels a place is off the middle, right and down, where it is such a place."""
    found = _OFFSET.fullmatch(place)
    return int(found[1]) if found else None
