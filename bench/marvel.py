"""Fresh MARVEL puzzles: how fast, how often ambiguous, and what an observer makes of the choices alone."""

from collections.abc import Iterator
from time import process_time

from snellen.tasks import task
from snellen.tasks.marvel.blind import BlindObserver
from snellen.tasks.marvel.generate import Made, kinds, make
from snellen.tasks.marvel.generated import Generated
from snellen.tasks.marvel.look import Look
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES
from snellen.tasks.marvel.solve import solve

PUZZLES = 5000
TRAIN = 4000
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
    made = list(_puzzles(PUZZLES))
    agreed = sum(solve(each.puzzle) == (each.puzzle.answer,) for each in made)
    drafts = len(made) + sum(each.discarded for each in made)
    ambiguous, contrary = sum(each.ambiguous for each in made), sum(each.contrary for each in made)
    mixed = [each.puzzle for each in made[::5]], [each.puzzle for k, each in enumerate(made) if k % 5]
    accuracy = BlindObserver.fit(mixed[1][:TRAIN]).accuracy(mixed[0])
    return [
        ("2D puzzles a CPU second, with pictures", f"{_rate():.0f}", "100"),
        (f"solver agrees on the {PUZZLES:,} puzzles kept, of all cells", f"{agreed / len(made):.1%}", "100 %"),
        (
            "drafts discarded: ambiguous / solved otherwise",
            f"{ambiguous / drafts:.1%} / {contrary / drafts:.1%}",
            "counted",
        ),
        (f"choices alone, trained on {TRAIN:,}, tested on {len(mixed[0]):,}", f"{accuracy:.1%}", "25 %"),
    ]


def _puzzles(n: int) -> Iterator[Made]:
    found = list(kinds({"pattern": PATTERNS, **LEVELS}))
    return (make(found[k % len(found)], k // len(found), SEED) for k in range(n))


def _rate() -> float:
    """Items with their pictures, made from nothing: drafts, solver, truth, drawing, encoding."""
    found = task("marvel")
    source = Generated()
    before = process_time()
    items = list(found.items({"pattern": PLANE, **LEVELS}, 400, SEED))
    for item in items:
        source.whole(item, Look())
    return len(items) / (process_time() - before)
