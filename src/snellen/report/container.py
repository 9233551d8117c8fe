"""How columns travel inside the page: a small JSON head and raw arrays behind it, compressed, as text.

Layout: the head's length (4 bytes, little endian), the head, padding, then the arrays, each on an 8-byte boundary so
that the browser can look at them in place. The head names each array's type, start and length.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def pack(head: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """The head and the arrays as one run of bytes."""
    places: dict[str, list[Any]] = {}
    start = 0
    for name, array in arrays.items():
        places[name] = [array.dtype.str[1:], start, array.size]
        start += _padded(array.nbytes)
    words = json.dumps({**head, "arrays": places}, separators=(",", ":"), allow_nan=False).encode()
    words += b" " * (_padded(len(words) + 4) - len(words) - 4)
    body = (_little(array).ljust(_padded(array.nbytes), b"\0") for array in arrays.values())
    return b"".join([len(words).to_bytes(4, "little"), words, *body])


def squeeze(data: bytes) -> str:
    """The same, compressed (the same bytes on every run) and written in characters that mean nothing to HTML."""
    return b64encode(gzip.compress(data, compresslevel=5, mtime=0)).decode("ascii")


def narrow(codes: Array) -> Array:
    """The codes in the smallest unsigned type that holds them."""
    top = int(codes.max(initial=0))
    return codes.astype(np.uint8 if top < 1 << 8 else np.uint16 if top < 1 << 16 else np.uint32)


def texts(strings: Iterable[str]) -> dict[str, Array]:
    """Many texts as one run of UTF-8 with the place where each ends, so that the page decodes only what is looked at.

    A lone surrogate, which has no UTF-8, becomes one replacement character: places in the text stay as they were.
    """
    encoded = [_utf8(s) for s in strings]
    ends = np.cumsum([len(e) for e in encoded], dtype=np.uint32)
    return {"ends": ends, "bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8)}


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text).encode()


def _padded(size: int) -> int:
    return -(-size // 8) * 8


def _little(array: Array) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
