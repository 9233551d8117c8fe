"""Views of a scene: pixels, and which thing is seen at each.

A scene is prepared once (its faces as arrays, its shadows); then views from anywhere are cheap. Edges are smoothed:
each pixel has two by two samples, coloured one by one where they show different faces and once where they agree.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from snellen.draw.png import encode_rgb
from snellen.tasks.capacity.draw.space.camera import Camera, Overhead
from snellen.tasks.capacity.draw.space.lens import Lens, Parallel, Perspective
from snellen.tasks.capacity.draw.space.light import INDOORS, Light, Lighting, lighting
from snellen.tasks.capacity.draw.space.mesh import Ints, Mesh, mesh_of
from snellen.tasks.capacity.draw.space.paint import Floats
from snellen.tasks.capacity.draw.space.polygons import eyes
from snellen.tasks.capacity.draw.space.raster import NOTHING, Buffer, areas, fill
from snellen.tasks.capacity.draw.space.shade import Shader, shader, sky
from snellen.tasks.capacity.draw.space.solids import SolidScene, Spot

_FINE = 2
"""Samples to a pixel's side."""
_CHUNK = 32768
"""Samples coloured at a time: few enough to stay in the processor's cache."""
_MANY = 600
"""Samples of one polygon from which they are coloured by themselves, without looking anything up for each."""
_DOWN, _RIGHT = np.array(((0,), (0,), (1,), (1,))), np.array(((0,), (1,), (0,), (1,)))
"""Where a pixel's samples are."""
_SCREENS = 8
"""Small views taken at a time."""
_STEP = 4
"""Colours are rounded to multiples of this (and white)."""


@dataclass(frozen=True)
class RenderedStage:
    """A scene made ready to be looked at. Its shadows are worked out when first needed: `look` does without."""

    scene: SolidScene
    mesh: Mesh
    light: Light

    @cached_property
    def lighting(self) -> Lighting:
        return lighting(self.mesh, self.light)


@dataclass(frozen=True)
class RenderedView:
    """`ids` is the number of the thing seen at each pixel (-1: the sky); `paint` gives the pixels.

    The thing of a pixel is the one seen at its left upper sample, a quarter of a pixel in from the corner.
    """

    paint: Callable[[], NDArray[np.uint8]]
    ids: NDArray[np.int32]
    names: tuple[str, ...]

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """Height x width x RGB, painted when first asked for: many views are only tried, and dropped for their ids."""
        return self.paint()

    def seen(self) -> dict[str, int]:
        """How many pixels show each thing, for all that are seen at all."""
        counts = np.bincount(self.ids.ravel() + 1, minlength=len(self.names) + 1)[1:]
        return {name: int(count) for name, count in zip(self.names, counts, strict=True) if count}

    def box(self, name: str) -> tuple[int, int, int, int] | None:
        """The rectangle (left, top, right, bottom; the last two exclusive) around what is seen of a thing."""
        found = self._boxes[self.names.index(name)]
        return (found[1].start, found[0].start, found[1].stop, found[0].stop) if found else None

    @cached_property
    def _boxes(self) -> list[tuple[slice, ...] | None]:
        """Rows and columns around what is seen of each thing."""
        from scipy.ndimage import find_objects  # here, for whoever lists the tasks needs none of it

        return list(find_objects(self.ids + 1, len(self.names)))

    def png(self) -> bytes:
        return encode_rgb(self.pixels)


def prepare(scene: SolidScene, light: Light = INDOORS) -> RenderedStage:
    return RenderedStage(scene, mesh_of(scene), light)


def render(stage: RenderedStage, camera: Camera, width: int = 640, height: int = 480) -> RenderedView:
    """What the camera sees."""
    lens = Perspective(camera, width * _FINE, height * _FINE)
    return _view(stage, lens, camera, width, height)


def render_map(stage: RenderedStage, centre: Spot, span: float, width: int = 640, height: int = 640) -> RenderedView:
    """The scene from straight above, north up, `span` metres wide, like an aerial photograph."""
    return _view(stage, _map_lens(Overhead(centre, span), width, height), None, width, height)


