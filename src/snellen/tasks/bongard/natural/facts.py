"""All that can be said of a picture in a few words, read off its twin.

Nothing here asks the maker: the deed is found in the sentence of the twin by its verb, what it is done with in the
words for what else is there, and the place in what sort of things stand behind.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from snellen.draw.deeds import KINDS, SIDES
from snellen.draw.icons import icon

Fact = tuple[str, str]

VERBS: Mapping[str, str] = {kind.words or deed: deed for deed, kind in KINDS.items()}
PROPS: Mapping[str, tuple[str, ...]] = {
    "water": ("water",),
    "rope": ("rope",),
    "wheels": ("cart", "truck"),
    "food": ("apples", "pot"),
    "lens": ("telescope", "camera"),
    "prison": ("net", "cage"),
    "held up": ("tray under", "hanging platform", "swing"),
}
"""The words by which it is known what a deed is done with, or how somebody fares."""
_TREES = ("fir tree", "leafy tree", "palm tree")
_INDOORS = ("household thing", "electric device")


def facts(words: str) -> frozenset[Fact]:
    """What is true of the picture with this twin."""
    return frozenset(_facts(json.loads(words)))


def _facts(shown: Mapping[str, Any]) -> Iterator[Fact]:
    names = [thing["name"] for thing in shown["objects"]]
    deed, actor, patient = parsed(shown["relations"][-1], names)
    yield from (("deed", deed), ("actor", actor), ("patient", patient), ("background", shown["background"]))
    yield from (("animal", name) for name in names)
    yield from (("actor group", icon(actor).group), ("patient group", icon(patient).group))
    for thing in shown["objects"]:
        yield f"faces {thing['faces']}", thing["name"]
        role = "actor" if thing["name"] == actor else "patient"
        if thing["position"] in SIDES:  # above or below is part of what is done
            yield from ((f"at {thing['position']}", thing["name"]), ("at", f"{role} {thing['position']}"))
        yield "faces", f"{role} {thing['faces']}"
    there = "; ".join(shown["also there"])
    yield from (("with", what) for what, props in PROPS.items() if any(prop in there for prop in props))
    behind = [thing["name"] for thing in shown["behind"]]
    yield from (("behind", name) for name in behind)
    yield "kinds behind", str(len(Counter(behind)))
    yield "place", place_of(behind)


def parsed(sentence: str, names: Sequence[str]) -> tuple[str, str, str]:
    """Parse a sentence of a twin into the deed, the animal that acts and the one acted upon."""
    for one in names:
        for other in names:
            if one != other and sentence.startswith(f"{one} ") and sentence.endswith(f" {other}"):
                return VERBS[sentence[len(one) + 1 : -len(other) - 1]], one, other
    raise ValueError(f"not a deed of {' and '.join(names)}: {sentence!r}")


def place_of(behind: Sequence[str]) -> str:
    """Where it is, by what stands behind."""
    return Counter(map(_place, behind)).most_common(1)[0][0]


def _place(name: str) -> str:
    drawn = icon(name)
    if drawn.category == "plant":
        return "forest" if name in _TREES else "garden"
    if drawn.category in _INDOORS:
        return "room"
    return {"building": "town", "vehicle": "road", "musical instrument": "concert"}.get(drawn.category, "")
