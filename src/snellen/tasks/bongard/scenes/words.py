"""Concepts in plain English."""

from snellen.tasks.bongard.scenes.kinds import BARE, NOUNS
from snellen.tasks.bongard.scenes.language import Concept, Description, part

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_RELATIONS = {"above": "above", "left": "to the left of", "touch": "touching"}
_SHARED = {"tile": "tile colour"}


def words(concept: Concept) -> str:
    """The concept as one would say it."""
    word, what = part(concept)
    match word:
        case "some":
            return _at_least_one(what)
        case "exactly":
            return f"exactly {_counted(*what)}"
        case "least":
            return f"at least {_counted(*what)}"
        case "every":
            return f"everything is {_property(what)}"
        case "same":
            return f"two things {_in_common(what)}"
        case "alike":
            return f"all things {_in_common(what)}"
        case "background":
            return f"a {what} background"
        case "and":
            return f"{words(what[0])}, and {words(what[1])}"
        case "or":
            return f"{words(what[0])}, or {words(what[1])}"
        case "not":
            return _denied(what)
    return f"{_one(what[0])} {_RELATIONS[word]} {_one(what[1])}"


def _denied(concept: Concept) -> str:
    word, what = part(concept)
    if word == "some":
        return f"no {_phrase(what, plural=False)}".replace("no thing ", "nothing ")
    if word == "every":
        return f"not everything is {_property(what)}"
    if word == "same":
        return f"no two things {_in_common(what)}"
    if word in _RELATIONS:
        return f"no {_phrase(what[0], plural=False)} {_RELATIONS[word]} {_one(what[1])}"
    return f"not: {words(concept)}"


def _at_least_one(description: Description) -> str:
    phrase = _phrase(description, plural=False)
    return phrase if _bare(description) else f"at least one {phrase}"


def _bare(description: Description) -> bool:
    return description.get("kind") in BARE


def _one(description: Description) -> str:
    """One such thing: "an animal", "something on a red tile"."""
    if not description.keys() & {"kind", "category", "group", "life", "size", "look"}:
        return f"something{_phrase(description, plural=False).removeprefix('thing')}"
    phrase = _phrase(description, plural=False)
    if _bare(description):
        return phrase
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def _counted(number: int, description: Description) -> str:
    return f"{_NUMBERS[number]} {_phrase(description, plural=number != 1)}"


def _phrase(description: Description, *, plural: bool) -> str:
    """A noun with what goes before and after it: "large animal on a red tile in the top row"."""
    noun = _noun(description, plural=plural)
    before = [description[attribute] for attribute in ("size", "look") if attribute in description]
    return " ".join([*before, noun, *_after(description, plural=plural)])


def _noun(description: Description, *, plural: bool) -> str:
    for attribute in ("kind", "group", "category", "life"):
        if attribute in description:
            noun = description[attribute]
            one, many = NOUNS.get(noun, (noun, f"{noun}s"))
            return many if plural else one
    return "things" if plural else "thing"


def _after(description: Description, *, plural: bool) -> list[str]:
    phrases = []
    if "tile" in description:
        phrases.append(f"on {description['tile']} tiles" if plural else f"on a {description['tile']} tile")
    if description.get("framed") == "yes":
        phrases.append("inside a black frame")
    if description.get("framed") == "no":
        phrases.append("without a frame")
    row, column = description.get("row"), description.get("column")
    if row and column:
        phrases.append("in the centre" if (row, column) == ("middle", "centre") else f"at the {row} {column}")
    elif row:
        phrases.append(f"in the {row} row")
    elif column:
        phrases.append(f"in the {column} column")
    return phrases


def _property(description: Description) -> str:
    """What everything is said to be: "large", "on a red tile", "an animal"."""
    [(attribute, value)] = description.items()
    if attribute in ("size", "look"):
        return value
    return _one(description).removeprefix("something ")


def _in_common(attribute: str) -> str:
    if attribute in ("row", "column"):
        return f"in the same {attribute}"
    return f"of the same {_SHARED.get(attribute, attribute)}"
