"""Things with parts around a middle, each as a sketch."""

from collections.abc import Mapping
from math import cos, radians, sin
from types import MappingProxyType

from snellen.draw.things.around import Around
from snellen.draw.things.inks import BRIGHT, DEEP, METAL, WOOD, coats

_CREAM = (250, 243, 226)
_WARM = ((226, 112, 28), (214, 58, 54), (200, 52, 122), (196, 132, 20), (118, 70, 178))

_STAR = Around(
    part=(("poly", "coat", (0, -360), (-100, -60), (-60, 20), (60, 20), (100, -60)),),
    mark=(120, 340, 60),
    coats=coats(BRIGHT),
    over=(("oval", "coat", (0, 0), 118, 118),),
    joined=True,
)

_STARFISH = Around(
    part=(
        ("limb", "coat", (0, -20), (0, -180), (0, -345), 150, 100, 44),
        ("oval", "light", (0, -150), 13, 13), ("oval", "light", (0, -210), 12, 12), ("oval", "light", (0, -265), 10, 10),
    ),
    mark=(110, 350, 84),
    coats=coats(_WARM),
    over=(("oval", "coat", (0, 0), 92, 92), ("oval", "light", (0, 0), 18, 18)),
)

_CLOCK = Around(
    part=(("box", "ink", -13, -318, 13, -238, 8),),
    mark=(238, 318, 26),
    coats=coats(BRIGHT),
    behind=(("oval", "coat", (0, 0), 395, 395), ("oval", "white", (0, 0), 350, 350)),
    over=(("limb", "ink", (0, 0), (96, -96), 26, 22), ("limb", "ink", (0, 0), (-60, -176), 18, 14), ("oval", "coat", (0, 0), 26, 26)),
    spins=False,
)

_STAR_IN_RING = Around(
    part=(("poly", "coat", (0, -345), (-46, -20), (0, 20), (46, -20)),),
    mark=(70, 320, 44),
    coats=coats((*METAL, *DEEP)),
    behind=(("ring", "coat", (0, 0), 370, 38),),
    spins=False,
)

_DIAMONDS = Around(
    part=(("poly", "coat", (0, -30), (-88, -195), (0, -360), (88, -195)),),
    mark=(60, 340, 100),
    coats=coats(BRIGHT),
    spins=False,
)

_SNOWFLAKE = Around(
    part=(
        ("box", "coat", -13, -375, 13, 10, 12),
        ("limb", "coat", (0, -215), (-72, -290), 22, 20), ("limb", "coat", (0, -215), (72, -290), 22, 20),
        ("limb", "coat", (0, -120), (-50, -172), 20, 18), ("limb", "coat", (0, -120), (50, -172), 20, 18),
    ),
    mark=(60, 375, 30),
    coats=coats(((58, 134, 206), (36, 108, 172), (80, 96, 190), (28, 138, 160))),
    over=(("oval", "coat", (0, 0), 36, 36),),
    joined=True,
)

_CLOVER = Around(
    part=(
        ("oval", "coat", (-58, -232), 96, 96), ("oval", "coat", (58, -232), 96, 96),
        ("poly", "coat", (0, -10), (-132, -170), (0, -240), (132, -170)),
        ("limb", "light", (0, -60), (0, -200), 10, 6),
    ),
    mark=(60, 320, 130),
    coats=coats(((46, 142, 74), (30, 120, 84), (82, 146, 50))),
    behind=(("limb", "dark", (0, 0), (40, 210), (120, 385), 22, 26),),
    spins=False,
)

_WINDMILL = Around(
    part=(
        ("box", "wood", -9, -280, 9, 0, 4),
        ("box", "sail", 9, -275, 78, -60, 4),
    ),
    mark=(60, 275, 60),
    coats=coats(((168, 74, 60), (120, 98, 84), (86, 112, 140)), wood=(92, 62, 44), sail=(150, 116, 82)),
    behind=(
        ("poly", "coat", (-82, -110), (82, -110), (136, 395), (-136, 395)),
        ("poly", "dark", (-104, -100), (0, -190), (104, -100)),
        ("box", "dark", -34, 290, 34, 395, 30),
        ("box", "light", -26, 70, 26, 150, 22),
    ),
    over=(("oval", "ink", (0, -110), 24, 24),),
    middle=(0, -110),
)