def look(stage: RenderedStage, camera: Camera, width: int = 160, height: int = 120) -> RenderedView:
    """Only which things are seen where, much faster than a view; its pixels are black."""
    lens = Perspective(camera, width, height)
    polygons = lens.polygons(stage.mesh, np.ones(len(stage.mesh.counts), bool))
    buffer = fill(polygons, width, height, 0.0)
    ids = _ids(stage.mesh, polygons.face, buffer.polygon)
    return RenderedView(lambda: np.zeros((height, width, 3), np.uint8), ids, _names(stage))


def glances(stage: RenderedStage, cameras: Sequence[Camera], width: int, height: int) -> Iterator[dict[str, int]]:
    """How many pixels show each thing, for all that are seen at all: what `look` sees through each of these cameras,
    counted at once. A few cameras look together, as many as the processor's cache can hold screens of."""
    many = len(stage.scene.things)
    for start in range(0, len(cameras), _SCREENS):
        some = cameras[start : start + _SCREENS]
        polygons = eyes(some, width, height).polygons(stage.mesh, np.ones(len(stage.mesh.counts), bool))
        shown = fill(polygons, width, height, 0.0, len(some)).polygon
        counts = np.bincount((shown + 1).ravel(), minlength=len(polygons.face) + 1)[1:]
        things = polygons.screen * many + stage.mesh.thing[polygons.face]
        for row in np.bincount(things, counts, len(some) * many).astype(np.int64).reshape(-1, many).tolist():
            yield {name: count for name, count in zip(_names(stage), row, strict=True) if count}


def covered(stage: RenderedStage, name: str, cameras: Sequence[Camera], width: int, height: int) -> list[int]:
    """How many pixels of each camera's screen a thing would cover if nothing else were there."""
    alone = stage.mesh.thing == _names(stage).index(name)
    polygons = eyes(cameras, width, height).polygons(stage.mesh, alone)
    pixels: list[int] = areas(polygons, width, height, len(cameras)).tolist()
    return pixels


def outlines(stage: RenderedStage, names: Collection[str], camera: Camera, width: int, height: int) -> dict[str, int]:
    """How many pixels each of these things would cover if nothing else were there."""
    numbers = {number: name for number, name in enumerate(_names(stage)) if name in names}
    chosen = np.isin(stage.mesh.thing, list(numbers))
    polygons = eyes((camera,), width, height).polygons(stage.mesh, chosen)
    thing = stage.mesh.thing[polygons.face]
    return {name: int(areas(polygons.only(thing == number), width, height, 1)[0]) for number, name in numbers.items()}


def _names(stage: RenderedStage) -> tuple[str, ...]:
    return tuple(thing.name for thing in stage.scene.things)


