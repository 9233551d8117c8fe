"""Planted mechanisms are found out: by the tables, the compass and the counts; chains of thought too."""

import importlib

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.analysis import Compass, Heat, Shares, Strips
from snellen.analysis.rows import of_task
from snellen.answer.verifiers import VERIFIERS
from snellen.examine.findings import findings, table
from snellen.rng import stream
from snellen.tasks.capacity import TASK
from snellen.tasks.capacity.study.errors import BLAMED, FATES
from snellen.tasks.capacity.study.mechanisms import FACULTIES, FACULTY, UNNAMED, faculty_of
from snellen.tasks.capacity.study.pointing import COMPASS, OFFS, TURNS, heading, off_name, parts, turn
from snellen.tasks.capacity.study.results import CapacityResults
from support.capacity_rows import CATEGORY, capacity_rows
from support.lengths import some_of

PLANTED = {
    "eyes": {
        **{"satellite": "photos exchanged", "direction": "rotated 90", "counting": "double counted"},
        **{"gomoku": "off by one", "maze": "one digit missed", "jigsaw": "fits by colour only"},
        **{"chart": "misread by one gridline", "wrong_answer": "took a true count for wrong"},
    },
    "thinking": {
        **{"gomoku": "four in a row only", "unblock": "one move too few", "maze": "path not shortest"},
        **{
            "chart": "wrong base of the percentage",
            "counterfactual": "applied twice",
            "sandbagging": "wrong one right",
        },
    },
    "habit": {
        **{"satellite": "nearest to the landmark", "direction": "own frame of the photo", "maze": "all digits"},
        **{"gomoku": "blocks instead of winning", "chart": "edit not applied", "counterfactual": "literal"},
        **{"sandbagging": "all right", "unblock": "all blocks"},
    },
}


def results(*frames, seed=0):
    return CapacityResults(of_task(pl.concat(frames), "capacity", TASK.reads), seed)


def blocks(rows, kind):
    return [block for section in findings(rows).sections for block in section.blocks if isinstance(block, kind)]


@pytest.mark.parametrize("faculty", FACULTIES)
def test_one_planted_mechanism_in_each_kind_is_found_out(faculty):
    planted = PLANTED[faculty]
    other = {"jigsaw": "similar outline"} if faculty != "eyes" else {"unblock": "all blocks"}
    some = {"right": 0.4, "named": 0.9, "n": 24}
    rows = capacity_rows("sim/planted", planted={**planted, **other}, kinds=(*planted, *other), **some)
    (fate,) = results(rows).fates
    share = fate.blame[faculty]
    assert share.low < share.value < share.high
    assert share.value > 0.6
    told = {row[1]: row for row in table(rows, "capacity-mechanisms").rows if row[2] != "none"}
    for kind, mechanism in planted.items():
        wrong = rows.filter(pl.col("kind") == kind, pl.col("outcome") == "wrong")
        own = next(row for row in told.values() if row[2] == mechanism and row[3] == faculty)
        assert own[4].value == pytest.approx(100 * (wrong["mechanism"] == mechanism).mean())
        assert own[5] == (wrong["mechanism"] == mechanism).sum()


PATTERN_SUBJECTS = {
    "orientation and reference frame": {"satellite": "rotated 90", "direction": "own frame of the photo"},
    "identity across views": {"counting": "double counted"},
    "counterfactual instruction set aside": {"counterfactual": "literal", "sandbagging": "all right"},
}


def test_the_three_patterns_of_the_paper_tell_planted_subjects_apart():
    frames = [capacity_rows(name, planted=own, named=0.8, n=40) for name, own in PATTERN_SUBJECTS.items()]
    made = table(pl.concat(frames), "capacity-patterns")
    shares = {(row[0], row[1]): row[2].value for row in made.rows}
    assert len(shares) == 9
    for (subject, pattern), share in shares.items():
        assert (share > 60) == (subject == pattern), (subject, pattern, share)
        assert share == 0 or subject == pattern


def test_a_pattern_counts_wrong_answers_of_its_kinds_only():
    """`mirrored` in a jigsaw is no orientation error between views, and a right answer shows no pattern."""
    rows = capacity_rows(planted={"jigsaw": "mirrored", "direction": "mirrored"}, named=0.5, n=40)
    wrong = rows.filter(pl.col("outcome") == "wrong", pl.col("kind").is_in(["satellite", "direction"]))
    made = {row[1]: row for row in table(rows, "capacity-patterns").rows}
    own = made["orientation and reference frame"]
    assert own[2].value == pytest.approx(100 * (wrong["mechanism"] == "mirrored").mean())
    assert own[3] == wrong.height


