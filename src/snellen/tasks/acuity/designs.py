"""The factors and designs of the eye chart: adaptive, constant, over canvases, over the field."""

from snellen.tasks.acuity.battery import BLANKS, LEVELS, NAMES, TESTS, TRACKS, track
from snellen.tasks.acuity.kind import BLANK
from snellen.tasks.acuity.view import FACTORS as VIEWED
from snellen.tasks.acuity.view import OFFSETS, PLACES, SQUARE, WIDE, page_of
from snellen.tasks.task import PARADIGM, Design, Factor, Levels

FACTORS = (
    Factor("test", NAMES, "which test of the battery", of_item=True),
    Factor("level", LEVELS, "how intense, in the test's unit; blank: nothing is there", of_item=True, pooled=True),
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
FIELD_CANVASES = ("512", "1024", "2048")
CONSTANT = 8
"""Levels of a test in a constant design."""


def spread(name: str, many: int) -> tuple[str, ...]:
    """So many levels of a test, evenly from the first to the last."""
    levels = TESTS[name].levels
    return tuple(levels[round(k * (len(levels) - 1) / (many - 1))] for k in range(many))


def _easy(*paradigms: str) -> tuple[Levels, ...]:
    """The easiest charts of each sort, put these ways: whoever fails these in words does not fail for the eyes."""
    put: Levels = {PARADIGM: paradigms} if paradigms else {}
    return tuple({"test": (name,), "level": (TESTS[name].easiest,), **put} for name in MAIN)


_BLANK: Levels = {"test": BLANKS, "level": (BLANK,)}

ADAPTIVE = Design(
    "adaptive",
    "every test finds its threshold by what it was answered; empty charts, and easy ones in words",
    2,
    (_BLANK, *_easy(), *_easy("words"), *_easy("told")),
    TRACKS,
)
CONSTANT_STIMULI = Design(
    "constant",
    f"{CONSTANT} levels of every test, the same for everyone; empty charts, and easy ones in words",
    10,
    (
        *({"test": (name,), "level": spread(name, CONSTANT)} for name in NAMES),
        _BLANK,
        *_easy("words"),
        *_easy("told"),
    ),
)


def _shapes() -> tuple[str, ...]:
    return (*sorted(SQUARE, key=int), *WIDE)


RESOLUTION = Design(
    "resolution",
    "letters on canvases of all sizes and shapes: who shrinks a picture before it is seen?",
    2,
    ({"test": ("letters",), "level": (BLANK,)},),
    tuple(track("letters", most=40, upto=page_of(canvas).shorter, canvas=canvas) for canvas in _shapes()),
)
FIELD = Design(
    "field",
    "letters at 25 places of three canvases, and at 32 offsets: blind spots, seams, patches",
    2,
    ({"test": ("letters",), "level": (BLANK,)},),
    (
        *(track("letters", most=16, canvas=canvas, place=place) for canvas in FIELD_CANVASES for place in PLACES),
        *(track("letters", most=16, place=offset) for offset in OFFSETS),
    ),
)
DESIGNS = (ADAPTIVE, CONSTANT_STIMULI, RESOLUTION, FIELD)
