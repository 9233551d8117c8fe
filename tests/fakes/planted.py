"""The fakes of the proof, task by task: what each lacks, and what must be seen of it in 20 exams.

Expectations follow from what a fake is and were written down before any of them was examined.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fakes import lacking as lack
from fakes.bars import (
    Bar,
    accuses,
    exactly,
    faultless,
    located,
    names,
    near,
    unlocated,
    unmeasured,
    verdict,
)
from fakes.knowing import Levels
from fakes.lacking import Lack

NAMED = 19
OFTEN = 18
RARELY = 1


@dataclass(frozen=True)
class Fake:
    """`lacks`: what it lacks, in words; `by`: what it does about it."""

    name: str
    lacks: str
    by: tuple[Lack, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Family:
    """An exam of the default size, and who sits it. `levels`: of a task that asks more than its ladder, the levels that
    the ladder has. `seeds`: how many exams at most, where items take long to draw."""

    task: str
    fakes: tuple[Fake, ...]
    levels: Levels = field(default_factory=dict)
    seeds: int = 20


def _sound() -> Fake:
    sound = (verdict("none", least=NAMED), verdict("none", "small", least=20), faultless(least=20))
    return Fake("sound", "nothing", (), sound)


def _pairs() -> Iterator[Fake]:
    yield Fake(
        "eyes-40-and-slips",
        "eyes on 40 % of the items, and 30 % slips",
        (lack.slips(0.3), lack.eyes(0.4)),
        (exactly("eyes", "attention", least=16),),
    )
    # Eyes cost about 21 of 100 items here: 60 to 90 items show them in 12 to 17 of 20 exams (`--out` tells which).
    yield Fake(
        "eyes-and-slips",
        "eyes on 30 % of the items, and 30 % slips",
        (lack.slips(0.3), lack.eyes(0.3)),
        (names("attention", least=OFTEN), accuses("thinking", "habit", most=RARELY)),
    )
    yield Fake(
        "thinking-and-eyes",
        "thinking on 30 % of the items, eyes on 30 % of the rest",
        (lack.thinking(0.3), lack.eyes(0.3)),
        (exactly("thinking", "eyes", least=OFTEN),),
    )


_NOT_LEANING = accuses("attention", "thinking", "finding", "applying", most=RARELY)


def _half_leaner() -> Fake:
    bars = (names("leaning", least=OFTEN), _NOT_LEANING)
    return Fake("half-leaner", "says the first option on half of all calls", (lack.leaning(0.5),), bars)


def _first_or_guess() -> Fake:
    bars = (names("leaning", least=OFTEN), _NOT_LEANING)
    return Fake("first-or-guess", "guesses unless the first option is right", (lack.first_or_guess(),), bars)


def _refuser() -> Fake:
    bars = (verdict("refusal", least=20), unmeasured("eyes", "clutter", "habit", least=20))
    return Fake("refuser", "refuses every picture", (lack.refuses_pictures(),), bars)


def _told_harder() -> Iterator[Fake]:
    for percent in (12, 18):
        yield Fake(
            f"told-harder-{percent}",
            f"contradicts what it is told in {percent} % of these calls, else right",
            (lack.wrong_when_told(percent / 100),),
            (accuses("attention", most=RARELY),),
        )


def _uniform() -> Iterator[Fake]:
    for name, words, by in (
        ("eyes-25", "eyes on 25 % of the items", lack.eyes(0.25)),
        ("thinking-40", "thinking on 40 % of the items", lack.thinking(0.4)),
        ("slips-33", "33 % slips", lack.slips(0.33)),
    ):
        yield Fake(f"uniform-{name}", f"{words}, at random", (by,), (unlocated(most=RARELY),))


def _players() -> Iterator[Fake]:
    yield _sound()
    for name, faculty, by in (
        ("eyes", "eyes", lack.eyes(0.3)),
        ("thinking", "thinking", lack.thinking(0.3)),
        ("habit", "habit", lack.habit(0.3, in_words=True)),
        ("slips", "attention", lack.slips(0.3)),
    ):
        yield Fake(f"{name}-30", f"{name} on 30 %", (by,), (exactly(faculty, least=NAMED),))
    yield from _pairs()
    yield _half_leaner()
    yield _first_or_guess()
    yield _refuser()
    yield from _told_harder()
    # Games are asked one after the other: blind on the last is not the same as tired.
    for game in ("reversi", "dots_boxes"):
        blind = lack.eyes(1.0, lack.in_game(game))
        bars = (located(game, least=OFTEN),)
        yield Fake(f"blind-on-{game}", "guesses on pictures of one game", (blind,), bars)
    yield Fake(
        "one-order",
        "guesses where options are offered in one of two orders, shown or in words",
        (lack.thinking(1.0, lack.offered_backwards),),
        (located("option order", least=OFTEN),),
    )
    yield Fake(
        "tiring",
        "slips rise from 0 to 60 % from call to call",
        (lack.rising_slips(0.6),),
        (located("call number", least=OFTEN),),
    )
    yield from _uniform()


def _matchers() -> Iterator[Fake]:
    yield _sound()
    for percent in (60, 80):
        yield Fake(
            f"one-direction-{percent}",
            f"guesses on {percent} % of the items when a caption is given, in words too; 3 % slips",
            (lack.slips(0.03), lack.thinking(percent / 100, lack.given_a_caption)),
            (names("thinking", least=NAMED), accuses("attention", most=RARELY)),
        )
    yield from _pairs()
    yield _half_leaner()
    yield _first_or_guess()
    yield _refuser()
    yield from _told_harder()
    yield Fake(
        "one-picture",
        "guesses when shown two pictures",
        (lack.eyes(1.0, lack.with_two_pictures),),
        (located("two pictures|2 pictures|number of pictures|caption", least=OFTEN),),
    )
    yield from _uniform()


def _counters() -> Iterator[Fake]:
    yield _sound()
    no_habit = (accuses("habit", most=RARELY),)
    for by in (1, 3):
        words = f"miscounts 70 % of the drawn things by {by}, ordinary or not; counts bars rightly"
        yield Fake(f"clutter-{by}", words, (lack.clutter(0.7, by),), no_habit)
    words = "the same by 1, but counts drawings of no thing rightly"
    yield Fake("clutter-things", words, (lack.clutter(0.7, 1, ("counterfactual", "ordinary")),), no_habit)
    for percent in (30, 50, 70, 100):
        bars = (names("habit", least=NAMED),)
        yield Fake(f"habit-{percent}", f"says the usual number of {percent} %", (lack.habit(percent / 100),), bars)
    yield Fake(
        "habit-and-clutter",
        "miscounts 30 % of the drawn things by 1, says the usual number on 40 % of the rest",
        (lack.clutter(0.3, 1), lack.habit(0.4)),
        (near("habit", 10, least=OFTEN),),
    )
    yield _refuser()
    yield Fake("half-four", "says 4 on half of all calls", (lack.says("4", 0.5),), _half_leaner().bars)


def _puzzlers() -> Iterator[Fake]:
    yield _sound()
    yield from _pairs()
    yield _half_leaner()
    yield _first_or_guess()


def _sorters() -> Iterator[Fake]:
    yield _sound()
    yield _half_leaner()
    yield _first_or_guess()


def _capable() -> Iterator[Fake]:
    yield _sound()
    words = "does half of what goes against a habit by the habit, else right"
    yield Fake("half-habit", words, (lack.habit(0.5),), (names("habit", least=OFTEN),))


FAMILIES: Mapping[str, Family] = {
    family.task: family
    for family in (
        # The other wordings of the rule are on no rung.
        Family("fixation", tuple(_players()), {"prompt": ("base",)}),
        Family("winoground", tuple(_matchers())),
        Family("bias", tuple(_counters())),
        # Questions about panels, and words beside the picture, are on no rung.
        Family("marvel", tuple(_puzzlers()), {"question": ("avr",), "words": ("none",)}),
        Family("bongard", tuple(_sorters())),
        Family("capacity", tuple(_capable()), seeds=10),
    )
}
