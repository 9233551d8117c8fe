"""The faculties an answer takes, in one table: their order, their words, and how they look wherever they are shown.

To answer at all and in a form that can be read; to go by the question and not by the name or place of an option; not to
slip when nothing is hard; thinking, which is finding a rule and applying it where a task can tell; eyes, for bare marks
and for parts of a drawing (clutter) where a task can tell; putting into words what was seen; and keeping to what is
asked or shown where a habit says otherwise.

A new faculty is one name and one entry here, and a rung that demands it. Sentences, charts, terminal, notebook and page
read this table; the tests hold its colours apart for every kind of colour vision, on light and on dark paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Faculty = Literal[
    "refusal", "form", "leaning", "attention", "applying", "finding", "thinking", "eyes", "clutter", "saying", "habit"
]
NAMES: tuple[Faculty, ...] = get_args(Faculty)

OnPapers = tuple[str, str]
"""A colour on light and on dark paper."""
Hatch = tuple[tuple[float, float], ...]
"""The directions of lines across a colour (degrees), and how far apart they are (points); two are at right angles."""


@dataclass(frozen=True, slots=True)
class FacultyEntry:
    """One faculty. `lost_to` and `why` end the sentences "it loses 41 % of items ..." and "...: ..."; `verdict` says
    what goes wrong, in a few words. `fill` and `letters`: its part of a chart, and letters on that. `ink`: its badge,
    in letters that can be read on paper. `terminal`: the nearest colour that any theme shows well, and a character that
    tells without colour. `family`: the faculty whose badge it has, if not one of its own."""

    name: Faculty
    lost_to: str
    why: str
    fill: OnPapers
    letters: OnPapers
    hatch: Hatch
    terminal: tuple[str, str]
    verdict: str = ""
    ink: OnPapers = ("", "")
    family: Faculty | None = None


_WHITE, _YELLOWISH, _REDDISH, _BLUISH = "#ffffff", "#1a1200", "#1c0812", "#06141d"
_ENTRIES = (
    FacultyEntry(
        name="refusal",
        lost_to="to refusal",
        why="it declines to answer",
        fill=("#242226", "#3b3437"),
        letters=(_WHITE, _WHITE),
        hatch=((90, 1.7),),
        terminal=("bright_red", "▛"),
        verdict="declines to answer",
        ink=("#3a3436", "#c9c1c4"),
    ),
    FacultyEntry(
        name="form",
        lost_to="to form (replies that cannot be read)",
        why="its replies contain no answer that can be read",
        fill=("#5c646c", "#525a62"),
        letters=(_WHITE, _WHITE),
        hatch=((0, 3.2), (90, 3.2)),
        terminal=("bright_black", "▓"),
        verdict="gives answers that cannot be read",
        ink=("#4d565f", "#aab3bb"),
    ),
    FacultyEntry(
        name="leaning",
        lost_to="to leaning",
        why="it gives the same answer whatever is asked",
        fill=("#7a4a1d", "#9c7c3b"),
        letters=(_WHITE, _YELLOWISH),
        hatch=((0, 1.7),),
        terminal=("red", "▐"),
        verdict="gives the same answer whatever is asked",
        ink=("#7a3b1d", "#e0a88a"),
    ),
    FacultyEntry(
        name="attention",
        lost_to="to attention (slips)",
        why="it makes errors even when told the answer",
        fill=("#e9e97a", "#eaf187"),
        letters=(_YELLOWISH, _YELLOWISH),
        hatch=((0, 2.4),),
        terminal=("bright_yellow", "░"),
        verdict="makes slips even when told the answer",
        ink=("#6b6200", "#e3dd6a"),
    ),
    FacultyEntry(
        name="applying",
        lost_to="to applying the rule",
        why="it makes errors even when given the rule and an exact description",
        fill=("#7c0f4e", "#a94f8c"),
        letters=(_WHITE, _WHITE),
        hatch=((45, 1.7),),
        terminal=("deep_pink4", "▀"),
        verdict="does not apply a rule it is given",
        family="thinking",
    ),
    FacultyEntry(
        name="finding",
        lost_to="to finding the rule",
        why="it solves them when given the rule, but not from the examples, even with an exact description",
        fill=("#f3b9ee", "#ffc5e2"),
        letters=(_REDDISH, _REDDISH),
        hatch=((45, 4.6),),
        terminal=("bright_magenta", "▄"),
        verdict="does not find the rule in the examples",
        family="thinking",
    ),
    FacultyEntry(
        name="thinking",
        lost_to="to thinking",
        why="it makes errors even with an exact description in place of the picture",
        fill=("#b152a3", "#c67ebc"),
        letters=(_WHITE, _REDDISH),
        hatch=((45, 2.4),),
        terminal=("magenta", "▒"),
        verdict="has the facts, but reasons wrongly",
        ink=("#8c2f80", "#e2a0da"),
    ),
    FacultyEntry(
        name="eyes",
        lost_to="to its eyes",
        why="it solves them from an exact description, but not from the picture",
        fill=("#1c4b8c", "#3d70d4"),
        letters=(_WHITE, _WHITE),
        hatch=((-45, 3.0),),
        terminal=("blue", "▚"),
        verdict="does not see the pictures well",
        ink=("#1f5091", "#8ab8f5"),
    ),
    FacultyEntry(
        name="clutter",
        lost_to="to clutter (parts of a drawing)",
        why="it counts separate marks, but not the same number of parts of a drawing",
        fill=("#2d5bcb", "#205ab0"),
        letters=(_WHITE, _WHITE),
        hatch=((-45, 4.6),),
        terminal=("bright_blue", "▜"),
        verdict="does not see the parts of a drawing well",
        family="eyes",
    ),
    FacultyEntry(
        name="saying",
        lost_to="to saying what it sees",
        why="it solves them from the picture, but not from its own description",
        fill=("#4fa6e9", "#71bfff"),
        letters=(_BLUISH, _BLUISH),
        hatch=((-45, 1.7),),
        terminal=("bright_cyan", "▞"),
        verdict="sees it, but does not describe it",
        ink=("#00628f", "#71bfff"),
    ),
    FacultyEntry(
        name="habit",
        lost_to="to habit",
        why="it solves them unless they go against a habit",
        fill=("#f59b14", "#f0841a"),
        letters=(_YELLOWISH, _YELLOWISH),
        hatch=((-45, 3.6), (45, 3.6)),
        terminal=("dark_orange", "▌"),
        verdict="answers by habit, against the prompt or picture",
        ink=("#9a5200", "#f5ad4e"),
    ),
)
ENTRIES: dict[str, FacultyEntry] = {entry.name: entry for entry in _ENTRIES}


def family(name: str) -> Faculty:
    """The faculty as a verdict names it: finding and applying are thinking, clutter is eyes."""
    entry = ENTRIES[name]
    return entry.family or entry.name


def relatives(name: Faculty) -> tuple[Faculty, ...]:
    """The faculty with those that a verdict counts to it."""
    return tuple(other for other in NAMES if family(other) == name)


def listed(names: Sequence[str], joint: str) -> str:
    """Names as a sentence lists them: "attention, thinking or eyes"."""
    *first, last = names
    return f"{', '.join(first)} {joint} {last}" if first else last
