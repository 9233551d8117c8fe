"""One shape for everyone who looks: an **observer** is a name and a function from what a model sees to a feature.

What the function gives says how an answer is learned from it:

| it gives | what is learned |
|---|---|
| a number or a text | which answer goes with which value, bin, or side of a threshold |
| a tuple of words | what each word says, and the one that says most |
| an array of numbers | what they say together (floats), or the one that says most (bytes) |
| a list with a value for each option | which value the right option has |
| a list with a tuple of words for each option | which words the right option has |
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np

from snellen.item import Picture
from snellen.tasks.audit.choosing import by_option, by_words
from snellen.tasks.audit.guessing import Feature, Guesses, Trials, guesses
from snellen.tasks.audit.learning import bag, probe, single


@dataclass(frozen=True, slots=True)
class Observation:
    """One trial as observers see it, and its key (a label's index in canonical order, or the answer itself).

    `features` are looked at one by one; `words` are the question and all that is said with it, `twin` the text that
    stands for the pictures on the rung `words`, `options` what is offered, where the key is the place of one of these.
    `choices`: how many labels there are to choose from, 0 if the answer is free. `cluster`: what the trial is clustered
    on, if that is more than its item. `due`: how often an observer whose name begins so is right here for a good reason
    (see `Task.due`). `split`: the part of the data set it lies in.
    """

    group: str
    item: str
    key: str
    features: Mapping[str, Feature]
    choices: int = 0
    cluster: str = ""
    words: str = ""
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    due: Mapping[str, float] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    twin: str = field(default="", repr=False)
    split: str = ""

    @property
    def name(self) -> str:
        """The item's id, with its split where there are several."""
        return f"{self.split}/{self.item}" if self.split else self.item


Part = TypeVar("Part")
Seen = Feature | None | tuple[str, ...] | np.ndarray | list[Feature] | list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Observer:
    name: str
    sees: Callable[[Observation], Seen]

    @classmethod
    def of(cls, name: str, part: Callable[[Observation], Part], measure: Callable[[Part], Seen]) -> "Observer":
        """An observer that measures a part of what there is to see."""
        return cls(name, lambda row: measure(part(row)))


def guessed(observer: Observer, rows: Sequence[Observation], trials: Trials) -> Iterator[Guesses]:
    """What the observer achieves on these trials, in every way it can learn; nothing where it sees the same always."""
    seen: list[Any] = [observer.sees(row) for row in rows]
    shown = next((feature for feature in seen if feature is not None), None)
    if isinstance(shown, np.ndarray):
        learn = single if shown.dtype == np.uint8 else probe
        yield from learn(observer.name, np.stack(seen), trials)
    elif isinstance(shown, tuple):
        yield from bag(observer.name, cast("list[tuple[str, ...]]", seen), trials)
    elif isinstance(shown, list):
        right = np.array([int(row.key) for row in rows])
        choose = by_words if isinstance(shown[0], tuple) else by_option
        yield from choose(observer.name, seen, right, trials)
    elif len(set(seen)) > 1:
        yield from guesses(observer.name, seen, trials)
