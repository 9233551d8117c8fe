"""Two strokes: crossing, one ending on the other, meeting at their ends, or apart."""

from dataclasses import dataclass
from math import isqrt

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.spatial.relations import RelationAspect, RelationTheme, Values, tell
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, Mark, Spot, line, path, spun
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish

_MEETING = ("crossing", "one ending on the other", "joined at their ends", "apart")
_LIES = {"lying": 0, "upright": 90, "slanting": 45}


@dataclass(frozen=True, slots=True)
class _StrokeWidths:
    """How the strokes of a panel are drawn: half the length of the longer one, the length of the other, how far from
    the middle they meet, and whether the other end of the longer one is meant where they are joined at their ends."""

    long: int
    other: int
    aside: int
    flip: bool


def crossing(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """How two strokes meet; with a second rule also how the longer one lies (it is much longer where they cross)."""
    panels = wish.lines * wish.length
    turns = [15 * rng.below(24) for _ in range(panels)]
    halves = [180 * rng.below(2) for _ in range(panels)]
    off = [(rng.below(7) - 3, rng.below(7) - 3) for _ in range(panels)]  # not all in the very middle
    colours = rng.sample(COLOURS, 2)
    wavy = wish.shapes == "abstract"
    pens = [_pen(rng, wavy) for _ in range(panels)]
    gap = 18 if wish.near else 28

    def show(values: Values, number: int) -> list[Mark]:
        degrees = turns[number] if len(values) < 2 else _LIES[values[1]] + halves[number]
        strokes = _strokes(values[0], pens[number], gap)
        marks = [_stroke(start, end, degrees, wavy, off[number]) for start, end in strokes]
        return [mark | {"colour": colour} for mark, colour in zip(marks, colours, strict=True)]

    aspects: tuple[RelationAspect, ...] = (RelationAspect("the two strokes are", _MEETING),)
    if wish.rules > 1:
        aspects = (*aspects, RelationAspect("the longer one is", tuple(_LIES)))
    return tell(rng, wish, RelationTheme("crossing", aspects, show))


def _pen(rng: Stream, wavy: bool) -> _StrokeWidths:
    """Wavy strokes meet where they do not swing: in the middle of the longer one."""
    aside = 0 if wavy else rng.choice((-18, -9, 0, 9, 18))
    long = rng.choice((44, 49, 54))
    return _StrokeWidths(long, 2 * long * rng.choice((54, 62, 70)) // 100, aside, rng.chance())


def _strokes(meeting: str, pen: _StrokeWidths, gap: int) -> tuple[tuple[Spot, Spot], tuple[Spot, Spot]]:
    """The ends of the longer stroke, lying, and of the other one, seen from the middle of the panel."""
    long, aside = pen.long, pen.aside
    if meeting == "crossing":
        reach = pen.other // 3
        return ((-long, 0), (long, 0)), ((aside, -reach), (aside, reach))
    lying, top = ((-long, 32), (long, 32)), 32 - pen.other
    if meeting == "joined at their ends":
        end = long if pen.flip else -long
        return lying, ((end // 2, 32 - isqrt(pen.other**2 - (long // 2) ** 2)), (end, 32))
    if meeting == "one ending on the other":
        return lying, ((aside, top), (aside, 32))
    half = gap // 2
    return ((-long, 32 + half), (long, 32 + half)), ((aside, top - half), (aside, 32 - half))


def _stroke(start: Spot, end: Spot, degrees: int, wavy: bool, off: Spot) -> Mark:
    (x, y), (x2, y2) = start, end
    points = [start, end]
    if wavy:  # a swing to either side; the middle, where another stroke may meet it, stays in place
        dx, dy = (x2 - x) // 4, (y2 - y) // 4
        swing_x, swing_y = round(-dy * 0.36), round(dx * 0.36)
        quarter, three = (x + dx + swing_x, y + dy + swing_y), (x2 - dx - swing_x, y2 - dy - swing_y)
        points = [start, quarter, ((x + x2) // 2, (y + y2) // 2), three, end]
    spots = [(x + off[0], y + off[1]) for x, y in spun([(px + MIDDLE, py + MIDDLE) for px, py in points], degrees)]
    return path(spots, closed=False, curved=True) if wavy else line(spots[0], spots[1])
