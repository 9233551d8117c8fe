"""What the analysis hands over: plain values that a page, a terminal or a JSON file can show as they are.

A finding is built of blocks: a paragraph, stacked shares, dots with error bars, a heat map, a table, a wind rose,
strips of text. None of them knows which task it came from, so whoever shows them needs no code for a new task. A number
that could not be had is `None`, never zero and never NaN.

Units: `Shares` and `probability` run from 0 to 1, `percent` from 0 to 100, `points` (differences of percent)
from -100 to 100. Numbers in a `Table` are in the unit its column names (percent unless it says otherwise).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, overload

from snellen.charts.marks import MarksPage
from snellen.faculties import Faculty

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its 95 % interval, how many observations it rests on, and a remark."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    note: str = ""


def scaled(value: Value, by: float) -> Value:
    """The value in another unit, or a share of it."""
    value_, low, high = (None if end is None else by * end for end in (value.value, value.low, value.high))
    return Value(value_, low, high, value.n, value.note)


@overload
def percent(share: Value) -> Value: ...
@overload
def percent(share: float) -> float: ...
@overload
def percent(share: None) -> None: ...
def percent(share: Value | float | None) -> Value | float | None:
    """A share from 0 to 1 in percent; None where there is none."""
    if isinstance(share, Value):
        return scaled(share, 100)
    return None if share is None else 100 * share


Cell = str | float | int | Value | None


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Shares:
    """Stacked bars: in each row the parts sum to 1. A row whose values are all None has nothing to show. `of` names
    what is shared out ("boards")."""

    title: str
    note: str
    parts: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value, ...]], ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Intervals:
    """Dots with error bars, one series beside the other; `reference` is a line to read them against, `line` its name
    ("chance"). `references` gives each row a line of its own instead, where rows differ in that. `quantity` names what
    the numbers measure ("accuracy"). `sparse`: most series have
    values in some rows only, and are left out of the others instead of being marked as missing there. Small below the
    name of each row, where there is room: the parts it `adds` to the rows above (faculties, say), and `remarks`."""

    title: str
    note: str
    unit: Literal["percent", "points", "probability"]
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value | None, ...]], ...]
    reference: float | None = None
    line: str = ""
    quantity: str = ""
    references: tuple[float | None, ...] = ()
    sparse: bool = False
    adds: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. `name` is what `snellen table STORE NAME` calls it. A `compact` one says values in whole
    numbers, "12 (8–17)", and in LaTeX it fits into a column of a paper."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    compact: bool = False


@dataclass(frozen=True, slots=True)
class Heat:
    """A matrix of values, one coloured cell each; None where nothing was asked. `down` and `across` say what the"
    " labels are,
    `quantity` what the numbers measure."""

    title: str
    note: str
    unit: Literal["percent", "points", "probability"]
    down: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value | None, ...]], ...]
    quantity: str = ""


@dataclass(frozen=True, slots=True)
class Compass:
    """A wind rose a row: shares (0 to 1) of equal turns all the way around, clockwise, the first at the top. `of` names
    what is shared out ("answers")."""

    title: str
    note: str
    parts: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value, ...]], ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """One text, or the mean of many, from left (0) to right (1). `cells`: from, to, and the share of each part there.
    `marks`: which, and where. `remark` stands beside it."""

    label: str
    remark: str
    cells: tuple[tuple[float, float, tuple[float, ...]], ...]
    marks: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Strips:
    """Strips one below the other: what a text is given to from beginning to end, and where something happens in it."""

    title: str
    note: str
    parts: tuple[str, ...]
    marks: tuple[str, ...]
    rows: tuple[Strip, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over a number that goes up (`across`, such as the layer), side by side in panels that share their axes.

    A row is a panel: its title and, for each series, a value at each of `xs` (None where there is none). Series named
    in `flat` do not vary with it: they are drawn as lines to read the others against. `bounds`: the range of the
    values, where that is known beforehand.
    """

    title: str
    note: str
    unit: Literal["percent", "nats"]
    quantity: str
    across: str
    xs: tuple[float, ...]
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[Value | None, ...], ...]], ...]
    flat: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Bend:
    """A fitted curve: at `xs` (rising) the percent right held likely with the ends of its band; the answers it goes
    through, as levels with percent right; and its threshold, without a number where there is none."""

    xs: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    points: tuple[tuple[float, Value], ...]
    threshold: Value


@dataclass(frozen=True, slots=True)
class Graded:
    """One test at graded levels of `unit`: a curve for each series (None: not asked), what guessing gets in percent,
    and thresholds of others to read it against, by name."""

    title: str
    unit: str
    chance: float
    bends: tuple[Bend | None, ...]
    references: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Psychometrics:
    """Percent right by level, one panel per test, each with its own log scale."""

    title: str
    note: str
    series: tuple[str, ...]
    panels: tuple[Graded, ...]


