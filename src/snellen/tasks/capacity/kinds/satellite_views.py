"""The pictures of a satellite item: the map with its lettered candidates, and views towards the landmark."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import atan2, degrees, hypot

import numpy as np
from numpy.typing import NDArray

from snellen.draw.png import encode_rgb
from snellen.draw.soft import STEPS, Cover, disc, fitted
from snellen.tasks.capacity.draw.space.camera import Camera, Overhead
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.render import RenderedStage, RenderedView, look, prepare, render, render_map
from snellen.tasks.capacity.draw.space.solids import Spot, cosine, sine
from snellen.tasks.capacity.town import Town, scene

SPAN = 168.0
"""Metres of the map from left to right."""
MAP, PHOTO, SMALL = (720, 720), (640, 480), (160, 120)
EYE, PITCH, FIELD = 1.7, 8.0, 72.0
_DISC, _LETTER = 27, 15
_INK, _PAPER = (24, 26, 34), (255, 255, 255)
_COARSE = 0.4
"""Metres of the finest shadow in views that only a program compares."""
_LEAST = 0.0012
"""Share of a photo's pixels from which a thing counts as seen."""
_FLAT = ("ground", "woods", "square", "park", "road", "corner", "crossing", "zebra")


@dataclass(frozen=True, slots=True)
class SeenBuilding:
    """Something in a photo: the degrees from the middle of the photo where it begins and ends (left is negative), how
    many degrees above the horizon it reaches, and its share of the photo's pixels."""

    name: str
    left: float
    right: float
    top: float
    share: float


def bearing(start: Spot, end: Spot = (0.0, 0.0)) -> float:
    """The compass bearing from one spot to another (the landmark), in tenths of a degree."""
    return round(degrees(atan2(end[0] - start[0], end[1] - start[1])), 1) % 360.0


def distance(start: Spot, end: Spot = (0.0, 0.0)) -> float:
    return hypot(end[0] - start[0], end[1] - start[1])


def camera(at: Spot, aside: float) -> Camera:
    """An eye that looks `aside` degrees to the right of the landmark."""
    return Camera((*at, EYE), round(bearing(at) + aside, 1), PITCH, FIELD)


def stage(town: Town) -> RenderedStage:
    return prepare(scene(town), town.light())


def draft(town: Town) -> RenderedStage:
    """For small views: its shadows are coarse and cheap."""
    return prepare(scene(town), replace(town.light(), texel=_COARSE))


def photo(town: RenderedStage, at: Spot, aside: float) -> RenderedView:
    return render(town, camera(at, aside), *PHOTO)


def small(town: RenderedStage, at: Spot, aside: float) -> RenderedView:
    return render(town, camera(at, aside), *SMALL)


def is_flat(name: str) -> bool:
    """Whether a thing belongs to the land and its streets."""
    return name.split()[0] in _FLAT


def sights(town: RenderedStage, at: Spot, aside: float) -> tuple[SeenBuilding, ...]:
    """Everything that can be made out in a photo, from left to right. The land and its streets are left out."""
    view = look(town, camera(at, aside), *PHOTO)
    sideways, upwards = _angles()
    seen = []
    for name, count in view.seen().items():
        share = round(count / view.ids.size, 4)
        if not is_flat(name) and share >= _LEAST:
            shown = view.ids == view.names.index(name)
            ends = (sideways[shown].min(), sideways[shown].max(), upwards[shown].max())
            left, right, top = (round(float(end), 1) for end in ends)
            seen.append(SeenBuilding(name, left, right, top, share))
    return tuple(sorted(seen, key=lambda sight: (sight.left + sight.right, sight.name)))


@cache
def _angles() -> tuple[Floats, Floats]:
    """For each pixel of a photo the degrees it is to the right of the middle, and above the horizon."""
    width, height = PHOTO
    focus = Camera((0.0, 0.0, EYE), 0.0, PITCH, FIELD).focus(width)
    across = (np.arange(width) + 0.5 - width / 2)[None, :]
    above = (height / 2 - 0.5 - np.arange(height))[:, None]
    ahead = focus * cosine(PITCH) - above * sine(PITCH)
    risen = focus * sine(PITCH) + above * cosine(PITCH)
    sideways = np.degrees(np.arctan2(across, ahead))
    return sideways, np.degrees(np.arctan2(risen, np.hypot(across, ahead)))


def chart(town: RenderedStage, candidates: Mapping[str, Spot]) -> bytes:
    """The map: the town from straight above, a lettered disc at each candidate."""
    pixels = render_map(town, (0.0, 0.0), SPAN, *MAP).pixels
    above = Overhead((0.0, 0.0), SPAN)
    for letter, (x, y) in candidates.items():
        across, down, _ = above.spot((x, y, 0.0), *MAP)
        for cover, ink in _marker(letter):
            side = len(cover)
            _lay(pixels, cover, round(down) - side // 2, round(across) - side // 2, ink)
    return encode_rgb(pixels)


def _marker(letter: str) -> Iterator[tuple[Cover, tuple[int, int, int]]]:
    yield disc(_DISC, 4 * _DISC), _INK
    yield disc(_DISC, 4 * _DISC - 14), _PAPER
    yield fitted(letter, _LETTER, _DISC), _INK


def _lay(pixels: NDArray[np.uint8], cover: Cover, top: int, left: int, ink: tuple[int, int, int]) -> None:
    side = len(cover)
    patch = pixels[top : top + side, left : left + side]
    share = cover[:, :, None].astype(np.int64)
    patch[:] = (patch * (STEPS - share) + np.array(ink) * share + STEPS // 2) // STEPS
