"""Items from a seed: a thing, how it looks, and how many parts it has."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from snellen.item import Item, content_digest
from snellen.rng import stream
from snellen.tasks.bias.kinds import ICON, count_of, counts, kind_of
from snellen.tasks.task import Levels

NAME = "bias"
VERSION = 2
"""Of what an item is and what its answers betray: trials of another version are not taken for the same."""


def item(levels: Mapping[str, str], index: int, seed: int) -> Item:
    """The index-th item of a kind."""
    kind, source = kind_of(levels["kind"]), levels["source"]
    # Drawings of the training set have looks of their own: none of them turns up in an exam of the same seed.
    looks = seed if source == "things" else stream(seed, "bias", source).below(2**53)
    truth: dict[str, Any] = {
        "kind": kind.name,
        "count": count_of(kind, source, index, seed),
        "usual": kind.usual,
        "look": [looks, index],
    }
    scene = levels.get("scene", ICON)
    if scene != ICON:  # an icon's truth, and so its digest, is what it was before there were scenes
        truth["scene"] = scene
    own_levels = {"source": source, "topic": kind.topic, "kind": kind.name, "scene": scene}
    where = source if scene == ICON else f"{source}-{scene}"
    name = f"{NAME}/{where}-{seed}/{kind.name}/{index:04}"
    digest = content_digest(json.dumps({**truth, "version": VERSION}, sort_keys=True))
    return Item(name, NAME, own_levels, truth, digest)


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    return (item(kind, index, seed) for kind, share in counts(levels, n) for index in range(share))
