"""The perspective renderer: points fall where they must, what is nearest is seen, shadows lie right, models stand."""

import io
from collections.abc import Callable
from hashlib import sha256
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from snellen.draw.png import encode_rgb
from snellen.draw.space.buildings import block, church, dome, house, shop, skyscraper, town_hall, water_tower, windmill
from snellen.draw.space.camera import Camera, Overhead
from snellen.draw.space.fixtures import FIXTURES, WALL, fridge
from snellen.draw.space.furniture import FURNITURE, armchair, bed, bookshelf, chair, rug, sofa, table
from snellen.draw.space.light import INDOORS, daylight
from snellen.draw.space.mesh import extent, mesh_of
from snellen.draw.space.paint import PATTERNS, Paint, stripe
from snellen.draw.space.render import Stage, View, look, prepare, render, render_map
from snellen.draw.space.rooms import THICK, Opening, Room, shell
from snellen.draw.space.solids import Ball, Box, Gable, Prism, Quad, Scene, Thing, faces, floor, plain, turned
from snellen.draw.space.street import STREET, car, crossroads, ground, pond, road, tree, zebra

RED = plain((200, 60, 50))


def alone(*parts: Box | Prism | Ball | Gable | Quad, name: str = "thing") -> Thing:
    return Thing(name, "thing", parts)


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


def test_a_map_has_north_up_and_gives_places_back() -> None:
    above = Overhead((10.0, 20.0), 50.0)
    assert above.spot((10, 20, 3), 100, 80)[:2] == (50, 40)
    assert above.spot((20, 30, 0), 100, 80)[:2] == (70, 20)
    assert above.place(70, 20, 100, 80) == (20, 30)


def test_a_small_thing_is_seen_where_its_point_falls() -> None:
    camera = Camera((1, 2, 1.5), 30, -10, 70)
    spot = (3.0, 7.0, 0.4)
    view = look(prepare(Scene((alone(Ball((3.0, 7.0, 0.38), 0.05, 0.04, RED)),))), camera, 320, 240)
    left, top, right, bottom = view.box("thing") or (0, 0, 0, 0)
    x, y, _ = camera.spot(spot, 320, 240)
    assert left - 1 <= x <= right + 1
    assert top - 1 <= y <= bottom + 1


# --- what is seen: an independent slow ray test ---


