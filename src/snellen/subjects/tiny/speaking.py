"""From words and pictures to an answer, word by word, the likeliest first."""

from collections import OrderedDict
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

from snellen.call import CallFailed, Reply
from snellen.item import Parts, Picture
from snellen.subjects.tiny.network import KeyValueCache, Network
from snellen.subjects.tiny.prompting import prompt, seen
from snellen.subjects.tiny.tokens import END, IMAGE, Vocabulary
from snellen.subjects.tiny.weights import Array, read

_KEPT = 64
_READING = Lock()


def speaker(path: Path) -> "Speaker":
    """The model in that file, read once."""
    with _READING:
        return _speaker(path)


@cache
def _speaker(path: Path) -> "Speaker":
    return Speaker(path)


class Speaker:
    """Several threads may ask at once."""

    def __init__(self, path: Path) -> None:
        weights = read(path)
        self.known = Vocabulary(weights.words)
        self.network = Network(weights)
        self.side = weights.build["side"]
        self.picture_tokens = (self.side // weights.build["patch"] // weights.build["shuffle"]) ** 2
        self._begun: OrderedDict[tuple[str, int], KeyValueCache] = OrderedDict()
        self._lock = Lock()

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
        """After the whole prompt. What comes before the words, up to the picture's end, is remembered by picture."""
        if not pictures:
            return self.network.read(self.network.words(tokens), KeyValueCache())
        if len(pictures) > 1:
            raise CallFailed("rejected", f"{len(pictures)} pictures in one call; it was trained on one")
        begins = tokens.index(self.known.numbers[IMAGE])
        ends = begins + self.picture_tokens
        if begins > _EARLY:  # words first: they differ from call to call
            embedded = self.network.words(tokens)
            embedded[begins:ends] = self._looked(pictures[0])
            return self.network.read(embedded, KeyValueCache())
        memory = self._after_picture(pictures[0], tokens[:ends])
        return self.network.read(self.network.words(tokens[ends:]), memory)

    def _after_picture(self, picture: Picture, tokens: list[int]) -> KeyValueCache:
        key = (picture.digest, len(tokens))
        with self._lock:
            if begun := self._begun.get(key):
                return begun
        embedded = self.network.words(tokens)
        embedded[-self.picture_tokens :] = self._looked(picture)
        _, memory = self.network.read(embedded, KeyValueCache())
        with self._lock:
            self._begun[key] = memory
            while len(self._begun) > _KEPT:
                self._begun.popitem(last=False)
        return memory

    def _looked(self, picture: Picture) -> Array:
        pixels = seen(picture, self.side)
        return self.network.look(pixels.astype(np.float32))


_EARLY = 3
