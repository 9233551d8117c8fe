"""Questions about the things in a panel: their places, tones, shapes, numbers and sizes."""

from collections.abc import Iterator
from itertools import combinations, permutations

from snellen.draw.figures import FIGURES
from snellen.draw.marks import CELLS
from snellen.rng import Stream
from snellen.tasks.marvel.probing.fine import NUMBERS, Fine
from snellen.tasks.marvel.probing.sight import (
    Scene,
    Thing,
    alike,
    collinear,
    ends_apart,
    hugs,
    length,
    meets_itself,
)
from snellen.tasks.marvel.puzzle import Panel

TEXTS = {
    "half": "Does the {x} lie in the {a} half or in the {b} half of {where}?",
    "beside": "In {where}, is the {x} to the {a} or to the {b} of the {y}?",
    "above": "In {where}, is the {x} {a} or {b} the {y}?",
    "inside": "In {where}, is the {x} {a} or {b} the {y}?",
    "points": "Does the arrow in {where} point {a} or {b}?",
    "tone": "Is the {x} in {where} {a} or {b}?",
    "tones": "Are the shapes in {where} {a} or {b}?",
    "cell": "In the grid of {where}, is row {x}, column {y} {a} or {b}?",
    "hue": "Which colour does the {x} in {where} have, {a} or {b}?",
    "exists": "Which of the two does {where} show, a {a} or a {b}?",
    "outer": "Which shape is around everything else in {where}, a {a} or a {b}?",
    "within": "What lies inside the {x} in {where}, a {a} or a {b}?",
    "letter": "Which letter does {where} show, {a} or {b}?",
    "bent": "Are the lines in {where} {a} or {b}?",
    "closed": "Is the line in {where} {a} or {b}?",
    "count": "How many {x} are there in {where}, {a} or {b}?",
    "count_in": "How many straight lines are there inside the {x} in {where}, {a} or {b}?",
    "cells": "How many cells of the grid in {where} are {x}, {a} or {b}?",
    "more": "Which are there more of in {where}, {a} or {b}?",
    "larger": "Which of the two is larger in {where}, the {a} or the {b}?",
    "size": "Are the two {x} in {where} {a} or {b} in size?",
    "filling": "Are the two {x} in {where} {a} or {b} in tone?",
    "meet": "Do the two {x} in {where} {a} or {b}?",
    "longer": "Which of the two lines in {where} is longer, the {a} or the {b} one?",
}

_MIDDLE, _MARGIN = 90, 8
_GAP = 8
_CLEARLY = 1.5
_MOST = 9
_TONES = ("black", "white", "grey", "striped")
_GROUPS = (("red", "orange", "brown", "pink"), ("blue", "green", "teal", "purple"))
_TOO_NEAR = ({"pink", "purple"}, {"brown", "green"})
_LETTERS = ("OQCGD", "ILJT", "EFH", "MNWVUZ", "PRB", "XKY", "S", "A")
_PLURALS = {"cross": "crosses"}
_POINTS = {0: "up", 90: "to the right", 180: "down", 270: "to the left"}


def _fine(kind: str, text: str, right: str, wrong: str, x: str = "", y: str = "") -> Fine:
    return Fine(kind, TEXTS[text].replace("{x}", x).replace("{y}", y), right, wrong)


def plural(name: str) -> str:
    return _PLURALS.get(name, f"{name}s")


def number(kind: str, text: str, n: int, turn: Stream, x: str = "") -> Iterator[Fine]:
    """A question after a number: the other answer is one more or one less, as chance has it."""
    if 1 <= n <= _MOST:
        yield _fine(kind, text, NUMBERS[n], NUMBERS[n + (1 if turn.chance() else -1)], x)


def questions(panel: Panel, turn: Stream, colour: bool) -> Iterator[Fine]:
    """All there is to ask about a panel."""
    scene = Scene(panel)
    nouns = _nouns(scene)
    for asker in (_halves, _relations):
        yield from asker(scene, nouns)
    for chooser in (_tones, _grid, _shapes, _lines_and_letters, _numbers, _comparisons):
        yield from chooser(scene, nouns, turn)
    if colour:
        yield from _hues(scene, nouns, turn)


