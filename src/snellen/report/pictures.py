"""Which pictures go into the page, and how.

Each picture is embedded once, however many trials show it. A page that no browser opens helps nobody, so there is a
cap; pictures of trials that went wrong come first, because those are the ones people look at.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from snellen.item import Picture
from snellen.report.page import printable

ImageOf = Callable[[str], Picture | None]
"""From a digest to the picture; None if it is not known."""

CAP = 40_000_000
"""Bytes of pictures in one page, before they are written as text."""

SHOWABLE = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What a browser shows and cannot run."""

URGENCY = {"wrong": 0, "unread": 1, "right": 2}


@dataclass(frozen=True)
class Album:
    """The pictures chosen, and how many there would have been: the page says what was left out."""

    pictures: dict[str, Picture]
    wanted: int
    over_cap: int

    def head(self) -> dict[str, int]:
        return {"wanted": self.wanted, "shown": len(self.pictures), "over_cap": self.over_cap}

    def elements(self) -> Iterator[str]:
        """One inert element per picture, named by its digest."""
        for digest, picture in self.pictures.items():
            data = b64encode(picture.data).decode("ascii")
            named = f'id="picture-{digest}" data-alt="{escape(printable(picture.alt))}"'
            yield f'<script type="text/plain" {named}>{picture.media_type};base64,{data}</script>\n'


def by_urgency(outcomes: Sequence[str | None]) -> list[int]:
    """The trials' places, those that went wrong first, then unread, then right."""
    return sorted(range(len(outcomes)), key=lambda i: URGENCY.get(outcomes[i] or "", 3))


def choose(digests: Iterable[str], image_of: ImageOf, cap: int = CAP) -> Album:
    """The first pictures that fit under the cap, in the order given."""
    pictures: dict[str, Picture] = {}
    room = cap
    over_cap = 0
    wanted = dict.fromkeys(digests)
    for digest in wanted:
        picture = image_of(digest) if _is_hex(digest) else None
        if picture is None or picture.media_type not in SHOWABLE:
            continue
        if len(picture.data) > room:
            over_cap += 1
        else:
            pictures[digest] = picture
            room -= len(picture.data)
    return Album(pictures, len(wanted), over_cap)


def _is_hex(digest: str) -> bool:
    return bool(digest) and all(c in "0123456789abcdef" for c in digest)
