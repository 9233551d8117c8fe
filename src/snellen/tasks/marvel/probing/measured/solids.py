"""What the faces of a solid carry."""

from collections.abc import Iterator, Mapping
from typing import Any

from snellen.rng import Stream
from snellen.tasks.marvel.patterns.solid.designs import STOCKS
from snellen.tasks.marvel.probing.texts import NUMBERS, Fine, fine
from snellen.tasks.marvel.puzzle import Panel

_STOCKS = {
    sort: [design.name.partition(" ")[2] for design in STOCKS[family]]
    for sort, family in (("letter", "lettered cube"), ("icon", "icon cube"))
}


def solids(panel: Panel, rng: Stream) -> Iterator[Fine]:
    """Which face carries nothing; how many pips, which letter, which icon a face carries."""
    up = rng.chance()
    view: Mapping[str, Any] = panel.get("view", {})
    for face in view.get("faces", ()):
        if not face.get("name"):
            continue
        bare = not face["marks"]
        words = ("blank", "drawn on")
        yield fine("shape", "bare", words[not bare], words[bare], face["name"])
        sort, _, what = face["design"].partition(" ")
        if sort == "pips":
            n, others = NUMBERS.index(what), [word for word in NUMBERS[1:7] if word != what]
            wrong = NUMBERS[n + 1] if (up and n < 6) or n == 1 else NUMBERS[n - 1]
            yield fine("quantity", "pips", what, wrong, face["name"], others=others)
        elif sort in _STOCKS:
            others = [other for other in _STOCKS[sort] if other != what]
            yield fine("shape", f"face_{sort}", what, rng.choice(others), face["name"], others=others)
