"""What is expected of the eye chart for each looker, written down before any of them was examined.

Where a looker has a limit by design (it counts to six, it sees no colour, a picture is shrunk to 768 px) that limit is
expected. How small the letters are that it reads nobody designed; that was measured apart from any exam, on other
charts at fixed sizes: 12 of 20 at 0.5 px a stroke, 18 at 0.79, 20 from 1 px on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fakes.lookers import Looker, Taught, always, blocks, chatting, long_edge, megapixels, refusing, seeing_things
from fakes.server import Mind

TESTS = ("letters", "contrast", "gratings-8", "colour-red", "colour-blue", "alignment", "number")
SEES = ("threshold", "better than drawn")
FAILS = ("worse than drawn",)
CANNOT = ("not measurable",)
NONE = ("worse than drawn", "not measurable")


LETTERS = {0.5: 12, 0.79: 18, 1.0: 20}
"""Px a stroke, and how many of 20 letters were read there: the measurement above, of everyone who looks at letters."""
SHOWN = 20


@dataclass(frozen=True)
class Expected:
    """`kinds`: of what kind the finding of a test is; of tests that are not named here it is one who sees.

    `number`: how many dots it counts to. `blank`: the percentage of blank pages on which it sees something. `unread`:
    the percentage of answers that cannot be read; of who says `one_thing` to everything, that of all tests together,
    for it is an answer to some and none to others. `said`: words of the prescription. `unsaid`: words that are nowhere.
    `like`: whose threshold of letters it shares.
    """

    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    number: int | None = None
    blank: float = 0.0
    unread: float = 0.0
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    like: str | None = None
    one_thing: bool = False


COLOURS = {"colour-red": FAILS, "colour-blue": FAILS}


def minds(taught: Taught) -> dict[str, Mind]:
    good = Looker(taught, hues=True)
    return {
        "sound": good,
        "grey": Looker(taught),
        "six": Looker(taught, hues=True, counts=6),
        "always-c": always("C"),
        "always-7": always("7"),
        "sees-things": seeing_things(good),
        "chatty": chatting(good),
        "refuses-some": refusing(good, 0.3),
        "refuses-most": refusing(good, 0.8),
    }


EXPECTED: Mapping[str, Expected] = {
    "sound": Expected(unsaid=("Colours are lost",)),
    # Sees no colour, and says so nowhere but in the colour tests. First expected to see nothing on blank pages; but it
    # is made to guess a digit where it sees no hue, and 5 of the 30 blank pages are plates.
    "grey": Expected(COLOURS, blank=100 / 6, said=("olour",), like="sound"),
    "six": Expected(number=6, said=("count more than 6",), like="sound"),
    # One thing to everything: no threshold anywhere, no praise, and no word that its eyes are to blame. 40 unread was
    # a guess for both; "C" is no answer to five of these seven tests, "7" to four.
    "always-c": Expected(
        dict.fromkeys(TESTS, NONE), blank=100.0, unread=500 / 7, unsaid=("reads letters down to",), one_thing=True
    ),
    "always-7": Expected(
        dict.fromkeys(TESTS, NONE), blank=100.0, unread=400 / 7, unsaid=("counts to",), one_thing=True
    ),
    "sees-things": Expected(blank=100.0, said=("blank pages",), like="sound"),
    "chatty": Expected(like="sound"),
    "refuses-some": Expected(unread=30.0, like="sound"),
    "refuses-most": Expected(dict.fromkeys(TESTS, CANNOT), unread=80.0),
}


@dataclass(frozen=True)
class Sized:
    """What becomes of large pictures: `rule` with its `cap`, or nothing where there is none."""

    rule: str | None
    cap: float = 0.0


def shrinkers(taught: Taught) -> dict[str, Mind]:
    return {
        "whole": Looker(taught),
        "edge-768": Looker(taught, long_edge(768)),
        "half-megapixel": Looker(taught, megapixels(0.5)),
    }


def packers(taught: Taught) -> dict[str, Mind]:
    """Lookers behind poor JPEGs, by how wide their blocks are."""
    return {f"blocks-{side}": Looker(taught, blocks(side, quality=5)) for side in BLOCKS}


BLOCKS = (16, 24, 32)
"""Expected: the design `field` names this very size, or says that there is a grid whose size it cannot tell; for one
who looks at the whole picture, no grid."""


SHRUNK: Mapping[str, Sized] = {
    "whole": Sized(None),
    "edge-768": Sized("edge", 768),
    "half-megapixel": Sized("area", 0.5e6),
}
