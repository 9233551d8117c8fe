"""A crowd: people scattered over a lawn, many of them partly behind others, with hats, glasses and things they hold.

What is counted has two traits ("people in a red shirt who wave"); others have one of the two. Of each hat and of some
things that are held there is one; these are asked for. Whoever is there shows enough of head and shirt, and every hat,
pair of glasses, raised hand and thing held is seen for the most part: pixels are counted (`draw/owners.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.crowds import BACK, FRONT, HEIGHT, WIDTH, crowd, owners, scale
from snellen.tasks.capacity.draw.owners import OwnerMap
from snellen.tasks.capacity.draw.people import HAIRS, HATS, SKINS, held_at
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.scenes.facts import Box, Choice, Facts, in_halves
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish
from snellen.tasks.capacity.things import NamedThing, thing_of, unlike

_LISTS = table("scenes")["crowd"]
TRAITS: Mapping[str, tuple[str, Any]] = _LISTS["traits"]
"""What may be counted of those in shirts of one colour, and what it is about a person."""
SHIRTS: Sequence[str] = _LISTS["shirts"]
HELD: Sequence[str] = _LISTS["held"]
CLEAR = {"head": 0.6, "shirt": 0.4, "hat": 0.7, "glasses": 0.7, "waves": 0.6, "holds": 0.65}
"""The share of each part of a person that is seen at least."""
SHIRT = 120
"""Pixels of a shirt that are."""
_MANY = {False: (50, 44), True: (64, 56)}
"""People who come, and who must be left when those that are hidden have gone, as usual and in the large size."""
_UNIQUE = 9
_PAIRS = 3
"""Things held by two people each: nobody asks for them."""
_ALIKE = 4
"""At least so many people share one of the two traits that are counted, for each of them."""
_ROUNDS = 12
_METRES = 500
"""Times a person's scale in per cent: metres from the camera."""
Person = dict[str, Any]


def make(rng: Stream, wish: SceneWish) -> Description:
    while True:
        counted = _counted(rng, wish.counts)
        folk = _cast(rng, wish, counted)
        spots = _spots(rng, len(folk))
        if placed := _placed(rng, folk, spots, _MANY[wish.large][1]):
            return {"counted": list(counted), "people": placed}


def _counted(rng: Stream, counts: Sequence[int]) -> dict[str, int]:
    """What is counted: shirts of different colours and different traits."""
    numbers = counts or (3 + rng.below(5),)
    pairs = zip(rng.sample(SHIRTS, len(numbers)), rng.sample(tuple(TRAITS), len(numbers)), numbers, strict=True)
    return {f"people in a {shirt} shirt {trait}": number for shirt, trait, number in pairs}


def traits_of(plural: str) -> tuple[str, str, Any]:
    """The colour of the shirt, and the other field of a person with its value."""
    shirt, _, trait = plural.removeprefix("people in a ").partition(" shirt ")
    return shirt, *TRAITS[trait]


def _is_counted(person: Mapping[str, Any], plural: str) -> bool:
    shirt, field, value = traits_of(plural)
    return bool(person["shirt"] == shirt and person[field] == value)


def _cast(rng: Stream, wish: SceneWish, counted: Mapping[str, int]) -> list[Person]:
    """The people of a crowd; those the question is about come first and are marked as needed."""
    unique, pairs = _things(rng, wish)
    needed: list[Person] = []
    others: list[Person] = []
    for plural, number in counted.items():
        shirt, field, value = traits_of(plural)
        needed += [_person(rng, shirt) | {field: value} for _ in range(number)]
        others += [_person(rng, shirt) for _ in range(_ALIKE + rng.below(3))]
        others += [_person(rng) | {field: value} for _ in range(_ALIKE + rng.below(3))]
    needed += [_person(rng) | {"holds": thing.icon} for thing in unique]
    for person, hat in zip(needed[-len(unique) :], HATS, strict=False):
        person["hat"] = hat
    others += [_person(rng) | {"holds": thing.icon} for thing in pairs for _ in range(2)]
    while len(needed) + len(others) < _MANY[wish.large][0]:
        others.append(_person(rng) | {"glasses": rng.chance(0.2), "waves": rng.chance(0.15)})
    for person in (*others, *needed[-len(unique) :]):
        while any(_is_counted(person, plural) for plural in counted):
            person["shirt"] = rng.choice(tuple(DYES))
    return [person | {"needed": True} for person in needed] + others


def _person(rng: Stream, shirt: str = "") -> Person:
    """Somebody with empty hands."""
    return {
        "shirt": shirt or rng.choice(tuple(DYES)),
        "skin": rng.below(len(SKINS)),
        "hair": rng.below(len(HAIRS)),
        "long": rng.chance(),
        "skirt": rng.chance(0.35),
        "hat": "",
        "glasses": False,
        "waves": False,
        "holds": "",
    }


def _things(rng: Stream, wish: SceneWish) -> tuple[list[NamedThing], list[NamedThing]]:
    """What one holds and what two hold, nothing that might be taken for another or for what must not be there."""
    held = [thing for thing in map(thing_of, HELD) if thing.name == wish.has]
    absent = [thing for thing in map(thing_of, HELD) if thing.name == wish.lacks]
    for thing in rng.sample([thing_of(icon) for icon in HELD], len(HELD)):
        if len(held) < _UNIQUE + _PAIRS and unlike((*absent, *held, thing)):
            held.append(thing)
    unique = held[:_UNIQUE]
    rng.shuffle(unique)
    return unique, held[_UNIQUE:]


