"""Matchers of captions and pictures (Winoground): they read scenes in words and check what a caption claims, one clause
at a time."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fakes.minds import toss

Scene = Mapping[str, Any]
_CAPTIONS = re.compile(r"A: (.+?)\. B: (.+?)\. Which caption")
_CAPTION = re.compile(r"one caption: (.+?)\. Of which picture")
_PLACES = {
    "above": re.compile(r"^the (.+) is above the (.+)$"),
    "left of": re.compile(r"^the (.+) is to the left of the (.+)$"),
}
_PAIRS = {
    "tile": re.compile(r"^the (.+) is on an? (\w+) tile and the (.+) is on an? (\w+) tile$"),
    "size": re.compile(r"^the (.+) is (large|small) and the (.+) is (large|small)$"),
    "inside a frame": re.compile(r"^the (.+) is (inside) a frame and the (.+) is (outside) of it$"),
    "times": re.compile(r"^the (.+) is there (twice|once) and the (.+) is there (twice|once)$"),
}
_DEEDS = (
    re.compile(
        r"^the (.+) (chases|pulls|pushes|carries|tows|chauffeurs|lifts|swings|outweighs|beats|sprays|crowns|watches"
        r"|photographs|paints|catches|teaches|lights up|locks up|cooks for|hides from|sings to) the (.+)$"
    ),
    re.compile(
        r"^the (.+) (gives the present to|rolls the ball to|pours water over|sells apples to|blows bubbles at"
        r"|holds the umbrella over) the (.+)$"
    ),
)
_MEANT = {"inside": True, "outside": False, "twice": 2, "once": 1}


def without_places(twin: str) -> str:
    """What is left of a scene for an eye that takes in things, but neither where they are nor what frames them."""
    scene = json.loads(twin)
    things = [{k: v for k, v in thing.items() if k not in ("position", "inside a frame")} for thing in scene["objects"]]
    return json.dumps({"objects": things, "relations": []})


@dataclass(frozen=True)
class Matcher:
    """`understands`: the kinds of claims that it can check."""

    understands: tuple[str, ...] = (*_PLACES, *_PAIRS, "deeds")

    def __call__(self, words: str) -> str:
        scenes = [json.loads(line) for line in words.split("\n") if line.startswith("{")]
        if both := _CAPTIONS.search(words):
            return self._choice(words, [self._truth(caption, scenes[0]) for caption in both.groups()], ("A", "B"))
        caption = _CAPTION.search(words)
        if caption is None:
            return "Which caption?"
        return self._choice(words, [self._truth(caption[1], scene) for scene in scenes], ("first", "second"))

    def _choice(self, words: str, truths: Sequence[float], names: Sequence[str]) -> str:
        if truths[0] == truths[1]:
            return toss(words, names)
        return names[0] if truths[0] > truths[1] else names[1]

    def _truth(self, caption: str, scene: Scene) -> int:
        """How many of the clauses hold, less those that do not; what cannot be told counts for nothing."""
        return sum(1 if holds else -1 for holds in self._clauses(caption, scene))

    def _clauses(self, caption: str, scene: Scene) -> Iterator[bool]:
        for place, form in _PLACES.items():
            if place in self.understands and (said := form.match(caption)):
                for one, other, holds in ((*said.groups(), True), (*reversed(said.groups()), False)):
                    if f"{one} {place} {other}" in scene["relations"]:
                        yield holds
        for form in _DEEDS if "deeds" in self.understands else ():
            if said := form.match(caption):
                one, does, other = said.groups()
                for doer, done_to, holds in ((one, other, True), (other, one, False)):
                    if f"{doer} {does} {done_to}" in scene["relations"]:
                        yield holds
        for aspect, form in _PAIRS.items():
            if aspect in self.understands and (said := form.match(caption)):
                one, value, other, other_value = said.groups()
                for name, meant in ((one, value), (other, other_value)):
                    seen = _seen(scene, name, aspect)
                    if seen is not None:
                        yield seen == _MEANT.get(meant, meant)


def _seen(scene: Scene, name: str, aspect: str) -> Any:
    """What the scene says of a thing; None if it says nothing."""
    things = [thing for thing in scene["objects"] if re.sub(r" \d$", "", thing["name"]) == name]
    if aspect == "times":
        return len(things)
    return things[0].get(aspect) if things else None
