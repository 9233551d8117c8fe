"""More for the faces of cubes to carry: pips of a die, capital letters, icons, pieces of a tangram.

Each of these is a family of its own: a cube carries one sort only. All of them look the same in a mirror, turned at
most, as the mirror image of a face must be a face that a cube can have.
"""

from collections.abc import Sequence
from types import MappingProxyType

from snellen.tasks.marvel.patterns.solid.shapes import FaceDesign, FaceStroke, Spot, area, disc, line

_NEAR, _MID, _FAR = 0.24, 0.5, 0.76
_PIP = 0.1
_PIPS: dict[str, tuple[Spot, ...]] = {
    "one": ((_MID, _MID),),
    "two": ((_NEAR, _NEAR), (_FAR, _FAR)),
    "three": ((_NEAR, _NEAR), (_MID, _MID), (_FAR, _FAR)),
    "four": ((_NEAR, _NEAR), (_FAR, _NEAR), (_FAR, _FAR), (_NEAR, _FAR)),
    "five": ((_NEAR, _NEAR), (_FAR, _NEAR), (_MID, _MID), (_FAR, _FAR), (_NEAR, _FAR)),
    "six": tuple((x, y) for x in (_NEAR, _FAR) for y in (_NEAR, _MID, _FAR)),
}
_PIP_WORDS = {
    "one": "one pip",
    "two": "two pips, near {c0} and near {c2}",
    "three": "three pips in a row from {c0} to {c2}",
    "four": "four pips",
    "five": "five pips",
    "six": "six pips, three along {s3} and three along {s1}",
}
PIPS = tuple(
    FaceDesign(f"pips {name}", 4, f"pips {name}", _PIP_WORDS[name], tuple(disc(x, y, _PIP) for x, y in spots))
    for name, spots in _PIPS.items()
)

# No H, which turned looks like an I.
_LETTERS: dict[str, tuple[tuple[Spot, ...], ...]] = {
    "A": (((0.24, 0.82), (0.5, 0.18), (0.76, 0.82)), ((0.36, 0.56), (0.64, 0.56))),
    "E": (((0.74, 0.2), (0.3, 0.2), (0.3, 0.8), (0.74, 0.8)), ((0.3, 0.5), (0.66, 0.5))),
    "I": (((0.5, 0.18), (0.5, 0.82)), ((0.34, 0.18), (0.66, 0.18)), ((0.34, 0.82), (0.66, 0.82))),
    "M": (((0.22, 0.82), (0.22, 0.18), (0.5, 0.58), (0.78, 0.18), (0.78, 0.82)),),
    "T": (((0.22, 0.2), (0.78, 0.2)), ((0.5, 0.2), (0.5, 0.82))),
    "U": (((0.26, 0.18), (0.26, 0.66), (0.42, 0.82), (0.58, 0.82), (0.74, 0.66), (0.74, 0.18)),),
    "V": (((0.22, 0.18), (0.5, 0.82), (0.78, 0.18)),),
    "X": (((0.24, 0.18), (0.76, 0.82)), ((0.76, 0.18), (0.24, 0.82))),
    "Y": (((0.24, 0.18), (0.5, 0.5), (0.76, 0.18)), ((0.5, 0.5), (0.5, 0.82))),
}
LETTERS = tuple(
    FaceDesign(
        f"letter {name}",
        4,
        f"letter {name}",
        f'the letter "{name}", its top towards {{s0}}',
        tuple(line(*spots) for spots in strokes),
    )
    for name, strokes in _LETTERS.items()
)


