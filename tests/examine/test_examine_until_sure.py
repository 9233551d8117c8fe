"""Exams that stop when they know: what is asked, resuming, order of arrival, and what is said of it."""

import asyncio
import json
from collections import Counter

import pytest

import snellen
from snellen.engine import Store
from snellen.errors import UserError
from snellen.examine import ExamOptions, make_plan, run_plan
from snellen.examine.ladder_tracks import SubjectLadder
from snellen.sequential import SEQUENTIAL
from snellen.tasks import task as find_task
from snellen.tasks import task_names
from support.commands import fails
from support.commands import snellen as command
from support.lengths import few_and_more

LADDERS = tuple(name for name in task_names() if not find_task(name).design().tracks)


def found(exam, task="fixation"):
    """The recorded results of the last exam of a store, by subject."""
    return exam.fingerprints[-1][SEQUENTIAL][task]


def statuses(result):
    return {step["faculties"][0]: step["status"] for step in result["steps"]}


def test_a_habit_is_found_for_a_fraction_of_the_calls(tmp_path):
    exam = snellen.exam("sim/fixated", until="sure", store=tmp_path / "store.sqlite")
    (diagnosis,) = exam.findings.diagnoses
    assert diagnosis.verdict == "habit"
    assert exam.summary.done < 1020 / 4
    assert statuses(found(exam)["sim/fixated"])["habit"] == "shown"
    assert set(statuses(found(exam)["sim/fixated"]).values()) == {"shown", "excluded"}
    assert "Stopped after" in " ".join(diagnosis.details)


def test_a_finished_exam_given_again_asks_nothing_and_says_the_same(tmp_path):
    first = snellen.exam("sim/ideal", until="sure", store=tmp_path / "store.sqlite")
    told = first.findings.diagnoses
    again = snellen.exam("sim/ideal", until="sure", store=tmp_path / "store.sqlite")
    assert again.summary.done == 0
    assert again.summary.skipped == first.summary.done
    assert again.findings.diagnoses == told
    assert [diagnosis.verdict for diagnosis in told] == ["none"]


class Brittle:
    """Answers by the length of the question; the call of this number fails, and later questions may be answered
    earlier."""

    name = "brittle"

    def __init__(self, fails_at):
        self.left = fails_at

    async def __call__(self, parts):
        await asyncio.sleep(0.002 * (self.left % 5))
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("out of order")
        text = " ".join(part for part in parts if isinstance(part, str))
        return "X" if len(text) % 3 else "O"


@few_and_more("stops", [17], [3, 30])
def test_an_exam_that_was_interrupted_asks_the_same_as_one_that_was_not(tmp_path, stops):
    choices: ExamOptions = {"until": "sure", "most": 60, "tasks": "fixation"}
    whole = run_plan(make_plan({"brittle": Brittle(10**6)}, **choices), tmp_path / "whole.sqlite")
    part = tmp_path / "part.sqlite"
    interrupted = run_plan(make_plan({"brittle": Brittle(stops)}, **choices), part, concurrency=4)
    assert interrupted.summary.errors
    resumed = run_plan(make_plan({"brittle": Brittle(10**6)}, **choices), part, concurrency=3)
    assert found(resumed) == found(whole)
    read = resumed.rows.filter(resumed.rows["reason"] != "error")
    assert set(read["trial"]) == set(whole.rows["trial"])


def test_replies_that_cannot_be_read_are_lost_to_form(tmp_path):
    exam = snellen.exam({"mumbler": lambda parts: "hm"}, until="sure", store=tmp_path / "store.sqlite")
    result = found(exam)["mumbler"]
    assert statuses(result)["form"] == "shown"
    assert set(statuses(result).values()) == {"shown", "not measurable"}
    assert exam.findings.diagnoses[0].verdict == "form"
    assert result["calls"] < 100


