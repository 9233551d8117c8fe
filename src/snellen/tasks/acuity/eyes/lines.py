"""Looking at lines: how often two cross, where one of six leads.

Only the order of lines is in doubt, from stretch to stretch. So the same lines are drawn in every order that a stretch
can have, sent through the same optics, and for each stretch the nearest under noise is taken.
"""

from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from snellen.draw.sheet import ChartPage, InkTone
from snellen.tasks.acuity.draw import crossings, paths
from snellen.tasks.acuity.draw.crossings import KNOTS, Crossing
from snellen.tasks.acuity.draw.paths import COLUMNS, LANES, Tangle
from snellen.tasks.acuity.eyes.gaze import Gaze
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels

Floats = NDArray[np.float64]
Swaps = tuple[tuple[int, ...], ...]
_STRAIGHT: Swaps = ((),) * COLUMNS

_LEAST = 0.05
"""The smallest gap that is thought of, in pixels as sent."""


def _differences(seen: Glimpse, drawn: Pixels, gaze: Gaze) -> Floats:
    """For each pixel of the window how far it is, under noise, from what it would be in another picture; squared."""
    noise = gaze.mind.noise * gaze.source("noise").standard_normal(seen.seen.shape)
    far: Floats = np.square(seen.seen + noise - seen.of(drawn)).sum(axis=2)
    return far


# Crossings


