"""Deeds by which somebody or something is moved, or that a machine decides: ropes, carts, boats, scales, steps."""

from snellen.draw.deeds.stage import (
    AHEAD,
    BEHIND,
    FACING,
    FLOOR,
    HEIGHT,
    LEFT,
    WATER,
    WIDTH,
    DeedKind,
    cart,
    height,
    place,
    rushing,
    wheel,
)
from snellen.draw.plates import DARK_WOOD, INK, WHITE, WOOD, PictureCanvas
from snellen.draw.soft import box, disc
from snellen.draw.tints import DYES


def _chases(plate: PictureCanvas, one: str, other: str) -> None:
    place(plate, other, LEFT)
    rushing(plate, 156)
    place(plate, one, 300)
    rushing(plate, 372)


def _pulls(plate: PictureCanvas, one: str, other: str) -> None:
    floor = cart(plate, 262)
    plate.lay(box(6, 170, 3), floor + 4, 96, DARK_WOOD)
    place(plate, one, 88)
    place(plate, other, 342, floor)


def _pushes(plate: PictureCanvas, one: str, other: str) -> None:
    floor = cart(plate, 20)
    plate.lay(box(30, 8, 4), floor - 22, 172, DARK_WOOD)
    plate.lay(box(8, 96, 4), floor - 22, 172, DARK_WOOD)  # so low that the smallest can lay hands on it
    place(plate, other, 96, floor)
    place(plate, one, 290)
    rushing(plate, 364)


def _carries(plate: PictureCanvas, one: str, other: str) -> None:
    """On a tray over the head: on the back, faces would be hidden."""
    floor = FLOOR + 20
    place(plate, one, 224, floor)
    tray = floor - height(one) - 8
    plate.lay(box(12, 100, 6), tray, 174, WOOD)
    place(plate, other, 224, tray + 4)


def _tows(plate: PictureCanvas, one: str, other: str) -> None:
    """A boat with a motor's flag and a raft behind it."""
    plate.line([(168, 222), (270, 234)], 4, DARK_WOOD)
    plate.polygon([(8, 214), (172, 214), (160, 256), (44, 256)], DYES["red"])
    plate.lay(box(16, 152, 6), 232, 266, WOOD)
    plate.fill(246, 0, HEIGHT - 246, WIDTH, WATER)
    place(plate, one, 98, 216)
    place(plate, other, 342, 234)


def _chauffeurs(plate: PictureCanvas, one: str, other: str) -> None:
    """In the cab of a truck, the other on its bed."""
    plate.lay(box(20, 410, 6), FLOOR - 46, 20, DARK_WOOD)
    plate.polygon([(14, 176), (44, 58), (196, 58), (196, 226), (14, 226)], DYES["red"])
    plate.polygon([(36, 196), (58, 70), (186, 70), (186, 196)], WHITE)
    for x in (64, 300, 380):
        wheel(plate, x)
    place(plate, one, 124, 197)
    place(plate, other, 330, FLOOR - 45)


def _lifts(plate: PictureCanvas, one: str, other: str) -> None:
    """By a rope over two pulleys."""
    plate.fill(16, 218, FLOOR - 16, 12, WOOD)
    plate.fill(16, 70, 12, 262, WOOD)
    plate.line([(100, 34), (30, 190)], 4, DARK_WOOD)
    plate.line([(100, 34), (170, 190)], 4, DARK_WOOD)
    plate.line([(100, 34), (302, 34), (302, FLOOR - 46)], 4, DARK_WOOD)
    for x in (100, 302):
        plate.lay(disc(28, 100), 20, x - 14, INK)
    plate.lay(box(12, 152, 5), 186, 24, WOOD)
    place(plate, other, 100, 188)
    place(plate, one, 366)


def _swings(plate: PictureCanvas, one: str, other: str) -> None:
    plate.fill(14, 50, 10, 190, WOOD)
    for x, foot in ((56, 14), (234, 270)):
        plate.line([(x, 18), (foot, FLOOR)], 9, WOOD)
    for x in (110, 222):
        plate.line([(x, 22), (x - 56, 196)], 4, DARK_WOOD)
    plate.lay(box(12, 136, 5), 192, 40, DARK_WOOD)
    place(plate, other, 108, 194)
    place(plate, one, 354)
    plate.lay(box(8, 130, 4), 204, 172, DARK_WOOD)


def _outweighs(plate: PictureCanvas, one: str, other: str) -> None:
    plate.polygon([(224, 196), (188, FLOOR), (260, FLOOR)], INK)
    plate.line([(28, 142), (420, 252)], 12, WOOD)
    place(plate, other, 92, 155, turned=True)
    place(plate, one, 352, 230)


def _beats(plate: PictureCanvas, one: str, other: str) -> None:
    """On a winner's stand: the upper step, with the cup, and the lower one."""
    plate.fill(FLOOR - 112, 232, 112, 160, WOOD)
    plate.fill(FLOOR - 40, 60, 40, 172, DARK_WOOD)
    plate.lay(box(76, 76, 8), FLOOR - 96, 274, WHITE)
    plate.icon("trophy", 312, FLOOR - 58, 64)
    place(plate, other, 146, FLOOR - 39)
    place(plate, one, 312, FLOOR - 111)


KINDS = {
    "chases": DeedKind(BEHIND, AHEAD, ("speed lines behind {one}", "speed lines behind {other}"), _chases),
    "pulls": DeedKind(AHEAD, BEHIND, ("rope from {one} to the cart", "cart under {other}"), _pulls),
    "pushes": DeedKind(
        BEHIND,
        AHEAD,
        ("cart under {other}", "handle of the cart at {one}", "speed lines behind {one}"),
        _pushes,
    ),
    "carries": DeedKind(("bottom", "left"), ("top", "left"), ("tray under {other}",), _carries),
    "tows": DeedKind(
        AHEAD, BEHIND, ("water", "boat under {one}", "raft under {other}", "rope from the boat to the raft"), _tows
    ),
    "chauffeurs": DeedKind(AHEAD, BEHIND, ("truck", "{one} in the cab", "{other} on the bed"), _chauffeurs),
    "lifts": DeedKind(
        BEHIND,
        AHEAD,
        ("wooden frame with two pulleys", "hanging platform under {other}", "rope from {one} over the pulleys to it"),
        _lifts,
    ),
    "swings": DeedKind(BEHIND, AHEAD, ("swing under {other}", "pole from {one} to the swing"), _swings),
    "outweighs": DeedKind(BEHIND, FACING, ("seesaw", "{one} at its lower end", "{other} at its upper end"), _outweighs),
    "beats": DeedKind(BEHIND, AHEAD, ("upper step with a cup under {one}", "lower step under {other}"), _beats),
}
"""Deeds. Where they stand and face: (place, facing)."""
