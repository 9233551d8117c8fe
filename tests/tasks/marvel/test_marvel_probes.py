"""Questions about panels: right by a recount that shares nothing with them, and none where there is doubt."""

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel_recount import TONES, Mark, Recount

from snellen.rng import stream
from snellen.tasks.marvel.probes import NUMBERS, Fine, coarse, fine_questions
from snellen.tasks.marvel.puzzle import FINE_TYPES
from support.lengths import examples


def figure(shape: str, x: int = 90, y: int = 90, size: int = 20, fill: str = "none", **more: Any) -> Mark:
    return {"shape": shape, "x": x, "y": y, "size": size, "fill": fill, **more}


def line(x: int, y: int, x2: int, y2: int) -> Mark:
    return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2}


def path(*points: tuple[int, int], closed: bool = False, curved: bool = False, fill: str = "none") -> Mark:
    return {"shape": "path", "points": [list(p) for p in points], "closed": closed, "curved": curved, "fill": fill}


def asked(*marks: Mark, seed: int = 0, colour: bool = False, **panel: Any) -> list[Fine]:
    return fine_questions({"marks": list(marks), **panel}, "W", stream(seed, "test"), colour=colour)


def about(found: list[Fine], words: str) -> list[Fine]:
    return [fine for fine in found if words in fine.text]


def answers(found: list[Fine], words: str) -> set[str]:
    return {fine.right for fine in about(found, words)}


# Any number of figures apart from each other, recounted

SHAPES = ("circle", "square", "triangle", "star", "heart", "cross", "arrow", "hexagon", "moon")


@st.composite
def scattered(draw: st.DrawFn) -> list[Mark]:
    """Up to nine figures, each in a place of its own."""
    spots = draw(st.lists(st.integers(0, 8), min_size=1, max_size=9, unique=True))
    shapes = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3, unique=True))
    return [
        figure(
            draw(st.sampled_from(shapes)),
            35 + 55 * (spot % 3) + draw(st.integers(-2, 2)),
            35 + 55 * (spot // 3) + draw(st.integers(-2, 2)),
            draw(st.integers(12, 19)),
            draw(st.sampled_from(list(TONES))),
        )
        for spot in spots
    ]


@given(scattered(), st.integers(0, 10**6))
@examples(40, 120)
def test_a_recount_agrees(marks: list[Mark], seed: int) -> None:
    recount = Recount(marks)
    found = asked(*marks, seed=seed)
    assert found
    for fine in found:
        if "Which halves" in fine.text or "very middle" in fine.text:
            continue
        for wrong in (fine.wrong, *fine.others[seed % 3 :: 3]):
            assert recount.answer(fine.text, (wrong, fine.right)) == fine.right, (wrong, fine)
        assert fine.right != fine.wrong
        assert fine.type in FINE_TYPES


@given(scattered())
@examples(15, 20)
def test_the_same_stream_asks_the_same(marks: list[Mark]) -> None:
    assert asked(*marks, seed=5) == asked(*marks, seed=5)


def test_kinds_come_in_order_and_texts_once() -> None:
    found = asked(figure("star", 40, 50), figure("heart", 130, 120, fill="black"), figure("heart", 50, 130))
    kinds = [FINE_TYPES.index(fine.type) for fine in found]
    assert kinds == sorted(kinds)
    assert {*kinds} == {*range(5)}
    assert max(Counter(found).values()) == 1


# Fairness


def test_the_other_number_is_larger_half_the_time() -> None:
    stars = [figure("star", x, y, 14) for x in (40, 90, 140) for y in (60, 120)]
    found = [about(asked(*stars, seed=seed), "stars are")[0] for seed in range(200)]
    assert {fine.right for fine in found} == {"six"}
    assert 70 < Counter(fine.wrong for fine in found)["seven"] < 130


def test_zero_is_never_an_answer() -> None:
    found = [fine for seed in range(60) for fine in about(asked(figure("star", 40), seed=seed), "stars are")]
    assert {(fine.right, fine.wrong) for fine in found} == {("one", "two")}
    assert len(found) < 30


def test_yes_is_right_half_the_time() -> None:
    found = [fine for seed in range(200) for fine in about(asked(figure("heart", size=40), seed=seed), "one half of W")]
    other = [fine for seed in range(200) for fine in about(asked(figure("heart", size=40), seed=seed), "Are the left")]
    assert len(found) + len(other) == 200
    assert 70 < len(found) < 130
    assert {fine.right for fine in found} == {"no"}
    assert {fine.right for fine in other} == {"yes"}


def test_what_is_not_symmetrical_is_seldom_asked_about() -> None:
    found = [fine for seed in range(200) for fine in about(asked(figure("heart", 40), seed=seed), "mirror images of")]
    assert 5 < len(found) < 40
    assert {fine.text.split()[0]: fine.right for fine in found} == {"Are": "no", "Would": "yes"}


def test_tones_are_right_and_wrong_in_pairs() -> None:
    pairs = set()
    for fill in TONES:
        (fine,) = about(asked(figure("star", fill=fill)), "Is the star")
        pairs.add((fine.right, fine.wrong))
    assert pairs == {("solid", "white"), ("white", "solid"), ("grey", "striped"), ("striped", "grey")}


def test_either_answer_may_be_named_first() -> None:
    (fine,) = about(asked(figure("arrow", 40, 40)), "Which of the two does")
    assert fine.asked("arrow", "circle") == "Which of the two does W show, an arrow or a circle?"
    assert fine.asked("circle", "arrow") == "Which of the two does W show, a circle or an arrow?"


def test_the_panel_is_called_what_the_asker_calls_it() -> None:
    found = fine_questions({"marks": [figure("star", 40, 40)]}, "choice {choice}", stream(0, "x"))
    assert all("choice {choice}" in fine.text and "{where}" not in fine.text for fine in found)


# Where there is doubt


@pytest.mark.parametrize("x", [70, 80, 90, 100, 110])
def test_near_the_middle_is_in_neither_half(x: int) -> None:
    assert answers(asked(figure("star", x, 90, 20)), "half or in") == set()


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ([figure("square", turn=45)], "square"),
        ([figure("triangle"), line(20, 20, 160, 160), line(160, 20, 20, 160)], "triangles"),
        ([figure("square", 80), figure("square", 100)], "How many"),
        (
            [figure("circle", 60, size=22), figure("circle", 60, fill="black", size=10)],
            "two circles in W {a} or {b} in tone",
        ),
        ([figure("star", 50, 90, 20), figure("star", 130, 90, 24)], "in size"),
        ([figure("star", 60, 60), figure("square", 60, 60, 40, "black")], "star"),
        ([figure("square", 60, 60, 40, "black"), figure("star", 60, 60, 20, "black")], "star"),
        ([figure("rectangle", 60, 60), figure("square", 120, 120)], "squares are"),
        ([figure("circle", 60, 60, 15), figure("circle", 130, 60, 6, "black")], "circles are"),
        ([line(30, 90, 80, 90), line(84, 90, 150, 90)], "straight lines"),
        ([figure("star", 60, 60, 4)], "star"),
        ([{"shape": "letter", "letter": "A", "x": 90, "y": 90, "size": 40}], "triangle"),
        ([path((40, 40), (140, 60), (60, 140), closed=True)], "triangle"),
    ],
)
def test_no_question_where_there_is_doubt(marks: list[Mark], words: str) -> None:
    assert about(asked(*marks), words) == []


