"""Prompts as they were sent: messages, each a role and its words and pictures in order.

Thousands of trials share their wording, so each piece of text is kept once and a prompt is a short list of pieces.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from snellen.report.container import pack, texts

PromptOf = Callable[[str], str | None]
"""From a call's key to its request, in the canonical JSON of `Call.request`; None if it is not known."""

WORDS, ROLE, PICTURE = range(3)


@dataclass
class _Pieces:
    """Things kept once, numbered in order of first appearance."""

    place: dict[str, int] = field(default_factory=dict)

    def code(self, piece: str) -> int:
        return self.place.setdefault(piece, len(self.place))


@dataclass
class Prompts:
    """The prompts of all calls seen so far. `pictures[prompt]` are the digests a prompt shows, in order."""

    pieces: _Pieces = field(default_factory=_Pieces)
    setups: _Pieces = field(default_factory=_Pieces)
    prompts: dict[tuple[int, ...], int] = field(default_factory=dict)
    pictures: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, request: str) -> tuple[int, int]:
        """The number of the request's prompt and of its setup (who was asked, with what settings)."""
        content = json.loads(request)
        tokens: list[int] = []
        shown: list[str] = []
        for role, *parts in content["messages"]:
            tokens.append(self.pieces.code(role) * 3 + ROLE)
            for part in parts:
                if isinstance(part, str):
                    tokens.append(self.pieces.code(part) * 3 + WORDS)
                else:
                    tokens.append(self.pieces.code(part["picture"]) * 3 + PICTURE)
                    shown.append(part["picture"])
        prompt = self.prompts.setdefault(tuple(tokens), len(self.prompts))
        if prompt == len(self.pictures):
            self.pictures.append(tuple(shown))
        setup = {"subject": content.get("subject"), "settings": content.get("settings")}
        return prompt, self.setups.code(json.dumps(setup, sort_keys=True))


@dataclass(frozen=True)
class Asked:
    """What each trial's calls were: `steps[trial]` are (prompt, setup) numbers, in the order of the calls."""

    prompts: Prompts
    steps: list[tuple[tuple[int, int], ...]]

    def pictures(self, trial: int) -> Iterable[str]:
        return (digest for prompt, _ in self.steps[trial] for digest in self.prompts.pictures[prompt])


def collect(calls: Iterable[Sequence[str] | None], prompt_of: PromptOf) -> Asked:
    """Look up every call once."""
    prompts = Prompts()
    found: dict[str, tuple[int, int] | None] = {}
    steps: list[tuple[tuple[int, int], ...]] = []
    for keys in calls:
        for key in keys or ():
            if key not in found:
                request = prompt_of(key)
                found[key] = None if request is None else prompts.add(request)
        steps.append(tuple(step for key in keys or () if (step := found[key]) is not None))
    return Asked(prompts, steps)


def pack_prompts(asked: Asked) -> bytes:
    """The prompts for the page: pieces, prompts as runs of pieces, and each trial's run of (prompt, setup)."""
    prompts = asked.prompts
    head: dict[str, Any] = {"setups": list(prompts.setups.place)}
    arrays = {
        **texts(prompts.pieces.place),
        "tokens": np.array([t for tokens in prompts.prompts for t in tokens], dtype=np.uint32),
        "prompt_ends": np.cumsum([len(tokens) for tokens in prompts.prompts], dtype=np.uint32),
        "steps": np.array([n for steps in asked.steps for step in steps for n in step], dtype=np.uint32),
        "step_ends": np.cumsum([len(steps) for steps in asked.steps], dtype=np.uint32),
    }
    return pack(head, arrays)
