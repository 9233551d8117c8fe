"""Fine questions are about what the rule turns on: which they are, and that what they say of a panel is so."""

import re
from collections import Counter
from typing import Any

import pytest

from snellen.item import Item
from snellen.rng import stream
from snellen.tasks.marvel.generate import families
from snellen.tasks.marvel.generated import item, items
from snellen.tasks.marvel.probes import Fine, rule_questions
from snellen.tasks.marvel.probing.texts import TEXTS
from snellen.tasks.marvel.probing.turns_on import turns_on
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES

LEVELS: dict[str, Any] = {
    "pattern": PATTERNS,
    "configuration": CONFIGURATIONS,
    "shapes": SHAPES,
    **{"rules": ("1",), "closeness": ("far",), "clutter": ("none",)},
}
OFF_THE_RULE = {"emptier", "middle"}
"""What may be asked of any drawing and so says nothing about a rule."""


SAME = (
    # where something stands or faces, once it has moved or turned
    (
        r"\b(moves?|moved|goes round|turned|turns by|flipped|ahead|equally far)\b",
        r"half (or|of)|row of|row \d|further|\babove\b|to the (left|right|\{a\})|o'clock|from the middle|point\b"
        r"|\brun\b|how far|turned|mirrored|does the filled cell move",
    ),
    # how things stand to each other
    (
        r"\b(inside|outside|edge|apart|overlapping|touching|crossing|in the other)\b",
        r"\b(inside|outside|edge|apart|overlap\w*|touching|crossing|joined)\b",
    ),
    (r"at a (corner|side)", r"of the large one\? (corner|side)"),
    (r"on the (left|right)|at the (top|bottom)", r"of the large one\? (top|bottom|left|right)"),
    (r"\b(above|below|to the left|to the right)\b.* the white one", r"the white one|further|\babove\b|to the \{a\}"),
    (r"figures that are alike", r"figures that are alike"),
    (r"in line|figures run", r"line of figures"),
    (r"between the large ones|beyond", r"smallest of the three"),
    (r"arrow points", r"arrow"),
    # how many there are of something, or where parts of a drawing are
    (r"the (lines|strokes)|number of (lines|strokes)", r"\blines\b(?!.*(cross|areas))|\bside\b"),
    (r"curved strokes", r"lines .* are curved"),
    (r"crossings", r"lines cross"),
    (r"closed areas", r"closed areas"),
    (r"(?<!kinds of )symbols", r"(?<!kinds of )symbols"),
    (r"kinds of symbols", r"kinds of symbols"),
    (r"all figures|the (black )?figures", r"symbols lie"),
    (r"black cells", r"row \d, column \d|cells"),
    (r"[Cc]orners", r"corners"),
    (r"bulges ", r"bulges"),
    (r"pips|[Dd]ots", r"\bdots\b"),
    (r"kinds of outline", r"does choice .* show|around everything|bulges"),
    # forms
    (r"symmetr|half a turn", r"axis|axes|mirror|upside down|[Ww]hich letter|have to be changed"),
    (r"\bdent\b|their form", r"dented"),
    (r"(straight|curved) lines|kind of line", r"all straight|all curved|of both kinds|with \{a\} or with"),
    (r"openness|(is|figure) (open|closed)", r"\bopen\b"),
    (r"pieces", r"pieces|line that cuts"),
    (r"image|copy|right figure", r"the other one \{a\}"),
    (r"these faces", r"face"),
)
"""What a rule speaks of, and how one is asked about the same: written down here, apart from the table under test."""
COUNTED = {
    "symbols": "How many symbols",
    "black symbols": "How many solid symbols",
    "different kinds of symbols": "How many different kinds of symbols",
    "lines": "How many separate lines",
    "strokes": "How many separate lines",
    "curved strokes": "are curved",
    "crossings": "lines cross each other",
    "closed areas": "How many closed areas",
    "corners": "How many corners",
    "bulges": "How many bulges",
}


@pytest.fixture(scope="module")
def made() -> list[Item]:
    return list(items(LEVELS, 114, seed=11))


