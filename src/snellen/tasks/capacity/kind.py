"""What a kind of capacity item is: one of the eleven tasks, each a module in `kinds/` that ends in `KIND = Kind(...)`.

A kind is plain data and three pure functions. `make` thinks of an item and proves it; `show` draws its pictures from
the truth alone; `ask` says what is asked and which answer is right. The words for the subject are in a
`.toml` file beside the kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from snellen.item import NOTHING, Form, Picture
from snellen.rng import Stream
from snellen.tasks.detail import Detail

Truth = Mapping[str, Any]
"""What the maker of an item knows, in JSON types: all that its pictures, words and key are made from."""


@dataclass(frozen=True, slots=True)
class KindQuestion:
    """The question of an item.

    `values` fill the slots of the kind's wording. `key` and `also` are right answers in the form's canonical spelling.
    `mechanisms` names what wrong answers betray: by the answer as a whole, or, where an answer has fields, by
    "field=value"; `habit` is the one that a habit leads to, where the instruction goes against one. `twin` is the same
    as the pictures in exact words, empty where words cannot say it.
    """

    form: Form
    key: str
    values: Mapping[str, str] = NOTHING
    mechanisms: Mapping[str, str] = NOTHING
    also: tuple[str, ...] = ()
    twin: str = ""
    habit: str = ""


@dataclass(frozen=True, slots=True)
class CapacityKind:
    """One of the eleven tasks.

    `n` is how many the published set has.
    `make(rng, size, index)` gives the truth of an item, proven unique; `size` is a difficulty of the kind's own, one
    of `sizes` (the first is the default); `index` counts the items of a kind and size, for balance (whose turn is it
    among the error kinds, where the right answer stands). Every truth has "size" and a "difficulty": a number that
    grows with the item's difficulty (moves, path length, views, ...).
    `describable`: whether "describe first" makes sense for it (the instruction does not conflict with the task's own).
    `plain`: where the instruction goes against a habit, the same truth without what goes against it: `ask` and
    `observe` then take that in place of the item's own.
    """

    name: str
    n: int
    make: Callable[[Stream, str, int], Truth]
    show: Callable[[Truth], tuple[Picture, ...]]
    ask: Callable[[Truth], KindQuestion]
    sizes: tuple[str, ...] = ("standard",)
    captions: tuple[str, ...] = field(default=())
    """Pieces of the wording that stand before each picture, in order; the last serves for all further ones."""
    describable: bool = True
    plain: Callable[[Truth], Truth] | None = None
    detail: Callable[[str], Detail | None] = lambda size: None
    """The finest thing that must be seen in pictures of a size; None where that cannot be said."""
    observe: Callable[[Truth], Mapping[str, str | int | float]] = lambda truth: {}
    """What an observer who does not do the task might go by, for the shortcut audit."""
