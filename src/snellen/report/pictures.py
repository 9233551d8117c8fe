"""Which pictures go into the page, and how.

Each picture is embedded once, however many trials show it, as a smaller copy (`copies.py`). A page that no browser
opens helps nobody, so there is a cap; pictures of trials that went wrong come first, because those are the ones people
look at, and large ones wait until the others have found room.
"""

from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from snellen.charts.saving import save
from snellen.item import Picture
from snellen.report.copies import Kind, PictureCopy, copies
from snellen.report.page import printable

ImageOf = Callable[[str], Picture | None]
"""From a digest to the picture; None if it is not known."""

CAP = 9_000_000
"""Bytes of pictures in one page, before they are written as text."""

LARGE = 20_000
"""A picture of more bytes waits until the others are in."""
SMALLEST = 200
"""With less room left nothing more is looked at."""

SHOWABLE = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What a browser shows and cannot run."""

URGENCY = {"wrong": 0, "unread": 1, "right": 2}


@dataclass(frozen=True)
class Album:
    """The pictures chosen out of those `wanted`: the page says how many were left out.

    `kinds` says of the copies among them what they are; other pictures are the very bytes that were sent. `files` are
    the names of files beside the page with the pictures as they were sent, by digest.
    """

    pictures: dict[str, Picture]
    wanted: Sequence[str]
    over_cap: int
    kinds: dict[str, Kind] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def head(self) -> dict[str, int]:
        return {"wanted": len(self.wanted), "shown": len(self.pictures), "over_cap": self.over_cap}

    def elements(self) -> Iterator[str]:
        """One inert element per picture, named by its digest; empty if the picture is only in a file."""
        for digest in dict.fromkeys((*self.pictures, *self.files)):
            picture = self.pictures.get(digest)
            content = f"{picture.media_type};base64,{b64encode(picture.data).decode('ascii')}" if picture else ""
            alt = escape(printable(picture.alt if picture else ""))
            kind, file = self.kinds.get(digest, "exact"), self.files.get(digest, "")
            named = f'id="picture-{digest}" data-alt="{alt}" data-copy="{kind}" data-file="{file}"'
            yield f'<script type="text/plain" {named}>{content}</script>\n'

    def with_originals(self, folder: Path, image_of: ImageOf) -> "Album":
        """The same, with every picture as it was sent in a file in `folder/pictures`."""
        files: dict[str, str] = {}
        for digest, picture in _found(self.wanted, image_of, []):
            files[digest] = f"pictures/{digest}.{picture.media_type.partition('/')[2]}"
            save(folder / files[digest], [picture.data], "picture")
        return replace(self, files=files)


def by_urgency(outcomes: Sequence[str | None]) -> list[int]:
    """The trials' places, those that went wrong first, then unread, then right."""
    return sorted(range(len(outcomes)), key=lambda i: URGENCY.get(outcomes[i] or "", 3))


def choose(
    digests: Iterable[str], image_of: ImageOf, cap: int = CAP, keep_pixels: Collection[str] = frozenset()
) -> Album:
    """Copies of the first pictures that fit under the cap, in the order given, large ones last.

    Of the digests in `keep_pixels` every pixel is kept.
    """
    wanted = tuple(dict.fromkeys(digests))
    missing: list[str] = []
    chosen, large = _Room(cap), _Room(cap)
    for digest, copy in copies(_found(wanted, image_of, missing), keep_pixels):
        (large if copy.size > LARGE else chosen).add(digest, copy)
        if chosen.left < SMALLEST:
            break
    for digest, copy in large.copies.items():
        chosen.add(digest, copy)
    pictures = {digest: copy.picture for digest, copy in chosen.copies.items()}
    kinds = {digest: copy.kind for digest, copy in chosen.copies.items()}
    return Album(pictures, wanted, len(wanted) - len(missing) - len(pictures), kinds)


@dataclass
class _Room:
    """Collects pictures until their copies reach the size limit of the page."""

    left: int
    copies: dict[str, PictureCopy] = field(default_factory=dict)

    def add(self, digest: str, copy: PictureCopy) -> None:
        if copy.size <= self.left:
            self.copies[digest] = copy
            self.left -= copy.size


def _found(digests: Iterable[str], image_of: ImageOf, missing: list[str]) -> Iterator[tuple[str, Picture]]:
    for digest in digests:
        picture = image_of(digest) if _is_hex(digest) else None
        if picture is not None and picture.media_type in SHOWABLE:
            yield digest, picture
        else:
            missing.append(digest)


def _is_hex(digest: str) -> bool:
    return bool(digest) and all(c in "0123456789abcdef" for c in digest)
