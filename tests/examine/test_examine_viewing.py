"""A store as the live page sees it: running, killed, finished; by subject; marked as interim until complete."""

import json
from pathlib import Path
from typing import Any

import pytest

from snellen.engine import Price, RunProgress, Store
from snellen.examine import Exam, make_plan, run_plan
from snellen.examine.viewing import StoreView


@pytest.fixture
def looked_at(tmp_path: Path) -> tuple[Exam, dict[str, Any], bytes]:
    """An exam, and what a page sees of it while its trials come in."""
    path = tmp_path / "s.sqlite"
    seen: list[tuple[dict[str, Any], bytes]] = []

    def look(progress: RunProgress) -> None:
        if progress.done and not seen:
            view = StoreView(path)
            seen.append((view.status(), view.build()))
            view.close()

    exam = run_plan(make_plan(["sim/fixated", "sim/ideal"], tasks="fixation", n=2), path, concurrency=1, watch=look)
    return exam, *seen[0]


def test_while_it_runs_the_estimates_are_interim(looked_at: tuple[Exam, dict[str, Any], bytes]) -> None:
    _, status, body = looked_at
    assert status["state"] == "running"
    assert json.loads(body)["head"]["interim"] is True
    assert json.loads(body)["head"]["live"] is True


def test_a_finished_exam_shows_what_its_report_shows(looked_at: tuple[Exam, dict[str, Any], bytes]) -> None:
    exam, _, _ = looked_at
    view = StoreView(exam.store, {"sim/ideal": Price(1, 2)})
    status, contents = view.status(), json.loads(view.build())
    assert status["state"] == "finished"
    assert contents["head"]["interim"] is False
    assert contents["head"]["trials"] == exam.rows.height
    accuracies = [d["accuracy"]["value"] for d in contents["head"]["findings"]["diagnoses"]]
    assert accuracies == [d.accuracy.value for d in exam.findings.diagnoses]
    counts = exam.rows.group_by("subject").len()
    done = {s["name"]: s["done"] for s in status["subjects"]}
    assert done == dict(counts.rows()) == {s["name"]: s["planned"] for s in status["subjects"]}
    assert [s["cost"] for s in status["subjects"]] == [None, None]  # no tokens were told
    digest = next(iter(contents["pictures"]))
    assert view.picture(digest) is not None
    view.close()


def test_trials_that_were_there_before_count_as_done(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for subjects in (["sim/ideal"], ["sim/ideal", "sim/fixated"]):
        plan = make_plan(subjects, tasks="fixation", n=1)
        run_plan(plan, path)
    view = StoreView(path)
    told = {s["name"]: (s["done"], s["planned"], s["made"]) for s in view.status()["subjects"]}
    view.close()
    planned = plan.planned["sim/ideal"]
    assert told == {"sim/ideal": (planned, planned, 0), "sim/fixated": (planned, planned, planned)}


@pytest.mark.parametrize(
    ("counts", "state"),
    [
        (None, "stopped"),
        ({"ended": "interrupted"}, "interrupted"),
        ({"ended": "given up"}, "stopped"),
        ({"ended": "complete"}, "finished"),
    ],
)
def test_how_an_exam_ended(tmp_path: Path, counts: dict[str, Any] | None, state: str) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        exam = store.begin_exam({}, {"subjects": ["a"]})
        store.put_progress({"exam": exam, "at": 0.0, "trials": {"a": [3, 9]}})
        during = StoreView(store.path)
        assert during.status()["state"] == "running"  # the lock is held
        during.close()
        if counts is not None:
            store.end_exam(exam, counts)
    view = StoreView(store.path)
    status = view.status()
    assert status["state"] == state
    assert (status["subjects"][0]["done"], status["subjects"][0]["planned"]) == (3, 9)
    head = json.loads(view.build())["head"]
    assert (head["trials"], head["interim"]) == (0, state != "finished")
    view.close()


@pytest.mark.parametrize(
    ("of_cache", "price", "cost"),
    [
        ((), Price(2, 8), 6.0),  # as earlier versions write it
        ((0, 0), Price(2, 8, 0.5), 6.0),
        ((400_000, 0), Price(2, 8, 0.5), 5.4),
        ((400_000, 0), Price(2, 8), 6.0),
        ((400_000, 200_000), Price(2, 8, 0.5), 5.5),
        ((0, 200_000), Price(2, 8, written=4), 6.4),
    ],
)
def test_money_is_told_where_price_and_tokens_are_known(
    of_cache: tuple[int, ...], price: Price, cost: float, tmp_path: Path
) -> None:
    with Store.open(tmp_path / "s.sqlite") as store:
        exam = store.begin_exam({}, {"subjects": ["a", "b"]})
        calls = {name: [7, 2, 1_000_000, 500_000, *of_cache] for name in ("a", "b")}
        store.put_progress({"exam": exam, "at": 0.0, "trials": {"a": [3, 9], "b": [4, 9]}, "calls": calls})
    view = StoreView(store.path, {"a": price})
    keys = ("made", "known", "tokens_in", "tokens_out", "tokens_cached", "tokens_written", "cost")
    cached, written = of_cache or (0, 0)
    told = {s["name"]: tuple(s[key] for key in keys) for s in view.status()["subjects"]}
    view.close()
    numbers = (7, 2, 1_000_000, 500_000, cached, written)
    assert told == {"a": (*numbers, pytest.approx(cost)), "b": (*numbers, None)}
