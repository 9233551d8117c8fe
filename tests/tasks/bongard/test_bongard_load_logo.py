"""Bongard-LOGO: layouts, names as concepts, programs as twins."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_samples import SHARED, logo_problem, put

from snellen.errors import UserError
from snellen.tasks.bongard.load import load
from snellen.tasks.bongard.load.logo import Spot, concept
from snellen.tasks.bongard.load.strokes import as_rule, in_words
from snellen.tasks.panels import Unfit

REAL = SHARED / "bongard_logo"
NAMES = ("ff_nact6_0292", "ff_nact2_5_0000", "bd_isosceles_trapezoid-no_obtuse_angle_0000", "hd_convex_0004")
PROGRAM = [["line_triangle_0.715-0.250", "line_normal_1.000-0.500"], ["arc_normal_0.497_0.625-0.750"]]
WORDS = (
    "Shape 1 of 2, 2 strokes: turn right 90 degrees, straight for 0.715, as a row of triangles; "
    "straight for 1, as a plain line. "
    "Shape 2 of 2, 1 strokes: turn left 90 degrees, arc bending left through 90 degrees, radius 0.497, as a plain line."
)


def whole_set(folder: Path) -> Path:
    home = folder / "ShapeBongard_V2"
    for name in NAMES:
        logo_problem(home / name[:2] / "images" / name)
    put(home / "ShapeBongard_V2_split.json", {"val": [NAMES[3], NAMES[0], "ff_nact4_9999", NAMES[3]], "test_ff": 7})
    return home


def test_the_layout_as_published(tmp_path: Path) -> None:
    whole_set(tmp_path)
    loaded = load(str(tmp_path))
    problems = list(loaded.usable())
    assert [problem.id for problem in problems] == [f"logo/{name}" for name in sorted(NAMES[:2])] + [
        f"logo/{name}" for name in NAMES[2:]
    ]
    convex = problems[-1]
    assert (convex.concept, convex.category) == ("convex", "abstract attributes")
    assert convex.positives[6]["file"] == "hd/images/hd_convex_0004/1/6.png"
    assert convex.negatives[0]["file"] == "hd/images/hd_convex_0004/0/0.png"
    assert loaded.picture(convex.positives[0]).twin == ""


def test_a_split_is_read_in_its_order_and_what_is_not_there_is_reported(tmp_path: Path) -> None:
    home = whole_set(tmp_path)
    loaded = load(f"{tmp_path}:split=val")
    assert [problem.id for problem in loaded.usable()] == ["logo/hd_convex_0004", "logo/ff_nact6_0292"]
    gone, twice = loaded.missing
    assert gone.startswith("logo/ff_nact4_9999: 14 of 14 pictures")
    assert twice.startswith("logo/hd_convex_0004: is a duplicate")
    with pytest.raises(UserError, match="expected an object with a list under 'test_ff'"):
        load(f"{tmp_path}:split=test_ff")
    put(home / "ShapeBongard_V2_split.json", {"val": ["../../x", 5, None, NAMES[0]]})
    loaded = load(f"{tmp_path}:split=val")
    assert len(list(loaded.usable())) == 1
    assert len(loaded.missing) == 3


@pytest.mark.parametrize("name", ["ff_action_programs.json", "ff_action_program.json", "ff_action_program_000.json"])
def test_programs_become_twins(name: str, tmp_path: Path) -> None:
    home = whole_set(tmp_path)
    put(home / "ff" / name, {NAMES[0]: [[PROGRAM] * 7] * 2, NAMES[1]: [[PROGRAM] * 7, [PROGRAM] * 6]})
    loaded = load(str(tmp_path))
    short, whole, *_ = loaded.usable()
    assert (short.id, whole.id) == (f"logo/{NAMES[1]}", f"logo/{NAMES[0]}")
    assert loaded.picture(whole.negatives[3]).twin == WORDS
    assert loaded.picture(short.negatives[3]).twin == ""
    assert whole.concept == as_rule(PROGRAM)
    assert short.concept.startswith("a certain shape of")
    (line,) = loaded.missing
    assert line.startswith(f"program of {NAMES[1]}: expected the programs of seven positives and seven negatives; ")


def test_a_program_becomes_a_rule_one_could_draw_by() -> None:
    back = ["line_normal_1.000-0.500", "arc_normal_0.500_0.250-0.750", "line_zigzag_0.500-0.500"]
    assert as_rule([back]) == (
        "a path, large or small and turned any way: straight for 20, turn right by 90 degrees, bend right through 180"
        " degrees with radius 10, turn right by 180 degrees, straight for 10"
    )


def test_backward_arcs_and_straight_on() -> None:
    assert in_words([["arc_zigzag_0.500_0.250-0.500"]]).endswith(
        "1 strokes: arc backwards through 180 degrees, radius 0.5, as a zigzag line."
    )


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=20), lambda inner: st.lists(inner, max_size=3), max_leaves=5
    )
)
def test_no_program_whatever_gives_a_traceback(program: Any) -> None:
    try:
        said = in_words(program)
    except Unfit as fault:
        said = str(fault)
    assert said.isprintable()


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("ff_nact6_0292", "ff", "a certain shape of 6 strokes"),
        ("ff_nact2_5_0000", "ff", "a certain shape of 2 strokes and a certain shape of 5 strokes"),
        ("bd_isosceles_trapezoid-six_lines2_0000", "bd", "isosceles trapezoid and six lines2"),
        ("hd_convex-has_four_straight_lines_0007", "hd", "convex and has four straight lines"),
        ("01-convex_vs_concave", "", "convex (not: concave)"),
        ("demo", "", "demo"),
    ],
)
def test_names_tell_the_concept(name: str, kind: str, words: str) -> None:
    assert concept(Spot(name, "", kind)) == words


def test_a_single_problem_may_be_given(tmp_path: Path) -> None:
    logo_problem(tmp_path / "round_vs_square/png")
    for place in (tmp_path, tmp_path / "round_vs_square"):
        loaded = load(str(place))
        (problem,) = loaded.usable()
        assert (problem.id, problem.concept) == ("logo/round_vs_square", "round (not: square)")
        assert loaded.picture(problem.positives[0]).data


def test_a_missing_drawing(tmp_path: Path) -> None:
    home = whole_set(tmp_path)
    (home / "hd/images/hd_convex_0004/0/6.png").unlink()
    (line,) = load(str(tmp_path)).missing
    assert line == "logo/hd_convex_0004: 1 of 14 pictures cannot be used: hd/images/hd_convex_0004/0/6.png is missing"


@pytest.mark.skipif(not REAL.is_dir(), reason="the published files are not here")
def test_the_published_demonstrations() -> None:
    loaded = load(str(REAL))
    problems = list(loaded.usable())
    assert [problem.concept for problem in problems] == [
        "rectangle (not: circle)",
        "convex (not: concave)",
        "horizontal alignment (not: vertical alignment)",
    ]
    panel = problems[0].positives[0]
    assert loaded.picture(panel).data == (REAL / "00-rectangle_vs_circle/png/1/0.png").read_bytes()