Nouns = dict[int, str]
"""What things are called without a doubt which is meant, by their place among the things."""


def _word(thing: Thing) -> str:
    """The tone of a thing in a word that is true in colour, too."""
    return "solid" if thing.tone == "black" and "colour" in thing.mark else thing.tone


def _nouns(scene: Scene) -> Nouns:
    nouns: Nouns = {}
    for name in filter(scene.sure, scene.names):
        same = scene.named(name)
        for thing in same:
            like = [other for other in same if _word(other) == _word(thing)]
            if len(same) == 1:
                nouns[scene.things.index(thing)] = name
            elif len(like) == 1 and not any(map(scene.inside, same)):
                nouns[scene.things.index(thing)] = f"{_word(thing)} {name}"
    for kind, noun in (("grid", "grid"), ("letter", "letter"), ("line", "line"), ("path", "irregular shape")):
        same = [thing for thing in scene.things if thing.kind == kind]
        if len(same) == 1 and scene.alone(same[0]) and (kind != "path" or (same[0].closed and same[0].mark["curved"])):
            nouns[scene.things.index(same[0])] = noun
    return nouns


# Location


def _halves(scene: Scene, nouns: Nouns) -> Iterator[Fine]:
    for place, noun in nouns.items():
        left, top, right, bottom = scene.things[place].box
        for low, high, names in ((left, right, ("left", "right")), (top, bottom, ("upper", "lower"))):
            if high <= _MIDDLE - _MARGIN:
                yield _fine("location", "half", *names, noun)
            elif low >= _MIDDLE + _MARGIN:
                yield _fine("location", "half", *names[::-1], noun)
        if noun == "arrow" and (turned := scene.things[place].mark.get("turn", 0) % 360) in _POINTS:
            yield _fine("location", "points", _POINTS[turned], _POINTS[(turned + 180) % 360])


def _relations(scene: Scene, nouns: Nouns) -> Iterator[Fine]:
    for one, other in permutations(nouns, 2):
        thing, mate = scene.things[one], scene.things[other]
        relation = scene.relation(thing, mate)
        if mate.closed and mate.kind != "grid" and relation in ("inside", "apart"):
            pair = ("inside", "outside") if relation == "inside" else ("outside", "inside")
            yield _fine("location", "inside", *pair, nouns[one], nouns[other])
        if relation == "apart":
            across, down = mate.x - thing.x, mate.y - thing.y
            if abs(across) >= 2 * abs(down) and _gap(thing, mate, 0) >= _GAP:
                pair = ("left", "right") if across > 0 else ("right", "left")
                yield _fine("location", "beside", *pair, nouns[one], nouns[other])
            if abs(down) >= 2 * abs(across) and _gap(thing, mate, 1) >= _GAP:
                pair = ("above", "below") if down > 0 else ("below", "above")
                yield _fine("location", "above", *pair, nouns[one], nouns[other])


def _gap(one: Thing, other: Thing, axis: int) -> float:
    return max(one.box[axis] - other.box[axis + 2], other.box[axis] - one.box[axis + 2])


# Colour


def _other_tone(word: str, turn: Stream) -> str:
    words = [word if tone == "black" and word == "solid" else tone for tone in _TONES]
    return turn.choice([other for other in words if other != word])


