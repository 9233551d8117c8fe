"""The pictures: two animals and a deed, and behind them a row of things that say where it is.

{"background": "cream", "deed": "pulls", "one": "cat", "other": "horse", "towards": "left",
 "behind": ["fir tree", "palm tree", "fir tree"]}
"""

import json
from typing import Any

import numpy as np

from snellen.draw import deeds
from snellen.draw.deeds.stage import WIDTH
from snellen.draw.icons import icon
from snellen.draw.plates import GROUNDS, LINE, PictureCanvas
from snellen.item import Picture
from snellen.tasks.bongard.problem import Panel

_BAND, _THING, _GROUND = 96, 76, 10
"""Heights of the row behind, of a thing in it and of the strip it stands on, in pixels."""
_MIDDLES = (76, 224, 372)


def draw_panel(panel: Panel) -> Picture:
    """The picture, with its twin."""
    plate = deeds.painted(panel)
    plate.pixels = np.concatenate((_row(panel).pixels, plate.pixels))
    alt = f"Two animals: {panel['one']} and {panel['other']}"
    return Picture(plate.png(), "image/png", alt, twin(panel))


def _row(panel: Panel) -> PictureCanvas:
    row = PictureCanvas(_BAND, WIDTH, GROUNDS[panel["background"]])
    row.fill(_BAND - _GROUND, 0, _GROUND, WIDTH, LINE)
    for name, x in zip(panel["behind"], _MIDDLES, strict=True):
        row.icon(name, x, _BAND - _GROUND - _THING // 2, _THING)
    return row


def twin(panel: Panel) -> str:
    """What the picture shows, in exact words, as compact JSON."""
    behind: list[dict[str, Any]] = [{"name": name, "category": icon(name).category} for name in panel["behind"]]
    return json.dumps({**deeds.told(panel), "behind": behind}, ensure_ascii=False, separators=(",", ":"))
