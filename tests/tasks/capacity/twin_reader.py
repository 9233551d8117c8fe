"""Reads the words that stand for a picture (its twin), and answers questions by them alone, whatever the sort.

Knows nothing of how pictures are made: who can answer by these words has the same answers as who sees the picture.
"""

import re
from typing import Any

from snellen.tasks.capacity.things import things

Seen = list[dict[str, Any]]
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
COLOURS = ("red", "yellow", "green", "blue", "purple", "pink")
VEHICLES = ("car", "bus", "tractor", "motorcycle", "bicycle", "scooter", "fire engine")
SINGULAR = {one.plural: one.name for one in things()} | {
    **{"chairs": "chair", "stools": "stool", "pictures": "picture"},
}


def seen_in(twin: str) -> Seen:
    """All that the words tell of: a name, a place, and whatever else is said of it."""
    opening, *lines = twin.splitlines()
    found: Seen = []
    for line in lines:
        if line.startswith("- "):
            found.append(_entry(line[2:]))
    frame = re.search(r"(\d+) by (\d+) pixels", opening)
    assert frame
    wide, high = map(int, frame.groups())
    return [one | {"frame": (wide, high)} for one in found]


def _entry(line: str) -> dict[str, Any]:
    one: dict[str, Any] = {"line": line}
    what = re.sub(r"^an? ", "", re.split("[,;]", line)[0])
    if shirt := re.match(r"person in an? (\w+) shirt", what):
        one |= {"name": "person", "shirt": shirt[1]}
    else:
        colour, _, rest = what.partition(" ")
        one |= {"name": rest, "colour": colour} if colour in COLOURS else {"name": what}
    for key, pattern in (
        ("holds", r"holding an? ([a-z ]+)"),
        ("sign", r"its sign showing an? ([a-z ]+)"),
        ("hat", r"with an? ((?!dark)[a-z ]+)"),
        ("size", r"(?:width|walls) (\d+)"),
        ("far", r"([\d.]+) m away"),
    ):
        if told := re.search(pattern, line):
            one[key] = float(told[1]) if key in ("size", "far") else told[1]
    if middle := re.search(r"middle at \((\d+), (\d+)\)", line):
        one |= {"x": int(middle[1]), "y": int(middle[2])}
    return one


def _the(seen: Seen, name: str) -> dict[str, Any]:
    """The one thing that goes by the name: a held one, a house by its colour, or simply a thing."""
    colour, _, rest = name.partition(" ")
    found = [
        one
        for one in seen
        if name in (one["name"], one.get("holds")) or (rest == one["name"] == "house" and one["colour"] == colour)
    ]
    assert len(found) == 1, (name, found)
    return found[0]


def many(seen: Seen, plural: str) -> int:
    if trait := re.fullmatch(r"people in a (\w+) shirt ?(.*)", plural):
        words = {
            **{"": "", "who wave": ", who waves,", "with dark glasses": ", with dark glasses,"},
            **{"with a balloon": ", holding a balloon,", "with an umbrella": ", holding an umbrella,"},
        }[trait[2]]
        return sum(one.get("shirt") == trait[1] and words in one["line"] for one in seen)
    colour, _, rest = plural.partition(" ")
    if colour in COLOURS:
        return sum((one.get("colour"), one["name"]) == (colour, SINGULAR[rest]) for one in seen)
    return sum(one["name"] == SINGULAR[plural] for one in seen)


