"""Crowding: a letter between four others. The nearer they stand, the harder it is to tell which one is meant."""

from dataclasses import dataclass

from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone
from snellen.rng import Stream
from snellen.tasks.acuity.draw import optotypes
from snellen.tasks.acuity.draw.optotypes import LETTERS, UNITS, Optotype, OptotypePage

SIDES = {"above": (0, -1), "right": (1, 0), "below": (0, 1), "left": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Crowd:
    """A target in the middle of a page and its flankers above, right, below and left.

    `spacing` is from middle to middle, in letter sizes: at 1 the letters touch.
    """

    target: str
    flankers: str
    stroke: float
    spacing: float
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        if len(self.flankers) != len(SIDES) or self.target in self.flankers:
            raise ValueError(f"a crowd has four flankers other than its target {self.target!r}, not {self.flankers!r}")
        if self.spacing < 1:
            raise ValueError(f"letters closer than one letter size would overlap: {self.spacing:g}")
        _ = self.chart  # what leaves the page is refused there

    @property
    def chart(self) -> OptotypePage:
        x, y = self.page.middle
        apart = self.spacing * self.stroke * UNITS
        around = zip(self.flankers, SIDES.values(), strict=True)
        flankers = (Optotype(name, self.stroke, x + right * apart, y + down * apart) for name, (right, down) in around)
        return OptotypePage((Optotype(self.target, self.stroke, x, y), *flankers), self.page, self.tone)


def flankers_of(target: str, source: Stream) -> str:
    """Four different letters other than the target."""
    return "".join(source.sample([letter for letter in LETTERS if letter != target], len(SIDES)))


def painted(crowd: Crowd) -> IndexedPixels:
    return optotypes.painted(crowd.chart)


def words(crowd: Crowd) -> str:
    around = ", ".join(f"{name} {side}" for name, side in zip(crowd.flankers, SIDES, strict=True))
    return (
        f"A page of {crowd.page}, {crowd.tone}, showing five letters in a cross: {crowd.target} in the middle,"
        f" {around}; {crowd.stroke * UNITS:g} px high, {crowd.spacing:g} letter sizes from middle to middle."
    )
