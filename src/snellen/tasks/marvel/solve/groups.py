"""Groups: what the two context panels share, and which choice shares it too."""

from collections.abc import Iterator

from snellen.tasks.marvel.solve.decide import Finding, Measurement, shared, tells_apart, verdict
from snellen.tasks.marvel.solve.drawing import drawings
from snellen.tasks.marvel.solve.measure import counts
from snellen.tasks.marvel.solve.pairs import pairs
from snellen.tasks.marvel.solve.scene import Scene
from snellen.tasks.marvel.solve.states import roles, states
from snellen.tasks.marvel.solve.whole import turned


def solve_group(scene: Scene) -> tuple[int, ...]:
    """Everything is looked at: two panels share much by accident, and only the whole says what is simplest."""
    return verdict(reasons(scene), len(scene.choices)).best


def reasons(scene: Scene) -> list[Finding]:
    """All that the context panels share, the weightiest first."""
    found = [finding for one in _measurements(scene) if tells_apart(one) for finding in shared(one)]
    found.extend(turned(scene))
    return sorted(found, key=lambda finding: -finding.bits)


def _measurements(scene: Scene) -> Iterator[Measurement]:
    yield from counts(scene)
    # A single coordinate that two panels share is more likely an accident than a rule.
    for one in states(scene, list(roles(scene))):
        yield one._replace(cost=one.cost + 1) if one.name.startswith(("x ", "y ", "column", "row")) else one
    yield from pairs(scene)
    for look in drawings(scene):
        yield from look
