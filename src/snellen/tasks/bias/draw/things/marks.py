"""Plain marks: bars, dots and rings that are nothing in particular."""

from snellen.tasks.bias.draw.things.forms import bar, disc, ring
from snellen.tasks.bias.draw.things.kind import Mark
from snellen.tasks.bias.draw.things.raster import Points

_RIM = 0.004
"""How wide the white edge of a mark in a scene is, as a share of the picture."""


def rim(size: int) -> int:
    """The width of that edge in pixels."""
    return max(1, round(_RIM * size))


def mark_outlines(mark: Mark) -> list[Points]:
    if mark.hollow:
        return ring(mark.begin, mark.hollow, mark.width)
    if mark.begin == mark.end:
        return [disc(mark.begin, mark.width / 2)]
    return [bar(mark.begin, mark.end, mark.width, round_ends=False)]
