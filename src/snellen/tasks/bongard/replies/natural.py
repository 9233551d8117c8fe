"""Natural concepts in words: what a rule or a description says of who does what to whom, where and with what.

A deed is known by its verb in any form, roles by who is named before and after it ("is pulled by" the other way round),
a place by what stands behind. What a description does not mention of tools is taken not to be there; a deed, a role or
a place that it does not mention is unknown.
"""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from snellen.draw.deeds import ACTORS, KINDS
from snellen.tasks.bongard.natural import facts, twin
from snellen.tasks.bongard.natural.facts import PROPS, Fact
from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.replies.differences import DescriptionFault
from snellen.tasks.bongard.replies.vocabulary import LONGEST, REMEMBERED
from snellen.tasks.bongard.strokes.truth import Truth

_WORDS = ("deed", "actor", "patient", "place", "with")
_VERBS = {
    "chases": r"chas(?:e|es|ing|ed)",
    "pulls": r"pull\w*|drag\w*",
    "pushes": r"push\w*|shov\w+",
    "carries": r"carr(?:y|ies|ied|ying)",
    "tows": r"tow(?:s|ed|ing)?",
    "chauffeurs": r"chauffeur\w*|driv(?:e|es|ing|en)",
    "lifts": r"lift\w*|hoist\w*",
    "swings": r"swing\w*|swung",
    "outweighs": r"outweigh\w*|heavier",
    "beats": r"beat\w*|defeat\w*",
    "gives": r"giv(?:e|es|en|ing)|presents?|gifts?",
    "rolls": r"roll\w*",
    "sprays": r"spray\w*|hos(?:es|ed|ing)",
    "pours": r"pour\w*",
    "sells": r"sell\w*|sold",
    "cooks": r"cook\w*",
    "crowns": r"crown\w*",
    "bubbles": r"(?:blow\w* )?(?:soap )?bubbles",
    "shines": r"light\w* up|shin(?:e|es|ing)|illuminat\w+",
    "watches": r"watch\w*|observ\w+",
    "photographs": r"photograph\w*|takes? (?:a )?(?:photo|picture)s?",
    "paints": r"paint(?:s|ed|ing)?",
    "hides": r"hid(?:e|es|ing|den)",
    "shelters": r"shelter\w*|holds the umbrella",
    "catches": r"catch\w*|caught",
    "locks up": r"lock\w*|imprison\w*|cag(?:e|es|ed|ing)",
    "sings": r"s[iau]ng(?:s|ing)?",
    "teaches": r"teach\w*|taught",
}
_TOOLS = {
    "water": r"water|sea|river|lake",
    "rope": r"ropes?",
    "wheels": r"wheels?|wheeled|carts?|wagons?",
    "food": r"foods?|apples?|meals?",
    "lens": r"telescopes?|cameras?|lens(?:es)?",
    "prison": r"nets?|cages?|shut in|trapped|caged|captured",
    "held up": r"held up|off the ground|in the air|raised|lifted|hanging|suspended",
}
_PLACES = {
    "forest": r"(?:fir |palm |leafy )?trees?|forests?|woods?",
    "garden": r"flowers?|gardens?|sunflowers?|tulips?|roses?|hibiscus",
    "town": r"buildings?|towns?|cit(?:y|ies)|houses?|church(?:es)?|hospitals?|castles?",
    "road": r"vehicles?|traffic|roads?|cars?|bus(?:es)?|taxis?|ambulances?|fire engines?",
    "room": r"furniture|rooms?|beds?|sofas?|chairs?|bathtubs?|televisions?|indoors?",
    "concert": r"instruments?|pianos?|piano keyboards?|drums?|violins?|trumpets?|guitars?|harps?|concerts?",
}


def _any(forms: dict[str, str]) -> re.Pattern[str]:
    return re.compile(
        "|".join(rf"\b(?P<{name.replace(' ', '_')}>(?:{form}))\b" for name, form in forms.items()), re.IGNORECASE
    )


_VERB, _TOOL, _PLACE = map(_any, (_VERBS, _TOOLS, _PLACES))
_ANIMAL = re.compile(rf"\b(?P<name>{'|'.join(ACTORS)}|animal|another|other|it)s?\b", re.IGNORECASE)
_PASSIVE = re.compile(r"^[^.;]{0,20}\bby\b")


