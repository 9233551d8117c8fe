"""Planted errors over generated Bongard problems, in wordings of their own.

A plant changes the panel itself (a thing goes, another kind takes its place) or takes another concept, with the
generator's own judge deciding that the verdict turns; only then is it put into words. Nothing here uses the readers,
and no wording comes from the simulated subjects.
"""

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from snellen.draw.scenes import TILES, things, touch, twin
from snellen.rng import Stream
from snellen.tasks.bongard import scenes
from snellen.tasks.bongard.replies import LANGUAGES
from snellen.tasks.bongard.replies.filing import ProblemFacts, WrongVerdict, known
from snellen.tasks.bongard.scenes.checker import parts
from snellen.tasks.bongard.scenes.concepts import SORTS, random_concept
from snellen.tasks.bongard.scenes.kinds import every_kind
from snellen.tasks.bongard.scenes.language import Concept, holds, part

Panel = Mapping[str, Any]
Forms = Mapping[str, Callable[[Panel], str]]
SIDES = ("positive", "negative")


@dataclass(frozen=True)
class Plant:
    """A case, the group it belongs to, and how it was put."""

    about: ProblemFacts
    case: WrongVerdict
    group: str
    how: str


# Descriptions of scenes

_SAID_KIND = {
    "dog": "puppy",
    "airplane": "plane",
    "bicycle": "bike",
    "hamburger": "burger",
    "rabbit": "bunny",
    "truck": "lorry",
    "television": "TV",
    "flashlight": "torch",
    "donut": "doughnut",
    "soccer ball": "football",
    "motorcycle": "motorbike",
}
_BIG = {"large": "big", "small": "tiny"}


def _place(thing: Any, left_first: bool = False) -> str:
    row = {"top": "upper", "middle": "middle", "bottom": "lower"}[thing.row]
    if (thing.row, thing.column) == ("middle", "centre"):
        return "in the middle"
    column = {"left": "left", "centre": "center", "right": "right"}[thing.column]
    return f"in the {column} {thing.row}" if left_first else f"in the {row} {column} cell"


