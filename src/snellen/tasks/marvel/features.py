"""What someone might go by who does not look for a rule: the choices' looks, one against the others.

Every feature names a choice by its place, so that an observer who always takes "the darkest", "the odd one out" or "the
one most like the last panel" is tried for what it is worth.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.item import Stimulus
from snellen.tasks.marvel.draw.puzzles import Layout, layout
from snellen.tasks.marvel.marks import SIDE
from snellen.tasks.marvel.puzzle import CHOICES

Pixels = NDArray[np.uint8]
_EDGE = 6
"""Cells are looked at without the lines of their frame."""


def observe(shown: Stimulus) -> Mapping[str, str | int | float]:
    """The choice that stands out in one way or another; panels shown apart are observed by their words alone."""
    truth = shown.item.truth
    features: dict[str, str | int | float] = {}
    if shown.condition.get("panels", "together") == "together" and shown.pictures:
        features |= _by_pixels(shown.pictures[0].data, layout(truth["rows"], truth["columns"]))
    if "choices" in truth:
        features |= _by_marks(truth["choices"])
    return features


def _by_pixels(data: bytes, where: Layout) -> dict[str, str | int | float]:
    with Image.open(BytesIO(data)) as image:
        page = np.asarray(image.convert("L"))
    choices = np.stack([_cell(page, *where.choice(place), SIDE) for place in range(CHOICES)])
    ink = (255 - choices.astype(np.int64)).sum(axis=(1, 2))
    apart = np.array([[_unlike(a, b) for b in choices] for a in choices])
    features: dict[str, str | int | float] = {
        "darkest choice": int(ink.argmax()),
        "lightest choice": int(ink.argmin()),
        "choice of middling ink": int(np.abs(ink - np.median(ink)).argmin()),
        "choice least like the others": int(apart.sum(axis=1).argmax()),
        "choice most like the others": int(apart.sum(axis=1).argmin()),
    }
    if not where.net:
        last = where.rows * where.columns - 2
        panel = _cell(page, *where.cell(*divmod(last, where.columns)), SIDE)
        features["choice most like the panel before the blank"] = int(np.argmin([_unlike(panel, c) for c in choices]))
    return features


def _cell(page: Pixels, x: int, y: int, side: int) -> Pixels:
    return page[y + _EDGE : y + side - _EDGE, x + _EDGE : x + side - _EDGE]


def _unlike(a: Pixels, b: Pixels) -> int:
    """How many pixels differ, seen coarsely."""
    return int(((a[::4, ::4] < 128) != (b[::4, ::4] < 128)).sum())


def _by_marks(choices: Sequence[Mapping[str, Any]]) -> dict[str, str | int | float]:
    """Votes over the marks' attributes: which choice has most in common with the others, which least."""
    counts = [len(choice["marks"]) for choice in choices]
    sets = [Counter(_attributes(choice)) for choice in choices]
    together: Counter[str] = Counter()
    for attributes in sets:
        together.update(attributes.keys())
    votes = [sum(together[attribute] for attribute in attributes) / max(len(attributes), 1) for attributes in sets]
    return {
        "choice with most marks": counts.index(max(counts)),
        "choice with fewest marks": counts.index(min(counts)),
        "majority vote over attributes": votes.index(max(votes)),
        "minority vote over attributes": votes.index(min(votes)),
    }


def _attributes(choice: Mapping[str, Any]) -> list[str]:
    """Each mark's attributes apart, and how many marks of a kind there are."""
    marks = choice["marks"]
    attributes = [f"{name}={json.dumps(value)}" for mark in marks for name, value in mark.items()]
    kinds = Counter(f"{mark['shape']} {mark.get('fill', '')}" for mark in marks)
    return [*attributes, *(f"{number} {kind}" for kind, number in kinds.items()), f"{len(marks)} in all"]
