"""Gratings: how faint may stripes of a given fineness be? Five finenesses make the contrast sensitivity curve."""

from collections.abc import Mapping
from functools import partial

from snellen.draw.sheet import InkTone
from snellen.rng import Stream
from snellen.tasks.acuity.draw.gratings import MEAN, ORIENTATIONS, Gabor
from snellen.tasks.acuity.draw.optotypes import OptotypePage
from snellen.tasks.acuity.kind import NOTHING, Description, EyeTest, Truth, shares
from snellen.tasks.acuity.view import ChartView

FINENESSES = (2, 4, 8, 16, 32)
"""Cycles per 100 px: a stripe and its gap take from 50 px down to 3."""
GREYS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 26, 32, 40, 51, 64, 81, 102, 127)
FAINT = shares(MEAN, GREYS)
_PHASES = 64
PAPERS = tuple(range(MEAN - 20, MEAN + 20))
_MIRRORED = {"leaning right": "leaning left", "leaning left": "leaning right"}


def _stripes(answer: str, level: float, source: Stream) -> Truth:
    """Stripes of that contrast; where nothing is to be seen, an even page of that grey, about the mean."""
    if answer == NOTHING:
        return {"paper": int(level)}
    return {"greys": round(level * MEAN), "phase": source.below(_PHASES) / _PHASES}


def _described(truth: Truth, view: ChartView, fineness: int) -> Description:
    if truth["answer"] == NOTHING:
        return OptotypePage((), view.page, InkTone(truth["paper"], 0))
    contrast = truth["greys"] / MEAN
    return Gabor(truth["answer"], fineness / 100, contrast, phase=truth["phase"], page=view.page)


def _betrayed(truth: Truth) -> Mapping[str, str]:
    if truth["answer"] == NOTHING:
        return dict.fromkeys(ORIENTATIONS, "saw what is not there")
    others = {other: "another direction" for other in ORIENTATIONS if other != truth["answer"]}
    mirrored = {_MIRRORED[truth["answer"]]: "mirrored"} if truth["answer"] in _MIRRORED else {}
    return {**others, **mirrored, NOTHING: "saw nothing"}


def _grating(fineness: int) -> EyeTest:
    return EyeTest(
        name=f"gratings-{fineness}",
        title=f"Gratings, {fineness} cycles per 100 px",
        unit="Michelson contrast",
        levels=FAINT,
        chance=1 / len(ORIENTATIONS),
        answers=tuple(ORIENTATIONS),
        asks="stripes",
        make=_stripes,
        describe=partial(_described, fineness=fineness),
        betrays=_betrayed,
        nothing=True,
        blank=fineness == FINENESSES[0],  # an even page is the same at any fineness
        papers=PAPERS,
        bytes=1 << 16,
    )


STRIPES = tuple(_grating(fineness) for fineness in FINENESSES)
