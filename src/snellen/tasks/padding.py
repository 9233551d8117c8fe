"""Pictures of equal file size: a drawn picture is the longer the more there is in it, and that can give a key away.

The letter A takes other bytes than the letter B, so on a board of both the size of the file alone tells whose boxes
are more. No subject is shown a file's size, but a data set may be, and nothing is gained by leaving it in.
"""

import zlib
from dataclasses import replace
from struct import pack

from snellen.item import Picture

_END = 12  # the closing chunk of a PNG file
_EMPTY = b"tEXtPadding\0"
_LEAST = 8 + len(_EMPTY)


def padded(picture: Picture, size: int) -> Picture:
    """The PNG picture with an idle comment that brings its file to `size` bytes, or to the next multiple of it."""
    wanted = -(-(len(picture.data) + _LEAST) // size) * size
    chunk = _EMPTY + b" " * (wanted - len(picture.data) - _LEAST)
    comment = pack(">I", len(chunk) - 4) + chunk + pack(">I", zlib.crc32(chunk))
    return replace(picture, data=picture.data[:-_END] + comment + picture.data[-_END:])