def answered(question: str, seen: Seen) -> str:
    """The answer in our own words."""

    def matched(pattern: str) -> tuple[str, ...]:
        found = re.fullmatch(pattern, question)
        return found.groups() if found else ()

    if names := matched(r"Is the (.+) to the left or to the right of the (.+)\?"):
        one, other = (_the(seen, name)["x"] for name in names)
        assert abs(one - other) >= 40
        return "left" if one < other else "right"
    if names := matched(r"Is the (.+) above or below the (.+)\?"):
        one, other = (_the(seen, name)["y"] for name in names)
        assert abs(one - other) >= 80
        return "above" if one < other else "below"
    if names := matched(r"Is an? (.+) present or absent\?"):
        return "present" if any(names[0] in (one["name"], one.get("holds")) for one in seen) else "absent"
    if names := matched(r"Is the (.+) larger or smaller than the (.+), as they are drawn\?"):
        one, other = (_the(seen, name)["size"] for name in names)
        assert max(one, other) >= 1.3 * min(one, other)
        return "larger" if one > other else "smaller"
    if names := matched(
        r"Is the (?:person with the )?(.+) nearer or farther than the (?:person with the )?(.+), as seen from here\?"
    ):
        one, other = (_the(seen, name)["far"] for name in names)
        assert abs(one - other) >= 1.4
        return "nearer" if one < other else "farther"
    if names := matched(r"Are there more or fewer (.+) than (.+)\?"):
        one, other = (many(seen, name) for name in names)
        assert abs(one - other) >= 2
        return "more" if one > other else "fewer"
    if names := matched(r"How many (.+) are there\?"):
        return str(many(seen, names[0]))
    if names := matched(r"What colour is the (?:shirt of the person|house) with the (.+?)(?: on its sign)?\?"):
        (found,) = [one for one in seen if names[0] in (one.get("holds"), one.get("sign"))]
        return str(found.get("shirt") or found["colour"])
    if names := matched(r"What colour is (the car that|the shirt of the person who) is furthest to the (left|right)\?"):
        kind = "car" if "car" in names[0] else "person"
        ends = sorted(
            (one for one in seen if one["name"] == kind), key=lambda one: one["x"], reverse=names[1] == "right"
        )
        assert abs(ends[0]["x"] - ends[1]["x"]) >= 30
        return str(ends[0].get("shirt") or ends[0]["colour"])
    if names := matched(r"What colour is the (.+)\?"):
        return str(_the(seen, names[0])["colour"])
    if names := matched(
        r"Which of these two is (?:farther away, across|nearer, on this side of) the road: the (.+) or the (.+)\?"
    ):
        return _beyond(names, seen, far="farther" in question)
    if names := matched(r"Which of these two is (.+): the (.+) or the (.+)\?"):
        (told,) = [name for name in names[1:] if _the(seen, name)["colour"] == names[0]]
        return told
    return _placed(question, seen) or _pointed(question, seen)


def _beyond(names: tuple[str, ...], seen: Seen, *, far: bool) -> str:
    """Of two things the one beyond the road, or before it: what drives is between them."""
    road = [one["y"] for one in seen if one["name"] in VEHICLES]
    by_side = {_the(seen, name)["y"] < min(road): name for name in names}
    assert max(_the(seen, by_side[False])["y"], max(road)) == _the(seen, by_side[False])["y"]
    return by_side[far]


def _pointed(question: str, seen: Seen) -> str:
    """What is in a certain place or with somebody."""
    if names := re.fullmatch(r"What is on the sign of the (.+) house\?", question):
        return str(_the(seen, f"{names[1]} house")["sign"])
    if names := re.fullmatch(r"What does the person with the (.+) hold\?", question):
        (found,) = [one for one in seen if one.get("hat") == names[1]]
        return str(found["holds"])
    if names := re.fullmatch(r"Which of these is furthest to the (left|right) in the picture: the (.+)\?", question):
        some = re.split(r", the | or the ", names[2])
        assert len(some) == 4
        end = {"left": min, "right": max}[names[1]]
        return str(end(some, key=lambda name: _the(seen, name)["x"]))
    assert question == "What is the largest thing in the picture, as it is drawn?"
    return str(max(seen, key=lambda one: one["size"])["name"])


def _placed(question: str, seen: Seen) -> str:
    """Where something is; nothing if that is not asked."""
    if names := re.fullmatch(r"In which (quarter|half) of the picture is the (.+)\?", question):
        one = _the(seen, names[2])
        down, across = (
            ("top", "bottom")[one["y"] > one["frame"][1] / 2],
            ("left", "right")[one["x"] > one["frame"][0] / 2],
        )
        return f"{down} {across}" if names[1] == "quarter" else f"the {across} half"
    if names := re.fullmatch(r"Which house from the left is the (.+) one\?", question):
        houses = sorted((one for one in seen if one["name"] == "house"), key=lambda one: one["x"])
        return f"the {ORDINALS[[one['colour'] for one in houses].index(names[1])]}"
    return ""
