"""A street: six houses of six colours with a sign each, and on two pavements and the road people, animals, things and
vehicles, some of them partly behind others.

Of one or two kinds there are several, to be counted: vehicles or people of one colour, or animals; beside them are
others of the kind in other colours, and other things of that colour. Of some things there is one; these are asked for.
More than half of everything is seen: pixels are counted (`draw/owners.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.owners import OwnerMap
from snellen.tasks.capacity.draw.people import HAIRS, SKINS
from snellen.tasks.capacity.draw.streets import (
    HEIGHT,
    POSTS,
    ROWS,
    WIDTH,
    box_of,
    house_box,
    owners,
    street,
)
from snellen.tasks.capacity.english import ORDINALS, with_article
from snellen.tasks.capacity.scenes.facts import Box, Choice, Facts, in_halves
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish
from snellen.tasks.capacity.things import NamedThing, thing_of, unlike

_LISTS = table("scenes")["street"]
SIGNS, ON_ROAD, ON_PAVEMENT = (_LISTS[name] for name in ("signs", "on_road", "on_pavement"))
COUNTED: Mapping[str, tuple[str, str, str]] = _LISTS["counted"]
"""What may be counted: where it is, what it is ("car", "person" or an icon), and in which colour, if in one."""
CLEAR = {"head": 0.6, "shirt": 0.4, "all": 0.55}
"""The share of a person's head and shirt, and of any other thing, that is seen at least."""
_ROWS: Mapping[str, tuple[str, ...]] = {"road": ("lane 1", "lane 2"), "pavement": ("far", "near")}
_EXTRAS = {"road": 3, "pavement": 6}
"""Things of which there is one."""
_OTHERS = 4
"""At least so many others of a kind that is counted, in other colours."""
_LEAST = {False: 36, True: 44}
"""Things that stand on the pavements and the road, as usual and in the large size."""
_ROUNDS, _TRIES = 14, 60
_GAPS = {"far": 26, "near": 40, "lane 1": 92, "lane 2": 92}
"""Pixels between the middles of two neighbours in a row at least."""
_MOST = {"lane 1": 9, "lane 2": 9, "far": 24, "near": 16}
_CLEARLY = 40
"""Pixels by which the outermost car or person is farther out than the next."""
_FEW = 3
"""Of fewer, none is the outermost worth asking for."""
_HOUSE = "house"
Entry = dict[str, Any]


def make(rng: Stream, wish: SceneWish) -> Description:
    colours = rng.sample(tuple(DYES), len(DYES))
    while True:
        counted = _counted(rng, wish.counts)
        kinds = [thing_of(kind) for _, kind, _ in map(COUNTED.__getitem__, counted) if kind not in ("car", "person")]
        absent = _named(wish.lacks)
        rides = _unlike(rng, ON_ROAD, _EXTRAS["road"], (*kinds, *absent), wish)
        finds = _unlike(rng, ON_PAVEMENT, _EXTRAS["pavement"], (*kinds, *absent, *rides), wish)
        signs = _unlike(rng, SIGNS, len(colours), (*kinds, *absent, *rides, *finds), wish)
        if wish.has in [kind.name for kind in kinds] or len(rides) + len(finds) < sum(_EXTRAS.values()):
            continue
        if wish.has and wish.has not in [thing.name for thing in (*rides, *finds)]:
            continue
        if standing := _settled(rng, *_cast(rng, counted, rides, finds, wish.large), _LEAST[wish.large]):
            break
    return {
        "houses": [
            {"colour": colour, "storeys": 2 + rng.below(3), "sign": sign.icon}
            for colour, sign in zip(colours, signs, strict=True)
        ],
        "posts": [rng.choice((*POSTS, "")) for _ in colours[1:]],
        "counted": list(counted),
        "standing": standing,
    }


def _counted(rng: Stream, counts: Sequence[int]) -> dict[str, int]:
    """What is counted: two kinds are in different places."""
    numbers = counts or (3 + rng.below(5),)
    while True:
        kinds = rng.sample(tuple(COUNTED), len(numbers))
        if len({COUNTED[kind][0] for kind in kinds}) == len(kinds):
            return dict(zip(kinds, numbers, strict=True))


def _named(name: str) -> list[NamedThing]:
    return [thing_of(icon) for icon in (*ON_ROAD, *ON_PAVEMENT) if thing_of(icon).name == name]


def _unlike(
    rng: Stream, icons: Sequence[str], many: int, taken: Sequence[NamedThing], wish: SceneWish
) -> list[NamedThing]:
    """So many things that are mistaken neither for one another nor for what is there already; what must be there
    comes first."""
    chosen: list[NamedThing] = []
    wanted = sorted(rng.sample(icons, len(icons)), key=lambda icon: thing_of(icon).name != wish.has)
    for thing in map(thing_of, wanted):
        if len(chosen) < many and unlike((*taken, *chosen, thing)):
            chosen.append(thing)
    rng.shuffle(chosen)
    return chosen


