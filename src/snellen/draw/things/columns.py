"""Things with parts in columns, and creatures with legs on both sides, each as a sketch."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.draw.things.inks import BRIGHT, DEEP, coats
from snellen.draw.things.pips import Pips
from snellen.draw.things.sides import Sides
from snellen.draw.things.sketch import sketch

_PAPER = (252, 251, 247)
_RED = (206, 40, 48)

_DIE_SIX = Pips(
    part=sketch("oval pip 0,0 52 52"),
    across=(-150, 150),
    columns=(3, 3),
    top=-215,
    bottom=215,
    width=104,
    coats=(
        *coats((_PAPER,), pip=(34, 34, 40)),
        *coats(((196, 44, 48), (44, 96, 176), (40, 120, 80), (60, 56, 64)), pip=(252, 251, 247)),
    ),
    behind=sketch(
        """
        box dark -348 -328 352 366 70
        box coat -345 -345 345 345 70
        """
    ),
)

_DOMINO = Pips(
    part=sketch("oval pip 0,0 34 34"),
    across=(-290, -110, 110, 290),
    columns=(3, 3, 3, 3),
    top=-115,
    bottom=115,
    width=68,
    coats=coats(((40, 42, 50), (92, 34, 48), (24, 60, 84)), pip=(250, 248, 240), line=(168, 166, 162)),
    behind=sketch(
        """
        box dark -404 -190 404 206 36
        box coat -404 -200 404 196 36
        box line -5 -160 5 160 4
        """
    ),
)

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

_BRICK = Pips(
    part=sketch(
        """
        oval dark 4,10 64 64
        oval light 0,0 60 60
        """
    ),
    across=(-95, 95),
    columns=(4, 4),
    top=-300,
    bottom=300,
    width=124,
    coats=coats(BRIGHT[:7]),
    behind=sketch(
        """
        box dark -392 -190 404 206 16
        box coat -400 -198 396 198 16
        """
    ),
    lying=True,
)

_BUTTON = Pips(
    part=sketch("oval hole 0,0 32 32"),
    across=(-85, 85),
    columns=(2, 2),
    top=-85,
    bottom=85,
    width=64,
    coats=coats(BRIGHT[:7], hole=(250, 248, 240)),
    behind=sketch(
        """
        oval dark 0,0 370 370
        oval coat 0,0 350 350
        oval dark 0,0 262 262
        oval coat 0,0 246 246
        """
    ),
)

_KEYPAD = Pips(
    part=sketch("box key -68 -50 68 50 26"),
    across=(-195, 0, 195),
    columns=(4, 4, 4),
    top=-175,
    bottom=325,
    width=110,
    coats=coats((DEEP[0], DEEP[4], (120, 44, 50), (40, 96, 90)), key=(240, 240, 236), screen=(176, 206, 190)),
    behind=sketch(
        """
        box coat -310 -410 310 410 60
        box screen -262 -362 262 -262 20
        """
    ),
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
        "die-six": _DIE_SIX,
        "domino": _DOMINO,
        "seven-of-hearts": _CARD,
        "toy-brick": _BRICK,
        "button": _BUTTON,
        "telephone": _KEYPAD,
        "us-canton": _US_STARS,
    }
)

_SPIDER = Sides(
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

_ANT = Sides(
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

_LADYBIRD = Sides(
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

_DRAGONFLY = Sides(
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

SIDES: Mapping[str, Sides] = MappingProxyType(
    {"spider": _SPIDER, "ant": _ANT, "ladybird": _LADYBIRD, "dragonfly": _DRAGONFLY}
)
