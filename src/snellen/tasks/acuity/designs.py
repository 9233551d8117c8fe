"""The factors and designs of the eye chart: adaptive, constant, over canvases, over the field, for two servers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from snellen.ladder import PICTURES, TOLD, WORDS, Ladder, Rung
from snellen.tasks.acuity.battery import BLANKS, LEVELS, NAMES, TESTS, TRACKS, along, track
from snellen.tasks.acuity.kind import BLANK
from snellen.tasks.acuity.lines import INKS, LINES
from snellen.tasks.acuity.view import ALONG, PLACES, SQUARE, WIDE, page_of
from snellen.tasks.acuity.view import FACTORS as VIEWED
from snellen.tasks.task import PARADIGM, Design, Factor, Levels

FACTORS = (
    Factor("test", (*NAMES, LINES), "which test of the battery", of_item=True),
    Factor(
        "level",
        tuple(dict.fromkeys((*LEVELS, *INKS))),
        "stimulus intensity in the test's unit; blank: an empty page",
        of_item=True,
    ),
    *VIEWED,
)

MAIN = (
    "letters",
    "landolt",
    "contrast",
    "gratings-8",
    "colour-red",
    "crowding",
    "alignment",
    "number",
    "crossings",
    "paths",
)
"""One of each sort: the ladder is climbed on these."""
STATED = ("letters", "gratings-8", "number")
"""Of these the answer is also stated before the question."""
FIELD_CANVASES = ("512", "1024", "2048")
CONSTANT = 8
"""Levels of a test in a constant design."""


def spread(name: str, many: int) -> tuple[str, ...]:
    """So many levels of a test, evenly from the first to the last."""
    levels = TESTS[name].levels
    return tuple(levels[round(k * (len(levels) - 1) / (many - 1))] for k in range(many))


def _easiest(names: Iterable[str]) -> list[Levels]:
    """The easiest charts of these tests. Whoever fails these in words, too, does not fail for the eyes."""
    levels: dict[str, list[str]] = {}
    for name in names:
        levels.setdefault(TESTS[name].easiest, []).append(name)
    return [{"test": tuple(tests), "level": (level,)} for level, tests in levels.items()]


def _put_by(paradigm: str, names: Iterable[str]) -> Iterator[Levels]:
    return ({**easy, PARADIGM: (paradigm,)} for easy in _easiest(names))


def _on_easy(rung: Rung) -> Rung:
    """The rung for the easiest charts: what is hard by design is no fault, and has a threshold instead."""
    return replace(rung, puts=tuple(replace(put, of=easy) for put in rung.puts for easy in _easiest(NAMES)))


LADDER: Ladder = (_on_easy(TOLD), _on_easy(WORDS), _on_easy(replace(PICTURES, about="the easiest charts as pictures")))

_BLANK: Levels = {"test": BLANKS, "level": (BLANK,)}
_RUNGS = (*_put_by("words", MAIN), *_put_by("told", STATED))

ADAPTIVE = Design(
    "adaptive",
    "an adaptive threshold for every test; blank charts, and easy ones in words",
    2,
    (_BLANK, *_RUNGS),
    TRACKS,
)
CONSTANT_STIMULI = Design(
    "constant",
    f"{CONSTANT} fixed levels of every test; blank charts, and easy ones in words",
    10,
    (*({"test": (name,), "level": spread(name, CONSTANT)} for name in NAMES), _BLANK, *_RUNGS),
)


def _shapes() -> tuple[str, ...]:
    return (*sorted(SQUARE, key=int), *WIDE)


RESOLUTION = Design(
    "resolution",
    "letters on canvases of many sizes and shapes: are pictures shrunk before the model sees them?",
    2,
    ({"test": ("letters",), "level": (BLANK,)},),
    tuple(track("letters", most=40, upto=page_of(canvas).shorter, canvas=canvas) for canvas in _shapes()),
)
FIELD = Design(
    "field",
    "letters at 25 positions of three canvases and at 64 offsets: blind spots, seams, patches",
    2,
    ({"test": ("letters",), "level": (BLANK,)},),
    (
        *(track("letters", most=16, canvas=canvas, place=place) for canvas in FIELD_CANVASES for place in PLACES),
        *along("letters", ALONG, tracks=8, most=64),
    ),
)
SAME = Design(
    "same",
    "charts of many lines, from 512 to 4,096 px, each read twice: do two servers give the model the same pictures?",
    6,
    ({"test": (LINES,), "level": INKS, "canvas": ("512", "1024", "2048", "4096")},),
    samples=2,
)
DESIGNS = (ADAPTIVE, CONSTANT_STIMULI, RESOLUTION, FIELD, SAME)