def _cast(
    rng: Stream, counted: Mapping[str, int], rides: Sequence[NamedThing], finds: Sequence[NamedThing], large: bool
) -> tuple[list[Entry], list[Entry]]:
    """What must be there, each with the place it belongs to, and what is there beside it."""
    needed: list[Entry] = [{"place": "road", "icon": thing.icon} for thing in rides]
    needed += [{"place": "pavement", "icon": thing.icon} for thing in finds]
    others: list[Entry] = []
    taken = {kind: colour for _, kind, colour in map(COUNTED.__getitem__, counted)}
    for plural, number in counted.items():
        place, kind, colour = COUNTED[plural]
        needed += [{"place": place, **_entry(rng, kind, (colour,))} for _ in range(number)]
    for kind, place, share in (("car", "road", 5), ("person", "pavement", 18 if large else 12)):
        dyes = [dye for dye in DYES if dye != taken.get(kind)]
        others += [{"place": place, **_entry(rng, kind, dyes)} for _ in range(_OTHERS + rng.below(3) + share)]
    return needed, others


def _entry(rng: Stream, kind: str, colours: Sequence[str]) -> Entry:
    """A thing of a kind, if people or cars in one of the colours."""
    if kind == "car":
        return {"car": rng.choice(colours)}
    if kind != "person":
        return {"icon": kind}
    look = {"shirt": rng.choice(colours), "skin": rng.below(len(SKINS)), "hair": rng.below(len(HAIRS))}
    bare = {"hat": "", "glasses": False, "waves": False, "holds": ""}
    return {"person": look | {"long": rng.chance(), "skirt": rng.chance(0.35)} | bare}


def _settled(rng: Stream, needed: list[Entry], others: list[Entry], least: int) -> list[Entry] | None:
    """Everything in a place: what is hidden there goes, or elsewhere if needed. None if that does not end well."""
    standing: list[Entry] = []
    for entry in (*needed, *others):
        if spot := _spot(rng, entry, standing):
            standing.append(spot)
        elif any(entry is one for one in needed):
            return None
    must = list(range(len(needed)))
    for _ in range(_ROUNDS):
        order = sorted(
            range(len(standing)), key=lambda k: (tuple(ROWS).index(standing[k]["row"]), standing[k]["floor"], k)
        )
        hidden = {order[number] for number in hidden_ones(owners({"standing": [standing[k] for k in order]}))}
        if len(standing) < least:
            return None
        if not hidden:
            return [{key: value for key, value in standing[k].items() if key != "place"} for k in order]
        for number in hidden & set(must):
            standing[number] = (
                _spot(rng, standing[number], standing[:number] + standing[number + 1 :]) or standing[number]
            )
        standing = [entry for number, entry in enumerate(standing) if number in must or number not in hidden]
    return None


def _spot(rng: Stream, entry: Entry, standing: Sequence[Entry]) -> Entry | None:
    """The entry somewhere where it belongs, clear of its neighbours' middles."""
    for _ in range(_TRIES):
        row = rng.choice(_ROWS[entry["place"]])
        low, high = ROWS[row]
        fresh = {**entry, "row": row, "floor": low + rng.below(high - low + 1), "x": 0}
        half = box_of(fresh)[2]
        fresh["x"] = half + rng.below(WIDTH - 2 * half)
        near = [one["x"] for one in standing if one["row"] == row]
        # A car is longer than anything else on the road.
        gap = _GAPS[row] + (14 if "car" in entry else 0)
        if len(near) < _MOST[row] and all(abs(fresh["x"] - x) >= gap for x in near):
            return fresh
    return None


def hidden_ones(seen: OwnerMap) -> set[int]:
    """Those of which too little is seen."""
    counts = seen.seen()
    return {
        number
        for (number, part), whole in seen.whole.items()
        if part in CLEAR and counts[number, part] < CLEAR[part] * whole
    }


def _standing(described: Description) -> Iterator[tuple[str, str, Box]]:
    """What everything on the pavements and the road is called, how it is told in full, and where it is."""
    for entry in described["standing"]:
        yield *_called(entry), box_of(entry)


def _called(entry: Mapping[str, Any]) -> tuple[str, str]:
    if "car" in entry:
        return "car", f"{entry['car']} car"
    if "person" in entry:
        return "person", f"person in {with_article(entry['person']['shirt'])} shirt"
    return thing_of(entry["icon"]).name, thing_of(entry["icon"]).name


