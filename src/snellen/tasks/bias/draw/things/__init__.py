"""Things with parts to count, drawn with any number of them: a dog with five legs, a clock with thirteen hours.

    kind = KINDS["dog"]
    seen = look(kind, seed=7, index=0)
    odd, ordinary = draw(kind, 5, seen), draw(kind, kind.usual, seen)
    nobody, neutral = anonymous(kind, 5, seen), plain(kind, 5, seen)

All share the look: background, style, size, place. The parts are placed so that a person can count them,
and nothing else in the picture follows their number.
"""

from snellen.tasks.bias.draw.things.drawing import SIZE, PartsDrawing, anonymous, draw, look, plain
from snellen.tasks.bias.draw.things.kind import ThingKind, ThingLook
from snellen.tasks.bias.draw.things.kinds import KINDS
from snellen.tasks.bias.draw.things.scenes import in_scene

__all__ = ["KINDS", "SIZE", "PartsDrawing", "ThingKind", "ThingLook", "anonymous", "draw", "in_scene", "look", "plain"]
