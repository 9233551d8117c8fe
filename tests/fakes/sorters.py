"""Sorters of pictures (Bongard problems): they find a rule in examples, and apply a rule to a query.

A test teaches them what rules mean (by the exact words of a picture: does it fit?). Finding is either taught, too, or
done by a learner of their own, who tries simple features and knows no others.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fakes.minds import toss

SIDES = ("positive", "negative")
_RULE = re.compile(r"The rule: (.+)")
_SHOWN = re.compile(r"^(Positive|Negative|Query)(?: \d+)?:\n\n(.+)$", re.MULTILINE)
_DESCRIBE = "List everything that is visible"
NOTHING = "{}"
"""What is said of a picture by someone who cannot make it out."""


@dataclass(frozen=True)
class Examples:
    positive: tuple[str, ...]
    negative: tuple[str, ...]


Finder = Callable[[Examples, str], bool | None]
"""From examples and a query to whether it belongs with the positives; None if there is no telling."""
Applier = Callable[[str, str], bool | None]
"""From a rule and a query to whether it fits."""


@dataclass(frozen=True)
class Sorter:
    """`says`: what it says of a picture when it is asked to describe one."""

    finds: Finder
    applies: Applier
    says: Callable[[str], str] = str

    def __call__(self, words: str) -> str:
        if _DESCRIBE in words:
            return self.says(words.split("\n\n")[0])
        shown = _SHOWN.findall(words)
        query = next(picture for name, picture in shown if name == "Query")
        rule = _RULE.search(words)
        if rule:
            fits = self.applies(rule[1].strip(), query)
        else:
            sides = [tuple(picture for name, picture in shown if name == side) for side in ("Positive", "Negative")]
            fits = self.finds(Examples(*sides), query)
        answer = toss(words, SIDES) if fits is None else SIDES[not fits]
        return f"Rule: what they have in common.\nAnswer: {answer}"


@dataclass(frozen=True)
class Teaching:
    """What pictures in exact words fit which rules, as a test prepares it from the truth."""

    fits: Mapping[tuple[str, str], bool]
    rules: Mapping[str, str]
    """The rule that the positive examples of a problem stand for, by each of them."""

    def applies(self, rule: str, query: str) -> bool | None:
        return self.fits.get((rule, query))

    def found(self, examples: Examples) -> str | None:
        """Whoever makes out two of the positives knows the rule."""
        rules = [self.rules[picture] for picture in examples.positive if picture in self.rules]
        return rules[0] if len(rules) > 1 else None

    def finds(self, examples: Examples, query: str) -> bool | None:
        return finding(self, self.applies)(examples, query)


def finding(taught: Teaching, applies: Applier) -> Finder:
    """Finds the rule as it was taught, and applies it in a way of its own."""

    def finds(examples: Examples, query: str) -> bool | None:
        rule = taught.found(examples)
        return None if rule is None else applies(rule, query)

    return finds


def learner(examples: Examples, query: str) -> bool | None:
    """Tries simple features, one at a time: what is there, of what kind, in what colour, how many. No relations, no
    two features at once, no either-or, no "everything"."""
    positive, negative = ([set(_features(words)) for words in side] for side in (examples.positive, examples.negative))
    there = set.intersection(*positive).difference(*negative)
    lacking = set.intersection(*negative).difference(*positive)
    seen = set(_features(query))
    votes = [feature in seen for feature in there] + [feature not in seen for feature in lacking]
    if not votes or 2 * sum(votes) == len(votes):
        return None
    return 2 * sum(votes) > len(votes)


def _features(words: str) -> Iterator[str]:
    scene = json.loads(words)
    things: Sequence[Mapping[str, Any]] = scene.get("objects", scene.get("shapes", ()))
    yield f"{len(things)} things"
    for thing in things:
        for name, value in thing.items():
            if isinstance(value, str | bool):
                yield f"{name}: {re.sub(r' [0-9]+$', '', str(value))}"
