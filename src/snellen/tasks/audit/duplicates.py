"""Rows that show a model the same a second time: same words, same options, same pictures, exactly or nearly.

Texts are the same up to case, blanks, punctuation and how numbers are written; pictures, if they look the same: saved
anew, in another size, cropped a little (`tasks/prints.py`), or with a few pixels changed. Where there is a twin it has
to be the same, too: it says what is in the pictures. Copies whose keys differ **conflict**; copies in several splits
let a model be tested on what it was trained on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO

import numpy as np
from PIL import Image

from snellen.item import Picture
from snellen.tasks.audit.observer import Observation
from snellen.tasks.audit.report import CopiedRow
from snellen.tasks.audit.wording import plain
from snellen.tasks.prints import (
    CROP_BITS,
    MOST_BITS,
    MOST_SHADE,
    THUMBNAIL_CELLS,
    PictureFingerprint,
    bits_between,
    is_cropped,
    print_of,
    shade_between,
)

FEW_PIXELS = 4
"""So many pixels may be changed."""

Copies = dict[int, tuple[int, bool]]
"""By the place of a row: which earlier row it repeats, and whether exactly."""
Shown = tuple[str, tuple[str, ...], str]


def copies_among(rows: Sequence[Observation]) -> Copies:
    """The rows that repeat an earlier one, which is none itself. An item asked again is no copy of itself."""
    copies: Copies = {}
    crowds: dict[tuple[Shown, int], list[int]] = {}
    first: dict[tuple[Shown, tuple[str, ...]], int] = {}
    for place, row in enumerate(rows):
        if not row.words and not row.pictures:
            continue
        shown = (plain(row.words), tuple(sorted(map(plain, row.options))), plain(row.twin))
        earlier = first.setdefault((shown, tuple(picture.digest for picture in row.pictures)), place)
        if rows[earlier].name != row.name:
            copies[place] = (earlier, _as_written(row) == _as_written(rows[earlier]))
        elif earlier == place and row.pictures:
            crowds.setdefault((shown, len(row.pictures)), []).append(place)
    for crowd in crowds.values():
        copies |= {later: (earlier, False) for later, earlier in _near(rows, crowd)}
    return {place: (copies.get(earlier, (earlier,))[0], exact) for place, (earlier, exact) in sorted(copies.items())}


def _as_written(row: Observation) -> tuple[str, tuple[str, ...], str]:
    return row.words, row.options, row.twin


def _near(rows: Sequence[Observation], crowd: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Pairs of a row and an earlier one of the crowd whose pictures look the same, one by one."""
    if len({rows[place].name for place in crowd}) < 2:
        return
    prints = [[print_of(picture, rows[place].name) for picture in rows[place].pictures] for place in crowd]
    hashes = np.array([[fingerprint.hash for fingerprint in row] for row in prints])
    stays = np.ones(len(crowd), np.bool_)
    for later in range(1, len(crowd)):
        bits = bits_between(hashes[:later], hashes[later]).max(axis=1)
        bits[~stays[:later]] = CROP_BITS + 1
        order = np.argsort(bits, kind="stable").tolist()
        # Crops are compared with the nearest only: trying them on takes time, and families of drawings are all near.
        near = [earlier for earlier in order if bits[earlier] <= MOST_BITS]
        tried = {*near, *(order[:1] if bits[order[0]] <= CROP_BITS else ())}
        for earlier in sorted(tried, key=order.index):
            pictures = rows[crowd[earlier]].pictures, rows[crowd[later]].pictures
            pairs = zip(*pictures, prints[earlier], prints[later], strict=True)
            if all(_look_the_same(*pair, cropped=earlier == order[0]) for pair in pairs):
                stays[later] = False
                yield crowd[later], crowd[earlier]
                break


def _look_the_same(
    one: Picture, other: Picture, first: PictureFingerprint, second: PictureFingerprint, *, cropped: bool
) -> bool:
    if shade_between(first, second) <= MOST_SHADE:
        return True
    cells = (np.abs(first.thumbnail.astype(np.int16) - second.thumbnail).max(axis=2) > MOST_SHADE).sum()
    if cells <= THUMBNAIL_CELLS and _few_pixels_differ(one, other):
        return True
    return cropped and is_cropped(first, second)


def _few_pixels_differ(one: Picture, other: Picture) -> bool:
    with Image.open(BytesIO(one.data)) as first, Image.open(BytesIO(other.data)) as second:
        if first.size != second.size:
            return False
        pixels = [np.asarray(image.convert("RGB")) for image in (first, second)]
    return int((pixels[0] != pixels[1]).any(axis=2).sum()) <= FEW_PIXELS


def described(rows: Sequence[Observation], copies: Copies) -> tuple[CopiedRow, ...]:
    several = len({row.split for row in rows}) > 1
    names = [row.name if several else row.item for row in rows]
    return tuple(
        CopiedRow(
            item=names[place],
            of=names[earlier],
            exact=exact,
            conflicting=_answer(rows[place]) != _answer(rows[earlier]),
            across=rows[place].split != rows[earlier].split,
        )
        for place, (earlier, exact) in copies.items()
    )


def _answer(row: Observation) -> str:
    """The answer itself: the same options may stand in other places."""
    return plain(row.options[int(row.key)]) if row.options else plain(row.key)


def clustered(rows: Sequence[Observation], copies: Copies) -> list[Observation]:
    """The rows with copies in one cluster, or whoever remembers one would know the other."""
    own = [row.cluster or row.item for row in rows]
    return [replace(row, cluster=own[copies[i][0]]) if i in copies else row for i, row in enumerate(rows)]