def _tones(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    for place, noun in nouns.items():
        thing = scene.things[place]
        if thing.tone and noun in (thing.name, "irregular shape") and noun != "dot" and not scene.inside(thing):
            yield _fine("colour", "tone", _word(thing), _other_tone(_word(thing), turn), noun)
    things = scene.things
    words = {_word(thing) for thing in things}
    plain = all(thing.tone and thing.closed and scene.alone(thing) and not scene.inside(thing) for thing in things)
    if len(things) > 1 and len(words) == 1 and plain and not scene.scraps:
        (word,) = words
        yield _fine("colour", "tones", word, _other_tone(word, turn))


def _hues(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    for place, noun in nouns.items():
        hue = scene.things[place].mark.get("colour")
        for group, others in (_GROUPS, _GROUPS[::-1]):
            if hue in group:
                far = [other for other in others if {hue, other} not in _TOO_NEAR]
                yield _fine("colour", "hue", hue, turn.choice(far), noun)


def _grid(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    """Cells of the one grid, if nothing lies on it."""
    for place in (place for place, noun in nouns.items() if noun == "grid" and len(scene.things) == 1):
        mark = scene.things[place].mark
        rows = [[_cell_word(sign, "colour" in mark) for sign in row] for row in mark["rows"]]
        words = [word for row in rows for word in row]
        for i, row in enumerate(rows, 1):
            for j, word in enumerate(row, 1):
                others = sorted({other for other in words if other != word}) or [_other_tone(word, turn)]
                yield _fine("colour", "cell", word, turn.choice(others), str(i), str(j))
        for word in sorted({*words} - {"white"}):
            yield from number("quantity", "cells", words.count(word), turn, word)
        for one, other in combinations(sorted({*words}), 2):
            yield from _more(words.count(one), words.count(other), f"{one} cells", f"{other} cells")


def _cell_word(sign: str, coloured: bool) -> str:
    return "solid" if coloured and sign == "#" else CELLS[sign]


# Shape


def _shapes(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    absent = [name for name in FIGURES if name not in scene.names and scene.sure(name) and not scene.scraps]
    for name in filter(scene.sure, scene.names):
        if absent and name != "dot":
            yield _fine("shape", "exists", name, turn.choice(absent))
    if outer := _outermost(scene):
        yield _fine("shape", "outer", outer, turn.choice(_unlike(outer)))
    for place, noun in nouns.items():
        held = scene.inside(scene.things[place])
        if len(held) == 1 and held[0].name in FIGURES and scene.alone(held[0]) and scene.things[place].closed:
            yield _fine("shape", "within", held[0].name, turn.choice(_unlike(held[0].name)), noun)


def _unlike(name: str) -> list[str]:
    return [other for other in FIGURES if other != name and not alike(name, other)]


def _outermost(scene: Scene) -> str:
    """The name of the figure that everything else is drawn in, if there is such a one."""
    for thing in scene.things[:1]:
        others = scene.things[1:]
        left, top, right, bottom = thing.box
        room = [
            o.box[0] > left + 2 and o.box[1] > top + 2 and o.box[2] < right - 2 and o.box[3] < bottom - 2
            for o in others
        ]
        if others and all(room) and thing.kind == "figure" and 3 * thing.size >= 120:
            return thing.name
    return ""


def _lines_and_letters(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    things = scene.things
    letters = [thing for thing in things if thing.kind == "letter"]
    if len(letters) == 1 and scene.alone(letters[0]):
        letter = str(letters[0].mark["letter"])
        far = "".join(group for group in _LETTERS if letter not in group)
        yield _fine("shape", "letter", letter, turn.choice(far))
    drawn = [thing for thing in things if thing.kind in ("line", "path")]
    if drawn and len(drawn) == len(things):
        bends = {thing.kind == "path" and bool(thing.mark.get("curved")) for thing in drawn}
        if len(bends) == 1:
            pair = ("curved", "straight") if bends.pop() else ("straight", "curved")
            yield _fine("shape", "bent", *pair)
    if len(things) == 1 and things[0].kind == "path" and not meets_itself(things[0]) and not scene.scraps:
        if things[0].closed:
            yield _fine("shape", "closed", "closed", "open")
        elif ends_apart(things[0]) >= 30:
            yield _fine("shape", "closed", "open", "closed")


# Quantity


def _numbers(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    things = scene.things
    for name in filter(scene.sure, scene.names):
        if not (scene.scraps and name == "dot"):
            yield from number("quantity", "count", scene.names[name], turn, plural(name))
    flat = all(scene.alone(thing) and not scene.inside(thing) for thing in things) and not scene.scraps
    if flat and things and all(thing.kind == "figure" for thing in things):
        yield from number("quantity", "count", len(things), turn, "shapes")
        for tone in _TONES:
            same = [thing for thing in things if thing.tone == tone]
            words = {_word(thing) for thing in same}
            if len(words) == 1 and len(same) < len(things):
                yield from number("quantity", "count", len(same), turn, f"{words.pop()} shapes")
    if flat and things and all(thing.kind == "path" and not meets_itself(thing) for thing in things):
        closed = [thing for thing in things if thing.closed]
        wide = all(ends_apart(thing) >= 30 for thing in things if not thing.closed)
        if wide:
            yield from number("quantity", "count", len(closed), turn, "closed shapes")
            yield from number("quantity", "count", len(things) - len(closed), turn, "open lines")
    yield from _line_numbers(scene, turn)


def _line_numbers(scene: Scene, turn: Stream) -> Iterator[Fine]:
    lines = [thing for thing in scene.things if thing.kind == "line"]
    others = [thing for thing in scene.things if thing.kind != "line"]
    merged = any(collinear(one, other) for one, other in permutations(lines, 2))
    if not lines or merged or scene.scraps:
        return
    if not others:
        yield from number("quantity", "count", len(lines), turn, "straight lines")
    elif len(others) == 1 and others[0].name and others[0].closed and others[0].kind == "figure":
        left, top, right, bottom = others[0].box
        held = [
            t
            for t in lines
            if t.box[0] >= left - 3 and t.box[1] >= top - 3 and t.box[2] <= right + 3 and t.box[3] <= bottom + 3
        ]
        if len(held) == len(lines) and others[0].see_through and not any(hugs(line, others[0]) for line in lines):
            yield from number("quantity", "count_in", len(lines), turn, others[0].name)


# Comparison


def _more(n: int, m: int, one: str, other: str) -> Iterator[Fine]:
    if n != m:
        yield _fine("comparison", "more", *((one, other) if n > m else (other, one)))


def _comparisons(scene: Scene, nouns: Nouns, turn: Stream) -> Iterator[Fine]:
    sure = [name for name in scene.names if scene.sure(name) and scene.names[name] <= _MOST]
    for one, other in combinations(sure, 2):
        yield from _more(scene.names[one], scene.names[other], plural(one), plural(other))
    figures = [place for place in nouns if scene.things[place].kind == "figure"]
    for first, second in combinations(figures, 2):
        sizes = scene.things[first].size, scene.things[second].size
        if max(sizes) >= _CLEARLY * min(sizes):
            pair = (nouns[first], nouns[second])
            yield _fine("comparison", "larger", *(pair if sizes[0] > sizes[1] else pair[::-1]))
    for name in sure:
        if scene.names[name] == 2:
            yield from _two(scene, *scene.named(name))
    if len(scene.things) == 2:
        yield from _meeting(scene, *scene.things)


def _two(scene: Scene, one: Thing, other: Thing) -> Iterator[Fine]:
    """Two figures of a name."""
    low, high = sorted((one.size, other.size))
    if low == high or high >= _CLEARLY * low:
        yield _fine("comparison", "size", *_same_or_not(low == high), plural(one.name))
    if one.name != "dot" and not scene.inside(one) and not scene.inside(other):
        yield _fine("comparison", "filling", *_same_or_not(_word(one) == _word(other)), plural(one.name))


def _same_or_not(same: bool) -> tuple[str, str]:
    return ("equal", "different") if same else ("different", "equal")


def _meeting(scene: Scene, one: Thing, other: Thing) -> Iterator[Fine]:
    """Two lines, or two shapes, and nothing else."""
    relation = scene.relation(one, other)
    kinds = {one.kind, other.kind}
    if relation not in ("apart", "crosses") or kinds not in ({"line"}, {"figure"}):
        return
    word, noun = ("cross", "lines") if kinds == {"line"} else ("overlap", "shapes")
    pair = (word, "stay apart") if relation == "crosses" else ("stay apart", word)
    yield _fine("comparison", "meet", *pair, noun)
    longer, shorter = sorted((one, other), key=length, reverse=True)
    if kinds == {"line"} and relation == "apart" and length(longer) >= _CLEARLY * length(shorter):
        for axis, names in ((0, ("left", "right")), (1, ("upper", "lower"))):
            if _gap(one, other, axis) >= _GAP:
                yield _fine("comparison", "longer", *(names if longer.box[axis] < shorter.box[axis] else names[::-1]))
