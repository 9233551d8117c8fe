"""Eyes with known limits, as one frozen value: `cap=768,blur=1.5,contrast=0.05`, and what they see of a picture."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from snellen.errors import UserError
from snellen.subjects import settings
from snellen.subjects.settings import Schema, SubjectSetting, number, one_of, whole
from snellen.tasks.acuity.eyes import optics, scaling
from snellen.tasks.acuity.eyes.scaling import Shown, Size

WHOSE = "sim/eyes"


@dataclass(frozen=True, slots=True)
class Eyesight:
    """What stands between a picture and whoever looks at it; by default nothing. Of several caps all hold."""

    cap: int | None = None
    """The longest side, in pixels."""
    short: int | None = None
    """The longest that the shorter side may be, in pixels, after fitting into a square of 2048."""
    area: int | None = None
    """The most pixels."""
    tiles: int | None = None
    """The most tiles of 512 pixels a side."""
    blur: float = 0
    """The sigma of a Gaussian, in pixels of the picture as it arrives."""
    contrast: float = 0
    """The least contrast with the ground that is seen, from 0 to 1 (`optics.without_faint`)."""
    colour: str | None = None
    """Which cone is missing."""
    loss: float = 1
    """How much of that cone is missing."""
    patch: int | None = None
    """The side of the patches that it is seen in, in pixels of the picture as it arrives."""
    cells: int | None = None
    """How many cells a side each patch is averaged in; all its pixels if None."""
    jitter: int = 0
    """How far off its place a patch is looked at, in pixels."""

    @property
    def name(self) -> str:
        """As it is written after `sim/eyes`."""
        return settings.written({k: v for k, v in asdict(self).items() if v is not None}, SCHEMA)


_PIXELS = 2**31 - 1

SCHEMA: Schema = (
    SubjectSetting("cap", "a whole number of pixels from 1: the longest side", whole(1, _PIXELS)),
    SubjectSetting(
        "short", "a whole number of pixels from 1: the shorter side, after fitting into 2048", whole(1, _PIXELS)
    ),
    SubjectSetting("area", "a whole number of pixels from 1: the most in all", whole(1, _PIXELS)),
    SubjectSetting(
        "tiles", f"a whole number from 1 to 1024: the most tiles of {scaling.TILE} px a side", whole(1, 1024)
    ),
    SubjectSetting("blur", "a number of pixels from 0 to 100", number(0, 100), 0),
    SubjectSetting("contrast", "a number from 0 to 1: the least that is seen", number(0, 1), 0),
    SubjectSetting("colour", "one of " + ", ".join(optics.DEFICIENCIES), one_of(*optics.DEFICIENCIES)),
    SubjectSetting("loss", "a number from 0 to 1: how much of a kind of cone is missing", number(0, 1), 1),
    SubjectSetting("patch", "a whole number of pixels from 2 to 1024", whole(2, 1024)),
    SubjectSetting("cells", "a whole number from 1: cells along a patch's side", whole(1, 1024)),
    SubjectSetting("jitter", "a whole number of pixels from 0", whole(0, 512), 0),
)


def sight_of(pairs: tuple[tuple[str, str], ...]) -> Eyesight:
    """The eyes that the settings after a name stand for."""
    sight = Eyesight(**settings.read(pairs, SCHEMA, WHOSE))  # type: ignore[arg-type]
    given = {name for name, _ in pairs}
    for name, needed in (("loss", "colour"), ("cells", "patch"), ("jitter", "patch")):
        if name in given and needed not in given:
            raise UserError(f"{WHOSE}: {name} says nothing without {needed}; give both, or leave {name} out")
    if sight.patch is not None and (sight.cells or 0) > sight.patch:
        raise UserError(f"{WHOSE}: cells={sight.cells}: expected at most patch={sight.patch}, a cell for each pixel")
    if sight.patch is not None and 2 * sight.jitter > sight.patch:
        raise UserError(f"{WHOSE}: jitter={sight.jitter}: expected at most half of patch={sight.patch}")
    return sight


def arriving(size: Size, sight: Eyesight) -> Size:
    """The width and height at which a picture of that width and height arrives."""
    caps = (
        (scaling.long_edge, sight.cap),
        (scaling.short_edge, sight.short),
        (scaling.area, sight.area),
        (scaling.tiles, sight.tiles),
    )
    for rule, cap in caps:
        size = size if cap is None else rule(size, cap)
    return size


def look(pixels: NDArray[np.uint8], sight: Eyesight) -> Shown:
    """What is left of a picture (height x width x RGB): first a server shrinks it, then eyes look at it."""
    shown = pixels.astype(np.float32)
    shown = scaling.shrunk(shown, arriving((shown.shape[1], shown.shape[0]), sight))
    return through(shown, sight)


def through(shown: Shown, sight: Eyesight, below: Shown | None = None) -> Shown:
    """What eyes take in of a picture as it arrives: light is blurred and colours are taken in, then patches are made of
    that, and last what is too faint on its ground goes."""
    shown = optics.blurred(shown, sight.blur)
    if sight.colour is not None and shown.shape[2] == len("RGB"):  # greys are seen as they are
        shown = optics.confused(shown, sight.colour, sight.loss)
    if sight.patch is not None:
        shown = optics.in_patches(shown, sight.patch, sight.cells or sight.patch, sight.jitter)
    return optics.without_faint(shown, sight.contrast, below)
