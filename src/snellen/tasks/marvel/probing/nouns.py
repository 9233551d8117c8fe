"""What the things in a panel are called, where there is no doubt which is meant."""

from collections.abc import Iterator

from snellen.tasks.marvel.probing.sight import PanelScene, PanelThing

Nouns = dict[int, str]
"""What they are called, by the place of the thing."""
_SMALL = 12


def word_of(thing: PanelThing) -> str:
    """The tone of a thing in a word that is true in colour, too: what is black in ink may be red there."""
    return "solid" if thing.tone == "black" else thing.tone


def nouns_of(scene: PanelScene) -> Nouns:
    """The things that have a noun of their own."""
    nouns: Nouns = {}
    for name in filter(scene.sure, scene.names):
        same = scene.named(name)
        for thing in same:
            like = [other for other in same if other.tone == thing.tone]
            if len(same) == 1:
                nouns[thing.place] = name
            elif len(like) == 1 and not any(map(scene.inside, same)):
                nouns[thing.place] = f"{word_of(thing)} {name}"
    zigzags = any(thing.kind == "path" and not thing.mark.get("curved") for thing in scene.things)
    for kind, noun in (("grid", "grid"), ("letter", "letter"), ("line", "straight line"), ("path", "irregular shape")):
        same = [thing for thing in scene.things if thing.kind == kind]
        doubtful = (kind == "path" and not all(map(_is_blob, same))) or (kind == "line" and (scene.ticks or zigzags))
        if len(same) == 1 and scene.alone(same[0]) and not doubtful:
            nouns[same[0].place] = noun
    for thing, noun in (*_standing_out(scene), *_small(scene)):
        nouns.setdefault(thing.place, noun)
    return nouns


def _is_blob(thing: PanelThing) -> bool:
    return thing.closed and bool(thing.mark.get("curved"))


def _standing_out(scene: PanelScene) -> Iterator[tuple[PanelThing, str]]:
    """The one black thing among outlines, whatever is tangled around it."""
    black = [thing for thing in scene.things if thing.tone == "black"]
    inked = any(thing.kind == "letter" or "#" in "".join(thing.mark.get("rows", ())) for thing in scene.things)
    if len(black) == 1 and not inked and not scene.specks and scene.bare(black[0]):
        thing = black[0]
        yield thing, thing.name if thing.name == "dot" else f"{word_of(thing)} {thing.name or 'shape'}"


def _small(scene: PanelScene) -> Iterator[tuple[PanelThing, str]]:
    """A small figure beside a tangle of things that are all much larger."""
    for thing in scene.things:
        others = [other for other in scene.things if other is not thing]
        large = all(max(o.box[2] - o.box[0], o.box[3] - o.box[1]) >= 4 * thing.size for o in others)
        lone = scene.names[thing.name] == 1 and not scene.specks and scene.alone(thing)
        if thing.kind == "figure" and thing.name and thing.size <= _SMALL and large and lone:
            yield thing, thing.name if thing.name == "dot" else f"small {thing.name}"
