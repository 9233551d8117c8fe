"""The colours of the report, for light paper: one for every part of a chart, every outcome and every verdict.

The page's own style (`web/src/style`) has the same light values, and a test holds them together.
"""

PAPER = "#ffffff"
INK = "#15191d"
SOFT = "#545c65"
LINE = "#dfe1dc"
EDGE = "#8a9199"

PARTS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8b939b")
"""Colours that stay apart for every kind of colour vision, in the order in which charts use them."""
ON_PARTS = ("#ffffff", "#1a1200", "#00150f", "#1c0812", "#1a0a00", "#06141d", "#0b0d0f")
"""Letters on each of them."""

OUTCOMES = {"right": "#00664a", "wrong": "#b23c00", "unread": "#545c65"}
VERDICTS = {"eyes": "#005f96", "habit": "#a34b00", "thinking": "#97356f", "sound": "#00664a", "unclear": "#545c65"}

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


def _channels(colour: str) -> list[float]:
    return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]


def _roots(colour: str) -> list[float]:
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]
    return [sum(k * c for k, c in zip(row, light, strict=True)) ** (1 / 3) for row in _TO_CONES]


def _gamma(part: float) -> float:
    return float(12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
