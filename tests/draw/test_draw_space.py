"""The perspective renderer: points fall where they must, what is nearest is seen, shadows lie right."""

import io
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image
from space_things import RED, alone, on_wall

from snellen.draw.png import encode_rgb
from snellen.tasks.capacity.draw.space.buildings import house
from snellen.tasks.capacity.draw.space.camera import Camera, Overhead
from snellen.tasks.capacity.draw.space.light import INDOORS, daylight
from snellen.tasks.capacity.draw.space.models import FURNITURE, LANDMARKS, STREET
from snellen.tasks.capacity.draw.space.paint import PATTERNS, stripe
from snellen.tasks.capacity.draw.space.render import RenderedStage, RenderedView, look, prepare, render, render_map
from snellen.tasks.capacity.draw.space.rooms import Opening, Room, shell
from snellen.tasks.capacity.draw.space.solids import (
    Ball,
    Gable,
    Prism,
    Quad,
    SolidBox,
    SolidScene,
    SolidThing,
    floor,
    plain,
    turned,
)
from snellen.tasks.capacity.draw.space.street import ground, pond, road, zebra
from support.lengths import examples

# --- where points fall ---


@pytest.mark.parametrize(
    ("yaw", "pitch", "point", "expected"),
    [
        (0, 0, (0, 10, 0), (50, 40)),  # straight ahead
        (0, 0, (10, 10, 0), (100, 40)),  # half the field to the right
        (0, 0, (-10, 10, 0), (0, 40)),
        (0, 0, (0, 10, 2), (50, 30)),  # up is up
        (90, 0, (10, 0, 0), (50, 40)),  # east
        (90, 0, (10, -10, 0), (100, 40)),  # south is right of east
        (225, 0, (-7, -7, 0), (50, 40)),
        (0, 45, (0, 5, 5), (50, 40)),  # looking up
        (180, -45, (0, -5, -5), (50, 40)),
    ],
)
def test_points_fall_where_they_must(
    yaw: float, pitch: float, point: tuple[float, float, float], expected: tuple[float, float]
) -> None:
    x, y, depth = Camera((0, 0, 0), yaw, pitch, field=90).spot(point, 100, 80)
    assert (x, y) == pytest.approx(expected, abs=1e-3)
    assert depth > 0


def test_what_is_behind_has_no_depth() -> None:
    assert Camera((0, 0, 0), 0).spot((0, -3, 0), 100, 80)[2] == -3


def test_a_map_has_north_up() -> None:
    above = Overhead((10.0, 20.0), 50.0)
    assert above.spot((10, 20, 3), 100, 80)[:2] == (50, 40)
    assert above.spot((20, 30, 0), 100, 80)[:2] == (70, 20)


def test_a_small_thing_is_seen_where_its_point_falls() -> None:
    camera = Camera((1, 2, 1.5), 30, -10, 70)
    spot = (3.0, 7.0, 0.4)
    view = look(prepare(SolidScene((alone(Ball((3.0, 7.0, 0.38), 0.05, 0.04, RED)),))), camera, 320, 240)
    left, top, right, bottom = view.box("thing") or (0, 0, 0, 0)
    x, y, _ = camera.spot(spot, 320, 240)
    assert left - 1 <= x <= right + 1
    assert top - 1 <= y <= bottom + 1


# --- what is seen: an independent slow ray test ---


