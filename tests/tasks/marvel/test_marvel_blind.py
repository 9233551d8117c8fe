"""The observer who sees only the choices must find leaks that are there, and none where there is none."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from snellen.rng import Stream, stream
from snellen.tasks.marvel.puzzle import Panel, Puzzle
from support.marvel_blind import BlindObserver, features

SHAPES = ("circle", "square", "star", "heart", "cross")
FILLS = ("white", "black", "grey", "striped")
PLACES, SIZES, TURNS = (40, 65, 90, 115, 140), (12, 18, 24, 30), (0, 45, 90, 135)

LEARN, TEST = 500, 300


def figure(turn: Stream) -> dict[str, Any]:
    return {
        "shape": turn.choice(SHAPES),
        "x": turn.choice(PLACES),
        "y": turn.choice(PLACES),
        "size": turn.choice(SIZES),
        "fill": turn.choice(FILLS),
        "turn": turn.choice(TURNS),
    }


def asked(turn: Stream, choices: list[Panel], right: int) -> Puzzle:
    """The choices in random order, the right one wherever it comes to stand."""
    order = turn.sample(range(4), 4)
    placed = tuple(choices[i] for i in order)
    return Puzzle(
        "p", "spatial", "sequence", "geometric", 1, 4, (), placed, order.index(right), ("",) * 4, "A rule.", "some"
    )


def edited(turn: Stream, mark: dict[str, Any], key: str, values: tuple[Any, ...]) -> Panel:
    return {"marks": [{**mark, key: turn.choice([value for value in values if value != mark[key]])}]}


def edits(turn: Stream) -> Puzzle:
    """The classic leak: the right choice, and three edits of it in one attribute each."""
    mark = figure(turn)
    keys = turn.sample((("shape", SHAPES), ("fill", FILLS), ("size", SIZES), ("x", PLACES), ("turn", TURNS)), 3)
    return asked(turn, [{"marks": [mark]}, *(edited(turn, mark, key, values) for key, values in keys)], 0)


def square(turn: Stream) -> Puzzle:
    """Two values each of two attributes, any of the four right."""
    mark, shapes, fills = figure(turn), turn.sample(SHAPES, 2), turn.sample(FILLS, 2)
    choices: list[Panel] = [{"marks": [{**mark, "shape": a, "fill": b}]} for a in shapes for b in fills]
    return asked(turn, choices, turn.below(4))


def counts(turn: Stream) -> list[Panel]:
    """One to six circles, four different numbers, the smallest first."""
    circles = [{"shape": "circle", "x": 30 + 20 * i, "y": 90, "size": 8, "fill": "black"} for i in range(6)]
    return [{"marks": circles[:number]} for number in sorted(turn.sample(range(1, 7), 4))]


def made(maker: Any, number: int) -> list[Puzzle]:
    return [maker(stream(5, maker.__name__, i)) for i in range(number)]


def learned(maker: Any) -> float:
    """The accuracy on puzzles that were not learned from."""
    puzzles = made(maker, LEARN + TEST)
    return BlindObserver.fit(puzzles[:LEARN]).accuracy(puzzles[LEARN:])


def test_edits_of_the_right_choice_give_it_away() -> None:
    assert learned(edits) > 0.85


def test_a_square_gives_nothing_away() -> None:
    assert abs(learned(square) - 0.25) < 0.1  # four standard errors


def test_a_middle_rank_gives_it_away() -> None:
    def never_extreme(turn: Stream) -> Puzzle:
        return asked(turn, counts(turn), 1 + turn.below(2))

    assert 0.42 < learned(never_extreme) < 0.58  # one of the two in the middle


def test_even_ranks_give_nothing_away() -> None:
    def even(turn: Stream) -> Puzzle:
        return asked(turn, counts(turn), turn.below(4))

    assert abs(learned(even) - 0.25) < 0.1


def test_a_favourite_place_gives_it_away() -> None:
    def third(turn: Stream) -> Puzzle:
        puzzle = square(turn)
        return replace(puzzle, answer=2) if turn.chance() else puzzle

    assert learned(third) > 0.45


def test_one_path_that_is_closed_gives_it_away() -> None:
    def closed(turn: Stream) -> Puzzle:
        points = [[turn.choice(PLACES), turn.choice(PLACES)] for _ in range(5)]
        choices: list[Any] = [
            {"marks": [{"shape": "path", "points": points, "closed": i == 0, "curved": i < 3}]} for i in range(4)
        ]
        return asked(turn, choices, 0)

    assert learned(closed) > 0.95


def test_features_depend_on_the_choices_alone() -> None:
    puzzle = edits(stream(1, "alone"))
    other = replace(puzzle, answer=(puzzle.answer + 1) % 4, panels=puzzle.choices[:3], rule="Another.", family="else")
    assert np.array_equal(features([puzzle]), features([other]))


def test_features_follow_the_choices_when_these_change_places() -> None:
    puzzle = edits(stream(1, "places"))
    turned = replace(puzzle, choices=puzzle.choices[::-1])
    without_place = features([puzzle])[0, :, :-4]
    assert np.allclose(features([turned])[0, :, :-4], without_place[::-1])


@pytest.mark.parametrize(
    "mark",
    [
        {"shape": "line", "x": 20, "y": 20, "x2": 90, "y2": 140},
        {"shape": "grid", "x": 30, "y": 30, "cell": 20, "rows": ["#.", "o/"]},
        {"shape": "letter", "letter": "A", "x": 90, "y": 90, "size": 40},
        {"shape": "path", "points": [[20, 20], [60, 90]], "closed": False},
    ],
)
def test_every_kind_of_mark_is_seen(mark: dict[str, Any]) -> None:
    empty: Panel = {"marks": []}
    table = features([asked(stream(2, "marks"), [{"marks": [mark]}, empty, empty, empty], 0)])
    assert table.shape[:2] == (1, 4)
    assert np.isfinite(table).all()
    with_mark = [not np.array_equal(table[0, i, :-4], table[0, i - 1, :-4]) for i in range(4)]
    assert any(with_mark)


def test_learning_is_deterministic_and_survives_choices_without_differences() -> None:
    puzzles = made(edits, 60)
    assert np.array_equal(BlindObserver.fit(puzzles).weights, BlindObserver.fit(puzzles).weights)
    same = [replace(puzzle, choices=(puzzle.choices[0],) * 4, answer=i % 4) for i, puzzle in enumerate(puzzles)]
    assert BlindObserver.fit(same).accuracy(same) == pytest.approx(0.25, abs=0.02)
