"""Deeds by which something goes from one to the other: water, a ball, a present, food, light."""

from snellen.draw.deeds.stage import (
    BEHIND,
    FACING,
    FLOOR,
    LEFT,
    RIGHT,
    WATER,
    DeedKind,
    face_to_face,
    place,
)
from snellen.draw.plates import DARK_WOOD, INK, LINE, WHITE, WOOD, PictureCanvas
from snellen.draw.soft import box, disc, ring
from snellen.draw.tints import DYES


def _gives(plate: PictureCanvas, one: str, other: str) -> None:
    """On a tray with a long handle."""
    plate.lay(box(10, 66, 4), FLOOR - 60, 164, WOOD)
    plate.lay(box(8, 136, 4), FLOOR - 59, 222, DARK_WOOD)  # behind the hand, or whatever is there
    plate.icon("gift", 197, FLOOR - 84, 56)
    face_to_face(plate, one, other)


def _rolls(plate: PictureCanvas, one: str, other: str) -> None:
    """Down a ramp."""
    plate.fill(172, 288, FLOOR - 172, 156, WOOD)
    plate.polygon([(288, 172), (288, FLOOR), (152, FLOOR)], WOOD)
    plate.icon("soccer ball", 206, 198, 42)
    place(plate, other, LEFT, turned=True)
    place(plate, one, RIGHT, 173)


def _sprays(plate: PictureCanvas, one: str, other: str) -> None:
    """From a hose that lies behind who holds it."""
    face_to_face(plate, one, other)
    plate.line([(262, 196), (300, 208)], 12, INK)
    plate.line([(290, 206), (304, 272), (400, 284), (446, 276)], 8, DYES["green"])
    for width, points in ((8, ((262, 194), (214, 178), (150, 176))), (5, ((262, 194), (216, 168), (146, 150)))):
        plate.line(points, width, WATER)
    for x, y in ((146, 190), (160, 160), (134, 166), (170, 188)):
        plate.lay(disc(12, 44), y - 6, x - 6, WATER)


def _pours(plate: PictureCanvas, one: str, other: str) -> None:
    """From a bucket on a pole, over the edge of a platform."""
    plate.fill(150, 262, 14, 186, WOOD)
    plate.fill(164, 400, FLOOR - 164, 14, WOOD)
    place(plate, other, 120, turned=True)
    place(plate, one, 350, 151)
    plate.polygon([(104, 72), (118, 66), (128, 132), (110, 140), (100, 120)], WATER)
    plate.polygon([(102, 66), (116, 40), (166, 62), (150, 92)], DYES["purple"])
    plate.line([(158, 76), (300, 96)], 7, DARK_WOOD)


def _sells(plate: PictureCanvas, one: str, other: str) -> None:
    """From a stall with an awning."""
    plate.fill(60, 438, FLOOR - 60, 8, DARK_WOOD)
    plate.fill(60, 252, FLOOR - 60, 8, DARK_WOOD)
    for k in range(8):
        left = 240 + 26 * k
        plate.polygon([(left + 6, 28), (left + 30, 28), (left + 26, 78), (left, 78)], DYES["red"] if k % 2 else WHITE)
    plate.lay(box(56, 74, 4), FLOOR - 56, 206, WOOD)
    for x in (224, 244, 264):
        plate.icon("apple", x, FLOOR - 68, 26)
    face_to_face(plate, one, other)


def _cooks(plate: PictureCanvas, one: str, other: str) -> None:
    """At a stove; who is cooked for has a table with a plate."""
    face_to_face(plate, one, other)
    plate.lay(box(70, 64, 6), FLOOR - 70, 238, LINE)
    plate.lay(box(40, 44, 4), FLOOR - 52, 248, INK)
    plate.lay(box(30, 48, 5), FLOOR - 102, 246, DYES["red"])
    plate.lay(box(7, 60, 3), FLOOR - 108, 240, INK)
    plate.lay(box(8, 66, 3), FLOOR - 48, 150, WOOD)
    for x in (158, 200):
        plate.fill(FLOOR - 42, x, 42, 7, WOOD)
    plate.lay(box(8, 46, 4), FLOOR - 56, 160, WHITE)
    plate.icon("carrot", 183, FLOOR - 68, 30)


def _crowns(plate: PictureCanvas, one: str, other: str) -> None:
    """With a crown on a pole."""
    face_to_face(plate, one, other)
    plate.line([(104, 84), (304, 196)], 7, DARK_WOOD)
    plate.icon("crown", LEFT, 78, 70)


def _bubbles(plate: PictureCanvas, one: str, other: str) -> None:
    face_to_face(plate, one, other)
    plate.line([(304, 200), (270, 192)], 8, DARK_WOOD)
    plate.lay(ring(28, 104, 76), 176, 248, DARK_WOOD)
    for x, y, side in ((224, 176, 24), (200, 150, 30), (184, 190, 34), (156, 120, 40), (112, 92, 40), (204, 104, 28)):
        plate.lay(ring(side, 4 * side - 4, 4 * side - 20), y - side // 2, x - side // 2, WATER)


def _shines(plate: PictureCanvas, one: str, other: str) -> None:
    """From a lamp on a stand."""
    plate.polygon([(262, 128), (262, 152), (120, FLOOR), (120, 84)], DYES["yellow"])
    plate.fill(FLOOR - 118, 284, 118, 8, INK)
    plate.fill(FLOOR - 8, 264, 8, 46, INK)
    plate.polygon([(256, 116), (256, 164), (284, 152), (306, 152), (306, 128), (284, 128)], INK)
    place(plate, other, 68, turned=True)
    place(plate, one, 376)


KINDS = {
    "gives": DeedKind(
        BEHIND,
        FACING,
        ("present on a tray before {other}", "handle of the tray at {one}"),
        _gives,
        "gives the present to",
    ),
    "rolls": DeedKind(
        BEHIND,
        FACING,
        ("platform under {one}", "ramp down to {other}", "ball on the ramp"),
        _rolls,
        "rolls the ball to",
    ),
    "sprays": DeedKind(BEHIND, FACING, ("hose in front of {one}", "water from the hose to {other}"), _sprays),
    "pours": DeedKind(
        BEHIND,
        FACING,
        ("platform under {one}", "pole from {one} to a bucket", "water from the bucket to {other}"),
        _pours,
        "pours water over",
    ),
    "sells": DeedKind(
        BEHIND, FACING, ("awning over {one}", "counter with apples in front of {one}"), _sells, "sells apples to"
    ),
    "cooks": DeedKind(
        BEHIND,
        FACING,
        ("stove with a pot in front of {one}", "table with a plate in front of {other}"),
        _cooks,
        "cooks for",
    ),
    "crowns": DeedKind(BEHIND, FACING, ("crown over {other}", "pole from {one} to the crown"), _crowns),
    "bubbles": DeedKind(
        BEHIND,
        FACING,
        ("hoop in front of {one}", "soap bubbles from the hoop to {other}"),
        _bubbles,
        "blows bubbles at",
    ),
    "shines": DeedKind(
        BEHIND, FACING, ("lamp in front of {one}", "light from the lamp on {other}"), _shines, "lights up"
    ),
}
"""Deeds. Where they stand and face: (place, facing)."""
