"""What a face may carry: a few strokes or a black area.

A design is drawn on a reference face whose corner 0 is the origin, corner 1 is (1, 0) and the last corner is (0, 1):
upright for a square, skewed for a triangle. Put on a real face it is stretched with it, so that the same strokes serve
the net and every view (`faces.py`).
"""

from types import MappingProxyType

from snellen.tasks.marvel.patterns.solid.shapes import FaceDesign, FaceStroke, Spot, area, blot, disc, line
from snellen.tasks.marvel.patterns.solid.stock import STOCKS

__all__ = ["DESIGNS", "PLAIN", "FaceDesign", "FaceStroke", "Spot"]

_T = 1 / 3

SQUARE_DESIGNS = (
    FaceDesign("blank", 4, "blank", "nothing", ()),
    FaceDesign("saltire", 4, "saltire", "both diagonals", (line((0, 0), (1, 1)), line((1, 0), (0, 1)))),
    FaceDesign("cross", 4, "cross", "two lines that quarter it", (line((0, 0.5), (1, 0.5)), line((0.5, 0), (0.5, 1)))),
    FaceDesign("dot", 4, "solid", "a black disc in the middle", (disc(0.5, 0.5, 0.2),)),
    FaceDesign("ring", 4, "hollow", "a circle in the middle", (disc(0.5, 0.5, 0.28, "white"),)),
    FaceDesign(
        "box",
        4,
        "hollow",
        "a small white square in the middle",
        (area((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75), fill="white"),),
    ),
    FaceDesign(
        "diamond",
        4,
        "hollow",
        "lines that join the middles of neighbouring sides",
        (area((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5), fill="white"),),
    ),
    FaceDesign("grey", 4, "grey", "grey all over", (area((0, 0), (1, 0), (1, 1), (0, 1), fill="grey"),)),
    FaceDesign("diagonal", 4, "diagonal", "a diagonal from {c0} to {c2}", (line((0, 0), (1, 1)),)),
    FaceDesign(
        "stripe",
        4,
        "stripe",
        "a line through the middle, from {s0} to {s2}",
        (line((0.5, 0), (0.5, 1)),),
    ),
    FaceDesign(
        "band",
        4,
        "stripe",
        "a black band through the middle, from {s0} to {s2}",
        (area((0.33, 0), (0.67, 0), (0.67, 1), (0.33, 1)),),
    ),
    FaceDesign(
        "hourglass",
        4,
        "wedge",
        "black triangles on {s0} and {s2} whose tips meet in the middle",
        (area((0, 0), (1, 0), (0.5, 0.5)), area((0, 1), (1, 1), (0.5, 0.5))),
    ),
    FaceDesign(
        "pair",
        4,
        "spots",
        "two black dots, near {c0} and near {c2}",
        (disc(0.28, 0.28, 0.14), disc(0.72, 0.72, 0.14)),
    ),
    FaceDesign("half", 4, "half", "a black triangle, the half of the face at {c0}", (area((0, 0), (1, 0), (0, 1)),)),
    FaceDesign(
        "slab",
        4,
        "slab",
        "a black rectangle, the half of the face along {s0}",
        (area((0, 0), (1, 0), (1, 0.5), (0, 0.5)),),
    ),
    FaceDesign(
        "quarter",
        4,
        "slab",
        "a black square, the quarter of the face at {c0}",
        (area((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5)),),
    ),
    FaceDesign(
        "wedge", 4, "wedge", "a black triangle on {s0} with its tip in the middle", (area((0, 0), (1, 0), (0.5, 0.5)),)
    ),
    FaceDesign(
        "vee",
        4,
        "vee",
        "two lines from the middle of {s0} to {c2} and {c3}",
        (line((0, 1), (0.5, 0), (1, 1)),),
    ),
    FaceDesign(
        "tee",
        4,
        "cross",
        "a line through the middle from {s3} to {s1}, and one from the middle to {s0}",
        (line((0, 0.5), (1, 0.5)), line((0.5, 0), (0.5, 0.5))),
    ),
    FaceDesign("speck", 4, "spots", "a black dot near {c0}", (disc(0.28, 0.28, 0.16),)),
    FaceDesign(
        "fold",
        4,
        "fold",
        "a line from {c0} to the middle and from there to {c1}",
        (line((0, 0), (0.5, 0.5), (1, 0)),),
    ),
    FaceDesign("slant", 4, "slant", "a line from {c0} to the middle of {s1}", (line((0, 0), (1, 0.5)),)),
    FaceDesign("tnals", 4, "slant", "a line from {c0} to the middle of {s2}", (line((0, 0), (0.5, 1)),)),
)

TRIANGLE_DESIGNS = (
    FaceDesign("bare", 3, "blank", "nothing", ()),
    FaceDesign("spot", 3, "solid", "a black disc in the middle", (blot(_T, _T, 0.15),)),
    FaceDesign("hoop", 3, "hollow", "a circle in the middle", (blot(_T, _T, 0.19, "white"),)),
    FaceDesign("ash", 3, "grey", "grey all over", (area((0, 0), (1, 0), (0, 1), fill="grey"),)),
    FaceDesign(
        "spokes",
        3,
        "spokes",
        "lines from the middle to all three corners",
        (line((_T, _T), (0, 0)), line((_T, _T), (1, 0)), line((_T, _T), (0, 1))),
    ),
    FaceDesign(
        "inner",
        3,
        "inner",
        "lines that join the middles of the sides",
        (area((0.5, 0), (0.5, 0.5), (0, 0.5), fill="white"),),
    ),
    FaceDesign("height", 3, "height", "a line from {c0} to the middle of {s1}", (line((0, 0), (0.5, 0.5)),)),
    FaceDesign("cut", 3, "cut", "a line that cuts off {c0}, parallel to {s1}", (line((0.5, 0), (0, 0.5)),)),
    FaceDesign("tip", 3, "tip", "a black tip at {c0}", (area((0, 0), (0.5, 0), (0, 0.5)),)),
    FaceDesign(
        "foot", 3, "tip", "black along {s1}, all but a tip at {c0}", (area((0.5, 0), (1, 0), (0, 1), (0, 0.5)),)
    ),
    FaceDesign(
        "sail", 3, "sail", "a black triangle on {s1} with its tip in the middle", (area((1, 0), (0, 1), (_T, _T)),)
    ),
    FaceDesign(
        "fan",
        3,
        "fan",
        "two lines from {c0} that divide {s1} in three",
        (line((2 * _T, _T), (0, 0), (_T, 2 * _T)),),
    ),
    FaceDesign("roof", 3, "roof", "lines from the middle to the two ends of {s1}", (line((1, 0), (_T, _T), (0, 1)),)),
    FaceDesign(
        "lee",
        3,
        "half",
        "black on one side of the line from {c0} to the middle of {s1}, the side of {c1}",
        (area((0, 0), (1, 0), (0.5, 0.5)),),
    ),
    FaceDesign(
        "luff",
        3,
        "half",
        "black on one side of the line from {c0} to the middle of {s1}, the side of {c2}",
        (area((0, 0), (0.5, 0.5), (0, 1)),),
    ),
    FaceDesign("corner", 3, "solid", "a black dot near {c0}", (blot(0.21, 0.21, 0.11),)),
)

PLAIN = (*SQUARE_DESIGNS, *TRIANGLE_DESIGNS)
DESIGNS = MappingProxyType(
    {design.name: design for design in (*PLAIN, *(one for stock in STOCKS.values() for one in stock))}
)
