"""The published MARVEL itself, where it is: what we read of it is what is known about it."""

import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from snellen.tasks.marvel.load import LoadedPuzzles, Pictures, PublishedPuzzle, load
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS

SHARED = Path(__file__).parents[3] / ".." / "shared" / "data" / "marvel"
pytestmark = pytest.mark.skipif(not (SHARED / "marvel_label.json").is_file(), reason="the published set is not here")


@cache
def the_set() -> tuple[LoadedPuzzles, tuple[PublishedPuzzle, ...]]:
    loaded = load(str(SHARED))
    return loaded, tuple(loaded.puzzles())


@pytest.mark.soak
def test_real_counts_of_patterns_and_configurations() -> None:
    loaded, puzzles = the_set()
    counts = Counter((puzzle.pattern, puzzle.configuration) for puzzle in puzzles)
    table = {
        "temporal": (30, 30, 30, 15, 0),
        "spatial": (30, 30, 30, 30, 0),
        "quantities": (60, 60, 60, 60, 0),
        "mathematical": (15, 75, 75, 0, 0),
        "2d": (30, 30, 30, 30, 0),
        "3d": (0, 0, 0, 0, 20),
    }
    found = {pattern: tuple(counts[pattern, name] for name in CONFIGURATIONS) for pattern in PATTERNS}
    assert found == table
    assert len(puzzles) == 770
    assert loaded.missing == ()
    assert [puzzle.number for puzzle in puzzles] == list(range(1, 771))


@pytest.mark.soak
def test_real_answers_and_counts_of_panels() -> None:
    _, puzzles = the_set()
    assert Counter(puzzle.answer for puzzle in puzzles) == {0: 191, 1: 185, 2: 198, 3: 196}
    by = defaultdict(Counter)  # type: ignore[var-annotated]
    for puzzle in puzzles:
        by[puzzle.configuration][puzzle.coarse] += 1
    assert by["sequence"] == {(5, 4, 9): 100, (6, 4, 10): 56, (4, 4, 8): 8, (8, 4, 12): 1}
    assert by["matrix"] == {(9, 4, 13): 225}
    assert by["two-row"] == {(6, 4, 10): 225}
    assert by["group"] == {(3, 4, 7): 135}
    assert by["reassembling"] == {(1, 4, 5): 20}


@pytest.mark.soak
def test_real_duplicates() -> None:
    _, puzzles = the_set()
    groups = defaultdict(list)
    for puzzle in puzzles:
        groups[puzzle.cluster].append(puzzle.number)
    several = sorted(group for group in groups.values() if len(group) > 1)
    known = json.loads((SHARED / "derived_duplicate_groups.json").read_text())
    assert several == sorted(known["same_choice_panels"])
    assert (len(several), sum(map(len, several)), len(groups)) == (89, 205, 654)
    pairs = known["same_context_and_choices_reordered"]
    assert len(pairs) == 71
    assert all(len({puzzles[number - 1].cluster for number in pair}) == 1 for pair in pairs)


@pytest.mark.soak
def test_real_irregularities() -> None:
    loaded, puzzles = the_set()
    noted = {puzzle.number: puzzle.notes for puzzle in puzzles if puzzle.notes}
    assert [puzzle.number for puzzle in puzzles if len(puzzle.accepted) > 1] == [134]
    assert puzzles[133].accepted == (0, 3)
    assert [number for number, notes in noted.items() if any("empty panel" in note for note in notes)] == [321, 662]
    assert [puzzle.number for puzzle in puzzles if puzzle.fine is None] == [357]
    without_mark = [number for number, notes in noted.items() if any("question mark" in note for note in notes)]
    assert without_mark == [73, 106, 126, 142, 143, *range(166, 170), *range(186, 194), 285, 286]
    respelt = {number for number, notes in noted.items() if any("the option" in note for note in notes)}
    assert respelt == {73, 90, 119, 445, 619}
    useless = {puzzle.number for puzzle in puzzles if not puzzle.demo_ok}
    assert useless == {15, 194, 195, 210, 211, 228, 229, *range(553, 573)}
    assert puzzles[46].explanation.startswith("The element")
    assert "['" not in puzzles[46].explanation
    assert all(puzzle.explanation == " ".join(puzzle.explanation.split()) for puzzle in puzzles)
    assert any(line.startswith("puzzle 15: ") for line in loaded.notes)


@pytest.mark.soak
def test_real_perception_questions() -> None:
    _, puzzles = the_set()
    fine = [puzzle.fine for puzzle in puzzles if puzzle.fine]
    assert Counter(one.type for one in fine) == {
        "quantity": 301,
        "shape": 182,
        "location": 170,
        "comparison": 64,
        "colour": 52,
    }
    assert Counter(puzzle.fine_about for puzzle in puzzles) == {0: 184, 1: 182, 2: 214, 3: 190}
    assert sum("{a}" in one.text and "{b}" in one.text for one in fine) == 664
    assert {one.right for one in fine if "{a}" not in one.text} == {"yes", "no"}
    assert all(one.text.endswith("?") and "marked by" not in one.text for one in fine)
    assert {one.right for one in fine if one.right != one.right.lower()} == {"F", "S", "C"}


def test_real_pictures_are_the_published_bytes() -> None:
    loaded, puzzles = the_set()
    for number in (1, 101, 553):
        assert Pictures(loaded).whole(puzzles[number - 1]).data == (SHARED / f"Marvel/{number}.png").read_bytes()
