"""Worlds where words or numbers are used otherwise: for each, a picture, what is asked of it, and what each answer
means.

A maker gets a Stream, a sort of picture and a turn number (so that answers come round equally often) and gives an
`Inquiry`. In the plain worlds one thing is turned about, in the chained ones two; there the four answers tell apart who
turned about both, only one of the two, or neither.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from snellen.draw.tints import DYES
from snellen.rng import Stream
from snellen.tasks.capacity.english import with_article
from snellen.tasks.capacity.scenes.facts import Facts
from snellen.tasks.capacity.scenes.setting import Description, SceneSetting, SceneWish

LITERAL, TWICE, BACKWARDS = "literal", "applied twice", "applied backwards"
WRONG_PAIR, MISCOUNTED = "wrong pair of the map", "miscounted by one"
ONLY_FIRST, ONLY_SECOND = "only the first map", "only the second map"
OTHER_ORDER = "maps in the other order"

TEN = 10
COUNTS = (2, 3, 4, 6, 7, 8)
"""Not 5: ten minus five is five."""
_EVEN, _DOUBLED = (2, 4, 6, 8), (2, 3, 4, 7)
"""Of those, the ones for two maps by which no wrong answer has two causes: one off an even number is odd."""
QUARTERS = ("top left", "top right", "bottom left", "bottom right")
"""Numbered so that left and right differ in the first bit, top and bottom in the second."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """`slots` fill the words of the world; `options` are all answers, none where a number is asked for."""

    scene: Description
    slots: Mapping[str, str]
    options: Sequence[str]
    key: str
    wrong: Mapping[str, str]


Maker = Callable[[Stream, SceneSetting, int], Inquiry]


def _sought(
    rng: Stream, setting: SceneSetting, find: Callable[[Facts], Sequence[T]], wish: SceneWish | None = None
) -> tuple[Description, Facts, T]:
    """A picture of which something wanted is true, and one such fact of it."""
    while True:
        described = setting.make(rng, wish or SceneWish())
        facts = setting.facts(described)
        if fitting := find(facts):
            return described, facts, rng.choice(fitting)


def _opposites(first: str, second: str, literal: bool) -> tuple[tuple[str, str], str, dict[str, str]]:
    """Options, key and wrong answers where two words have changed places and the first is literally true (or not)."""
    true, told = (first, second) if literal else (second, first)
    return (first, second), told, {true: LITERAL}


def _compared(
    find: Callable[[Facts], Sequence[tuple[str, str]]],
    words: tuple[str, str],
    spoken: Callable[[Facts], str] = lambda facts: "{}",
) -> Maker:
    """A world in which two opposite words have changed places, one of which is true of two things; `spoken` says how
    these are spoken of."""

    def maker(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
        literal = turn % 2 == 0
        drawn, facts, pair = _sought(rng, setting, find)
        a, b = pair if literal else pair[::-1]
        phrase = spoken(facts)
        return Inquiry(drawn, {"a": phrase.format(a), "b": phrase.format(b)}, *_opposites(*words, literal))

    return maker


def presence(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    """Ask whether a thing is present; in every second item it is."""
    literal, name = turn % 2 == 0, rng.choice(setting.pool)
    drawn = setting.make(rng, SceneWish(has=name) if literal else SceneWish(lacks=name))
    return Inquiry(drawn, {"a": with_article(name)}, *_opposites("present", "absent", literal))


def amount(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    literal, many = turn % 2 == 0, 4 + rng.below(setting.most - 3)
    few = 2 + rng.below(many - 3)
    drawn = setting.make(rng, SceneWish((many, few) if literal else (few, many)))
    a, b = setting.facts(drawn).counts
    return Inquiry(drawn, {"a": a, "b": b}, *_opposites("more", "fewer", literal))


def _counted(rng: Stream, setting: SceneSetting, counts: tuple[int, int]) -> tuple[Description, str, str]:
    """A picture with so many of two kinds, and these kinds."""
    drawn = setting.make(rng, SceneWish(counts))
    a, b = setting.facts(drawn).counts
    return drawn, a, b


def count(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    many = COUNTS[turn % len(COUNTS)]
    drawn, a, _ = _counted(rng, setting, (many, 2 + rng.below(4)))
    wrong = {str(TEN - many + off): MISCOUNTED for off in (1, -1)} | {str(many): LITERAL}
    return Inquiry(drawn, {"a": a}, (), str(TEN - many), wrong)


def colour(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    """Four colours each take the name of the next."""
    drawn, facts, name = _sought(rng, setting, lambda facts: list(facts.colours))
    asked = turn % 4
    cycle = rng.sample([dye for dye in DYES if dye != facts.colours[name]], 3)
    cycle.insert(asked, facts.colours[name])
    literal, told, twice, back = (cycle[(asked + step) % 4] for step in range(4))
    slots = {"a": facts.coloured.format(name)} | {f"colour{k}": dye for k, dye in enumerate(cycle, start=1)}
    wrong = {literal: LITERAL, twice: TWICE, back: BACKWARDS}
    return Inquiry(drawn, slots, sorted(cycle), told, wrong)


def name(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    """Two pairs of things have exchanged their names."""
    drawn, _, chosen = _sought(rng, setting, lambda facts: [choice for choice in facts.names if len(choice.others) > 2])
    asked = turn % 4
    four = rng.sample(chosen.others, 3)
    four.insert(asked, chosen.right)
    wrong = {chosen.right: LITERAL} | dict.fromkeys((four[asked ^ 2], four[asked ^ 3]), WRONG_PAIR)
    return Inquiry(drawn, {"question": chosen.question} | _exchanged(four), sorted(four), four[asked ^ 1], wrong)


def _exchanged(four: Sequence[str]) -> dict[str, str]:
    return {f"thing{k}": with_article(name) for k, name in enumerate(four, start=1)}


# Chains of two


def corner(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    asked = turn % 4

    def there(facts: Facts) -> list[str]:
        return [name for name, quarter in facts.quarters().items() if quarter == QUARTERS[asked]]

    drawn, _, name = _sought(rng, setting, there)
    wrong = {QUARTERS[asked]: LITERAL, QUARTERS[asked ^ 1]: ONLY_FIRST, QUARTERS[asked ^ 2]: ONLY_SECOND}
    return Inquiry(drawn, {"a": name}, QUARTERS, QUARTERS[asked ^ 3], wrong)


def name_place(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    """The leftmost and the rightmost of four things, of different pairs, with their partners between them."""
    drawn, facts, ends = _sought(rng, setting, lambda facts: [two for two in facts.beside() if _between(facts, two)])
    middle = rng.sample(_between(facts, ends), 2)
    left, right, (left_told, right_told) = *ends, middle
    slots = _exchanged((left, left_told, right, right_told)) | {"a": ("left", "right")[turn % 2]}
    if turn % 2:
        left, left_told, right_told, right = right, right_told, left_told, left
    options = sorted((left, left_told, right, right_told))
    slots |= {"four": " or ".join((", ".join(f"the {name}" for name in options[:3]), f"the {options[3]}"))}
    wrong = {left: LITERAL, right: ONLY_FIRST, left_told: ONLY_SECOND}
    return Inquiry(drawn, slots, options, right_told, wrong)


def _between(facts: Facts, ends: tuple[str, str]) -> list[str]:
    """Two things or more that lie clearly between two others, else none."""
    beside = set(facts.beside())
    names = [name for name in facts.boxes if (ends[0], name) in beside and (name, ends[1]) in beside]
    return names if len(names) >= 2 else []


def count_name(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    asked_of = _EVEN[turn % len(_EVEN)]
    literal = rng.choice([many for many in _EVEN if many not in (asked_of, TEN - asked_of)])
    drawn, a, b = _counted(rng, setting, (literal, asked_of))
    wrong = {str(TEN - asked_of + off): MISCOUNTED for off in (1, -1)}
    wrong |= {str(literal): LITERAL, str(asked_of): ONLY_FIRST, str(TEN - literal): ONLY_SECOND}
    return Inquiry(drawn, {"a": a, "b": b}, (), str(TEN - asked_of), wrong)


def colour_name(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    """Two things have exchanged their names, and two pairs of colours theirs."""

    def unlike(facts: Facts) -> list[tuple[str, str]]:
        return [(a, b) for a, own in facts.colours.items() for b, other in facts.colours.items() if own != other]

    drawn, facts, (a, b) = _sought(rng, setting, unlike)
    asked_of = turn % 4
    literal = asked_of ^ 2 ^ rng.below(2)
    rest = rng.sample([dye for dye in DYES if dye not in (facts.colours[a], facts.colours[b])], 2)
    given = {literal: facts.colours[a], asked_of: facts.colours[b]}
    pairs = [given[number] if number in given else rest.pop() for number in range(4)]
    slots = {"a": with_article(a), "b": with_article(b), "name": facts.coloured.format(a)}
    slots |= {f"colour{k}": dye for k, dye in enumerate(pairs, start=1)}
    wrong = {pairs[literal]: LITERAL, pairs[asked_of]: ONLY_FIRST, pairs[literal ^ 1]: ONLY_SECOND}
    return Inquiry(drawn, slots, sorted(pairs), pairs[asked_of ^ 1], wrong)


def count_doubled(rng: Stream, setting: SceneSetting, turn: int) -> Inquiry:
    many = _DOUBLED[turn % len(_DOUBLED)]
    drawn, a, _ = _counted(rng, setting, (many, 2 + rng.below(4)))
    wrong = {str(2 * (TEN - many + off)): MISCOUNTED for off in (1, -1)}
    wrong |= {str(TEN - 2 * many): OTHER_ORDER} if 2 * many < TEN else {}
    wrong |= {str(2 * many): ONLY_SECOND, str(TEN - many): ONLY_FIRST, str(many): LITERAL}
    return Inquiry(drawn, {"a": a}, (), str(2 * (TEN - many)), wrong)


MAKERS: Mapping[str, Maker] = {
    "left_right": _compared(Facts.beside, ("left", "right")),
    "above_below": _compared(Facts.above, ("above", "below")),
    "presence": presence,
    "size": _compared(Facts.larger, ("larger", "smaller")),
    "depth": _compared(Facts.nearer, ("nearer", "farther"), lambda facts: facts.deep),
    "amount": amount,
    "count": count,
    "colour": colour,
    "name": name,
    "corner": corner,
    "name_place": name_place,
    "count_name": count_name,
    "colour_name": colour_name,
    "count_doubled": count_doubled,
}
_SCENES = ("room", "street", "crowd")
_OUTDOORS = ("street", "crowd")
"""Where there can be as many as eight of a kind."""
WORLDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "standard": {
        "left_right": _SCENES,
        "presence": _SCENES,
        "size": ("street",),
        "depth": ("room", "crowd"),
        "amount": _SCENES,
        "count": _OUTDOORS,
        "colour": _SCENES,
        "name": _OUTDOORS,
        "above_below": ("crowd",),
    },
    "small": dict.fromkeys(
        ("left_right", "above_below", "presence", "size", "amount", "count", "colour", "name"), ("tableau",)
    ),
    "chained": {
        "corner": ("crowd",),
        "name_place": _SCENES,
        "count_name": _OUTDOORS,
        "colour_name": _SCENES,
        "count_doubled": _OUTDOORS,
    },
}
"""The worlds of each size, by name, with the sorts of pictures that show them. Where the answer can be guessed without
the picture (a clock hangs above a sofa and is smaller), that sort does not."""
