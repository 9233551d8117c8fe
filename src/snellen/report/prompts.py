"""Prompts as they were sent: messages, each a role and its words and pictures in order.

Thousands of trials share their wording, and a description stands in the prompt of every trial that reasons from it; so
words are kept by the paragraph, each once, and a prompt is a short list of pieces.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from marshal import dumps
from typing import Any

import numpy as np

from snellen.report.container import Array, texts

WORDS, ROLE, PICTURE, MORE = range(4)
KINDS = 4
"""What a piece is: words, the role that opens a message, a picture's digest, or more words after an empty line."""

PARAGRAPH = "\n\n"
REMEMBERED = 4096
_ENCODED = json.JSONEncoder(sort_keys=True).encode
_FORMAT = 2
"""Of `marshal`, several times as fast as JSON: without references, so that equal setups have the same bytes."""


class Kept:
    """Texts kept once, numbered in order of first appearance."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.texts = list(first)
        self._place = {text: i for i, text in enumerate(self.texts)}

    def code(self, text: str) -> int:
        place = self._place.get(text)
        if place is None:
            place = self._place[text] = len(self.texts)
            self.texts.append(text)
        return place


@dataclass
class PromptIndex:
    """The prompts of all calls seen so far. `pictures[prompt]` are the digests a prompt shows, in order."""

    pieces: Kept = field(default_factory=Kept)
    setups: Kept = field(default_factory=Kept)
    prompts: dict[tuple[int, ...], int] = field(default_factory=dict)
    pictures: list[tuple[str, ...]] = field(default_factory=list)
    _known: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _known_setups: dict[bytes, int] = field(default_factory=dict)

    def add(self, request: str) -> tuple[int, int]:
        """The number of the request's prompt and of its setup (who was asked, with what settings)."""
        content = json.loads(request)
        tokens: list[int] = []
        shown: list[str] = []
        for role, *parts in content["messages"]:
            tokens.append(self._token(role, ROLE))
            for part in parts:
                if isinstance(part, str):
                    tokens += self._known.get(part) or self._words(part)
                else:
                    tokens.append(self._token(part["picture"], PICTURE))
                    shown.append(part["picture"])
        prompt = self.prompts.setdefault(tuple(tokens), len(self.prompts))
        if prompt == len(self.pictures):
            self.pictures.append(tuple(shown))
        setup = {"subject": content.get("subject"), "settings": content.get("settings")}
        same = dumps(setup, _FORMAT)
        if same not in self._known_setups:
            self._known_setups[same] = self.setups.code(_ENCODED(setup))
        return prompt, self._known_setups[same]

    def _words(self, part: str) -> tuple[int, ...]:
        """The pieces of some words; those of the last few thousand are remembered."""
        first, *more = part.split(PARAGRAPH)
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        tokens = (self._token(first, WORDS), *(self._token(piece, MORE) for piece in more))
        return self._known.setdefault(part, tokens)

    def _token(self, piece: str, kind: int) -> int:
        return self.pieces.code(piece) * KINDS + kind

    def head(self) -> dict[str, Any]:
        return {"setups": self.setups.texts}

    def arrays(self) -> dict[str, Array]:
        """The pieces, and the prompts as runs of pieces."""
        return {
            **texts(self.pieces.texts),
            "tokens": np.array([t for tokens in self.prompts for t in tokens], dtype=np.uint32),
            "prompt_ends": np.cumsum([len(tokens) for tokens in self.prompts], dtype=np.uint32),
        }
