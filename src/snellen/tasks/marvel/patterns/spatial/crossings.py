"""Two strokes: crossing, one ending on the other, meeting at their ends, or apart."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.spatial.relations import Aspect, Theme, Values, tell
from snellen.tasks.marvel.patterns.temporal.marks import COLOURS, MIDDLE, Mark, Spot, line, path, spun
from snellen.tasks.marvel.puzzle import Draft, Wish

_MEETING = ("crossing", "one ending on the other", "joined at their ends", "apart")
_LIES = {"lying": 0, "upright": 90, "slanting": 45}


def crossing(rng: Stream, wish: Wish) -> Draft:
    """How two strokes meet; with a second rule also how the longer one lies (it is much longer where they cross)."""
    panels = wish.lines * wish.length
    turns = [15 * rng.below(24) for _ in range(panels)]
    halves = [180 * rng.below(2) for _ in range(panels)]
    aside = [rng.choice((-12, -6, 0, 6, 12)) for _ in range(panels)]
    off = [(rng.below(7) - 3, rng.below(7) - 3) for _ in range(panels)]  # not all in the very middle
    colours = rng.sample(COLOURS, 2)
    wavy = wish.shapes == "abstract"
    gap = 18 if wish.near else 28

    def show(values: Values, number: int) -> list[Mark]:
        degrees = turns[number] if len(values) < 2 else _LIES[values[1]] + halves[number]
        strokes = _strokes(values[0], 0 if wavy else aside[number], gap)
        marks = [_stroke(start, end, degrees, wavy, off[number]) for start, end in strokes]
        return [mark | {"colour": colour} for mark, colour in zip(marks, colours, strict=True)]

    aspects: tuple[Aspect, ...] = (Aspect("the two strokes are", _MEETING),)
    if wish.rules > 1:
        aspects = (*aspects, Aspect("the longer one is", tuple(_LIES)))
    return tell(rng, wish, Theme("crossing", aspects, show))


def _strokes(meeting: str, aside: int, gap: int) -> tuple[tuple[Spot, Spot], tuple[Spot, Spot]]:
    """The ends of the longer stroke, lying, and of the other one, seen from the middle of the panel."""
    if meeting == "crossing":
        return ((-54, 0), (54, 0)), ((aside, -24), (aside, 24))
    long = (-54, 32), (54, 32)
    if meeting == "joined at their ends":
        return long, ((-26, -40), (-54, 32))
    if meeting == "one ending on the other":
        return long, ((aside, -44), (aside, 32))
    half = gap // 2
    return ((-54, 32 + half), (54, 32 + half)), ((aside, -44 - half), (aside, 32 - half))


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
