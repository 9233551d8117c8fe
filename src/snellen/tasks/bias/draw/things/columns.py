"""Things with parts in columns, and creatures with legs on both sides, each as a sketch."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.tasks.bias.draw.things.inks import coats
from snellen.tasks.bias.draw.things.pips import Pips
from snellen.tasks.bias.draw.things.sides import LimbedBody
from snellen.tasks.bias.draw.things.sketch import sketch

_PAPER = (252, 251, 247)
_RED = (206, 40, 48)

_HEART = """
    oval {ink} -22,-14 28 28
    oval {ink} 22,-14 28 28
    poly {ink} -46,-2 0,58 46,-2 0,-20
"""

_CARD = Pips(
    part=sketch(_HEART.format(ink="pip")),
    across=(-125, 0, 125),
    columns=(3, 1, 3),
    top=-225,
    bottom=225,
    width=76,
    coats=coats((_PAPER,), pip=_RED, sign=_RED, line=(120, 122, 130)),
    behind=sketch(
        """
        box line -284 -404 284 404 40
        box coat -279 -399 279 399 36
        """
    ),
    flexible=(1,),
    single=-112,
    step=225,
    signs=(("7", (-232, -342), 84), ("7", (232, 342), -84)),
)

_US_STARS = Pips(
    part=sketch("star white 0,0 5 33 13"),
    across=(-304, -228, -152, -76, 0, 76, 152, 228, 304),
    columns=(6, 5, 6, 5, 6, 5, 6, 5, 6),
    top=-345,
    bottom=345,
    width=44,
    coats=coats(((40, 52, 104), (34, 46, 96))),
    behind=sketch("box coat -400 -352 400 352 6"),
    flexible=(1, 3, 5, 7),
    step=124,
    lying=True,
)

PIPS: Mapping[str, Pips] = MappingProxyType(
    {
        "seven-of-hearts": _CARD,
        "us-canton": _US_STARS,
    }
)

_SPIDER = LimbedBody(
    body=sketch(
        """
        oval coat 0,110 128 150
        oval dark 0,-70 78 80
        oval light 0,70 26 26
        oval light 0,130 34 30
        oval white -26,-108 18 18
        oval white 26,-108 18 18
        oval ink -24,-112 9 9
        oval ink 24,-112 9 9
        """
    ),
    half=50,
    top=-120,
    bottom=0,
    first=-58,
    last=56,
    knee=165,
    foot=165,
    bend=24,
    widths=(30, 24, 14),
    coats=coats(((84, 76, 92), (116, 78, 58), (72, 84, 104), (128, 60, 60))),
)

_ANT = LimbedBody(
    body=sketch(
        """
        limb dark -36,-270 -90,-350 -60,-405 12 10
        limb dark 36,-270 90,-350 60,-405 12 10
        oval coat 0,-215 88 84
        oval coat 0,-50 62 100
        oval coat 0,200 116 170
        oval light -40,-240 14 16
        oval light 40,-240 14 16
        """
    ),
    half=40,
    top=-120,
    bottom=20,
    first=-44,
    last=44,
    knee=170,
    foot=170,
    bend=30,
    widths=(28, 22, 16),
    coats=coats(((138, 66, 44), (72, 62, 66), (104, 50, 46))),
)

_LADYBIRD = LimbedBody(
    body=sketch(
        """
        limb ink -40,-270 -80,-340 12 10
        limb ink 40,-270 80,-340 12 10
        oval ink 0,-210 110 92
        oval white -52,-246 22 20
        oval white 52,-246 22 20
        oval coat 0,60 240 270
        box ink -6 -206 6 328 4
        oval ink -120,-60 40 40
        oval ink 120,-60 40 40
        oval ink -130,110 44 44
        oval ink 130,110 44 44
        oval ink -70,240 34 34
        oval ink 70,240 34 34
        """
    ),
    half=190,
    top=-110,
    bottom=210,
    first=-28,
    last=30,
    knee=92,
    foot=92,
    bend=28,
    widths=(34, 28, 20),
    coats=coats(((212, 52, 44), (224, 112, 30), (196, 150, 24))),
    ink="ink",
)

_DRAGONFLY = LimbedBody(
    body=sketch(
        """
        limb coat 0,-190 0,100 0,390 70 46 26
        oval coat 0,-170 58 84
        oval dark -40,-270 44 44
        oval dark 40,-270 44 44
        """
    ),
    half=20,
    top=-190,
    bottom=-60,
    first=-24,
    last=26,
    knee=165,
    foot=150,
    bend=0,
    widths=(30, 84, 88, 40),
    coats=coats(((30, 120, 130), (60, 90, 170), (150, 70, 60)), wing=(146, 186, 214)),
    ink="wing",
)

SIDES: Mapping[str, LimbedBody] = MappingProxyType(
    {"spider": _SPIDER, "ant": _ANT, "ladybird": _LADYBIRD, "dragonfly": _DRAGONFLY}
)