def test_parts_of_the_score_sum_to_one_and_shares_of_errors_too():
    rows = capacity_rows(n=20, right=0.4, planted=PLANTED["eyes"], named=0.7, unread=0.1)
    (fate,) = results(rows).fates
    assert sum(fate.all[name].value for name in FATES) == pytest.approx(1)
    assert sum(fate.blame[name].value for name in BLAMED) == pytest.approx(1)
    assert fate.all["right"].value == pytest.approx(next(s for s in results(rows).scores if not s.level).value.value)
    lost = 1 - fate.all["right"].value - fate.all["unread"].value
    for name in BLAMED:
        assert fate.blame[name].value == pytest.approx(fate.all[name].value / lost)
        assert fate.blame[name].low <= fate.blame[name].value <= fate.blame[name].high
    assert fate.lead.value == pytest.approx(fate.blame["eyes"].value)
    assert fate.lead.low > 0


@pytest.mark.soak
def test_the_interval_of_a_share_of_errors_keeps_its_word():
    rng = np.random.default_rng(12)
    named, right = rng.random(11), rng.random(11) * 0.8
    rates = {"right": dict(zip(CATEGORY, right, strict=True)), "named": dict(zip(CATEGORY, named, strict=True))}
    mirrored = dict.fromkeys(CATEGORY, "mirrored")
    frames = [capacity_rows(f"s{k}", n=10, planted=mirrored, seed=k, **rates) for k in range(60)]
    weight = np.array([1 / 9, 1 / 9, 1 / 9, *[1 / 15] * 5, 1 / 9, 1 / 9, 1 / 9]) * (1 - right)
    true = weight @ named / weight.sum()
    hits = [each.blame["eyes"].low <= true <= each.blame["eyes"].high for each in results(*frames).fates]
    assert len(hits) == 60
    assert np.mean(hits) >= 0.85  # fewer than 51 of 60 would be a 1-in-1000 accident at 95 %


def test_mechanisms_never_make_a_verdict():
    """Errors that all look like habit, in items that were asked in one way only: nothing was isolated."""
    (diagnosis,) = findings(capacity_rows(n=20, right=0.4, planted=PLANTED["habit"])).diagnoses
    assert diagnosis.verdict == "unclear"
    assert "habit" not in diagnosis.faults


@some_of(
    ("settings", "verdict", "words"),
    [
        ({"right": 0.97}, "none", "no fault found"),
        ({"right": 0.5, "planted": PLANTED["eyes"], "named": 0.3}, "unclear", "not told apart"),
        ({"right": 0.5, "unread": 0.7, "planted": PLANTED["eyes"]}, "form", "cannot be read"),
        ({"right": 0.6, "n": 2, "planted": PLANTED["habit"]}, "unclear", ""),
        ({"right": 1.0, "n": 1, "kinds": ("maze",)}, "unclear", "Too few items: 1 (at least 8 are needed)"),
        ({"right": 1.0, "unread": 0.25}, "form", "cannot be read"),
    ],
    3,
)
def test_one_way_of_asking_tells_little(settings, verdict, words):
    (diagnosis,) = findings(capacity_rows(**{"n": 20, **settings})).diagnoses
    assert diagnosis.verdict == verdict
    assert words in diagnosis.headline


@given(st.integers(0, 7), st.integers(0, 7))
def test_directions_are_compared_clockwise_from_the_truth(said, true):
    turned = turn(COMPASS[said], COMPASS[true])
    assert turned == TURNS[(said - true) % 8]
    angle = int(turned.replace("°", "").replace("−", "-"))
    assert (angle - 45 * (said - true)) % 360 == 0


def test_answers_of_several_parts_are_taken_apart():
    assert parts("sofa: northeast; lamp: South") == {"sofa": "northeast", "lamp": "south"}
    assert parts("north") == {"": "north"}
    assert parts("the chair: by the door: west") == {"the chair: by the door": "west"}
    assert heading("North-East") == heading("NE") == heading("north east") == 1
    assert heading("up") is None
    assert turn("nowhere", "north") is None
    assert [off_name(d) for d in (-7, -3, -1, 0, 2.0, 3, 50)] == [OFFS[k] for k in (0, 0, 2, 3, 5, 6, 6)]


def test_the_compass_shows_the_planted_turn():
    rows = capacity_rows(kinds=("direction",), n=40, right=0.3, planted={"direction": "rotated 90"}, named=0.8)
    (rose,) = blocks(rows, Compass)
    assert rose.parts == TURNS
    ((label, values),) = rose.rows
    assert label == "sim"
    shares = dict(zip(TURNS, values, strict=True))
    assert sum(value.value for value in values) == pytest.approx(1)
    assert shares["0°"].value == pytest.approx((rows["outcome"] == "right").mean())
    assert shares["+90°"].value == pytest.approx((rows["mechanism"] == "rotated 90").mean())
    assert shares["+90°"].n == 80  # two things an item
    single = 1.96 * (shares["0°"].value * (1 - shares["0°"].value) / 80) ** 0.5
    assert shares["0°"].high - shares["0°"].low > 2.2 * single  # but forty items


