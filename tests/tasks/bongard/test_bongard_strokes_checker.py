"""The checker's eye: shapes written down by hand, and the published table of shapes with people's judgements."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.rng import stream
from snellen.tasks.bongard.draw.strokes import PenStroke
from snellen.tasks.bongard.strokes.catalogue import MAKERS
from snellen.tasks.bongard.strokes.language import same
from snellen.tasks.bongard.strokes.measure import StrokeFigure, measure
from snellen.tasks.bongard.strokes.names import NAMES, name_of, names
from snellen.tasks.bongard.strokes.outline import Plan, polygon, trace
from snellen.tasks.bongard.strokes.truth import Truth, above, every, near, negated, some

TABLES = Path(__file__).parents[3] / ".." / "shared" / "data" / "bongard_logo"


def lines(*moves: tuple[float, float]) -> Plan:
    """Straight strokes by (turn before, length)."""
    return tuple(PenStroke(length, 0.0, turn) for turn, length in moves)


SQUARE = lines((0, 1), (90, 1), (90, 1), (90, 1))
TRIANGLE = lines((0, 1), (-120, 1), (-120, 1))
GAP = lines((0, 1), (120, 1), (120, 0.6))
SLIT = lines((0, 1), (120, 1), (120, 0.96))
BOW_TIE = lines((0, 1), (126.87, 0.6), (126.87, 1), (-126.87, 0.6))
TWO_SIZES = lines((0, 1), (120, 1), (120, 1), (-60, 0.5), (-120, 0.5), (-120, 0.5))
SEMICIRCLE = (PenStroke(1.0), PenStroke(0.5, 180.0, 90.0))
QUARTER = (PenStroke(0.5), PenStroke(0.5, 90.0, 90.0), PenStroke(0.5, 0.0, 90.0))
PIE = (PenStroke(0.5), PenStroke(0.5, 0.0, -90.0), PenStroke(0.5, 270.0, 90.0))
SCALENE = trace(polygon(0, 0.985, 0.742 + 0.346j), stream(1))
ALPHA = (PenStroke(1.0), PenStroke(0.4, 250.0), PenStroke(1.0))


@pytest.mark.parametrize(
    ("plan", "closed", "convex", "symmetric", "meets"),
    [
        (SQUARE, True, True, True, False),
        (TRIANGLE, True, True, True, False),
        (SCALENE, True, True, False, False),
        (GAP, False, None, False, False),
        (SLIT, None, None, None, None),
        (BOW_TIE, True, False, True, True),
        (SEMICIRCLE, True, True, True, False),
        (QUARTER, True, True, True, False),
        (PIE, True, False, True, False),
        (ALPHA, False, None, True, True),
    ],
)
def test_attributes_of_known_shapes(plan: Plan, closed: bool, convex: bool, symmetric: bool, meets: bool) -> None:
    figure = measure(plan)
    assert (figure.closed, figure.convex, figure.symmetric, figure.meets_itself) == (closed, convex, symmetric, meets)


def test_sides_are_told_apart_by_their_points() -> None:
    figure = measure(PIE)
    assert (figure.straight, figure.arcs) == (2, 1)
    assert [round(side.sweep) for side in figure.sides] == [0, 0, 270]
    assert sorted(round(angle) for angle in figure.angles) == [90, 90, 270]


@pytest.mark.parametrize(
    ("plan", "right", "acute", "obtuse"),
    [
        (SQUARE, True, False, False),
        (TRIANGLE, False, True, False),
        (lines((0, 1), (60, 1), (60, 1)), False, False, True),
        (lines((0, 1), (82, 1)), None, False, None),
        (BOW_TIE, None, None, None),
    ],
)
def test_angles(plan: Plan, right: bool, acute: bool, obtuse: bool) -> None:
    figure = measure(plan)
    assert (figure.right_angle, figure.acute_angle, figure.obtuse_angle) == (right, acute, obtuse)


def test_two_parts() -> None:
    assert measure(BOW_TIE).equal_parts is True
    assert measure(TWO_SIZES).equal_parts is False
    assert measure(SQUARE).equal_parts is False


def seen(figure: StrokeFigure) -> list[Truth]:
    angles = [figure.right_angle, figure.acute_angle, figure.obtuse_angle]
    return [figure.closed, figure.convex, figure.symmetric, figure.meets_itself, figure.equal_parts, *angles]


@pytest.mark.parametrize("name", NAMES)
def test_makers_and_names_agree_from_any_starting_point(name: str) -> None:
    """The maker builds from corners, the name is recognised from measured points: they never speak to one another."""
    source = stream(5, name)
    for _ in range(4):
        outline = MAKERS[name](source)
        figures = [measure(trace(outline, source)) for _ in range(3)]
        assert all(names(figure)[name] is True for figure in figures)
        for truths in zip(*map(seen, figures), strict=True):
            assert not {True, False} <= set(truths)


@pytest.mark.parametrize(
    ("plan", "name"),
    [
        (SQUARE, "square"),
        (TRIANGLE, "equilateral triangle"),
        (SEMICIRCLE, "semicircle"),
        (QUARTER, "quarter-disc"),
        (PIE, "three-quarter disc"),
        (lines((0, 2), (90, 1), (90, 2), (90, 1)), "rectangle"),
        (lines((0, 2), (60, 1), (120, 2), (60, 1)), "parallelogram"),
        (lines((0, 2), (120, 1), (60, 1), (60, 1)), "trapezoid"),
        (lines((0, 1), (90, 1), (45, 0.7071), (90, 0.7071), (45, 1)), "house"),
        (SCALENE, "triangle"),
        (GAP, ""),
        (BOW_TIE, ""),
    ],
)
def test_names_of_shapes_written_by_hand(plan: Plan, name: str) -> None:
    assert name_of(measure(plan)) == name


def test_special_cases_are_hard_to_say() -> None:
    known = names(measure(SQUARE))
    assert known["square"] is True
    assert [known[name] for name in ("rectangle", "rhombus", "parallelogram", "trapezoid", "kite")] == [None] * 5
    thin_crescent = (PenStroke(1.0, 90.0), PenStroke(1.6, -52.0, 161.0))
    assert names(measure(thin_crescent))["crescent"] is None


def test_the_same_shape_whatever_its_size_but_not_its_mirror_image() -> None:
    plan = (PenStroke(1.0), PenStroke(0.4, 120.0, 60.0), PenStroke(0.7, 0.0, -100.0), PenStroke(0.5, 0.0, 80.0))
    larger = tuple(PenStroke(stroke.size * 2, stroke.angle, stroke.turn, "zigzag") for stroke in plan)
    mirrored = tuple(PenStroke(stroke.size, -stroke.angle, -stroke.turn) for stroke in plan)
    changed = (*plan[:2], PenStroke(0.7, 0.0, 100.0), plan[3])
    assert same(plan, larger) is True
    assert same(plan, mirrored) is None
    assert same(plan, changed) is False


def test_yes_no_and_hard_to_say() -> None:
    assert [near(value, 90, 2, 10) for value in (91, 95, 101)] == [True, None, False]
    assert [above(value, 1, 2) for value in (0.5, 1.5, 2.5)] == [False, None, True]
    assert every([True, None, False]) is False
    assert every([True, None]) is None
    assert some([False, None]) is None
    assert some([False, None, True]) is True
    assert negated(None) is None


def published() -> Iterator[tuple[dict[str, str], StrokeFigure]]:
    """The published shapes that are drawn without a backward arc (whose convention differs), with their labels."""
    with (TABLES / "human_designed_shapes_attributes.tsv").open(encoding="utf-8") as file:
        labels = {row["shape function name"]: row for row in csv.DictReader(file, delimiter="\t")}
    with (TABLES / "human_designed_shapes.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            actions, turns = row["set of base actions"].split(", "), row["turn angles"].split("--")
            if not any("_-" in action for action in actions):
                strokes = [published_stroke(*pair) for pair in zip(actions, turns, strict=True)]
                yield labels[row["shape function name"]], measure(strokes)


def published_stroke(action: str, turn: str) -> PenStroke:
    kind, size, *angle = action.split("_")
    signed = float(turn[1:]) * (1 if turn[0] == "L" else -1)
    return PenStroke(float(size), float(angle[0]) if kind == "arc" else 0.0, signed)


@pytest.mark.skipif(not TABLES.exists(), reason="the published shape tables are not here")
def test_the_checker_sees_what_the_authors_of_the_published_shapes_saw() -> None:
    columns = {
        "closed_shape": lambda figure: figure.closed,
        "convex": lambda figure: figure.convex,
        "has_curve": lambda figure: figure.arcs > 0,
        "symmetric": lambda figure: figure.symmetric,
        "has_acute_angle": lambda figure: figure.acute_angle,
        "balanced_two": lambda figure: figure.equal_parts,
    }
    agreed: Counter[tuple[str, bool]] = Counter()
    for label, figure in published():
        for column, seen_as in columns.items():
            if label[column] in "01" and seen_as(figure) is not None:
                agreed[column, seen_as(figure) == (label[column] == "1")] += 1
    for column in columns:
        right, wrong = agreed[column, True], agreed[column, False]
        assert right > 150
        assert wrong <= 0.05 * (right + wrong), column
