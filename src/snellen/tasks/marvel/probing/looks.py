"""Questions about what things look like: tones and colours, shapes and lines."""

from collections.abc import Iterator
from itertools import combinations

from snellen.rng import Stream
from snellen.tasks.marvel.draw.figures import FIGURES
from snellen.tasks.marvel.draw.geometry import lies_in
from snellen.tasks.marvel.marks import CELLS
from snellen.tasks.marvel.probing.nouns import Nouns, word_of
from snellen.tasks.marvel.probing.sight import (
    POLYGONS,
    PanelScene,
    PanelThing,
    alike,
    bends,
    crosses_itself,
    ends_apart,
    hugs,
    meets_itself,
)
from snellen.tasks.marvel.probing.texts import Fine, fine, more, number

_LARGE, _WIDE = 40, 14
_SELDOM = 0.05
_OTHER = {"solid": "white", "white": "solid", "grey": "striped", "striped": "grey"}
"""The tone that is wrong. In fixed pairs, so that no tone is a wrong answer more often than a right one."""
_OFTEN = {"circle": 4, "square": 4, "cross": 3, "moon": 2, "heart": 2, "triangle": 2}
_OUTER = ("circle", "square", "circle", "square", "hexagon", "triangle")
TONES = ("black", "white", "grey", "striped")
_GROUPS = (("red", "orange", "brown", "pink"), ("blue", "green", "teal", "purple"))
_TOO_NEAR = ({"pink", "purple"}, {"brown", "green"})
_LETTERS = ("OQCGD", "ILJT", "EFH", "MNWVUZ", "PRB", "XKY", "S", "A")
"""Letters that are easily taken for each other."""


def looks(scene: PanelScene, nouns: Nouns, rng: Stream, colour: bool, cells: bool) -> Iterator[Fine]:
    """Tones, shapes and lines; colours, if the puzzle is drawn in colour."""
    yield from _tones(scene, nouns)
    yield from _grid(scene, rng, cells)
    yield from _shapes(scene, nouns, rng)
    yield from _lines_and_letters(scene, rng)
    if colour:
        yield from _hues(scene, nouns, rng)


def _tones(scene: PanelScene, nouns: Nouns) -> Iterator[Fine]:
    for place, noun in nouns.items():
        thing = scene.things[place]
        named_so = noun in (thing.name, "irregular shape") and noun != "dot"
        if thing.tone and named_so and scene.alone(thing) and not scene.inside(thing):
            yield fine("colour", "tone", word_of(thing), _OTHER[word_of(thing)], noun)
    things = scene.things
    words = {word_of(thing) for thing in things}
    plain = all(thing.tone and thing.closed and scene.alone(thing) and not scene.inside(thing) for thing in things)
    if len(things) > 1 and len(words) == 1 and plain and not scene.scraps:
        yield fine("colour", "tones", words.pop(), _OTHER[word_of(things[0])])


def _hues(scene: PanelScene, nouns: Nouns, rng: Stream) -> Iterator[Fine]:
    for place, noun in nouns.items():
        hue = scene.things[place].mark.get("colour")
        for group, others in (_GROUPS, _GROUPS[::-1]):
            if hue in group:
                far = [other for other in others if {hue, other} not in _TOO_NEAR]
                yield fine("colour", "hue", hue, rng.choice(far), noun, others=far)


def _grid(scene: PanelScene, rng: Stream, every: bool) -> Iterator[Fine]:
    """Cells of the one grid, if nothing lies on it: of every tone the same number, or all of them."""
    if len(scene.things) != 1 or scene.things[0].kind != "grid":
        return
    mark = scene.things[0].mark
    rows = [[_cell_word(sign, "colour" in mark) for sign in row] for row in mark["rows"]]
    words = [word for row in rows for word in row]
    tones = sorted({*words})
    per_tone = min(2, min(words.count(word) for word in tones))
    for word in tones:
        places = [(i, j) for i, row in enumerate(rows, 1) for j, cell in enumerate(row, 1) if cell == word]
        others = [other for other in tones if other != word]
        for i, j in rng.sample(places, len(places) if every else per_tone) if others else ():
            yield fine("colour", "cell", word, rng.choice(others), str(i), str(j), others=others)
        if word != "white":
            yield from number("quantity", "cells", words.count(word), rng, word)
    for tone, other in combinations(tones, 2):
        yield from more(words.count(tone), words.count(other), f"{tone} cells", f"{other} cells")


