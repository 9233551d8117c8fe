"""What the MARVEL solver goes by: rules that foretell a value, and measurements of drawings made by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solver_panels import ODD, figure, line, odd, on_ring, path

from snellen.tasks.marvel.solve.character import bundles, convex, curved, slant
from snellen.tasks.marvel.solve.drawing import bulges, corners
from snellen.tasks.marvel.solve.ink import InkDrawing, meetings, parts, regions, thing_strokes
from snellen.tasks.marvel.solve.pairs import closeness
from snellen.tasks.marvel.solve.rules import count_guesses, number_guesses, same_angle, symbol_guesses
from snellen.tasks.marvel.solve.symmetry import symmetry
from snellen.tasks.marvel.solve.things import Forms, things
from snellen.tasks.marvel.solve.whole import Move, moves


def values_of(guesses):
    return {guess.name: guess.value for guess in guesses}


# --- rules ---


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        ([[3, 3, 3]], "the same everywhere", 3),
        ([[1, 1, 1], [4, 4]], "the same along a line", 4),
        ([[1, 5, 2], [1, 5]], "every line alike", 2),
        ([[2, 4, 6]], "a step", 8),
        ([[1, 2, 3], [5, 6]], "a step", 7),
        ([[1, 2, 3], [9, 7]], "a step of its own in each line", 5),
        ([[2, 7, 2, 7, 2]], "period of 2", 7),
        ([[1, 2, 3, 1, 2]], "period of 3", 3),
        ([[4, 1, 4], [2, 6]], "the third is the first again", 2),
        ([[1, 2, 5], [2, 5, 1], [5, 1]], "the same values in every line", 2),
        ([[2, 3, 5], [1, 3]], "the third is the sum of the others", 4),
        ([[5, 3, 2], [7, 1]], "the third is the first less the second", 6),
        ([[1, 2, 3, 5, 8]], "the third is the sum of the others", 13),
        ([[1, 2, 4, 7, 11]], "growing steps", 16),
        ([[1, 2, 4, 8]], "doubling", 16),
        ([[1, 4, 3, 6, 5]], "two steps by turns", 8),
        ([[1, 3, 5, 3]], "there and back", 1),
        ([[1, 9, 2, 7, 3, 5]], "two interleaved rows", 4),
    ],
)
def test_rule_foretells(lines, name, value):
    assert values_of(count_guesses(lines))[name] == value


def test_angles_begin_anew():
    assert values_of(number_guesses([[240, 300, 0]], same_angle, 360))["a step"] == 60


@pytest.mark.parametrize("lines", [[[1, 5, 2]], [[1, 5]], [[3, 1, 7], [1, 5]], [[7, 1, 4, 2]]])
def test_no_rule_without_a_test_that_it_passed(lines):
    assert not values_of(count_guesses(lines))


def test_symbols_are_not_added():
    assert "a step" not in values_of(symbol_guesses([[1, 2, 3]]))


@given(st.integers(-9, 9), st.integers(1, 5), st.integers(3, 6))
def test_every_step_is_found(first, step, known):
    assert values_of(number_guesses([[first + step * i for i in range(known)]]))["a step"] == first + step * known


# --- measurements ---


def of(*marks):
    return things(marks, Forms())


@pytest.mark.parametrize(
    ("marks", "areas"),
    [
        ([figure("circle", size=60)], 1),
        ([figure("circle", size=60), line(30, 90, 150, 90)], 2),
        ([figure("square", size=60), line(30, 30, 150, 150), line(150, 30, 30, 150)], 4),
        ([line(30, 30, 150, 30), line(30, 60, 150, 60)], 0),
        ([figure("circle", 50, 90, 25), figure("circle", 130, 90, 25)], 2),
        ([figure("circle", size=60), figure("square", size=25)], 2),
        ([figure("square", size=20, fill="black")], 0),
    ],
)
def test_closed_areas(marks, areas):
    assert regions(InkDrawing(of(*marks))).areas == areas


def test_equal_pieces():
    halves, slices = ([figure("square", size=60), line(x, 30, x, 150)] for x in (90, 60))
    assert regions(InkDrawing(of(*halves))).equal
    assert not regions(InkDrawing(of(*slices))).equal


@pytest.mark.parametrize(
    ("marks", "found"),
    [
        ([line(30, 90, 150, 90), line(90, 30, 90, 150)], (1, 0, 0)),
        ([line(30, 90, 150, 90), line(90, 30, 90, 90)], (0, 1, 0)),
        ([line(30, 90, 150, 90), line(30, 30, 30, 90)], (0, 0, 1)),
        ([line(30, 90, 150, 90), line(90, 30, 90, 70)], (0, 0, 0)),
        ([line(20, 90, 160, 90), figure("circle", size=40)], (2, 0, 0)),
    ],
)
def test_how_strokes_meet(marks, found):
    assert tuple(meetings(InkDrawing(of(*marks)))) == found


def test_parts_hang_together():
    assert parts(InkDrawing(of(line(30, 90, 150, 90), line(90, 30, 90, 150), figure("circle", 40, 40, 10)))) == 2


@pytest.mark.parametrize(
    ("mark", "axes", "turns"),
    [
        (figure("square", size=40), 4, 4),
        (figure("triangle", size=40, turn=15), 3, 3),
        (figure("star", size=40), 5, 5),
        (figure("heart", size=40, turn=30), 1, 1),
        (figure("ellipse", size=40), 2, 2),
        (path((30, 60), (110, 60), (150, 120), (70, 120)), 0, 2),
        (path(*ODD), 0, 1),
    ],
)
def test_symmetry(mark, axes, turns):
    found = symmetry(of(mark))
    assert (len(found.axes), found.turns) == (axes, turns)


@pytest.mark.parametrize(("turn", "axis"), [(0, 90), (45, 135), (90, 0), (135, 45)])
def test_direction_of_the_axis(turn, axis):
    (found,) = symmetry(of(figure("arrow", size=40, turn=turn))).axes
    assert same_angle(2 * found, 2 * axis)


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (figure("circle", 160, 90, 15), "apart"),
        (figure("circle", 150, 90, 20), "touching"),
        (figure("circle", 130, 90, 20), "overlapping"),
        (figure("circle", 95, 90, 15), "one in the other"),
    ],
)
def test_closeness(second, found):
    one, two = (thing_strokes(thing)[0].line for thing in of(figure("circle", 90, 90, 40), second))
    assert closeness(one, two) == closeness(two, one) == found


def test_what_things_are_like():
    (round_one, straight, dented, upright) = of(
        figure("circle"), figure("square"), path((30, 30), (150, 30), (90, 60), (90, 150)), line(90, 30, 92, 150)
    )
    assert [curved(round_one), curved(straight)] == ["curved", "straight"]
    assert [convex(round_one), convex(straight), convex(dented)] == [True, True, False]
    assert slant(upright) == "upright"
    assert slant(straight) is None
    assert [corners(thing) for thing in (round_one, straight, dented)] == [0, 4, 4]


def test_bulges():
    points = [on_ring(30 * i, 60 if i % 2 else 30) for i in range(12)]
    assert bulges(of(path(*points, bent=True))[0]) == 6


def test_bundles_of_parallel_lines():
    found = bundles(of(*(line(30, y, 80, y) for y in (40, 55, 70)), *(line(x, 100, x, 150) for x in (120, 135))))
    assert sorted(round(bundle.turn) for bundle in found) == [0, 90]


@given(st.sampled_from(range(0, 360, 15)), st.booleans())
def test_an_outline_is_known_again_turned_and_mirrored(turn, flip):
    first, second = things([*odd(), *odd(turn, flip)], Forms())
    assert first.kind == second.kind
    assert second.flip == flip


def test_another_outline_is_another_kind():
    other = [*ODD[:3], (160, 60), *ODD[4:]]
    first, second = things([path(*ODD), path(*other)], Forms())
    assert first.kind != second.kind


@given(st.sampled_from(range(0, 360, 15)), st.booleans())
def test_moves_of_a_whole_panel(turn, flip):
    forms = Forms()
    assert moves(things(odd(), forms), things(odd(turn, flip), forms)) == {Move(turn, flip)}
