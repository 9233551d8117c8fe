"""The colours of charts, on light and on dark paper: one for every part and every verdict.

Files are on light paper. The page is sent both, and shows what its reader's screen asks for; its own ink and lines
(`web/src/style`) are the same, and a test holds them together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from snellen.faculties import ENTRIES, Hatch


class Tone(str):
    """A colour on light paper, which is how files have it, that knows itself on dark paper (`dark`), too."""

    dark: str

    def __new__(cls, light: str, dark: str = "") -> "Tone":
        tone = super().__new__(cls, light)
        tone.dark = dark or light
        return tone


PAPER = Tone("#ffffff", "#181c1f")
INK = Tone("#15191d", "#e9ebe8")
SOFT = Tone("#545c65", "#a3acb4")
LINE = Tone("#dfe1dc", "#2c3338")
EDGE = Tone("#8a9199", "#6b757d")


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """How a part of a chart looks: its colour, the letters on it, and its hatching, for those who do not see the colour
    and for print."""

    colour: Tone
    letters: Tone
    hatch: Hatch

    @property
    def pen(self) -> Tone:
        """Its colour for thin lines on paper: as much nearer to ink as they need to show."""

        def rule(colour: str, paper: str, ink: str) -> str:
            steps = (_mixed(colour, ink, k / 20) if k else colour for k in range(20))
            return next((step for step in steps if _shows(step, paper, _THIN)), ink)

        return on_each(rule, self)

    @property
    def lines(self) -> Tone:
        """The colour of its hatching: nearer to paper where the part itself is not."""

        def rule(colour: str, paper: str, ink: str) -> str:
            return _mixed(colour, paper, 0.62) if _shows(colour, paper, _LEAST) else _mixed(colour, ink, 0.45)

        return on_each(rule, self)


_HATCHES: tuple[Hatch, ...] = (
    (),
    ((-45, 3.0),),
    ((0, 2.4),),
    ((45, 2.4),),
    ((-45, 3.6), (45, 3.6)),
    ((90, 2.4),),
    ((0, 3.2), (90, 3.2)),
)
PARTS = tuple(
    SeriesStyle(Tone(*colours), Tone(*letters), hatch)
    for colours, letters, hatch in zip(
        (
            ("#0072b2", "#56b4e9"),
            ("#e69f00", "#e8a820"),
            ("#009e73", "#2fbf93"),
            ("#cc79a7", "#d88fb8"),
            ("#d55e00", "#e87a2a"),
            ("#56b4e9", "#9ad4f5"),
            ("#8b939b", "#8b939b"),
        ),
        (("#ffffff", "#08131a"), ("#1a1200",), ("#00150f",), ("#1c0812",), ("#1a0a00",), ("#06141d",), ("#0b0d0f",)),
        _HATCHES,
        strict=True,
    )
)
"""Colours that stay apart for every kind of colour vision, in the order in which charts use them."""

NOT_TOLD_APART = "not told apart"
FACULTIES = {
    "right": SeriesStyle(Tone("#1f9265", "#3fb27a"), Tone("#00150f"), ()),
    **{name: SeriesStyle(Tone(*entry.fill), Tone(*entry.letters), entry.hatch) for name, entry in ENTRIES.items()},
    NOT_TOLD_APART: SeriesStyle(Tone("#b0b3b7", "#b4b7ba"), Tone("#0b0d0f"), ((90, 2.4),)),
}
"""Right, and what is lost to each faculty, the same wherever it is drawn."""

VERDICTS = {
    "none": (Tone("#00664a", "#4cc7a1"), "no fault was found"),
    "small": (Tone("#4a6a1e", "#b5d07f"), "a loss is likely, but too small for a fault"),
    **{name: (Tone(*entry.ink), entry.verdict) for name, entry in ENTRIES.items() if not entry.family},
    "measured": (Tone("#0b6470", "#67cfdc"), "a limit was measured"),
    "unclear": (Tone("#545c65", "#a3acb4"), "the exam cannot say"),
}
"""Verdicts as letters that can be read on paper, and what they mean."""

TERMINAL = {
    **{name: entry.terminal for name, entry in ENTRIES.items()},
    "right": ("green", "█"),
    NOT_TOLD_APART: ("white", "═"),
    "none": ("green", "█"),
    "small": ("bright_green", "█"),
    "measured": ("cyan", "█"),
    "unclear": ("dim", "█"),
}
"""Parts and verdicts in a terminal: a colour, and a character that tells without it."""


def looks(parts: Sequence[str]) -> list[SeriesStyle]:
    """How the parts of a chart look: what they mean if all are faculties (or right), else one look after the other."""
    meant = [faculty_of(part) for part in parts]
    if all(meant):
        return [FACULTIES[name] for name in meant if name]
    return [look_of(k) for k in range(len(parts))]


def look_of(k: int) -> SeriesStyle:
    """How part k of any other chart looks."""
    return PARTS[k % len(PARTS)]


def faculty_of(part: str) -> str | None:
    """The faculty that a part of a chart is named after; several ("thinking or eyes") are not told apart."""
    names = part.split(" or ")
    if not all(name in FACULTIES for name in names):
        return None
    return part if len(names) == 1 else NOT_TOLD_APART


COLD = Tone("#f1f4f6", "#20272c")
HOT = {"more": Tone("#06427a", "#93d3f9"), "less": Tone("#8a3d00", "#fdb366")}
"""A heat map goes from cold to hot; differences have one hot colour each way."""
ON_PALE, ON_MIDDLE, ON_DEEP = Tone("#0c1013", "#ffffff"), Tone("#000000"), Tone("#ffffff", "#04090d")

_LEAST = 1.05 / 0.55
"""The least contrast of a part that is hatched with lighter lines: on white that of a colour half as light."""
_THIN = 3.0
"""The least contrast of a thin line."""
_TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_FROM_CONES = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def mix(cold: str, hot: str, strength: float) -> Tone:
    """The colour `strength` (0 to 1) of the way to `hot`, in steps that look even, as `color-mix(in oklab)` has it."""
    return Tone(_mixed(cold, hot, strength), _mixed(on_dark(cold), on_dark(hot), strength))


def on_dark(colour: str) -> str:
    """The colour on dark paper: its own, or the same as on light paper."""
    return colour.dark if isinstance(colour, Tone) else colour


def on_each(rule: Callable[[str, str, str], str], look: SeriesStyle) -> Tone:
    """What the rule makes of a look's colour, the paper and the ink, on each paper."""
    return Tone(rule(look.colour, PAPER, INK), rule(look.colour.dark, PAPER.dark, INK.dark))


