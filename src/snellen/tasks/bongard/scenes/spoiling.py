"""Near misses: the smallest changes of a scene after which a concept no longer holds.

A near miss differs from a scene that has the concept in one thing: two things change places, tiles, sizes, kinds or the
frame; or one thing becomes another (a dog a wolf rather than a bus), takes another tile or size, or moves. Only changes
of what the concept speaks of are tried, and things come or go only where it counts them.
"""

from collections.abc import Callable, Iterator

from snellen.rng import Stream
from snellen.tasks.bongard.scenes.drafts import DraftThing, SceneDraft, SceneLeaning, new_piece
from snellen.tasks.bongard.scenes.kinds import WORDS, random_kind, relatives, within
from snellen.tasks.bongard.scenes.language import OTHER, RELATIONS, Concept, descriptions, part

TRIES = 24
_ALL = 0.3
"""How often, of a concept about everything, all things are changed alike."""
_NEARNESS = ("group", "group", "category", "category", "life", "life", "")
"""How near a thing's stand-in is to it: of the same group, category, life, or anything."""


def spoiled(draft: SceneDraft, concept: Concept, leaning: SceneLeaning, rng: Stream) -> Iterator[SceneDraft]:
    """Drafts that differ from this one in one small thing that matters to the concept, in random order."""
    matters = _spoilable(concept, leaning)
    for _ in range(TRIES):
        changed = draft.copy()
        change = rng.choice(matters)
        if part(concept)[0] == "every" and rng.chance(_ALL):
            _all_other(changed, change, leaning, rng)
        else:
            _CHANGES[change](changed, leaning, rng)
        yield changed


def _spoilable(concept: Concept, leaning: SceneLeaning) -> list[str]:
    """What may be changed. On a bare stage a thing that the concept is about stays, if it can be spoiled otherwise: all
    pictures have it, so that one sees at once in what they differ."""
    matters = set(_matters(concept))
    kept = matters - {"kind"} if leaning.fillers else matters
    return sorted(kept or matters)


def _matters(concept: Concept) -> Iterator[str]:
    """What the concept speaks of, by the name of the change that touches it."""
    word, what = part(concept)
    if word == "not":
        yield from _matters(what)
        return
    if word == "same":
        yield "kind" if what in WORDS else what
    if word in RELATIONS:
        yield from ("touch", "place") if word == "touch" else ("place",)
    for description in descriptions(concept):
        yield from map(_change_of, description)
        if not description and word not in RELATIONS:
            yield "number"


def _change_of(attribute: str) -> str:
    if attribute in WORDS:
        return "kind"
    return "place" if attribute in ("row", "column") else attribute


def _kind(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    """A stand-in for one thing, or two things change kinds."""
    if rng.chance(0.3):
        _swapped(draft, "kind", rng)
        return
    piece = rng.choice(draft.pieces)
    level = rng.choice(_NEARNESS)
    near = within(relatives(piece.kind, level), leaning.pool) if level else ()
    if rng.chance(0.25) and leaning.near:  # into the concept rather than out of it
        near = leaning.near
    piece.kind = random_kind(rng, near or leaning.pool)


def _tile(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    if rng.chance():
        _swapped(draft, "tile", rng)
    else:
        rng.choice(draft.pieces).tile = rng.choice(leaning.palette)


def _size(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    if rng.chance():
        _swapped(draft, "size", rng)
    else:
        piece = rng.choice(draft.pieces)
        piece.size = OTHER[piece.size]


def _framed(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    """The frame goes to another thing."""
    _swapped(draft, "framed", rng)


def _place(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    if rng.chance():
        _swapped(draft, "cell", rng)
    else:
        rng.choice(draft.pieces).cell = rng.choice(draft.free())


def _touch(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    """Other neighbours are pushed together, or none."""
    draft.touching = rng.choice([*draft.neighbours(), None])


def _number(draft: SceneDraft, leaning: SceneLeaning, rng: Stream) -> None:
    if rng.chance():
        draft.pieces.append(new_piece(rng, draft, leaning))
    else:
        draft.pieces.pop(rng.below(len(draft.pieces)))


def _all_other(draft: SceneDraft, attribute: str, leaning: SceneLeaning, rng: Stream) -> None:
    """All things take one other tile or size: that they are alike is not what everything was about."""
    value = rng.choice(leaning.palette if attribute == "tile" else leaning.sizes)
    for piece in draft.pieces:
        setattr(piece, attribute, value)


def _swapped(draft: SceneDraft, attribute: str, rng: Stream) -> None:
    one, other = _two(draft, rng)
    value, others_value = getattr(one, attribute), getattr(other, attribute)
    setattr(one, attribute, others_value)
    setattr(other, attribute, value)


def _two(draft: SceneDraft, rng: Stream) -> list[DraftThing]:
    return rng.sample(draft.pieces, 2)


_CHANGES: dict[str, Callable[[SceneDraft, SceneLeaning, Stream], None]] = {
    "kind": _kind,
    "tile": _tile,
    "size": _size,
    "framed": _framed,
    "place": _place,
    "touch": _touch,
    "number": _number,
}
