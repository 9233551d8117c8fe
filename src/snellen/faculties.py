"""The faculties an answer takes, in one table: their order, their words, and how they look wherever they are shown.

To answer at all and in a form that can be read; to go by the question and not by the name or place of an option; not to
slip when nothing is hard; thinking, which is finding a rule and applying it where a task can tell; eyes, for bare marks
and for parts of a drawing (clutter) where a task can tell; putting into words what was seen; and keeping to what is
asked or shown where a habit says otherwise.

A new faculty is one name and one entry here, and a rung that demands it. Sentences, charts, terminal, notebook and page
read this table; the tests hold its colours apart for every kind of colour vision, on light and on dark paper.
"""

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
    """One faculty. `lost_to` and `why` end the sentences "it loses 41 of 100 items ..." and "...: ..."; `verdict` says
    what the badge means. `fill` and `letters`: its part of a chart, and letters on that. `ink`: its badge, in letters
    that can be read on paper. `terminal`: the nearest colour that any theme shows well, and a character that tells
    without colour. `family`: the faculty whose badge it has, if not one of its own."""

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
        lost_to="to refusals",
        why="it declines to answer",
        fill=("#242226", "#3b3437"),
        letters=(_WHITE, _WHITE),
        hatch=((90, 1.7),),
        terminal=("bright_red", "▛"),
        verdict="it declines to answer",
        ink=("#3a3436", "#c9c1c4"),
    ),
    FacultyEntry(
        name="form",
        lost_to="to replies that cannot be read",
        why="its replies give no answer that can be read",
        fill=("#5c646c", "#525a62"),
        letters=(_WHITE, _WHITE),
        hatch=((0, 3.2), (90, 3.2)),
        terminal=("bright_black", "▓"),
        verdict="answers come in a form that cannot be read",
        ink=("#4d565f", "#aab3bb"),
    ),
    FacultyEntry(
        name="leaning",
        lost_to="to leaning",
        why="it gives one answer whatever is asked",
        fill=("#7a4a1d", "#9c7c3b"),
        letters=(_WHITE, _YELLOWISH),
        hatch=((0, 1.7),),
        terminal=("red", "▐"),
        verdict="one answer is given whatever is asked",
        ink=("#7a3b1d", "#e0a88a"),
    ),
    FacultyEntry(
        name="attention",
        lost_to="to slips",
        why="it errs even when it is told the answer",
        fill=("#e9e97a", "#eaf187"),
        letters=(_YELLOWISH, _YELLOWISH),
        hatch=((0, 2.4),),
        terminal=("bright_yellow", "░"),
        verdict="slips even where nothing is hard",
        ink=("#6b6200", "#e3dd6a"),
    ),
    FacultyEntry(
        name="applying",
        lost_to="to applying a rule it is given",
        why="it errs even with the true rule and the query in exact words",
        fill=("#7c0f4e", "#a94f8c"),
        letters=(_WHITE, _WHITE),
        hatch=((45, 1.7),),
        terminal=("deep_pink4", "▀"),
        family="thinking",
    ),
    FacultyEntry(
        name="finding",
        lost_to="to finding the rule",
        why="with the true rule given it solves them, from the examples it does not, even in exact words",
        fill=("#f3b9ee", "#ffc5e2"),
        letters=(_REDDISH, _REDDISH),
        hatch=((45, 4.6),),
        terminal=("bright_magenta", "▄"),
        family="thinking",
    ),
    FacultyEntry(
        name="thinking",
        lost_to="to thinking",
        why="it errs even where nothing is left to see, with exact words in place of the pictures",
        fill=("#b152a3", "#c67ebc"),
        letters=(_WHITE, _REDDISH),
        hatch=((45, 2.4),),
        terminal=("magenta", "▒"),
        verdict="taken in, but reasoned wrongly",
        ink=("#8c2f80", "#e2a0da"),
    ),
    FacultyEntry(
        name="eyes",
        lost_to="to its eyes",
        why="in exact words it solves them, in pictures it does not",
        fill=("#1c4b8c", "#3d70d4"),
        letters=(_WHITE, _WHITE),
        hatch=((-45, 3.0),),
        terminal=("blue", "▚"),
        verdict="the pictures are not seen well",
        ink=("#1f5091", "#8ab8f5"),
    ),
    FacultyEntry(
        name="clutter",
        lost_to="to its eyes (parts of a drawing)",
        why="as bare marks it counts them, as parts of a drawing it does not",
        fill=("#2d5bcb", "#205ab0"),
        letters=(_WHITE, _WHITE),
        hatch=((-45, 4.6),),
        terminal=("bright_blue", "▜"),
        family="eyes",
    ),
    FacultyEntry(
        name="saying",
        lost_to="to saying what it sees",
        why="asked directly it solves them, from its own descriptions it does not",
        fill=("#4fa6e9", "#71bfff"),
        letters=(_BLUISH, _BLUISH),
        hatch=((-45, 1.7),),
        terminal=("bright_cyan", "▞"),
        verdict="seen, but not put into words",
        ink=("#00628f", "#71bfff"),
    ),
    FacultyEntry(
        name="habit",
        lost_to="to habit",
        why="it solves them until something goes against a habit",
        fill=("#f59b14", "#f0841a"),
        letters=(_YELLOWISH, _YELLOWISH),
        hatch=((-45, 3.6), (45, 3.6)),
        terminal=("dark_orange", "▌"),
        verdict="a habit overrides what the prompt says",
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