Chart = Shares | Intervals | Heat | Compass | Strips | Curves | Psychometrics
Block = Text | Table | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one heading. `task` is whose trials they speak of, empty if of several."""

    title: str
    blocks: tuple[Block, ...]
    task: str = ""


Verdict = Literal["none", "small", "measured", "unclear"] | Faculty
"""In a word: no fault found; a small loss is likely, though none large enough to be called a fault; the largest fault;
a limit that was measured; or that it cannot be told."""


@dataclass(frozen=True, slots=True)
class RungScore:
    """How a subject did on one rung: percent right of all replies, percent unread, and what is right by luck alone.
    `rung` is its name, `about` what is shown there, `demands` the faculties it takes."""

    rung: str
    about: str
    demands: tuple[str, ...]
    accuracy: Value
    unread: float
    chance: float
    on_line: bool = True
    """Whether losses are computed from it; other rungs are off-ladder comparisons."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Of all items (shares from 0 to 1): what is lost at one step of the ladder, and to which faculty; to several where
    no intervention tells them apart.

    `share` is the estimate that the verdict rests on, `step` what the paired step alone says, `p` its exact test
    (Holm). `shown`: named as a fault. `smallest`: the smallest fault of this kind that would have been named nine times
    in ten; None if none would.
    """

    faculties: tuple[str, ...]
    share: Value
    step: Value
    lower: str
    upper: str
    p: float | None = None
    shown: bool = False
    smallest: float | None = None
    among: Value | None = None
    """The same as a share of the items that have the rung, where not all of them do."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The diagnosis of a subject: one sentence, the verdict in a word, and the evidence.

    `faults`: every faculty with a fault that is shown, largest first. `losses` and `right` add up to 1. `beside`:
    losses that are measured on rungs beside the line, such as saying. `rungs`: from the least to the most demanding.
    `missing`: what could not be told apart, and which command would.
    """

    subject: str
    headline: str
    verdict: Verdict
    details: tuple[str, ...]
    faults: tuple[str, ...] = ()
    right: Value = Value(None)
    losses: tuple[Loss, ...] = ()
    beside: tuple[Loss, ...] = ()
    rungs: tuple[RungScore, ...] = ()
    missing: tuple[str, ...] = ()
    accuracy: Value = Value(None)
    """Percent right of all replies to the whole task as it is asked: its own score, not that of a rung."""
    task: str = ""
    where: str = ""
    """The condition that the largest loss depends on; empty if none is shown."""
    badge: str = ""
    """The verdict in a word, where it is none of the usual ones: a limit that was measured."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """One faculty of one subject over several tasks: the random-effects mean of its losses, the least and the
    largest of them (`across`; None for one task)."""

    faculty: str
    mean: Value
    across: tuple[float, float] | None
    tasks: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Faculties x tasks of one subject. `rows`: a faculty, and for each task its loss, None where it was not asked or
    not told apart. There is no single score."""

    subject: str
    tasks: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Value | None, ...]], ...]
    pooled: tuple[Pooled, ...]


class ThresholdCard(Protocol):
    """Where one subject's limits lie, as a page of its own: what a task that measures thresholds gives."""

    @property
    def subject(self) -> str: ...

    def draw(self, *beside: Any, dark: bool = False) -> MarksPage:
        """Draw the card, optionally next to other cards of the same task."""
        ...

    def show(self, console: "Console", *, heading: bool = True, tests: bool = True) -> None:
        """Print the card; without `heading` only what follows it, without `tests` only what to do about it."""
        ...


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of an analysis, diagnoses first."""

    diagnoses: tuple[Diagnosis, ...]
    sections: tuple[Section, ...]
    estimates: tuple[Mapping[str, Any], ...]
    fingerprints: tuple[Mapping[str, Any], ...]
    profiles: tuple[Profile, ...] = ()
    cards: tuple[ThresholdCard, ...] = ()
    """A card for each subject whose limits were measured."""


_KINDS: dict[type, str] = {kind: kind.__name__.lower() for kind in get_args(Block)}


def to_json(thing: object) -> Any:
    """Returns a value (`thing`) in JSON types. Blocks carry their `kind`; what is not a finite number becomes None.
    Raises `TypeError` for what is no finding.

    >>> to_json((1.0, float("nan")))
    [1.0, None]
    """
    if is_dataclass(thing) and not isinstance(thing, type):
        kind = _KINDS.get(type(thing))
        content = {field.name: to_json(getattr(thing, field.name)) for field in fields(thing)}
        return {"kind": kind, **content} if kind else content
    if isinstance(thing, Mapping):
        return {str(key): to_json(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [to_json(value) for value in thing]
    if isinstance(thing, float):
        return thing if isfinite(thing) else None
    if thing is None or isinstance(thing, str | int | bool):
        return thing
    raise TypeError(f"not a finding: {type(thing).__name__}")