def test_what_is_not_there_is_not_nearly_there() -> None:
    for seed in range(60):
        (fine,) = about(asked(figure("square"), seed=seed), "Which of the two does")
        assert fine.wrong not in ("rectangle", "diamond", "trapezoid")


# Things of other kinds


def test_inside_and_outside() -> None:
    found = asked(figure("square", size=60), figure("star", size=15), figure("heart", 20, 165, 10))
    assert answers(found, "is the star {a} or {b} the square") == {"inside"}
    assert answers(found, "is the heart {a} or {b} the square") == {"outside"}
    assert answers(found, "What lies inside the square") == {"star"}


def test_arrows_point() -> None:
    for turn, way in ((0, "up"), (90, "to the right"), (180, "down"), (270, "to the left")):
        assert answers(asked(figure("arrow", turn=turn)), "point") == {way}
    assert answers(asked(figure("arrow", turn=45)), "point") == set()


@given(st.lists(st.text("#.o", min_size=3, max_size=3), min_size=2, max_size=4), st.integers(0, 1000))
@examples(15, 30)
def test_grids_are_recounted(rows: list[str], seed: int) -> None:
    grid = {"shape": "grid", "x": 30, "y": 30, "cell": 30, "rows": rows}
    words = {"#": "black", ".": "white", "o": "grey"}
    cells = [words[sign] for row in rows for sign in row]
    found = asked(grid, seed=seed)
    for fine in found:
        if place := re.search(r"row (\d), column (\d)", fine.text):
            assert fine.right == words[rows[int(place[1]) - 1][int(place[2]) - 1]]
        elif tone := re.search(r"How many cells of the grid in W are (\w+)", fine.text):
            assert fine.right == NUMBERS[cells.count(tone[1])]
        elif "more of" in fine.text:
            assert cells.count(fine.right.split()[0]) > cells.count(fine.wrong.split()[0])
    assert bool(about(found, "column")) == (len(set(cells)) > 1)


def test_a_thing_in_a_grid() -> None:
    grid = {"shape": "grid", "x": 30, "y": 30, "cell": 30, "rows": ["....", "....", "....", "...."]}
    found = asked(grid, figure("star", 105, 75, 9, "black"))
    assert answers(found, "which row of the grid") == {"second"}
    assert answers(found, "which column of the grid") == {"third"}


@given(st.integers(2, 6), st.integers(0, 1000))
@examples(15, 20)
def test_lines_are_recounted(n: int, seed: int) -> None:
    lines = [line(30 + 22 * k, 30, 30 + 22 * k, 150) for k in range(n)]
    assert answers(asked(*lines, seed=seed), "straight lines are there") == {NUMBERS[n]}
    assert answers(
        asked(figure("circle", size=70), line(90, 90, 90, 25), line(90, 90, 150, 100)), "inside the circle"
    ) == {"two"}