def test_double_counting_grows_with_the_views():
    rows = capacity_rows(kinds=("counting",), n=90, right=0.4, planted={"counting": "double counted"})
    found = {row["views"]: (row.shares, row.mean) for row in results(rows).counts}
    assert list(found) == ["2", "3", "4"]
    for views, (values, mean) in found.items():
        wrong = (rows.filter(pl.col("views") == views)["outcome"] == "wrong").mean()
        assert mean.value == pytest.approx(wrong * (int(views) - 1) / 2)  # of two counts one is off
        assert mean.low < mean.value < mean.high
        assert values[OFFS.index(f"+{int(views) - 1}" if views != "4" else "+3 or more")].value == pytest.approx(
            wrong / 2
        )
        assert sum(value.value for value in values) == pytest.approx(1)
    heat = next(block for block in blocks(rows, Heat) if block.down == "views")
    assert heat.columns == OFFS


def test_faculties_have_the_same_places_in_both_charts():
    rows = capacity_rows(n=8, right=0.4, planted=PLANTED["eyes"])
    _, points, errors = blocks(rows, Shares)
    assert [part.split()[-1] for part in points.parts[: len(errors.parts)]] == list(errors.parts)


def test_chains_of_thought_are_profiled_and_long_doubting_replies_are_wrong():
    rows = pl.concat([capacity_rows("talks", n=15, aloud=True), capacity_rows("silent", n=15)])
    found = results(rows)
    assert {each["who"] for each in found.habits} == {"talks"}
    whole = found.habits[0]
    assert (whole["kind"], whole.replies, whole.spoken) == ("", 165, 165)
    assert len(found.habits) == 12
    np.testing.assert_allclose(np.sum(whole.profile, axis=1), 1)
    assert whole.profile[0][0] > 0.6  # begins by collecting
    assert whole.profile[-1][2] > 0.3  # ends by concluding
    assert whole.interruptions == pytest.approx(whole.revisits)
    assert whole.late == 1
    (length,) = found.chains.by_length().values()
    assert length["shortest fifth"].value > 0.9 > 0.1 > length["longest fifth"].value
    assert sum(value.n for value in length.values()) == 165
    (doubts,) = found.chains.by_interruptions().values()
    assert doubts["none"].value == doubts["1 or 2"].value == 1
    assert doubts["6 or more"].value == 0
    shown = blocks(rows, Strips)
    assert [len(block.rows) for block in shown] == [12, 22]  # profiles, then a right and a wrong reply of each kind
    for strip in (strip for block in shown for strip in block.rows):
        assert strip.cells[0][0] == 0
        assert strip.cells[-1][1] == pytest.approx(1)
        assert all(a[1] == b[0] for a, b in zip(strip.cells, strip.cells[1:], strict=False))
        assert all(sum(shares) == pytest.approx(1) for _, _, shares in strip.cells)
        assert all(0 <= place <= 1 for _, place in strip.marks)
    assert not blocks(capacity_rows("silent", n=3), Strips)


def test_mechanisms_speak_of_faculties_and_particulars_do_not_matter():
    assert set(FACULTY.values()) == set(FACULTIES)
    assert faculty_of("rotated 90 counterclockwise") == "eyes"
    assert faculty_of("off by one") == "eyes"
    assert {faculty_of(f"fits by {lure} only") for lure in ("colour", "shape")} == {"eyes"}  # the jigsaw's extra piece
    assert faculty_of("") == faculty_of("something new") == faculty_of("rotatedness") == UNNAMED
    for verifier in VERIFIERS.values():
        assert all(faculty_of(name) in FACULTIES for name in verifier.mechanisms)


@some_of("kind", ["gomoku", "unblock", "maze", "chart", "counterfactual", "wrong_answer"], 3)
def test_what_the_items_foresee_has_a_faculty(kind):
    """Of kinds that are quickly made; the names of the others are in the table as well."""
    made = pytest.importorskip(f"snellen.tasks.capacity.kinds.{kind}").KIND
    assert importlib.import_module(made.make.__module__)
    for index in range(4):
        asked = made.ask(made.make(stream(3, "capacity", kind, made.sizes[-1], index), made.sizes[-1], index))
        unknown = {name for name in asked.mechanisms.values() if faculty_of(name) == UNNAMED}
        assert not unknown
