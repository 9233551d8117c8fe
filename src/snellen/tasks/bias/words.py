"""What a published question counts, read from its words, so that it can be asked in others."""

import re
from dataclasses import dataclass

_HOW_MANY = re.compile(r"How many (?P<units>.+?) (?:are there (?P<where>[^?]+)|(?:does|do) (?P<whole>[^?]+) have)\?")
_COUNT = re.compile(r"Count the (?P<units>.+?) (?P<where>(?:of|on|in) [^.?]+)[.?]")


@dataclass(frozen=True, slots=True)
class CountedParts:
    """What is counted: several and one of them, and where."""

    units: str
    unit: str
    where: str


def counted(prompt: str) -> CountedParts | None:
    """What a counting question asks for, in its own words; None if it cannot be told, or is no question of counting."""
    match = _HOW_MANY.match(prompt) or _COUNT.match(prompt)
    if match is None or not match["units"].endswith("s"):
        return None
    return CountedParts(match["units"], match["units"].removesuffix("s"), match["where"] or f"of {match['whole']}")
