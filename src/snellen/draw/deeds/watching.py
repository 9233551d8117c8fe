"""Deeds of watching, showing, hiding and keeping: an instrument between the two, or round one of them."""

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


def _tripod(plate: PictureCanvas, x: int, top: int) -> None:
    for foot in (x - 26, x, x + 26):
        plate.line([(x, top), (foot, FLOOR)], 5, DARK_WOOD)


def _watches(plate: PictureCanvas, one: str, other: str) -> None:
    """Through a telescope."""
    face_to_face(plate, one, other)
    _tripod(plate, 254, 190)
    plate.line([(298, 198), (256, 184)], 14, INK)
    plate.line([(262, 186), (206, 168)], 24, INK)
    plate.line([(208, 168), (198, 165)], 30, WOOD)


def _photographs(plate: PictureCanvas, one: str, other: str) -> None:
    face_to_face(plate, one, other)
    _tripod(plate, 258, 180)
    plate.lay(box(46, 60, 8), 140, 230, INK)
    plate.lay(box(12, 24, 4), 130, 250, INK)
    plate.lay(box(34, 18, 4), 146, 214, LINE)
    plate.lay(box(26, 8, 3), 150, 207, WATER)


def _paints(plate: PictureCanvas, one: str, other: str) -> None:
    """On a canvas that both the painter and we see."""
    face_to_face(plate, one, other)
    for top, foot in ((206, 178), (222, 272)):
        plate.line([(top + 6, 70), (foot, FLOOR)], 7, DARK_WOOD)
    plate.lay(box(100, 100, 3), 92, 172, WOOD)
    plate.lay(box(88, 88, 2), 98, 178, WHITE)
    plate.icon(other, 222, 142, 76)
    plate.icon("paintbrush", 290, 196, 40)


def _hides(plate: PictureCanvas, one: str, other: str) -> None:
    """Behind a wall, from somebody with a lamp."""
    place(plate, other, LEFT, turned=True)
    place(plate, one, 376)
    plate.polygon([(190, 196), (190, 210), (262, FLOOR), (262, 120)], DYES["yellow"])
    plate.polygon([(148, 196), (176, 196), (192, 188), (192, 218), (176, 210), (148, 210)], INK)
    plate.fill(100, 262, FLOOR - 100, 40, DARK_WOOD)
    for k, top in enumerate(range(100, FLOOR, 18)):
        plate.fill(top, 262, 3, 40, LINE)
        plate.fill(top, 274 + 14 * (k % 2), min(18, FLOOR - top), 3, LINE)


def _shelters(plate: PictureCanvas, one: str, other: str) -> None:
    """With an umbrella; the rain falls beside it."""
    face_to_face(plate, one, other)
    for k, x in enumerate(range(206, 440, 22)):
        for y in range(10 + 14 * (k % 3), 120, 42):
            plate.line([(x, y), (x - 5, y + 18)], 3, WATER)
    plate.line([(92, 96), (304, 200)], 7, DARK_WOOD)
    plate.polygon(
        [(4, 112), (10, 82), (34, 50), (70, 34), (98, 34), (134, 50), (158, 82), (164, 112), (84, 102)], DYES["red"]
    )


def _catches(plate: PictureCanvas, one: str, other: str) -> None:
    """In a net with a long handle."""
    face_to_face(plate, one, other)
    plate.line([(160, 160), (304, 206)], 8, DARK_WOOD)
    plate.lay(ring(168, 664, 632), 116, 0, DARK_WOOD)
    for at in range(28, 150, 28):
        reach = int((80**2 - (at - 84) ** 2) ** 0.5)
        plate.fill(200 - reach, at, 2 * reach, 2, DARK_WOOD)
        plate.fill(116 + at, 84 - reach, 2, 2 * reach, DARK_WOOD)


def _locks_up(plate: PictureCanvas, one: str, other: str) -> None:
    """In a cage; the key is with the other."""
    place(plate, other, 92, turned=True)
    place(plate, one, RIGHT)
    for x in range(20, 180, 24):
        plate.fill(118, x, FLOOR - 118, 4, INK)
    plate.lay(box(12, 168, 4), 108, 10, INK)
    plate.lay(box(12, 168, 4), FLOOR - 8, 10, INK)
    plate.icon("key", 276, 198, 52)


def _sings(plate: PictureCanvas, one: str, other: str) -> None:
    """On a stage with a curtain and a microphone."""
    plate.fill(FLOOR - 26, 248, 26, 200, WOOD)
    plate.fill(20, 248, 26, 200, DYES["red"])
    plate.polygon([(424, 40), (448, 40), (448, FLOOR - 26), (434, FLOOR - 26)], DYES["red"])
    plate.fill(150, 274, FLOOR - 176, 5, INK)
    plate.lay(disc(26, 96), 134, 264, INK)
    place(plate, other, LEFT, turned=True)
    place(plate, one, 356, FLOOR - 25)


def _teaches(plate: PictureCanvas, one: str, other: str) -> None:
    """At a blackboard, with a pointer."""
    face_to_face(plate, one, other)
    plate.lay(box(104, 116, 4), 70, 160, WOOD)
    plate.lay(box(92, 104, 2), 76, 166, INK)
    plate.line([(184, 140), (216, 92), (248, 140), (184, 140)], 5, WHITE)
    plate.lay(disc(16, 60), 146, 208, WHITE)
    for x in (174, 256):
        plate.fill(174, x, FLOOR - 174, 6, WOOD)
    plate.line([(306, 204), (238, 150)], 6, DARK_WOOD)


KINDS = {
    "watches": DeedKind(BEHIND, FACING, ("telescope from {one} to {other}",), _watches),
    "photographs": DeedKind(BEHIND, FACING, ("camera in front of {one}, its lens to {other}",), _photographs),
    "paints": DeedKind(BEHIND, FACING, ("canvas with a picture of {other}", "paintbrush in front of {one}"), _paints),
    "hides": DeedKind(
        BEHIND, FACING, ("wall in front of {one}", "lamp of {other} that shines on the wall"), _hides, "hides from"
    ),
    "shelters": DeedKind(
        BEHIND,
        FACING,
        ("umbrella over {other}", "handle of the umbrella at {one}", "rain beside the umbrella"),
        _shelters,
        "holds the umbrella over",
    ),
    "catches": DeedKind(BEHIND, FACING, ("net round {other}", "handle of the net at {one}"), _catches),
    "locks up": DeedKind(BEHIND, FACING, ("cage round {other}", "key in front of {one}"), _locks_up),
    "sings": DeedKind(
        BEHIND,
        FACING,
        ("stage under {one}", "curtain behind {one}", "microphone in front of {one}"),
        _sings,
        "sings to",
    ),
    "teaches": DeedKind(BEHIND, FACING, ("blackboard", "pointer from {one} to the blackboard"), _teaches),
}
"""Deeds. Where they stand and face: (place, facing)."""