def _is_counted(entry: Mapping[str, Any], plural: str) -> bool:
    _, kind, colour = COUNTED[plural]
    if kind == "person":
        return "person" in entry and bool(entry["person"]["shirt"] == colour)
    return bool(entry.get("car") == colour if kind == "car" else entry.get("icon") == kind)


def facts(described: Description) -> Facts:
    houses = described["houses"]
    signs = {thing_of(house["sign"]).name: house["colour"] for house in houses}
    standing = list(_standing(described))
    names = [name for name, _, _ in standing]
    boxes = {name: box for name, told, box in standing if names.count(name) == 1 and name == told}
    return Facts(
        frame=(WIDTH, HEIGHT),
        boxes=boxes,
        counts={
            plural: sum(_is_counted(entry, plural) for entry in described["standing"])
            for plural in described["counted"]
        },
        colours=signs,
        names=[
            Choice(
                f"What is on the sign of the {colour} house?",
                sign,
                [other for other in signs if other != sign],
                frozenset({colour, _HOUSE}),
            )
            for sign, colour in signs.items()
        ]
        + list(_across(described, boxes)),
        positions=[
            Choice(
                f"Which house from the left is the {house['colour']} one?",
                f"the {ORDINALS[number]}",
                [f"the {ORDINALS[near]}"],
                frozenset({house["colour"], _HOUSE}),
            )
            for number, house in enumerate(houses)
            for near in (number - 1, number + 1)
            if 0 <= near < len(houses)
        ]
        + in_halves(boxes, WIDTH),
        attributes=[choice for kind in ("car", "person") for choice in _outermost(described, kind)],
        sizes={
            f"{house['colour']} house": house_box(described, number)[3] - house_box(described, number)[1]
            for number, house in enumerate(houses)
        },
        coloured="house with the {} on its sign",
        theme=_HOUSE,
    )


def _across(described: Description, boxes: Mapping[str, Box]) -> Iterator[Choice]:
    """Which of two things is on the pavement beyond the road, or on the one before it."""
    rows = {_called(entry)[0]: entry["row"] for entry in described["standing"]}
    far, near = ([name for name in boxes if rows[name] == row] for row in ("far", "near"))
    for a, b in product(far, near):
        two, about = f"the {min(a, b)} or the {max(a, b)}?", frozenset({a, b})
        yield Choice(f"Which of these two is farther away, across the road: {two}", a, [b], about)
        yield Choice(f"Which of these two is nearer, on this side of the road: {two}", b, [a], about)


def _outermost(described: Description, kind: str) -> Iterator[Choice]:
    """The colour of the car, or of the shirt of the person, that is furthest to the left or to the right."""
    spoken = {"car": "the car that", "person": "the shirt of the person who"}[kind]
    known = [entry for entry in described["standing"] if kind in entry]
    for edge, side in ((0, "left"), (2, "right")):
        order = sorted(known, key=lambda entry: box_of(entry)[edge], reverse=edge == 2)
        if len(order) < _FEW or abs(box_of(order[0])[edge] - box_of(order[1])[edge]) < _CLEARLY:
            continue
        own, *rest = (entry["car"] if kind == "car" else entry["person"]["shirt"] for entry in order)
        for other in (dye for dye in DYES if dye != own and dye in rest):
            yield Choice(f"What colour is {spoken} is furthest to the {side}?", own, [other], frozenset({own, other}))


def words(described: Description) -> str:
    lines = [
        f"A picture of {WIDTH} by {HEIGHT} pixels, x to the right and y down, shows a street.",
        "Its houses, from the left, all equally wide:",
    ]
    for number, house in enumerate(described["houses"]):
        left, top, right, bottom = house_box(described, number)
        lines.append(
            f"- {with_article(house['colour'])} house, its sign showing {with_article(thing_of(house['sign']).name)}, "
            f"walls {bottom - top} high, middle at ({(left + right) // 2}, {(top + bottom) // 2})"
        )
    for post in POSTS:
        if post in described["posts"]:
            lines.append(f"{post.capitalize()}s between the houses: {described['posts'].count(post)}.")
    lines.append("On the pavements and on the road, from the back to the front, partly behind one another:")
    for _, told, (left, top, right, bottom) in _standing(described):
        lines.append(f"- {with_article(told)}, middle at ({(left + right) // 2}, {(top + bottom) // 2})")
    return "\n".join(lines)


STREET = SceneSetting(
    make=make,
    draw=street,
    words=words,
    facts=facts,
    things=lambda described: len(described["houses"]) + len(described["standing"]),
    pool=tuple(thing_of(icon).name for icon in (*ON_ROAD, *ON_PAVEMENT) if icon != "ladder"),  # a fire engine has one
)