def test_a_fixed_exam_afterwards_takes_the_diagnosis_over(tmp_path):
    store = tmp_path / "store.sqlite"
    snellen.exam("sim/ideal", until="sure", store=store)
    later = snellen.exam("sim/ideal", n=2, store=store)
    assert "Stopped after" not in " ".join(later.findings.diagnoses[0].details)


def test_the_calls_end_where_they_are_told_to(tmp_path):
    exam = snellen.exam("sim/sloppy", until="sure", most=40, store=tmp_path / "store.sqlite")
    result = found(exam)["sim/sloppy"]
    assert result["calls"] <= 40
    assert result["reached"]
    assert "open" in statuses(result).values()
    assert "--most" in " ".join(exam.findings.diagnoses[0].details)


@pytest.mark.parametrize("name", LADDERS)
def test_every_task_can_be_asked_until_sure(name):
    (part,) = make_plan("sim/ideal", tasks=name, until="sure").parts
    ladder = part.order.design.ladder
    design = ladder.design()
    line = [rung.name for rung in find_task(name).ladder if rung.on_line]
    assert [rung for rung in line if rung in design.rungs] == list(design.rungs)
    assert {"told", "words"} <= set(design.rungs)
    assert ladder.fixed == make_plan("sim/ideal", tasks=name).size == ladder.most
    levels = Counter(level for kind in ladder.kinds for level in kind.items())
    seen = Counter(level for kind in ladder.kinds[: len(ladder.kinds) // 2] for level in kind.items())
    halves = [abs(seen[level] - count / 2) for level, count in levels.items() if count > 3]
    assert all(half <= 2 + count / 4 for half, count in zip(halves, levels.values(), strict=False))


def test_the_plan_of_a_ladder_asks_every_rung_of_an_item_the_same_questions():
    (own,) = make_plan("sim/ideal", tasks="winoground", until="sure").subject_tracks
    assert isinstance(own, SubjectLadder)
    step = own.advance(lambda _: None, ())
    assert {question.draw for question in step.needed} <= {question.draw for question in step.missing}
    by_item = Counter(question.draw for question in step.missing)
    assert set(by_item.values()) == {2}
    asked = {own.put_at(question).condition["given"] for question in step.missing}
    assert asked == {"image_0", "image_1", "caption_0", "caption_1"}


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"detect": 0.2}, "--detect needs --until-sure"),
        ({"most": 100}, "--most needs --until-sure"),
        ({"until": "certain"}, "expected 'sure'"),
        ({"until": "sure", "n": 5}, "--n does not go with --until-sure"),
        ({"until": "sure", "samples": 2}, "--samples does not go"),
        ({"until": "sure", "most": 3}, "--most 3: expected at least"),
        ({"until": "sure", "detect": 0.01}, "--detect 1: expected a share"),
        ({"until": "sure", "levels": {"rule": "inverse"}}, "--set rule: the rungs of fixation set it themselves"),
    ],
)
def test_choices_that_do_not_go_together_are_refused_in_a_line(choices, words):
    with pytest.raises(UserError, match=words):
        make_plan("sim/ideal", **choices)


def test_chosen_levels_of_conditions_take_turns(tmp_path):
    orders = {"order": ("image_first", "text_first")}
    exam = snellen.exam("sim/ideal", until="sure", levels=orders, store=tmp_path / "store.sqlite")
    counts = exam.rows["order"].value_counts()["count"].to_list()
    assert len(counts) == 2
    assert max(counts) - min(counts) <= 4


def test_steps_are_told_as_they_close_and_the_json_has_them(tmp_path):
    options = ["--store", tmp_path / "s.sqlite", "--out", tmp_path / "report"]
    said = command("exam", "sim/fixated", "--until-sure", *options, cwd=tmp_path)
    assert "something is lost to habit" in said.stderr
    assert "a loss of 20 % or more to eyes is excluded" in said.stderr
    table = command("table", tmp_path / "s.sqlite", "fixation-until-sure", "--format", "json", cwd=tmp_path)
    rows = json.loads(table.stdout)
    assert "shown" in json.dumps(rows)
    methods = command("methods", tmp_path / "s.sqlite", cwd=tmp_path)
    assert "confidence sequences" in " ".join(methods.stdout.split())
    figures = command("figure", tmp_path / "s.sqlite", cwd=tmp_path)
    assert "Evidence as calls were made" in figures.stdout
    assert (tmp_path / "report" / "index.html").is_file()


