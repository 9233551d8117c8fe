"""Colours of the things and of what is behind them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from snellen.draw.canvas import mixed
from snellen.draw.looks import BLACK, WHITE, Colour

Coat = Mapping[str, Colour]
"""Colours by the names that sketches use."""

PAPERS: Mapping[str, Colour] = MappingProxyType(
    {
        "white": (255, 255, 255),
        "cream": (252, 244, 226),
        "pale blue": (220, 236, 248),
        "pale green": (224, 241, 224),
        "pale pink": (251, 228, 228),
        "pale yellow": (255, 243, 200),
        "pale lilac": (234, 228, 246),
        "light grey": (232, 234, 237),
        "sand": (240, 228, 208),
        "mint": (214, 240, 234),
    }
)
"""Backgrounds, all light: whatever stands before them is darker."""

GROUNDS: Mapping[str, Colour] = MappingProxyType(
    {
        "green": (204, 230, 184),
        "sandy": (244, 230, 198),
        "grey": (222, 224, 228),
        "blue": (200, 224, 240),
        "brown": (234, 218, 198),
        "white": (246, 248, 250),
    }
)

INK: Colour = (38, 40, 54)
BRIGHT: tuple[Colour, ...] = (
    (214, 58, 54),
    (226, 112, 28),
    (30, 134, 88),
    (28, 108, 196),
    (118, 70, 178),
    (200, 52, 122),
    (0, 128, 140),
    (52, 58, 78),
)
"""Strong colours that stand out on every background."""
DEEP: tuple[Colour, ...] = ((36, 52, 92), (92, 34, 48), (24, 78, 66), (66, 44, 96), (50, 50, 56), (110, 62, 22))
WOOD: tuple[Colour, ...] = ((176, 112, 60), (146, 90, 52), (196, 138, 82), (120, 74, 46))
METAL: tuple[Colour, ...] = ((122, 132, 146), (150, 128, 84), (96, 104, 118))


def darker(colour: Colour, percent: int = 22) -> Colour:
    return mixed(colour, BLACK, percent)


def lighter(colour: Colour, percent: int = 30) -> Colour:
    return mixed(colour, WHITE, percent)


_COMMON: Coat = {"ink": INK, "eye": INK, "white": (250, 250, 250), "pink": (228, 150, 150)}


def full_coat(coat: Coat) -> Coat:
    """A coat with the colours every sketch may use, and its main one darker and lighter."""
    main = coat["coat"]
    return {**_COMMON, "dark": darker(main), "light": lighter(main, 45), **coat}


def coats(colours: Sequence[Colour], **more: Colour) -> tuple[Coat, ...]:
    """A coat of each of the colours."""
    return tuple({"coat": colour, **more} for colour in colours)