def _spots(rng: Stream, many: int) -> list[tuple[int, int]]:
    """Where people stand (x and the y of their feet), from the back: nobody before another's head."""
    spots: list[tuple[int, int]] = []
    while len(spots) < many:
        feet = BACK + rng.below(FRONT - BACK)
        reach = 66 * scale(feet) // 100  # what is held reaches to the right
        x = reach // 2 + rng.below(WIDTH - reach * 3 // 2)
        if all(_heads_free(*sorted(((x, feet), spot), key=lambda at: at[1])) for spot in spots):
            spots.append((x, feet))
    return sorted(spots, key=lambda at: (at[1], at[0]))


def _heads_free(behind: tuple[int, int], before: tuple[int, int]) -> bool:
    chin = behind[1] - 94 * scale(behind[1]) // 100
    return (
        abs(behind[0] - before[0]) * 100 >= 34 * scale(before[1]) or before[1] - 130 * scale(before[1]) // 100 >= chin
    )


def _placed(rng: Stream, folk: list[Person], spots: list[tuple[int, int]], least: int) -> list[Person] | None:
    """Everybody in a place: who is hidden there goes, or changes places if needed. None if that does not end well."""
    rng.shuffle(folk)
    for _ in range(_ROUNDS):
        people = [{**person, "x": x, "feet": feet} for person, (x, feet) in zip(folk, spots, strict=True)]
        hidden = hidden_ones(owners({"people": people}), people)
        if not hidden:
            return [{key: value for key, value in person.items() if key != "needed"} for person in people]
        free = [number for number, person in enumerate(folk) if "needed" not in person and number not in hidden]
        for number in hidden:
            if "needed" in folk[number]:
                other = rng.choice(free)
                folk[number], folk[other] = folk[other], folk[number]
        gone = {number for number in hidden if "needed" not in people[number]}
        folk = [person for number, person in enumerate(folk) if number not in gone or "needed" in person]
        spots = [spot for number, spot in enumerate(spots) if number not in gone]
        if len(folk) < least or len(folk) != len(spots):
            return None
    return None


def hidden_ones(seen: OwnerMap, people: Sequence[Mapping[str, Any]]) -> list[int]:
    """Those of whom too little is seen."""
    counts = seen.seen()
    hidden = {
        number
        for (number, part), whole in seen.whole.items()
        if part in CLEAR and counts[number, part] < CLEAR[part] * whole
    }
    return sorted(hidden | {number for number in range(len(people)) if counts[number, "shirt"] < SHIRT})


def _held(described: Description) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Who holds a thing of which there is one, by its name."""
    icons = [person["holds"] for person in described["people"]]
    for person in described["people"]:
        if person["holds"] in HELD and icons.count(person["holds"]) == 1:
            yield thing_of(person["holds"]).name, person


def facts(described: Description) -> Facts:
    held = dict(_held(described))
    boxes = {name: _box(person) for name, person in held.items()}
    return Facts(
        frame=(WIDTH, HEIGHT),
        boxes=boxes,
        counts={
            plural: sum(_is_counted(person, plural) for person in described["people"])
            for plural in described["counted"]
        },
        colours={name: person["shirt"] for name, person in held.items()},
        names=[
            Choice(
                f"What does the person with the {person['hat']} hold?",
                name,
                [other for other, whose in held.items() if whose["hat"] and other != name],
                frozenset({person["hat"]}),
            )
            for name, person in held.items()
            if person["hat"]
        ],
        positions=in_halves(boxes, WIDTH),
        depths={name: _METRES / scale(person["feet"]) for name, person in held.items()},
        coloured="shirt of the person with the {}",
        deep="person with the {}",
    )


def _box(person: Mapping[str, Any]) -> Box:
    x, y, side = held_at(person, scale(person["feet"]))
    return x - side // 2, y - side // 2, x + side // 2, y + side // 2


def words(described: Description) -> str:
    opening = (
        f"A picture of {WIDTH} by {HEIGHT} pixels, x to the right and y down, shows people on a lawn, partly behind "
        "one another. From the farthest to the nearest:"
    )
    return "\n".join((opening, *(f"- {_told(person)}" for person in described["people"])))


def _told(person: Mapping[str, Any]) -> str:
    parts = [f"a person in {with_article(person['shirt'])} shirt"]
    parts += [f"with {with_article(person['hat'])}"] if person["hat"] else []
    parts += ["with dark glasses"] if person["glasses"] else []
    parts += ["who waves"] if person["waves"] else []
    if person["holds"]:
        left, top, right, bottom = _box(person)
        middle = f"({(left + right) // 2}, {(top + bottom) // 2})"
        parts.append(f"holding {with_article(thing_of(person['holds']).name)}, its middle at {middle}")
    feet = f"feet at ({person['x']}, {person['feet']})"
    return ", ".join((*parts, feet, f"{_METRES / scale(person['feet']):.2f} m away"))


CROWD = SceneSetting(
    make=make,
    draw=crowd,
    words=words,
    facts=facts,
    things=lambda described: len(described["people"]) + sum(bool(one["holds"]) for one in described["people"]),
    pool=tuple(thing_of(icon).name for icon in HELD),
)
