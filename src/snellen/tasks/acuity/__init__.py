"""Acuity, the eye chart: how small, how faint, how crowded may something be and still be seen?

Ten sorts of charts at graded levels, each with its key, its twin and what wrong answers betray. An adaptive design
finds the threshold of each; a constant one asks fixed levels.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from snellen.errors import UserError
from snellen.item import Item
from snellen.tasks.acuity.asking import NAME, applies, item, stimulus
from snellen.tasks.acuity.battery import TESTS, tests_setting
from snellen.tasks.acuity.designs import DESIGNS, FACTORS, LADDER
from snellen.tasks.acuity.features import due, observe
from snellen.tasks.acuity.kind import BLANK
from snellen.tasks.acuity.lines import INKS, LINES
from snellen.tasks.task import Levels, Task, lazy

EMPTY, EMPTY_ELSEWHERE = 20, 5
"""Empty charts of the first test that has any (letters, unless left out: nearly everybody takes them), and of each
other. If nothing is seen on any of 20, the rate is 0 % (0-16); of all 40 of the battery, 0 % (0-9)."""


def counts(levels: Levels, n: int) -> list[tuple[Mapping[str, str], int]]:
    """n items of each level that a test has, and of empty charts no fewer than a rate needs."""
    own = {test: INKS if test == LINES else TESTS[test].levels for test in levels["test"]}
    blank = {test for test in own if test != LINES and TESTS[test].blank}
    kinds = [
        {"test": test, "level": level}
        for test in levels["test"]
        for level in levels["level"]
        if level in own[test] or (level == BLANK and test in blank)
    ]
    if not kinds:
        known = "; ".join(f"{test}: {own[test][0]} to {own[test][-1]}" for test in levels["test"])
        raise UserError(f"level={'|'.join(levels['level'])}: none of these tests has it ({known})")
    first = next((kind["test"] for kind in kinds if kind["level"] == BLANK), "")
    least = {(test, BLANK): EMPTY if test == first else EMPTY_ELSEWHERE for test in levels["test"]}
    return [(kind, max(n, least.get((kind["test"], kind["level"]), 0))) for kind in kinds]


def items(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    return (item(kind, index, seed) for kind, count in counts(levels, n) for index in range(count))


TASK = Task(
    name=NAME,
    title="Eye chart",
    about="how small, faint or crowded a thing can be and still be seen: acuity, contrast, colour, number, field",
    factors=FACTORS,
    designs=DESIGNS,
    prompts=Path(__file__).with_name("wording.toml"),
    items=items,
    counts=counts,
    item=item,
    stimulus=stimulus,
    observe=observe,
    due=due,
    applies=applies,
    paradigms=("direct",),
    ladder=LADDER,
    study=lazy("snellen.tasks.acuity.study:AcuityStudy"),
    reads=("tokens_in", "tokens_picture"),
    tests=tests_setting,
    alike=lazy("snellen.tasks.acuity.study.same:same_model"),
    measures=True,
    worded={"asks": (*dict.fromkeys(test.asks for test in TESTS.values()), LINES)},
)
