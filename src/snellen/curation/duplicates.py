"""Items that duplicate another: the same words and key over the same pictures, to the byte or to the eye.

Two items whose words or keys differ are never duplicates, however like their pictures are: many questions may be asked
about one picture. Nor are two items whose twins differ, unless their pictures are the same bytes: a twin says in exact
words what is in the pictures, so different twins prove different content.

What is left is compared by eye. A picture's **print** is a difference hash (is a cell darker than the one to its left?
16 x 16 cells), by which likely pairs are found fast, and a thumbnail of 64 x 64 cells, by which they are confirmed: two
digits that change places in a maze leave the hash as it was, but not the thumbnail. The limits below were measured on
the capacity tasks: pictures saved anew as JPEG or WebP, or in another size, differ by up to 4 bits and 20 shades; the
least changes that make another item (one digit, one piece, one unit in a chart) by 0 bits, but at least 43 shades.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from snellen.errors import UserError
from snellen.item import Picture, Stimulus, content_digest

HASH_CELLS = 16
MOST_BITS = 8
"""So many bits of the hash may differ."""
THUMBNAIL_CELLS = 64
MOST_SHADE = 28
"""So much of 255 may any cell of the thumbnail differ in any colour."""
_STEP = 4
"""Cells that differ less are alike in the hash: what saving anew does to a plain ground must not show."""


@dataclass(frozen=True, slots=True)
class ItemFace:
    """An item as a subject meets it: the words and the key, the pictures, the twins, each by a digest."""

    id: str
    words: str
    pictures: tuple[str, ...]
    twin: str


def face_of(stimulus: Stimulus) -> ItemFace:
    """The face of an item under one condition."""
    digests = tuple(picture.digest for picture in _pictures(stimulus))
    return ItemFace(stimulus.item.id, content_digest(*_words(stimulus)), digests, content_digest(*_twins(stimulus)))


def whole(faces: Sequence[ItemFace]) -> ItemFace:
    """The face of an item under all its conditions."""
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
class PictureFingerprint:
    """What a picture looks like, in little."""

    hash: NDArray[np.uint8]
    thumbnail: NDArray[np.uint8]


def print_of(picture: Picture, whose: str) -> PictureFingerprint:
    """The print of a picture; `whose` names it in the error if it cannot be decoded."""
    try:
        with Image.open(BytesIO(picture.data)) as image:
            pixels = np.asarray(_on_white(image))
    except Exception as error:  # Pillow's decoders raise all sorts on the bodies of broken pictures
        raise UserError(f"{whose}: a picture cannot be decoded ({error}); make the folder anew") from None
    thumbnail = _cells(pixels, THUMBNAIL_CELLS, THUMBNAIL_CELLS)
    grey = _cells(thumbnail, HASH_CELLS, HASH_CELLS + 1) @ np.array([77, 150, 29]) >> 8
    falls = grey[:, :-1] - grey[:, 1:] > _STEP
    return PictureFingerprint(np.packbits(falls), thumbnail.astype(np.uint8))


def _on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")


def _cells(pixels: NDArray[np.integer[Any]], rows: int, columns: int) -> NDArray[np.int64]:
    """The mean colour of each cell of a grid over the picture, rounded down: whole numbers, the same everywhere."""
    sums = _sums(_sums(pixels, rows).swapaxes(0, 1), columns).swapaxes(0, 1)
    means: NDArray[np.int64] = sums // (pixels.shape[0] * pixels.shape[1])
    return means


def _sums(lines: NDArray[np.integer[Any]], cells: int) -> NDArray[np.int64]:
    """The lines summed up into so many cells of equal height, times that number: a line that lies in two cells counts
    in each by its share, so that a picture in another size has the same cells."""
    before = np.zeros((len(lines) + 1, *lines.shape[1:]), np.int64)
    np.cumsum(lines, axis=0, out=before[1:])
    line, share = np.divmod(np.arange(cells + 1) * len(lines), cells)
    following = np.append(lines, lines[-1:], axis=0)[line]
    sums: NDArray[np.int64] = np.diff(before[line] * cells + following * share[:, None, None], axis=0)
    return sums


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
    exact = {copy: Duplicate(near.get(one.of, one.of), exact=True) for copy, one in copies.items()}
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
        _shade(prints[first], prints[second]) <= MOST_SHADE
        for first, second in zip(one.pictures, other.pictures, strict=True)
    )


def _shade(one: PictureFingerprint, other: PictureFingerprint) -> int:
    return int(np.abs(one.thumbnail.astype(np.int16) - other.thumbnail).max())
