"""A page in true colour: what is laid on it has light and shade and a grain, as in a photograph."""

import numpy as np

from snellen.draw.canvas import indexed
from snellen.draw.looks import Colour
from snellen.draw.png import encode
from snellen.draw.soft import STEPS
from snellen.tasks.bias.draw.things.noise import Floats, blurred, smooth_noise
from snellen.tasks.bias.draw.things.raster import StepCover

_LIGHT = 0.62
"""How much lighter than flat the side towards the light may be, and how much darker the other."""
_HALO = 0.34
"""How dark the shadow is that a thing casts on what it touches."""


class TexturedPage:
    """A picture under construction, for the same calls as `PalettePage`."""

    def __init__(self, rgb: Floats) -> None:
        self.rgb = rgb
        self.shape = (rgb.shape[0], rgb.shape[1])

    def lay(self, area: StepCover | None, ink: Colour) -> None:
        """Lay a flat colour with a fine grain through a cover."""
        if area is not None:
            self._mix(area, 0.0, ink, 0.035)

    def lay_round(self, area: StepCover | None, ink: Colour) -> None:
        """Lay a rounded body: its edge towards the light is lighter, the other darker, and it casts a shadow on what is
        below it."""
        area = area and _trimmed(area)
        if area is None:
            return
        self.shadow(area, 0.008, (0.001, 0.003), _HALO)
        height, width = area.amount.shape
        least = min(height, width)
        light = np.zeros(area.amount.shape)
        for share, weight in ((0.05, 0.45), (0.2, 0.55)):
            reach = max(1, round(share * least))
            cover = blurred(np.pad(area.amount / STEPS, 2 * reach), reach)
            # What the body has a little further down and right, less what it has further up and left.
            further, before = (
                cover[3 * reach : 3 * reach + height, 3 * reach : 3 * reach + width],
                cover[reach:, reach:],
            )
            light += weight * (further - before[:height, :width])
        self._mix(area, light * _LIGHT, ink, 0.09)

    def shadow(self, area: StepCover, soft: float, away: tuple[float, float], strength: float) -> None:
        """Darken what lies around a cover: `soft` and `away` (right, down) as shares of the picture."""
        size = self.shape[0]
        reach, right, down = max(1, round(soft * size)), round(away[0] * size), round(away[1] * size)
        dark = blurred(np.pad(area.amount / STEPS, 2 * reach), reach) * strength
        top, left = area.top - 2 * reach + down, area.left - 2 * reach + right
        bottom, far = min(top + dark.shape[0], self.shape[0]), min(left + dark.shape[1], self.shape[1])
        skip_top, skip_left = max(0, -top), max(0, -left)
        top, left = max(top, 0), max(left, 0)
        if top < bottom and left < far:
            own = dark[skip_top : skip_top + bottom - top, skip_left : skip_left + far - left, None]
            self.rgb[top:bottom, left:far] *= 1.0 - own

    def _mix(self, area: StepCover, light: Floats | float, ink: Colour, grain: float) -> None:
        height, width = area.amount.shape
        step = 1000.0 / self.shape[0]
        x = ((area.left + np.arange(width)) * step)[None, :]
        y = ((area.top + np.arange(height)) * step)[:, None]
        noise = smooth_noise(x * (1 / 5.0) + y * 0.04, y * (1 / 11.0)) + smooth_noise(x * (1 / 40.0), y * (1 / 40.0))
        shade = 1.0 + np.rint((light + grain * (noise - 1.0)) * 48) / 48
        share = (area.amount / STEPS)[:, :, None]
        patch = self.rgb[area.top : area.top + height, area.left : area.left + width]
        patch += share * (np.minimum(np.array(ink, np.float64) * shade[:, :, None], 255.0) - patch)

    def png(self) -> bytes:
        return encode(*indexed(np.clip(np.rint(self.rgb), 0, 255).astype(np.uint8)))


def _trimmed(area: StepCover) -> StepCover | None:
    """The cover without empty rows and columns at its edges."""
    rows, columns = (np.flatnonzero(area.amount.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return None
    (top, bottom), (left, right) = (rows[0], rows[-1] + 1), (columns[0], columns[-1] + 1)
    return StepCover(area.amount[top:bottom, left:right], area.top + int(top), area.left + int(left))