def _both_ways(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    """An outline from its left half, from top to bottom."""
    return (*spots, *((1 - u, v) for u, v in reversed(spots) if abs(u - 0.5) > 1e-9))


_ICONS: dict[str, tuple[str, tuple[FaceStroke, ...]]] = {
    "arrow": ("arrow", (area(*_both_ways(((0.5, 0.16), (0.2, 0.48), (0.4, 0.48), (0.4, 0.84)))),)),
    "house": (
        "house with a black roof",
        (
            area(*_both_ways(((0.5, 0.16), (0.18, 0.48)))),
            area((0.28, 0.48), (0.72, 0.48), (0.72, 0.84), (0.28, 0.84), fill="white"),
        ),
    ),
    "tree": (
        "tree with a round white crown",
        # A pointed crown, black all over, would be an arrow.
        (
            area((0.42, 0.58), (0.58, 0.58), (0.58, 0.88), (0.42, 0.88)),
            area(*_both_ways(((0.5, 0.12), (0.32, 0.15), (0.18, 0.27), (0.16, 0.43), (0.26, 0.57))), fill="white"),
        ),
    ),
    "crown": (
        "crown",
        (area(*_both_ways(((0.5, 0.24), (0.36, 0.5), (0.2, 0.24), (0.2, 0.78))), fill="grey"),),
    ),
    "cup": ("cup", (line((0.24, 0.24), (0.34, 0.78), (0.66, 0.78), (0.76, 0.24)), line((0.16, 0.24), (0.84, 0.24)))),
    "mushroom": (
        "mushroom with a grey cap",
        (
            area(*_both_ways(((0.5, 0.18), (0.3, 0.24), (0.18, 0.48))), fill="grey"),
            area((0.42, 0.48), (0.58, 0.48), (0.58, 0.84), (0.42, 0.84), fill="white"),
        ),
    ),
    "boat": (
        "boat under a white sail",
        (
            area(*_both_ways(((0.18, 0.64), (0.32, 0.84)))),
            area(*_both_ways(((0.5, 0.14), (0.26, 0.56))), fill="white"),
        ),
    ),
    "lamp": (
        "lamp",
        (area((0.36, 0.16), (0.64, 0.16), (0.78, 0.5), (0.22, 0.5), fill="white"), line((0.5, 0.5), (0.5, 0.84))),
    ),
}
ICONS = tuple(
    FaceDesign(f"icon {name}", 4, f"icon {name}", f"a {words}, its top towards {{s0}}", strokes)
    for name, (words, strokes) in _ICONS.items()
)

_PIECES: dict[str, tuple[str, tuple[FaceStroke, ...]]] = {
    "corners": (
        "a black triangle that cuts off {c0} and a grey one that cuts off {c2}",
        (area((0, 0), (0.5, 0), (0, 0.5)), area((1, 1), (0.5, 1), (1, 0.5), fill="grey")),
    ),
    "halves": (
        "grey on one side of the diagonal from {c1} to {c3}, the side of {c0}",
        (area((0, 0), (1, 0), (0, 1), fill="grey"),),
    ),
    "square": (
        "a black square in the quarter at {c0} and a line from {c1} to {c3}",
        (area((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5)), line((1, 0), (0, 1))),
    ),
    "wings": (
        "grey triangles on {s0} and {s3} whose tips meet in the middle",
        (area((0, 0), (1, 0), (0.5, 0.5), fill="grey"), area((0, 0), (0, 1), (0.5, 0.5), fill="grey")),
    ),
    "belt": (
        "a grey band along the diagonal from {c0} to {c2}",
        (area((0, 0), (0.36, 0), (1, 0.64), (1, 1), (0.64, 1), (0, 0.36), fill="grey"),),
    ),
    "kite": (
        "a black kite with its ends at {c0} and in the middle of the face",
        (area((0, 0), (0.5, 0.2), (0.5, 0.5), (0.2, 0.5)),),
    ),
    "frame": (
        "a black triangle with its corners in the middles of {s1} and {s2} and at {c2}, and a line from {c0} to it",
        (area((1, 0.5), (1, 1), (0.5, 1)), line((0, 0), (0.75, 0.75))),
    ),
    "quarters": (
        "a grey square in the quarter at {c0} and a black one in the quarter at {c2}",
        (
            area((0, 0), (0.5, 0), (0.5, 0.5), (0, 0.5), fill="grey"),
            area((0.5, 0.5), (1, 0.5), (1, 1), (0.5, 1)),
        ),
    ),
}
PIECES = tuple(
    FaceDesign(f"piece {name}", 4, f"piece {name}", words, strokes) for name, (words, strokes) in _PIECES.items()
)

STOCKS = MappingProxyType({"die": PIPS, "lettered cube": LETTERS, "icon cube": ICONS, "tangram cube": PIECES})
"""Families of cubes by what they carry."""