def test_two_lines() -> None:
    crossing = asked(line(30, 30, 150, 150), line(150, 30, 30, 150))
    assert answers(crossing, "Do the two lines") == {"cross"}
    apart = asked(line(40, 30, 40, 150), line(120, 60, 120, 110))
    assert answers(apart, "Do the two lines") == {"stay apart"}
    assert answers(apart, "longer") == {"left"}
    wave = [(20 + 20 * k, 60 if k % 2 else 120) for k in range(8)]
    assert answers(asked(path(*wave), line(15, 90, 165, 90)), "times") == {"seven"}


def test_open_and_closed_straight_and_curved() -> None:
    corners = [(40, 40), (140, 50), (130, 140), (50, 130)]
    assert answers(asked(path(*corners, closed=True)), "Is the line in W") == {"closed"}
    crossing_itself = path(*corners, (70, 20), (110, 20), closed=True)
    assert answers(asked(crossing_itself), "Is the line in W") == set()
    ring = [(120, 90), (105, 116), (75, 116), (60, 90), (75, 64), (105, 64)]
    loop = asked(path(*ring, closed=True, curved=True))
    assert answers(loop, "Is the line in W") == {"closed"}
    assert answers(loop, "What kind of lines") == {"curved"}
    hook = [fine for seed in range(200) for fine in asked(path((40, 40), (140, 40), (140, 140)), seed=seed)]
    assert answers(hook, "Is the line in W") == {"open"}
    assert answers(hook, "What kind of lines") == {"straight"}


def test_letters() -> None:
    for seed in range(40):
        (fine,) = about(
            asked({"shape": "letter", "letter": "E", "x": 90, "y": 90, "size": 40}, seed=seed), "Which letter"
        )
        assert fine.right == "E"
        assert fine.wrong not in "EFH"


def test_the_one_black_thing_in_a_tangle() -> None:
    spokes = [line(90, 90, 90 + dx, 90 + dy) for dx, dy in ((60, 0), (-60, 0), (0, 60), (0, -60))]
    found = asked(figure("circle", size=60), *spokes, figure("star", 120, 120, 12, "black"))
    assert answers(found, "Does the solid star lie") == {"right", "lower"}


# Colour


def test_colours_are_asked_about_only_in_colour() -> None:
    star = figure("star", 40, 40, fill="black", colour="red")
    assert about(asked(star), "Which colour") == []
    found = {fine.wrong for seed in range(60) for fine in about(asked(star, seed=seed, colour=True), "Which colour")}
    assert found == {"blue", "green", "teal", "purple"}


def test_what_is_black_only_in_ink_is_called_solid() -> None:
    found = asked(figure("star", 40, 40, fill="black", colour="red"), figure("star", 130, 130))
    assert not any("black" in f"{fine.text} {fine.right}" for fine in found)
    assert answers(found, "Does the solid star") == {"left", "upper"}


# Solids, and the whole picture


def test_faces_of_a_solid() -> None:
    marks = [path((20, 20), (60, 20), (40, 60), closed=True, fill="black"), line(80, 20, 120, 60)]
    faces = [
        {"name": "top face", "marks": [0]},
        {"name": "front face", "marks": [1]},
        {"name": "right face", "marks": []},
    ]
    found = asked(*marks, words="A cube.", view={"solid": "cube", "faces": faces})
    assert answers(found, "How many faces") == {"three"}
    assert answers(found, "On which face") == {"top face"}
    assert answers(found, "kind of solid") == {"cube"}
    assert {fine.right for fine in about(found, "on the top face") + about(found, "the front face in W without")} <= {
        "yes"
    }
    assert about(found, "triangle") == []


def test_a_net_is_asked_about_as_a_whole_only() -> None:
    found = asked(figure("square", 40, 40), words="The net of a cube.")
    assert {fine.type for fine in found} == {"comparison"}
    assert about(found, "square") == []


def test_mirror_images() -> None:
    upright = [figure("heart", size=50)]
    for seed in range(10):
        (fine,) = about(asked(*upright, seed=seed), "mirror images of each other?")[:1]
        assert fine.right == ("yes" if fine.text.startswith("Are") else "no")
        assert answers(asked(*upright, seed=seed), "Which halves") == {"left and right"}
    striped = figure("heart", size=50, fill="striped")
    assert about(asked(striped), "mirror") == []
    holes = [figure("square", size=60, fill="black"), figure("circle", 60, 60, 8, "white")]
    assert about(asked(*holes), "mirror") == []


def test_something_can_be_asked_about_an_empty_panel() -> None:
    assert {fine.right for fine in asked()} == {"white"}


@pytest.mark.parametrize(("rows", "columns", "counts"), [(1, 5, (5, 4, 9)), (3, 3, (9, 4, 13)), (1, 1, (1, 4, 5))])
def test_coarse(rows: int, columns: int, counts: tuple[int, int, int]) -> None:
    assert coarse(rows, columns) == counts
