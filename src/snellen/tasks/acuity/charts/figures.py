"""Charts of bars, dots and lines: alignment, number, crossings and paths."""

from collections.abc import Mapping

from snellen.draw import dots
from snellen.draw.dots import DotPage, radius_for
from snellen.draw.sheet import USUAL, InkTone, tone
from snellen.rng import Stream
from snellen.tasks.acuity.charts.optotypes import PAPERS
from snellen.tasks.acuity.draw.crossings import MOST, Crossing, crossing
from snellen.tasks.acuity.draw.paths import LANES, Tangle, tangle
from snellen.tasks.acuity.draw.vernier import CORNERS, Vernier, scattered
from snellen.tasks.acuity.kind import NOTHING, Description, EyeTest, Truth, steps
from snellen.tasks.acuity.view import ChartView

OFFSETS = steps(-1, 1.2, 0.1)
COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 19, 22, 26, 31, 37, 44)
"""Beyond what can be counted at a glance none is a round number, for that is what a guess is."""
GAPS = steps(-0.3, 1.6, 0.1)
LANE_GAPS = steps(-0.3, 1.2, 0.1)
_INK = 0.06
"""Dots of every second chart cover so much of the page, whatever their number; the others are of one size."""
_RADIUS = 9.0
_APART = 6.0
_WHITE = 255
_MOST_NAMED = 101
"""Wrong numbers up to here say what they betray."""
_TOO_MANY = 100
"""Numbers below this that are not offered are wrong answers, too."""
_MORE = tuple(map(str, range(MOST + 1, _TOO_MANY)))
_NO_END = ("0", *map(str, range(LANES + 1, _TOO_MANY)))


def _vernier(answer: str, level: float, source: Stream) -> Truth:
    side = 1 if source.chance() else -1
    return {"offset": side * level, "middles": [list(middle) for middle in scattered(USUAL, source)]}


def _aligned(truth: Truth, view: ChartView) -> Description:
    middles = tuple((x, y) for x, y in truth["middles"])
    return Vernier(truth["answer"], truth["offset"], middles, page=view.page, tone=tone(1.0, view.polarity))


def _other_pair(truth: Truth) -> Mapping[str, str]:
    """A pair across from the right one shares neither its row nor its column."""
    down, across = truth["answer"].split()
    named = {corner: corner.split() for corner in CORNERS if corner != truth["answer"]}
    return {
        corner: "a neighbouring pair" if down in at or across in at else "the pair across"
        for corner, at in named.items()
    }


def _dots(answer: str, level: float, source: Stream) -> Truth:
    """Dots to count; where nothing is to be seen, none on a page of that grey."""
    if answer == NOTHING:
        return {"discs": [], "paper": int(level)}
    count, same_ink = int(level), source.chance()
    radius = radius_for(count, _INK, USUAL) if same_ink else _RADIUS
    found = dots.scattered(count, (0.8 * radius, 1.2 * radius), _APART, USUAL, source)
    discs = [[x, y, round(radius, 2)] for x, y, radius in found.discs]
    return {"discs": discs, "paper": _WHITE, "same_ink": same_ink}


def _counted(truth: Truth, view: ChartView) -> Description:
    discs = tuple((x, y, radius) for x, y, radius in truth["discs"])
    ground = truth["paper"]
    return DotPage(
        discs, view.page, InkTone(ground, 0) if view.polarity == "dark" else InkTone(_WHITE - ground, _WHITE)
    )


def _miscounted(truth: Truth) -> Mapping[str, str]:
    """Off by one, a round number as guesses are, or worse."""
    count = len(truth["discs"])
    if not count:
        return {str(number): "saw what is not there" for number in range(1, _MOST_NAMED)}
    named = {number: "too few" if number < count else "too many" for number in range(_MOST_NAMED)}
    named |= dict.fromkeys(range(10, _MOST_NAMED, 5), "a round number")
    named |= {count - 1: "one too few", count + 1: "one too many"}
    return {str(number): why for number, why in named.items() if number != count}


def _crossing(answer: str, level: float, source: Stream) -> Truth:
    made = crossing(int(answer), level, source)
    return {"above": list(made.above), "middles": list(made.middles), "gap": level}


def _crossed(truth: Truth, view: ChartView) -> Description:
    return Crossing(tuple(truth["above"]), tuple(truth["middles"]), truth["gap"], page=view.page)


def _miscrossed(truth: Truth) -> Mapping[str, str]:
    right = int(truth["answer"])
    off = {right - 1: "one too few", right + 1: "one too many"}
    return {str(n): off.get(n, "another number") for n in range(_TOO_MANY) if n != right}


def _tangled(answer: str, level: float, source: Stream) -> Truth:
    """A tangle whose marked line leads to the end wanted: of all that are drawn by lot, the first such."""
    while (made := tangle(level, source)).end != int(answer):
        pass
    return {"swaps": [list(column) for column in made.swaps], "start": made.start, "gap": level}


def _lanes(truth: Truth, view: ChartView) -> Description:
    swaps = tuple(tuple(column) for column in truth["swaps"])
    return Tangle(swaps, truth["start"], truth["gap"], page=view.page, tone=tone(1.0, view.polarity))


def _lost(truth: Truth) -> Mapping[str, str]:
    """Who does not follow the line goes straight across from where it starts, or ends beside where it leads."""
    right, straight = int(truth["answer"]), truth["start"] + 1
    named = {end: "a neighbouring end" if abs(end - right) == 1 else "another end" for end in range(1, LANES + 1)}
    named[straight] = "straight across"
    return {**dict.fromkeys(_NO_END, "no end"), **{str(end): why for end, why in named.items() if end != right}}


FIGURES = (
    EyeTest(
        name="alignment",
        title="Alignment",
        unit="px of offset",
        levels=OFFSETS,
        chance=1 / len(CORNERS),
        answers=CORNERS,
        asks="pair",
        make=_vernier,
        describe=_aligned,
        betrays=_other_pair,
        varied=("polarity",),
    ),
    EyeTest(
        name="number",
        title="Number",
        unit="dots",
        levels=tuple(map(str, COUNTS)),
        chance=0.0,
        answers=(),
        asks="dots",
        make=_dots,
        describe=_counted,
        betrays=_miscounted,
        hard="high",
        blank=True,
        papers=PAPERS,
        varied=("polarity",),
        bytes=1 << 14,
    ),
    EyeTest(
        name="crossings",
        title="Crossings",
        unit="px between lines",
        levels=GAPS,
        chance=1 / (MOST + 1),
        answers=tuple(map(str, range(MOST + 1))),
        beyond=_MORE,
        asks="crossings",
        make=_crossing,
        describe=_crossed,
        betrays=_miscrossed,
    ),
    EyeTest(
        name="paths",
        title="Paths",
        unit="px between lines",
        levels=LANE_GAPS,
        chance=1 / LANES,
        answers=tuple(map(str, range(1, LANES + 1))),
        beyond=_NO_END,
        asks="path",
        make=_tangled,
        describe=_lanes,
        betrays=_lost,
        varied=("polarity",),
        bytes=1 << 14,
    ),
)
