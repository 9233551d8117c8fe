"""Birds, each as a sketch: facing right, the feet on a common ground."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.draw.looks import Colour
from snellen.tasks.bias.draw.things.limbs import Body, LegShape
from snellen.tasks.bias.draw.things.sketch import sketch

_RED: Colour = (208, 44, 44)

_HEN = Body(
    behind=sketch("blob dark -170,-60 -290,-190 -330,-150 -325,-90 -340,-40 -290,0 -180,40"),
    front=sketch(
        """
        blob coat -230,-20 -150,-50 0,-60 80,-130 115,-230 165,-262 215,-228 225,-150 215,-30 160,70 40,120
            -100,110 -195,60
        """
    ),
    over=sketch(
        """
        blob dark -140,-10 0,-25 90,10 40,70 -60,78 -130,50
        oval comb 140,-272 22 28
        oval comb 172,-284 22 30
        oval comb 202,-264 20 24
        oval comb 232,-168 17 30
        poly beak 212,-236 276,-206 214,-190
        oval eye 182,-222 10 11
        """
    ),
    leg=LegShape(19, 17, "toes", ink="beak"),
    hips=(-110, 110),
    hip=80,
    belly=112,
    feet=(-225, 215),
    ground=290,
    coats=(
        {"coat": (176, 92, 52), "comb": _RED, "beak": (198, 120, 20)},
        {"coat": (122, 78, 60), "comb": _RED, "beak": (190, 112, 18)},
        {"coat": (96, 100, 112), "comb": _RED, "beak": (196, 118, 20)},
    ),
    paired=False,
)

_DUCK = Body(
    behind=sketch("poly dark -200,0 -350,-90 -330,-20 -340,20 -200,60"),
    front=sketch(
        """
        blob coat -270,-20 -150,-60 20,-70 120,-50 190,10 150,90 20,130 -140,110 -240,50
        limb head 130,0 160,-100 185,-180 100 70 66
        oval head 200,-200 76 68
        """
    ),
    over=sketch(
        """
        limb white 114,-62 190,-74 16 16
        blob dark -190,-10 -40,-40 70,0 20,66 -90,70 -170,40
        blob bill 258,-222 330,-196 356,-176 320,-162 256,-168
        oval white 222,-220 15 16
        oval eye 225,-219 9 10
        """
    ),
    leg=LegShape(22, 18, "webbed", ink="bill"),
    hips=(-120, 100),
    hip=80,
    belly=120,
    feet=(-235, 205),
    ground=265,
    coats=(
        {"coat": (150, 130, 112), "head": (30, 110, 84), "bill": (212, 128, 16)},
        {"coat": (226, 178, 60), "head": (226, 178, 60), "bill": (206, 96, 22)},
        {"coat": (126, 138, 152), "head": (70, 84, 120), "bill": (208, 122, 18)},
    ),
    paired=False,
)

_OSTRICH = Body(
    behind=sketch("blob plume -170,-60 -270,-110 -310,-50 -300,10 -260,50 -170,50"),
    front=sketch(
        """
        blob coat -215,-20 -130,-100 10,-120 130,-80 180,0 120,80 -20,105 -150,80
        limb skin 130,-20 190,-110 180,-230 200,-340 62 42 34 34
        oval skin 218,-356 48 38
        """
    ),
    over=sketch(
        """
        blob plume -170,10 -60,-20 20,30 -40,78 -140,60
        poly beak 252,-372 318,-344 250,-334
        oval white 232,-366 14 14
        oval eye 234,-365 9 9
        """
    ),
    leg=LegShape(32, 16, "toes", ink="skin"),
    hips=(-110, 90),
    hip=60,
    belly=98,
    feet=(-225, 215),
    ground=375,
    coats=(
        {"coat": (58, 54, 62), "plume": (226, 222, 216), "skin": (196, 140, 118), "beak": (206, 136, 66)},
        {"coat": (112, 92, 78), "plume": (214, 200, 182), "skin": (182, 132, 112), "beak": (198, 128, 60)},
    ),
    paired=False,
)

_FLAMINGO = Body(
    behind=sketch("poly dark -170,-10 -290,50 -240,-40"),
    front=sketch(
        """
        blob coat -220,10 -120,-80 20,-100 120,-60 130,20 40,70 -100,66
        limb coat 90,-40 190,-60 180,-180 110,-260 150,-350 210,-345 76 46 36 34 36 44
        oval coat 212,-340 46 38
        """
    ),
    over=sketch(
        """
        blob dark -180,6 -70,-40 50,-20 0,40 -100,46
        blob light 240,-356 290,-340 296,-316 246,-318
        blob tip 276,-344 304,-324 296,-270 274,-296
        oval eye 222,-350 8 9
        """
    ),
    leg=LegShape(17, 15, "toes"),
    hips=(-100, 60),
    hip=40,
    belly=68,
    feet=(-220, 190),
    ground=390,
    coats=(
        {"coat": (236, 122, 140), "tip": (44, 40, 48)},
        {"coat": (226, 100, 104), "tip": (44, 40, 48)},
        {"coat": (240, 140, 126), "tip": (54, 44, 48)},
    ),
    paired=False,
)

_OWL = Body(
    behind=sketch("poly dark -70,120 -110,250 110,250 70,120"),
    front=sketch(
        """
        blob coat -175,-120 -150,-250 -160,-330 -80,-290 0,-300 80,-290 160,-330 150,-250 175,-120 185,40 110,170
            0,195 -110,170 -185,40
        """
    ),
    over=sketch(
        """
        blob dark -180,-90 -110,-40 -100,80 -140,140 -190,40
        blob dark 180,-90 110,-40 100,80 140,140 190,40
        oval light 0,60 88 108
        oval white -70,-170 68 68
        oval white 70,-170 68 68
        oval beak -66,-166 38 38
        oval beak 66,-166 38 38
        oval eye -64,-166 22 22
        oval eye 64,-166 22 22
        poly beak -24,-130 24,-130 0,-80
        """
    ),
    leg=LegShape(22, 18, "toes", ink="beak"),
    hips=(-80, 80),
    hip=150,
    belly=190,
    feet=(-228, 228),
    ground=320,
    coats=(
        {"coat": (146, 104, 72), "beak": (212, 142, 28)},
        {"coat": (120, 112, 112), "beak": (206, 136, 24)},
        {"coat": (108, 84, 74), "beak": (208, 138, 26)},
    ),
    looks=False,
    paired=False,
)

_CRANE = Body(
    behind=sketch("blob tip -150,-10 -260,30 -290,110 -230,110 -130,60"),
    front=sketch(
        """
        blob coat -200,0 -110,-80 30,-100 130,-70 150,0 60,66 -90,70
        limb coat 110,-30 180,-120 176,-230 206,-320 70 42 32 34
        oval tip 222,-332 42 34
        """
    ),
    over=sketch(
        """
        blob dark -170,16 -60,-40 60,-26 20,40 -80,50
        limb beak 250,-330 350,-312 20 6
        oval crown 216,-358 24 11
        oval white 234,-338 8 8
        """
    ),
    leg=LegShape(17, 15, "toes", ink="beak"),
    hips=(-90, 80),
    hip=40,
    belly=68,
    feet=(-210, 200),
    ground=380,
    coats=(
        {"coat": (140, 152, 168), "tip": (58, 62, 74), "beak": (92, 84, 74), "crown": _RED},
        {"coat": (168, 158, 148), "tip": (70, 62, 60), "beak": (104, 84, 66), "crown": _RED},
    ),
    paired=False,
)

BIRDS: Mapping[str, Body] = MappingProxyType(
    {
        "hen": _HEN,
        "duck": _DUCK,
        "ostrich": _OSTRICH,
        "flamingo": _FLAMINGO,
        "owl": _OWL,
        "crane": _CRANE,
    }
)
