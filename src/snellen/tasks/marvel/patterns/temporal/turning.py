"""Things that turn on the spot: hands of a dial, figures about their middle, bundles of strokes."""

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.temporal.marks import (
    COLOURS,
    MIDDLE,
    Mark,
    Spot,
    around,
    coloured,
    figure,
    line,
    path,
    spun,
)
from snellen.tasks.marvel.patterns.temporal.tracks import Places, Scene, Track, listed, opening, steps_for, tell
from snellen.tasks.marvel.puzzle import Draft, Wish


def turn_words(track: Track, degrees: int) -> str:
    """ "the arrow turns by 45 degrees clockwise"."""
    by = abs(track.step) * 360 // track.size if degrees == 0 else abs(track.step) * degrees
    direction = "clockwise" if track.step > 0 else "anticlockwise"
    return f"{track.who} turns by {by} degrees" + ("" if 2 * abs(track.step) == track.size else f" {direction}")


def hand(reach: int, degrees: float, head: str, curved: bool) -> list[Mark]:
    """A hand of a dial with a head at its end, straight or wavy."""
    tip = around(reach, degrees)
    if not curved:
        return [line((MIDDLE, MIDDLE), tip), figure("circle", tip, 7, head)]
    waves = (around(0, 0), around(reach * 0.35, degrees + 22), around(reach * 0.7, degrees - 9), tip)
    return [path(waves, closed=False, curved=True), figure("circle", tip, 7, head)]


def _dial(rng: Stream, places: int, abstract: bool) -> list[Mark]:
    """A round face with a tick for every place; an abstract one wobbles."""
    if abstract:
        rim = [around(rng.between(53, 61), 15 * i) for i in range(0, 24, 2)]
        return [path(rim, curved=True)]
    ticks = [line(around(50, 360 * i / places), around(56, 360 * i / places)) for i in range(places)]
    return [figure("circle", (MIDDLE, MIDDLE), 58), *ticks]


_HANDS = (("the long hand", 42, "black"), ("the short hand", 25, "white"))


