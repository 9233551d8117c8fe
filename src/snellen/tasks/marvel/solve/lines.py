"""Sequences, pairs of rows and matrices: what goes on along the lines."""

from collections.abc import Callable, Iterator

from snellen.tasks.marvel.solve.decide import SURE, Finding, Measurement, findings, tells_apart, verdict
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import counts
from snellen.tasks.marvel.solve.overlay import growth, overlays, tables
from snellen.tasks.marvel.solve.pairs import pairs
from snellen.tasks.marvel.solve.scene import Scene
from snellen.tasks.marvel.solve.states import states
from snellen.tasks.marvel.solve.whole import wholes


def solve_lines(scene: Scene) -> tuple[int, ...]:
    """What is cheap to look at first; what is costly only if that leaves doubts."""
    found: list[Finding] = []
    best: tuple[int, ...] = ()
    for readings in _STAGES:
        for reading in readings:
            found.extend(reading(scene))
        best, lead = verdict(found, len(scene.choices))
        if len(best) == 1 and lead >= SURE:
            break
    return best


def reasons(scene: Scene) -> list[Finding]:
    """All findings, the weightiest first, to see why a puzzle was solved as it was."""
    found = [finding for readings in _STAGES for reading in readings for finding in reading(scene)]
    return sorted(found, key=lambda finding: -finding.bits)


def _measured(scene: Scene, found: Iterator[Measurement]) -> Iterator[Finding]:
    """The findings of measurements that do not depend on how the context is read."""
    for measurement in found:
        if tells_apart(measurement):
            for way in scene.ways:
                yield from findings(measurement, way)


def _counts(scene: Scene) -> Iterator[Finding]:
    return _measured(scene, counts(scene))


def _states(scene: Scene) -> Iterator[Finding]:
    for way in scene.ways:
        for measurement in states(scene, way):
            if tells_apart(measurement):
                yield from findings(measurement, way)


def _layers(scene: Scene) -> Iterator[Finding]:
    for way in scene.ways:
        yield from overlays(scene, way)
        yield from wholes(scene, way)
        yield from tables(scene, way)
        yield from growth(scene, way)


def _pairs(scene: Scene) -> Iterator[Finding]:
    return _measured(scene, pairs(scene))


def _drawings(scene: Scene) -> Iterator[Finding]:
    return _measured(scene, drawings(scene))


Reading = Callable[[Scene], Iterator[Finding]]
_STAGES: tuple[tuple[Reading, ...], ...] = ((_counts, _states), (_pairs, _layers), (_drawings,))