def with_article(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _contacts(panel: Panel) -> Iterator[tuple[str, str]]:
    content = things(panel)
    for i, one in enumerate(content):
        for other in content[i + 1 :]:
            if touch(one, other):
                yield one.icon.name, other.icon.name


def as_prose(panel: Panel) -> str:
    """Sentence after sentence, with other words for many things."""
    said = []
    for number, thing in enumerate(things(panel)):
        name = _SAID_KIND.get(thing.icon.name, thing.icon.name)
        size, place = _BIG[thing.size], _place(thing)
        frame = " It is surrounded by a black frame." if thing.framed else ""
        if number % 2:
            said.append(
                f"{place.capitalize()} stands {with_article(f'{size} {name}')} on a {thing.tile} square.{frame}"
            )
        else:
            said.append(f"There is {with_article(f'{size} {name}')} {place}, on a {thing.tile} tile.{frame}")
    said += [f"The {one} touches the {other}." for one, other in _contacts(panel)]
    return f"The picture shows {len(things(panel))} things. " + " ".join(said)


def as_bullets(panel: Panel) -> str:
    lines = [
        f"- {thing.icon.name.capitalize()} ({thing.size}; {thing.tile} tile; {thing.place}"
        f"{'; in a black frame' if thing.framed else ''})".replace(";", ",")
        for thing in things(panel)
    ]
    lines += [f"- the {one} is touching the {other}" for one, other in _contacts(panel)]
    return "What I see:\n" + "\n".join(lines)


def as_stock(panel: Panel) -> str:
    """As the structured request asks for it: the living and the rest, a list of phrases each, and a summary."""
    phrases: dict[str, list[str]] = {"living": [], "inanimate": []}
    for thing in things(panel):
        frame = ", framed" if thing.framed else ""
        phrases[thing.icon.life].append(
            f"1 {_BIG[thing.size]} {thing.icon.name} on a {thing.tile} tile at the {thing.place}{frame}"
        )
    names = ", ".join(thing.icon.name for thing in things(panel))
    content = {
        "scene": "A sheet with tiles on it.",
        **phrases,
        "activities": [f"the {one} touches the {other}" for one, other in _contacts(panel)],
        "text": "",
        "summary": f"A few things are to be seen: {names}.",
    }
    return "```json\n" + json.dumps(content, indent=1) + "\n```"


def as_entries(panel: Panel) -> str:
    """A bare JSON list of objects with keys of its own."""
    return json.dumps(
        [
            {
                "object": thing.icon.name,
                "size": thing.size,
                "tile_color": thing.tile,
                "location": thing.place.replace("centre", "center"),
                "framed": thing.framed,
            }
            for thing in things(panel)
        ]
    )


def as_one_sentence(panel: Panel) -> str:
    """Everything in a single long sentence."""
    phrases = [
        f"{with_article(f'{thing.size} {thing.icon.name}')} on a {thing.tile} tile at the {thing.place}"
        f"{' inside a black frame' if thing.framed else ''}"
        for thing in things(panel)
    ]
    contacts = " ".join(f"The {one} is touching the {other}." for one, other in _contacts(panel))
    return f"I can see {', '.join(phrases[:-1])} and {phrases[-1]}. {contacts}"


SCENE_FORMS: dict[str, Callable[[Panel], str]] = {
    "exact": twin,
    "prose": as_prose,
    "bullets": as_bullets,
    "stock": as_stock,
    "entries": as_entries,
    "sentence": as_one_sentence,
}


# Rules about scenes

_NOUNS = {
    "clothing": ("garment", "garments"),
    "footwear": ("shoe", "shoes"),
    "headwear": ("hat", "hats"),
    "animal": ("creature", "creatures"),
    "drink": ("beverage", "beverages"),
    "fruit": ("piece of fruit", "pieces of fruit"),
    "sea animal": ("sea creature", "sea creatures"),
    "sweet food": ("dessert", "desserts"),
    "sports equipment": ("piece of sports equipment", "pieces of sports equipment"),
    "living": ("living thing", "living things"),
    "musical instrument": ("instrument", "instruments"),
    "electric device": ("electronic device", "electronic devices"),
}


def _noun(what: Mapping[str, str], many: bool = False, plain: bool = False) -> str:
    value = next((what[name] for name in ("kind", "group", "category", "life") if name in what), "object")
    one, plural = _NOUNS.get(value, (value, f"{value}s"))
    if plain and value != "living":
        one, plural = (value, value) if value in ("clothing", "footwear", "headwear", "fruit") else (value, f"{value}s")
    if value.endswith("s") or (value in ("corn", "dice", "fruit") and plain):
        plural = value
    return plural if many else one


def _phrase(what: Mapping[str, str], many: bool = False, style: int = 0) -> str:
    before = _BIG[what["size"]] if style == 1 and "size" in what else what.get("size", "")
    after = []
    if "tile" in what:
        noun = "square" if style == 1 else "tile"
        after.append(f"on {what['tile']} {noun}s" if many else f"on a {what['tile']} {noun}")
    if what.get("framed") == "yes":
        after.append("with a black frame" if style == 1 else "inside a black frame")
    if "row" in what and "column" in what:
        centre = (what["row"], what["column"]) == ("middle", "centre")
        after.append(
            "in the center"
            if centre
            else f"in the {what['row']} {what['column']} corner".replace("centre corner", "centre")
            .replace("middle left corner", "middle left")
            .replace("middle right corner", "middle right")
        )
    elif "row" in what:
        after.append(
            {"top": "in the upper row", "middle": "in the middle row", "bottom": "in the lower row"}[what["row"]]
            if style == 1
            else f"in the {what['row']} row"
        )
    elif "column" in what:
        after.append(f"in the {what['column']} column")
    return " ".join(filter(None, (before, _noun(what, many, plain=style == 2), *after)))


_COUNTS = ("zero", "one", "two", "three", "four", "five", "six")


def stated(concept: Concept, style: int) -> str:
    """The concept as somebody may put it, in one of three manners."""
    word, what = part(concept)
    lead = ("Each positive picture shows ", "There is ", "All positive images contain ")[style]
    if word == "some":
        return f"{lead}{with_article(_phrase(what, style=style))}."
    if word in ("exactly", "least"):
        number, description = what
        many = f"{_COUNTS[number]} {_phrase(description, number != 1, style)}"
        if word == "exactly":
            return (f"Precisely {many} can be seen", f"there are exactly {many}", f"The images contain exactly {many}")[
                style
            ]
        or_more = f"{_COUNTS[number]} or more {_phrase(description, True, style)}"
        return (or_more, f"there are at least {many}", f"All positive images contain at least {many}")[style]
    if word == "every":
        [(name, value)] = what.items()
        said = f"on {with_article(value)} tile" if name == "tile" else value
        return (f"every object is {said}", f"All of the items are {said}", f"everything in the pictures is {said}")[
            style
        ]
    if word == "same":
        said = {"kind": "kind", "tile": "tile color"}[what]
        return (
            f"two objects share the same {said}",
            f"at least two things have the same {said}",
            f"two items of the same {said}",
        )[style]
    if word == "not":
        return _denied(what, style)
    if word in ("and", "or"):
        one, other = what
        if part(other)[0] == "not":
            inner = _phrase(part(part(other)[1])[1], style=style)
            return f"{stated(one, style).rstrip('.')} but no {inner}"
        first, second = (with_article(_phrase(part(each)[1], style=style)) for each in what)
        return f"{lead}{'either ' if word == 'or' and style else ''}{first} {word} {second}"
    related = {"above": "above", "left": "to the left of", "touch": "touching"}[word]
    one, other = (with_article(_phrase(each, style=style)) for each in what)
    if style == 1 and word != "touch":
        turned = {"above": "below", "left": "to the right of"}[word]
        return f"{other} is located {turned} {one}"
    return f"{one} {related} {other}"


def _denied(concept: Concept, style: int) -> str:
    word, what = part(concept)
    if word == "some":
        said = _phrase(what, style=style)
        return (
            f"No {said} is present",
            f"there is no {said}",
            f"The positive pictures do not contain {with_article(said)}",
        )[style]
    if word == "every":
        return f"not everything is on a {what['tile']} tile"
    said = {"kind": "kind", "tile": "tile colour"}[what]
    return f"no two things are of the same {said}"


# Plants


def turned(panel: Panel, concept: Concept, changes: Iterator[Panel]) -> Panel | None:
    """The first of some changed panels on which the verdict is another."""
    before = holds(concept, panel)
    return next((changed for changed in changes if holds(concept, changed) is not before), None)


def without_one(panel: Panel) -> Iterator[Panel]:
    for place in range(len(panel["things"])):
        changed = copy.deepcopy(dict(panel))
        del changed["things"][place]
        if changed["things"]:
            yield changed


def misnamed(panel: Panel, rng: Stream) -> Iterator[Panel]:
    """One thing under another name, or with another tile, size or frame."""
    kinds = rng.sample(every_kind(), 60)
    for place in rng.sample(range(len(panel["things"])), len(panel["things"])):
        for kind in kinds:
            yield _changed(panel, place, kind=kind)
        for tile in TILES:
            yield _changed(panel, place, tile=tile)


def _changed(panel: Panel, place: int, **values: Any) -> Panel:
    changed = copy.deepcopy(dict(panel))
    changed["things"][place] |= values
    return changed


def scene_plants(
    seed: int, index: int, forms: Forms | None = None, state: Callable[[Concept, int], str] = stated
) -> Iterator[Plant]:
    """Every plant that one problem allows, in every form of description, with rules as `state` puts them."""
    made = scenes.make(seed, index)
    problem, concept = made.problem, made.concept
    rng = Stream(1000 * seed + index)
    sides = {"positive": problem.positives, "negative": problem.negatives}
    about = known(problem.concept, sides, LANGUAGES["scenes"])
    for k, (form, write) in enumerate((forms or SCENE_FORMS).items()):
        if form in ("entries", "table") and "touch" in concept:
            continue  # this form cannot say what touches what
        described = {side: tuple(map(write, panels[:-1])) for side, panels in sides.items()}
        for side in SIDES:
            query, style = sides[side][-1], (k + index) % 3
            rule = state(concept, style)

            def case(
                rule: str, seen: Panel, side: str = side, write: Any = write, described: Any = described
            ) -> WrongVerdict:
                return WrongVerdict(side, rule, write(seen), described)

            how = f"{form}, {problem.category}"
            yield Plant(about, case(rule, query), "rule applied wrongly", how)
            if (seen := turned(query, concept, without_one(query))) is not None:
                yield Plant(about, case(rule, seen), "description misses it", how)
                yield Plant(about, case("", seen), "description misses it", f"{how}, no rule")
            if (seen := turned(query, concept, misnamed(query, rng))) is not None:
                yield Plant(about, case(rule, seen), "description says it wrongly", how)
            wrong = _other(seed, index + 7 * k)
            if not parts(wrong, problem.positives, problem.negatives):
                yield Plant(about, case(state(wrong, (style + 1) % 3), query), "rule is wrong", how)


def _other(seed: int, index: int) -> Concept:
    """Some other concept."""
    return random_concept(SORTS[index % len(SORTS)], Stream(7919 * seed + index), (2, 5))
