"""Paintings from a seed: scenes with so much going on that every part of them can be told from every other.

A painter is a function that covers a canvas, choosing with a stream: what is painted follows from the name of the
painter, the seed and the size alone.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from snellen.draw.canvas import Canvas, Pixels
from snellen.rng import Stream, stream
from snellen.tasks.capacity.draw.paintings.abstract import circles, tiles
from snellen.tasks.capacity.draw.paintings.garden import flowers
from snellen.tasks.capacity.draw.paintings.land import balloons, hills, seaside
from snellen.tasks.capacity.draw.paintings.town import night, street

PAINTERS: Mapping[str, Callable[[Canvas, Stream], None]] = {
    "hills": hills,
    "seaside": seaside,
    "balloons": balloons,
    "flowers": flowers,
    "night": night,
    "street": street,
    "circles": circles,
    "tiles": tiles,
}


@lru_cache(maxsize=8)
def paint(painter: str, seed: int, height: int, width: int) -> Pixels:
    """The painting, height x width x RGB. Read-only."""
    canvas = Canvas(height, width, (255, 255, 255))
    PAINTERS[painter](canvas, stream(seed, "painting", painter))
    canvas.rgb.setflags(write=False)
    return canvas.rgb