def _map_lens(overhead: Overhead, width: int, height: int) -> Parallel:
    scale = width * _FINE / overhead.span
    left = overhead.centre[0] - overhead.span * 0.5
    top = overhead.centre[1] + overhead.span * 0.5 * height / width
    return Parallel((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (left, top), scale)


def _ids(mesh: Mesh, faces: NDArray[np.int64], number: NDArray[np.int32]) -> NDArray[np.int32]:
    table = np.append(mesh.thing[faces], NOTHING).astype(np.int32)  # the last row serves NOTHING
    return table[number]


def _view(stage: RenderedStage, lens: Lens, camera: Camera | None, width: int, height: int) -> RenderedView:
    polygons = lens.polygons(stage.mesh, np.ones(len(stage.mesh.counts), bool))
    buffer = fill(polygons, width * _FINE, height * _FINE, 0.0 if camera else -1e9)
    ids = _ids(stage.mesh, polygons.face, buffer.polygon[::_FINE, ::_FINE])

    def paint() -> NDArray[np.uint8]:
        brush = _Brush(shader(stage.mesh, stage.lighting, lens, polygons, camera), camera, width, height)
        return brush.picture(buffer)

    return RenderedView(paint, ids, _names(stage))


@dataclass(frozen=True, slots=True)
class _Brush:
    """Turns a buffer of samples into pixels."""

    shader: Shader
    camera: Camera | None
    width: int
    height: int

    def picture(self, buffer: Buffer) -> NDArray[np.uint8]:
        number, near = buffer.polygon, buffer.near
        alike, shown = number[:, ::2] == number[:, 1::2], number[::2, ::2].ravel()
        even = (alike[::2] & alike[1::2]).ravel() & (shown == number[1::2, ::2].ravel())
        across = near[:, ::2] + near[:, 1::2]
        middle = (0.25 * (across[::2] + across[1::2])).ravel()
        picture = np.empty((3, self.height * self.width), np.uint8)
        for polygon, at in _by_polygon(shown, np.flatnonzero(even)):
            row, column = self._places(at)
            x, y = (2 * place.astype(np.float64) + 1.0 for place in (column, row))
            if polygon is None or polygon == NOTHING:
                _put(picture, at, self._coloured(shown[at], x, y, middle[at]))
            else:
                _put(picture, at, self.shader.colours_of_one(polygon, x, y, middle[at]))
        mixed = np.flatnonzero(~even)
        _put(picture, mixed, self._mixed(buffer, *self._places(mixed)))
        return np.stack(tuple(picture), axis=1).reshape(self.height, self.width, 3)

    def _places(self, at: Ints) -> tuple[Ints, Ints]:
        """The rows and columns of these pixels: what `np.divmod` gives, which takes several times as long."""
        row = at // self.width
        return row, at - row * self.width

    def _mixed(self, buffer: Buffer, row: Ints, column: Ints) -> Floats:
        """The mean colour of each of these pixels' four samples, which are coloured all together: the few that show the
        same paint are not looked for four times."""
        row, column = (2 * row + _DOWN).ravel(), (2 * column + _RIGHT).ravel()
        at = row * (2 * self.width) + column
        x, y = (0.5 + place.astype(np.float64) for place in (column, row))
        coloured = self._coloured(buffer.polygon.ravel()[at], x, y, buffer.near.ravel()[at])
        first, second, third, fourth = coloured.reshape(3, 4, -1).swapaxes(0, 1)
        mean: Floats = (first + second + third + fourth) * 0.25
        return mean

    def _coloured(self, number: NDArray[np.int32], x: Floats, y: Floats, near: Floats) -> Floats:
        colours = np.empty((3, len(number)))
        for start in range(0, len(number), _CHUNK):
            part = slice(start, start + _CHUNK)
            colours[:, part] = self._chunk(number[part], x[part], y[part], near[part])
        return colours

    def _chunk(self, number: NDArray[np.int32], x: Floats, y: Floats, near: Floats) -> Floats:
        solid = np.flatnonzero(number != NOTHING)
        if len(solid) == len(number):
            return self.shader.colours(number.astype(np.int64), x, y, near)
        colours = np.zeros((3, len(number)))
        if self.camera:
            colours = sky(self.camera, self.width * _FINE, self.height * _FINE, x, y)
        if len(solid):
            colours[:, solid] = self.shader.colours(number[solid].astype(np.int64), x[solid], y[solid], near[solid])
        return colours


def _by_polygon(number: NDArray[np.int32], chosen: Ints) -> Iterator[tuple[int | None, Ints]]:
    """The chosen samples, each polygon that has many of them by itself and the rest together (as None); in chunks."""
    shown = number[chosen]
    numbered = np.bincount(shown + 1)  # NOTHING comes first
    large = numbered >= _MANY
    is_large = large[shown + 1]
    rest = chosen[~is_large]
    if len(rest):
        yield None, rest
    among = np.flatnonzero(is_large)
    order = among[np.argsort(_short(shown[among]), kind="stable")]
    ends = np.cumsum(numbered[large]).tolist()
    for polygon, start, end in zip((np.flatnonzero(large) - 1).tolist(), [0, *ends], ends, strict=False):
        for first in range(start, end, _CHUNK):
            yield polygon, chosen[order[first : min(end, first + _CHUNK)]]


def _short(number: NDArray[np.int32]) -> NDArray[np.signedinteger]:
    """In 16 bits if they are enough: such numbers are sorted much faster."""
    return number.astype(np.int16) if not len(number) or number.max() < 1 << 15 else number


def _put(picture: NDArray[np.uint8], at: Ints, colours: Floats) -> None:
    quantised = _quantised(colours)
    for channel in range(3):
        picture[channel, at] = quantised[channel]


def _quantised(colours: Floats) -> NDArray[np.uint8]:
    scaled = np.clip(colours, 0.0, 1.0)
    scaled *= 255.0 / _STEP
    scaled += 0.5
    steps = scaled.astype(np.uint8)
    quantised: NDArray[np.uint8] = steps * np.uint8(_STEP) - (steps == 256 // _STEP)  # 256, which is 0 here: 255
    return quantised
