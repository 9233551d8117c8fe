"""Fresh MARVEL puzzles: how fast, how often ambiguous, and what an observer makes of the choices alone."""

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from snellen.tasks.marvel.draw.puzzles import draw_puzzle
from snellen.tasks.marvel.generate import MadePuzzle, kinds, make
from snellen.tasks.marvel.generated import Generated, items
from snellen.tasks.marvel.look import PuzzleLook
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES
from snellen.tasks.marvel.solve import solve
from support.marvel_blind import BlindObserver

PUZZLES = 5000
TRAIN = 4000
TIMED = 1000
SEED = 11
PLANE = tuple(pattern for pattern in PATTERNS if pattern != "3d")
LEVELS = {
    "configuration": CONFIGURATIONS,
    "shapes": SHAPES,
    "rules": ("1",),
    "closeness": ("far",),
    "clutter": ("none",),
}


def measure() -> list[tuple[str, str, str]]:
    alone, whole = _rates()
    made = list(_puzzles(PUZZLES))
    puzzles = [one.puzzle for one in made]
    agreed = sum(solve(puzzle) == (puzzle.answer,) for puzzle in puzzles)
    drafts = len(made) + sum(one.discarded for one in made)
    ambiguous, contrary = sum(one.ambiguous for one in made), sum(one.contrary for one in made)
    test, train = puzzles[::5], [puzzle for k, puzzle in enumerate(puzzles) if k % 5]
    accuracy = BlindObserver.fit(train[:TRAIN]).accuracy(test)
    return [
        ("2D puzzles a CPU second: made, solved, drawn", f"{alone:.0f}", "100"),
        ("the same as items, with a question about a detail and all words", f"{whole:.0f}", ""),
        (f"solver agrees on the {PUZZLES:,} puzzles kept, of all cells", f"{agreed / len(made):.1%}", "100 %"),
        (
            "drafts discarded: ambiguous / solved otherwise",
            f"{ambiguous / drafts:.1%} / {contrary / drafts:.1%}",
            "counted",
        ),
        (f"choices alone, trained on {TRAIN:,}, tested on {len(test):,}", f"{accuracy:.1%}", "25 %"),
    ]


def _puzzles(n: int) -> Iterator[MadePuzzle]:
    found = list(kinds({"pattern": PATTERNS, **LEVELS}))
    return (make(found[k % len(found)], k // len(found), SEED) for k in range(n))


def _rates() -> tuple[float, float]:
    """2D puzzles a CPU second, once tables are warm: thought of, solved and drawn; and as items, with a question about
    a detail and everything in exact words."""
    found = list(kinds({"pattern": PLANE, **LEVELS}))
    for k in range(TIMED // 2):  # outlines and pens keep tables that are made once
        make(found[k % len(found)], k, SEED + 1)
    before = process_time()
    for k in range(TIMED):
        puzzle = make(found[k % len(found)], k // len(found), SEED).puzzle
        draw_puzzle(puzzle.panels, puzzle.choices, puzzle.rows, puzzle.columns)
    alone = TIMED / (process_time() - before)
    source, before = Generated(), process_time()
    for made in items({"pattern": PLANE, **LEVELS}, TIMED, SEED):
        source.whole(made, PuzzleLook())
        source.words(made, PuzzleLook())
    return alone, TIMED / (process_time() - before)
