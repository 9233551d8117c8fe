"""Questions about how many things there are, and how they compare."""

from collections.abc import Iterator
from itertools import combinations, permutations

from snellen.rng import Stream
from snellen.tasks.marvel.draw.geometry import lies_in
from snellen.tasks.marvel.probing.looks import TONES
from snellen.tasks.marvel.probing.nouns import Nouns, word_of
from snellen.tasks.marvel.probing.places import GAP, gap
from snellen.tasks.marvel.probing.sight import (
    PanelScene,
    PanelThing,
    collinear,
    crosses_itself,
    crossings,
    hugs,
    length,
)
from snellen.tasks.marvel.probing.texts import MOST, Fine, fine, more, number, plural, yes_or_no

_SELDOM = 0.2
"""How often what is nearly always so is asked about; else one could tell the answer without looking."""
_CLEARLY = 1.5
"""How many times as large a thing must be to be larger without a doubt."""


def numbers(scene: PanelScene, rng: Stream) -> Iterator[Fine]:
    """How many of a name, of a tone, of lines, and of shapes in all; how often lines cross."""
    for name in filter(scene.sure, scene.names):
        if not (scene.specks and name == "dot"):
            yield from number("quantity", "count", scene.names[name], rng, plural(name))
    yield from _line_numbers(scene, rng)
    yield from _crossings(scene, rng)
    if scene.specks or not all(scene.alone(thing) and not scene.inside(thing) for thing in scene.things):
        return
    whole = [thing for thing in scene.things if thing.closed and thing.tone]
    plain = not any(thing.kind == "path" and crosses_itself(thing) for thing in whole)
    if whole and len(whole) == len(scene.things) and "dot" not in scene.names and plain:
        yield from _shape_numbers(whole, scene.ticks, rng)
    lines = [thing for thing in scene.things if thing.is_open]
    if lines and not scene.ticks and all(thing.is_open or thing.name == "dot" for thing in scene.things):
        yield from number("quantity", "count", len(lines), rng, "separate lines")


def _crossings(scene: PanelScene, rng: Stream) -> Iterator[Fine]:
    """How often two lines cross, if they do it clearly."""
    lines = [thing for thing in scene.things if thing.is_open]
    rest = [thing for thing in scene.things if not thing.is_open]
    if len(lines) == 2 and {*lines[0].mark} != {*lines[1].mark} and all(thing.name == "dot" for thing in rest):
        yield from number("quantity", "crossings", crossings(*lines), rng)


def _shape_numbers(shapes: list[PanelThing], ticks: bool, rng: Stream) -> Iterator[Fine]:
    yield from number("quantity", "count", len(shapes), rng, "closed shapes" if ticks else "shapes")
    for tone in TONES:
        same = [thing for thing in shapes if thing.tone == tone]
        if 0 < len(same) < len(shapes):
            yield from number("quantity", "count", len(same), rng, f"{word_of(same[0])} shapes")


def _line_numbers(scene: PanelScene, rng: Stream) -> Iterator[Fine]:
    lines = [thing for thing in scene.things if thing.kind == "line"]
    others = [thing for thing in scene.things if thing.kind != "line"]
    merged = any(collinear(first, other) for first, other in permutations(lines, 2))
    if not lines or merged or scene.scraps:
        return
    if not others:
        yield from number("quantity", "count", len(lines), rng, "straight lines")
    elif len(others) == 1 and others[0].name and others[0].closed and others[0].kind == "figure":
        held = all(lies_in(line.box, others[0].box) for line in lines)
        if held and others[0].see_through and not any(hugs(line, others[0]) for line in lines):
            yield from number("quantity", "count_in", len(lines), rng, others[0].name)


def comparisons(scene: PanelScene, nouns: Nouns, rng: Stream) -> Iterator[Fine]:
    """Which are more, which is larger or longer, what is the same, what meets."""
    sure = [name for name in scene.names if scene.sure(name) and scene.names[name] <= MOST]
    for name, other in combinations(sure, 2):
        yield from more(scene.names[name], scene.names[other], plural(name), plural(other))
    figures = [place for place in nouns if scene.things[place].kind == "figure"]
    for first, second in combinations(figures, 2):
        sizes = scene.things[first].size, scene.things[second].size
        if max(sizes) >= _CLEARLY * min(sizes):
            pair = (nouns[first], nouns[second])
            yield fine("comparison", "larger", *(pair if sizes[0] > sizes[1] else pair[::-1]))
    for name in sure:
        if scene.names[name] == 2:
            one_of_two, the_other = scene.named(name)
            yield from _two(scene, one_of_two, the_other, rng)
    yield from _more_tones(scene)
    if len(scene.things) == 2 and not scene.ticks:
        yield from _meeting(scene, scene.things[0], scene.things[1], rng)


def _more_tones(scene: PanelScene) -> Iterator[Fine]:
    """Black and white shapes, and nothing else."""
    shapes = [thing for thing in scene.things if thing.closed and thing.tone and scene.alone(thing)]
    words = sorted({word_of(thing) for thing in shapes})
    if len(shapes) == len(scene.things) <= MOST and len(words) == 2 and not scene.scraps and "dot" not in scene.names:
        n, m = (sum(word_of(thing) == word for thing in shapes) for word in words)
        if not any(map(scene.inside, shapes)):
            yield from more(n, m, f"{words[0]} shapes", f"{words[1]} shapes")


def _two(scene: PanelScene, first: PanelThing, other: PanelThing, rng: Stream) -> Iterator[Fine]:
    """Two figures of a name."""
    low, high = sorted((first.size, other.size))
    if high >= _CLEARLY * low or (low == high and rng.chance(_SELDOM)):
        yield fine("comparison", "size", *_same_or_not(low == high), plural(first.name))
    plain = first.name != "dot" and not scene.inside(first) and not scene.inside(other)
    if (
        plain
        and first.mark.get("colour") == other.mark.get("colour")
        and (first.tone != other.tone or rng.chance(_SELDOM))
    ):
        yield fine("comparison", "filling", *_same_or_not(first.tone == other.tone), plural(first.name))


def _same_or_not(same: bool) -> tuple[str, str]:
    return ("equal", "different") if same else ("different", "equal")


def _meeting(scene: PanelScene, first: PanelThing, other: PanelThing, rng: Stream) -> Iterator[Fine]:
    """Two lines, or two shapes, and nothing else."""
    relation = scene.relation(first, other)
    lines, shapes = first.kind == other.kind == "line", bool(first.tone and other.tone) and not scene.specks
    if shapes and relation != "touches":
        yield yes_or_no("location", "contains", "contains_not", relation in ("inside", "around"), rng)
    often = relation == "crosses" or lines or rng.chance(_SELDOM)
    if relation in ("apart", "crosses") and (lines or shapes) and often:
        word, noun = ("cross", "lines") if lines else ("overlap", "shapes")
        pair = (word, "stay apart") if relation == "crosses" else ("stay apart", word)
        yield fine("comparison", "meet", *pair, noun)
    longer, shorter = sorted((first, other), key=length, reverse=True)
    if lines and relation == "apart" and length(longer) >= _CLEARLY * length(shorter):
        for axis, names in ((0, ("left", "right")), (1, ("upper", "lower"))):
            if gap(first, other, axis) >= GAP:
                yield fine("comparison", "longer", *(names if longer.box[axis] < shorter.box[axis] else names[::-1]))