_TURBINE = Around(
    part=(("blob", "coat", (-16, 0), (16, 0), (26, -60), (14, -170), (4, -285), (-4, -285), (-14, -120)),),
    mark=(50, 280, 34),
    coats=coats(((92, 116, 140), (110, 118, 128), (70, 100, 130))),
    behind=(("poly", "light", (-13, -100), (13, -100), (24, 400), (-24, 400)),),
    over=(("oval", "dark", (0, -110), 30, 30),),
    middle=(0, -110),
)

_SHIP_WHEEL = Around(
    part=(("limb", "coat", (0, -60), (0, -260), 24, 24), ("limb", "coat", (0, -270), (0, -385), 30, 44, 26)),
    mark=(70, 385, 34),
    coats=coats(WOOD),
    behind=(("ring", "coat", (0, 0), 240, 56), ("ring", "dark", (0, 0), 240, 12)),
    over=(("oval", "coat", (0, 0), 78, 78), ("oval", "brass", (0, 0), 30, 30)),
    joined=True,
)
_SHIP_WHEEL_COATS = tuple({**coat, "brass": (206, 164, 60)} for coat in _SHIP_WHEEL.coats)

_CAR_WHEEL = Around(
    part=(("poly", "coat", (-40, -40), (-26, -262), (26, -262), (40, -40)),),
    mark=(70, 260, 54),
    coats=coats(((196, 202, 210), (176, 182, 192), (206, 196, 176))),
    behind=(("oval", "tyre", (0, 0), 390, 390), ("oval", "coat", (0, 0), 290, 290), ("oval", "gap", (0, 0), 262, 262)),
    over=(("oval", "coat", (0, 0), 78, 78), ("oval", "dark", (0, 0), 34, 34)),
    joined=True,
)

_FLOWER = Around(
    part=(("oval", "coat", (0, -225), 92, 150),),
    mark=(110, 340, 110),
    coats=coats(((206, 70, 120), (148, 92, 190), (70, 120, 204), (222, 92, 70)), heart=(246, 190, 40)),
    over=(("oval", "heart", (0, 0), 112, 112),),
)


_PAW = Around(
    part=(("oval", "coat", (0, -245), 62, 92),),
    mark=(180, 310, 110),
    coats=coats(DEEP),
    over=(("blob", "coat", (0, -60), (90, 0), (160, 110), (130, 200), (50, 180), (0, 165), (-50, 180), (-130, 200), (-160, 110), (-90, 0)),),
    middle=(0, 100),
    sweep=150,
)

_FERRIS = Around(
    part=(("limb", "coat", (0, 0), (0, -250), 10, 10), ("box", "cabin", -38, -345, 38, -262, 18)),
    mark=(303, 303, 76),
    coats=coats((METAL[0], METAL[2], (70, 90, 130)), cabin=(214, 58, 54)),
    behind=(("limb", "dark", (0, 0), (-150, 395), 24, 28), ("limb", "dark", (0, 0), (150, 395), 24, 28), ("ring", "coat", (0, 0), 250, 16)),
    over=(("oval", "dark", (0, 0), 40, 40),),
)


def _with(thing: Around, **more: tuple[int, int, int]) -> Around:
    """The same thing, its coats with more colours."""
    from dataclasses import replace

    return replace(thing, coats=tuple({**coat, **more} for coat in thing.coats))


RADIAL: Mapping[str, Around] = MappingProxyType(
    {
        "star": _STAR,
        "starfish": _STARFISH,
        "clock": _CLOCK,
        "star-in-ring-mark": _STAR_IN_RING,
        "diamond-mark": _DIAMONDS,
        "snowflake": _SNOWFLAKE,
        "clover": _CLOVER,
        "windmill": _WINDMILL,
        "wind-turbine": _TURBINE,
        "ship-wheel": _with(_SHIP_WHEEL, brass=(206, 164, 60)),
        "car-wheel": _with(_CAR_WHEEL, tyre=(48, 50, 58), gap=(72, 76, 88)),
        "paw-print": _PAW,
    }
)
