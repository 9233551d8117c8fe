"""Two of a kind, one the image of the other; figures cut in two; capital letters by their symmetry."""

from snellen.rng import Stream
from snellen.tasks.marvel.marks import MIDDLE, Mark, Spot, around, line, path
from snellen.tasks.marvel.patterns.plane.assemble import (
    FILL,
    SIZE,
    FigureKind,
    FigureLook,
    Values,
    dots_at_the_edge,
    ring_around,
)
from snellen.tasks.marvel.patterns.plane.course import Property
from snellen.tasks.marvel.patterns.plane.outlines import AXES, figure, ring
from snellen.tasks.marvel.patterns.plane.strokes import lopsided

IMAGE = Property(
    "image",
    {
        "shift": "shows a figure and a copy of it that is only shifted",
        "mirror": "shows a figure and its mirror image, left and right exchanged",
        "flip": "shows a figure and its mirror image, top and bottom exchanged",
        "half turn": "shows a figure and a copy of it that is turned by half",
    },
    noun="panel",
)
PIECES = Property("pieces", {"equal": "is cut into equal pieces", "unequal": "is cut into unequal pieces"})
LIGHT = Property("fill", {"white": "is white", "grey": "is grey"})
CUT = Property(
    "direction of the cut",
    {
        "vertical": "is cut from top to bottom",
        "rising": "is cut along a line rising to the right",
        "horizontal": "is cut from side to side",
        "falling": "is cut along a line falling to the right",
    },
    cycle=True,
    moves=(
        "the cut turns by 45 degrees clockwise from figure to figure",
        "the cut turns by 45 degrees counter-clockwise from figure to figure",
    ),
)
LETTER = Property(
    "symmetry",
    {
        "vertical": "has only a vertical axis of symmetry",
        "horizontal": "has only a horizontal axis of symmetry",
        "both": "has two axes of symmetry",
        "point": "looks the same after half a turn and has no axis of symmetry",
        "none": "is not symmetric at all",
    },
    noun="letter",
)
LETTER_SIZE = Property("size", {"large": "is large", "small": "is small"}, noun="letter")
LETTERS = {"vertical": "AMTUVWY", "horizontal": "BCDEK", "both": "HIOX", "point": "NSZ", "none": "FGJLPQR"}


def build_image(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """A figure on the left and its image on the right."""
    size, off = round(look.size * 0.58), round(look.size * 0.65)
    points = lopsided(rng, size, abstract=look.abstract)
    kind = values[IMAGE.name]
    marks = []
    for way, shape in ((-1, points), (1, [_image(point, kind) for point in points])):
        beside = [(x + way * off, y) for x, y in shape]
        marks.append(path(beside, curved=look.abstract and look.curved, fill=look.fill))
    return marks


def _image(point: Spot, kind: str) -> Spot:
    x, y = point
    return {
        "shift": (x, y),
        "mirror": (2 * MIDDLE - x, y),
        "flip": (x, 2 * MIDDLE - y),
        "half turn": (2 * MIDDLE - x, 2 * MIDDLE - y),
    }[kind]


def build_pieces(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    """A figure and a line across it, through its middle or far from it."""
    angle = 45 * AXES.index(values[CUT.name])
    fill = "grey" if look.fill == "grey" else "white"  # a cut does not show on black
    # Half a turn maps all bodies onto themselves, so that a cut through the middle is fair whatever its direction.
    if look.abstract:
        half = tuple(rng.between(0.66, 1.0) for _ in range(5))
        body = path(ring(half * 2, look.size, 15 * rng.below(24)), curved=look.curved, fill=fill)
    else:
        shape = rng.choice(("circle", "square", "diamond", "hexagon", "ellipse", "rectangle"))
        body = figure(shape, look.size, fill, 45 * rng.below(4))
    off = 0.0 if values[PIECES.name] == "equal" else rng.choice((-0.37, 0.37)) * look.size
    (x, y), (across, down) = around(off, angle + 90), around(round(look.size * 1.2), angle)
    across, down = across - MIDDLE, down - MIDDLE
    return [body, line((x - across, y - down), (x + across, y + down))]


def build_letter(rng: Stream, values: Values, look: FigureLook) -> list[Mark]:
    letter = rng.choice(LETTERS[values[LETTER.name]])
    return [{"shape": "letter", "letter": letter, "x": MIDDLE, "y": MIDDLE, "size": look.size - 8}]


KINDS = (
    FigureKind("figure and image", (IMAGE, FILL, SIZE), build_image, dots_at_the_edge),
    FigureKind("equal pieces", (PIECES, CUT, LIGHT), build_pieces, dots_at_the_edge),
)
LETTERS_KIND = FigureKind("letters", (LETTER, LETTER_SIZE), build_letter, ring_around, beside=44)