def crossed(pixels: Pixels, gaze: Gaze) -> str | None:
    """How often red and blue change places: the order of orders at all knots that is nearest on the whole."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    middles, gap = _courses(seen)
    ways = {
        way: _differences(seen, crossings.painted(_crossing(seen, middles, gap, way)).rgb, gaze).sum(axis=0)
        for way in ((True, True), (False, False), (True, False), (False, True))
    }
    knots = np.round(_knots(seen)).astype(np.int64).clip(0, seen.seen.shape[1])
    costs = [
        # a drawing that begins one way and changes at each knot has every second stretch the other way round
        {way: float(ways[way if k % 2 == 0 else way[::-1]][start:stop].sum()) for way in ways}
        for k, (start, stop) in enumerate(pairwise(knots))
    ]
    orders = product((True, False), repeat=KNOTS)
    best = min(orders, key=lambda order: sum(cost[way] for cost, way in zip(costs, pairwise(order), strict=True)))
    return str(sum(a != b for a, b in pairwise(best)))


def _knots(seen: Glimpse) -> Floats:
    """Where the knots are across, in pixels of the window."""
    page = ChartPage(*seen.page)
    flat = Crossing((True,) * KNOTS, (page.height / 2,) * KNOTS, 1.0, page=page)
    at: Floats = flat.lines[0][:, 0] * seen.size[0] / seen.page[0] - seen.across.start
    return at


def _courses(seen: Glimpse) -> tuple[Floats, float]:
    """Where the lines have their middle at the knots, and the gap between them, in pixels as sent. Both are as dark;
    what is redder than blue stands off the middle by as much as the red line does."""
    away = (seen.seen - seen.below).astype(np.float64)
    dark, red = -away.mean(axis=2), away[:, :, 0] - away[:, :, 2]
    knots, at = _knots(seen), np.arange(dark.shape[1]) + 0.5
    inside = (at >= knots[0]) & (at <= knots[-1]) & (dark.sum(axis=0) > dark.sum(axis=0).max() / 10)
    hats = np.stack([np.interp(at, knots, row) for row in np.eye(KNOTS)], axis=1)[inside]
    down = np.arange(dark.shape[0])[:, None] + 0.5
    total = dark.sum(axis=0)[inside]
    middle = (down * dark).sum(axis=0)[inside] / total
    middles = np.linalg.lstsq(hats, middle, rcond=None)[0]
    pure = _redness(crossings.RED) - _redness(crossings.BLUE)
    apart = ((down - middle) * red[:, inside]).sum(axis=0) / total * 4 * _darkness() / pure
    apart_at = np.abs(np.linalg.lstsq(hats, apart, rcond=None)[0])
    up = seen.page[1] / seen.size[1]
    flat = Crossing((True,) * KNOTS, (seen.page[1] / 2,) * KNOTS, 1.0, page=ChartPage(*seen.page))
    steep = float(np.ptp([line[0, 1] for line in flat.lines])) / (1 + flat.width)
    gap = float(np.median(apart_at)) * up / steep - flat.width
    return (middles + seen.down.start) * up, max(_LEAST, gap)


def _redness(colour: tuple[int, int, int]) -> float:
    return float(colour[0] - colour[2])


def _darkness() -> float:
    return 255 - float(np.mean([crossings.RED, crossings.BLUE]))


def _crossing(seen: Glimpse, middles: Floats, gap: float, way: tuple[bool, bool]) -> Crossing:
    """Lines that are in the first order at every other knot and in the second at those between."""
    above = tuple(way[k % 2] for k in range(KNOTS))
    page = ChartPage(*seen.page)
    flat = Crossing(above, (page.height / 2,) * KNOTS, 1.0, page=page)
    step = float(flat.lines[0][1, 0] - flat.lines[0][0, 0])
    steepest = float(np.abs(np.diff(middles)).max()) / (step / 2)
    calm = middles.mean() + (middles - middles.mean()) / max(1.0, steepest * 1.0001)
    return Crossing(above, tuple(calm.tolist()), min(gap, step / 2 - flat.width), page=page)


# Paths


def led_to(pixels: Pixels, gaze: Gaze) -> str | None:
    """The end of the marked line, followed from one place where lines may change places to the next."""
    seen = gaze.at(pixels)
    if seen is None:
        return None
    start, gap = _start(seen), _lane_gap(seen)
    pairs: Swaps = tuple(tuple(range(number % 2, LANES - 1, 2)) for number in range(COLUMNS))
    straight, swapped = (_tangle(seen, swaps, start, gap) for swaps in (_STRAIGHT, pairs))
    stay, change = (_differences(seen, paths.painted(one).rgb, gaze) for one in (straight, swapped))
    found = tuple(
        tuple(lane for lane in pairs[k] if _box(seen, straight, k, lane, change) < _box(seen, straight, k, lane, stay))
        for k in range(COLUMNS)
    )
    return str(_tangle(seen, found, start, gap).end)


def _tangle(seen: Glimpse, swaps: Swaps, start: int, gap: float) -> Tangle:
    tone = InkTone() if seen.below.mean() > 127 else InkTone(0, 255)
    return Tangle(swaps, start, gap, page=ChartPage(*seen.page), tone=tone)


def _column(tangle: Tangle, lane: int, column: int) -> Floats:
    """Where lines of a tangle that stay in their lane may leave it in a column, and where they have left it by then:
    two points, in pixels as sent."""
    before = (len(tangle.line(lane)) - 2 * COLUMNS - 1) // 2
    points: Floats = tangle.line(lane)[before + 2 * column : before + 2 * column + 2]
    return points


def _window(seen: Glimpse, at: Floats) -> Floats:
    """Points (x, y) of the page, as sent, in pixels of the window."""
    scale = np.array(seen.size) / np.array(seen.page)
    inside: Floats = at * scale - np.array([seen.across.start, seen.down.start])
    return inside


def _box(seen: Glimpse, tangle: Tangle, column: int, lane: int, differences: Floats) -> float:
    """The differences where a lane and the next may change places."""
    half = np.array([0, tangle.lane / 2])
    left_top, right_bottom = _column(tangle, lane, column)[0] - half, _column(tangle, lane + 1, column)[1] + half
    (left, top), (right, bottom) = (np.round(_window(seen, at)).astype(int).clip(0) for at in (left_top, right_bottom))
    return float(differences[top : max(bottom, top + 1), left : max(right, left + 1)].sum())


def _start(seen: Glimpse) -> int:
    """The lane whose left end has the thick spot."""
    straight = _tangle(seen, _STRAIGHT, 0, 1.0)
    dark, reach = np.abs(seen.grey), max(1, round(seen.size[1] / 64))
    ink = []
    for lane in range(LANES):
        x, y = np.round(_window(seen, straight.line(lane)[0])).astype(int)
        ink.append(float(dark[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].sum()))
    return int(np.argmax(ink))


def _lane_gap(seen: Glimpse) -> float:
    """The gap between lanes, as sent. Where all lines are in their lanes, half way between two columns, they spread
    down by 35/12 of a lane's square, and by what their width, blur and pixels add."""
    dark = np.abs(seen.grey.astype(np.float64))
    width = _tangle(seen, _STRAIGHT, 0, 1.0).width
    middle = seen.size[0] / 2 - seen.across.start
    spread = _spread(dark[:, max(0, int(middle) - 1) : int(middle) + 1])
    own = (width * seen.scale) ** 2 / 12 + seen.sight.blur**2 + 1 / 12
    lane = float(np.sqrt(max(spread - own, 0) * 12 / 35)) / seen.scale
    most = seen.page[0] / (4 * COLUMNS)
    return min(max(_LEAST, lane - width), most)


def _spread(dark: Floats) -> float:
    down = dark.sum(axis=1)
    at = np.arange(len(down)) + 0.5
    mean = (at * down).sum() / down.sum()
    return float((np.square(at - mean) * down).sum() / down.sum())
