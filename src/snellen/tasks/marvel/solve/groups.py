"""Groups: what the two context panels share, and which choice alone shares it too."""

from collections.abc import Callable, Iterator

from snellen.tasks.marvel.solve.decide import SAME
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import Measurement, counts, states
from snellen.tasks.marvel.solve.scene import Scene

Reading = Callable[[Scene], Iterator[Measurement]]
TOP = 6


def solve_group(scene: Scene) -> tuple[int, ...]:
    """Level by level: the choices that alone share something with both context panels."""
    heard: list[Measurement] = []
    for level in range(TOP):
        if level < len(_READINGS):
            for reading in _READINGS[level]:
                heard.extend(reading(scene))
        claims = {claim for one in heard if one.level == level for claim in claimed(one)}
        if claims:
            return tuple(sorted(claims))
    return tuple(range(len(scene.choices)))


def claimed(measurement: Measurement) -> Iterator[int]:
    """The choice that alone has the value that the context panels agree on."""
    first, *others = measurement.values
    same = SAME[measurement.sort]
    if first is None or any(value is None or not same(value, first) for value in others):
        return
    fits = [i for i, value in enumerate(measurement.choices) if value is not None and same(value, first)]
    if len(fits) == 1:
        yield fits[0]


def _states(scene: Scene) -> Iterator[Measurement]:
    return states(scene, scene.ways[0])


def _drawings(level: int) -> Reading:
    return lambda scene: drawings(scene, level)


_READINGS: tuple[tuple[Reading, ...], ...] = ((counts, _states), (_drawings(1),), (_drawings(2),))
