"""Natural concepts, as the maker knows them: which deeds and places have them, and which to keep away.

A concept is a tuple of words:

    ("deed", "pulls")                      one animal pulls another on a cart
    ("with", "water")                      what several deeds have in common: a tool, or how somebody fares
    ("place", "town")                      what stands behind
    ("actor" | "patient", "elephant")      who does it, or has it done, in a problem of one deed
"""

from collections.abc import Mapping

from snellen.draw.deeds import KINDS

NaturalConcept = tuple[str, ...]

DEEDS: Mapping[str, str] = {
    "chases": "chased",
    "pulls": "pulled",
    "pushes": "pushed",
    "carries": "carried",
    "tows": "towed",
    "lifts": "lifted",
    "swings": "swung",
    "gives": "given a present",
    "rolls": "rolled a ball",
    "sprays": "sprayed",
    "sells": "sold apples",
    "cooks": "cooked for",
    "crowns": "crowned",
    "photographs": "photographed",
    "paints": "painted",
    "catches": "caught",
    "locks up": "locked up",
    "sings": "sung to",
    "teaches": "taught",
}
"""Deeds that a person names at once, and the word for whoever has it done."""

TOOLS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "water": (("tows", "sprays", "pours"), ("bubbles", "shelters")),
    "rope": (("pulls", "tows", "lifts"), ("sprays", "swings")),
    "wheels": (("pulls", "pushes", "chauffeurs"), ("sells",)),
    "food": (("sells", "cooks"), ("teaches", "gives")),
    "lens": (("watches", "photographs"), ("shines", "hides")),
    "prison": (("catches", "locks up"), ()),
    "held up": (
        ("carries", "lifts", "swings"),
        ("outweighs", "tows", "beats", "pulls", "pushes", "chauffeurs", "pours", "rolls", "sings"),
    ),
}
"""By what several deeds share: those deeds, and deeds that some would count among them, which stay away."""
_HOW: Mapping[str, str] = {"pulls": " on a cart", "carries": " on a tray", "lifts": " with a rope"}
"""What tells a deed from others that some would call by its name."""
TOOL_WORDS: Mapping[str, str] = {
    "water": "there is water",
    "rope": "there is a rope",
    "wheels": "an animal rides on wheels",
    "food": "there is food",
    "lens": "an animal looks through a camera or a telescope",
    "prison": "an animal is shut in, in a net or a cage",
    "held up": "an animal is held up, its feet off the ground",
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "forest": ("fir tree", "leafy tree", "palm tree"),
    "garden": ("sunflower", "tulip", "rose", "hibiscus"),
    "town": ("house", "office building", "church", "hospital", "castle"),
    "road": ("car", "bus", "truck", "taxi", "ambulance", "fire engine"),
    "room": ("bed", "sofa", "chair", "bathtub", "television"),
    "concert": ("piano keyboard", "drum", "violin", "trumpet", "guitar", "harp"),
}
PLACE_WORDS: Mapping[str, str] = {
    "forest": "it is in front of trees",
    "garden": "it is in front of flowers",
    "town": "it is in front of buildings",
    "road": "it is in front of vehicles",
    "room": "it is in a room, in front of furniture",
    "concert": "it is in front of musical instruments",
}
WHO = ("elephant", "cat", "penguin", "horse", "rabbit", "duck", "tiger", "turtle", "cow", "flamingo")
"""Animals that a problem may be about: everybody tells them from the others."""
_VERBS = {deed: kind.words or deed for deed, kind in KINDS.items()}

SORTS: Mapping[str, tuple[NaturalConcept, ...]] = {
    "deed": tuple(("deed", deed) for deed in DEEDS),
    "tool": tuple(("with", tool) for tool in TOOLS),
    "place": tuple(("place", place) for place in PLACES),
    "role": tuple((role, name) for name in WHO for role in ("actor", "patient")),
}
"""The sorts of concepts, which are the categories of the problems."""


def words(concept: NaturalConcept, deed: str = "") -> str:
    """The concept as one would say it; of a role with the deed of the problem."""
    word, value = concept
    match word:
        case "with":
            return TOOL_WORDS[value]
        case "place":
            return PLACE_WORDS[value]
        case "deed":
            return f"one animal {_VERBS[value]} another{_HOW.get(value, '')}"
        case "actor":
            return f"the {value} {_VERBS[deed]} the other animal"
    return f"the other animal {_VERBS[deed]} the {value}"
