"""Facts of a twin that is JSON, and how a describer who is not careful tells them.

A fact is a single value: a word, a number, true, false or null, by its path ("/objects/0/size"). Telling a twin anew
leaves some facts out and alters others; whatever is left keeps its place, and the result is JSON again.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

from snellen.rng import Stream

Fate = Literal["told", "dropped", "changed"]
_GONE = object()

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def facts(twin: str) -> tuple[str, ...]:
    """The paths of all facts; none if the twin is no JSON object or list."""
    return tuple(path for path, _ in _leaves(_content(twin), ""))


def retell(twin: str, fate: Callable[[str], Fate], rng: Callable[[str], Stream]) -> str:
    """The twin with every fact told, dropped or changed as its path's fate says; the very same text if all are told.

    A changed word becomes another word that the twin has under the same name, or else any other of its words; a number
    becomes a larger one; true and false change places. A twin that is not JSON has no facts and stays as it is.
    """
    content = _content(twin)
    leaves = list(_leaves(content, ""))
    fates = {path: fate(path) for path, _ in leaves}
    if set(fates.values()) <= {"told"}:
        return twin

    def told(value: Any, path: str) -> Any:
        if isinstance(value, dict):
            pairs = ((name, told(part, f"{path}/{name}")) for name, part in value.items())
            return {name: part for name, part in pairs if part is not _GONE}
        if isinstance(value, list):
            entries = (told(part, f"{path}/{number}") for number, part in enumerate(value))
            return [part for part in entries if part is not _GONE]
        if fates[path] == "dropped":
            return _GONE
        return _other(value, path, leaves, rng(path)) if fates[path] == "changed" else value

    return _compact(told(content, ""))


def _content(twin: str) -> Any:
    try:
        content = json.loads(twin)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict | list) else {}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, f"{path}/{name}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _leaves(part, f"{path}/{number}")
    else:
        yield path, value


def _other(value: Any, path: str, leaves: list[tuple[str, Any]], rng: Stream) -> Any:
    """Something else that could have stood there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return round(value + 1 + rng.below(3), 2)
    words = [(_name(where), word) for where, word in leaves if isinstance(word, str) and word != value]
    alike = sorted({word for name, word in words if name == _name(path)})
    others = alike or sorted({word for _, word in words})
    return rng.choice(others) if others else "something else"


def _name(path: str) -> str:
    """The name a fact goes by: the last step of its path that is not a place in a list."""
    return next((step for step in reversed(path.split("/")) if not step.isdecimal()), "")
