"""What the perspective renderer has to show: models stand and hold together, rooms and streets are right."""

from itertools import product

import numpy as np
import pytest
from space_things import RED, alone, on_wall

from snellen.tasks.capacity.draw.space.buildings import block, house, shop
from snellen.tasks.capacity.draw.space.camera import Camera
from snellen.tasks.capacity.draw.space.light import daylight
from snellen.tasks.capacity.draw.space.mesh import extent, mesh_of
from snellen.tasks.capacity.draw.space.models import FURNITURE, LANDMARKS, STREET
from snellen.tasks.capacity.draw.space.paint import Paint
from snellen.tasks.capacity.draw.space.render import RenderedStage, look, prepare, render, render_map
from snellen.tasks.capacity.draw.space.rooms import THICK, Opening, Room, shell
from snellen.tasks.capacity.draw.space.solids import Ball, Gable, Prism, Quad, SolidBox, SolidScene, SolidThing, faces
from snellen.tasks.capacity.draw.space.street import crossroads, ground, road, zebra

WALL = [name for name, model in FURNITURE.items() if model.hangs]
MODELS = FURNITURE | STREET | LANDMARKS
STANDING = {name: model.build for name, model in MODELS.items() if not model.hangs} | {
    build().name: build for build in (house, block, shop)
}
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
    "glass tower": (30, 45),
    "car": (1.3, 1.6),
    "tree": (5, 6.5),
}
HANGS = {"washbasin": 1}  # its mirror hangs on the wall behind it


@pytest.mark.parametrize("name", STANDING)
def test_models_stand_on_the_ground_and_hold_together(name: str) -> None:
    thing = STANDING[name]()
    boxes = [extent(SolidThing("part", (part,))) for part in thing.parts]
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
    if name not in LANDMARKS:  # their annexes stand to one side
        assert all(abs(a + b) < 1.4 + 0.3 * (b - a) for a, b in zip(*extent(thing), strict=True) if a < 0)


def _touch(a: tuple[tuple[float, ...], tuple[float, ...]], b: tuple[tuple[float, ...], tuple[float, ...]]) -> bool:
    return all(a[0][i] <= b[1][i] + 0.011 and b[0][i] <= a[1][i] + 0.011 for i in range(3))


@pytest.mark.parametrize("name", WALL)
def test_what_hangs_has_its_back_to_the_wall(name: str) -> None:
    low, high = extent(FURNITURE[name].build())
    assert -1e-9 <= low[1] <= 0.03
    assert high[1] < 0.25
    assert high[2] < 2.4


@pytest.mark.parametrize("name", ["sofa", "armchair", "bed", "bookshelf", "fridge", "chair"])
def test_fronts_look_north(name: str) -> None:
    """From the north one sees more of a model's variety of colours, or its back is the higher part in the south."""
    thing = FURNITURE[name].build()
    tall = max(corner[2] for part in thing.parts for face in faces(part) for corner in face.corners)
    at_top = [c[1] for part in thing.parts for face in faces(part) for c in face.corners if c[2] > tall - 0.02]
    stage = prepare(SolidScene((thing,)))
    north, south = (render(stage, Camera((0, y, 0.9), yaw), 60, 60) for y, yaw in ((4, 180), (-4, 0)))
    colours = [len(np.unique(view.pixels[view.ids == 0], axis=0)) for view in (north, south)]
    assert sum(at_top) / len(at_top) < -0.1 or colours[0] > colours[1]


def test_solids_are_closed() -> None:
    """Every edge of a closed solid belongs to two faces that run through it in opposite directions."""
    solids = [SolidBox((0, 0, 0), (1, 2, 3), RED, turn=30), Prism((0, 0, 0), 1, 2, RED), Ball((0, 0, 0), 1, 2, RED)]
    solids += [
        Gable((0, 0, 0), (3, 2, 1), RED, RED, hip=0.5),
        Prism((0, 0, 0), 1, 2, RED, taper=0.0),
        SolidBox((0, 0, 0), (1, 1, 1), RED, taper=0.0),
    ]
    for solid in solids:
        edges = [
            (a, b)
            for face in faces(solid)
            for a, b in zip(face.corners, face.corners[1:] + face.corners[:1], strict=True)
        ]
        assert sorted(edges) == sorted((b, a) for a, b in edges)


def test_normals_point_outwards() -> None:
    mesh = mesh_of(
        SolidScene((alone(Ball((0, 0, -1), 1, 2, RED)), alone(SolidBox((9, 0, -1), (2, 2, 2), RED), name="box")))
    )
    middles = np.add.reduceat(mesh.corners, mesh.starts) / mesh.counts[:, None]
    middles[mesh.thing == 1] -= (9, 0, 0)
    assert ((middles * mesh.normals).sum(axis=1) > 0).all()


# --- rooms and streets ---


def two_rooms(openings: bool) -> RenderedStage:
    east = 4 + THICK
    a = Room("a", (0, 0), (4, 3), openings=(Opening(90, 1.5),) if openings else ())
    b = Room("b", (east, 0), (east + 4, 3), openings=(Opening(270, 1.5),) if openings else ())
    return prepare(
        SolidScene((*shell(a), *shell(b), FURNITURE["fridge"].build().placed("fridge", (east + 3.5, 1.5), 270)))
    )


def test_one_sees_through_an_opening_but_not_through_walls() -> None:
    camera = Camera((0.5, 1.5, 1.5), 90, -5)
    assert look(two_rooms(True), camera).seen()["fridge"] > 100
    assert "fridge" not in look(two_rooms(False), camera).seen()
    assert -1 not in look(two_rooms(True), camera).ids  # rooms leave no gap to the sky


@pytest.mark.parametrize("wall", [0, 90, 180, 270])
def test_openings_and_pictures_are_where_they_should_be(wall: int) -> None:
    """An opening at x (or y) = 1 of a room is straight before someone who stands there; a picture at 2.5 likewise."""
    room = Room("room", (0, 0), (4, 4), openings=(Opening(wall, 1.0),))
    stage = prepare(SolidScene((*shell(room), on_wall(room, FURNITURE["picture"].build(), "picture", wall, 2.5))))
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
        SolidScene(
            (*things, crossroads("x", (0, 0)), zebra("z", (0, 8), 0), STREET["tree"].build().placed("t", (10, 10)))
        ),
        daylight(),
    )
    view = look(stage, Camera((0, -12, 30), 0, -60, 80), 200, 150)
    assert set(view.seen()) == {"ground", "r", "s", "x", "z", "t"}


def test_a_paint_may_shine() -> None:
    bright, dull = (
        SolidThing(name, (Quad(((x, 5, 0), (x + 2, 5, 0), (x + 2, 5, 2), (x, 5, 2)), Paint(colour)),))
        for name, x, colour in (("a", -2, (320, 320, 320)), ("b", 0, (160, 160, 160)))
    )
    view = render(prepare(SolidScene((bright, dull))), Camera((0, 0, 1), 0), 60, 40)
    assert view.pixels[view.ids == 0].mean() > 1.4 * view.pixels[view.ids == 1].mean()
