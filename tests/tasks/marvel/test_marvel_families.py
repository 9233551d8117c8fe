"""Every cell of pattern and configuration has many families, and each of them makes good puzzles."""

import io
from collections import Counter
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.rng import stream
from snellen.tasks.marvel.draw.panel_words import panel_words
from snellen.tasks.marvel.draw.panels import SIDE, draw_panel
from snellen.tasks.marvel.generate import families
from snellen.tasks.marvel.generated import item
from snellen.tasks.marvel.mechanisms import MECHANISMS, mechanism_of
from snellen.tasks.marvel.patterns.family import PatternFamily
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES, Puzzle, PuzzleDraft, PuzzleWish
from snellen.tasks.marvel.solve import solve
from snellen.tasks.marvel.solve.arranged import between, growth, pointing, row_turn, stairs
from snellen.tasks.marvel.solve.things import Forms, SolverThing, things
from support.lengths import some_of

LAYOUTS = {"sequence": (1, 6), "two-row": (2, 3), "matrix": (3, 3), "group": (1, 3), "reassembling": (1, 1)}
NEW = {
    "temporal": ("carousel", "clock", "tiles", "step", "row", "stairs", "trail"),
    "spatial": ("arrows", "between"),
    "mathematical": ("dominoes", "dice", "two rows in one", "dots and corners"),
    "3d": ("die", "lettered cube", "icon cube", "tangram cube"),
}
EACH = [(pattern, name) for pattern, names in NEW.items() for name in names]


def cell(pattern: str, configuration: str) -> dict[str, PatternFamily]:
    return {family.name: family for shapes in SHAPES for family in families(pattern, configuration, shapes)}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_cell_has_eight_families_or_more(pattern: str) -> None:
    cells = {configuration: cell(pattern, configuration) for configuration in CONFIGURATIONS}
    assert {len(found) >= 8 for found in cells.values() if found} == {True}, {c: len(f) for c, f in cells.items()}


def _drafts(pattern: str, name: str, near: bool, seeds: int = 6) -> list[tuple[PuzzleDraft, Puzzle]]:
    found = []
    for configuration, (lines, length) in LAYOUTS.items():
        family = cell(pattern, configuration).get(name)
        for shapes in family.shapes if family else ():
            for seed in range(seeds):
                wish = PuzzleWish(configuration, lines, length, shapes, 1 + seed % 2, near, seed % 3 == 2)
                assert family is not None
                made = family.make(stream(seed, "families", name, configuration, shapes), wish)
                if made is not None:
                    found.append((made, _asked(made, pattern, wish)))
    return found


def _asked(made: PuzzleDraft, pattern: str, wish: PuzzleWish) -> Puzzle:
    """The right choice second."""
    *context, right = made.panels
    (one, why), (two, why_two), (three, why_three) = made.wrong[:3]
    return Puzzle(
        *("x", pattern, wish.configuration, wish.shapes, wish.lines, wish.length, tuple(context)),
        *((one, right, two, three), 1, (why, "", why_two, why_three), made.rule, made.family),
    )


made = cache(_drafts)


@some_of(("pattern", "name"), EACH, 6)
def test_the_solver_finds_the_answer_of_most_drafts_and_hardly_ever_another(pattern: str, name: str) -> None:
    solved = [solve(puzzle) for near in (False, True) for _, puzzle in made(pattern, name, near)]
    assert len(solved) >= 6
    right = Counter("right" if one == (1,) else "other" if len(one) == 1 else "doubt" for one in solved)
    assert right["right"] >= 0.4 * len(solved)
    assert right["other"] <= 0.1 * len(solved), "drafts that another choice seems right of are thrown away"


@some_of(("pattern", "name"), EACH, 4)
def test_choices_differ_in_picture_and_words_and_wrong_ones_say_how(pattern: str, name: str) -> None:
    for draft, puzzle in made(pattern, name, near=True):
        assert len({panel_words(choice) for choice in puzzle.choices}) == 4
        assert {mechanism_of(why) for _, why in draft.wrong} <= {*MECHANISMS}
        assert all(why for _, why in draft.wrong)
        assert draft.rule.endswith(".")
        assert draft.family == name


