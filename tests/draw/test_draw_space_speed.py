"""The quick ways through the renderer give what the plain ways give, to the last bit."""

from dataclasses import astuple

import numpy as np
import pytest

from snellen.rng import stream
from snellen.tasks.capacity.draw.space import raster
from snellen.tasks.capacity.draw.space import render as render_module
from snellen.tasks.capacity.draw.space.camera import Camera
from snellen.tasks.capacity.draw.space.lens import Parallel, Perspective
from snellen.tasks.capacity.draw.space.light import ShadowMap
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.models import FURNITURE
from snellen.tasks.capacity.draw.space.polygons import Eyes, eyes
from snellen.tasks.capacity.draw.space.render import RenderedStage, covered, glances, look, prepare, render
from snellen.tasks.capacity.draw.space.shade import shader
from snellen.tasks.capacity.draw.space.solids import SolidScene
from snellen.tasks.capacity.flats.plan import EYE, Flat, Furniture, flat_of, photos_of
from snellen.tasks.capacity.flats.space import AxisBox, block_of
from snellen.tasks.capacity.flats.views import photos_in
from snellen.tasks.capacity.kinds.direction import KIND


@pytest.fixture(scope="module")
def flat() -> Flat:
    return flat_of(KIND.make(stream(1, "speed"), "standard", 1))


@pytest.fixture(scope="module")
def stage(flat: Flat) -> RenderedStage:
    return flat.stage


@pytest.fixture(scope="module")
def camera() -> Camera:
    return photos_of(KIND.make(stream(1, "speed"), "standard", 1))[0].camera


@pytest.fixture(scope="module")
def cameras() -> list[Camera]:
    """More than are looked through at once, in all rooms."""
    flat, rng = flat_of(KIND.make(stream(1, "speed"), "standard", 1)), stream(2, "speed")
    return [photo.camera for room in flat.rooms for photo in photos_in(rng, flat, room, 6)]


@pytest.mark.parametrize("screen", [(160, 120), (400, 300)])
def test_glances_count_what_looks_see(stage: RenderedStage, cameras: list[Camera], screen: tuple[int, int]) -> None:
    assert len(cameras) > render_module._SCREENS
    assert list(glances(stage, cameras, *screen)) == [look(stage, camera, *screen).seen() for camera in cameras]


def test_many_cameras_project_what_each_does_alone(stage: RenderedStage, cameras: list[Camera]) -> None:
    every = np.ones(len(stage.mesh.counts), bool)
    together = eyes(cameras, 160, 120).polygons(stage.mesh, every)
    for number, camera in enumerate(cameras):
        alone = Perspective(camera, 160, 120).polygons(stage.mesh, every)
        ours = np.flatnonzero(together.screen == number)
        corners = np.repeat(together.screen, together.counts) == number
        assert (together.x[corners] == alone.x).all()
        assert (together.y[corners] == alone.y).all()
        assert (together.face[ours] == alone.face).all()
        assert (together.plane[ours] == alone.plane).all()


def test_the_cover_of_a_thing_is_what_a_look_at_it_alone_shows(
    stage: RenderedStage, cameras: list[Camera], flat: Flat
) -> None:
    several = 0
    for piece in flat.pieces:
        alone = prepare(SolidScene((piece.thing,)))
        seen = [look(alone, camera, 200, 150).seen().get(piece.name, 0) for camera in cameras]
        assert covered(stage, piece.name, cameras, 200, 150) == seen
        several += sum(map(bool, seen)) > 1
    assert several >= 2


