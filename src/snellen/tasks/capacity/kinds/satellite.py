"""Satellite matching: a map of a town with a landmark and seven candidates; at which two were two photos taken?

Every town is generated; its map and its photos are views of one model under one sun. Small views from all candidates
are compared, to prove that each photo fits one of them only.
"""

from collections.abc import Mapping

from snellen.item import Field, Form, Picture
from snellen.rng import Stream
from snellen.tasks.capacity import town as towns
from snellen.tasks.capacity.draw.space.solids import Spot
from snellen.tasks.capacity.kind import CapacityKind, KindQuestion, Truth
from snellen.tasks.capacity.kinds import satellite_making as making
from snellen.tasks.capacity.kinds.satellite_places import LETTERS, mistakes
from snellen.tasks.capacity.kinds.satellite_views import chart, distance, photo, stage
from snellen.tasks.capacity.kinds.satellite_words import twin

PHOTOS = ("photo 1", "photo 2")


def make(rng: Stream, size: str, index: int) -> Truth:
    made = making.make(rng, index)
    return {"size": size, **making.written(rng, made, index)}


def places(truth: Truth) -> dict[str, Spot]:
    return {letter: (x, y) for letter, (x, y) in sorted(truth["candidates"].items())}


def key(truth: Truth) -> dict[str, str]:
    """The letter of each photo."""
    return {name: taken["at"] for name, taken in zip(PHOTOS, truth["photos"], strict=True)}


def show(truth: Truth) -> tuple[Picture, ...]:
    ready, spots = stage(towns.read(truth["town"])), places(truth)
    views = [photo(ready, spots[taken["at"]], taken["aside"]) for taken in truth["photos"]]
    pictures = [Picture(chart(ready, spots), alt="Map of a small town with seven lettered places")]
    return (
        *pictures,
        *(Picture(view.png(), alt=f"A view in the town, {n}") for n, view in zip(PHOTOS, views, strict=True)),
    )


def ask(truth: Truth) -> KindQuestion:
    form = Form("fields", fields=tuple(Field(name, "label", tuple(LETTERS)) for name in PHOTOS))
    right, front = key(truth), truth["town"]["turn"]
    named = {f"{name}={letter}": mechanism for name, letter, mechanism in mistakes(places(truth), right, front)}
    answer = "; ".join(f"{name}: {letter}" for name, letter in right.items())
    return KindQuestion(form, answer, {"landmark": truth["town"]["landmark"]}, named, twin=twin(truth))


def observe(truth: Truth) -> Mapping[str, str | int | float]:
    spots = places(truth)
    ways = {letter: distance(spot) for letter, spot in spots.items()}
    return {
        "landmark": truth["town"]["landmark"],
        "nearest": min(ways, key=lambda letter: ways[letter]),
        "farthest": max(ways, key=lambda letter: ways[letter]),
        "northernmost": max(spots, key=lambda letter: spots[letter][1]),
        "westernmost": min(spots, key=lambda letter: spots[letter][0]),
        "buildings": len(truth["town"]["buildings"]),
    }


KIND = CapacityKind(
    "satellite",
    101,
    make,
    show,
    ask,
    captions=("satellite_map", "satellite_photo_1", "satellite_photo_2"),
    observe=observe,
)
