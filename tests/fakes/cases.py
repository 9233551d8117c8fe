"""What is expected of the diagnosis for each fake, written down before any of them was examined.

The expectation follows from what a fake is: which faculty it lacks, and on how large a part of the items. Parts are
exact where a fake lacks something on a kind of items by design (two of four games are games of lines); where it lacks
something in a way of its own (half a board is sometimes enough) they were measured on other items, luck taken out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fakes import teaching
from fakes.matchers import Matcher, without_places
from fakes.minds import Seer, first_sayer, rambling, retina, slipping
from fakes.players import Player, left_half, whole_board
from fakes.puzzlers import Puzzler, not_crowded, only_rows
from fakes.server import Mind
from fakes.sorters import NOTHING, Sorter, Teaching, finding, learner
from fakes.walkers import Worker, headlong, no_thin_lines, shortest, three_cards
from snellen.item import Stimulus

Levels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Expected:
    """`faults`: the faculties that are named, no others. `put_in`: the part of all items that each of them costs, to be
    held by its interval."""

    verdict: str
    faults: frozenset[str] = frozenset()
    put_in: Mapping[str, float] = field(default_factory=dict)


def fault(verdict: str, **put_in: float) -> Expected:
    return Expected(verdict, frozenset(put_in), put_in)


NO_FAULT = Expected("none")
LEANING = Expected("leaning", frozenset({"leaning"}))
"""Says one thing to everything: nothing that was asked tells what else it lacks, so no other faculty may be named."""


@dataclass(frozen=True)
class Family:
    """An exam of a task, and who sits it."""

    task: str
    n: int
    minds: Callable[[Sequence[Stimulus]], dict[str, Mind]]
    expected: Mapping[str, Expected]
    levels: Levels = field(default_factory=dict)
    paradigms: tuple[str, ...] = ()


def _two_sides(words: str) -> Sequence[str]:
    return re.findall(r"Reply with (\w+) or (\w+)", words)[-1]


def _players(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    good = Seer(whole_board, Player())
    return {
        "sound": good,
        "by-heart": Seer(whole_board, Player(by_heart=("line", "most"))),
        "lines-by-heart": Seer(whole_board, Player(by_heart=("line",))),
        "left-half": Seer(left_half, Player()),
        "no-lines": Seer(whole_board, Player(finds_lines=False)),
        "first-label": first_sayer,
        "rambler": rambling(good, 0.4),
        "slipper": slipping(good, 0.4, _two_sides),
    }


_PLAYERS_EXPECTED = {
    "sound": NO_FAULT,
    "by-heart": fault("habit", habit=1.0),
    "lines-by-heart": fault("habit", habit=0.5),
    "left-half": fault("eyes", eyes=0.81),  # right on 60 % of 840 other boards (on the first 240 of them, on 55 %)
    "no-lines": fault("thinking", thinking=0.5),
    "first-label": LEANING,
    "rambler": fault("form", form=0.4),
    "slipper": fault("attention", attention=0.4),
}

BASE: Levels = {"prompt": ("base",)}
FIXATION = Family("fixation", 8, _players, _PLAYERS_EXPECTED, BASE)


def _mixed_players(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    return {
        "half-by-heart": Seer(left_half, Player(by_heart=("line", "most"))),
        "no-lines-by-heart": Seer(whole_board, Player(finds_lines=False, by_heart=("most",))),
        "rambling-by-heart": rambling(Seer(whole_board, Player(by_heart=("line",))), 0.3),
        "slipping-no-lines": slipping(Seer(whole_board, Player(finds_lines=False)), 0.3, _two_sides),
    }


FIXATION_MIXED = Family(
    "fixation",
    30,
    _mixed_players,
    {
        # First expected: eyes alone, because little is left for habit on boards that are not seen. That was not
        # logical: it goes by heart in every game, so habit is to be named as soon as it shows.
        "half-by-heart": fault("eyes", eyes=0.81, habit=0.19),
        "no-lines-by-heart": fault("thinking", thinking=0.5, habit=0.5),
        "rambling-by-heart": fault("habit", habit=0.35, form=0.3),
        "slipping-no-lines": fault("thinking", thinking=0.35, attention=0.3),
    },
    BASE,
)


def _about_shapes(words: str) -> bool:
    return words.startswith('{"shapes"')


def _no_shapes(words: str) -> str:
    return NOTHING if _about_shapes(words) else words


def _sorters(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words, taught = teaching.bongard(iter(shown))
    sees = retina(words)
    half_applied = _only_scenes(taught, lambda fits: None)
    inverted = _only_scenes(taught, lambda fits: None if fits is None else not fits)
    return {
        "sound": Seer(sees, Sorter(taught.finds, taught.applies)),
        "learner": Seer(sees, Sorter(learner, taught.applies)),
        "half-applier": Seer(sees, half_applied),
        "inverter": Seer(sees, inverted),
    }


def _only_scenes(taught: Teaching, else_: Callable[[bool | None], bool | None]) -> Sorter:
    """Applies rules about scenes as they are, and those about shapes in another way, whoever found them."""

    def applies(rule: str, query: str) -> bool | None:
        fits = taught.applies(rule, query)
        return else_(fits) if _about_shapes(query) else fits

    return Sorter(finding(taught, applies), applies)


_SORTERS_EXPECTED = {
    "sound": NO_FAULT,
    "learner": fault("thinking", finding=0.62),  # right on 69 % of 240 queries
    "half-applier": fault("thinking", applying=0.5),
    # Wrong for sure is worse than a guess. How large the fault is cannot be told from luck's formula, only which it is.
    "inverter": Expected("thinking", frozenset({"applying"})),
}
BONGARD = Family("bongard", 14, _sorters, _SORTERS_EXPECTED)


def _describers(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words, taught = teaching.bongard(iter(shown))
    return {
        "sound": Seer(retina(words), Sorter(taught.finds, taught.applies)),
        "dropper": Seer(retina(words), Sorter(taught.finds, taught.applies, says=_no_shapes)),
        "no-shapes": Seer(retina(words, _no_shapes), Sorter(taught.finds, taught.applies)),
    }


BONGARD_DESCRIBED = Family(
    "bongard",
    20,
    _describers,
    {"sound": NO_FAULT, "dropper": fault("saying", saying=0.5), "no-shapes": fault("eyes", eyes=0.5)},
    paradigms=("dvrl", "ca"),
)


def _matchers(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words = teaching.retinas(iter(shown))
    good = Seer(retina(words), Matcher())
    return {
        "sound": good,
        "no-places": Seer(retina(words, without_places), Matcher()),
        "poor-head": Seer(retina(words), Matcher(understands=("tile", "size", "inside a frame"))),
        "first-option": first_sayer,
        "rambler": rambling(good, 0.4),
    }


WINOGROUND = Family(
    "winoground",
    27,
    _matchers,
    {
        "sound": NO_FAULT,
        "no-places": fault("eyes", eyes=2 / 3),  # above, left, frames and roles: six of nine samples
        "poor-head": fault("thinking", thinking=2 / 3),  # above, left, numbers and roles
        "first-option": LEANING,
        "rambler": fault("form", form=0.4),
    },
)


def _puzzlers(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words, known = teaching.retinas(iter(shown)), teaching.keys(iter(shown))
    return {
        "sound": Seer(retina(words), Puzzler(known)),
        "crowd-blind": Seer(retina(words, not_crowded(CROWDED)), Puzzler(known)),
        "rows-only": Seer(retina(words), Puzzler(known, only_rows)),
        "first-option": first_sayer,
    }


CROWDED = 2400
"""Characters of exact words beyond which two thirds of these puzzles lie."""
MARVEL = Family(
    "marvel",
    36,
    _puzzlers,
    {
        "sound": NO_FAULT,
        # Counted in the 36 puzzles, after a first guess of one half for both.
        "crowd-blind": fault("eyes", eyes=24 / 36),
        "rows-only": fault("thinking", thinking=20 / 36),
        "first-option": LEANING,
    },
    {"question": ("avr",), "words": ("none",)},
)


def _namers(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words = teaching.retinas(iter(shown))
    return {
        "sound": Seer(retina(words), Worker(shortest)),
        "rightly-always": Seer(retina(words), Worker(shortest, contrary=False)),
        "three-cards": Seer(retina(words, three_cards), Worker(shortest)),
    }


CARDS = Family(
    "capacity",
    32,
    _namers,
    {
        "sound": NO_FAULT,
        "rightly-always": fault("habit", habit=1.0),
        # First expected: eyes. That was not logical: plainly asked all four cards must be named, as the task is one is
        # enough, so the plain rung is harder on the eyes, and no rung tells what a habit may have cost beside them.
        "three-cards": Expected("unclear"),
    },
    {"kind": ("sandbagging",)},
)


def _walkers(shown: Sequence[Stimulus]) -> dict[str, Mind]:
    words = teaching.retinas(iter(shown))
    return {
        "sound": Seer(retina(words), Worker(shortest)),
        "no-thin-lines": Seer(retina(words, no_thin_lines), Worker(shortest)),
        "headlong": Seer(retina(words), Worker(headlong)),
        "rightly-always": Seer(retina(words), Worker(shortest, contrary=False)),
    }


MAZES = Family(
    "capacity",
    70,
    _walkers,
    {
        "sound": NO_FAULT,
        "no-thin-lines": fault("eyes", eyes=58 / 70),  # mazes, and 12 items with cards
        "headlong": Expected("thinking", frozenset({"thinking"})),
        "rightly-always": fault("habit", habit=12 / 70),
    },
    {"kind": ("maze", "sandbagging")},
)

FAST = {"fixation": FIXATION, "winoground": WINOGROUND, "bongard": BONGARD, "marvel": MARVEL}
LONG = {"cards": CARDS, "mixed": FIXATION_MIXED, "described": BONGARD_DESCRIBED, "mazes": MAZES}
FAMILIES: Mapping[str, Family] = {**FAST, **LONG}
