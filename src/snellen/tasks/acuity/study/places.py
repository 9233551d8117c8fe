"""Where on the page: thresholds at the places of the field map.

Few charts are shown at each place, so a place alone says little. Whether places differ at all is asked of all of them
together: by how much the answers are likelier if every place has a threshold of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from snellen.psychometric import Marginal
from snellen.tasks.acuity.study.measuring import Measure
from snellen.tasks.acuity.study.readings import CardLine
from snellen.tasks.acuity.study.spots import Place

Floats = NDArray[np.float64]
ACROSS = 5
"""Places of the field map in a row and in a column."""
UNLIKE = 0.01
"""Places differ, or sight has a period, if chance makes them look so with less than this."""


@dataclass(frozen=True)
class FieldMap:
    """What was found at each place of one canvas; `cells` in rows from the top, None where nobody asked. `p`: how often
    places that do not differ would look so different."""

    canvas: str
    cells: tuple[tuple[CardLine | None, ...], ...]
    p: float

    @property
    def differ(self) -> bool:
        return self.p < UNLIKE

    @property
    def known(self) -> list[float]:
        """The thresholds that are numbers."""
        return [cell.value for row in self.cells for cell in row if cell is not None and cell.value is not None]


def field(canvas: str, found: Mapping[Place, tuple[Measure, CardLine]]) -> FieldMap:
    """The field map of one canvas."""
    cells = tuple(
        tuple(found[row, column][1] if (row, column) in found else None for column in range(ACROSS))
        for row in range(ACROSS)
    )
    return FieldMap(canvas, cells, unlike([each.found.posterior.threshold for each, _ in found.values()]))


def unlike(thresholds: Sequence[Marginal]) -> float:
    """How often thresholds that do not differ would look so different (a likelihood ratio test)."""
    if len(thresholds) < 2:
        return 1.0
    together = joint(thresholds)
    return float(scipy.special.chdtrc(len(thresholds) - 1, -2 * together.max()))


def joint(thresholds: Sequence[Marginal]) -> Floats:
    """The log likelihood of one threshold for all, on a grid that covers all, less that of each at its likeliest.

    Priors of thresholds are even, so masses are likelihoods but for a factor.
    """
    step = float(thresholds[0].values[1] - thresholds[0].values[0])
    low, high = min(each.values[0] for each in thresholds), max(each.values[-1] for each in thresholds)
    grid = np.arange(low, high + step / 2, step)
    logs = (np.log(np.maximum(each.masses, 1e-12) / each.masses.max()) for each in thresholds)
    at = [np.interp(grid, each.values, log) for each, log in zip(thresholds, logs, strict=True)]
    return np.asarray(np.sum(at, axis=0))
