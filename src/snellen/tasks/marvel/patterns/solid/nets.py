"""All nets of a solid: every way to cut it open so that it lies flat in one piece.

A net keeps a tree of the solid's edges uncut. The trees are listed, each is unfolded face by face in the plane, and
those of the same outline (turned or mirrored) are put together: eleven kinds for the cube.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import sqrt

from snellen.tasks.marvel.patterns.solid.bodies import SolidBody, neighbours

Flat = tuple[tuple[complex, ...], ...]
"""Faces in the plane: the corners of each in the solid's order, x + y j with y down, sides 1 long."""
Seam = tuple[tuple[int, int], tuple[int, int]]
"""Two faces of a net that hang together: (face, side) and (other face, its side)."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    flat: Flat
    seams: tuple[Seam, ...]


_TURN_RIGHT = {3: complex(-0.5, sqrt(3) / 2), 4: 1j}
"""By what a walk along the sides turns at each corner, clockwise since y points down."""


@cache
def kinds(solid: SolidBody) -> tuple[tuple[Net, ...], ...]:
    """The nets of a solid, those of the same shape together."""
    by_shape: dict[tuple[complex, ...], list[Net]] = defaultdict(list)
    for tree in _trees(solid):
        net = _unfold(solid, tree)
        by_shape[_shape(net.flat)].append(net)
    return tuple(
        tuple(nets) for _, nets in sorted(by_shape.items(), key=lambda kind: [(z.real, z.imag) for z in kind[0]])
    )


def _trees(solid: SolidBody) -> list[frozenset[tuple[int, int]]]:
    """Every set of edges, named by the two faces they join, that joins all faces without a ring."""
    edges = sorted({(min(face, other), max(face, other)) for (face, _), (other, _) in neighbours(solid).items()})
    many = len(solid.faces)
    trees = []
    for tree in combinations(edges, many - 1):
        reached = {0}
        for _ in tree:
            reached |= {face for edge in tree if reached & set(edge) for face in edge}
        if len(reached) == many:
            trees.append(frozenset(tree))
    return trees


def _unfold(solid: SolidBody, tree: frozenset[tuple[int, int]]) -> Net:
    across = neighbours(solid)
    placed = {0: _polygon(len(solid.faces[0]), 0, 0j, 1 + 0j)}
    waiting = [0]
    seams: list[Seam] = []
    while waiting:
        face = waiting.pop()
        for side in range(len(solid.faces[face])):
            beyond, side_there = across[face, side]
            if beyond in placed or (min(face, beyond), max(face, beyond)) not in tree:
                continue
            corners = placed[face]
            # The neighbour walks the shared side the other way round.
            start, end = corners[(side + 1) % len(corners)], corners[side]
            placed[beyond] = _polygon(len(solid.faces[beyond]), side_there, start, end)
            seams.append(((face, side), (beyond, side_there)))
            waiting.append(beyond)
    return Net(tuple(placed[face] for face in range(len(solid.faces))), tuple(seams))


def _polygon(many: int, side: int, start: complex, end: complex) -> tuple[complex, ...]:
    """The corners of a regular polygon whose side number `side` goes from `start` to `end`."""
    walk = [start]
    step = end - start
    for _ in range(many - 1):
        walk.append(walk[-1] + step)
        step *= _TURN_RIGHT[many]
    return tuple(walk[(i - side) % many] for i in range(many))


def _shape(flat: Flat) -> tuple[complex, ...]:
    """The same for nets of the same outline, turned (by twelfths) or mirrored: the middles of the faces, in order."""
    middles = [sum(corners) / len(corners) for corners in flat]
    centre = sum(middles) / len(middles)
    forms = []
    twelfth = complex(sqrt(3) / 2, 0.5)
    for mirror in (False, True):
        spokes = [(z - centre).conjugate() if mirror else z - centre for z in middles]
        for _ in range(12):
            spokes = [z * twelfth for z in spokes]
            rounded = [complex(round(z.real, 3) + 0.0, round(z.imag, 3) + 0.0) for z in spokes]
            forms.append(sorted(rounded, key=lambda z: (z.real, z.imag)))
    return tuple(min(forms, key=lambda form: [(z.real, z.imag) for z in form]))
