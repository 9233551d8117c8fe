"""Pictures from outside: checked once, then passed on as the very bytes they are.

Whatever a file is called, its content decides what it is. Pillow's guard against decompression bombs stays on.
"""

import warnings
from io import BytesIO

from PIL import Image

from snellen.errors import UserError
from snellen.item import Picture

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif", "MPO": "image/jpeg"}


def outside_picture(data: bytes, where: str, alt: str = "") -> Picture:
    """The picture in these bytes; `where` names them in the error if they are none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data)) as image:
                kind = image.format or ""
                image.verify()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UserError(f"{where}: not a readable picture ({error}); replace or remove it") from None
    if kind not in MEDIA_TYPES:
        raise UserError(f"{where}: a {kind} picture; subjects accept {', '.join(MEDIA_TYPES)}: convert it")
    return Picture(data, MEDIA_TYPES[kind], alt)
