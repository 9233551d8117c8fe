"""`local/tiny`: a real model that comes with the package and runs without torch. CARD.md beside this says how it was
made. It has seen what three tasks draw and nothing else of the world, and has a habit of its own."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.errors import UserError
from snellen.item import Item, content_digest
from snellen.subjects.cores import OneCoreEach
from snellen.subjects.own import OwnSubject
from snellen.subjects.trained_on import read_trained_on

NAME = "local/tiny"
FILE = Path(__file__).with_name("model.safetensors")
MAX_TOKENS = 64
_KNOWN = {"size": ("small",), "source": ("generated", "things"), "scene": ("icon",)}
"""Levels of the items that it was trained on, of factors that not every task has."""


def tiny_subject(pairs: tuple[tuple[str, str], ...] = ()) -> OwnSubject:
    if pairs:
        raise UserError(f"subject {NAME}: it has no settings; write {NAME}")
    settings = {"weights": content_digest(FILE.read_bytes())[:12], "max_tokens": MAX_TOKENS}
    abilities = Abilities(
        pictures=2,
        knows=known,
        trained_on=_trained_on(),
        together=min(4, os.cpu_count() or 1),
        in_process=True,
    )
    return OwnSubject(NAME, settings, abilities, answer, OneCoreEach())


@cache
def _trained_on() -> Mapping[str, frozenset[str]]:
    return read_trained_on(FILE.parent) or {}


def known(item: Item) -> bool:
    """Whether it was ever shown anything like this: generated items of the tasks that it was trained on."""
    levels = item.levels
    return item.task in _trained_on() and all(levels[name] in own for name, own in _KNOWN.items() if name in levels)


def answer(call: Call) -> Reply:
    from snellen.subjects.tiny.speaking import speaker  # read by those alone who ask

    if len(call.messages) > 1:
        raise CallFailed("rejected", f"{NAME} accepts a single message; it was not trained on several turns")
    return speaker(FILE).answer(call.messages[0].parts, int(call.settings["max_tokens"]))
