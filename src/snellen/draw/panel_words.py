"""What a panel shows, in words."""

from collections.abc import Mapping
from typing import Any


def panel_words(panel: Mapping[str, Any]) -> str:
    """The exact twin of a panel."""
    if "words" in panel:
        return str(panel["words"])
    return "; ".join(", ".join(f"{key} {value}" for key, value in mark.items()) for mark in panel["marks"]) or "nothing"
