"""What a sort of picture is: how one is thought of, drawn, told in words, and what is true of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.item import Picture
from snellen.rng import Stream
from snellen.tasks.capacity.scenes.facts import Facts

Description = Mapping[str, Any]
"""All that is in a picture, in JSON types: picture, words and facts are made from it."""


@dataclass(frozen=True, slots=True)
class SceneWish:
    """What a picture must have: exactly so many of one kind, of a second one; one thing of a name, or none.

    `large`: more things than usual.
    """

    counts: tuple[int, ...] = ()
    has: str = ""
    lacks: str = ""
    large: bool = False


@dataclass(frozen=True, slots=True)
class SceneSetting:
    """A sort of picture. `make` grants every wish; `pool` are names of things that may be there or not; `most` is how
    many of a kind there can be."""

    make: Callable[[Stream, SceneWish], Description]
    draw: Callable[[Description], Picture]
    words: Callable[[Description], str]
    facts: Callable[[Description], Facts]
    things: Callable[[Description], int]
    pool: Sequence[str]
    most: int = 8
