"""What a drawing is like: which way it faces or runs, which symmetries it has, of which lines it is made."""

from collections.abc import Iterator

from snellen.tasks.marvel.probing.measured.seen import MeasuredDrawing
from snellen.tasks.marvel.probing.texts import Fine
from snellen.tasks.marvel.solve.character import bundles, closed, convex, curved, reach, run
from snellen.tasks.marvel.solve.ink import InkDrawing, regions
from snellen.tasks.marvel.solve.pairs import images
from snellen.tasks.marvel.solve.symmetry import symmetry
from snellen.tasks.marvel.solve.things import SolverThing

_WAYS = (
    *("up", "to the upper right", "to the right", "to the lower right"),
    *("down", "to the lower left", "to the left", "to the upper left"),
)
_FACING = {
    "arrow": ("tip of the arrow", 0),
    "drop": ("pointed end of the drop", 0),
    "heart": ("point of the heart", 180),
    "moon": ("hollow side of the moon", 90),
}
"""What of a figure shows its direction, and which way it faces at turn 0, clockwise from the top."""
_RUNS = ("side to side", "falling to the right", "up and down", "rising to the right")
_AXES = ("level", "falling to the right", "upright", "rising to the right")
_IMAGES = {
    "shifted": "only shifted",
    "turned by half": "turned upside down",
    "left and right exchanged": "mirrored left to right",
    "top and bottom exchanged": "mirrored top to bottom",
    "turned right": "turned by a quarter",
    "turned left": "turned by a quarter",
}
_STRAIGHT = 8.0


def forms(look: MeasuredDrawing) -> Iterator[Fine]:
    panel = look.things
    for thing in panel:
        yield from _facing(look, thing)
    yield from _running(look)
    if len(panel) == 2 and all(map(closed, panel)):
        yield from _image(look, panel[0], panel[1])
        yield from _nested(look)
    yield from _symmetries(look)
    yield from _lines(look)
    outline = max(panel, key=reach)
    if len(panel) == 1:
        words = ("open", "closed")
        yield look.ask("shape", "closed", words[closed(outline)], words)
    bulging = convex(outline) if len(panel) == 1 else None
    if bulging is not None:
        words = ("dented somewhere", "bulging outwards everywhere")
        yield look.ask("shape", "dent", words[bulging], words)
    if len(panel) == 2 and sum(map(closed, panel)) == 1 and regions(InkDrawing(panel)).areas == 2:
        words = ("unequal", "equal")
        yield look.ask("comparison", "pieces", words[regions(InkDrawing(panel)).equal], words)


def _facing(look: MeasuredDrawing, thing: SolverThing) -> Iterator[Fine]:
    same = [other for other in look.things if other.kind == thing.kind]
    if thing.shape in _FACING and len(same) == 1:
        what, start = _FACING[thing.shape]
        turn = (thing.mark.get("turn", 0) + start) % 360
        if turn % 45 == 0:
            way = _WAYS[turn // 45]
            yield look.ask("location", "faces_way", way, _WAYS, what)


def _running(look: MeasuredDrawing) -> Iterator[Fine]:
    """How lines run that all run the same way."""
    angles = [angle for thing in look.things if (angle := run(thing)) is not None]
    outlines = [thing for thing in look.things if closed(thing)]
    if not angles or len(outlines) > 1:
        return
    eighths = {round(angle / 45) % 4 for angle in angles}
    if len(eighths) == 1 and all(abs((angle + 22.5) % 45 - 22.5) < _STRAIGHT for angle in angles):
        way = _RUNS[eighths.pop()]
        text = "cut_runs" if outlines else "lines_run"
        yield look.ask("location", text, way, _RUNS)
    elif len(both := sorted(bundles(look.things), key=lambda bundle: bundle.x)) == 2:
        for word, bundle in zip(("left", "right"), both, strict=True):
            way = _RUNS[round(bundle.turn / 45) % 4]
            yield look.ask("location", "bundle_runs", way, _RUNS, word)


def _image(look: MeasuredDrawing, first: SolverThing, second: SolverThing) -> Iterator[Fine]:
    """What makes one of two figures look like the other, if only one thing does."""
    moves = {_IMAGES[move] for move in images(first, second) if move in _IMAGES}
    if len(moves) == 1:
        yield look.ask("comparison", "image", moves.pop(), _IMAGES.values())


def _nested(look: MeasuredDrawing) -> Iterator[Fine]:
    outer, inner = sorted(look.things, key=lambda thing: -reach(thing))
    if reach(outer) > 1.5 * reach(inner):
        for word, thing in (("outer", outer), ("inner", inner)):
            if (line := curved(thing)) is not None:
                yield look.ask("shape", "drawn_with", line, ("curved", "straight"), word)


def _symmetries(look: MeasuredDrawing) -> Iterator[Fine]:
    if any(thing.fill == "striped" or thing.shape == "letter" for thing in look.things):
        return
    axes, turns = symmetry(look.things)
    if 1 <= len(axes) <= 6:
        yield from look.count("axes", len(axes), True)
    if len(axes) == 1 and abs((axes[0] + 22.5) % 45 - 22.5) < _STRAIGHT:
        yield look.ask("comparison", "axis_runs", _AXES[round(axes[0] / 45) % 4], _AXES)
    for text, words, holds in (
        ("half_turn", ("different", "the same"), turns % 2 == 0),
        ("has_axis", ("has none", "has an axis of symmetry"), bool(axes)),
    ):
        yield look.ask("comparison", text, words[holds], words)


def _lines(look: MeasuredDrawing) -> Iterator[Fine]:
    kinds = {curved(thing) for thing in look.things}
    words = {("straight",): "all straight", ("curved",): "all curved", ("curved", "straight"): "of both kinds"}
    if None not in kinds:
        right = words[tuple(sorted(map(str, kinds)))]
        yield look.ask("shape", "lines_of", right, words.values())
