"""Animals and furniture: a body that stands on any number of legs."""

from dataclasses import dataclass
from itertools import pairwise

from snellen.rng import Stream
from snellen.tasks.bias.draw.things.forms import Place, bar, limb, oval, poly
from snellen.tasks.bias.draw.things.inks import Coat, darker, full_coat
from snellen.tasks.bias.draw.things.kind import ColouredPiece, Group, Mark, ThingLook, ThingScene
from snellen.tasks.bias.draw.things.raster import Points
from snellen.tasks.bias.draw.things.sketch import Sketch, pieces


@dataclass(frozen=True, slots=True)
class LegShape:
    """How a leg is built: widths above and below, the foot ("paw", "hoof", "toes", "webbed", "stump", "none")."""

    wide: float
    narrow: float
    foot: str
    ink: str = "coat"
    bend: float = 16
    """How far the knee may stand out, to the front or to the back."""


@dataclass(frozen=True, slots=True)
class Body:
    """A thing that stands: what is behind and before its legs, and where the legs are.

    Hips lie between `hips` (x) at height `hip`; feet stand between `feet` (x) on `ground`. `belly` is where a leg comes
    out of the body.
    """

    behind: Sketch
    front: Sketch
    over: Sketch
    leg: LegShape
    hips: tuple[float, float]
    hip: float
    belly: float
    feet: tuple[float, float]
    ground: float
    coats: tuple[Coat, ...]
    paired: bool = True
    """Whether legs stand in a front and a rear group."""
    looks: bool = True
    """Whether it looks to one side."""


_CLOSER = 0.8
"""How much nearer than an icon's the legs of an animal in a scene may stand."""
FOOT = {"paw": 1.5, "hoof": 1.25, "toes": 4.6, "webbed": 4.4, "stump": 1.15, "none": 1.0}
"""The width of a foot in widths of the leg."""
_HOOF: tuple[Place, ...] = ((-0.8, -1), (0.8, -1), (1, 0), (-1, 0))
"""Corners in half widths of the foot."""
_WEB: tuple[Place, ...] = ((-0.35, 0), (0, -1.3), (1, -0.1), (0.9, 0.4), (-0.3, 0.4))
"""Corners in half widths of the foot and, downwards, widths of the leg."""


def standing(body: Body, count: int, look: ThingLook) -> ThingScene:
    dice = look.stream("pose")
    coat = dice.choice(body.coats)
    legs = _legs(body, count, look)
    inks = full_coat(coat)
    far = look.stream("depth").below(2)
    bend = body.leg.bend * look.stream("knees").between(-1, 1)
    groups, near = [Group(pieces(body.behind, inks))], []
    for number, (hip, foot) in enumerate(legs):
        behind = number % 2 == far
        ink = inks[body.leg.ink]
        piece = ColouredPiece(_leg_outlines(body, hip, foot, bend), darker(ink, 14) if behind else ink, number)
        if behind:
            groups.append(Group([piece]))
        else:
            near.append(piece)
    groups.append(Group([*near, *pieces(body.front, inks)]))
    groups.append(Group(pieces(body.over, inks), edged=False))
    width = (body.leg.wide + 2 * body.leg.narrow) / 3
    marks = [Mark((_at_belly(body, hip, foot), body.belly), (foot, body.ground), width) for hip, foot in legs]
    words = f"It looks to the {'left' if look.mirrored else 'right'}." if body.looks else ""
    return ThingScene([group for group in groups if group.pieces], marks, words)


def _at_belly(body: Body, hip: float, foot: float) -> float:
    share = (body.belly - body.hip) / (body.ground - body.hip)
    return hip + (foot - hip) * share


def _legs(body: Body, count: int, look: ThingLook) -> list[tuple[float, float]]:
    """Where each leg begins and stands, from left to right. An icon's are never nearer to each other than a person can
    part; in a scene they may overlap."""
    dice = look.stream(f"legs {count}")
    (low, high), (left, right) = body.feet, body.hips
    crowd = look.setting.crowd if look.setting else 0
    need = _room(body) * (1 - _CLOSER * crowd)
    paired = body.paired and look.stream("gait").chance(0.7)
    feet = _spread(count, low, high, need, paired or (body.looks and crowd > 0), dice)
    slack = max(0, min([after - before for before, after in pairwise(feet)] or [need + 60]) - need)
    feet = [foot + dice.between(-0.5, 0.5) * min(slack, 40) for foot in feet]
    lean = dice.between(-0.25, 0.25) * min(need, 60)
    hips = [left + (foot - low) / (high - low) * (right - left) + lean for foot in feet]
    return list(zip(hips, feet, strict=True))


def _room(body: Body) -> float:
    """From foot to foot, so that there is space between feet and, where they come out of the body, between legs."""
    share = (body.belly - body.hip) / (body.ground - body.hip)
    thick = body.leg.wide + (body.leg.narrow - body.leg.wide) * share
    (low, high), (left, right) = body.feet, body.hips
    apart = (right - left) + (high - low - right + left) * share
    return max(body.leg.narrow * FOOT[body.leg.foot] + 22, (thick + 24) * (high - low) / apart)


def _spread(count: int, low: float, high: float, need: float, paired: bool, dice: Stream) -> list[float]:
    """So many places from low to high: evenly, or in a group at either end."""
    if count == 1:
        return [dice.between(low + (high - low) * 0.2, high - (high - low) * 0.2)]
    room = (high - low) / (count - 1)
    if not paired or count == 2:
        inset = min(0.2 * (high - low), max(0.0, room - need) / 2) if count == 2 else 0
        return [low + inset + (high - low - 2 * inset) * k / (count - 1) for k in range(count)]
    rear = count // 2 + (count % 2 if dice.chance() else 0)
    step = min(room, need * dice.between(1.05, 1.25))
    return [low + step * k for k in range(rear)] + [high - step * k for k in reversed(range(count - rear))]


def _leg_outlines(body: Body, hip: float, foot: float, bend: float) -> list[Points]:
    leg, ground = body.leg, body.ground
    top: Place = (hip, body.hip)
    ankle: Place = (foot, ground - (0 if leg.foot in ("stump", "none") else leg.narrow * 0.45))
    knee: Place = ((hip + foot) / 2 + bend, (body.hip + ground) / 2)
    widths = leg.wide, (leg.wide + leg.narrow) / 2, leg.narrow
    trunk = limb((top, knee, ankle), widths) if bend else bar(top, ankle, leg.wide, leg.narrow)
    return [trunk, *_foot(leg, foot, ground)]


def _foot(leg: LegShape, x: float, ground: float) -> list[Points]:
    half = leg.narrow * FOOT[leg.foot] / 2
    if leg.foot == "paw":
        return [oval((x + half * 0.2, ground - leg.narrow * 0.32), half * 0.95, leg.narrow * 0.36)]
    if leg.foot in ("hoof", "stump"):
        return [poly([(x + across * half, ground + down * half) for across, down in _HOOF])]
    if leg.foot == "toes":
        start = (x, ground - leg.narrow * 0.6)
        ends = [(x + half * 0.85, ground), (x + half * 0.3, ground + leg.narrow * 0.5), (x - half * 0.7, ground)]
        return [bar(start, end, leg.narrow * 0.8, leg.narrow * 0.6) for end in ends]
    if leg.foot == "webbed":
        return [poly([(x + across * half, ground + down * leg.narrow) for across, down in _WEB])]
    return []