def nearest(stage: RenderedStage, eyes: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The thing each ray meets first (-1: none) and by how much it clears the nearest edge of any face it crosses."""
    mesh, best = stage.mesh, np.full(len(rays), np.inf)
    found, margin = np.full(len(rays), -1), np.full(len(rays), np.inf)
    for f in range(len(mesh.counts)):
        corners = mesh.corners[mesh.starts[f] : mesh.starts[f] + mesh.counts[f]]
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        steep = rays @ normal
        steep[np.abs(steep) < 1e-12] = np.nan
        t = (corners[0] - eyes) @ normal / steep
        t[~(t > 0.05)] = np.nan
        points = eyes + t[:, None] * rays
        ahead = np.roll(corners, -1, axis=0) - corners
        sides = np.cross(ahead, points[:, None] - corners) @ normal
        margin = np.fmin(margin, np.abs(sides).min(axis=1) / (normal @ normal))
        first = (sides >= 0).all(axis=1) & (t < best)
        best[first], found[first] = t[first], mesh.thing[f]
    return found, margin


def crowd() -> SolidScene:
    """Solids of all kinds at odd angles, partly one inside another; one reaches past the eye."""
    return SolidScene(
        (
            alone(floor((-9, -9), (9, 9), RED), name="floor"),
            SolidThing(
                "box",
                (SolidBox((0, 0, 0), (1, 2, 1.3), RED, turn=20), SolidBox((0, 0, 1.3), (1, 1, 0.8), RED, taper=0.0)),
            ),
            SolidThing("prism", (Prism((1.2, 1.0, 0.0), 0.6, 1.6, RED, sides=7, taper=0.5),), turn=10),
            SolidThing("ball", (Ball((-1.5, 0.7, 0.4), 0.7, 1.2, RED),)),
            SolidThing("roof", (Gable((0.5, 3.0, 0.5), (4, 2, 1.2), RED, RED, hip=0.7, turn=33),)),
            SolidThing("sign", (Quad(((-1, 2, 1), (0.5, 1.2, 1.2), (0.4, 1.2, 2.2)), RED, two_sided=True),)),
            SolidThing("beam", (SolidBox((1.1, -2.0, 1.15), (0.2, 6.0, 0.2), RED),)),
        )
    )


@pytest.mark.parametrize("camera", [Camera((0.6, -3, 1.2), 5, -8, 80), Camera((-3, 4, 2.5), 140, -25, 60)])
def test_ids_agree_with_slow_rays(camera: Camera) -> None:
    stage, width, height = prepare(crowd()), 60, 45
    view = render(stage, camera, width, height)
    forward, right, up = (np.array(axis) for axis in (camera.forward, camera.right, camera.up))
    row, column = np.divmod(np.arange(width * height)[:, None], width)
    sideways, upwards = column + 0.25 - width / 2, height / 2 - row - 0.25
    rays = forward + (sideways * right + upwards * up) / camera.focus(width)
    found, margin = nearest(stage, np.array(camera.eye), rays)
    clear = margin > 1e-6
    assert clear.mean() > 0.95
    assert np.array_equal(view.ids.ravel()[clear], found[clear])
    assert len(view.seen()) >= 6


def test_maps_show_what_is_highest() -> None:
    stage = prepare(crowd())
    view = render_map(stage, (0.313, 0.507), 8.0, 50, 50)
    row, column = np.divmod(np.arange(2500), 50)
    x, y = 0.313 + (column + 0.25 - 25) * 0.16, 0.507 - (row + 0.25 - 25) * 0.16
    eyes = np.stack((x, y, np.full(2500, 50.0)), axis=1)
    found, margin = nearest(stage, eyes, np.tile((0.0, 0.0, -1.0), (2500, 1)))
    clear = margin > 1e-6
    assert clear.mean() > 0.95
    assert np.array_equal(view.ids.ravel()[clear], found[clear])


def test_view_counts_and_boxes() -> None:
    view = RenderedView(
        lambda: np.zeros((3, 4, 3), np.uint8),
        np.array([[0, 0, -1, 1], [0, 1, 1, 1], [-1, -1, 1, -1]], np.int32),
        ("a", "b", "c"),
    )
    assert view.seen() == {"a": 3, "b": 5}
    assert view.box("b") == (1, 0, 4, 3)
    assert view.box("c") is None


def test_two_things_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        SolidScene((FURNITURE["chair"].build(), FURNITURE["chair"].build()))


# --- light and shadow ---


def test_a_shadow_lies_behind_its_thing_as_long_as_it_is_high() -> None:
    """The sun in the south, half up: a box two metres high throws a shadow two metres to the north."""
    scene = SolidScene(
        (
            SolidThing("ground", (floor((-9, -9), (9, 9), plain((200, 200, 200))),), casts=False),
            alone(SolidBox((0, 0, 0), (2, 2, 2), RED)),
        )
    )
    view = render_map(prepare(scene, daylight(180, 45)), (0, 0), 12.0, 120, 120)

    def brightness(x: float, y: float) -> int:
        return int(view.pixels[60 - round(y * 10), 60 + round(x * 10)].astype(int).sum())

    lit = brightness(-4, -4)
    for x, y in ((0, 1.5), (0.8, 2.8), (-0.8, 2.8)):
        assert brightness(x, y) < 0.75 * lit, (x, y)
    for x, y in ((0, 3.2), (1.2, 2), (-1.2, 2), (0, -1.2), (3, 0)):
        assert brightness(x, y) == lit, (x, y)


def test_things_without_shadow_cast_none() -> None:
    ghost = SolidThing("ghost", (SolidBox((0, 0, 2), (2, 2, 1), RED),), casts=False)
    scene = SolidScene((SolidThing("ground", (floor((-9, -9), (9, 9), plain((200, 200, 200))),), casts=False), ghost))
    pixels = render(prepare(scene, daylight(180, 80)), Camera((0, -5, 1), 0, -20), 80, 60).pixels
    assert len(np.unique(pixels[50:].reshape(-1, 3), axis=0)) <= 3  # nothing but fog differs


def furnished(turn: float) -> tuple[SolidScene, Camera]:
    """A corner of a room, all of it and the camera turned about the origin."""
    placed = [
        (FURNITURE["sofa"].build(), (0.0, 1.0), 180.0),
        (FURNITURE["chair"].build(), (1.2, -0.6), 40.0),
        (FURNITURE["table"].build(), (-1.0, -0.5), 10.0),
    ]
    things = []
    for thing, (x, y), bearing in placed:
        at = turned((x, y, 0.0), turn)
        things.append(thing.placed(thing.name, at[:2], bearing + turn))
    ground = Quad(
        tuple(turned(corner, turn) for corner in floor((-4, -4), (4, 4), RED).corners), plain((190, 180, 160))
    )
    eye = turned((0.4, -3.2, 1.6), turn)
    return SolidScene((SolidThing("floor", (ground,), casts=False), *things)), Camera(eye, 5 + turn, -15)


def test_light_indoors_tells_no_direction() -> None:
    """The same room with another wall to the north looks the same."""
    views = [
        render(prepare(scene), camera, 160, 120).pixels.astype(int) for scene, camera in map(furnished, (0, 90, 225))
    ]
    for other in views[1:]:
        difference = np.abs(other - views[0])
        assert difference.mean() < 0.5
        assert np.quantile(difference, 0.99) <= 8
    outdoors = [
        render(prepare(scene, daylight()), camera, 160, 120).pixels.astype(int)
        for scene, camera in map(furnished, (0, 90))
    ]
    assert np.abs(outdoors[1] - outdoors[0]).mean() > 1  # the test can fail


def test_there_is_shade_under_a_table() -> None:
    scene = SolidScene(
        (
            SolidThing("floor", (floor((-4, -4), (4, 4), plain((200, 200, 200))),), casts=False),
            FURNITURE["table"].build(),
        )
    )
    pixels = render(prepare(scene, INDOORS), Camera((0, -2.5, 0.5), 0, -10), 160, 120)
    floors = pixels.pixels[pixels.ids == 0].astype(int).sum(axis=1)
    assert floors.min() < 0.88 * floors.max()


# --- paint ---


@given(st.floats(-20, 20), st.floats(0.01, 9), st.floats(0.2, 3), st.floats(0.05, 0.95))
@settings(deadline=None)
def test_stripes_are_the_mean_over_the_footprint(at: float, blur: float, period: float, share: float) -> None:
    places = at + blur * ((np.arange(4000) + 0.5) / 4000 - 0.5)
    inside = places / period - np.floor(places / period) < share
    found = stripe(np.array([at]), np.array([blur]), period, share * period)
    assert found[0] == pytest.approx(inside.mean(), abs=0.01)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_stay_between_their_colours(name: str) -> None:
    u, v = (grid.ravel() for grid in np.meshgrid(np.linspace(-7, 7, 50), np.linspace(-5, 9, 50)))
    for blur in (0.001, 0.3, 40.0):
        share = PATTERNS[name](u, v, np.full(len(u), blur), np.full(len(u), blur), (0.9, 0.7, 0.25))
        assert share.min() >= -1e-9
        assert share.max() <= 1 + 1e-9
        if blur == 40.0:
            assert share.max() - share.min() < 0.35  # far away it is nearly one colour


# --- the same bytes everywhere ---


def little_room() -> RenderedStage:
    room = Room("room", (0, 0), (4, 3), openings=(Opening(90, 1.0),))
    things = (
        FURNITURE["bed"].build((88, 128, 178)).placed("bed", (1.2, 1.9), 180),
        FURNITURE["chair"].build().placed("chair", (3, 0.8), 250),
        FURNITURE["rug"].build().placed("rug", (2.6, 1.5), 20),
    )
    return prepare(SolidScene((*shell(room), *things, on_wall(room, FURNITURE["window"].build(), "window", 0, 2.8))))


def little_town() -> RenderedStage:
    things = (
        ground((-90, -90), (90, 90)),
        road("road", (0, -60), (0, 60)),
        zebra("zebra", (0, 6), 0),
        pond("pond", (18, 2)),
        house().placed("house", (-12, 14), 90),
        SolidThing("church", LANDMARKS["church"].build().parts[:8], (14, 30), 200),
        STREET["tree"].build().placed("tree", (7, 8), 0),
        STREET["car"].build().placed("car", (1.8, 16), 0),
    )
    return prepare(SolidScene(things), daylight())


PINNED = {
    "room": "fd6f0ef66432999d",
    "town": "78cd685645b0a11c",
    "map": "32b3c5e1e1e215dc",
}


def test_same_bytes_on_every_machine() -> None:
    town = little_town()
    found = {
        "room": render(little_room(), Camera((0.4, 0.4, 1.5), 50, -12), 160, 120),
        "town": render(town, Camera((-1, -12, 1.7), 8, 4), 160, 120),
        "map": render_map(town, (0, 10), 80, 120, 120),
    }
    assert {name: sha256(view.png()).hexdigest()[:16] for name, view in found.items()} == PINNED


@given(hnp.arrays(np.uint8, st.tuples(st.integers(1, 20), st.integers(1, 90), st.just(3)), fill=st.just(200)))
@examples(25, 60)
def test_true_colours_survive(pixels: np.ndarray) -> None:
    with Image.open(io.BytesIO(encode_rgb(pixels))) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert np.array_equal(np.asarray(image), pixels)


def test_noise_and_slopes_survive() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (40, 50, 3), np.uint8)
    slope = np.add.outer(np.arange(40), np.arange(150)).reshape(40, 50, 3).astype(np.uint8)
    for pixels in (noise, slope, np.concatenate((noise, slope))):
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(encode_rgb(pixels)))), pixels)
