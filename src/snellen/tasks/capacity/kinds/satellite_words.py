"""A satellite item in exact words: the town as a list of places in metres, the photos as what is seen left to right."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.tasks.capacity import town as towns
from snellen.tasks.capacity.draw.space.mesh import extent
from snellen.tasks.capacity.draw.space.models import LANDMARKS
from snellen.tasks.capacity.draw.space.solids import Spot
from snellen.tasks.capacity.kind import Truth
from snellen.tasks.capacity.kinds.satellite_views import EYE, FIELD, bearing, distance

_POINTS = ("north", "east", "south", "west")
_WAYS = (
    *(
        "towards the camera",
        "towards the camera and to the left",
        "to the left",
        "away from the camera and to the left",
    ),
    *("away from the camera", "away from the camera and to the right"),
    *("to the right", "towards the camera and to the right"),
)
"""Where a front looks in a photo, as its bearing goes clockwise from that towards the camera, in eighths of a turn."""


def twin(truth: Truth) -> str:
    town = towns.read(truth["town"])
    lines = [
        "The map. Places are given in metres east and north of the landmark (negative: west and south).",
        *_town_lines(town),
        "The candidates:",
        *(f"- {letter}: {_place(*spot)}." for letter, spot in sorted(truth["candidates"].items())),
    ]
    for number, photo in enumerate(truth["photos"]):
        lines += _photo_lines(town, number + 1, photo, truth["candidates"][photo["at"]])
    return "\n".join(lines)


def _place(x: float, y: float) -> str:
    return f"{_signed(x)} east, {_signed(y)} north"


def _signed(value: float) -> str:
    return f"{value:.1f}".replace("-0.0", "0.0")


def _town_lines(town: towns.Town) -> Iterator[str]:
    half = f"{town.half:.1f}"
    yield f"- {_landmark(town)}, on a {town.square} square; its front looks {_POINTS[town.turn // 90]}."
    yield (
        f"- Streets, 7 wide: along north {half} and north -{half}, along east {half} and east -{half}; "
        f"they cross at four places. {_dead_ends(town)}"
    )
    pond = _place(*towns.pond_at(town))
    yield f"- On the {town.park} side of the square, beyond the street, a park; its pond at {pond}."
    for x, y, _ in town.zebras:
        yield f"- A zebra crossing over the street at {_place(x, y)}."
    yield "Buildings (kind, colours, storeys; middle; metres from west to east, from south to north, and up):"
    for building in town.buildings:
        wide, deep = (2 * reach for reach in building.reach())
        size = f"{wide:.1f} by {deep:.1f} by {towns.height(building):.1f}"
        yield f"- {_building(building)}; {_place(building.x, building.y)}; {size}."
    yield "Other things:"
    for small in town.smalls:
        yield f"- {_small(small)}; {_place(small.x, small.y)}."


def _landmark(town: towns.Town) -> str:
    model = LANDMARKS[town.landmark]
    high = round(extent(model.build())[1][2])
    return f"The landmark, a {town.landmark} {high} metres high, with {model.annex}"


def _dead_ends(town: towns.Town) -> str:
    ends = [arm for arm in towns.ARMS if arm not in town.arms]
    if not ends:
        return "All of them go on beyond the crossings on both sides."
    where = (
        f"the one along {'north' if way == 'x' else 'east'} {_signed((sy if way == 'x' else sx) * town.half)} ends at "
        f"{_place(sx * town.half, sy * town.half)} and does not go on to the {_outwards(sx, sy, way)}"
        for sx, sy, way in ends
    )
    return f"They go on beyond the crossings, except that {'; '.join(where)}."


def _outwards(sx: int, sy: int, way: str) -> str:
    return ("east" if sx > 0 else "west") if way == "x" else ("north" if sy > 0 else "south")


def _building(building: towns.Building) -> str:
    storeys = f"{building.storeys} storey{'s' if building.storeys > 1 else ''}"
    walls = f"{building.kind} with {building.wall} walls"
    if building.kind == "shop":
        return f"{walls}, a flat roof and an awning striped {building.roof} and white, {storeys}"
    roof = (
        f"and a {'hipped' if building.hip else 'gabled'} {building.roof} roof" if building.roof else "and a flat roof"
    )
    return f"{walls} {roof}, {storeys}"


def _small(small: towns.Small) -> str:
    return f"{small.colour} {small.kind}".strip()


def _photo_lines(town: towns.Town, number: int, photo: Mapping[str, Any], at: Sequence[float]) -> Iterator[str]:
    eye = (at[0], at[1])
    yield (
        f"Photo {number}, taken {EYE} metres above the ground, {FIELD:.0f} degrees wide. What is seen from left to "
        "right (degrees from the middle of the photo, minus for left; how many degrees its top is above the horizon; "
        "metres away):"
    )
    spots = _spots(town)
    for name, left, right, top, _ in photo["seen"]:
        words, spot = spots[name]
        away = distance(eye, spot)
        told = f"{words}{_facing(town, eye)}" if name == town.landmark else words
        yield f"- {told}; from {left:.0f} to {right:.0f}; top {top:.0f}; {away:.0f} away."


def _spots(town: towns.Town) -> dict[str, tuple[str, Spot]]:
    """Words for each thing that may be seen, and its middle."""
    spots = {"pond": ("pond", towns.pond_at(town)), town.landmark: ("the landmark", (0.0, 0.0))}
    for name, building in zip(towns.names(town.buildings), town.buildings, strict=True):
        spots[name] = (_building(building), (building.x, building.y))
    for number, small in enumerate(town.smalls):
        spots[towns.small_name(number, small)] = (_small(small), (small.x, small.y))
    return spots


def _facing(town: towns.Town, eye: Spot) -> str:
    """Where in the photo the landmark's front looks."""
    turned = (town.turn - bearing((0.0, 0.0), eye)) % 360.0
    return f" (its front looks {_WAYS[int(turned / 45.0 + 0.5) % 8]})"
