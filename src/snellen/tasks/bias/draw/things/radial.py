"""Things with parts around a middle, each as a sketch."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from snellen.tasks.bias.draw.things.around import Around
from snellen.tasks.bias.draw.things.inks import BRIGHT, DEEP, METAL, WOOD, coats
from snellen.tasks.bias.draw.things.sketch import sketch

_WARM = ((226, 112, 28), (214, 58, 54), (200, 52, 122), (196, 132, 20), (118, 70, 178))

_STAR = Around(
    part=sketch("poly coat 0,-360 -100,-60 -60,20 60,20 100,-60"),
    mark=(120, 340, 60),
    coats=coats(BRIGHT),
    over=sketch("oval coat 0,0 118 118"),
    joined=True,
    round=False,
)

_STARFISH = Around(
    part=sketch(
        """
        limb coat 0,-20 0,-180 0,-345 150 100 44
        oval light 0,-150 13 13
        oval light 0,-210 12 12
        oval light 0,-265 10 10
        """
    ),
    mark=(130, 350, 70),
    coats=coats(_WARM),
    over=sketch(
        """
        oval coat 0,0 92 92
        oval light 0,0 18 18
        """
    ),
)

_CLOCK = Around(
    part=sketch("box ink -13 -318 13 -238 8"),
    mark=(238, 318, 26),
    coats=coats(BRIGHT),
    behind=sketch(
        """
        oval coat 0,0 395 395
        oval white 0,0 350 350
        """
    ),
    over=sketch(
        """
        limb ink 0,0 96,-96 26 22
        limb ink 0,0 -60,-176 18 14
        oval coat 0,0 26 26
        """
    ),
    over_spins=True,
    spins=False,
)

_STAR_IN_RING = Around(
    part=sketch("poly coat 0,-345 -46,-20 0,20 46,-20"),
    mark=(70, 320, 44),
    coats=coats((*METAL, *DEEP)),
    behind=sketch("ring coat 0,0 370 38"),
    spins=False,
)

_DIAMONDS = Around(
    part=sketch("poly coat 0,-30 -88,-195 0,-360 88,-195"),
    mark=(120, 340, 70),
    coats=coats(BRIGHT),
    spins=False,
)

_SNOWFLAKE = Around(
    part=sketch(
        """
        box coat -13 -375 13 10 12
        limb coat 0,-215 -72,-290 22 20
        limb coat 0,-215 72,-290 22 20
        limb coat 0,-120 -50,-172 20 18
        limb coat 0,-120 50,-172 20 18
        """
    ),
    mark=(60, 375, 30),
    coats=coats(((58, 134, 206), (36, 108, 172), (80, 96, 190), (28, 138, 160))),
    over=sketch("oval coat 0,0 36 36"),
    joined=True,
)

_WINDMILL = Around(
    part=sketch(
        """
        box wood -9 -280 9 0 4
        box sail 9 -275 78 -60 4
        """
    ),
    mark=(80, 275, 50),
    coats=coats(((168, 74, 60), (138, 142, 150), (86, 112, 140)), wood=(92, 62, 44), sail=(150, 116, 82)),
    behind=sketch(
        """
        poly coat -82,-110 82,-110 136,395 -136,395
        poly dark -104,-100 0,-190 104,-100
        box dark -34 290 34 395 30
        box light -26 70 26 150 22
        """
    ),
    over=sketch("oval ink 0,-110 24 24"),
    middle=(0, -110),
)

_TURBINE = Around(
    part=sketch("blob coat -16,0 16,0 26,-60 14,-170 4,-285 -4,-285 -14,-120"),
    mark=(50, 280, 34),
    coats=coats(((92, 116, 140), (110, 118, 128), (70, 100, 130))),
    behind=sketch("poly light -13,-100 13,-100 24,400 -24,400"),
    over=sketch("oval dark 0,-110 30 30"),
    middle=(0, -110),
)

_SHIP_WHEEL = Around(
    part=sketch(
        """
        limb coat 0,-60 0,-260 24 24
        limb coat 0,-270 0,-385 30 44 26
        """
    ),
    mark=(100, 385, 34),
    coats=coats(WOOD),
    behind=sketch(
        """
        ring coat 0,0 240 56
        ring dark 0,0 240 12
        """
    ),
    over=sketch(
        """
        oval coat 0,0 78 78
        oval brass 0,0 30 30
        """
    ),
    joined=True,
)
_EUROPE = Around(
    part=sketch("star gold 0,0 5 34 13"),
    mark=(200, 200, 54),
    coats=coats(((0, 60, 150), (10, 50, 136)), gold=(255, 206, 20)),
    behind=sketch("box coat -400 -266 400 266"),
    spins=False,
    upright=True,
    round=False,
)

_VENEZUELA = Around(
    part=sketch("star white 0,0 5 25 10"),
    mark=(330, 330, 38),
    coats=coats(((16, 60, 148),), gold=(252, 208, 30), red=(206, 34, 48)),
    behind=sketch(
        """
        box gold -400 -266 400 -88
        box coat -400 -89 400 89
        box red -400 88 400 266
        """
    ),
    middle=(0, 285),
    sweep=80,
    upright=True,
    round=False,
)

_PAW = Around(
    part=sketch("oval coat 0,-262 46 82"),
    mark=(200, 330, 70),
    coats=coats(DEEP),
    over=sketch("blob coat 0,-60 90,0 160,110 130,200 50,180 0,165 -50,180 -130,200 -160,110 -90,0"),
    middle=(0, 100),
    sweep=136,
)


def _with(thing: Around, **more: tuple[int, int, int]) -> Around:
    """The same thing, its coats with more colours."""
    return replace(thing, coats=tuple({**coat, **more} for coat in thing.coats))


RADIAL: Mapping[str, Around] = MappingProxyType(
    {
        "star": _STAR,
        "starfish": _STARFISH,
        "clock": _CLOCK,
        "star-in-ring-mark": _STAR_IN_RING,
        "diamond-mark": _DIAMONDS,
        "snowflake": _SNOWFLAKE,
        "windmill": _WINDMILL,
        "wind-turbine": _TURBINE,
        "ship-wheel": _with(_SHIP_WHEEL, brass=(206, 164, 60)),
        "paw-print": _PAW,
        "europe-flag": _EUROPE,
        "venezuela-flag": _VENEZUELA,
    }
)
