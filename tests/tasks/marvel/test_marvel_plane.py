"""Puzzles of the plane: complete, clear, and with four choices that all stand alike."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from snellen.rng import Stream, stream
from snellen.tasks.marvel.draw.figures import outline
from snellen.tasks.marvel.draw.marks import check
from snellen.tasks.marvel.draw.panels import panel_pixels
from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.patterns.plane import FAMILIES, outline_kinds, pairs, symmetry
from snellen.tasks.marvel.patterns.plane.assemble import FILL, FigureLook
from snellen.tasks.marvel.patterns.plane.course import CHANGING, Property, constant, course
from snellen.tasks.marvel.patterns.plane.outlines import AXES, mirrored
from snellen.tasks.marvel.puzzle import Panel, Puzzle, PuzzleDraft, PuzzleWish
from support.lengths import some_of
from support.marvel_blind import BlindObserver

LAYOUTS = (
    ("sequence", 1, 4),
    ("sequence", 1, 5),
    ("sequence", 1, 6),
    ("sequence", 1, 7),
    ("two-row", 2, 3),
    ("matrix", 3, 3),
    ("group", 1, 3),
)
WISHES = tuple(
    PuzzleWish(*layout, shapes, rules, near, clutter)
    for layout, shapes, rules, near, clutter in product(
        LAYOUTS, ("geometric", "abstract"), (1, 2, 3), (False, True), (False, True)
    )
)
by_family = some_of("family", FAMILIES, 3, ids=[family.name for family in FAMILIES])


def wishes(family: PatternFamily) -> Iterator[PuzzleWish]:
    return (wish for wish in WISHES if wish.shapes in family.shapes and wish.configuration in family.configurations)


def drawn(family: PatternFamily, wish: PuzzleWish, seed: int = 0) -> PuzzleDraft:
    draft = family.make(stream(seed, family.name, f"Wish({str(wish).partition('(')[2]}"), wish)
    assert draft is not None
    return draft


def choices(draft: PuzzleDraft) -> list[Panel]:
    return [draft.panels[-1], *(panel for panel, _ in draft.wrong)]


def look(abstract: bool, *, marks: int = 1, curved: bool = False, fill: str = "white", lone: bool = True) -> FigureLook:
    return FigureLook(abstract, fill, 60, curved, marks, lone)


# What every draft must be


@by_family
def test_drafts_are_complete(family: PatternFamily) -> None:
    for wish in wishes(family):
        draft = drawn(family, wish)
        assert len(draft.panels) == wish.lines * wish.length
        assert len(draft.wrong) == 3
        assert all(mechanism for _, mechanism in draft.wrong)
        assert draft.family == family.name
        assert draft.rule[0].isupper()
        assert draft.rule.endswith(".")
        assert all(one != other for one, other in combinations(choices(draft), 2))
        assert not any(panel in draft.panels[:-1] for panel in choices(draft)) or family.name == "letters"


@by_family
def test_marks_can_be_drawn_and_have_whole_coordinates(family: PatternFamily) -> None:
    for wish in list(wishes(family))[::3]:
        draft = drawn(family, wish, 1)
        for panel in (*draft.panels, *choices(draft)):
            for mark in panel["marks"]:
                check(mark)
                numbers = [mark[key] for key in ("x", "y", "x2", "y2", "size", "turn") if key in mark]
                numbers += [number for point in mark.get("points", ()) for number in point]
                assert all(isinstance(number, int) for number in numbers)


@by_family
def test_pictures_stay_within_the_panel_and_choices_look_different(family: PatternFamily) -> None:
    for wish in list(wishes(family))[::7]:
        pictures = [panel_pixels(panel) for panel in choices(drawn(family, wish, 2))]
        for picture in pictures:
            down, across = np.nonzero(picture < 255)
            assert min(*down, *across) >= 12
            assert max(*down, *across) <= 167
        for one, other in combinations(pictures, 2):
            assert np.count_nonzero(one != other) > 90


@by_family
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32), place=st.integers(0, 10**6))
def test_the_same_stream_makes_the_same_draft(family: PatternFamily, seed: int, place: int) -> None:
    wish = list(wishes(family))[place % len(list(wishes(family)))]
    assert drawn(family, wish, seed) == drawn(family, wish, seed)


@by_family
def test_clutter_is_the_same_everywhere(family: PatternFamily) -> None:
    for wish in wishes(family):
        if wish.clutter:
            draft = drawn(family, wish, 3)
            common = [
                mark
                for mark in draft.panels[0]["marks"]
                if all(mark in p["marks"] for p in (*draft.panels, *choices(draft)))
            ]
            assert common


@pytest.mark.soak
@by_family
def test_nothing_about_the_choices_tells_the_right_one(family: PatternFamily) -> None:
    """Ranks of what is easily counted: every rank is right equally often (chi-square, p = 0.0005)."""
    features: dict[str, Counter[int]] = {"points": Counter(), "length": Counter(), "black": Counter()}
    for i in range(240):
        turn = stream(4, family.name, i)
        wish = turn.choice(list(wishes(family)))
        draft = drawn(family, wish, 100 + i)
        four = choices(draft)
        order = turn.sample(range(4), 4)
        for name, read in FEATURES.items():
            values = [(read(four[j]), order[j]) for j in range(4)]
            features[name][sorted(values).index(values[0])] += 1
    for name, ranks in features.items():
        surprise = sum((ranks[rank] - 60) ** 2 / 60 for rank in range(4))
        assert surprise < 17.7, (name, ranks)


FEATURES: dict[str, Any] = {
    "points": lambda panel: sum(len(mark.get("points", ())) for mark in panel["marks"]),
    "length": lambda panel: len(str(panel)),
    "black": lambda panel: sum(mark.get("fill") == "black" for mark in panel["marks"]),
}


@pytest.mark.soak
def test_an_observer_without_context_is_at_chance() -> None:
    puzzles = []
    for i in range(700):
        family = FAMILIES[i % len(FAMILIES)]
        turn = stream(6, i)
        draft = drawn(family, turn.choice(list(wishes(family))), i)
        order = turn.sample(range(4), 4)
        placed = tuple(choices(draft)[j] for j in order)
        right = order.index(0)
        puzzles.append(Puzzle(str(i), "2d", "", "", 1, 1, (), placed, right, ("",) * 4, draft.rule, draft.family))
    accuracy = BlindObserver.fit(puzzles[:450]).accuracy(puzzles[450:])
    assert accuracy < 0.25 + 4 * (0.25 * 0.75 / 250) ** 0.5


# What figures must be


def symmetries(marks: list[dict[str, Any]]) -> tuple[list[float], bool]:
    """Axes (degrees clockwise from upright, in steps of 7.5), and whether half a turn changes nothing."""
    clouds = []
    for mark in marks:
        if mark["shape"] == "path":
            points = np.array(mark["points"], float)
        else:
            points = outline(mark["shape"], mark["size"], mark["turn"]) + np.array([mark["x"], mark["y"]])
        ring = np.concatenate((points, (points + np.roll(points, -1, 0)) / 2))
        clouds.append((mark["size"] if mark["shape"] == "circle" else 0, ring[:, 0] + 1j * ring[:, 1]))
    middle = _middle(clouds[0][1])
    angles = [7.5 * i for i in range(24)]
    axes = [angle for angle in angles if _alike(clouds, middle, -np.exp(-2j * np.radians(-angle)), flip=True)]
    return axes, _alike(clouds, middle, -1.0, flip=False)


def _middle(points: Any) -> complex:
    """The mean of corners and middles of sides (a corner list has as many of one as of the other)."""
    return complex(points.mean())


def _alike(clouds: list[Any], middle: complex, by: complex, *, flip: bool) -> bool:
    for kind, cloud in clouds:
        around = cloud - middle
        image = by * (around.conj() if flip else around)
        others = np.concatenate([other - middle for sort, other in clouds if sort == kind])
        gaps = np.abs(image[:, None] - others[None, :]).min(axis=1)
        if gaps.max() > 4.0:
            return False
    return True


@pytest.mark.parametrize(("abstract", "marks"), [(False, 1), (False, 2), (True, 1), (True, 2)])
@pytest.mark.parametrize("axis", AXES)
def test_figures_have_the_axis_they_should_and_no_other(axis: str, abstract: bool, marks: int) -> None:
    for i in range(20):
        made = symmetry.with_axis(stream(1, axis, abstract, marks, i), axis, look(abstract, marks=marks))
        axes, half = symmetries(made)
        assert axes == [45.0 * AXES.index(axis)], made
        assert not half


@pytest.mark.parametrize(("abstract", "marks"), [(False, 1), (False, 2), (True, 1), (True, 2)])
@pytest.mark.parametrize("number", range(1, 7))
def test_figures_have_as_many_axes_as_they_should(number: int, abstract: bool, marks: int) -> None:
    for i in range(12):
        turn = stream(2, number, abstract, marks, i)
        made = symmetry.build_number(turn, {symmetry.NUMBER.name: str(number)}, look(abstract, marks=marks, lone=False))
        if number == 5:  # their axes do not lie at multiples of 7.5 degrees: all but every fifth are missed
            assert len(symmetries(made)[0]) >= 1
        else:
            assert len(symmetries(made)[0]) == number, made


@pytest.mark.parametrize(("abstract", "marks"), [(False, 1), (False, 2), (True, 1), (True, 2)])
@pytest.mark.parametrize("kind", ["none", "mirror", "point", "both"])
def test_figures_have_the_kind_of_symmetry_they_should(kind: str, abstract: bool, marks: int) -> None:
    for i in range(20):
        turn = stream(3, kind, abstract, marks, i)
        made = symmetry.build_kind(turn, {symmetry.KIND.name: kind}, look(abstract, marks=marks))
        axes, half = symmetries(made)
        if kind in ("none", "point") or made[0]["shape"] not in ("pentagon", "star"):
            assert (bool(axes), half) == (kind in ("mirror", "both"), kind in ("point", "both")), made


@pytest.mark.parametrize("abstract", [False, True])
@some_of(("form", "line"), list(product(("convex", "concave"), ("straight", "curved"))), 4)
def test_dents_are_dents(form: str, line: str, abstract: bool) -> None:
    values = {outline_kinds.FORM.name: form, outline_kinds.FORM_LINE.name: line}
    for i in range(20):
        (mark,) = outline_kinds.build_form(stream(4, form, line, abstract, i), values, look(abstract))
        page = panel_pixels({"marks": [{**mark, "fill": "black"}]}) < 255
        assert (_filled(page) > 0.955) == (form == "convex"), mark


def _filled(page: Any) -> float:
    """How much of its hull a figure fills."""
    down, across = np.nonzero(page)
    corners = np.concatenate([np.stack((across + x, down + y), axis=1) for x in (0, 1) for y in (0, 1)])
    return float(page.sum() / ConvexHull(corners).volume)


@pytest.mark.parametrize("abstract", [False, True])
@pytest.mark.parametrize(("shut", "line"), list(product(("closed", "open"), ("straight", "curved", "mixed"))))
def test_outlines_are_closed_or_open_and_straight_or_curved(shut: str, line: str, abstract: bool) -> None:
    values = {outline_kinds.CLOSED.name: shut, outline_kinds.LINE.name: line}
    round_ones = {"circle", "ellipse", "heart", "moon"}
    for i in range(20):
        marks = outline_kinds.build_lines(stream(5, shut, line, abstract, i), values, look(abstract))
        curved = {mark.get("curved", mark["shape"] in round_ones) for mark in marks}
        assert curved == {"straight": {False}, "curved": {True}, "mixed": {False, True}}[line]
        for mark in marks:
            assert mark.get("closed", True) == (shut == "closed")
            if shut == "open":
                first, last = np.array(mark["points"][0]), np.array(mark["points"][-1])
                assert np.hypot(*(first - last)) > 9


@pytest.mark.parametrize("abstract", [False, True])
@pytest.mark.parametrize("pieces", ["equal", "unequal"])
@pytest.mark.parametrize("cut", AXES)
def test_pieces_are_equal_or_clearly_not(cut: str, pieces: str, abstract: bool) -> None:
    for i in range(8):
        turn = stream(6, cut, pieces, abstract, i)
        body, line = pairs.build_pieces(turn, {pairs.PIECES.name: pieces, pairs.CUT.name: cut}, look(abstract))
        down, across = np.nonzero(panel_pixels({"marks": [{**body, "fill": "black"}]}) < 255)
        side = (line["x2"] - line["x"]) * (down + 0.5 - line["y"]) - (line["y2"] - line["y"]) * (
            across + 0.5 - line["x"]
        )
        share = float((side > 0).mean())
        assert abs(share - 0.5) < 0.02 if pieces == "equal" else abs(share - 0.5) > 0.15


def test_an_image_is_what_it_is_called() -> None:
    for kind, i in product(("shift", "mirror", "flip", "half turn"), range(10)):
        turn = stream(7, kind, i)
        left, right = pairs.build_image(turn, {pairs.IMAGE.name: kind}, look(i % 2 == 0))
        page = panel_pixels({"marks": [left, right]}) < 255
        first, second = page[:, :90], page[:, 90:]
        beside = np.roll(page, 78, axis=1)[:, 90:]
        image = {"mirror": first[:, ::-1], "half turn": first[::-1, ::-1]}
        expected = image.get(kind, beside if kind == "shift" else beside[::-1])
        assert (second & expected).sum() > 0.9 * second.sum()


# How properties run


PLAIN = Property("colour", {"a": "is a", "b": "is b"})
CYCLE = symmetry.DIRECTION


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("what", [PLAIN, CYCLE, symmetry.NUMBER, symmetry.KIND, FILL], ids=lambda what: what.name)
def test_courses_have_the_form_of_the_context_and_lead_to_any_value(what: Property, layout: Any) -> None:
    wish = PuzzleWish(*layout)
    for wanted, i in product(what.values, range(12)):
        found = course(stream(8, wanted, i), what, wanted, wish)
        assert [len(line) for line in found.values] == [wish.length] * wish.lines
        assert found.values[-1][-1] == wanted
        assert {value for line in found.values for value in line} <= set(what.values)
        if wish.configuration == "group":
            assert {value for line in found.values for value in line} == {wanted}


@pytest.mark.parametrize("plan", list(dict.fromkeys(CHANGING)), ids=lambda plan: plan.__name__)
def test_a_changing_course_changes(plan: Any) -> None:
    found = [
        plan(Stream(i), what, wanted, PuzzleWish(*layout))
        for i, (what, layout) in enumerate(product((PLAIN, CYCLE, symmetry.NUMBER), LAYOUTS[:-1]))
        for wanted in what.values
    ]
    lines = [one.values for one in found if one is not None]
    assert lines
    assert all(len({value for line in values for value in line}) > 1 for values in lines)


def test_a_constant_course_stays() -> None:
    found = constant(Stream(1), PLAIN, "a", PuzzleWish("matrix", 3, 3))
    assert {value for line in found.values for value in line} == {"a"}


@given(st.integers(0, 180), st.integers(0, 180), st.sampled_from(AXES))
def test_mirroring_twice_changes_nothing(x: int, y: int, axis: str) -> None:
    assert mirrored(mirrored((x, y), axis), axis) == (x, y)
