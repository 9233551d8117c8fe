"""What the rule of each family turns on, as names of questions (`texts.py`).

The paper's fine question is "pattern-related": it asks about the visual detail that the puzzle's rule is about. So a
puzzle of quantities is asked after the very number its rule goes by, a movement after where the mover stands or which
way it faces, a symmetry after axes. A family with several rules at once lists what the others turn on, too; where
choices do not differ in that, no question comes of it.
"""

_PLACE = ("half", "beside", "above", "further", "row", "cell", "from_middle")
_ROUND = (*_PLACE, "hour")
_PIECES = ("in_half", "slanted", "has_side", "lacks_side", "cell", "cells")
_SYMMETRY = ("axes", "axis_runs", "half_turn", "has_axis", "mirror", "unlike", "axis")
_KIND = ("exists", "outer", "within")

_TURNS_ON: dict[str, dict[str, tuple[str, ...]]] = {
    "temporal": {
        "orbit": _ROUND,
        "ring": _PLACE,
        "slide": _PLACE,
        "hands": _ROUND,
        "spin": ("faces_way", "points", "beside", "above", "further", "dot_at"),
        "strokes": ("lines_run", "bundle_runs"),
        "flip": (*_PLACE, "faces_way"),
        "turned": (*_PLACE, "faces_way"),
        "offset": ("ahead",),
        "partner": ("image",),
        "carousel": _PLACE,
        "clock": ("ahead",),
        "tiles": ("cell",),
        "step": ("compass",),
        "row": ("row_turns",),
        "stairs": ("stairs",),
        "trail": ("grows",),
    },
    "spatial": {
        "inside": ("small_where", "cornered", "towards"),
        "pair": ("shapes_meet", "contains", "contains_not", "meet"),
        "beside": ("compass", "beside", "above", "further"),
        "block": ("alike",),
        "order": ("in_line", "row_runs"),
        "crossing": ("lines_meet",),
        "arrows": ("arrow_at",),
        "between": ("between",),
    },
    "quantities": {
        "number of symbols": ("symbols",),
        "number of black symbols": ("blacks",),
        "number of kinds": ("kinds",),
        "number of strokes": ("strokes", "below"),
        "number of curved strokes": ("curves", "below"),
        "number of crossings": ("cross_at", "below"),
        "closed areas": ("areas", "below"),
        "number of corners": ("corners", "bulges", "below"),
    },
    "mathematical": {
        "sums of numbers": ("symbols", "blacks", "whites", "cells"),
        "steps by turns": ("symbols", "blacks", "whites", "cells"),
        "relation of two numbers": ("symbols", "blacks", "whites"),
        "adding one by one": _PIECES,
        "joining": _PIECES,
        "in common": _PIECES,
        "in one only": _PIECES,
        "taking away": _PIECES,
        "dominoes": ("pips_above", "pips_below"),
        "dice": ("dots",),
        "two rows in one": ("strokes",),
        "dots and corners": ("dots", "outline_corners"),
        "each of three once": (*_KIND, "outer_bulges"),
    },
    "2d": {
        "axis direction": _SYMMETRY,
        "number of axes": _SYMMETRY,
        "kind of symmetry": _SYMMETRY,
        "straight and curved": ("lines_of",),
        "open and closed": ("closed",),
        "inside and outside": ("drawn_with",),
        "convex and concave": ("dent",),
        "figure and image": ("image",),
        "equal pieces": ("pieces", "cut_runs"),
        "letters": ("letter", *_SYMMETRY),
    },
    "3d": {
        **dict.fromkeys(
            ("cube", "tetrahedron", "square pyramid", "triangular prism"), ("filled", "unfilled", "which", "bare")
        ),
        "die": ("pips",),
        "lettered cube": ("face_letter",),
        "icon cube": ("face_icon",),
        "tangram cube": ("filled", "unfilled", "which"),
    },
}


def turns_on(pattern: str, family: str) -> tuple[str, ...]:
    """The questions about what the rule of a family turns on."""
    return _TURNS_ON[pattern][family]


_COUNTED = frozenset(
    (
        *("symbols", "kinds", "blacks", "whites", "strokes", "curves", "cross_at", "areas", "corners", "bulges"),
        *("below", "pips_above", "pips_below", "dots", "outline_corners"),
    )
)
"""Questions whose answer is the very number that a rule goes by."""
_COUNTED_TOO = frozenset((("2d", "number of axes"),))
"""Rules that go by a number although their questions serve others, too, that do not."""


def counted(pattern: str, family: str) -> bool:
    """Whether a rule turns on how many there are of something: who miscounts goes by another rule."""
    return (pattern, family) in _COUNTED_TOO or not _COUNTED.isdisjoint(turns_on(pattern, family))
