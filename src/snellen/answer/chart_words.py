"""What the answers to charts are also called, there and nowhere else: "top" for up, "one" for 1, "/" for leaning right.

Elsewhere these words mean other things ("the one at the top"). On a chart a word that is not known makes one answer
look harder to see than another.
"""

from collections.abc import Iterable, Mapping

from snellen.item import Form


def everyday(form: Form) -> bool:
    """Whether the answer is what is seen on a chart: a sign of print, a direction, a place, or nothing."""
    return bool(form.beyond or form.empty or "upper left" in form.labels)


def _slanting(side: str) -> tuple[str, ...]:
    verbs = ("leaning", "lean", "leans", "tilted", "tilting", "slanted", "slanting")
    ways = (side, f"to the {side}", f"{side}ward", f"{side}wards")
    return (*(f"{verb} {way}" for verb in verbs for way in ways), f"{side}-leaning", f"{side}ward-leaning")


def _between(one: str, side: str) -> tuple[str, ...]:
    """Between up or down and a side."""
    sky, quarter = "north" if one == "up" else "south", "west" if side == "left" else "east"
    both = [
        f"{one}{ward}{joint}{side}" for ward in ("", "ward", "wards") for joint in (" ", "-", " and ", " and to the ")
    ]
    return (*both, f"{side} and {one}", f"{sky}{quarter}", f"{sky}-{quarter}", f"{sky} {quarter}")


_SURELY: Mapping[str, tuple[str, ...]] = {
    "up": ("top", "north"),
    "down": ("bottom", "south"),
    "left": ("leftward", "leftwards", "west"),
    "right": ("rightward", "rightwards", "east"),
    **{
        f"{half} {side}": _between(one, side)
        for half, one in (("upper", "up"), ("lower", "down"))
        for side in ("left", "right")
    },
    **{f"leaning {side}": _slanting(side) for side in ("left", "right")},
    "0": ("zero", *(f"{no} {meet}" for no in ("don't", "do not", "never") for meet in ("cross", "intersect"))),
}
_PERHAPS: Mapping[str, tuple[str, ...]] = {"1": ("one", "once"), "2": ("twice",), "3": ("thrice",)}
"""Words that may be others as well."""
_DRAWN: Mapping[str, str] = {
    "/": "leaning right", "|": "upright", "-": "level", "\u2013": "level", "\u2014": "level", "\\": "leaning left",
}  # fmt: skip


def also_called(label: str, sure: str, weak: str) -> Iterable[tuple[str, str]]:
    """Other words for a label of a chart, each with its name."""
    yield from ((word, sure) for word in _SURELY.get(label, ()))
    yield from ((word, weak) for word in _PERHAPS.get(label, ()))


def drawn(reply: str) -> str:
    """The direction of stripes that a reply draws instead of naming it; empty if it draws none."""
    return _DRAWN.get(reply.strip("()' "), "")
