"""Scenes for tests of the Bongard problems of scenes."""

from typing import Any

Panel = dict[str, Any]


def thing(kind: str, cell: int, tile: str = "red", size: str = "small", framed: bool = False) -> dict[str, Any]:
    """A thing in the middle of a cell; cells count from the top left, row by row."""
    return {
        "kind": kind,
        "x": cell % 3 * 120 + 60,
        "y": cell // 3 * 120 + 60,
        "size": size,
        "tile": tile,
        "framed": framed,
    }


def scene(*things: dict[str, Any], background: str = "cream") -> Panel:
    return {"background": background, "things": list(things)}
