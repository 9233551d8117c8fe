"""Creatures seen from above: legs, or wings, on both sides of a body."""

from dataclasses import dataclass
from math import cos, radians, sin

from snellen.tasks.bias.draw.things.forms import Place, limb
from snellen.tasks.bias.draw.things.inks import Coat, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.sketch import Sketch, pieces


@dataclass(frozen=True, slots=True)
class LimbedBody:
    """A body (head up) with limbs left and right. Hips go down the body's side from `top` to `bottom`, `half` away from
    its middle; limbs fan out from `first` to `last` degrees from level (up is negative), to `knee` and on to `foot`."""

    body: Sketch
    half: float
    top: float
    bottom: float
    first: float
    last: float
    knee: float
    foot: float
    bend: float
    """Degrees by which the lower half turns away from the middle."""
    widths: tuple[float, ...]
    coats: tuple[Coat, ...]
    behind: Sketch = ()
    ink: str = "dark"


def on_both_sides(thing: LimbedBody, count: int, look: ThingLook) -> ThingScene:
    inks = full_coat(look.stream("coat").choice(thing.coats))
    left = count // 2 + (count % 2 if look.stream("side").chance() else 0)
    limbs = [_limb(thing, k, left, -1) for k in range(left)] + [
        _limb(thing, k, count - left, 1) for k in range(count - left)
    ]
    parts = [
        ColouredPiece([limb(places, thing.widths)], inks[thing.ink], number) for number, places in enumerate(limbs)
    ]
    marks = [Mark(_between(hip, foot), foot, min(max(thing.widths), 44)) for hip, _, foot in limbs]
    groups = [Group(pieces(thing.behind, inks)), Group(parts), Group(pieces(thing.body, inks))]
    return ThingScene([group for group in groups if group.pieces], marks)


def _limb(thing: LimbedBody, k: int, many: int, side: int) -> tuple[Place, Place, Place]:
    share = k / (many - 1) if many > 1 else 0.5
    angle = thing.first + (thing.last - thing.first) * share
    y = thing.top + (thing.bottom - thing.top) * share
    hip = side * thing.half, y
    knee = hip[0] + side * thing.knee * cos(radians(angle)), y + thing.knee * sin(radians(angle))
    out = angle + (thing.bend if angle > 0 else -thing.bend)
    foot = knee[0] + side * thing.foot * cos(radians(out)), knee[1] + thing.foot * sin(radians(out))
    return hip, knee, foot


def _between(hip: Place, foot: Place) -> Place:
    """A third of the way: nearer to the body the limbs would run together without it."""
    return hip[0] + 0.35 * (foot[0] - hip[0]), hip[1] + 0.35 * (foot[1] - hip[1])
