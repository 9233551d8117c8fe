"""Sequences, pairs of rows and matrices: what goes on along the lines."""

from collections.abc import Iterable, Iterator

from snellen.tasks.marvel.solve.arranged import arranged
from snellen.tasks.marvel.solve.decide import SURE, Measurement, RuleFinding, findings, tells_apart, verdict
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import counts
from snellen.tasks.marvel.solve.overlay import growth, overlays, tables
from snellen.tasks.marvel.solve.pairs import pairs
from snellen.tasks.marvel.solve.scene import PuzzleScene
from snellen.tasks.marvel.solve.states import line_states, roles, states
from snellen.tasks.marvel.solve.whole import wholes


def solve_lines(scene: PuzzleScene) -> tuple[int, ...]:
    """What is cheap to look at first; what is costly only while that leaves doubts."""
    evidence: list[RuleFinding] = []
    best: tuple[int, ...] = ()
    for findings_so_far in _looks(scene):
        evidence.extend(findings_so_far)
        best, lead = verdict(evidence, len(scene.choices))
        if len(best) == 1 and lead >= SURE:
            break
    return best


def _looks(scene: PuzzleScene) -> Iterator[Iterable[RuleFinding]]:
    """Look after look at the puzzle, and what it finds."""
    yield (*_measured(scene, counts(scene)), *_states(scene))
    yield (*_measured(scene, pairs(scene)), *_measured(scene, arranged(scene)))
    yield _layers(scene)
    for look in drawings(scene):
        yield _measured(scene, look)


def _measured(scene: PuzzleScene, measurements: Iterable[Measurement]) -> Iterator[RuleFinding]:
    """The findings of measurements that do not depend on how the context is read."""
    for measurement in measurements:
        if tells_apart(measurement):
            for way in scene.ways:
                yield from findings(measurement, way)


def _states(scene: PuzzleScene) -> Iterator[RuleFinding]:
    cast = list(roles(scene))
    yield from _measured(scene, states(scene, cast))
    for way in scene.ways:
        for measurement in line_states(scene, cast, way):
            if tells_apart(measurement):
                yield from findings(measurement, way)


def _layers(scene: PuzzleScene) -> Iterator[RuleFinding]:
    for way in scene.ways:
        yield from overlays(scene, way)
        yield from wholes(scene, way)
        yield from tables(scene, way)
        yield from growth(scene, way)
