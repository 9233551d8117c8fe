"""A habit is charged only where answers are those of the habit."""

import numpy as np
import polars as pl
import pytest

from snellen.analysis.ladder.case import case_of
from snellen.analysis.ladder.rungs import LadderSpec
from snellen.analysis.ladder.sentences import details
from snellen.analysis.ladder.verdict import judge
from snellen.ladder import FREE, PICTURES, Rung, RungQuery
from support.ladder_rows import result_of

SIGNED = Rung(
    "thing",
    "the thing itself",
    (*PICTURES.demands, "clutter", "habit"),
    (RungQuery(("direct",), {"drawing": ("thing",)}),),
    signature=("usual", "other way"),
    counterparts=("ordinary",),
)
ANONYMOUS, ORDINARY = (
    Rung(name, "", (*PICTURES.demands, "clutter"), (RungQuery(("direct",), {"drawing": (name,)}),), on_line=on_line)
    for name, on_line in (("anonymous", True), ("ordinary", False))
)
SPEC = LadderSpec("beads", (*FREE, ANONYMOUS, ORDINARY, SIGNED), {"drawing": "bars"})


def counted(n=60, *, habit=0.0, clutter=0.0, thing=0.0, ordinary=0.0, seed=0):
    """Parts are counted, off by one either way where something is in the way: `clutter` on every drawing, `thing` on
    the thing itself, `ordinary` on the ordinary thing. By habit the usual number is said, which is off by one, too."""
    rng = np.random.default_rng([seed, n])
    lost = {name: rng.random(n) < share for name, share in (("clutter", clutter), ("habit", habit))}
    rows = []
    for paradigm, drawing in (
        *(("told", "bars"), ("words", "bars"), ("direct", "bars")),
        *(("direct", name) for name in ("anonymous", "ordinary", "thing")),
    ):
        for i in range(n):
            key, usual = 4, 5 if i % 2 else 3
            said = key
            share = {"bars": 0.0, "thing": thing, "ordinary": ordinary}.get(drawing, 0.0)
            if (drawing != "bars" and lost["clutter"][i]) or rng.random() < share:
                said += rng.choice([-1, 1])
            elif drawing == "thing" and lost["habit"][i]:
                said = usual
            kind = "" if said == key else "usual" if said == usual else "other way"
            rows.append(
                {
                    **{"task": "beads", "item": f"{i:04}", "cluster": f"{i:04}", "subject": "s", "pack": ""},
                    **{"paradigm": paradigm, "drawing": drawing, "reason": "", "labels": [], "mechanism": kind},
                    **{"outcome": "wrong" if kind else "right", "answer": str(said + i), "key": str(key + i)},
                }
            )
    return case_of(result_of(pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String)}), SPEC), 0)


def shares(case):
    return {loss.faculties[0]: loss.share for loss in case.losses}


@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_a_habit_with_its_signature_is_charged(share):
    case = counted(habit=share)
    judgement = judge(case)
    assert judgement.named == ("habit",)
    assert shares(case)["habit"].low < share + 1e-9
    assert share - 1e-9 < shares(case)["habit"].high + 0.02
    assert case.signature.other_way == 0


@pytest.mark.parametrize("seed", range(3))
def test_errors_either_way_at_the_last_step_are_no_habit_and_charged_to_nobody_alone(seed):
    """Half of the things themselves are miscounted, up and down alike; on a shape that is nothing, none are."""
    case = counted(thing=0.5, seed=seed)
    assert (judge(case).verdict, judge(case).why) == ("unclear", "together")
    found = {loss.faculties: loss.share for loss in case.losses}
    assert found["habit",].low == 0
    assert found["clutter",].value == pytest.approx(0, abs=0.05)
    assert found["clutter", "habit"].value == pytest.approx(0.5, abs=0.15)
    assert case.right.value + sum(share.value for share in found.values()) == pytest.approx(1)


def test_clutter_on_every_drawing_is_no_habit():
    case = counted(clutter=0.7)
    assert judge(case).named == ("clutter",)
    assert shares(case)["habit"].value == pytest.approx(0, abs=0.05)


def test_a_mixture_is_shared_out():
    case = counted(n=120, habit=0.5, thing=0.3, seed=1)
    found = shares(case)
    assert found["habit"].low < 0.35 < found["habit"].high, "half of the seven in ten that are not miscounted"
    assert {"habit"} <= set(judge(case).named) <= {"habit", "clutter"}
    assert case.right.value + sum(share.value for share in found.values()) == pytest.approx(1)


def test_without_a_better_counterpart_no_habit_is_charged():
    """The ordinary thing is missed as often: whatever that is, nothing goes against a habit there."""
    case = counted(habit=0.5, ordinary=0.6)
    assert "habit" not in judge(case).named
    assert case.signature.supported is False
    assert shares(case)["habit"].value == 0
    told = details(case, judge(case))
    assert any("not answered better, so nothing is charged to habit" in line for line in told)
    assert counted(habit=0.5).signature.supported is True


def test_where_a_habit_helps_the_rung_below_holds():
    """Sees next to nothing and says what is usual: right on the ordinary thing, wrong on bars. That is no habit of one
    who sees, and bars are not called harder than the ordinary thing."""
    helped = Rung(
        "ordinary",
        "",
        (*PICTURES.demands, "clutter"),
        (RungQuery(("direct",), {"drawing": ("ordinary",)}),),
        habit_helps=True,
    )
    rows = []
    for i in range(40):
        seen = i < 4
        for paradigm, drawing, right in (
            *(("told", "bars", True), ("words", "bars", True), ("direct", "bars", seen)),
            *(("direct", "ordinary", True), ("direct", "thing", False)),
        ):
            rows.append(
                {
                    **{"task": "beads", "item": f"{i:04}", "cluster": f"{i:04}", "subject": "s", "pack": ""},
                    **{
                        "paradigm": paradigm,
                        "drawing": drawing,
                        "reason": "",
                        "labels": [],
                        "answer": f"{i}",
                        "key": f"{i}",
                    },
                    "outcome": "right" if right else "wrong",
                    "mechanism": "usual" if drawing == "thing" else "",
                }
            )
    frame = pl.DataFrame(rows, schema_overrides={"labels": pl.List(pl.String)})
    case = case_of(result_of(frame, LadderSpec("beads", (*FREE, helped, SIGNED), {"drawing": "bars"})), 0)
    assert not case.harder
    assert judge(case).verdict == "eyes"
    found = {loss.faculties[0]: loss.share.value for loss in case.losses}
    assert found == {
        "attention": 0,
        "thinking": 0,
        "eyes": pytest.approx(0.9),
        "clutter": 0,
        "habit": pytest.approx(0.1),
    }
    assert case.right.value == pytest.approx(0)
