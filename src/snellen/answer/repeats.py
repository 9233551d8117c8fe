"""Stretches of a reply that only repeat themselves: a model in a loop, or somebody who wants to see the reader sweat.

This is the budget of all patterns, and no clock is in it: whatever a pattern makes of a token that stands there ten
thousand times, it only ever sees it a few times. Looking for such stretches takes time in proportion to the text.
"""

import re
import zlib

LONG = 1000
"""Shorter replies are read as they are."""
_PERIOD = 64
"""Up to so many characters may repeat themselves."""
_LEAST = 600
"""A stretch shorter than this is left alone, however often it says the same."""
_PACKED = 0.3
"""Prose packs to some 45 % of its length, a loop to next to nothing."""
_KEPT = 200
"""So much of a stretch is left at either end."""
_RUNS = [(period, max(_LEAST - period, 7 * period)) for period in range(1, _PERIOD + 1)]
"""How many characters must equal those a period later."""


def repeated(text: str) -> list[tuple[int, int]]:
    """What can be left out of a text without loss, in order: the inside of stretches that have a short period."""
    encoded = text.encode("utf-8", "surrogatepass")
    if len(zlib.compress(encoded, 1)) > _PACKED * len(encoded):  # nothing in it repeats itself for long
        return []
    width = 1 if text.isascii() else 4
    code = encoded if width == 1 else text.encode("utf-32-le", "surrogatepass")
    whole = int.from_bytes(code, "little")
    spans: list[tuple[int, int]] = []
    for period, least in _RUNS:
        # Zeros where a character equals the one a period later: one operation on the whole text.
        equal = (whole ^ (whole >> (8 * width * period))).to_bytes(len(code), "little")[: -width * period]
        for run in re.finditer(b"\\x00{%d,}" % (width * least), equal):
            start, end = -(-run.start() // width), run.end() // width + period
            spans.append((start + _KEPT, end - _KEPT))
        if 2 * sum(end - start for start, end in _merged(spans)) > len(text):
            break  # the rest is short enough
    return _merged(spans)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