WEIGHTS = {"ink": (0.0, 0.0), "ink below": (1.0, 0.31), "ink on the right": (-0.27, 1.0)}


def _weighed(panel: dict[str, Any]) -> dict[str, float]:
    """How much ink there is in a panel, and how much if it counts for more the further down or to the right it is."""
    ink = 255 - np.asarray(Image.open(io.BytesIO(draw_panel(panel).data)).convert("L")).astype(np.int64)
    rows, columns = np.indices(ink.shape) / SIDE
    return {
        name: float((ink * (1 + down * rows + right * columns) ** 2).sum()) for name, (down, right) in WEIGHTS.items()
    }


@pytest.mark.soak
@pytest.mark.parametrize(("pattern", "name"), EACH)
def test_no_place_among_the_weights_of_choices_is_right_more_often(pattern: str, name: str) -> None:
    """The right choice is neither the darkest nor the lightest, nor that with its ink furthest down or to the right,
    nor one of those between, more often than four standard deviations above chance."""
    ranks: dict[str, Counter[int]] = {weight: Counter() for weight in WEIGHTS}
    for near in (False, True):
        for _, puzzle in made(pattern, name, near):
            weighed = [_weighed(dict(choice)) for choice in puzzle.choices]
            for weight, found in ranks.items():
                values = [one[weight] for one in weighed]
                if len(set(values)) == 4:
                    found[sorted(values).index(values[1])] += 1
    assert min(ranks[weight].total() for weight in ("ink below", "ink on the right")) >= 10
    for found in ranks.values():
        assert max(found.values(), default=0) <= found.total() / 4 + 4 * sqrt(found.total() * 3 / 16)


@pytest.mark.parametrize(("pattern", "name"), EACH)
def test_the_same_seed_makes_the_same_draft(pattern: str, name: str) -> None:
    known = made(pattern, name, False)
    again = _drafts(pattern, name, near=False, seeds=1)
    assert again
    assert all(draft in known for draft in again)


def test_families_take_turns() -> None:
    kind = {"pattern": "temporal", "configuration": "group", "shapes": "geometric", "rules": "1", "closeness": "far"}
    found = Counter(item({**kind, "clutter": "none"}, index, 0).truth["family"] for index in range(40))
    assert len(found) >= 7


def seen(*marks: dict[str, Any]) -> list[SolverThing]:
    return things(marks, Forms())


def test_what_the_solver_sees_in_arrangements() -> None:
    star: dict[str, Any] = {"shape": "star", "x": 132, "y": 90, "size": 20, "fill": "white"}
    arrow: dict[str, Any] = {"shape": "arrow", "x": 48, "y": 90, "size": 24, "fill": "black"}
    assert [pointing(seen(arrow | {"turn": turn}, star)) for turn in (90, 180, 270, 0, 45)] == [0, 1, 2, 3, None]
    small: dict[str, Any] = {"shape": "circle", "x": 90, "y": 90, "size": 9, "fill": "grey"}
    pair = [star, star | {"x": 48, "fill": "black"}]
    assert between(seen(*pair, small)) == "between the other two"
    assert between(seen(*pair, small | {"x": 10})) == "beyond the solid one"
    assert between(seen(*pair, small | {"y": 150})) == "off to one side"
    assert between(seen(pair[0], pair[0] | {"fill": pair[1]["fill"]}, small)) is None  # around one middle
    row = [arrow | {"x": 40 + 50 * i, "turn": 315 * i % 360} for i in range(3)]
    assert row_turn(seen(*row)) == 315
    grown = [small | {"x": x, "y": y, "size": size} for x, y, size in ((90, 40, 9), (140, 90, 15), (90, 140, 22))]
    assert growth(seen(*grown)) == 90
    assert growth(seen(*grown[:2], grown[2] | {"y": 40, "x": 40})) is None  # a quarter on, then three
    assert growth(seen(*(mark | {"size": 15} for mark in grown))) is None
    rows = ["#......", ".#.....", "..#....", "...#..."]
    grid: dict[str, Any] = {"shape": "grid", "x": 20, "y": 50, "cell": 20, "rows": rows}
    assert stairs(seen(grid)) == 1
    assert stairs(seen(grid | {"rows": [*rows[:3], rows[2]]})) is None
