"""The colours of a card, on light paper and on dark."""

from dataclasses import dataclass

from snellen.charts.palette import mix


@dataclass(frozen=True, slots=True)
class Tones:
    """`ink` is what is seen, `faded` what is not, `doubt` between them; `accent` marks where sight ends, `band` how far
    that might lie. `cold` and `hot` are the ends of a heat map."""

    paper: str
    sheet: str
    ink: str
    soft: str
    line: str
    edge: str
    accent: str
    band: str
    doubt: str
    faded: str
    cold: str
    hot: str

    def heat(self, strength: float) -> str:
        return mix(self.cold, self.hot, max(0.0, min(1.0, strength)))


LIGHT = Tones(
    paper="#ffffff",
    sheet="#f6f8f8",
    ink="#15191d",
    soft="#545c65",
    line="#dfe1dc",
    edge="#8a9199",
    accent="#0b6470",
    band="#cfe6e8",
    doubt="#8a9199",
    faded="#d9dcdf",
    cold="#f1f4f6",
    hot="#06427a",
)
DARK = Tones(
    paper="#14181b",
    sheet="#1d2327",
    ink="#eceeef",
    soft="#a3abb2",
    line="#323a40",
    edge="#727b83",
    accent="#67cfdc",
    band="#1d444a",
    doubt="#80898f",
    faded="#3a4248",
    cold="#20272c",
    hot="#7db8f0",
)
