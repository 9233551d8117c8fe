"""Planted caps, tokens and blind spots are found, and nothing is found where nothing is."""

import pytest

from snellen.tasks.acuity.study.card import card
from snellen.tasks.acuity.study.resolution import RULES, Cap, size_of
from snellen.tasks.acuity.study.results import AcuityResults
from snellen.tasks.acuity.study.words import resolution_lines
from snellen.tasks.acuity.view import SQUARE, WIDE
from support.acuity_rows import Sitting, table
from support.lengths import some_of

SIZES = ((256, 256), (512, 512), (1024, 1024), (2048, 2048), (4096, 4096), (1024, 512), (1024, 256), (2048, 512))

SHAPES = tuple(size_of(canvas) for canvas in (*SQUARE, *WIDE))
"""All canvases of the design."""


def looked(cap: Cap | None, seed: int = 0, who: str = "x", sizes=SIZES, harder: float = 1.0) -> Sitting:
    """Letters on these canvases behind a cap; `harder`: how much larger they must be where they were resampled."""
    one = Sitting(who, seed)
    for wide, high in sizes:
        shrunk = cap.shrinks((wide, high)) if cap else 1.0
        shrunk *= harder if shrunk > 1 else 1.0
        one.track("letters", min(2.1 * shrunk, 50.0), canvas=str(wide) if wide == high else f"{wide}x{high}")
    return one


def sitting(one: Sitting):
    return AcuityResults(table(one)).sittings[one.subject]


@some_of("cap", [Cap("edge", 768), Cap("area", 768**2), Cap("edge", 448), Cap("short", 768)], 4)
def test_a_planted_cap_is_found_with_its_rule(cap):
    found = sitting(looked(cap, sizes=SHAPES)).resolution
    assert found.kind == "shrunk"
    assert found.side.low <= cap.side <= found.side.high
    assert found.side.high / found.side.low < 1.5
    assert cap.rule in found.told
    assert found.told == (cap.rule,) or cap.cap == 448


@some_of("seed", range(2), 2)
def test_a_cap_is_found_where_resampled_letters_are_harder_to_read(seed, monkeypatch):
    cap = Cap("edge", 768)
    rows = looked(cap, seed, sizes=SHAPES, harder=1.25)
    found = sitting(rows).resolution
    assert found.kind == "shrunk"
    assert found.caps["edge"].low <= cap.cap <= found.caps["edge"].high
    assert found.harder > 1.0
    monkeypatch.setattr("snellen.tasks.acuity.study.resolution._HARDER", (1.0,))
    blind = sitting(rows).resolution
    assert blind.caps is None or blind.caps["edge"].high < cap.cap, "the cap comes out too low"


def test_rules_that_the_shapes_cannot_tell_apart_are_all_named():
    found = sitting(looked(Cap("edge", 1568), sizes=SIZES[:5])).resolution
    assert found.kind == "shrunk"
    assert found.side.low <= 1568 <= found.side.high
    assert set(found.told) >= {"edge", "area"}
    assert "cannot be told" in resolution_lines(sitting(looked(Cap("edge", 1568), sizes=SIZES[:5])))[0]


@some_of("seed", range(3), 3)
def test_where_nobody_shrinks_none_is_found(seed):
    found = sitting(looked(None, seed)).resolution
    assert found.kind == "whole"
    assert 2048 <= found.up_to <= 4096
    assert found.side is None


def test_thresholds_that_follow_no_rule_are_told_as_such():
    one = Sitting("x", 1)
    for canvas, threshold in ((256, 2.0), (512, 9.0), (1024, 2.0), (2048, 9.0), (4096, 2.0)):
        one.track("letters", threshold, canvas=str(canvas))
    found = sitting(one).resolution
    assert found.kind == "unclear"
    assert "no known rule" in found.why


def test_two_sizes_say_nothing():
    found = sitting(looked(None, sizes=SIZES[:2]))
    assert found.resolution is None
    assert resolution_lines(found) == ()
    assert "Effective resolution" in card(found, {}).absent


@pytest.mark.parametrize(
    ("canvas", "size"), [("512", (512, 512)), ("1024x256", (1024, 256)), ("wide", None), ("1x2x3", None)]
)
def test_the_size_of_a_canvas(canvas, size):
    assert size_of(canvas) == size


def billed(patch: int, cap: Cap | None, each: int = 1, base: int = 40) -> Sitting:
    one = Sitting("x")
    for wide, high in SIZES:
        w, h = (wide, high) if cap is None else RULES[cap.rule]((wide, high), cap.cap)
        spent = base + each * -(-w // patch) * -(-h // patch)
        one.constant("letters", 8.0, 2, 0, canvas=f"{wide}x{high}", tokens_in=spent)
    return one


@some_of(
    ("patch", "cap", "each"),
    [(28, Cap("edge", 1568), 1), (14, Cap("edge", 768), 1), (32, Cap("area", 1024**2), 1), (28, Cap("edge", 1568), 3)],
    4,
)
def test_tokens_tell_the_cap_and_the_patch(patch, cap, each):
    found = sitting(billed(patch, cap, each)).tokens
    assert found.kind == "capped"
    assert found.low <= cap.side <= found.high
    assert patch in found.patches
    assert cap.rule in found.rules


def test_tokens_that_grow_that_stay_and_that_are_not_told():
    assert sitting(billed(28, None)).tokens.kind == "growing"
    assert sitting(billed(28, None, each=0)).tokens.kind == "fixed"
    assert sitting(looked(None, sizes=SIZES[:3])).tokens is None


@some_of(("cap", "words"), [(768, "as the answers do"), (2048, "the answers say otherwise")], 2)
def test_tokens_are_held_against_the_answers(cap, words):
    one = looked(Cap("edge", 768))
    for row, (wide, high) in ((row, _size(row)) for row in one.rows):
        w, h = RULES["edge"]((wide, high), cap)
        row["tokens_in"] = 40 + -(-w // 28) * -(-h // 28)
    assert words in " ".join(resolution_lines(sitting(one)))


def _size(row):
    return size_of(str(row["canvas"]))


def test_a_blind_corner_is_seen_and_an_even_field_is_even():
    for blind in (False, True):
        one = Sitting("x", seed=9)
        for row in range(1, 6):
            for column in range(1, 6):
                lost = blind and row == 1 and column <= 2
                one.track("letters", 8.0 if lost else 2.0, place=f"r{row}c{column}")
        (field,) = sitting(one).fields
        assert field.differ == blind
        assert field.canvas == "512"
        if blind:
            assert field.cells[0][0].value > 2 * field.cells[4][4].value


def test_places_nobody_asked_are_empty():
    one = Sitting("x", seed=9).track("letters", 2.0, place="r1c1").track("letters", 2.0, place="r3c3")
    (field,) = sitting(one).fields
    assert field.cells[0][0] is not None
    assert field.cells[4][4] is None


def test_a_cap_is_not_told_where_small_pictures_show_no_limit():
    """Eyes finer than what is drawn: large pictures are shrunk, but nobody knows how much."""
    one = Sitting("x", seed=4)
    for canvas in (256, 512, 768):
        for level in (0.5, 0.56, 0.63, 1.0):
            one.constant("letters", level, 12, 0, canvas=str(canvas))
    for canvas in (2048, 4096):
        one.track("letters", 0.3 * canvas / 768, canvas=str(canvas))
    found = sitting(one).resolution
    assert found.kind == "unclear"
    assert "are shrunk" in found.why
