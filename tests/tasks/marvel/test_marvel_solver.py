"""The MARVEL solver on puzzles made by hand: every rule, ambiguous ones, and what must not matter."""

import ast
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solver_panels import dot_at, dots, figure, grid, line, odd, path, puzzle, spokes

import snellen.tasks.marvel.solve as solver
from snellen.tasks.marvel.puzzle import Puzzle
from snellen.tasks.marvel.solve import solve
from support.lengths import some_of

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


@some_of("name", BY_HAND, 4)
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