def _shows(colour: str, paper: str, least: float) -> bool:
    """Whether the colour has that contrast with the paper."""
    dark, light = sorted((luminance(colour), luminance(paper)))
    return (light + 0.05) / (dark + 0.05) > least


@lru_cache(maxsize=4096)  # a page shows the same few colours in all its charts
def _mixed(cold: str, hot: str, strength: float) -> str:
    """Oklab is linear in the cube roots of the cones' answers, so that is where the two are mixed."""
    roots = zip(_roots(cold), _roots(hot), strict=True)
    cones = [(a + (b - a) * strength) ** 3 for a, b in roots]
    light = (sum(k * c for k, c in zip(row, cones, strict=True)) for row in _FROM_CONES)
    return "#" + "".join(f"{round(255 * _gamma(max(0.0, min(1.0, part)))):02x}" for part in light)


@lru_cache(maxsize=4096)
def luminance(colour: str) -> float:
    """How light a colour is, from 0 (black) to 1 (white), as contrast is reckoned."""
    return sum(k * c for k, c in zip((0.2126, 0.7152, 0.0722), _linear(colour), strict=True))


def _channels(colour: str) -> list[float]:
    return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]


def _roots(colour: str) -> list[float]:
    return [sum(k * c for k, c in zip(row, _linear(colour), strict=True)) ** (1 / 3) for row in _TO_CONES]


def _linear(colour: str) -> list[float]:
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]


def _gamma(part: float) -> float:
    return float(12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
