"""A crowd: people in rows, each with a shirt of some colour, some with hats, glasses or something in their hand.

Of the things they hold there is one each, but for what may be counted; and of each hat there is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.data import table
from snellen.tasks.capacity.draw.crowds import HEIGHT, WIDTH, crowd, placed
from snellen.tasks.capacity.draw.people import HAIRS, HATS, SKINS, held_at
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.scenes.facts import Box, Choice, Facts
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish
from snellen.tasks.capacity.things import NamedThing, thing_of, unlike

_LISTS = table("scenes")["crowd"]
TRAITS: Mapping[str, tuple[str, Any]] = _LISTS["traits"]
"""What may be counted, and what it is about a person."""
HELD = _LISTS["held"]
ROW_NAMES = {3: _LISTS["three_rows"], 4: _LISTS["four_rows"]}
_METRES = 2.0
"""From a row to the next."""
_FEW = 3
"""Of what is not counted, at most."""


def make(rng: Stream, wish: SceneWish) -> Description:
    rows, across, unique = (4, 8, 8) if wish.large else (3, 7, 7)
    many = rows * across
    counted = _counted(rng, wish.counts)
    traits = [trait for trait in ("people with dark glasses", "people who wave") if trait not in counted]
    numbers = counted | {trait: rng.below(_FEW + 1) for trait in traits}
    folk = [_person(rng, numbers) for _ in range(many)]
    held = _things(rng, unique, wish)
    for trait, number in numbers.items():
        field, value = TRAITS[trait]
        busy = unique if field == "holds" else 0  # the last ones hold things of their own
        for place in rng.sample(range(many - busy), number):
            folk[place][field] = value
    for person, thing in zip(folk[-unique:], held, strict=True):
        person["holds"] = thing.icon
    for person, hat in zip(folk[-unique:], HATS, strict=False):
        person["hat"] = hat
    return {"rows": rows, "counted": list(counted), "people": _lined_up(rng, folk, rows, across)}


def _counted(rng: Stream, counts: Sequence[int]) -> dict[str, int]:
    """What is counted: no two traits that one person cannot have both."""
    numbers = counts or (2 + rng.below(5),)
    while True:
        traits = rng.sample(tuple(TRAITS), len(numbers))
        if len({TRAITS[trait][0] for trait in traits}) == len(traits):
            return dict(zip(traits, numbers, strict=True))


def _person(rng: Stream, traits: Mapping[str, int]) -> dict[str, Any]:
    """Somebody without any trait that is counted."""
    shirts = [dye for dye in DYES if ("shirt", dye) not in [TRAITS[trait] for trait in traits]]
    return {
        "shirt": rng.choice(shirts),
        "skin": rng.below(len(SKINS)),
        "hair": rng.below(len(HAIRS)),
        "long": rng.chance(),
        "skirt": rng.chance(0.35),
        "hat": "",
        "glasses": False,
        "waves": False,
        "holds": "",
    }


def _things(rng: Stream, many: int, wish: SceneWish) -> list[NamedThing]:
    """What people hold, nothing that might be taken for another or for what must not be there."""
    held = [thing for thing in map(thing_of, HELD) if thing.name == wish.has]
    absent = [thing for thing in map(thing_of, HELD) if thing.name == wish.lacks]
    for thing in rng.sample([thing_of(icon) for icon in HELD], len(HELD)):
        if len(held) < many and unlike((*absent, *held, thing)):
            held.append(thing)
    rng.shuffle(held)
    return held


def _lined_up(rng: Stream, folk: list[dict[str, Any]], rows: int, across: int) -> list[dict[str, Any]]:
    """Everybody in some place, the back row first, each row from the left."""
    rng.shuffle(folk)
    pitch = WIDTH // across
    lined = []
    for number, person in enumerate(folk):
        row, column = divmod(number, across)
        x = column * pitch + pitch // 2 - 16 + rng.below(9) - 4  # what is held reaches to the right
        lined.append({"row": row, "x": x, **person})
    return lined


def _held(described: Description) -> Iterator[tuple[str, dict[str, Any]]]:
    """Who holds a thing of which there is one, by its name."""
    icons = [person["holds"] for person in described["people"]]
    for person in described["people"]:
        if person["holds"] and person["holds"] in HELD and icons.count(person["holds"]) == 1:
            yield thing_of(person["holds"]).name, person


def facts(described: Description) -> Facts:
    held = dict(_held(described))
    traits = {trait: TRAITS[trait] for trait in described["counted"]}
    return Facts(
        frame=(WIDTH, HEIGHT),
        boxes={name: _box(described, person) for name, person in held.items()},
        counts={
            trait: sum(person[field] == value for person in described["people"])
            for trait, (field, value) in traits.items()
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
        positions=[
            Choice(
                f"In which row is the person with the {name}?",
                f"the {rows[row]}",
                [f"the {rows[near]}"],
                frozenset({name}),
            )
            for rows in [ROW_NAMES[described["rows"]]]
            for name, person in held.items()
            for row in [person["row"]]
            for near in (row - 1, row + 1)
            if 0 <= near < len(rows)
        ],
        depths={name: _METRES * (described["rows"] - person["row"]) for name, person in held.items()},
        coloured="shirt of the person with the {}",
        deep="person with the {}",
    )


def _box(described: Description, person: Mapping[str, Any]) -> Box:
    x, y, side = held_at(*placed(described, person))
    return x - side // 2, y - side // 2, x + side // 2, y + side // 2


def words(described: Description) -> str:
    lines = [f"A picture of {WIDTH} by {HEIGHT} pixels, x to the right and y down, shows people on a lawn in rows."]
    for row, name in enumerate(ROW_NAMES[described["rows"]]):
        lines.append(f"The {name}, from the left ({_METRES * (described['rows'] - row):.0f} m away):")
        lines += [f"- {_told(described, person)}" for person in described["people"] if person["row"] == row]
    return "\n".join(lines)


def _told(described: Description, person: Mapping[str, Any]) -> str:
    parts = [f"a person in {with_article(person['shirt'])} shirt"]
    parts += [f"with {with_article(person['hat'])}"] if person["hat"] else []
    parts += ["with dark glasses"] if person["glasses"] else []
    parts += ["who waves"] if person["waves"] else []
    if person["holds"]:
        left, top, right, bottom = _box(described, person)
        middle = f"({(left + right) // 2}, {(top + bottom) // 2})"
        parts.append(f"holding {with_article(thing_of(person['holds']).name)}, its middle at {middle}")
    return ", ".join(parts)


CROWD = SceneSetting(
    make=make,
    draw=crowd,
    words=words,
    facts=facts,
    things=lambda described: len(described["people"]),
    pool=tuple(thing_of(icon).name for icon in HELD),
)
