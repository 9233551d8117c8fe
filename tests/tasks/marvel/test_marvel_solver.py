"""The MARVEL solver on puzzles made by hand: every rule and measurement, ambiguous ones, and what must not matter."""

import ast
from itertools import pairwise
from math import cos, radians, sin
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import snellen.tasks.marvel.solve as solver
from snellen.tasks.marvel.puzzle import Puzzle
from snellen.tasks.marvel.solve import solve
from snellen.tasks.marvel.solve.character import bundles, convex, curved, slant
from snellen.tasks.marvel.solve.drawing import bulges, corners
from snellen.tasks.marvel.solve.ink import Drawing, meetings, parts, regions, thing_strokes
from snellen.tasks.marvel.solve.pairs import closeness
from snellen.tasks.marvel.solve.rules import count_guesses, number_guesses, same_angle, symbol_guesses
from snellen.tasks.marvel.solve.symmetry import symmetry
from snellen.tasks.marvel.solve.things import Forms, things
from snellen.tasks.marvel.solve.whole import Move, moves

LAYOUT = {"sequence": (1, 0), "two-row": (2, 3), "matrix": (3, 3), "group": (1, 3)}


def puzzle(configuration, panels, choices, answer=0, **more):
    rows, columns = LAYOUT[configuration]
    wrap = [{"marks": marks} for marks in (*panels, *choices)]
    fields = {"rule": "", "family": "", "mechanisms": ("",) * 4} | more
    return Puzzle(
        "p", "quantities", configuration, "geometric", rows, columns or len(panels) + 1,
        tuple(wrap[: len(panels)]), tuple(wrap[len(panels) :]), answer, **fields,
    )  # fmt: skip


def figure(kind, x=90, y=90, size=20, fill="none", turn=0):
    return {"shape": kind, "x": x, "y": y, "size": size, "fill": fill, "turn": turn}


def line(x, y, x2, y2):
    return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2}


def path(*points, closed=True, bent=False, fill="none"):
    return {
        "shape": "path",
        "points": [list(point) for point in points],
        "closed": closed,
        "curved": bent,
        "fill": fill,
    }


