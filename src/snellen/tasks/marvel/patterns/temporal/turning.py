"""Things that turn on the spot: hands of a dial, figures about their middle, bundles of strokes."""

from collections.abc import Sequence

from snellen.rng import Stream
from snellen.tasks.marvel.marks import CENTRE, COLOURS, Mark, Spot, around, coloured, figure, line, moved, path, spun
from snellen.tasks.marvel.patterns.doodles import blob
from snellen.tasks.marvel.patterns.temporal.tracks import (
    MovementTrack,
    MovingScene,
    Places,
    listed,
    opening,
    steps_for,
    tell,
)
from snellen.tasks.marvel.puzzle import PuzzleDraft, PuzzleWish


def turn_words(track: MovementTrack, degrees: int) -> str:
    """ "the arrow turns by 45 degrees clockwise"."""
    by = abs(track.step) * 360 // track.size if degrees == 0 else abs(track.step) * degrees
    direction = "clockwise" if track.step > 0 else "anticlockwise"
    return f"{track.who} turns by {by} degrees" + ("" if 2 * abs(track.step) == track.size else f" {direction}")


def hand(reach: int, degrees: float, head: str, curved: bool, shape: str = "circle") -> list[Mark]:
    """A hand of a dial with a head at its end, straight or wavy."""
    tip = around(reach, degrees)
    if not curved:
        return [line(CENTRE, tip), figure(shape, tip, 7, head)]
    waves = (around(0, 0), around(reach * 0.35, degrees + 22), around(reach * 0.7, degrees - 9), tip)
    return [path(waves, closed=False, curved=True), figure(shape, tip, 7, head)]


def _dial(rng: Stream, places: int, abstract: bool) -> list[Mark]:
    """A round face with a tick or a dot for every place, with or without a rim; an abstract one wobbles."""
    if abstract:
        rim = [around(rng.between(53, 61), 15 * i) for i in range(0, 24, 2)]
        return [path(rim, curved=True)]
    angles = [360 * i / places for i in range(places)]
    face = [figure("circle", CENTRE, 58)] if rng.chance() else []
    if rng.chance():
        return [*face, *(figure("circle", around(53, angle), 2, "black") for angle in angles)]
    return [*face, *(line(around(50, angle), around(56, angle)) for angle in angles)]


_HANDS = (("the long hand", 42, "black"), ("the short hand", 25, "white"))
_HEADS = ("circle", "square", "diamond", "triangle")


