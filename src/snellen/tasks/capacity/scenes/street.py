"""A street: six houses of six colours with a sign each, people and animals before them, cars and other vehicles.

Things stand in places of their own. Of one or two kinds there are several, to be counted; of all others there is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.people import HAIRS, SKINS
from snellen.tasks.capacity.draw.streets import (
    HEIGHT,
    PLACES,
    POSTS,
    ROAD_PLACES,
    WIDTH,
    house_box,
    pavement_box,
    road_box,
    street,
)
from snellen.tasks.capacity.english import ORDINALS, with_article
from snellen.tasks.capacity.scenes.facts import Box, Choice, Facts
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish
from snellen.tasks.capacity.things import NamedThing, thing_of, unlike

_LISTS = table("scenes")["street"]
SIGNS, ON_ROAD, ON_PAVEMENT = (_LISTS[name] for name in ("signs", "on_road", "on_pavement"))
COUNTED: Mapping[str, tuple[str, str]] = _LISTS["counted"]
"""What may be counted: where it is, and its icon if it is a thing."""
_USUAL = {"road": "cars", "pavement": "people"}
_PLACES: Mapping[str, Sequence[dict[str, Any]]] = {
    "road": [{"lane": lane, "place": place} for lane in (0, 1) for place in range(ROAD_PLACES)],
    "pavement": [{"place": place} for place in range(PLACES)],
}
_EXTRAS = 3
"""Things of which there is one, on the road and on the pavement each."""
_BACKDROP = 2
"""People and cars, at least, where they are not counted."""


def make(rng: Stream, wish: SceneWish) -> Description:
    counted = _counted(rng, wish)
    taken = [thing_of(icon) for icon in dict.fromkeys(("car", *(COUNTED[plural][1] for plural in counted))) if icon]
    taken += _named(wish.lacks)
    extras = {}
    for where, icons in (("road", ON_ROAD), ("pavement", ON_PAVEMENT)):
        extras[where] = _unlike(rng, icons, _EXTRAS, taken, wish)
        taken += extras[where]
    signs = _unlike(rng, SIGNS, len(DYES), taken, wish)
    colours = rng.sample(tuple(DYES), len(DYES))
    return {
        "counted": list(counted),
        "houses": [
            {"colour": colour, "storeys": 2 + rng.below(3), "sign": sign.icon}
            for colour, sign in zip(colours, signs, strict=True)
        ],
        "posts": [rng.choice((*POSTS, "")) for _ in range(len(DYES) - 1)],
        **{where: _filled(rng, where, counted, extras[where]) for where in _PLACES},
    }


def _counted(rng: Stream, wish: SceneWish) -> dict[str, int]:
    """What is counted, at most one kind on the road and one on the pavement."""
    numbers = wish.counts or (2 + rng.below(4),)
    wheres = rng.sample(tuple(_PLACES), len(numbers))
    kinds = [
        [
            plural
            for plural, (at, icon) in COUNTED.items()
            if at == where and (not icon or unlike((thing_of(icon), *_named(wish.has or wish.lacks))))
        ]
        for where in wheres
    ]
    return {rng.choice(some): number for some, number in zip(kinds, numbers, strict=True)}


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


def _filled(rng: Stream, where: str, counted: Mapping[str, int], extras: Sequence[NamedThing]) -> list[dict[str, Any]]:
    """All that is on the road or on the pavement, from the left, lane by lane."""
    entries = [{"icon": thing.icon} for thing in extras]
    for plural, number in counted.items():
        if COUNTED[plural][0] == where:
            entries += [_entry(rng, plural) for _ in range(number)]
    if _USUAL[where] not in counted:
        some = min(_BACKDROP + rng.below(3), len(_PLACES[where]) - len(entries))
        entries += [_entry(rng, _USUAL[where]) for _ in range(some)]
    rng.shuffle(entries)
    places = sorted(rng.sample(range(len(_PLACES[where])), len(entries)))
    return [_PLACES[where][place] | entry for place, entry in zip(places, entries, strict=True)]


def _entry(rng: Stream, plural: str) -> dict[str, Any]:
    if plural == "cars":
        return {"car": rng.choice(tuple(DYES))}
    if plural != "people":
        return {"icon": COUNTED[plural][1]}
    look = {"shirt": rng.choice(tuple(DYES)), "skin": rng.below(len(SKINS)), "hair": rng.below(len(HAIRS))}
    bare = {"hat": "", "glasses": False, "waves": False, "holds": ""}
    return {"person": look | {"long": rng.chance(), "skirt": rng.chance(0.35)} | bare}


def _standing(described: Description) -> Iterator[tuple[str, str, Box]]:
    """What every entry of the pavement and the road is called, how it is told in full, and where it is."""
    for where, box_of in (("pavement", pavement_box), ("road", road_box)):
        for entry in described[where]:
            yield *_called(entry), box_of(entry)


def _called(entry: Mapping[str, Any]) -> tuple[str, str]:
    if "car" in entry:
        return "car", f"{entry['car']} car"
    if "person" in entry:
        return "person", f"person in {with_article(entry['person']['shirt'])} shirt"
    return thing_of(entry["icon"]).name, thing_of(entry["icon"]).name


def facts(described: Description) -> Facts:
    houses = described["houses"]
    signs = {thing_of(house["sign"]).name: house["colour"] for house in houses}
    standing = list(_standing(described))
    names = [name for name, _, _ in standing]
    single = {"people": "person"} | {plural: thing_of(icon).name for plural, (_, icon) in COUNTED.items() if icon}
    return Facts(
        frame=(WIDTH, HEIGHT),
        boxes={name: box for name, told, box in standing if names.count(name) == 1 and name == told},
        counts={plural: names.count(single[plural]) for plural in described["counted"]},
        colours=signs,
        names=[
            Choice(
                f"What is on the sign of the {colour} house?",
                sign,
                [other for other in signs if other != sign],
                frozenset({colour}),
            )
            for sign, colour in signs.items()
        ],
        positions=[
            Choice(
                f"Which house from the left is the {house['colour']} one?",
                f"the {ORDINALS[number]}",
                [f"the {ORDINALS[near]}"],
                frozenset({house["colour"]}),
            )
            for number, house in enumerate(houses)
            for near in (number - 1, number + 1)
            if 0 <= near < len(houses)
        ],
        sizes={
            f"{house['colour']} house": house_box(described, number)[3] - house_box(described, number)[1]
            for number, house in enumerate(houses)
        },
        coloured="house with the {} on its sign",
    )


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
    lines.append("On the pavement and on the road:")
    for _, told, (left, top, right, bottom) in _standing(described):
        lines.append(f"- {with_article(told)}, middle at ({(left + right) // 2}, {(top + bottom) // 2})")
    return "\n".join(lines)


STREET = SceneSetting(
    make=make,
    draw=street,
    words=words,
    facts=facts,
    things=lambda described: len(described["houses"]) + len(described["pavement"]) + len(described["road"]),
    pool=tuple(thing_of(icon).name for icon in (*ON_ROAD, *ON_PAVEMENT) if icon != "ladder"),  # a fire engine has one
)
