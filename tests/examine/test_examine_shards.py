"""Shards of an exam: every trial in exactly one, what is compared together, and merged the same as on one machine."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import snellen
from snellen.engine import Store
from snellen.engine.merge import merge
from snellen.errors import UserError
from snellen.examine import Exam, ExamPlan, estimate_plan, make_plan, run_plan
from snellen.item import Item
from snellen.shard import Shard
from snellen.tasks import Levels, Task
from snellen.tasks import task as find_task
from support.lengths import few_and_more

TIMES = ("seconds", "nth")
"""Columns of rows that say when, which differs from run to run."""
LAMPS = find_task(str(Path(__file__).parents[2] / "docs" / "examples" / "lamps.py"))


def paired_lamps(levels: Levels, n: int, seed: int) -> Iterator[Item]:
    """Two items of every cluster, far apart, as in a published set."""
    for item, place in zip(LAMPS.items(levels, n, seed), range(n), strict=True):
        yield replace(item, cluster=f"lamps/{place % 20}")


SET: Task = replace(LAMPS, items=paired_lamps)


def keys(plan: ExamPlan) -> list[bytes]:
    return [trial.key for trial in plan.trials()]


@given(st.sampled_from(["fixation", "winoground", "bias"]), st.integers(2, 9), st.integers(1, 4), st.integers(0, 2))
def test_shards_share_out_the_trials_and_items_stay_whole(task: str, of: int, n: int, seed: int) -> None:
    subjects, levels = ["sim/ideal", "sim/fixated"], {"game": "dots_boxes"} if task == "fixation" else {}
    whole = make_plan(subjects, tasks=task, n=n, seed=seed, levels=levels)
    shards = [whole.of_shard(Shard(number, of)) for number in range(1, of + 1)]
    held = [keys(shard) for shard in shards]
    assert sorted(key for own in held for key in own) == sorted(keys(whole))
    assert [len(own) for own in held] == [shard.size for shard in shards]
    items = [{trial.item.id for trial in shard.trials()} for shard in shards]
    assert sum(map(len, items)) == len(set().union(*items))
    assert all(shard.fingerprint() == whole.fingerprint() for shard in shards)


def test_items_of_a_set_stay_with_their_cluster() -> None:
    whole = make_plan("sim/ideal", tasks=SET, n=40)
    shards = [make_plan("sim/ideal", tasks=SET, n=40, shard=f"{number}/3") for number in (1, 2, 3)]
    clusters = [{trial.item.cluster for trial in shard.trials()} for shard in shards]
    assert sum(map(len, clusters)) == len(set().union(*clusters)) == 20
    assert sorted(key for shard in shards for key in keys(shard)) == sorted(keys(whole))
    assert [shard.size for shard in shards] == [len(keys(shard)) for shard in shards]


@pytest.mark.parametrize("choices", [{"tasks": "fixation", "until": "sure"}, {"tasks": "acuity"}])
def test_what_chooses_its_questions_is_shared_out_by_task_and_subject(choices: dict[str, Any]) -> None:
    subjects = [f"sim/ideal:see=0.{place}" for place in range(1, 9)]
    whole = make_plan(subjects, **choices)
    shards = [make_plan(subjects, **choices, shard=f"{number}/3") for number in (1, 2, 3)]
    held = [{label for own in shard.subject_tracks for label in own.labels} for shard in shards]
    assert sum(map(len, held)) == len(set().union(*held)) == 8
    assert sum(len(shard.subject_tracks) for shard in shards) == len(whole.subject_tracks)
    assert [len(shard.spec().keys() - {"shard"}) for shard in shards] == [len(whole.spec())] * 3


def held_apart(folder: Path, of: int, subjects: list[str], **choices: Any) -> list[Path]:
    """A store for each shard of the exam."""
    stores = [folder / f"{number}.sqlite" for number in range(1, of + 1)]
    for number, store in enumerate(stores, 1):
        run_plan(make_plan(subjects, shard=f"{number}/{of}", **choices), store)
    return stores


def exams(store: Path) -> list[tuple[Any, ...]]:
    with Store.open(store, readonly=True) as opened:
        return [(own.id, own.spec, own.fingerprint, own.counts) for own in opened.exams()]


def without_times(rows: pl.DataFrame) -> list[dict[str, Any]]:
    return rows.drop(TIMES).to_dicts()


@few_and_more(
    ("of", "choices"),
    [
        (3, {"tasks": ["fixation", "winoground"], "n": 1, "seed": 3}),
        (2, {"tasks": ["fixation", "winoground"], "until": "sure", "detect": 0.4, "most": 240}),
        (4, {"tasks": "acuity", "levels": {"test": "letters"}}),
    ],
    [(5, {"tasks": ["bias", "marvel", "bongard"], "n": 4, "samples": 2})],
)
def test_merged_it_is_as_if_one_machine_had_asked(tmp_path: Path, of: int, choices: dict[str, Any]) -> None:
    subjects = ["sim/fixated", "sim/ideal"]
    one = run_plan(make_plan(subjects, **choices), tmp_path / "one.sqlite")
    stores = held_apart(tmp_path, of, subjects, **choices)
    merge(stores[::-1], tmp_path / "merged.sqlite")
    merged = Exam(tmp_path / "merged.sqlite")
    assert without_times(merged.rows) == without_times(Exam(one.store).rows)
    assert merged.to_json() == Exam(one.store).to_json()
    (number, spec, *rest), (number_of_one, spec_of_one, *rest_of_one) = exams(merged.store)[0], exams(one.store)[0]
    assert (number, {name: spec[name] for name in spec_of_one}, rest) == (number_of_one, spec_of_one, rest_of_one)
    assert sorted(spec.keys() - spec_of_one.keys()) == ["shards"]
    again = run_plan(make_plan(subjects, **choices), merged.store).summary
    assert again is not None
    assert (again.done, again.skipped) == (0, one.rows.height)


def test_a_shard_that_is_missing_is_said_and_comes_later(tmp_path: Path) -> None:
    stores = held_apart(tmp_path, 3, ["sim/ideal"], n=2)
    merged = tmp_path / "merged.sqlite"
    assert merge(stores[:2], merged).exams[0].missing == [3]
    ((_, _, _, counts),) = exams(merged)
    assert (counts["ended"], counts["items"]) == ("interrupted", "")
    assert merge(stores[2:], merged).exams[0].missing == []
    run_plan(make_plan("sim/ideal", n=2), tmp_path / "one.sqlite")
    ((_, _, _, counts),) = exams(merged)
    assert counts == exams(tmp_path / "one.sqlite")[0][3]


def test_a_shard_that_was_taken_up_again_counts_once(tmp_path: Path) -> None:
    stores = held_apart(tmp_path, 2, ["sim/ideal"], n=2)
    run_plan(make_plan("sim/ideal", n=2, shard="1/2"), stores[0])
    run_plan(make_plan("sim/ideal", n=2), tmp_path / "one.sqlite")
    merge(stores, tmp_path / "merged.sqlite")
    assert [own[3] for own in exams(tmp_path / "merged.sqlite")] == [own[3] for own in exams(tmp_path / "one.sqlite")]


def test_an_empty_shard_is_an_exam_without_trials(tmp_path: Path) -> None:
    plans = [make_plan("sim/ideal", n=1, levels={"game": "dots_boxes"}, shard=f"{k}/9") for k in range(1, 10)]
    empty = next(plan for plan in plans if plan.size == 0)
    summary = run_plan(empty, tmp_path / "s.sqlite").summary
    assert summary is not None
    assert (summary.done, summary.ended) == (0, "complete")
    assert exams(tmp_path / "s.sqlite")[0][3]["trials"] == 0
    assert estimate_plan(empty, tmp_path / "s.sqlite").total.to_make == 0


def test_what_a_shard_would_take_is_counted_without_the_others(tmp_path: Path) -> None:
    calls = [
        estimate_plan(make_plan("sim/ideal", n=2, shard=shard), tmp_path / "none.sqlite").total.to_make
        for shard in ("1/2", "2/2", None)
    ]
    assert calls[0] + calls[1] == calls[2]
    assert 0 not in calls


def test_a_comparison_until_it_is_decided_is_not_divided() -> None:
    with pytest.raises(UserError, match="--shard 1/2: a comparison"):
        make_plan(["sim/ideal", "sim/fixated"], until="compared", shard="1/2")


def test_the_python_call_takes_a_shard(tmp_path: Path) -> None:
    halves = [snellen.exam("sim/ideal", n=1, shard=f"{k}/2", store=tmp_path / f"{k}.sqlite") for k in (1, 2)]
    assert sum(half.rows.height for half in halves) == 68
