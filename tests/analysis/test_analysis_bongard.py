"""What was put in must come out: losses to seeing, finding and applying, the verdict, the leaning, the ladder."""

import json

import polars as pl
import pytest
from bongard_rows import FULL, LADDER, OWN, bongard_rows

from snellen.analysis import Heat, render, to_json
from snellen.analysis.rows import of_task
from snellen.examine.findings import findings, table, tables
from snellen.tasks.bongard.study.results import BongardResults
from support.lengths import some_of


def results(rows, seed=0):
    return BongardResults(of_task(rows, "bongard"), seed)


def diagnosed(**how):
    (diagnosis,) = findings(bongard_rows(**how)).diagnoses
    return diagnosis


@pytest.mark.soak
def test_the_oracles_tell_eyes_from_the_rest_and_old_trials_leave_finding_and_applying_together():
    subjects = {
        "ideal": ({}, "none"),
        "nearly": ({"see": 0.98, "find": 0.99}, "none"),
        "nearsighted": ({"see": 0.4}, "eyes"),
        "cannot find": ({"find": 0.4}, "unclear"),
        "cannot apply": ({"apply": 0.4}, "unclear"),
        "partial to positive": ({"see": 0.4, "guess": 1.0}, "eyes"),
        "both": ({"see": 0.5, "find": 0.3}, "unclear"),
    }
    rows = pl.concat([bongard_rows(name, n=150, **how) for name, (how, _) in subjects.items()])
    for diagnosis in findings(rows).diagnoses:
        _, verdict = subjects[diagnosis.subject]
        assert diagnosis.verdict == verdict, diagnosis.headline
        assert "told and rule in words were not asked" in diagnosis.missing[0]


@some_of(
    ("how", "fault"),
    [({"find": 0.4}, "finding"), ({"apply": 0.4}, "applying"), ({"see": 0.4}, "eyes"), ({"attend": 0.6}, "attention")],
    2,
)
def test_with_all_rungs_the_deficit_put_in_is_the_fault(how, fault):
    diagnosis = diagnosed(n=150, seed=1, ways=LADDER, **how)
    assert diagnosis.faults == (fault,), diagnosis.headline
    assert diagnosis.verdict == ("thinking" if fault in ("finding", "applying") else fault)
    (planted,) = how.values()
    loss = next(loss.share for loss in diagnosis.losses if loss.faculties == (fault,))
    assert loss.low <= 1 - planted <= loss.high
    assert diagnosis.missing == ()


def test_gaps_in_points_of_accuracy_are_half_the_losses_and_paired():
    found = results(bongard_rows(see=0.5, n=300))
    gaps = {each["gap"]: each for each in (*found.gaps, *found.remains)}
    assert set(gaps) == {"perception", "induction", "application", "reasoning"}
    assert gaps["perception"].low < 0.25 < gaps["perception"].high
    assert gaps["perception"].pairs == 600
    assert gaps["perception"].p_items_holm < 0.001
    assert gaps["induction"].low < 0 < gaps["induction"].high
    assert gaps["application"].low < 0.25 < gaps["application"].high
    assert gaps["reasoning"].difference == 0
    assert gaps["perception"].p_items_holm == pytest.approx(2 * gaps["perception"].p_items, rel=1e-6)


def test_the_ladder_is_tested_step_by_step_on_the_same_queries():
    plain = bongard_rows("s", see=0.2, n=80, ways=(("dvrl", {}),))
    better = bongard_rows("s", see=0.6, n=80, ways=(("drl", {}),))
    best = bongard_rows("s", n=80, ways=(("ca", {}),))
    found = results(pl.concat([plain, better, best])).ladder
    assert [(each["better"], each["worse"]) for each in found] == [("drl", "dvrl"), ("ca", "drl"), ("ca", "dvrl")]
    assert all(each.low > 0 and each.p_items_holm < 0.05 and each.pairs == 160 for each in found)
    smallest = min(found, key=lambda each: each.p_items)
    assert smallest.p_items_holm == pytest.approx(min(1, 3 * smallest.p_items))
    others = bongard_rows("s", n=80, ways=(("ca", {"describer": "other"}),))
    assert not results(pl.concat([plain, others])).ladder  # only a subject in every role is on the ladder


def test_direct_and_dvrl_are_one():
    rows = pl.concat([bongard_rows(n=10, ways=((name, {}),)) for name in ("direct", "dvrl")])
    found = results(rows)
    assert [each["paradigm"] for each in found.overall] == ["dvrl"]
    assert found.overall[0].trials == 20


def test_a_favourite_answer_is_found_and_not_taken_for_knowledge():
    found = results(bongard_rows(see=0, guess=1.0, n=50))
    leaning = next(each for each in found.leanings if each["paradigm"] == "dvrl")
    assert leaning.positive.value == 1
    assert leaning.criterion < -2
    assert abs(leaning.sensitivity) < 0.01
    assert leaning.contrast.low > 0.8
    fair = results(bongard_rows(see=0.5, guess=0.5, n=300)).leanings[0]
    assert fair.positive.low < 0.5 < fair.positive.high
    assert "leans: on pictures it takes the first option" in " ".join(diagnosed(see=0.3, guess=0.95).details)


def test_one_kind_of_query_alone_shows_nothing():
    rows = bongard_rows(n=60, guess=1.0, see=0).filter(pl.col("query") == "positive")
    (diagnosis,) = findings(rows).diagnoses
    assert diagnosis.verdict == "unclear"
    assert "right every time" in diagnosis.headline


