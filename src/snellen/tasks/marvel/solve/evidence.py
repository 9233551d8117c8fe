"""What a solver goes through, look after look, until one choice is ahead of all others.

In sequences, pairs of rows and matrices, what goes on along the lines; in a group, what the two context panels share.
What is cheap to look at comes first; what is costly only while that leaves doubts.
"""

from collections.abc import Iterable, Iterator

from snellen.tasks.marvel.solve.arranged import arranged
from snellen.tasks.marvel.solve.decide import SURE, Measurement, RuleFinding, findings, shared, tells_apart, verdict
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import counts
from snellen.tasks.marvel.solve.overlay import growth, overlays, tables
from snellen.tasks.marvel.solve.pairs import pairs
from snellen.tasks.marvel.solve.scene import PuzzleScene
from snellen.tasks.marvel.solve.states import line_states, roles, states
from snellen.tasks.marvel.solve.whole import turned, wholes

_SURE_OF_A_GROUP = 1.0
"""Bits; less than for lines, as two panels can say little, and most of it is said by plain looks."""


def solve_panels(scene: PuzzleScene) -> tuple[int, ...]:
    """The choices that no other is ahead of."""
    looks, sure = (_group_looks, _SURE_OF_A_GROUP) if scene.group else (_line_looks, SURE)
    evidence: list[RuleFinding] = []
    best: tuple[int, ...] = ()
    for look in looks(scene):
        evidence.extend(look)
        best, lead = verdict(evidence, len(scene.choices))
        if len(best) == 1 and lead >= sure:
            break
    return best


def _group_looks(scene: PuzzleScene) -> Iterator[Iterable[RuleFinding]]:
    yield (
        *_shared(counts(scene)),
        *_shared(_group_states(scene)),
        *_shared(pairs(scene)),
        *turned(scene),
        *_shared(arranged(scene)),
    )
    for look in drawings(scene):
        yield _shared(look)


def _group_states(scene: PuzzleScene) -> Iterator[Measurement]:
    # A single coordinate that two panels share is more likely an accident than a rule.
    for state in states(scene, list(roles(scene))):
        single = state.name.startswith(("x ", "y ", "column", "row"))
        yield state._replace(cost=state.cost + 1) if single else state


def _shared(measurements: Iterable[Measurement]) -> Iterator[RuleFinding]:
    return (finding for measured in measurements if tells_apart(measured) for finding in shared(measured))


def _line_looks(scene: PuzzleScene) -> Iterator[Iterable[RuleFinding]]:
    yield (*_along(scene, counts(scene)), *_line_states(scene))
    yield (*_along(scene, pairs(scene)), *_along(scene, arranged(scene)))
    yield (finding for way in scene.ways for look in (overlays, wholes, tables, growth) for finding in look(scene, way))
    for look in drawings(scene):
        yield _along(scene, look)


def _along(scene: PuzzleScene, measurements: Iterable[Measurement]) -> Iterator[RuleFinding]:
    """The findings of measurements that do not depend on how the context is read."""
    for measurement in measurements:
        if tells_apart(measurement):
            for way in scene.ways:
                yield from findings(measurement, way)


def _line_states(scene: PuzzleScene) -> Iterator[RuleFinding]:
    cast = list(roles(scene))
    yield from _along(scene, states(scene, cast))
    for way in scene.ways:
        for measurement in line_states(scene, cast, way):
            if tells_apart(measurement):
                yield from findings(measurement, way)
