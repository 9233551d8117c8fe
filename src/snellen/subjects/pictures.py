"""Pictures on their way out: base64, made once per picture, and smaller only if a setting says so; or opened, for those
who look at their pixels in this process."""

import asyncio
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

from snellen.call import CallFailed
from snellen.item import Picture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Opened

_BUDGET = 16 * 2**20

Frame = Callable[[str, bytes], bytes]
"""How a dialect puts a picture, given its media type and base64, into a request."""


class PictureCache:
    """Pictures as they stand in a request, by digest; the least recently used go when 16 MiB are full.

    A picture is asked about under many conditions, and an exam goes item by item, so a small cache will do.
    """

    def __init__(self, frame: Frame, max_pixels: int | None = None, budget: int = _BUDGET) -> None:
        self._frame = frame
        self._max_pixels = max_pixels
        self._budget = budget
        self._held = 0
        self._fragments: OrderedDict[str, bytes] = OrderedDict()

    def held(self, picture: Picture) -> bytes | None:
        """The picture's place in a request, if it was made before."""
        fragment = self._fragments.get(picture.digest)
        if fragment is not None:
            self._fragments.move_to_end(picture.digest)
        return fragment

    async def fragment(self, picture: Picture) -> bytes:
        """The picture's place in a request."""
        if (held := self.held(picture)) is not None:
            return held
        if self._max_pixels is not None:
            # Decoding takes its time: other calls go on meanwhile.
            picture_out = await asyncio.to_thread(shrink, picture, self._max_pixels)
        else:
            picture_out = picture
        fragment = self._frame(picture_out.media_type, b64encode(picture_out.data))
        self._keep(picture.digest, fragment)
        return fragment

    def _keep(self, digest: str, fragment: bytes) -> None:
        if len(fragment) > self._budget or digest in self._fragments:
            return
        self._fragments[digest] = fragment
        self._held += len(fragment)
        while self._held > self._budget:
            _, oldest = self._fragments.popitem(last=False)
            self._held -= len(oldest)


def shrink(picture: Picture, max_pixels: int) -> Picture:
    """The picture with at most so many pixels, as PNG; the very same if it is small enough already."""
    from PIL import Image  # only needed here, and slow to load

    try:
        with Image.open(BytesIO(picture.data)) as image:
            width, height = image.size
            if width * height <= max_pixels:
                return picture
            out = BytesIO()
            mode = "RGBA" if image.has_transparency_data else "RGB"
            smaller = image.convert(mode).resize(_size(width, height, max_pixels), Image.Resampling.LANCZOS)
            smaller.save(out, "PNG")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise CallFailed("rejected", f"picture {picture.digest[:12]} cannot be made smaller: {error}") from None
    return Picture(out.getvalue(), "image/png", picture.alt)


def _size(width: int, height: int, max_pixels: int) -> tuple[int, int]:
    """The size with the same proportions and at most so many pixels, as nearly as whole pixels allow."""
    scale = (max_pixels / (width * height)) ** 0.5
    across, down = max(1, int(width * scale)), max(1, int(height * scale))
    # A strip one pixel thin cannot get thinner, so it gets shorter.
    return min(across, max_pixels) if down == 1 else across, min(down, max_pixels) if across == 1 else down


def opened(picture: Picture) -> "Opened":
    """The picture in red, green and blue, on white where it is transparent."""
    from PIL import Image  # only needed here, and slow to load

    with Image.open(BytesIO(picture.data)) as image:
        if not image.has_transparency_data:
            return image.convert("RGB")
        seen = image.convert("RGBA")
    white = Image.new("RGBA", seen.size, "white")
    return Image.alpha_composite(white, seen).convert("RGB")


def pixels_of(picture: Picture) -> "NDArray[np.uint8]":
    """The picture's pixels: height x width x RGB."""
    import numpy as np

    return np.asarray(opened(picture))