def hands(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """The hands of a dial go round, each with its own step; with a third rule so does a bead on the rim."""
    abstract = wish.shapes == "abstract"
    places = 8 if abstract else rng.choice((8, 12))
    who = [name for name, _, _ in _HANDS][: wish.rules] if wish.rules > 1 else ["the hand"]
    if wish.rules > 2:
        who.append("the square on the rim")
    tracks = tuple(MovementTrack(name, "mark", places, steps_for(rng, places, 3)) for name in who)
    dial, colours = _dial(rng, places, abstract), rng.sample(COLOURS, 3)
    # Hands of many lengths and with many heads: or many puzzles would have the same four choices.
    scale, heads = 86 + 2 * rng.below(10), rng.sample(_HEADS, 2)

    def show(at: Places, row: int) -> list[Mark]:
        marks = list(dial)
        for (_, reach, fill), head, place, colour in zip(_HANDS, heads, at, colours, strict=False):
            marks += coloured(hand(reach * scale // 100, 360 * place / places, fill, abstract, head), colour)
        if len(at) > 2:
            marks.append(figure("square", around(66, 360 * at[2] / places), 6, "grey", colour=colours[2]))
        return marks

    rule = f"{opening(wish)} {listed([turn_words(t, 0) for t in tracks])}."
    return tell(rng, wish, MovingScene("hands", tracks, show, rule))


POINTERS = ("arrow", "drop", "heart", "moon", "trapezoid")
"""Figures whose direction can be told."""
_SPOTS: dict[int, tuple[tuple[Spot, int], ...]] = {
    1: (((90, 90), 46),),
    2: (((52, 90), 30), ((128, 90), 30)),
    3: (((90, 52), 26), ((52, 122), 26), ((128, 122), 26)),
}
_WHERE = {1: ("",), 2: (" on the left", " on the right"), 3: (" on top", " on the left", " on the right")}


def spin(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
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
    tracks = tuple(MovementTrack(name, step, size, steps_for(rng, size, 3)) for name in who)

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
    return tell(rng, wish, MovingScene("spin", tracks, show, rule))


def swirl(rng: Stream, size: int) -> list[Mark]:
    """A blot with a dot beside it, around the origin: which way it points is seen at once."""
    body = blob(rng, 0, round(size * 0.3), round(size * 0.7), fill="white")
    return [body, figure("circle", (rng.choice((-1, 1)) * size // 3, -round(size * 0.72)), max(5, size // 6), "black")]


def turned_about(marks: Sequence[Mark], spot: Spot, degrees: int) -> list[Mark]:
    """Paths and figures around the origin, turned and put at a spot."""
    turned = []
    for mark in marks:
        points = spun(mark.get("points") or [(mark["x"], mark["y"])], degrees, (0, 0))
        place = {"points": points} if "points" in mark else {"x": points[0][0], "y": points[0][1]}
        turned.append(moved(mark | place, spot))
    return turned


_BUNDLES: dict[int, tuple[tuple[Spot, int, int], ...]] = {
    2: (((54, 90), 26, 15), ((126, 90), 26, 15)),
    3: (((90, 54), 24, 14), ((54, 122), 24, 14), ((126, 122), 24, 14)),
}
"""Middle, half the length and distance of the strokes of each bundle where there are several."""
Bundle = list[tuple[int, int]]
"""For each stroke how far it lies aside, and half its length."""


def strokes(rng: Stream, wish: PuzzleWish) -> PuzzleDraft:
    """Bundles of parallel strokes turn by 45 or 90 degrees, each bundle by its own angle."""
    many = min(wish.rules, 3)
    spots = [spot for spot, _, _ in _BUNDLES[many]] if many > 1 else [CENTRE]
    several = _several(rng, many)
    bundles = [several or [_lone(rng)] for _ in range(wish.lines)]
    who = [f"the bundle of strokes{where}" for where in _WHERE[many]]
    tracks = tuple(MovementTrack(name, "step of 45 degrees", 4, rng.choice((1, -1, 2))) for name in who)
    wavy = wish.shapes == "abstract"
    colours = rng.sample(COLOURS, many)

    def show(at: Places, row: int) -> list[Mark]:
        marks: list[Mark] = []
        for spot, bundle, place, colour in zip(spots, bundles[row], at, colours, strict=True):
            marks += coloured(_drawn(spot, bundle, 45 * place, wavy), colour)
        return marks

    rule = f"{opening(wish)} {listed([turn_words(t, 45) for t in tracks])}."
    return tell(rng, wish, MovingScene("strokes", tracks, show, rule))


def _several(rng: Stream, many: int) -> list[Bundle]:
    """Small bundles of equal strokes, two to four each; none if there is but one bundle."""
    long, wide = 84 + 2 * rng.below(12), 80 + 4 * rng.below(8)
    bundles = []
    for _, reach, apart in _BUNDLES.get(many, ()):
        count = rng.choice((2, 3, 4))
        aside = [round((i - (count - 1) / 2) * (apart * wide // 100)) for i in range(count)]
        bundles.append([(far, reach * long // 100) for far in aside])
    return bundles


def _lone(rng: Stream) -> Bundle:
    """A large bundle. The choices show it in all four directions, so that only its strokes tell puzzles apart: there
    are two to six, of unequal lengths and distances. From either side it looks the same, as half a turn leaves no
    trace."""
    count = rng.choice((2, 3, 4, 4, 5, 5, 6, 6))
    gaps = _evenly(rng, count - 1, (12, 18, 25) if count < 6 else (12, 18))
    lengths = _evenly(rng, count, (18, 27, 36, 45, 54))
    longest = rng.below(count)
    lengths[longest] = lengths[-1 - longest] = rng.choice((45, 54))
    return [(sum(gaps[:i]) - sum(gaps) // 2, length) for i, length in enumerate(lengths)]


def _evenly(rng: Stream, many: int, values: Sequence[int]) -> list[int]:
    """So many values, the same from either end."""
    half = [rng.choice(values) for _ in range((many + 1) // 2)]
    return half + half[::-1][many % 2 :]


def _drawn(spot: Spot, bundle: Bundle, degrees: int, wavy: bool) -> list[Mark]:
    x, y = spot
    marks = []
    for aside, reach in bundle:
        if wavy:
            swing = 5 if reach < 40 else 8
            flat = [(x - reach, y + aside), (x - reach // 2, y + aside - swing)]
            flat += [(x, y + aside), (x + reach // 2, y + aside + swing), (x + reach, y + aside)]
            marks.append(path(spun(flat, degrees, spot), closed=False, curved=True))
        else:
            start, end = spun([(x - reach, y + aside), (x + reach, y + aside)], degrees, spot)
            marks.append(line(start, end))
    return marks