def test_a_dry_run_says_what_it_may_take(tmp_path):
    said = command("exam", "sim/ideal", "--until-sure", "--dry-run", "--store", tmp_path / "none.sqlite", cwd=tmp_path)
    assert "at most 1,020" in said.stdout
    priced = ["--price", "sim/ideal=1/2", "--budget", "0.05", "--store", tmp_path / "none.sqlite"]
    bounded = command("exam", "sim/ideal", "--until-sure", "--dry-run", *priced, cwd=tmp_path)
    assert "at most 1,020" not in bounded.stdout
    scant = command("exam", "sim/ideal", "--until-sure", *priced[:2], "--budget", "0.001", cwd=tmp_path)
    fails(scant)


def test_a_killed_exam_claims_nothing_until_it_is_resumed(tmp_path):
    store = tmp_path / "store.sqlite"
    snellen.exam("sim/fixated", until="sure", store=store)
    with Store.open(store) as opened:
        plan = make_plan("sim/fixated", until="sure")
        opened.begin_exam(plan.spec(), plan.fingerprint())
    (diagnosis,) = snellen.Exam(store).findings.diagnoses
    assert diagnosis.verdict == "unclear"
    assert "has not finished" in diagnosis.headline
    assert snellen.exam("sim/fixated", until="sure", store=store).findings.diagnoses[0].verdict == "habit"


def test_a_call_that_always_fails_leaves_its_item_out_and_nothing_else(tmp_path):
    def answer(parts):
        text = " ".join(part for part in parts if isinstance(part, str))
        if len(text) % 7 == 0:
            raise RuntimeError("filtered")
        return "X"

    store = tmp_path / "store.sqlite"
    exam = snellen.exam({"filtered": answer}, until="sure", most=200, store=store)
    result = found(exam)["filtered"]
    assert exam.summary.errors
    assert result["failed"]
    assert result["calls"] > 20
    assert "call failed" in " ".join(exam.findings.diagnoses[0].details)


def test_losses_are_shares_of_all_items_where_some_replies_cannot_be_read(tmp_path):
    exam = snellen.exam("sim/nearsighted:refuse=0.2", until="sure", store=tmp_path / "store.sqlite")
    (diagnosis,) = exam.findings.diagnoses
    shares = {loss.faculties[0]: loss.share for loss in diagnosis.losses}
    assert set(diagnosis.faults) == {"eyes", "refusal"}
    assert shares["refusal"].low <= 0.2 <= shares["refusal"].high
    total = diagnosis.right.value + sum(share.value or 0 for share in shares.values())
    assert total == pytest.approx(1)


def test_a_subject_that_needs_pictures_is_asked_the_rungs_that_show_some(tmp_path):
    file = tmp_path / "seeing.py"
    file.write_text("WORDS = False\n\ndef answer(parts):\n    return 'X'\n")
    exam = snellen.exam(str(file), until="sure", most=60, store=tmp_path / "store.sqlite")
    assert set(exam.rows["paradigm"]) == {"direct"}
    assert set(exam.rows["modality"]) == {"image"}


def test_what_nothing_is_solved_for_is_no_clean_bill(tmp_path):
    exam = snellen.exam("sim/guesser", tasks="bias", until="sure", store=tmp_path / "store.sqlite")
    told = statuses(found(exam, "bias")["sim/guesser"])
    assert told["thinking"] == "shown"
    assert {told["eyes"], told["clutter"], told["habit"]} == {"not measurable"}
