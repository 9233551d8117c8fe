"""Answers given as JSON: the value of the key that holds the answer, or an object with all the fields.

Models that are asked for an answer often wrap it, with their reasoning in a field beside it. Quotes and braces away,
that reasoning would run into the answer, so JSON is read as what it is wherever it parses.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from snellen.answer.lexicon import table
from snellen.answer.tidy import Tidy
from snellen.answer.zones import pieces

_ANSWER = frozenset(table("fields")["json"].split(" | "))
"""Keys that hold an answer, run together."""
_OF_REASONING = re.compile(
    r"reason|thought|think|explan|analy|step|rational|evidence|note|comment|confiden|descri|observ"
)
_TRIES = 30
_LONGEST = 20_000


def objects(text: str) -> Iterator[tuple[Mapping[str, Any], int, int]]:
    """The JSON objects in a text that stand in no other, and where, from the last one back."""
    decoder = json.JSONDecoder()
    mappings: list[tuple[Mapping[str, Any], int, int]] = []
    at = tries = 0
    while (start := text.find("{", at)) >= 0 and tries < _TRIES:
        tries += 1
        try:
            value, length = decoder.raw_decode(text[start : start + _LONGEST])
        except (ValueError, RecursionError):
            at = start + 1
            continue
        at = start + length
        if isinstance(value, dict) and value:
            mappings.append((value, start, at))
    yield from reversed(mappings)


def answer_value(held: Mapping[str, Any], asked: str) -> str | None:
    """What an object gives as the answer: the value of a key that says so, else the only value that is no reasoning.

    Where a role is asked for, only a key that says so will do: {"winner": "X"} does not name the loser.
    """
    named = {key: value for key, value in held.items() if _is_answer(key, asked)}
    spoken = {key: value for key, value in held.items() if not _OF_REASONING.search(key.lower())}
    for values in (named,) if asked else (named, spoken):
        plain = {_plain(value) for value in values.values()}
        if len(plain) == 1:
            return plain.pop()
    return None


def _is_answer(key: str, asked: str) -> bool:
    word = "".join(pieces(key))
    if asked in ("winner", "loser") and word in ("winner", "loser"):
        return word == asked
    return word in _ANSWER or word == asked.lower()


def _plain(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def with_all(held: Any, names: list[tuple[str, ...]], depth: int = 4) -> list[Any] | None:
    """The values of the object, within this one or itself, that has one for every name; of several such objects, of
    the one called total or answer. `names`: the words of each field's name."""
    if not isinstance(held, Mapping) or depth == 0:
        return None
    own = {tuple(pieces(key)): value for key, value in held.items()}
    if all(name in own for name in names):
        return [own[name] for name in names]
    inner = {key: mapping for key, value in held.items() if (mapping := with_all(value, names, depth - 1)) is not None}
    chosen = [mapping for key, mapping in inner.items() if "".join(pieces(key)) in _ANSWER] or list(inner.values())
    return chosen[0] if len(chosen) == 1 else None


def is_json(letters: Tidy) -> bool:
    return "{" in letters.text and '"' in letters.text
