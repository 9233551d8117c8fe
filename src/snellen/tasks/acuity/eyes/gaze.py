"""One look: through which eyes, with how much noise, and where its chances come from.

Limits wobble: from look to look the least contrast, the count and the room around a letter are a little more or less
than planted, by a factor whose log10 has an sd of `WOBBLE`. So what is near a limit is sometimes within it: that is the
slope of the psychometric function. What is just at the limit is within it 63 % of the time, as a threshold is defined.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.tasks.acuity.eyes import glimpse as glimpses
from snellen.tasks.acuity.eyes.glimpse import Glimpse, Pixels
from snellen.tasks.acuity.eyes.sight import Eyesight

WOBBLE = 0.08
_AT_LIMIT = 0.3377
"""So many sds above the mean lie 63 % (1 - 1/e) of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What is behind the eyes: the most things it counts, how near to others a letter may stand (in letter sizes from
    middle to middle), and the noise that it compares with (its sd, in grey levels of a pixel)."""

    count: int | None = None
    crowd: float = 0
    noise: float = 8


@dataclass(frozen=True)
class Gaze:
    """One look. Everything by chance comes from its seed, each thing from a source of its own."""

    sight: Eyesight
    mind: Mind
    seed: int

    @cached_property
    def eyes(self) -> Eyesight:
        """The eyes at this moment."""
        return replace(self.sight, contrast=min(1.0, self.sight.contrast * self.wobble("contrast")))

    def source(self, what: str) -> np.random.Generator:
        """PCG64 and its normal numbers are the same on every machine."""
        return np.random.Generator(np.random.PCG64([self.seed, *what.encode()]))

    def wobble(self, what: str) -> float:
        """What a least limit is to be multiplied by, and a most to be divided by."""
        return float(10 ** (WOBBLE * (self.source(what).standard_normal() - _AT_LIMIT)))

    def at(self, pixels: Pixels) -> Glimpse | None:
        """What is seen of a picture; None where nothing is."""
        return glimpses.glimpse(pixels, self.eyes)
