"""Things with parts in a row, each as a sketch."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.tasks.bias.draw.things.inks import BRIGHT, DEEP, INK, METAL, WOOD, coats
from snellen.tasks.bias.draw.things.kind import Mark
from snellen.tasks.bias.draw.things.rows import PartsRow
from snellen.tasks.bias.draw.things.sketch import sketch

_STRIPES = PartsRow(
    part=sketch("poly coat -30,0 30,0 -30,-230 -90,-230"),
    begin=(-160, 200),
    end=(250, 200),
    pitch=88,
    mark=Mark((0, 0), (-60, -230), 54),
    coats=coats((*BRIGHT, INK)),
    grow=0.75,
)

_CAR_RINGS = PartsRow(
    part=sketch("ring coat 0,0 78 24"),
    begin=(-300, 0),
    end=(300, 0),
    pitch=124,
    mark=Mark((0, 0), (0, 0), 18, 42),
    coats=coats((*METAL, *DEEP)),
)

_TRIDENT = PartsRow(
    part=sketch(
        """
        box coat -15 -270 15 70 4
        poly coat 0,-350 -44,-240 44,-240
        """
    ),
    begin=(-230, 0),
    end=(230, 0),
    mark=Mark((0, 0), (0, -330), 40),
    coats=coats((*METAL, *DEEP)),
    over=sketch(
        """
        blob coat -250,-20 -215,-20 -180,55 0,75 180,55 215,-20 250,-20 215,90 0,130 -215,90
        box coat -18 60 18 400 16
        box coat -62 170 62 200 12
        """
    ),
    joined=True,
)

_FORK = PartsRow(
    part=sketch("box coat -14 -380 14 -60 14"),
    begin=(-140, 0),
    end=(140, 0),
    mark=Mark((0, -60), (0, -380), 28),
    coats=coats(METAL),
    over=sketch(
        """
        blob coat -154,-110 -140,-92 0,-86 140,-92 154,-110 146,-10 70,60 0,78 -70,60 -146,-10
        limb coat 0,40 0,180 0,380 46 36 64
        """
    ),
    joined=True,
)

_TRAFFIC_LIGHT = PartsRow(
    part=sketch("oval lamp 0,0 50 50"),
    begin=(0, -345),
    end=(0, 285),
    inset=True,
    mark=Mark((0, 0), (0, 0), 100),
    coats=coats(
        ((52, 58, 66), (44, 66, 60), (66, 60, 58)),
        red=(236, 68, 56),
        amber=(250, 184, 44),
        green=(66, 190, 104),
        blue=(80, 150, 236),
        pale=(236, 236, 226),
    ),
    behind=sketch(
        """
        box dark -26 300 26 410 6
        box coat -105 -370 105 310 56
        """
    ),
    lamps=("red", "amber", "green"),
)

_GUITAR = PartsRow(
    part=sketch("box string -3.5 -352 3.5 250 3"),
    edged=False,
    begin=(-72, 0),
    end=(72, 0),
    mark=Mark((0, -352), (0, 250), 10),
    coats=coats(WOOD, string=(250, 246, 232), neck=(70, 48, 38), hole=(48, 34, 30), bridge=(60, 42, 36)),
    behind=sketch(
        """
        blob coat 0,-70 130,-80 180,0 150,80 205,180 210,300 120,390 0,400 -120,390 -210,300 -205,180 -150,80
            -180,0 -130,-80
        oval dark 0,60 112 112
        oval hole 0,60 98 98
        box dark -80 -412 80 -330 20
        box neck -98 -360 98 30 8
        box dark -98 -300 98 -294
        box dark -98 -220 98 -214
        box dark -98 -140 98 -134
        box dark -98 -60 98 -54
        box bridge -124 232 124 276 12
        """
    ),
)

_VIOLIN = PartsRow(
    part=sketch("box string -3.5 -330 3.5 270 3"),
    edged=False,
    begin=(-45, 0),
    end=(45, 0),
    mark=Mark((0, -330), (0, 270), 10),
    coats=coats(((150, 74, 36), (124, 58, 38), (170, 96, 48)), string=(252, 248, 236), neck=(46, 36, 34)),
    behind=sketch(
        """
        box dark -30 -410 30 -300 26
        blob coat 0,-120 110,-140 165,-70 140,10 96,80 130,140 200,220 190,330 100,395 0,405 -100,395 -190,330
            -200,220 -130,140 -96,80 -140,10 -165,-70 -110,-140
        box neck -64 -345 64 60 20
        poly neck -62,270 62,270 36,380 -36,380
        limb neck -126,90 -112,150 -132,215 10 14 10
        limb neck 126,90 112,150 132,215 10 14 10
        box light -84 150 84 166 6
        """
    ),
)

_STAVE = PartsRow(
    part=sketch("box coat -390 -5 390 5"),
    begin=(0, -150),
    end=(0, 150),
    mark=Mark((-390, 0), (390, 0), 10),
    coats=coats((INK, *DEEP[:4])),
    over=sketch(
        """
        oval coat -120,112 46 33 -24
        box coat -86 -130 -76 106
        oval coat 60,38 46 33 -24
        box coat 94 -210 104 32
        oval coat 250,74 46 33 -24
        box coat 284 -170 294 68
        """
    ),
    loose=True,
)

_CANDLES = PartsRow(
    part=sketch(
        """
        box coat -10 0 10 130 8
        box wax -14 -120 14 0 4
        blob flame 0,-190 16,-150 0,-128 -16,-150
        """
    ),
    begin=(-330, -40),
    end=(330, -40),
    mark=Mark((0, 90), (0, -180), 26),
    coats=coats(((176, 130, 40), (122, 132, 146), (140, 96, 60)), wax=(86, 110, 190), flame=(244, 150, 30)),
    over=sketch(
        """
        box coat -350 70 350 96 12
        box coat -16 80 16 330 8
        blob coat -130,370 -60,320 0,310 60,320 130,370 120,385 0,388 -120,385
        """
    ),
    joined=True,
)

_SNOWMAN_BUTTONS = PartsRow(
    part=sketch("oval ink 0,0 17 17"),
    begin=(0, -20),
    end=(0, 320),
    mark=Mark((0, 0), (0, 0), 34),
    coats=coats(((206, 218, 232), (190, 208, 226)), carrot=(230, 120, 30), scarf=(206, 56, 60)),
    behind=sketch(
        """
        oval coat 0,220 172 172
        oval coat 0,-20 132 132
        oval coat 0,-220 98 98
        limb scarf -84,-134 0,-116 84,-134 42 46 42
        limb scarf 74,-128 96,-30 40 46
        box ink -112 -312 112 -286 8
        box ink -72 -404 72 -292 8
        oval ink -34,-240 11 11
        oval ink 34,-240 11 11
        poly carrot -8,-222 96,-200 -8,-190
        """
    ),
)

_SWOOSH = PartsRow(
    part=sketch("blob coat -276,-62 -345,0 -300,80 -190,90 -40,45 340,-130 0,-30 -150,5 -235,0 -278,-40"),
    begin=(0, -230),
    end=(0, 260),
    pitch=200,
    mark=Mark((-300, 20), (300, -90), 50),
    coats=coats((*BRIGHT, INK)),
)

LINEAR: Mapping[str, PartsRow] = MappingProxyType(
    {
        "three-stripe-mark": _STRIPES,
        "ring-chain-mark": _CAR_RINGS,
        "trident": _TRIDENT,
        "fork": _FORK,
        "traffic-light": _TRAFFIC_LIGHT,
        "guitar": _GUITAR,
        "violin": _VIOLIN,
        "stave": _STAVE,
        "candlestick": _CANDLES,
        "snowman": _SNOWMAN_BUTTONS,
        "swoosh-mark": _SWOOSH,
    }
)
