"""The battery: every test by name, and the tracks by which an adaptive exam asks them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import log10

from snellen.errors import unknown
from snellen.psychometric import PsychometricTrack
from snellen.tasks.acuity.charts.colour import HUES, PLATES
from snellen.tasks.acuity.charts.figures import FIGURES
from snellen.tasks.acuity.charts.optotypes import LETTER_CHARTS
from snellen.tasks.acuity.charts.stripes import FINENESSES, STRIPES
from snellen.tasks.acuity.kind import BLANK, EyeTest
from snellen.tasks.acuity.view import TIMES
from snellen.tasks.adaptive import Check, GradedTrack

TESTS: Mapping[str, EyeTest] = {test.name: test for test in (*LETTER_CHARTS, *STRIPES, *PLATES, *FIGURES)}
NAMES = tuple(TESTS)
GROUPS: Mapping[str, tuple[str, ...]] = {
    "gratings": tuple(f"gratings-{fineness}" for fineness in FINENESSES),
    "colour": tuple(f"colour-{name}" for name in HUES),
}
"""Tests that come in several kinds, under one name."""
BLANKS = tuple(name for name, test in TESTS.items() if test.blank)
LEVELS = tuple(dict.fromkeys((*(level for test in TESTS.values() for level in test.levels), BLANK)))

_MOST: Mapping[str, int] = {
    "letters": 48,
    "landolt": 24,
    "contrast": 32,
    "crowding": 32,
    "alignment": 32,
    "number": 32,
    "crossings": 24,
    "paths": 24,
    "gratings": 24,
    "colour": 16,
}
"""How often a test of the battery asks at most."""


SMALL_PRINT = "2"
"""The stroke of small print in px: letters 10 px high, as in text set in 14 px."""
_PRINT_CHECKED = Check(
    "enlarged", SMALL_PRINT, {times: log10(float(times) * float(SMALL_PRINT)) for times in TIMES[1:]}
)
"""Ends the track of letters: small print, enlarged until 95 % should be right, is asked."""


def eye_test(name: str) -> EyeTest:
    if name not in TESTS:
        raise unknown("test of the eye chart", name, (*NAMES, *GROUPS))
    return TESTS[name]


def tests_setting(names: str) -> str:
    """`--tests letters,colour` as what `--set` would say; tests that come in several kinds are all of them."""
    wanted = expanded(name.strip() for name in names.split(","))
    for name in wanted:
        eye_test(name)  # what is no test is said now, and by its own name
    return f"test={','.join(wanted)}"


def expanded(names: Iterable[str]) -> tuple[str, ...]:
    """Names of tests, those that come in several kinds each by its own; what is no name stays as it is."""
    return tuple(dict.fromkeys(test for name in names for test in GROUPS.get(name, (name,))))


def along(name: str, places: Sequence[str], *, tracks: int, most: int) -> tuple[GradedTrack, ...]:
    """Tracks of a test that ask at all these places in turn, each beginning with another: whether places differ shows
    best near the one threshold that all of them have together. Each has items of its own, or a letter would always
    stand at the same few places."""
    test = eye_test(name)
    made = []
    for number in range(tracks):
        first = number * len(places) // tracks
        turns = tuple({"place": place} for place in (*places[first:], *places[:first]))
        called = f"{name} along the diagonal {number + 1}"
        found = PsychometricTrack(
            called, test.intensities, test.chance, falling=test.hard == "high", most=most, enough=0
        )
        made.append(GradedTrack(found, "level", {"test": name}, turns=turns, share=(number, tracks)))
    return tuple(made)


def track(name: str, *, most: int, upto: float | None = None, **condition: str) -> GradedTrack:
    """A test as a track, asked under a condition, at levels up to what fits."""
    test = eye_test(name)
    levels = {level: x for level, x in test.intensities.items() if upto is None or test.span(float(level)) <= upto}
    called = " ".join((name, *(f"{factor}={level}" for factor, level in condition.items())))
    found = PsychometricTrack(called, levels, test.chance, falling=test.hard == "high", most=most)
    return GradedTrack(found, "level", {"test": name}, condition)


def _of_battery(name: str) -> GradedTrack:
    made = track(name, most=_MOST[name.partition("-")[0]])
    return replace(made, check=_PRINT_CHECKED) if name == "letters" else made


TRACKS: tuple[GradedTrack, ...] = tuple(map(_of_battery, NAMES))
"""The whole battery, under the usual condition."""
