"""Furniture that stands on legs, each as a sketch."""

from collections.abc import Mapping
from types import MappingProxyType

from snellen.tasks.bias.draw.things.inks import WOOD, coats
from snellen.tasks.bias.draw.things.limbs import Body, LegShape
from snellen.tasks.bias.draw.things.sketch import sketch

_SEATS = ((196, 70, 66), (52, 120, 150), (86, 132, 84), (176, 112, 60))

_CHAIR = Body(
    behind=sketch(
        """
        box coat -200 -390 -156 60 16
        box coat 156 -390 200 60 16
        box coat -190 -370 190 -290 24
        box coat -190 -230 190 -180 20
        box coat -190 -120 190 -70 20
        """
    ),
    front=sketch("box seat -236 0 236 66 28"),
    over=(),
    leg=LegShape(40, 34, "none", bend=0),
    hips=(-195, 195),
    hip=40,
    belly=66,
    feet=(-215, 215),
    ground=380,
    looks=False,
    coats=tuple({**coat, "seat": seat} for coat in coats(WOOD) for seat in _SEATS),
    paired=False,
)

_TABLE = Body(
    behind=sketch(
        """
        box vase -40 -280 40 -130 26
        limb stem 0,-270 -30,-340 8 8
        limb stem 0,-270 40,-350 8 8
        oval bloom -32,-350 30 30
        oval bloom 42,-362 30 30
        """
    ),
    front=sketch(
        """
        box coat -410 -150 410 -96 18
        box dark -360 -100 360 -50 8
        """
    ),
    over=(),
    leg=LegShape(46, 38, "none", bend=0),
    hips=(-325, 325),
    hip=-70,
    belly=-50,
    feet=(-345, 345),
    ground=330,
    looks=False,
    coats=coats(WOOD, vase=(70, 120, 170), stem=(70, 130, 80), bloom=(214, 84, 110)),
)

FURNITURE: Mapping[str, Body] = MappingProxyType({"chair": _CHAIR, "table": _TABLE})