@pytest.mark.parametrize("screen", [(160, 120), (400, 300)])
def test_however_polygons_are_laid_the_same_ones_are_nearest(
    stage: RenderedStage, camera: Camera, screen: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    polygons = Perspective(camera, *screen).polygons(stage.mesh, np.ones(len(stage.mesh.counts), bool))
    filled = []
    for sketch, alone in ((0, 0), (10**9, 10**9), (10**9, 900)):
        monkeypatch.setattr(raster, "_SKETCH", sketch)
        monkeypatch.setattr(raster, "_ALONE", alone)
        filled.append(raster.fill(polygons, *screen, 0.0))
    for other in filled[1:]:
        assert (filled[0].polygon == other.polygon).all()
        assert (filled[0].near == other.near).all()


def test_leaving_out_what_is_not_in_view_leaves_out_nothing_that_is_seen(
    stage: RenderedStage, flat: Flat, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = stream(0, "views")
    spots = [room.middle for room in flat.rooms] + [(rng.between(-2, 9), rng.between(-2, 9)) for _ in range(6)]
    lenses = [
        Perspective(Camera((*spot, EYE), 40 * turn, pitch, 75), 160, 120)
        for spot in spots
        for turn in range(9)
        for pitch in (-40, 10)
    ]
    mesh, every = stage.mesh, np.ones(len(stage.mesh.counts), bool)
    left_out = [(~eyes((lens.camera,), 160, 120).in_view(mesh)).sum() for lens in lenses]
    assert np.mean(left_out) > len(stage.scene.things) / 4
    culled = [lens.polygons(mesh, every) for lens in lenses]
    monkeypatch.setattr(Eyes, "in_view", lambda *_: np.ones((1, len(mesh.middle)), bool))
    for lens, some in zip(lenses, culled, strict=True):
        for one, other in zip(astuple(lens.polygons(mesh, every)), astuple(some), strict=True):
            assert np.array_equal(one, other)


def test_a_shadow_map_knows_the_extremes_of_every_four_rays() -> None:
    values = [stream(number, "rays").between(0, 9) for number in range(63)]
    near = np.array(values, np.float32).reshape(7, 9)
    least, most = ShadowMap(Parallel((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0), 1.0), near)._four
    fours = np.stack([near[:-1, :-1], near[1:, :-1], near[:-1, 1:], near[1:, 1:]])
    assert (least.reshape(7, 9)[:-1, :-1] == fours.min(axis=0)).all()
    assert (most.reshape(7, 9)[:-1, :-1] == fours.max(axis=0)).all()


def test_samples_of_one_polygon_are_coloured_as_among_others(stage: RenderedStage, camera: Camera) -> None:
    lens = Perspective(camera, 320, 240)
    polygons = lens.polygons(stage.mesh, np.ones(len(stage.mesh.counts), bool))
    buffer = raster.fill(polygons, 320, 240, 0.0)
    paints = shader(stage.mesh, stage.lighting, lens, polygons, camera)
    shown = np.flatnonzero(np.bincount(buffer.polygon.ravel() + 1)[1:])
    assert len(shown) > 20
    for polygon in shown.tolist():
        rows, columns = np.nonzero(buffer.polygon == polygon)
        x, y = (np.asarray(along + 0.5, np.float64) for along in (columns, rows))
        near = buffer.near[rows, columns]
        apart = paints.colours_of_one(polygon, x, y, near)
        assert (apart == paints.colours(np.full(len(x), polygon), x, y, near)).all()


def test_a_turned_box_that_is_shifted_is_the_box_of_the_thing_there() -> None:
    rng = stream(0, "boxes")
    for kind, model in FURNITURE.items():
        for turn in (0, 45, 90, 213):
            at = (round(rng.between(-9, 9), 3), round(rng.between(-9, 9), 3))
            piece = Furniture(kind, kind, at, turn, model.colours[0], "")
            low, high = extent(piece.thing)
            assert block_of(piece) == AxisBox(*low, *high)


def test_a_block_meets_others_where_it_overlaps_one_or_is_nearer_than_the_gap() -> None:
    rng = stream(0, "blocks")

    def block() -> AxisBox:
        low, size = ([rng.below(8) for _ in range(3)] for _ in range(2))
        return AxisBox(*low, *(a + 1 + b for a, b in zip(low, size, strict=True)))

    def overlap(one: AxisBox, other: AxisBox, gap: float) -> bool:
        gaps = (gap, gap, 0.0)  # things may stand right above one another
        return all(one[n] < other[n + 3] + gaps[n] and other[n] < one[n + 3] + gaps[n] for n in range(3))

    answers = []
    for _ in range(400):
        one, others, gap = block(), [block() for _ in range(rng.below(4))], rng.choice((0.0, 0.5, 1.5))
        answers.append(one.meets(others, gap))
        assert answers[-1] == any(overlap(one, other, gap) for other in others)
    assert 50 < sum(answers) < 350


def test_a_view_does_not_depend_on_how_its_samples_are_grouped(
    stage: RenderedStage, camera: Camera, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = render(stage, camera, 160, 120).pixels
    monkeypatch.setattr("snellen.tasks.capacity.draw.space.render._MANY", 1)
    assert (render(stage, camera, 160, 120).pixels == together).all()
    monkeypatch.setattr("snellen.tasks.capacity.draw.space.render._MANY", 10**9)
    assert (render(stage, camera, 160, 120).pixels == together).all()
    assert camera.eye[2] == EYE