def _cell_word(sign: str, coloured: bool) -> str:
    return "solid" if coloured and sign == "#" else CELLS[sign]


def _shapes(scene: PanelScene, nouns: Nouns, rng: Stream) -> Iterator[Fine]:
    absent = [name for name in FIGURES if name not in scene.names and scene.sure(name) and not scene.scraps]
    for name in filter(scene.sure, scene.names):
        if absent and name != "dot":
            yield fine("shape", "exists", name, _usual(absent, rng), others=absent)
    for name in _overlapping(scene):
        made_up = POLYGONS if {*scene.names} & POLYGONS else ()
        others = [other for other in _unlike(name) if not any(alike(other, seen) for seen in scene.names)]
        clear = [other for other in others if other not in made_up]
        yield fine("shape", "exists", name, _usual(clear, rng), others=clear)
    if outer := _outermost(scene):
        unlike = [name for name in _OUTER if not alike(name, outer)]
        yield fine("shape", "outer", outer, rng.choice(unlike), others=unlike)
    for place, noun in nouns.items():
        held = scene.inside(scene.things[place])
        if len(held) == 1 and held[0].name in FIGURES and scene.alone(held[0]) and scene.things[place].closed:
            unlike = _unlike(held[0].name)
            yield fine("shape", "within", held[0].name, _usual(unlike, rng), noun, others=unlike)


def _usual(names: list[str], rng: Stream) -> str:
    """One of the names, those that are often right more often: else a rare name would betray itself as right."""
    return rng.choice([name for name in names for _ in range(_OFTEN.get(name, 1))])


def _unlike(name: str) -> list[str]:
    return [other for other in FIGURES if other != name and not alike(name, other)]


def _outermost(scene: PanelScene) -> str:
    """The name of the figure that everything else is drawn in, if there is such a one. Lines may end on it."""
    if len(scene.things) < 2:
        return ""
    outer, *others = scene.things
    if outer.kind != "figure" or outer.size < _LARGE:
        return ""
    held = all(lies_in(thing.box, outer.box, 3 if thing.kind == "line" else -2) for thing in others)
    return outer.name if held and not any(hugs(thing, outer) for thing in others) else ""


def _overlapping(scene: PanelScene) -> list[str]:
    """Names that hold though outlines meet: of two or three see-through figures."""
    figures = all(thing.kind == "figure" and thing.name and thing.see_through for thing in scene.things)
    return list(scene.names) if scene.tangled and figures and len(scene.things) <= 3 and not scene.scraps else []


def _lines_and_letters(scene: PanelScene, rng: Stream) -> Iterator[Fine]:
    things = scene.things
    letters = [thing for thing in things if thing.kind == "letter"]
    if len(letters) == 1 and scene.alone(letters[0]):
        letter = str(letters[0].mark["letter"])
        far = "".join(group for group in _LETTERS if letter not in group)
        yield fine("shape", "letter", letter, rng.choice(far), others=far)
    drawn = [thing for thing in things if thing.kind in ("line", "path")]
    if drawn and len(drawn) == len(things):
        curved = [thing.kind == "path" and bool(thing.mark.get("curved")) for thing in drawn]
        if all(curved) and all(map(bends, drawn)) and not scene.ticks:
            yield fine("shape", "bent", "curved", "straight")
        if not any(curved) and rng.chance(_SELDOM):  # lines are straight much more often than all curved
            yield fine("shape", "bent", "straight", "curved")
    if drawn and len(drawn) == len(things) and not scene.tangled and not scene.scraps:
        yield from _closed(drawn)


def _closed(lines: list[PanelThing]) -> Iterator[Fine]:
    """Whether lines are closed, if all are or none is, as anyone can see."""
    text = "closed" if len(lines) == 1 else "all_closed"
    if any(thing.kind == "path" and crosses_itself(thing) for thing in lines):
        return
    if all(thing.closed and thing.tone == "white" for thing in lines):
        yield fine("shape", text, "closed", "open")
    if all(ends_apart(thing) >= _WIDE and (thing.kind == "line" or not meets_itself(thing)) for thing in lines):
        yield fine("shape", text, "open", "closed")
