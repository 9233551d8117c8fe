"""Strokes that a person sees: differences in pixels, measured on the pictures by other code than the maker's."""

from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.tasks.bongard.draw.strokes import PenStroke, StrokeShape
from snellen.tasks.bongard.problem import Panel, Problem
from snellen.tasks.bongard.strokes import draw_panel, make
from snellen.tasks.bongard.strokes.panels import figures_of, panel_of, shapes_of
from snellen.tasks.bongard.strokes.visible import BULGE, MISS, bulges, departure, differs

SQUARE = tuple(PenStroke(1.0, 0.0, 90.0 if k else 0.0) for k in range(4))


@cache
def made() -> tuple[Problem, ...]:
    return tuple(make(21, index).problem for index in range(24))


def both(problem: Problem) -> tuple[Panel, ...]:
    return (*problem.positives, *problem.negatives)


def ink(panel: Panel) -> NDArray[np.complex128]:
    """The dark pixels, around the middle of their box."""
    with Image.open(BytesIO(draw_panel(panel).data)) as image:
        dark = np.asarray(image.convert("L")) < 128
    down, across = np.nonzero(dark)
    points = across + 1j * down
    return np.asarray(points - complex(across.min() + across.max(), down.min() + down.max()) / 2)


def shape(plan: tuple[PenStroke, ...], scale: float = 100.0, heading: float = 0.0) -> StrokeShape:
    return StrokeShape(plan, 160, 160, scale, heading)


def test_a_copy_departs_nowhere_however_it_is_laid() -> None:
    for scale, heading in ((100.0, 0.0), (140.0, 30.0), (80.0, 200.0)):
        assert departure(shape(SQUARE), shape(SQUARE, scale, heading)) < 3


def test_departures_are_in_pixels() -> None:
    """A square without its last side: the middle of the side is half a side away from what is left."""
    assert abs(departure(shape(SQUARE), shape(SQUARE[:3])) - 50) < 4
    dent = (*SQUARE[:2], PenStroke(0.5, 0.0, 90.0), PenStroke(0.5, 0.0, 8.0), PenStroke(1.0, 0.0, 86.0))
    assert departure(shape(SQUARE), shape(dent)) < MISS
    assert not differs(panel_of([shape(SQUARE)]), panel_of([shape(dent)]))


def test_a_flat_arc_is_no_bulge() -> None:
    flat, round_ = (panel_of([shape((PenStroke(radius, angle),))]) for radius, angle in ((2.0, 20.0), (0.5, 120.0)))
    assert not bulges(flat)
    assert bulges(round_)


def test_arcs_can_be_seen() -> None:
    for problem in made():
        for panel in both(problem):
            for drawn in shapes_of(panel):
                for stroke in drawn.strokes:
                    if stroke.angle:
                        height = stroke.size * (1 - np.cos(np.radians(min(abs(stroke.angle), 350)) / 2)) * drawn.scale
                        assert height >= BULGE - 0.5, problem.concept


def test_free_paths_are_simple_and_turned_little() -> None:
    free = [problem for problem in made() if problem.category == "freeform"]
    assert free
    for problem in free:
        headings = [shape["heading"] for panel in both(problem) for shape in panel["shapes"]]
        first = headings[0]
        assert all(abs((heading - first + 180) % 360 - 180) <= 40 for heading in headings)
        for panel in both(problem):
            [figure] = figures_of(panel)
            assert len(figure.sides) <= 4
            assert figure.meets_itself is False


def test_no_negative_path_can_be_laid_over_a_positive_one() -> None:
    """On dark pixels, at one size: turned and scaled a little in every way, some place is far off."""
    for problem in [problem for problem in made() if problem.category == "freeform"][:3]:
        one = ink(problem.positives[0])
        same, other = (
            min(
                _apart(one, ink(panel) * scale * np.exp(1j * np.radians(turn)))
                for turn in range(-45, 46, 5)
                for scale in _scales(one, ink(panel))
            )
            for panel in (problem.positives[1], problem.negatives[0])
        )
        assert other > 9, problem.concept
        assert other > same


def _scales(one: NDArray[np.complex128], other: NDArray[np.complex128]) -> tuple[float, ...]:
    fit = float(np.abs(one).max() / np.abs(other).max())
    return (0.9 * fit, fit, 1.1 * fit)


def _apart(one: NDArray[np.complex128], other: NDArray[np.complex128]) -> float:
    middle = complex(other.real.min() + other.real.max(), other.imag.min() + other.imag.max()) / 2
    distances = np.abs(one[::7, None] - (other - middle)[None, ::7])
    return float(max(distances.min(axis=0).max(), distances.min(axis=1).max()))
