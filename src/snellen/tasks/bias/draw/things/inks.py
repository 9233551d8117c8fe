"""Colours of the things and of what is behind them."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from snellen.draw.canvas import mixed
from snellen.draw.looks import BLACK, WHITE, Colour

Coat = Mapping[str, Colour]
"""Colours by the names that sketches use."""


def read_colour(text: str) -> Colour:
    """A colour from "#rrggbb"."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


_TABLES = tomllib.loads((Path(__file__).parent / "data" / "inks.toml").read_text(encoding="utf-8"))
_PALETTES = {name: tuple(map(read_colour, colours)) for name, colours in _TABLES["palettes"].items()}
DEEP = _PALETTES["deep"]
PAPERS: Coat = MappingProxyType({name: read_colour(colour) for name, colour in _TABLES["papers"].items()})
"""Backgrounds, all light: whatever stands before them is darker."""
GROUNDS: Coat = MappingProxyType({name: read_colour(colour) for name, colour in _TABLES["grounds"].items()})
INK: Colour = (38, 40, 54)
_COMMON: Coat = {"ink": INK, "eye": INK, "white": (250, 250, 250), "pink": (228, 150, 150)}


def palette(names: str | list[str]) -> list[Colour]:
    """The colours that are named: one as "#rrggbb", those of a palette by its name, or several of these."""
    if isinstance(names, list):
        return [colour for name in names for colour in palette(name)]
    return [read_colour(names)] if names.startswith("#") else list(_PALETTES[names])


def darker(colour: Colour, percent: int = 22) -> Colour:
    return mixed(colour, BLACK, percent)


def lighter(colour: Colour) -> Colour:
    return mixed(colour, WHITE, 45)


def full_coat(coat: Coat) -> Coat:
    """A coat with the colours every sketch may use, and its main one darker and lighter."""
    main = coat["coat"]
    return {**_COMMON, "dark": darker(main), "light": lighter(main), **coat}
