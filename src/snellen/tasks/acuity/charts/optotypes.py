"""Charts of letters and rings: how small, how faint, how near to others may they be?"""

from collections.abc import Mapping
from functools import partial
from string import ascii_uppercase

from snellen.draw.sheet import InkTone, tone
from snellen.rng import Stream
from snellen.tasks.acuity.draw.crowding import SIDES, Crowd, flankers_of
from snellen.tasks.acuity.draw.optotypes import DIRECTIONS, LETTERS, UNITS, Optotype, OptotypePage
from snellen.tasks.acuity.draw.printed import PrintedLetter
from snellen.tasks.acuity.kind import NOTHING, Description, EyeTest, Truth, shares, steps
from snellen.tasks.acuity.view import PRINTED, ChartView

SIZES = steps(-0.3, 1.7, 0.05)
"""Strokes in px, from half a pixel to a tenth of the usual canvas."""
GREYS = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 26, 32, 40, 51, 64, 81, 102, 128, 161, 203, 255)
FAINT = shares(255, GREYS)
NEAR = steps(0.025, 0.725, 0.05)
WELL_SEEN = 16.0
"""The stroke of faint letters, in px: large enough that only contrast is in doubt."""
CROWDED = 8.0
"""The stroke of letters in a crowd, in px."""
OTHERS = tuple(letter for letter in ascii_uppercase if letter not in LETTERS)
"""Letters that are never shown: who names one has answered, and wrongly."""
_NUDGE = 16
_WHITE = 255
PAPERS = tuple(range(_WHITE - 39, _WHITE + 1))
"""Empty pages come in these light greys, each in its turn, so that no two of the first 40 are the same picture."""


def _nudge(source: Stream) -> list[int]:
    """Where a chart stands off its place: anywhere within a patch of 32 px, so that patches do not favour an item."""
    return [source.below(2 * _NUDGE) - _NUDGE, source.below(2 * _NUDGE) - _NUDGE]


def _sized(answer: str, level: float, source: Stream) -> Truth:
    """A letter or ring of that stroke; where nothing is to be seen, an empty page of that grey."""
    if answer == NOTHING:
        return {"paper": int(level)}
    return {"stroke": level, "contrast": 1.0, "nudge": _nudge(source)}


def _faint(answer: str, level: float, source: Stream) -> Truth:
    return {"stroke": WELL_SEEN, "contrast": level, "nudge": _nudge(source)}


def _described(truth: Truth, view: ChartView) -> Description:
    if truth["answer"] == NOTHING:
        return OptotypePage((), view.page, _paper(truth["paper"], view.polarity))
    stroke, ink = truth["stroke"], tone(truth["contrast"], view.polarity)
    across, down = truth["nudge"]
    if view.font == "sans":
        return PrintedLetter(
            truth["answer"], stroke, *view.spot(stroke * UNITS * PRINTED, (across, down)), view.page, ink
        )
    x, y = view.spot(stroke * UNITS, (across, down))
    return OptotypePage((Optotype(truth["answer"], stroke, x, y),), view.page, ink)


def _paper(grey: int, polarity: str) -> InkTone:
    return InkTone(grey, 0) if polarity == "dark" else InkTone(_WHITE - grey, _WHITE)


def _another(truth: Truth, answers: tuple[str, ...], read_as: str) -> Mapping[str, str]:
    """What else may be answered, and that nothing was seen or something that is not there."""
    if truth["answer"] == NOTHING:
        return dict.fromkeys(answers, "saw what is not there")
    others = {other: read_as.format(other) for other in answers if other != truth["answer"]}
    return {**others, NOTHING: "saw nothing"}


_misread = partial(_another, answers=(*LETTERS, *OTHERS), read_as="read as {}")


def _turned(truth: Truth) -> Mapping[str, str]:
    """A gap on the other side is another mistake than one next to where it is."""
    betrayed = dict(_another(truth, DIRECTIONS, "another direction"))
    if truth["answer"] in DIRECTIONS:
        here = DIRECTIONS.index(truth["answer"])
        for turn, name in ((1, "one step off"), (-1, "one step off"), (4, "the opposite direction")):
            betrayed[DIRECTIONS[(here + turn) % len(DIRECTIONS)]] = name
    return betrayed


def _crowd(answer: str, level: float, source: Stream) -> Truth:
    return {"spacing": level, "flankers": flankers_of(answer, source)}


def _crowded(truth: Truth, view: ChartView) -> Description:
    ink = tone(1.0, view.polarity)
    return Crowd(truth["answer"], truth["flankers"], CROWDED, truth["spacing"], view.page, ink)


def _flanked(truth: Truth) -> Mapping[str, str]:
    others = {letter: "another letter" for letter in LETTERS if letter != truth["answer"]}
    around = zip(truth["flankers"], SIDES, strict=True)
    beyond = dict.fromkeys(OTHERS, "a letter that is never shown")
    return {**others, **beyond, **{letter: f"flanker {side}" for letter, side in around}}


LETTER_CHARTS = (
    EyeTest(
        name="letters",
        title="Letters",
        unit="px a stroke",
        levels=SIZES,
        chance=1 / len(LETTERS),
        answers=tuple(LETTERS),
        beyond=OTHERS,
        asks="letter",
        make=_sized,
        describe=_described,
        betrays=_misread,
        nothing=True,
        blank=True,
        papers=PAPERS,
        varied=("polarity", "canvas", "place", "font", "enlarged"),
        span=lambda level: UNITS * level,
    ),
    EyeTest(
        name="landolt",
        title="Landolt rings",
        unit="px of gap",
        levels=SIZES,
        chance=1 / len(DIRECTIONS),
        answers=DIRECTIONS,
        asks="ring",
        make=_sized,
        describe=_described,
        betrays=_turned,
        nothing=True,
        blank=True,
        papers=PAPERS,
        varied=("polarity", "canvas", "place", "enlarged"),
        span=lambda level: UNITS * level,
    ),
    EyeTest(
        name="contrast",
        title="Contrast",
        unit="Weber contrast",
        levels=FAINT,
        chance=1 / len(LETTERS),
        answers=tuple(LETTERS),
        beyond=OTHERS,
        asks="letter",
        make=_faint,
        describe=_described,
        betrays=_misread,
        nothing=True,
        varied=("polarity", "canvas", "place", "font"),
        span=lambda level: UNITS * WELL_SEEN,
    ),
    EyeTest(
        name="crowding",
        title="Crowding",
        unit="letter sizes from middle to middle",
        levels=NEAR,
        chance=1 / len(LETTERS),
        answers=tuple(LETTERS),
        beyond=OTHERS,
        asks="middle",
        make=_crowd,
        describe=_crowded,
        betrays=_flanked,
        varied=("polarity", "canvas"),
        span=lambda level: (2 * level + 1) * UNITS * CROWDED,
    ),
)