def test_without_oracles_only_a_clean_bill_can_be_told():
    alone = diagnosed(see=0.5, ways=OWN)
    assert alone.verdict == "unclear"
    assert "told and rule in words and words were not asked" in alone.missing[0]
    assert diagnosed(ways=OWN).verdict == "none"
    by_rule = diagnosed(find=0.4, ways=(*OWN, ("drl", {"inducer": "truth"})), n=150)
    assert by_rule.verdict == "unclear"
    beside = {(loss.lower, loss.upper): loss for loss in by_rule.beside}
    assert beside["rule and picture", "own rule"].faculties == ("finding",)
    assert beside["rule and picture", "own rule"].share.low > 0.3


def test_chains_of_thought_are_held_against_the_plain_question_and_are_no_oracles():
    ways = (*OWN, ("ccot", {}), ("cocot", {"describer": "twin"}))
    found = results(bongard_rows(see=0.6, n=80, ways=ways))
    assert [(each["better"], each["worse"]) for each in found.ladder if each["better"] not in ("drl", "ca")] == [
        ("ccot", "dvrl")
    ]
    assert not found.remains, "with exact words beside the pictures, it is not words alone that are reasoned from"


def test_a_reasoner_that_never_saw_a_picture_has_no_clean_bill():
    ways = (("ca", {"describer": "twin"}), ("ca", {"describer": "someone"}))
    able = diagnosed(ways=ways)
    assert able.verdict == "unclear"
    assert "not asked about the pictures" in able.headline


@pytest.mark.soak
def test_words_that_say_less_than_the_eyes_see_are_called_that():
    clear = bongard_rows("s", n=80, ways=(("dvrl", {}), ("ca", {"describer": "twin"})))
    words = bongard_rows("s", n=80, see=0.4, ways=(("ca", {}),))
    (diagnosis,) = findings(pl.concat([clear, words])).diagnoses
    assert diagnosis.verdict == "saying"
    assert "but not from its own description" in diagnosis.headline
    assert "saying" not in diagnosed(see=0.4, n=80).faults


def test_few_problems_are_unclear_and_unread_answers_a_fault_of_form():
    assert diagnosed(see=0.5, n=5).verdict == "unclear"
    assert diagnosed(refuse=0.5).verdict == "refusal"
    some = diagnosed(see=0.3, refuse=0.1, n=100)
    assert some.verdict == "eyes"
    assert any(line.startswith("Unread: ") for line in some.details)


def test_wordings_are_compared_on_the_same_queries():
    structured = bongard_rows(n=100, ways=(("dvrl", {}),))
    minimal = bongard_rows(n=100, see=0.3, ways=(("dvrl", {}),), prompt="minimal")
    alone = bongard_rows(n=100, find=0.8, ways=(("dvrl", {}),), examples="positives")
    found = {each["change"]: each for each in results(pl.concat([structured, minimal, alone])).wordings}
    assert found["structured against minimal"].low > 0.2
    assert found["both against positives"].low > 0
    assert found["structured against minimal"].pairs == 200
    names = {row[-8] for row in table(pl.concat([structured, minimal]), "bongard-wordings").rows}
    assert names == {"structured against minimal"}


def matrix_rows():
    casts = tuple(("ca", {"describer": who}) for who in ("eagle", "mole", "twin"))
    return pl.concat(
        [
            bongard_rows("b", n=30, see=0.5, ways=casts),
            bongard_rows("c", n=30, find=0.5, ways=casts[1:]),
        ]
    )


def test_the_matrix_has_a_cell_for_every_cast_and_none_for_others():
    found = findings(matrix_rows())
    (heat,) = (block for section in found.sections for block in section.blocks if isinstance(block, Heat))
    assert heat.columns == ("b", "c")
    assert [line for line, _ in heat.rows] == ["eagle", "mole", "twin"]
    cells = dict(heat.rows)
    assert cells["eagle"][1] is None
    assert cells["twin"][0].value == 100
    assert cells["mole"][0].low < cells["mole"][0].value < cells["mole"][0].high
    assert to_json(heat)["kind"] == "heat"
    assert len(table(matrix_rows(), "bongard-matrix").rows) == 5
    described = {(each["who"], each["of"]) for each in results(matrix_rows()).gaps}
    assert described == {("b", "eagle"), ("b", "mole"), ("c", "mole")}


def test_findings_are_plain_json_the_same_every_time_and_every_table_prints():
    rows = pl.concat([bongard_rows("s", see=0.5, n=8), bongard_rows("t", n=8, prompt="minimal")])
    found = findings(rows, seed=3)
    text = json.dumps(to_json(found), allow_nan=False)
    assert text == json.dumps(to_json(findings(rows, seed=3)), allow_nan=False)
    for diagnosis in found.diagnoses:
        assert sum(loss.share.value for loss in diagnosis.losses) + diagnosis.right.value == pytest.approx(1)
    for named in tables(rows).values():
        made = named.make()
        assert all(len(row) == len(made.columns) for row in made.rows)
        assert "nan" not in render(made, "csv").lower()


def test_rows_without_roles_are_enough():
    rows = bongard_rows(n=20, ways=(("dvrl", {}),)).drop("describer", "reasoner", "inducer", "applier", "examples")
    (diagnosis,) = findings(rows).diagnoses
    assert diagnosis.subject == "sim"


def test_failed_calls_are_missing():
    failed = pl.when(pl.col("item").str.ends_with("1")).then(pl.lit("error")).otherwise(pl.col("reason"))
    rows = bongard_rows(n=60, ways=FULL).with_columns(reason=failed)
    (diagnosis,) = findings(rows).diagnoses
    assert diagnosis.verdict == "none"
    assert any("calls failed" in line for line in diagnosis.details)
