"""The pictures of a thing: as it is drawn with any number of parts, without its identity, and its parts alone."""

from dataclasses import dataclass

from snellen.item import Picture
from snellen.rng import stream
from snellen.tasks.bias.draw.things.anonymous import Anonymous
from snellen.tasks.bias.draw.things.inks import DEEP, GROUNDS, PAPERS
from snellen.tasks.bias.draw.things.kind import REACH, Mark, ThingKind, ThingLook
from snellen.tasks.bias.draw.things.page import Box, boxes, mark_boxes, paint, paint_marks
from snellen.tasks.bias.draw.things.scenes import compose

SIZE = 640
_GROUND_WORDS = {
    **{"grass": "grass", "road": "a road", "sand": "sand", "snow": "snow"},
    **{"water": "water", "wood": "wooden boards"},
}


@dataclass(frozen=True, slots=True)
class PartsDrawing:
    """A picture with `count` parts, and the box of every part in pixels."""

    picture: Picture
    count: int
    boxes: tuple[Box, ...]


def look(kind: ThingKind, seed: int, index: int) -> ThingLook:
    """How the thing of this number looks: nothing of it depends on how many parts it will have."""
    dice = stream(seed, "things", kind.name, index, "look")
    scale = dice.between(*kind.scales)
    reach = REACH * (1.06 if kind.turns <= 20 else 1.15)  # what is turned further shows its corners
    free = 486 - reach * scale
    shift = dice.between(-free, free), dice.between(-free, free)
    behind = dice.between(30, 120)  # how far above the feet the ground ends
    return ThingLook(
        name=kind.name,
        seed=seed,
        index=index,
        style=dice.choice(kind.styles),
        paper=dice.choice(kind.papers or tuple(PAPERS)),
        ground=dice.choice(tuple(GROUNDS)) if kind.stands is not None else None,
        horizon=500 + shift[1] + (kind.stands or 0) * scale - behind,
        turn=dice.between(-kind.turns, kind.turns),
        mirrored=kind.mirrors and dice.chance(),
        scale=scale,
        squeeze=dice.between(kind.slimmest, 1),
        shift=shift,
    )


def draw(kind: ThingKind, count: int, look: ThingLook, size: int = SIZE) -> PartsDrawing:
    """The thing with so many parts: its ordinary counterpart is the same with `kind.usual`."""
    if count not in kind.counts:
        raise ValueError(f"{kind.name} can be drawn with {kind.fewest} to {kind.most} {kind.parts}, not {count}")
    scene, look = compose(kind, count, look)
    there = f"is exactly 1 {kind.part}" if count == 1 else f"are exactly {count} {kind.parts}"
    sentences = f"The picture shows {kind.whole} {_backdrop(look)}.", scene.words, f"There {there} {kind.place}."
    twin = " ".join(filter(None, sentences))
    picture = Picture(paint(scene, look, size), alt=kind.whole, twin=twin)
    return PartsDrawing(picture, count, boxes(scene, look, size))


def plain(kind: ThingKind, count: int, look: ThingLook, size: int = SIZE) -> PartsDrawing:
    """The neutral counterpart: as many marks, about as large and as far apart, which are nothing in particular."""
    scene, look = compose(kind, count, look)
    marks = scene.marks
    ink = look.stream("plain").choice(DEEP)
    one, many = shape_words(marks[0])
    there = f"is exactly 1 {one}" if count == 1 else f"are exactly {count} {many}"
    twin = f"There {there} in this picture, {_backdrop(look)}."
    picture = Picture(paint_marks(marks, look, ink, size), alt="marks", twin=twin)
    return PartsDrawing(picture, count, mark_boxes(marks, look, size))


def anonymous(kind: ThingKind, count: int, look: ThingLook, size: int = SIZE) -> PartsDrawing:
    """The drawing with its identity taken away: the same parts at the same places, on a body that is nobody's."""
    scene, look = compose(kind, count, look)
    layers = Anonymous(scene, look, size, kind.bare)
    one, many = kind.bare_part, kind.bare_parts
    there = f"is exactly 1 {one}" if count == 1 else f"are exactly {count} {many}"
    twin = f"The picture shows a shape that is nothing in particular, {_backdrop(look)}. There {there} on it."
    return PartsDrawing(Picture(layers.png(), alt="a shape", twin=twin), count, layers.boxes)


def _backdrop(look: ThingLook) -> str:
    if look.setting:
        where = "before the sky, above" if look.setting.view == "hangs" else "on"
        return f"{where} {_GROUND_WORDS[look.setting.ground]}, with other things around"
    ground = f", above {look.ground} ground" if look.ground else ""
    return f"before a {look.paper} background{ground}"


def shape_words(mark: Mark) -> tuple[str, str]:
    """What a mark of a neutral picture is called: one, several."""
    if mark.hollow:
        return "ring", "rings"
    return ("dot", "dots") if mark.begin == mark.end else ("bar", "bars")
