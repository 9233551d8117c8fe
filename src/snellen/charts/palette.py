"""The colours of the report, for light paper: one for every part of a chart, every outcome and every verdict.

The page's own style (`web/src/style`) has the same light values, and a test holds them together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

PAPER = "#ffffff"
INK = "#15191d"
SOFT = "#545c65"
LINE = "#dfe1dc"
EDGE = "#8a9199"

PARTS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8b939b")
"""Colours that stay apart for every kind of colour vision, in the order in which charts use them."""
ON_PARTS = ("#ffffff", "#1a1200", "#00150f", "#1c0812", "#1a0a00", "#06141d", "#0b0d0f")
"""Letters on each of them."""

PALE = 0.5
"""A colour lighter than this does not show on paper as a thin line."""

OUTCOMES = {"right": "#00664a", "wrong": "#b23c00", "unread": "#545c65"}


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """How a part of a chart looks: its colour, the letters on it, and its hatching (see `figures/shapes.py`), for those
    who do not see the colour and for print."""

    colour: str
    letters: str
    hatch: int

    @property
    def pen(self) -> str:
        """Its colour for thin lines on paper: darker where it is pale."""
        return self.colour if luminance(self.colour) < PALE else mix(self.colour, INK, 0.45)


NOT_TOLD_APART = "not told apart"
FACULTIES = {
    "right": SeriesStyle("#1f9265", "#00150f", 0),
    "refusal": SeriesStyle("#242226", "#ffffff", 10),
    "form": SeriesStyle("#5c646c", "#ffffff", 6),
    "leaning": SeriesStyle("#7a4a1d", "#ffffff", 11),
    "attention": SeriesStyle("#e9e97a", "#1a1200", 2),
    "thinking": SeriesStyle("#b152a3", "#ffffff", 3),
    "finding": SeriesStyle("#f3b9ee", "#1c0812", 7),
    "applying": SeriesStyle("#7c0f4e", "#ffffff", 9),
    "eyes": SeriesStyle("#1c4b8c", "#ffffff", 1),
    "clutter": SeriesStyle("#2d5bcb", "#ffffff", 12),
    "saying": SeriesStyle("#4fa6e9", "#06141d", 8),
    "habit": SeriesStyle("#f59b14", "#1a1200", 4),
    NOT_TOLD_APART: SeriesStyle("#b0b3b7", "#0b0d0f", 5),
}
"""Right, and what is lost to each faculty, the same wherever it is drawn. They stay apart for every kind of colour
vision."""

VERDICTS = {
    "none": "#00664a",
    "small": "#4a6a1e",
    "refusal": "#3a3436",
    "form": "#4d565f",
    "attention": "#6b6200",
    "thinking": "#8c2f80",
    "eyes": "#1f5091",
    "saying": "#00628f",
    "habit": "#9a5200",
    "leaning": "#7a3b1d",
    "measured": "#0b6470",
    "unclear": "#545c65",
}
"""The same as letters on paper: darker, so that they can be read."""


TERMINAL = {
    "right": ("green", "█"),
    "refusal": ("bright_red", "▛"),
    "form": ("bright_black", "▓"),
    "leaning": ("red", "▐"),
    "attention": ("bright_yellow", "░"),
    "thinking": ("magenta", "▒"),
    "finding": ("bright_magenta", "▄"),
    "applying": ("deep_pink4", "▀"),
    "eyes": ("blue", "▚"),
    "clutter": ("bright_blue", "▜"),
    "saying": ("bright_cyan", "▞"),
    "habit": ("dark_orange", "▌"),
    NOT_TOLD_APART: ("white", "═"),
    "none": ("green", "█"),
    "small": ("bright_green", "█"),
    "measured": ("cyan", "█"),
    "unclear": ("dim", "█"),
}
"""The same in a terminal: the nearest colour that any theme shows well, and a character that tells without colour."""


def looks(parts: Sequence[str]) -> list[SeriesStyle]:
    """How the parts of a chart look: what they mean if all are faculties (or right), else one look after the other."""
    meant = [faculty_of(part) for part in parts]
    if all(meant):
        return [FACULTIES[name] for name in meant if name]
    return [look_of(k) for k in range(len(parts))]


def look_of(k: int) -> SeriesStyle:
    """How part k of any other chart looks."""
    return SeriesStyle(PARTS[k % len(PARTS)], ON_PARTS[k % len(PARTS)], k % len(PARTS))


def faculty_of(part: str) -> str | None:
    """The faculty that a part of a chart is named after; several ("thinking or eyes") are not told apart."""
    names = part.split(" or ")
    if not all(name in FACULTIES for name in names):
        return None
    return part if len(names) == 1 else NOT_TOLD_APART


COLD = "#f1f4f6"
HOT = {"more": "#06427a", "less": "#8a3d00"}
"""A heat map goes from cold to hot; differences have one hot colour each way."""
ON_PALE, ON_MIDDLE, ON_DEEP = "#0c1013", "#000000", "#ffffff"

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


def mix(cold: str, hot: str, strength: float) -> str:
    """The colour `strength` (0 to 1) of the way to `hot`, in steps that look even, as `color-mix(in oklab)` has it.

    Oklab is linear in the cube roots of the cones' answers, so that is where the two are mixed.
    """
    roots = zip(_roots(cold), _roots(hot), strict=True)
    cones = [(a + (b - a) * strength) ** 3 for a, b in roots]
    light = (sum(k * c for k, c in zip(row, cones, strict=True)) for row in _FROM_CONES)
    return "#" + "".join(f"{round(255 * _gamma(max(0.0, min(1.0, part)))):02x}" for part in light)


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