def test_every_family_says_what_its_rule_turns_on() -> None:
    for pattern in PATTERNS:
        for configuration in CONFIGURATIONS:
            for shapes in SHAPES:
                for family in families(pattern, configuration, shapes):
                    names = turns_on(pattern, family.name)
                    assert names, (pattern, family.name)
                    assert {*names} <= {*TEXTS}
                    assert not {*names} & OFF_THE_RULE


def _suits(rule: str, question: str) -> bool:
    """Whether a question is after something that a rule speaks of."""
    return any(re.search(spoken, rule) and re.search(asked, question) for spoken, asked in SAME)


def _said(one: Item) -> tuple[str, str]:
    """What the maker says of rule and wrong choices, and the fine question with its answers."""
    fine = one.truth["fine"]
    rule = " ".join((one.truth["concept"], *one.truth["details"]))
    return rule, " ".join((fine["text"], fine["right"], fine["wrong"]))


def test_every_puzzle_is_asked_about_what_its_rule_speaks_of(made: list[Item]) -> None:
    assert [_said(one) for one in made if not _suits(*_said(one))] == []


def test_questions_of_other_puzzles_would_be_found_out(made: list[Item]) -> None:
    """Exchanged between puzzles of other families, most questions suit no longer."""
    pairs = [(one, other) for one in made for other in made if one.truth["family"] != other.truth["family"]]
    found = [_suits(_said(one)[0], _said(other)[1]) for one, other in pairs]
    assert sum(found) < 0.25 * len(found)


def test_quantities_are_asked_after_the_very_number_that_the_rule_goes_by(made: list[Item]) -> None:
    seen = set()
    for one in made:
        if one.levels["pattern"] == "quantities":
            number = re.search(r"number of ([a-z ]+?) (?:goes|is|grows|in|stays)", one.truth["concept"])
            assert number, one.truth["concept"]
            seen.add(number[1])
            assert COUNTED[number[1]] in one.truth["fine"]["text"]
    assert len(seen) >= 8


def test_quantities_are_asked_after_quantities(made: list[Item]) -> None:
    kinds = Counter((one.levels["pattern"], one.truth["fine"]["type"]) for one in made)
    share = {
        pattern: kinds[pattern, "quantity"] / sum(n for (name, _), n in kinds.items() if name == pattern)
        for pattern in PATTERNS
    }
    assert share["quantities"] == 1, "published: 141 of 240"
    assert share["mathematical"] > 0.5
    assert share["temporal"] == share["spatial"] == 0
    moved = kinds["temporal", "location"] / sum(n for (name, _), n in kinds.items() if name == "temporal")
    assert moved > 0.7


@pytest.mark.parametrize("hard", [{"rules": "3"}, {"closeness": "near"}, {"clutter": "some"}])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_hard_puzzles_are_asked_so_too(pattern: str, hard: dict[str, str]) -> None:
    configuration = "reassembling" if pattern == "3d" else "sequence"
    kind = {"pattern": pattern, "configuration": configuration, "shapes": "geometric", "rules": "1"}
    one = item({**kind, "closeness": "far", "clutter": "none", **hard}, 0, 3)
    assert one.truth["fine"]["turns_on"] in turns_on(pattern, one.truth["family"])


def test_the_numbers_to_be_told_apart_are_the_nearest_among_the_choices() -> None:
    kind = {"pattern": "quantities", "configuration": "group", "shapes": "geometric", "rules": "1", "clutter": "none"}
    for index in range(4):
        known = item({**kind, "closeness": "near"}, index, 4).truth["fine"]
        words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        assert abs(words.index(known["right"]) - words.index(known["wrong"])) == 1


# What is said of a panel, on drawings anyone can check by hand


def figure(shape: str, x: int, y: int, size: int, fill: str = "none", turn: int = 0) -> dict[str, Any]:
    return {"shape": shape, "x": x, "y": y, "size": size, "fill": fill, "turn": turn}


