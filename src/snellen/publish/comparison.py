"""Published files held against files computed again: every text equal, every number to six digits, so that another
machine's last bit is no difference."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from math import isclose
from pathlib import Path
from typing import Any

_ALIKE = 1e-6
_MOST = 20
"""So many differences of one file are named."""

_ABSENT = "(nothing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record is not what it should be."""

    what: str
    expected: str
    found: str


def file_differences(published: Path, computed: Path, name: str) -> tuple[int, list[Difference]]:
    """The number of figures in a file, and where it differs from what was computed; texts count as no figures."""
    expected = _content(computed)
    figures = sum(isinstance(value, int | float) and not isinstance(value, bool) for value in _leaves(expected))
    if not published.is_file():
        return figures, [Difference(name, "a file", "no such file")]
    try:
        found = _content(published)
    except (OSError, ValueError, RecursionError) as error:
        return figures, [Difference(name, "a readable file", str(error))]
    return figures, [
        Difference(f"{name} {where}".strip(), _short(one), _short(other))
        for where, one, other in islice(_differences(expected, found, ""), _MOST)
    ]


def _content(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return json.loads(text)
    if path.suffix == ".csv":
        head, *rows = csv.reader(text.splitlines()) or [[]]
        return [{"columns": head}, *({name: _number(cell) for name, cell in zip_longest(head, row)} for row in rows)]
    return text.splitlines()


def _number(cell: str | None) -> Any:
    try:
        return float(cell or "")
    except ValueError:
        return cell


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner)
    else:
        yield value


def _differences(expected: Any, found: Any, where: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in dict.fromkeys((*expected, *found)):
            inner = f"{where}.{name}" if where else str(name)
            yield from _differences(expected.get(name, _ABSENT), found.get(name, _ABSENT), inner)
    elif isinstance(expected, list) and isinstance(found, list):
        for place, (one, other) in enumerate(zip_longest(expected, found, fillvalue=_ABSENT)):
            yield from _differences(one, other, f"{where}[{place}]")
    elif not _is_same(expected, found):
        yield where, expected, found


def _is_same(expected: Any, found: Any) -> bool:
    numbers = [isinstance(value, int | float) and not isinstance(value, bool) for value in (expected, found)]
    if all(numbers):
        return isclose(expected, found, rel_tol=_ALIKE, abs_tol=_ALIKE)
    return type(expected) is type(found) and bool(expected == found)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
