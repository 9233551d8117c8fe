"""Sequences, pairs of rows and matrices: what goes on along the lines."""

from collections.abc import Callable, Iterator

from snellen.tasks.marvel.solve.decide import Vote, agreed, tells_apart, votes
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import Measurement, counts, states
from snellen.tasks.marvel.solve.overlay import overlays, tables
from snellen.tasks.marvel.solve.scene import Scene
from snellen.tasks.marvel.solve.whole import wholes

TOP = 9


def solve_lines(scene: Scene) -> tuple[int, ...]:
    """Level by level: the votes of all measurements of that level, until one choice is left."""
    left = frozenset(range(len(scene.choices)))
    heard: list[Vote] = []
    for level in range(TOP):
        if level < len(_READINGS):
            for reading in _READINGS[level]:
                heard.extend(reading(scene))
        left = agreed([vote for vote in heard if vote.level == level], left)
        if len(left) == 1:
            break
    return tuple(sorted(left))


def _measured(scene: Scene, found: Iterator[Measurement]) -> Iterator[Vote]:
    """The votes of measurements that do not depend on how the context is read."""
    for measurement in found:
        if tells_apart(measurement):
            for way in scene.ways:
                yield from votes(measurement, way)


def _counts(scene: Scene) -> Iterator[Vote]:
    return _measured(scene, counts(scene))


def _states(scene: Scene) -> Iterator[Vote]:
    for way in scene.ways:
        for measurement in states(scene, way):
            if tells_apart(measurement):
                yield from votes(measurement, way)


def _overlays(scene: Scene) -> Iterator[Vote]:
    for way in scene.ways:
        yield from overlays(scene, way, 1)


def _wholes(scene: Scene) -> Iterator[Vote]:
    for way in scene.ways:
        yield from wholes(scene, way, 1, fills=True)


def _tables(scene: Scene) -> Iterator[Vote]:
    for way in scene.ways:
        yield from tables(scene, way, 2)


def _drawings(level: int) -> "Reading":
    return lambda scene: _measured(scene, drawings(scene, level))


Reading = Callable[[Scene], Iterator[Vote]]
_READINGS: tuple[tuple[Reading, ...], ...] = (
    (_counts, _states),
    (_overlays, _wholes, _drawings(1)),
    (_tables, _drawings(2)),
)
