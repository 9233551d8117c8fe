"""A model of your own. This one tells who has more pieces on a Reversi board by the brightness of the picture, and does
not read the rules."""

from PIL import Image, ImageStat

WORDS = False  # it takes no call without a picture


def answer(parts: list[str | Image.Image], threshold: float = 77.5) -> str:
    """From words and pictures, in the order they are shown, to a reply. Your own model goes in here."""
    words = " ".join(part for part in parts if isinstance(part, str))
    picture = next(part for part in parts if not isinstance(part, str))
    bright = sum(ImageStat.Stat(picture).mean) / 3 > threshold
    wants_loser = "lost?" in words
    return "White" if bright != wants_loser else "Black"
