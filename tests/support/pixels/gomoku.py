"""Reads a board of five in a row: how large it is, which set of pieces, and what stands where."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.tasks.capacity.data import table
from support.pixels.looking import Mask, Pixels, amount, cropped, extent, near, pixels_of, sign_in, starts

LEFT, TOP = 46, 24
CARD = (252, 252, 248)


def read_gomoku(data: bytes) -> dict[str, Any]:
    """The size of the board, its theme, and its rows from the top as the truth has them."""
    pixels = pixels_of(data)
    theme = next(name for name, facts in table("gomoku").items() if near(pixels[0, 0], facts["paper"], 0))
    facts = table("gomoku")[theme]
    upright = starts(near(pixels[TOP + 2, LEFT:], facts["line"], 0))
    lying = starts(near(pixels[TOP:, LEFT + 2], facts["line"], 0))
    assert upright == lying, "the board is not square"
    pitch = upright[1]
    rows = [
        [
            _piece(pixels[TOP + y + 1 : TOP + y + pitch, LEFT + x + 1 : LEFT + x + pitch], theme, facts)
            for x in upright[:-1]
        ]
        for y in lying[:-1]
    ]
    return {"extent": len(rows), "theme": theme, "board": [" ".join(row) for row in rows]}


def _piece(cell: Pixels, theme: str, facts: Mapping[str, Any]) -> str:
    """What stands in a cell: its look and its colour; a dot where nothing does."""
    standing = ~near(cell, facts["board"], 30)
    if standing.sum() < standing.size // 50:
        return "."
    many = {letter: int(near(cell, colour, 12).sum()) for letter, (_, colour) in facts["colours"].items()}
    colour = max(many, key=lambda letter: many[letter])
    ink = facts["colours"][colour][1]
    signs = {sign: letter for letter, (_, sign) in facts["looks"].items()}
    if theme == "shapes":
        middle = len(cell) // 2
        hollow = near(cell[middle, middle], facts["board"], 12)
        return ("o" if hollow else signs[sign_in(amount(cell, facts["board"], ink), signs)]) + colour
    if _is_round(standing):
        return "o" + colour
    if theme == "dice":
        return f"{_pips(cell, standing)}{colour}"
    if theme == "cards":
        card = extent(near(cell, CARD, 6))
        return (
            signs[
                sign_in(
                    amount(np.asarray(cropped(cell, (card[0] + 4, card[1] + 4, card[2] - 8, card[3] - 8))), CARD, ink),
                    signs,
                )
            ]
            + colour
        )
    return signs[sign_in(near(cell, ink, 45).astype(float), signs)] + colour


def _is_round(standing: Mask) -> bool:
    """Whether what stands in a cell is a disc: as high as wide, whole along its rim, with bare corners."""
    _, _, high, wide = around = extent(standing)
    inner = np.asarray(cropped(standing, around))
    down, across = np.mgrid[:high, :wide]
    far = np.hypot((down + 0.5) / high - 0.5, (across + 0.5) / wide - 0.5)
    rim, corners = inner[(far > 0.4) & (far < 0.48)], inner[far > 0.53]
    return abs(high - wide) <= 1 and bool(rim.mean() > 0.9 and corners.mean() < 0.25)


_PLACES = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1)]


def _pips(cell: Pixels, standing: Mask) -> int:
    """How many of the nine places of a die are white."""
    top, left, high, wide = extent(standing)
    middle = top + high / 2 - 0.5, left + wide / 2 - 0.5
    spots = (
        (round(middle[0] + down * 0.28 * high), round(middle[1] + across * 0.28 * wide)) for down, across in _PLACES
    )
    return sum(bool(near(cell[spot], (255, 255, 255), 40)) for spot in spots)
