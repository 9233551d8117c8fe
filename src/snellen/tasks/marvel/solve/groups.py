"""Groups: what the two context panels share, and which choice shares it too."""

from collections.abc import Iterable, Iterator

from snellen.tasks.marvel.solve.arranged import arranged
from snellen.tasks.marvel.solve.decide import Measurement, RuleFinding, shared, tells_apart, verdict
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import counts
from snellen.tasks.marvel.solve.pairs import pairs
from snellen.tasks.marvel.solve.scene import PuzzleScene
from snellen.tasks.marvel.solve.states import roles, states
from snellen.tasks.marvel.solve.whole import turned

SURE = 1.0
"""Bits; less than for lines, as two panels can say little, and most of it is said by plain looks."""


def solve_group(scene: PuzzleScene) -> tuple[int, ...]:
    """What is cheap to look at first; what is costly only while that leaves doubts."""
    evidence: list[RuleFinding] = []
    best: tuple[int, ...] = ()
    for look in _looks(scene):
        evidence.extend(look)
        best, lead = verdict(evidence, len(scene.choices))
        if len(best) == 1 and lead >= SURE:
            break
    return best


def _looks(scene: PuzzleScene) -> Iterator[Iterable[RuleFinding]]:
    """Look after look at the puzzle, and what it finds."""
    yield (
        *_shared(counts(scene)),
        *_shared(_states(scene)),
        *_shared(pairs(scene)),
        *turned(scene),
        *_shared(arranged(scene)),
    )
    for look in drawings(scene):
        yield _shared(look)


def _states(scene: PuzzleScene) -> Iterator[Measurement]:
    # A single coordinate that two panels share is more likely an accident than a rule.
    for one in states(scene, list(roles(scene))):
        yield one._replace(cost=one.cost + 1) if one.name.startswith(("x ", "y ", "column", "row")) else one


def _shared(measurements: Iterable[Measurement]) -> Iterator[RuleFinding]:
    return (finding for one in measurements if tells_apart(one) for finding in shared(one))