def hands(rng: Stream, wish: Wish) -> Draft:
    """The hands of a dial go round, each with its own step; with a third rule so does a bead on the rim."""
    abstract = wish.shapes == "abstract"
    places = 8 if abstract else rng.choice((8, 12))
    who = [name for name, _, _ in _HANDS][: wish.rules] if wish.rules > 1 else ["the hand"]
    if wish.rules > 2:
        who.append("the square on the rim")
    tracks = tuple(Track(name, "mark", places, steps_for(rng, places, 3)) for name in who)
    dial, colours = _dial(rng, places, abstract), rng.sample(COLOURS, 3)
    scale = 86 + 2 * rng.below(10)  # a hundredth: or many puzzles would have the same four choices

    def show(at: Places, row: int) -> list[Mark]:
        marks = list(dial)
        for (_, reach, head), place, colour in zip(_HANDS, at, colours, strict=False):
            marks += coloured(hand(reach * scale // 100, 360 * place / places, head, abstract), colour)
        if len(at) > 2:
            marks.append(figure("square", around(66, 360 * at[2] / places), 6, "grey", colour=colours[2]))
        return marks

    rule = f"{opening(wish)} {listed([turn_words(t, 0) for t in tracks])}."
    return tell(rng, wish, Scene("hands", tracks, show, rule))


POINTERS = ("arrow", "drop", "heart", "moon", "trapezoid")
"""Figures whose direction can be told."""
_SPOTS: dict[int, tuple[tuple[Spot, int], ...]] = {
    1: (((90, 90), 46),),
    2: (((52, 90), 30), ((128, 90), 30)),
    3: (((90, 52), 26), ((52, 122), 26), ((128, 122), 26)),
}
_WHERE = {1: ("",), 2: (" on the left", " on the right"), 3: (" on top", " on the left", " on the right")}


def spin(rng: Stream, wish: Wish) -> Draft:
    """Figures turn about their own middle, each by its own angle."""
    many = min(wish.rules, 3)
    abstract = wish.shapes == "abstract"
    kinds = [rng.sample(POINTERS, many) for _ in range(wish.lines)]
    fills = [rng.choice(("black", "white", "grey")) for _ in range(many)]
    shapes = [[swirl(rng, size) for _, size in _SPOTS[many]] for _ in range(wish.lines)] if abstract else []
    colours = rng.sample(COLOURS, many)
    who = [f"the figure{where}" for where in _WHERE[many]]
    scale = 84 + 2 * rng.below(11)
    size, step = (4, "step of 90 degrees") if abstract else (8, "step of 45 degrees")
    tracks = tuple(Track(name, step, size, steps_for(rng, size, 3)) for name in who)

    def show(at: Places, row: int) -> list[Mark]:
        marks: list[Mark] = []
        for i, ((spot, reach), place) in enumerate(zip(_SPOTS[many], at, strict=True)):
            if abstract:
                marks += coloured(turned_about(shapes[row][i], spot, 90 * place), colours[i])
            else:
                marks.append(
                    figure(kinds[row][i], spot, reach * scale // 100, fills[i], turn=45 * place, colour=colours[i])
                )
        return marks

    rule = f"{opening(wish)} {listed([turn_words(t, 0) for t in tracks])}."
    return tell(rng, wish, Scene("spin", tracks, show, rule))


def swirl(rng: Stream, size: int) -> list[Mark]:
    """A blot with a dot beside it, around the origin: which way it points is seen at once."""
    body = blob(rng, 0, round(size * 0.3), round(size * 0.7), fill="white")
    return [body, figure("circle", (rng.choice((-1, 1)) * size // 3, -round(size * 0.72)), max(5, size // 6), "black")]


def turned_about(marks: list[Mark], spot: Spot, degrees: int) -> list[Mark]:
    """Marks around the origin, turned and put at a spot."""
    turned = []
    for mark in marks:
        if mark["shape"] == "path":
            points = spun(mark["points"], degrees, (0, 0))
            turned.append(mark | {"points": [[x + spot[0], y + spot[1]] for x, y in points]})
        else:
            ((x, y),) = spun([(mark["x"], mark["y"])], degrees, (0, 0))
            turned.append(mark | {"x": x + spot[0], "y": y + spot[1]})
    return turned


_BUNDLES: dict[int, tuple[tuple[Spot, int, int], ...]] = {
    1: (((90, 90), 46, 24),),
    2: (((54, 90), 26, 15), ((126, 90), 26, 15)),
    3: (((90, 54), 24, 14), ((54, 122), 24, 14), ((126, 122), 24, 14)),
}
"""Middle, half the length and distance of the strokes of each bundle."""


def strokes(rng: Stream, wish: Wish) -> Draft:
    """Bundles of parallel strokes turn by 45 or 90 degrees, each bundle by its own angle."""
    many = min(wish.rules, 3)
    counts = rng.sample((2, 3, 4), 2) if many == 1 else [rng.choice((2, 3)) for _ in range(many)]
    lines = [[2 + rng.below(3) for _ in range(many)] for _ in range(wish.lines)] if many == 1 else []
    who = [f"the bundle of strokes{where}" for where in _WHERE[many]]
    tracks = tuple(Track(name, "step of 45 degrees", 4, rng.choice((1, -1, 2))) for name in who)
    wavy = wish.shapes == "abstract"
    colours = rng.sample(COLOURS, many)
    long, wide = 84 + 2 * rng.below(12), 80 + 4 * rng.below(8)

    def show(at: Places, row: int) -> list[Mark]:
        marks: list[Mark] = []
        number = lines[row] if lines else counts
        for i, ((spot, reach, apart), place) in enumerate(zip(_BUNDLES[many], at, strict=True)):
            where = spot, reach * long // 100, apart * wide // 100
            marks += coloured(_bundle(where, number[i], 45 * place, wavy), colours[i])
        return marks

    rule = f"{opening(wish)} {listed([turn_words(t, 45) for t in tracks])}."
    return tell(rng, wish, Scene("strokes", tracks, show, rule))


def _bundle(where: tuple[Spot, int, int], count: int, degrees: int, wavy: bool) -> list[Mark]:
    (x, y), reach, apart = where
    bundle = []
    for i in range(count):
        across = round((i - (count - 1) / 2) * min(apart, 2 * reach * 0.8 / max(1, count - 1)))
        if wavy:
            swing = 5 if reach < 40 else 8
            flat = [(x - reach, y + across), (x - reach // 2, y + across - swing)]
            flat += [(x, y + across), (x + reach // 2, y + across + swing), (x + reach, y + across)]
            bundle.append(path(spun(flat, degrees, (x, y)), closed=False, curved=True))
        else:
            start, end = spun([(x - reach, y + across), (x + reach, y + across)], degrees, (x, y))
            bundle.append(line(start, end))
    return bundle
