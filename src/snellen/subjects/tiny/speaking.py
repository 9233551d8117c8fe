"""From words and pictures to an answer, word by word, the likeliest first."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from snellen.call import CallFailed, Reply
from snellen.item import Parts, Picture
from snellen.subjects.tiny.network import KeyValueCache, Network
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.tokens import END, IMAGE, Vocabulary
from snellen.subjects.tiny.weights import Array, read

MOST_PICTURES = 2
_KEPT = 64
T = TypeVar("T")
_READING = Lock()


def speaker(path: Path) -> "Speaker":
    """The model in that file, read once."""
    with _READING:
        return _speaker(path)


@cache
def _speaker(path: Path) -> "Speaker":
    return Speaker(path)


class RecentValues(Generic[T]):
    """The last values by their keys; several threads may ask at once."""

    def __init__(self) -> None:
        self._values: OrderedDict[tuple[str | int, ...], T] = OrderedDict()
        self._lock = Lock()

    def __call__(self, key: tuple[str | int, ...], make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._values:
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > _KEPT:
                self._values.popitem(last=False)
        return value


class Speaker:
    def __init__(self, path: Path) -> None:
        weights = read(path)
        self.known = Vocabulary(weights.words)
        self.network = Network(weights)
        self.side = weights.build["side"]
        self.picture_tokens = (self.side // weights.build["patch"] // weights.build["shuffle"]) ** 2
        self._begun = RecentValues[KeyValueCache]()
        self._looked = RecentValues[Array]()

    def answer(self, parts: Parts, max_tokens: int) -> Reply:
        tokens = prompt(parts, self.known, self.picture_tokens)
        pictures = [part for part in parts if isinstance(part, Picture)]
        likely, memory = self._heard(tokens, pictures)
        spoken: list[int] = []
        while len(spoken) < max_tokens:
            spoken.append(int(likely.argmax()))
            if spoken[-1] == self.known.numbers[END]:
                return self._reply(tokens, spoken, "stop")
            likely, memory = self.network.read(self.network.words(spoken[-1:]), memory)
        return self._reply(tokens, spoken, "length")

    def _reply(self, tokens: list[int], spoken: list[int], finish: str) -> Reply:
        pictures = tokens.count(self.known.numbers[IMAGE])
        return Reply(
            self.known.say(spoken),
            "stop" if finish == "stop" else "length",
            tokens_in=len(tokens),
            tokens_out=len(spoken),
            tokens_picture=pictures,
        )

    def _heard(self, tokens: list[int], pictures: list[Picture]) -> tuple[Array, KeyValueCache]:
        """After the whole prompt. What is read up to the last picture's end is remembered where a picture comes before
        the words."""
        if not pictures:
            return self.network.read(self.network.words(tokens), KeyValueCache())
        if len(pictures) > MOST_PICTURES:
            raise CallFailed("rejected", f"{len(pictures)} pictures in one call; it was trained on {MOST_PICTURES}")
        image = self.known.numbers[IMAGE]
        if tokens.index(image) > _EARLY:  # words first: they differ from call to call
            return self.network.read(self._embedded(tokens, pictures), KeyValueCache())
        ends = len(tokens) - tokens[::-1].index(image)
        key: tuple[str | int, ...] = (*(picture.digest for picture in pictures), *tokens[:ends])
        memory = self._begun(key, partial(self._begin, tokens[:ends], pictures))
        return self.network.read(self.network.words(tokens[ends:]), memory)

    def _begin(self, tokens: list[int], pictures: list[Picture]) -> KeyValueCache:
        return self.network.read(self._embedded(tokens, pictures), KeyValueCache())[1]

    def _embedded(self, tokens: list[int], pictures: list[Picture]) -> Array:
        embedded = self.network.words(tokens)
        looked = [self._looked((picture.digest,), partial(self._look, picture)) for picture in pictures]
        embedded[np.asarray(tokens) == self.known.numbers[IMAGE]] = np.concatenate(looked)
        return embedded

    def _look(self, picture: Picture) -> Array:
        return self.network.look(seen(picture, self.side).astype(np.float32))


_EARLY = 6
"""Tokens before the first picture where it is said to come first: "Picture:" at most."""
