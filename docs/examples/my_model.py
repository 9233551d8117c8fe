"""A custom model. It guesses who has more pieces on a Reversi board from the brightness of the picture and does
not read the rules."""

from PIL import Image, ImageStat

WORDS = False  # it requires an image


def answer(parts: list[str | Image.Image], threshold: float = 77.5) -> str:
    """From text and pictures, in the order they are shown, to a reply. Replace this with your model."""
    words = " ".join(part for part in parts if isinstance(part, str))
    picture = next(part for part in parts if not isinstance(part, str))
    bright = sum(ImageStat.Stat(picture).mean) / 3 > threshold
    wants_loser = "lost?" in words
    return "White" if bright != wants_loser else "Black"
