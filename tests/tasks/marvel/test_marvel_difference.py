"""The difference a puzzle hangs on is large enough to be seen: measured again here, by other means than the maker's."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from scipy.ndimage import binary_closing, distance_transform_cdt, distance_transform_edt
from solver_panels import dots, grid, line

from snellen.tasks.marvel.draw.difference import visibly_different
from snellen.tasks.marvel.draw.drawn import line_of
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.generate import kinds, make
from snellen.tasks.marvel.marks import figure
from snellen.tasks.marvel.patterns.doodles import CLEAR_GLYPHS, glyph
from snellen.tasks.marvel.patterns.quantities.symbols import CLEAR_KINDS
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES, Panel
from support.lengths import few_and_more

LEVELS = {
    "pattern": PATTERNS,
    "configuration": CONFIGURATIONS,
    "shapes": SHAPES,
    "rules": ("1", "2"),
    "closeness": ("near",),
    "clutter": ("none",),
}


def _ink(marks: list[Any]) -> Any:
    return panel_pixels({"marks": marks}) < 255


def _apart(ink: Any, other: Any) -> float:
    """How far the ink furthest from the other's is."""
    return max(
        float(distance_transform_edt(~b)[a].max()) if b.any() else 180.0
        for a, b in ((ink, other), (other, ink))
        if a.any()
    )


def _corners_moved(mark: Any, other: Any) -> float:
    """How far the corners of a mark are from those of another, however they are numbered; 0 if they are no match."""
    (a, closed), (b, _) = line_of(mark, 0), line_of(other, 0)
    if mark["shape"] != other["shape"] or a.shape != b.shape or mark["shape"] == "path":
        middles = [np.array((m.get("x", 0), m.get("y", 0))) for m in (mark, other)]
        return float(np.hypot(*(middles[0] - middles[1]))) if "size" in mark and "size" in other else 0.0
    orders = [np.roll(b, shift, axis=0) for shift in range(len(b))] if closed else [b, b[::-1]]
    return min(float(np.hypot(*(a - order).T).max()) for order in orders)


def measured(panel: Panel, other: Panel) -> Iterator[tuple[str, float]]:
    """Pixels of the largest difference, by each of the four measures; first those that are quickly taken."""
    changed = panel_pixels(panel) != panel_pixels(other)
    yield "area", 12 * float(changed.mean()) / 0.03
    own, others = ([m for m in a["marks"] if m not in b["marks"]] for a, b in ((panel, other), (other, panel)))
    pairs = [(mark, b) for a, b in ((own, others), (others, own)) for mark in a]
    yield "moved", max(min((_corners_moved(mark, one) for one in b), default=0.0) for mark, b in pairs)
    solid = binary_closing(np.pad(changed, 4), np.ones((4, 4), bool))[4:-4, 4:-4]
    solid |= _closed(_ink(list(panel["marks"]))) != _closed(_ink(list(other["marks"])))
    yield "patch", 2 * int(distance_transform_cdt(np.pad(solid, 1)).max())
    yield "alone", _apart(_ink(own), _ink(others))


def _closed(ink: Any) -> Any:
    """Stripes filled in."""
    return binary_closing(np.pad(ink, 6), np.ones((6, 6), bool))[6:-6, 6:-6]


@few_and_more(("seed", "every"), [(100, 2)], [(seed, 1) for seed in range(100, 121)])
def test_any_two_choices_of_a_puzzle_differ_by_twelve_pixels_or_three_percent(seed: int, every: int) -> None:
    seen = set()
    for kind in list(kinds(LEVELS))[::every]:
        puzzle = make(kind, seed % 7, seed).puzzle
        seen.add(puzzle.family)
        for one, other in combinations(puzzle.choices, 2):
            assert any(size >= 11.5 for _, size in measured(one, other)), (puzzle.id, dict(measured(one, other)))
    assert len(seen) > 25


def test_what_is_too_small_to_be_seen_is_found_out() -> None:
    circle: dict[str, Any] = figure("circle", (90, 90), 20, "black")
    small: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (glyph("wave", 90, 90, 16), glyph("zigzag", 90, 90, 16)),
        (circle, {**circle, "shape": "hexagon"}),
        (circle, {**circle, "x": 99}),
        (figure("circle", (90, 90), 5, "black"), figure("circle", (90, 90), 5, "white")),
        (line(30, 90, 150, 90), line(30, 90, 150, 98)),
        (figure("square", (90, 90), 20), figure("square", (90, 90), 20, turn=90)),
    ]
    assert [visibly_different({"marks": [a]}, {"marks": [b]}) for a, b in small] == [False] * len(small)
    large: list[tuple[list[Any], list[Any]]] = [
        ([circle], [{**circle, "x": 103}]),
        ([circle], [{**circle, "fill": "striped"}]),
        (grid("#..", "..."), grid(".#.", "...")),
        (dots(5), dots(6)),
        ([figure("arrow", (90, 90), 20)], [figure("arrow", (90, 90), 20, turn=90)]),
        ([line(30, 90, 150, 90)], [line(30, 90, 150, 104)]),
    ]
    shared: list[Mapping[str, Any]] = grid("...", "...", "...")
    assert [visibly_different({"marks": [*shared, *a]}, {"marks": [*shared, *b]}) for a, b in large] == [True] * len(
        large
    )


def test_kinds_that_are_counted_are_never_nearly_alike() -> None:
    glyphs = [_ink([glyph(name, 90, 90, 17)]) for name in CLEAR_GLYPHS]
    assert min(_apart(a, b) for a, b in combinations(glyphs, 2)) >= 12
    assert _apart(*(_ink([glyph(name, 90, 90, 17)]) for name in ("spiral", "bean"))) < 8
    for fill in ("black", "white"):
        figures = [_ink([figure(name, (90, 90), 17, fill)]) for name in CLEAR_KINDS]
        assert min(_apart(a, b) for a, b in combinations(figures, 2)) >= 0.03 * 180
