"""Number: dots to be counted, none touching another."""

from dataclasses import dataclass
from itertools import combinations
from math import pi, sqrt

from snellen.draw.coverage import cover, disc
from snellen.draw.sheet import BLACK, USUAL, ChartPage, IndexedPixels, InkTone, inked
from snellen.rng import Stream

_TRIES = 2000
_FRESH = 20


@dataclass(frozen=True, slots=True)
class DotPage:
    """Discs on a page, each (x, y, radius) in pixels."""

    discs: tuple[tuple[float, float, float], ...]
    page: ChartPage = USUAL
    tone: InkTone = BLACK

    def __post_init__(self) -> None:
        for x, y, radius in self.discs:
            if not (radius <= x <= self.page.width - radius and radius <= y <= self.page.height - radius):
                raise ValueError(f"a dot of {radius:g} px at ({x:g}, {y:g}) leaves the page of {self.page}")
        for (x, y, radius), (a, b, other) in combinations(self.discs, 2):
            if (x - a) ** 2 + (y - b) ** 2 <= (radius + other) ** 2:
                raise ValueError(f"the dots at ({x:g}, {y:g}) and ({a:g}, {b:g}) touch")


def scattered(count: int, radii: tuple[float, float], gap: float, page: ChartPage, source: Stream) -> DotPage:
    """So many dots of radii within the range, each `gap` or more away from the others and from the edges."""
    for _ in range(_FRESH):  # a page that fills badly is begun anew
        if (discs := _thrown(count, radii, gap, page, source)) is not None:
            return DotPage(discs, page)
    raise ValueError(f"{count} dots of {radii[1]:g} px with {gap:g} px between them do not fit {page}")


def _thrown(
    count: int, radii: tuple[float, float], gap: float, page: ChartPage, source: Stream
) -> tuple[tuple[float, float, float], ...] | None:
    placed: list[tuple[float, float, float]] = []
    for _ in range(count):
        radius = source.between(*radii)
        edge = radius + gap
        for _ in range(_TRIES):
            x, y = (round(source.between(edge, side - edge), 2) for side in (page.width, page.height))
            if all((x - a) ** 2 + (y - b) ** 2 >= (edge + other) ** 2 for a, b, other in placed):
                placed.append((x, y, radius))
                break
        else:
            return None
    return tuple(placed)


def radius_for(count: int, share: float, page: ChartPage) -> float:
    """The radius at which so many dots together cover that share of the page: so that ink does not tell the number."""
    return sqrt(share * page.width * page.height / (pi * max(1, count)))


def painted(dots: DotPage) -> IndexedPixels:
    return inked(dots.page, cover([disc(*place) for place in dots.discs]), dots.tone)


def words(dots: DotPage) -> str:
    places = ", ".join(f"({x:g}, {y:g})" for x, y, _ in sorted(dots.discs))
    shown = f"dots, with their middles at: {places}" if places else "nothing at all"
    return f"A page of {dots.page}, {dots.tone}, showing {shown}."
