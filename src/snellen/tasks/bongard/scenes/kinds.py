"""Kinds of things by what they are, as tuples of names that are made once; `kinds.toml` says how they are filed."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from snellen.draw.icons import icon, icons
from snellen.rng import Stream

Kinds = tuple[str, ...]

WORDS = ("kind", "category", "group", "life")
"""Attributes of a thing that its kind decides."""
_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CATEGORIES: Kinds = tuple(_TABLES["categories"])
"""Categories that people agree on, but for the things that `blurring` keeps away."""
GROUPS: Kinds = tuple(_TABLES["groups"])
BARE = frozenset(_TABLES["bare"])
"""Kinds that take no "one" or "a"."""
NOUNS: Mapping[str, list[str]] = _TABLES["nouns"]
"""Singular and plural where an s is not enough."""
BLURRING_CLASSES: Mapping[str, list[str]] = _TABLES["blurring_classes"]
BLURRING_KINDS: Mapping[str, list[str]] = _TABLES["blurring_kinds"]
"""By the name of a class: categories and groups, and kinds, that some would count in and others out."""
_OFTEN = {"animal": 4, "plant": 2}
"""How often a category comes up, others once: about a third of all things should be alive."""


@cache
def every_kind() -> Kinds:
    return tuple(kind.name for kind in icons())


@cache
def kinds_of(word: str, value: str) -> Kinds:
    """All kinds of which this is true."""
    return tuple(name for name in every_kind() if is_of(name, word, value))


def is_of(name: str, word: str, value: str) -> bool:
    return (name if word == "kind" else getattr(icon(name), word)) == value


@cache
def relatives(name: str, level: str) -> Kinds:
    """Other kinds of the same group, category or life."""
    shared = getattr(icon(name), level)
    return tuple(kind for kind in kinds_of(level, shared) if kind != name) if shared else ()


def blurring(value: str) -> Kinds:
    """The kinds to keep away from a line drawn by this class of things."""
    classes = [kinds_of(word, name) for name in BLURRING_CLASSES.get(value, ()) for word in ("category", "group")]
    return tuple(kind for kinds in classes for kind in kinds) + tuple(BLURRING_KINDS.get(value, ()))


@cache
def within(some: Kinds, pool: Kinds) -> Kinds:
    """Those of some kinds that are in the pool."""
    allowed = set(pool)
    return tuple(name for name in some if name in allowed)


@cache
def without(pool: Kinds, some: Kinds) -> Kinds:
    """Those of the pool that are not among some kinds."""
    barred = set(some)
    return tuple(name for name in pool if name not in barred)


def random_kind(rng: Stream, pool: Kinds) -> str:
    """A kind from the pool: first a category, then one of its kinds, so that large categories do not crowd the rest."""
    return rng.choice(rng.choice(_by_category(pool)))


@cache
def _by_category(pool: Kinds) -> tuple[Kinds, ...]:
    """The pool category by category, each as often as it shall come up."""
    by_category: dict[str, list[str]] = {}
    for name in pool:
        by_category.setdefault(icon(name).category, []).append(name)
    return tuple(tuple(names) for category, names in by_category.items() for _ in range(_OFTEN.get(category, 1)))