@dataclass(frozen=True, slots=True)
class DeedScene:
    """What is known of a picture, and of which words (deed, actor, ...) anything is known."""

    facts: frozenset[Fact]
    known: frozenset[str]


def deed_facts(panel: Panel) -> DeedScene:
    return _scene(facts(twin(panel)))


def _scene(found: frozenset[Fact]) -> DeedScene:
    return DeedScene(frozenset(fact for fact in found if fact[0] in _WORDS), frozenset(_WORDS))


def holds(concept: Fact, scene: DeedScene) -> Truth:
    return concept in scene.facts if concept[0] in scene.known else None


@lru_cache(maxsize=REMEMBERED)
def read_deed(text: str) -> DeedScene:
    """The picture that the words describe."""
    text = text[:LONGEST]
    with suppress(ValueError, KeyError, TypeError, IndexError, RecursionError):  # not a picture in exact words
        return _scene(facts(text))
    found = list(_done(text))
    deed = next((value for word, value in found if word == "deed"), "")
    with_it = {("with", what) for what in (*_named(_TOOL, text), *_tools_of(deed))}
    places = Counter(_named(_PLACE, text)).most_common(2)
    if places and (len(places) == 1 or places[0][1] > places[1][1]):
        found.append(("place", places[0][0]))
    known = {word for word, _ in found} | ({"with"} if deed or with_it else set())
    return DeedScene(frozenset((*found, *with_it)), frozenset(known))


def _tools_of(deed: str) -> list[str]:
    there = "; ".join(KINDS[deed].props) if deed else ""
    return [what for what, props in PROPS.items() if any(prop in there for prop in props)]


def _named(pattern: re.Pattern[str], text: str) -> list[str]:
    return [str(match.lastgroup).replace("_", " ") for match in pattern.finditer(text)]


def _done(text: str) -> list[Fact]:
    """The deed and its roles: by the first verb with an animal before and after it, else by the first verb."""
    verbs, animals = list(_VERB.finditer(text)), list(_ANIMAL.finditer(text))
    for verb in verbs:
        place = sum(animal.end() <= verb.start() for animal in animals)
        if 0 < place < len(animals):
            before, after = animals[place - 1], animals[place]
            one, other = before["name"].lower(), after["name"].lower()
            if _PASSIVE.match(text[verb.end() : after.start()]):
                one, other = other, one
            roles = [(role, name) for role, name in (("actor", one), ("patient", other)) if name in ACTORS]
            return [("deed", _deed(verb)), *roles]
    return [("deed", _deed(verb)) for verb in verbs[:1]]


def _deed(verb: re.Match[str]) -> str:
    return str(verb.lastgroup).replace("_", " ")


def readings(rule: str) -> Sequence[Fact]:
    """Everything that the rule can mean."""
    text = " ".join(rule.split())[:LONGEST]
    tools = [("with", what) for what in _named(_TOOL, text)]
    places = [("place", place) for place in _named(_PLACE, text)]
    return tuple(dict.fromkeys((*_done(text), *tools, *places)))


def names_something(rule: str) -> bool:
    """Whether any word of the rule is about what such pictures can differ in."""
    return bool(readings(rule) or any(match["name"].lower() in ACTORS for match in _ANIMAL.finditer(rule)))


def differences(described: DeedScene, true: DeedScene) -> list[DescriptionFault]:
    """What a description misses, and what it says otherwise than it is."""
    listed = []
    for fact in sorted(true.facts - described.facts):
        word = fact[0]
        said = sorted(value for other, value in described.facts if other == word) if word != "with" else []
        rest = frozenset(other for other in described.facts if word == "with" or other[0] != word)
        mended = replace(described, facts=rest | {fact}, known=described.known | {word})
        listed.append(DescriptionFault("wrong" if said else "missed", _told(fact), " ".join(said), mended))
    for fact in sorted(described.facts - true.facts):
        if fact[0] == "with":
            mended = replace(described, facts=described.facts - {fact})
            listed.append(DescriptionFault("invented", f"no {fact[1]}", fact[1], mended))
    return listed


def _told(fact: Fact) -> str:
    return f"{fact[0]}: {fact[1]}"