def dots(number, kind="circle", fill="black"):
    return [figure(kind, 30 + 40 * (i % 4), 30 + 40 * (i // 4), 9, fill) for i in range(number)]


def on_ring(degrees, radius=50):
    return round(90 + radius * sin(radians(degrees))), round(90 - radius * cos(radians(degrees)))


def dot_at(degrees, kind="circle"):
    x, y = on_ring(degrees)
    return [figure("hexagon", size=66), figure(kind, x, y, 9, "black")]


def grid(*rows, cell=30):
    return [{"shape": "grid", "x": 45, "y": 45, "cell": cell, "rows": list(rows)}]


SPOKES = [line(90, 90, *on_ring(45 * i, 56)) for i in range(8)]


def spokes(*places):
    return [figure("circle", size=60), *(SPOKES[place] for place in places)]


# Seven corners, no symmetry.
ODD = ((50, 50), (110, 40), (100, 80), (140, 100), (90, 110), (80, 140), (60, 100))


def moved(points, move):
    found = []
    for x, y in points:
        away = complex(x - 90, y - 90)
        away = -away.conjugate() if move.flip else away
        away *= complex(cos(radians(move.turn)), sin(radians(move.turn)))
        found.append((round(90 + away.real), round(90 + away.imag)))
    return found


def odd(turn=0, flip=False):
    return [path(*moved(ODD, Move(turn, flip)))]


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
    assert regions(Drawing(of(*marks))).areas == areas


def test_equal_pieces():
    halves, slices = ([figure("square", size=60), line(x, 30, x, 150)] for x in (90, 60))
    assert regions(Drawing(of(*halves))).equal
    assert not regions(Drawing(of(*slices))).equal


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
    assert tuple(meetings(Drawing(of(*marks)))) == found


def test_parts_hang_together():
    assert parts(Drawing(of(line(30, 90, 150, 90), line(90, 30, 90, 150), figure("circle", 40, 40, 10)))) == 2


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


# --- puzzles ---

STEPS = puzzle("sequence", [dots(n) for n in (1, 2, 3, 4)], [dots(n) for n in (3, 5, 6, 8)], 1)
SUMS = puzzle("two-row", [dots(n) for n in (3, 4, 7, 2, 6)], [dots(n) for n in (4, 6, 7, 8)], 3)
THREES = puzzle(
    "matrix",
    [[figure(kind, size=40)] for kind in ["star", "heart", "drop", "heart", "drop", "star", "drop", "star"]],
    [[figure(kind, size=40)] for kind in ["star", "drop", "heart", "moon"]],
    2,
)
RING = puzzle("sequence", [dot_at(a) for a in (300, 0, 60)], [dot_at(a) for a in (180, 60, 0, 120)], 3)
OTHER_SHAPES = puzzle(
    "two-row",
    [*(dot_at(a, "star") for a in (0, 120, 240)), *(dot_at(a, "heart") for a in (60, 180))],
    [dot_at(a, "heart") for a in (0, 300, 240, 120)],
    1,
)
TURNING = puzzle(
    "sequence",
    [[figure("arrow", size=40, turn=turn)] for turn in (270, 315, 0, 45)],
    [[figure("arrow", size=40, turn=turn)] for turn in (90, 135, 45, 225)],
)
FILLS = puzzle(
    "sequence",
    [[figure("star", size=40, fill=fill)] for fill in ("black", "grey", "black", "grey", "black")],
    [[figure("star", size=40, fill=fill)] for fill in ("black", "grey", "white", "striped")],
    1,
)
JOINED = puzzle(
    "two-row",
    [spokes(0, 1), spokes(3), spokes(0, 1, 3), spokes(2, 5), spokes(6)],
    [spokes(2, 5), spokes(6), spokes(2, 5, 6), spokes(2, 6)],
    2,
)
ONE_ONLY = puzzle(
    "two-row",
    [spokes(0, 1, 3), spokes(3, 4), spokes(0, 1, 4), spokes(2, 5, 7), spokes(2, 6)],
    [spokes(2), spokes(2, 5, 6, 7), spokes(5, 7), spokes(5, 6, 7)],
    3,
)
IN_COMMON = puzzle(
    "two-row",
    [spokes(0, 1, 3), spokes(1, 3, 4), spokes(1, 3), spokes(2, 5, 7), spokes(2, 6, 7)],
    [spokes(5, 6), spokes(2, 7), spokes(2, 5, 6, 7), spokes(2, 5)],
    1,
)
TAKEN_AWAY = puzzle(
    "two-row",
    [spokes(0, 1, 3), spokes(1, 4), spokes(0, 3), spokes(2, 5, 7), spokes(2, 6)],
    [spokes(5, 7), spokes(5, 6, 7), spokes(2), spokes(6)],
)
GROWING = puzzle(
    "sequence",
    [spokes(0), spokes(0, 3), spokes(0, 3, 6)],
    [spokes(0, 1, 2, 3), spokes(0, 3, 5), spokes(0, 3, 6, 7), spokes(1, 3, 6, 7)],
    2,
)
MIRRORED = puzzle(
    "two-row",
    [
        [path((40, 40), (140, 50), (60, 120))],
        [path((140, 40), (40, 50), (120, 120))],
        [path((140, 140), (40, 130), (120, 60))],
        odd(),
        odd(0, True),
    ],
    [odd(90, True), odd(180), odd(0, True), odd()],
    1,
)
BLEND = {"##": "o", "#.": "#", ".#": ".", "..": "."}


def blend(one, other):
    """Black upon black gives grey, black upon white black, white upon anything white."""
    return ["".join(BLEND[a + b] for a, b in zip(x, y, strict=True)) for x, y in zip(one, other, strict=True)]


LEFT, RIGHT, LOWER, UPPER = ("#.#", ".##", "#.."), ("##.", ".#.", "..#"), (".##", "#.#", "#.#"), ("#.#", "##.", ".##")
CELLS = puzzle(
    "two-row",
    [grid(*LEFT), grid(*RIGHT), grid(*blend(LEFT, RIGHT)), grid(*LOWER), grid(*UPPER)],
    [grid(*rows) for rows in (blend(UPPER, LOWER), UPPER, blend(LOWER, UPPER), blend(LOWER, RIGHT))],
    2,
)
INSIDE = puzzle(
    "sequence",
    [
        [figure("square", size=40), figure("circle", x, y, 9, "black")]
        for x, y in ((80, 100), (155, 80), (110, 70), (30, 150))
    ],
    [
        [figure("square", size=40), figure("circle", x, y, 9, "black")]
        for x, y in ((90, 25), (95, 75), (130, 90), (50, 90))
    ],
    1,
)
AREAS = puzzle(
    "group",
    [
        [figure("circle", size=60), line(30, 90, 150, 90), line(90, 30, 90, 150)],
        [
            path((20, 20), (160, 20), (160, 90), (20, 90)),
            line(55, 20, 55, 90),
            line(90, 20, 90, 90),
            line(125, 20, 125, 90),
        ],
    ],
    [
        [figure("square", size=60), line(60, 30, 60, 150), line(100, 30, 100, 150)],
        [figure("triangle", size=60)],
        [figure("pentagon", size=60), line(20, 90, 160, 90), line(90, 20, 90, 160)],
        [figure("hexagon", size=60), line(20, 90, 160, 90)],
    ],
    2,
)
LETTERS = puzzle(
    "group",
    [[{"shape": "letter", "letter": letter, "x": 90, "y": 90, "size": 50}] for letter in "AM"],
    [[{"shape": "letter", "letter": letter, "x": 90, "y": 90, "size": 50}] for letter in "NEVF"],
    2,
)
COLUMNS = puzzle(
    "matrix",
    [dots(n) for n in (1, 5, 2, 2, 4, 3, 3, 3)],
    [dots(n) for n in (4, 1, 6, 8)],
)
BY_HAND = {
    name: value for name, value in list(globals().items()) if isinstance(value, Puzzle)
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND)
def test_solved_by_the_rule_it_was_made_with(name):
    assert solve(BY_HAND[name]) == (BY_HAND[name].answer,)


@pytest.mark.parametrize("name", BY_HAND)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_the_order_of_marks_and_choices_does_not_matter(name, data):
    given_one = BY_HAND[name]
    order = data.draw(st.permutations(range(4)))
    mixed = [
        {"marks": data.draw(st.permutations(panel["marks"]))}
        for panel in (*given_one.panels, *(given_one.choices[i] for i in order))
    ]
    number = len(given_one.panels)
    shuffled = Puzzle(
        "p", "quantities", given_one.configuration, "geometric", given_one.rows, given_one.columns,
        tuple(mixed[:number]), tuple(mixed[number:]), 0, ("",) * 4, "", "",
    )  # fmt: skip
    assert solve(shuffled) == (order.index(given_one.answer),)


def test_a_matrix_may_be_read_either_way():
    turned = [THREES.panels[3 * (i % 3) + i // 3]["marks"] for i in range(8)]
    assert solve(puzzle("matrix", turned, [choice["marks"] for choice in THREES.choices])) == (2,)


def test_two_rules_at_once_leave_one_choice():
    def stars(number, fill):
        return dots(number, "star", fill)

    context = [stars(1, "black"), stars(2, "white"), stars(3, "black"), stars(4, "white")]
    choices = [stars(5, "white"), stars(4, "black"), stars(4, "white"), stars(5, "black")]
    assert solve(puzzle("sequence", context, choices)) == (3,)


def test_specks_at_the_rim_are_no_part_of_it():
    def speckled(marks, seed):
        return [
            *marks,
            *(figure("circle", x, 22 + 136 * (seed >> i & 1), 4, "black") for i, x in enumerate((22, 90, 158))),
        ]

    panels = [speckled(panel["marks"], i * 5 % 8) for i, panel in enumerate(STEPS.panels)]
    choices = [speckled(panel["marks"], i * 3 % 8) for i, panel in enumerate(STEPS.choices)]
    assert solve(puzzle("sequence", panels, choices)) == (1,)


def test_choices_that_look_alike_are_all_told():
    choices = [choice["marks"] for choice in STEPS.choices]
    choices[3] = choices[1]
    assert solve(puzzle("sequence", [panel["marks"] for panel in STEPS.panels], choices)) == (1, 3)


def test_no_rule_no_answer():
    context = [dots(n) for n in (4, 1, 6, 2)]
    assert len(solve(puzzle("sequence", context, [dots(n) for n in (3, 5, 7, 8)]))) == 4


def test_two_rules_of_equal_standing_are_both_told():
    # Both panels have three figures and both are black: one choice has the number, another has the fill.
    context = [dots(3, "star"), dots(3, "heart")]
    choices = [dots(3, "drop", "white"), dots(5, "moon"), dots(2, "cross", "grey"), dots(6, "square", "striped")]
    assert solve(puzzle("group", context, choices)) == (0, 1)


def test_only_panels_and_layout_are_read():
    context, choices = [panel["marks"] for panel in RING.panels], [choice["marks"] for choice in RING.choices]
    lies = puzzle("sequence", context, choices, 0, rule="wrong", family="wrong", mechanisms=("", "a", "b", "c"))
    assert solve(lies) == (RING.answer,)


def test_nets_are_folded_by_their_own_solver(monkeypatch):
    fold = pytest.importorskip("snellen.tasks.marvel.solve.fold")
    monkeypatch.setattr(fold, "solve_fold", lambda puzzle: (2,))
    net = Puzzle(
        "p", "3d", "reassembling", "geometric", 1, 1, ({"marks": []},), ({"marks": []},) * 4, 0, ("",) * 4, "", ""
    )
    assert solve(net) == (2,)


def test_the_solver_knows_nothing_of_how_puzzles_are_made():
    folder = Path(solver.__file__).parent
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(".patterns" in name for name in names), file.name
            if isinstance(node, ast.Attribute) and file.name != "fold.py":
                assert node.attr not in ("answer", "mechanisms", "rule", "family"), file.name


def test_hand_made_puzzles_have_different_choices():
    for one in BY_HAND.values():
        looks = sorted(str(sorted(map(str, choice["marks"]))) for choice in one.choices)
        assert all(a != b for a, b in pairwise(looks))