def line(x: int, y: int, x2: int, y2: int) -> dict[str, Any]:
    return {"shape": "line", "x": x, "y": y, "x2": x2, "y2": y2}


def path(*points: tuple[int, int], closed: bool = False, curved: bool = False) -> dict[str, Any]:
    return {"shape": "path", "points": [list(p) for p in points], "closed": closed, "curved": curved, "fill": "none"}


BLOB = ((90, 30), (120, 70), (150, 90), (110, 110), (90, 150), (70, 110), (30, 90), (60, 70))
THREE = ("white", "black", "white")
CASES: list[tuple[str, list[dict[str, Any]], set[str]]] = [
    ("symbols", [figure("star", 40 + 40 * i, 60, 12) for i in range(3)], {"three"}),
    ("kinds", [figure(kind, 40 + 30 * i, 60, 12) for i, kind in enumerate(("star", "heart", "star"))], {"two"}),
    ("blacks", [figure("star", 40 + 30 * i, 60, 12, f) for i, f in enumerate(("black", "white", "black"))], {"two"}),
    ("whites", [figure("star", 40 + 30 * i, 60, 12, f) for i, f in enumerate(("black", "white", "black"))], {"one"}),
    ("strokes", [line(30, 30, 30, 90), line(60, 30, 60, 90), line(90, 30, 90, 90)], {"three"}),
    ("curves", [line(30, 30, 30, 90), path((60, 30), (80, 60), (60, 90), curved=True)], {"one"}),
    ("cross_at", [line(30, 30, 150, 150), line(150, 30, 30, 150)], {"one"}),
    ("areas", [figure("square", 90, 90, 50), line(90, 40, 90, 140)], {"two"}),
    ("corners", [path((40, 40), (140, 40), (150, 120), (90, 150), (30, 120), closed=True)], {"five"}),
    ("bulges", [path(*BLOB, closed=True, curved=True)], {"four"}),
    ("in_half", [figure("circle", x, 40, 9, "black") for x in (30, 60, 140)], {"two", "one", "three"}),
    ("slanted", [line(30, 30, 150, 150), line(40, 20, 40, 160), line(60, 20, 60, 160)], {"one", "two"}),
    ("lines_meet", [line(30, 30, 150, 30), line(90, 60, 90, 150)], {"apart"}),
    ("lines_meet", [line(30, 90, 150, 90), line(90, 90, 90, 150)], {"forming a T"}),
    ("lines_meet", [line(30, 90, 150, 90), line(30, 90, 60, 150)], {"joined at their ends"}),
    ("lines_meet", [line(30, 90, 150, 90), line(90, 30, 90, 150)], {"crossing"}),
    ("shapes_meet", [figure("circle", 60, 90, 30), figure("circle", 120, 90, 30)], {"just touching"}),
    ("shapes_meet", [figure("circle", 70, 90, 30), figure("circle", 110, 90, 30)], {"overlapping"}),
    ("small_where", [figure("square", 90, 90, 40), figure("circle", 90, 50, 9)], {"on the edge of"}),
    ("cornered", [figure("square", 90, 90, 40), figure("circle", 62, 62, 9)], {"corner"}),
    ("towards", [figure("square", 90, 90, 40), figure("circle", 90, 64, 9)], {"top"}),
    ("compass", [figure("star", 50, 90, 20, "black"), figure("star", 130, 90, 20, "white")], {"to the left of"}),
    ("row_runs", [figure("star", x, x, 15, "white") for x in (40, 90, 140)], {"falling to the right"}),
    ("in_line", [figure("star", 40 + 50 * i, 90, 15, f) for i, f in enumerate(THREE)], {"in the middle"}),
    (
        "alike",
        [figure(k, 56 + 68 * (i % 2), 56 + 68 * (i // 2), 20) for i, k in enumerate(("star", "heart", "drop", "star"))],
        {"on the diagonal falling to the right"},
    ),
    ("faces_way", [figure("heart", 90, 90, 40, turn=90)], {"to the left"}),
    ("faces_way", [figure("moon", 90, 90, 40, turn=90)], {"down"}),
    ("lines_run", [line(40, 140, 120, 60), line(60, 150, 140, 70)], {"rising to the right"}),
    ("cut_runs", [figure("circle", 90, 90, 50), line(90, 40, 90, 140)], {"up and down"}),
    ("pieces", [figure("circle", 90, 90, 50), line(90, 40, 90, 140)], {"equal"}),
    ("axes", [figure("square", 90, 90, 50)], {"four"}),
    ("axis_runs", [figure("arrow", 90, 90, 50, turn=90)], {"level"}),
    ("half_turn", [figure("arrow", 90, 90, 50)], {"different"}),
    ("has_axis", [figure("arrow", 90, 90, 50)], {"has an axis of symmetry"}),
    ("lines_of", [figure("square", 50, 90, 20), figure("circle", 120, 90, 20)], {"of both kinds"}),
    ("dent", [figure("star", 90, 90, 50)], {"dented somewhere"}),
    ("dent", [figure("hexagon", 90, 90, 50)], {"bulging outwards everywhere"}),
    ("closed", [path((30, 30), (150, 60), (60, 150))], {"open"}),
    ("drawn_with", [figure("circle", 90, 90, 60), figure("star", 90, 90, 20, "black")], {"curved", "straight"}),
    ("half", [path((90, 90), (150, 60), (150, 120), closed=True) | {"fill": "grey"}], {"right"}),
    ("hour", [figure("circle", 90, 40, 7, "black")], {"twelve"}),
    ("from_middle", [figure("circle", 130, 130, 7, "black")], {"at the lower right"}),
]  # fmt: skip


def asked(marks: list[dict[str, Any]], *names: str) -> list[Fine]:
    return rule_questions({"marks": marks}, "W", stream(0, "test"), names)


@pytest.mark.parametrize(("name", "marks", "right"), CASES)
def test_what_is_said_is_so(name: str, marks: list[dict[str, Any]], right: set[str]) -> None:
    assert {fine.right for fine in asked(marks, name)} == right


def test_marks_at_the_rim_are_left_out_and_the_question_says_so() -> None:
    ticks = [line(18, 58, 26, 58), line(18, 122, 26, 122)]
    (fine,) = asked([line(60, 30, 60, 90), line(90, 30, 90, 90), *ticks], "strokes")
    assert fine.right == "two"
    assert fine.text.startswith("Leave the small marks at the edge out.")


def test_badges_below_a_drawing_are_counted_apart() -> None:
    badges = [figure("star", 78 + 24 * i, 154, 8, "black") for i in range(2)]
    found = asked([figure("square", 90, 80, 40), line(90, 40, 90, 120), *badges], "areas", "below")
    assert {(fine.name, fine.right) for fine in found} == {("areas", "two"), ("below", "two")}
    assert all(("large drawing" in fine.text) == (fine.name == "areas") for fine in found)


@pytest.mark.parametrize("shapes", SHAPES)
def test_clocks_are_asked_how_far_one_hand_is_ahead(shapes: str) -> None:
    """The angle is the one that the maker's own words give in hours."""
    kind = {name: level[0] for name, level in LEVELS.items()}
    kind |= {"pattern": "temporal", "configuration": "group", "shapes": shapes}
    found = [one for index in range(12) if (one := item(kind, index, 5)).truth["family"] == "clock"]
    assert found
    for one in found:
        told = [words or one.truth["concept"] for words in one.truth["details"]]
        hours = [HOURS.index(re.search(r"long hand (?:is )?(\w+) hour", words)[1]) for words in told]  # type: ignore[index]
        for choice, ahead in zip(one.truth["choices"], hours, strict=True):
            (asked,) = rule_questions(choice, "choice {choice}", stream(1), ("ahead",))
            assert asked.right == f"{30 * ahead} degrees"
            assert "from the small white shape to the solid shape" in asked.text
        assert one.truth["fine"]["turns_on"] == "ahead"


HOURS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