def nearest(stage: Stage, eyes: np.ndarray, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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


def crowd() -> Scene:
    """Solids of all kinds at odd angles, partly one inside another; one reaches past the eye."""
    return Scene(
        (
            alone(floor((-9, -9), (9, 9), RED), name="floor"),
            Thing(
                "box", "box", (Box((0, 0, 0), (1, 2, 1.3), RED, turn=20), Box((0, 0, 1.3), (1, 1, 0.8), RED, taper=0.0))
            ),
            Thing("prism", "prism", (Prism((1.2, 1.0, 0.0), 0.6, 1.6, RED, sides=7, taper=0.5),), turn=10),
            Thing("ball", "ball", (Ball((-1.5, 0.7, 0.4), 0.7, 1.2, RED),)),
            Thing("roof", "roof", (Gable((0.5, 3.0, 0.5), (4, 2, 1.2), RED, RED, hip=0.7, turn=33),)),
            Thing("sign", "sign", (Quad(((-1, 2, 1), (0.5, 1.2, 1.2), (0.4, 1.2, 2.2)), RED, two_sided=True),)),
            Thing("beam", "beam", (Box((1.1, -2.0, 1.15), (0.2, 6.0, 0.2), RED),)),
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
    view = View(
        np.zeros((3, 4, 3), np.uint8),
        np.array([[0, 0, -1, 1], [0, 1, 1, 1], [-1, -1, 1, -1]], np.int32),
        ("a", "b", "c"),
    )
    assert view.seen() == {"a": 3, "b": 5}
    assert view.box("b") == (1, 0, 4, 3)
    assert view.box("c") is None


def test_two_things_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        Scene((chair(), chair()))


# --- light and shadow ---


def test_a_shadow_lies_behind_its_thing_as_long_as_it_is_high() -> None:
    """The sun in the south, half up: a box two metres high throws a shadow two metres to the north."""
    scene = Scene(
        (
            Thing("ground", "ground", (floor((-9, -9), (9, 9), plain((200, 200, 200))),), casts=False),
            alone(Box((0, 0, 0), (2, 2, 2), RED)),
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
    ghost = Thing("ghost", "ghost", (Box((0, 0, 2), (2, 2, 1), RED),), casts=False)
    scene = Scene((Thing("ground", "ground", (floor((-9, -9), (9, 9), plain((200, 200, 200))),), casts=False), ghost))
    pixels = render(prepare(scene, daylight(180, 80)), Camera((0, -5, 1), 0, -20), 80, 60).pixels
    assert len(np.unique(pixels[50:].reshape(-1, 3), axis=0)) <= 3  # nothing but fog differs


def furnished(turn: float) -> tuple[Scene, Camera]:
    """A corner of a room, all of it and the camera turned about the origin."""
    placed = [(sofa(), (0.0, 1.0), 180.0), (chair(), (1.2, -0.6), 40.0), (table(), (-1.0, -0.5), 10.0)]
    things = []
    for thing, (x, y), bearing in placed:
        at = turned((x, y, 0.0), turn)
        things.append(thing.placed(thing.name, at[:2], bearing + turn))
    ground = Quad(
        tuple(turned(corner, turn) for corner in floor((-4, -4), (4, 4), RED).corners), plain((190, 180, 160))
    )
    eye = turned((0.4, -3.2, 1.6), turn)
    return Scene((Thing("floor", "floor", (ground,), casts=False), *things)), Camera(eye, 5 + turn, -15)


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
    scene = Scene((Thing("floor", "floor", (floor((-4, -4), (4, 4), plain((200, 200, 200))),), casts=False), table()))
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


def on_wall(room: Room, thing: Thing, name: str, wall: int, at: float) -> Thing:
    """The thing hung on the room's wall of that bearing, at that x or y, looking into the room."""
    (x0, y0), (x1, y1) = room.low, room.high
    spot = {0: (at, y1), 90: (x1, at), 180: (at, y0), 270: (x0, at)}[wall]
    return thing.placed(name, spot, (wall + 180) % 360)


def little_room() -> Stage:
    room = Room("room", (0, 0), (4, 3), openings=(Opening(90, 1.0),))
    things = (
        bed().placed("bed", (1.2, 1.9), 180),
        chair().placed("chair", (3, 0.8), 250),
        rug().placed("rug", (2.6, 1.5), 20),
    )
    return prepare(Scene((*shell(room), *things, on_wall(room, WALL["window"](), "window", 0, 2.8))))


def little_town() -> Stage:
    things = (
        ground((-90, -90), (90, 90)),
        road("road", (0, -60), (0, 60)),
        zebra("zebra", (0, 6), 0),
        pond("pond", (18, 2)),
        house().placed("house", (-12, 14), 90),
        church().placed("church", (14, 30), 200),
        tree().placed("tree", (7, 8), 0),
        car().placed("car", (1.8, 16), 0),
    )
    return prepare(Scene(things), daylight())


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
@settings(max_examples=60, deadline=None)
def test_true_colours_survive(pixels: np.ndarray) -> None:
    with Image.open(io.BytesIO(encode_rgb(pixels))) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert np.array_equal(np.asarray(image), pixels)


def test_noise_and_slopes_survive() -> None:
    noise = np.random.default_rng(5).integers(0, 256, (40, 50, 3), np.uint8)
    slope = np.add.outer(np.arange(40), np.arange(150)).reshape(40, 50, 3).astype(np.uint8)
    for pixels in (noise, slope, np.concatenate((noise, slope))):
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(encode_rgb(pixels)))), pixels)


# --- models ---

BUILDINGS = (house, block, shop, church, water_tower, skyscraper, windmill, town_hall, dome)
STANDING = {**FURNITURE, **FIXTURES, **{build().name: build for build in BUILDINGS}, **STREET}
HEIGHTS = {
    "chair": (0.8, 1.0),
    "table": (0.7, 0.8),
    "bed": (0.9, 1.1),
    "sofa": (0.7, 0.9),
    "wardrobe": (1.8, 2.1),
    "bookshelf": (1.8, 2.0),
    "fridge": (1.7, 1.9),
    "toilet": (0.7, 0.9),
    "bathtub": (0.5, 0.7),
    "stove": (0.85, 0.95),
    "lamp": (1.5, 1.8),
    "rug": (0.01, 0.02),
    "house": (5, 8),
    "church": (22, 28),
    "water tower": (20, 25),
    "skyscraper": (45, 75),
    "car": (1.3, 1.6),
    "tree": (5, 6.5),
}
HANGS = {"washbasin": 1}  # its mirror hangs on the wall behind it


@pytest.mark.parametrize("name", STANDING)
def test_models_stand_on_the_ground_and_hold_together(name: str) -> None:
    thing = STANDING[name]()
    boxes = [extent(Thing("part", "part", (part,))) for part in thing.parts]
    held = {i for i, (low, _) in enumerate(boxes) if low[2] <= 1e-9}
    assert held, "nothing touches the ground"
    while True:
        touching = {i for i, j in product(range(len(boxes)), held) if _touch(boxes[i], boxes[j])}
        if touching <= held:
            break
        held |= touching
    assert len(boxes) - len(held) == HANGS.get(name, 0)
    low, high = HEIGHTS.get(name, (0.3, 80.0))
    assert low <= extent(thing)[1][2] <= high
    assert all(
        abs(a + b) < 1.4 + 0.3 * (b - a) for a, b in zip(*extent(thing), strict=True) if a < 0
    )  # about the middle


def _touch(a: tuple[tuple[float, ...], tuple[float, ...]], b: tuple[tuple[float, ...], tuple[float, ...]]) -> bool:
    return all(a[0][i] <= b[1][i] + 0.011 and b[0][i] <= a[1][i] + 0.011 for i in range(3))


@pytest.mark.parametrize("name", WALL)
def test_what_hangs_has_its_back_to_the_wall(name: str) -> None:
    low, high = extent(WALL[name]())
    assert -1e-9 <= low[1] <= 0.03
    assert high[1] < 0.25
    assert high[2] < 2.4


@pytest.mark.parametrize("make", [sofa, armchair, bed, bookshelf, fridge, chair])
def test_fronts_look_north(make: Callable[[], Thing]) -> None:
    """From the north one sees more of a model's variety of colours, or its back is the higher part in the south."""
    thing = make()
    tall = max(corner[2] for part in thing.parts for face in faces(part) for corner in face.corners)
    at_top = [c[1] for part in thing.parts for face in faces(part) for c in face.corners if c[2] > tall - 0.02]
    stage = prepare(Scene((thing,)))
    north, south = (render(stage, Camera((0, y, 0.9), yaw), 60, 60) for y, yaw in ((4, 180), (-4, 0)))
    colours = [len(np.unique(view.pixels[view.ids == 0], axis=0)) for view in (north, south)]
    assert sum(at_top) / len(at_top) < -0.1 or colours[0] > colours[1]


def test_solids_are_closed() -> None:
    """Every edge of a closed solid belongs to two faces that run through it in opposite directions."""
    solids = [Box((0, 0, 0), (1, 2, 3), RED, turn=30), Prism((0, 0, 0), 1, 2, RED), Ball((0, 0, 0), 1, 2, RED)]
    solids += [
        Gable((0, 0, 0), (3, 2, 1), RED, RED, hip=0.5),
        Prism((0, 0, 0), 1, 2, RED, taper=0.0),
        Box((0, 0, 0), (1, 1, 1), RED, taper=0.0),
    ]
    for solid in solids:
        edges = [
            (a, b)
            for face in faces(solid)
            for a, b in zip(face.corners, face.corners[1:] + face.corners[:1], strict=True)
        ]
        assert sorted(edges) == sorted((b, a) for a, b in edges)


def test_normals_point_outwards() -> None:
    mesh = mesh_of(Scene((alone(Ball((0, 0, -1), 1, 2, RED)), alone(Box((9, 0, -1), (2, 2, 2), RED), name="box"))))
    middles = np.add.reduceat(mesh.corners, mesh.starts) / mesh.counts[:, None]
    middles[mesh.thing == 1] -= (9, 0, 0)
    assert ((middles * mesh.normals).sum(axis=1) > 0).all()


# --- rooms and streets ---


def two_rooms(openings: bool) -> Stage:
    east = 4 + THICK
    a = Room("a", (0, 0), (4, 3), openings=(Opening(90, 1.5),) if openings else ())
    b = Room("b", (east, 0), (east + 4, 3), openings=(Opening(270, 1.5),) if openings else ())
    return prepare(Scene((*shell(a), *shell(b), fridge().placed("fridge", (east + 3.5, 1.5), 270))))


def test_one_sees_through_an_opening_but_not_through_walls() -> None:
    camera = Camera((0.5, 1.5, 1.5), 90, -5)
    assert look(two_rooms(True), camera).seen()["fridge"] > 100
    assert "fridge" not in look(two_rooms(False), camera).seen()
    assert -1 not in look(two_rooms(True), camera).ids  # rooms leave no gap to the sky


@pytest.mark.parametrize("wall", [0, 90, 180, 270])
def test_openings_and_pictures_are_where_they_should_be(wall: int) -> None:
    """An opening at x (or y) = 1 of a room is straight before someone who stands there; a picture at 2.5 likewise."""
    room = Room("room", (0, 0), (4, 4), openings=(Opening(wall, 1.0),))
    stage = prepare(Scene((*shell(room), on_wall(room, WALL["picture"](), "picture", wall, 2.5))))
    ids = [
        look(stage, Camera((at, 2, 1.5) if wall % 180 == 0 else (2, at, 1.5), wall), 81, 61).ids[30, 40]
        for at in (1.0, 2.5, 3.5)
    ]
    assert ids == [-1, 3, 1]


def test_a_plan_shows_rooms_from_above() -> None:
    names = render_map(two_rooms(True), (4, 1.5), 9, 90, 40).seen()
    assert {"a floor", "b floor", "fridge"} <= set(names)
    assert "a ceiling" not in names


def test_markings_lie_on_roads_and_roads_on_grass() -> None:
    things = (ground((-50, -50), (50, 50)), road("r", (-40, 0), (40, 0)), road("s", (0, -40), (0, 40)))
    stage = prepare(
        Scene((*things, crossroads("x", (0, 0)), zebra("z", (0, 8), 0), tree().placed("t", (10, 10)))), daylight()
    )
    view = look(stage, Camera((0, -12, 30), 0, -60, 80), 200, 150)
    assert set(view.seen()) == {"ground", "r", "s", "x", "z", "t"}


def test_a_paint_may_shine() -> None:
    bright, dull = (
        Thing(name, "x", (Quad(((x, 5, 0), (x + 2, 5, 0), (x + 2, 5, 2), (x, 5, 2)), Paint(colour)),))
        for name, x, colour in (("a", -2, (320, 320, 320)), ("b", 0, (160, 160, 160)))
    )
    view = render(prepare(Scene((bright, dull))), Camera((0, 0, 1), 0), 60, 40)
    assert view.pixels[view.ids == 0].mean() > 1.4 * view.pixels[view.ids == 1].mean()
