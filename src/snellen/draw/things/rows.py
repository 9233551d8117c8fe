"""Parts side by side: stripes, prongs, strings, lamps."""

from snellen.draw.things.forms import poly
from snellen.draw.things.inks import BRIGHT, INK
from snellen.draw.things.kind import Group, Look, Mark, Piece, Scene


def slanted_stripes(count: int, look: Look) -> Scene:
    """A mark of slanted stripes, each longer than the one before: a mountain of bars."""
    ink = look.stream("ink").choice((*BRIGHT, INK))
    width, gap = 62, 36
    left = -(count * width + (count - 1) * gap) / 2
    parts, marks = [], []
    for k in range(count):
        x = left + k * (width + gap)
        height = 190 + 220 * (k + 1) / count
        lean = 0.35 * height
        parts.append(Piece([poly([(x, 230), (x + width, 230), (x + width - lean * 0.5, 230 - height),
                                  (x - lean * 0.5, 230 - height)])], ink, k))
        marks.append(Mark((x + width / 2, 230), (x + width / 2 - lean * 0.5, 230 - height), width * 0.9))
    return Scene([Group(parts)], marks)
