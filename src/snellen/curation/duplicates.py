"""Items that duplicate another: the same words and key over the same pictures, to the byte or to the eye.

Two items whose words or keys differ are never duplicates, however like their pictures are: many questions may be asked
about one picture. Nor are two items whose twins differ, unless their pictures are the same bytes: a twin says in exact
words what is in the pictures, so different twins prove different content.

What is left is compared by eye (`tasks/prints.py`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.item import Picture, Stimulus, content_digest
from snellen.tasks.prints import MOST_BITS, MOST_SHADE, PictureFingerprint, shade_between


@dataclass(frozen=True, slots=True)
class ItemFace:
    """Digests of what a subject sees of an item: words and key, pictures, twins."""

    id: str
    words: str
    pictures: tuple[str, ...]
    twin: str


def face_of(stimulus: Stimulus) -> ItemFace:
    """The digests of an item under one condition."""
    digests = tuple(picture.digest for picture in _pictures(stimulus))
    return ItemFace(stimulus.item.id, content_digest(*_words(stimulus)), digests, content_digest(*_twins(stimulus)))


def whole(faces: Sequence[ItemFace]) -> ItemFace:
    """The digests of an item under all its conditions."""
    return ItemFace(
        faces[0].id,
        content_digest(*(face.words for face in faces)),
        tuple(digest for face in faces for digest in face.pictures),
        content_digest(*(face.twin for face in faces)),
    )


def _words(stimulus: Stimulus) -> Iterable[str]:
    """Everything but the pictures; a picture leaves a mark where it stands."""
    item, question = stimulus.item, stimulus.question
    parts = (*stimulus.demonstrations, *stimulus.parts)
    texts = ("" if isinstance(part, Picture) else _plain(part) for part in parts)
    return (item.task, item.levels.get("kind", ""), *texts, _plain(question.text), question.key, *sorted(question.also))


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())


def _pictures(stimulus: Stimulus) -> Iterable[Picture]:
    return (part for part in (*stimulus.demonstrations, *stimulus.parts) if isinstance(part, Picture))


def _twins(stimulus: Stimulus) -> Iterable[str]:
    return (stimulus.twin, *(picture.twin for picture in _pictures(stimulus)))


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An item that comes a second time: which one it repeats, and whether to the byte."""

    of: str
    exact: bool


def duplicates(
    faces: Sequence[ItemFace], prints_of: Callable[[frozenset[str]], Mapping[str, PictureFingerprint]]
) -> dict[str, Duplicate]:
    """The items that duplicate an earlier one, by id; the earlier one is none itself.

    `prints_of` gives the prints of the pictures of these digests; only pictures that have to be compared are asked for.
    """
    copies: dict[str, Duplicate] = {}
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    alike: dict[tuple[str, str, int], list[ItemFace]] = {}
    for face in faces:
        earlier = first.setdefault((face.words, face.pictures), face.id)
        if earlier != face.id:
            copies[face.id] = Duplicate(earlier, exact=True)
        elif face.pictures:
            alike.setdefault((face.words, face.twin, len(face.pictures)), []).append(face)
    crowds = [crowd for crowd in alike.values() if len(crowd) > 1]
    prints = prints_of(frozenset(digest for crowd in crowds for face in crowd for digest in face.pictures))
    near = {copy: of for crowd in crowds for copy, of in _near(crowd, prints)}
    exact = {copy: Duplicate(near.get(duplicate.of, duplicate.of), exact=True) for copy, duplicate in copies.items()}
    return {**exact, **{copy: Duplicate(of, exact=False) for copy, of in near.items()}}


def _near(crowd: Sequence[ItemFace], prints: Mapping[str, PictureFingerprint]) -> Iterable[tuple[str, str]]:
    """Pairs of an item and the earlier one of the crowd that looks the same, picture by picture."""
    hashes = np.array([[prints[digest].hash for digest in face.pictures] for face in crowd])
    stays = np.ones(len(crowd), dtype=bool)
    for place, face in enumerate(crowd):
        bits = np.bitwise_count(hashes[:place] ^ hashes[place]).sum(axis=2).max(axis=1, initial=0)
        for earlier in np.flatnonzero(stays[:place] & (bits <= MOST_BITS)).tolist():
            if _look_the_same(face, crowd[earlier], prints):
                stays[place] = False
                yield face.id, crowd[earlier].id
                break


def _look_the_same(one: ItemFace, other: ItemFace, prints: Mapping[str, PictureFingerprint]) -> bool:
    return all(
        shade_between(prints[first], prints[second]) <= MOST_SHADE
        for first, second in zip(one.pictures, other.pictures, strict=True)
    )
