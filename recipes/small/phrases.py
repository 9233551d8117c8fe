"""Ways of saying things, in other words than the exam's: `phrases.toml`."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from snellen.rng import Stream

_FILE = Path(__file__).with_name("phrases.toml")


@cache
def _phrases() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def phrase(rng: Stream, table: str, piece: str, **slots: str | int) -> str:
    """One of the ways of saying it."""
    return rng.choice(phrases(table, piece)).format(**slots)


def phrases(table: str, piece: str) -> Sequence[str]:
    return _phrases()[table][piece]


def numeral(number: int) -> str:
    return _NUMERALS[number]


def ordinal(number: int) -> str:
    return _ORDINALS[number]


def with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
