"""Digits and a few letters as strokes, for what is written on things."""

import tomllib
from pathlib import Path

import numpy as np

from snellen.tasks.bias.draw.things.forms import Place, limb
from snellen.tasks.bias.draw.things.raster import Points

_SIGNS: dict[str, str] = tomllib.loads((Path(__file__).parent / "data" / "signs.toml").read_text(encoding="utf-8"))


def _lines(sign: str) -> list[list[Place]]:
    """The lines of a sign in a box from -50 to 50."""
    pairs = [[place.split(",") for place in line.split()] for line in _SIGNS[sign].split("|")]
    return [[(float(x), float(y)) for x, y in line] for line in pairs]


def written(sign: str, at: Place, height: float, weight: float = 13) -> list[Points]:
    """The outlines of a sign around a place. `weight` is the width of its lines if it were 100 high."""
    return [limb(line, (weight, weight)) * (height / 100) + np.array(at) for line in _lines(sign)]
