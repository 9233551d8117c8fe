"""Exams in tracks: planted thresholds are found; what is asked is the same whatever befalls the run."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import snellen
from snellen.call import Abilities, Call, CallFailed, Reply
from snellen.engine import RunProgress, Store
from snellen.errors import UserError
from snellen.examine import forecast, make_plan, run_plan
from snellen.examine.tracks import SubjectTrack
from snellen.psychometric import TrackResult, finding
from snellen.tasks import Design
from snellen.tasks.adaptive import replay
from snellen.tasks.making import ItemPool
from support.cards import SIZES, TASK, Observer, tracks
from support.lengths import examples, some_of

MOST = 40
"""So many trials a track keep tests short where the threshold itself does not matter."""


def examine(subjects: Any, store: Path, **choices: Any) -> snellen.Exam:
    return snellen.exam(subjects, tasks=TASK, store=store, **choices)


def asked(rows: pl.DataFrame, subject: str = "observer") -> dict[tuple[str, str], str]:
    """The outcome of every trial by item and tone."""
    own = rows.filter(pl.col("subject") == subject)
    return {(item, tone): outcome for item, tone, outcome in own.select("item", "tone", "outcome").iter_rows()}


def found(rows: pl.DataFrame, test: str, subject: str = "observer") -> TrackResult:
    """What the rows say of a test."""
    own = rows.filter((pl.col("subject") == subject) & (pl.col("test") == test))
    track = next(graded.track for graded in tracks() if graded.track.name == test)
    return finding(track, list(own.select("size", "outcome").iter_rows()))


def test_planted_thresholds_are_found_side_by_side(tmp_path: Path) -> None:
    near, far = Observer("near", {"plain": 0.0, "bold": 0.5}), Observer("far", {"plain": 0.9, "bold": 0.3})
    rows = examine([near, far], tmp_path / "s.sqlite").rows
    for who in (near, far):
        for test, planted in who.thresholds.items():
            threshold = found(rows, test, who.name).threshold
            assert threshold is not None
            assert threshold.low is not None
            assert threshold.high is not None
            assert threshold.low - 0.02 <= planted <= threshold.high + 0.02
        assert len(who.asked) == len(set(who.asked)) == rows.filter(pl.col("subject") == who.name).height


@pytest.mark.soak
def test_thresholds_of_many_are_inside_their_intervals(tmp_path: Path) -> None:
    crowd = [Observer(f"o{k}", {"plain": k / 20, "bold": 0.9 - k / 25}, seed=k) for k in range(20)]
    rows = examine(crowd, tmp_path / "s.sqlite").rows
    both = [(found(rows, test, who.name).threshold, x) for who in crowd for test, x in who.thresholds.items()]
    inside = [t is not None and (t.low or -9) <= x <= (t.high or 9) for t, x in both]
    assert sum(inside) >= 0.85 * len(inside)


@examples(3, 6)
@given(st.floats(-0.2, 1.1), st.integers(0, 99), st.lists(st.integers(1, 60), max_size=3))
def test_replay_equals_the_run_however_often_it_was_stopped(
    tmp_path_factory: pytest.TempPathFactory, threshold: float, seed: int, stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("tracks")
    who: dict[str, Any] = {"thresholds": {"plain": threshold, "bold": 0.5}, "seed": seed}
    whole = examine(Observer(**who), folder / "whole.sqlite", n=MOST).rows
    answered: list[str] = []
    for stop in stops:
        stopped = Stopping(**who, stops=stop)
        try:
            examine(stopped, folder / "parts.sqlite", n=MOST)
        except UserError:
            answered += stopped.asked[: stop - 1]
        else:
            answered += stopped.asked
    last = Observer(**who)
    rows = examine(last, folder / "parts.sqlite", n=MOST).rows
    assert asked(rows) == asked(whole)
    assert len(answered) + len(last.asked) == len(set(answered) | set(last.asked)), "nothing answered is asked again"
    for graded in tracks(MOST):
        numbered = {(row["size"], int(row["item"].split("/")[-1])): row["outcome"] for row in _of(rows, graded.track)}
        gone = replay(graded.track, lambda level, number, known=numbered: known.get((level, number)))
        assert not gone.missing
        assert len(gone.history) == len(numbered), "every trial of the run is one of its replay"


def _of(rows: pl.DataFrame, track: Any) -> Sequence[dict[str, Any]]:
    return rows.filter(pl.col("test") == track.name).to_dicts()


class Stopping(Observer):
    """An observer whose server is gone from some call on."""

    def __init__(self, stops: int, **who: Any) -> None:
        super().__init__(**who)
        self.stops = stops

    async def answer(self, call: Call) -> Reply:
        reply = await super().answer(call)
        if len(self.asked) >= self.stops:
            raise CallFailed("unreachable", "gone", fatal=True)
        return reply


def test_each_is_asked_as_if_alone_and_joining_later_changes_nothing(tmp_path: Path) -> None:
    def people() -> list[Observer]:
        return [Observer("near", {"plain": 0.0, "bold": 0.2}), Observer("far", {"plain": 0.9, "bold": 0.8})]

    alone = [asked(examine(who, tmp_path / f"{who.name}.sqlite", n=MOST).rows, who.name) for who in people()]
    store = tmp_path / "all.sqlite"
    near, far = people()
    examine(near, store, n=MOST)
    first = list(near.asked)
    together = examine([near, far], store, n=MOST)
    assert [asked(together.rows, name) for name in ("near", "far")] == alone
    assert near.asked == first, "whoever is through is asked nothing again"
    assert together.summary is not None
    assert together.summary.skipped == len(first)
    assert together.summary.remaining == 0


def test_a_track_waits_for_a_call_that_failed_and_goes_on_when_it_is_answered(tmp_path: Path) -> None:
    clean = examine(Observer(), tmp_path / "clean.sqlite", n=MOST).rows
    store = tmp_path / "s.sqlite"
    unlucky = Observer(fails=frozenset({20}))
    first = examine(unlucky, store, n=MOST)
    assert first.summary is not None
    assert (first.summary.ended, first.summary.errors) == ("complete", 1)
    over = [test for test in ("plain", "bold") if len(_tested(first.rows, test)) == len(_tested(clean, test))]
    assert len(over) == 1, "the other track goes on"
    last = Observer()
    again = examine(last, store, n=MOST)
    assert asked(again.rows) == asked(clean)
    assert again.summary is not None
    assert (again.summary.errors, again.summary.remaining) == (0, 0)
    assert not (set(unlucky.asked) - {unlucky.asked[19]}) & set(last.asked)


def _tested(rows: pl.DataFrame, test: str) -> list[str]:
    return rows.filter(pl.col("test") == test)["item"].to_list()


def test_answers_that_cannot_be_read_are_neither_right_nor_wrong(tmp_path: Path) -> None:
    rows = examine(Observer(mute=-0.2), tmp_path / "s.sqlite").rows
    of_plain = found(rows, "plain")
    assert of_plain.kind == "not measurable"
    assert "could not be read" in of_plain.why
    assert of_plain.unread > of_plain.trials / 2
    assert of_plain.trials <= 24, "nobody is asked on in vain"


def test_the_forecast_says_about_and_at_most_and_goes_down_with_what_is_known(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    plan = make_plan(Observer(), tasks=TASK)
    before = forecast(plan, store)
    assert before.most is not None
    assert before.most.total.to_make == 2 * 96
    assert not store.exists()
    result = run_plan(plan, store)
    took = result.rows.height
    assert 0.5 * took < before.estimate.total.to_make < 2 * took
    assert before.most.total.to_make >= took
    after = forecast(make_plan(Observer(), tasks=TASK), store)
    assert after.most is not None
    assert (after.estimate.total.to_make, after.most.total.to_make) == (0, 0)
    assert after.estimate.total.known == took
    with pytest.raises(UserError):
        run_plan(make_plan(Stopping(stops=30, name="new"), tasks=TASK), store)
    midway = forecast(make_plan(Observer("new"), tasks=TASK), store)
    assert midway.most is not None
    assert midway.most.total.known == 29
    assert midway.most.total.to_make == 2 * 96 - 29


@some_of("most", [1, 4, 11, 20], 2)
def test_a_forecast_is_never_about_more_than_at_most(tmp_path: Path, most: int) -> None:
    """However close a track is to its end, and however short it is beside a batch."""
    store = tmp_path / "s.sqlite"
    told = [forecast(make_plan(Observer(), tasks=TASK, n=most), store)]
    for stops in range(2, 2 * most, 3):
        with pytest.raises(UserError):
            run_plan(make_plan(Stopping(stops=stops), tasks=TASK, n=most), tmp_path / f"{stops}.sqlite")
        told.append(forecast(make_plan(Observer(), tasks=TASK, n=most), tmp_path / f"{stops}.sqlite"))
    for each in told:
        assert each.most is not None
        about, at_most = each.estimate.total, each.most.total
        assert about.known == at_most.known
        assert 0 < about.to_make <= at_most.to_make <= 2 * most - at_most.known
        assert about.tokens_in <= at_most.tokens_in
        assert about.tokens_out <= at_most.tokens_out


def test_blocks_are_asked_beside_tracks_and_shared_trials_are_held_once(tmp_path: Path) -> None:
    who = Observer()
    rows = examine(who, tmp_path / "s.sqlite", design="both", n=MOST).rows
    tracked = asked(examine(Observer(), tmp_path / "t.sqlite", n=MOST).rows)
    fixed = {(f"cards/0/plain/15.85/{k}", "dark") for k in range(3)}
    assert set(asked(rows)) == set(tracked) | fixed
    assert len(who.asked) == len(set(who.asked))


def test_every_sample_has_a_track_of_its_own(tmp_path: Path) -> None:
    plan = make_plan(Observer(), tasks=TASK, samples=2, n=24)
    assert len(plan.subject_tracks) == 4
    rows = run_plan(plan, tmp_path / "s.sqlite").rows
    assert rows["sample"].value_counts().sort("sample")["count"].to_list() == [48, 48]


def test_levels_are_chosen_among_those_of_the_tracks(tmp_path: Path) -> None:
    def named(**levels: Any) -> list[str]:
        plan = make_plan(Observer(), tasks=TASK, levels=levels)
        return [own.track.name for own in plan.subject_tracks if isinstance(own, SubjectTrack)]

    assert named(test="bold") == ["bold"]
    assert named(tone=("dark", "light")) == [
        f"{test} tone={tone}" for test in ("plain", "bold") for tone in ("dark", "light")
    ]
    light = make_plan(Observer(), tasks=TASK, levels={"tone": "light", "test": "plain"}, n=16)
    assert set(run_plan(light, tmp_path / "s.sqlite").rows["tone"]) == {"light"}
    few = make_plan(Observer(), tasks=TASK, levels={"size": ("1.00", "3.16", "10.00")})
    tracks = [own for own in few.subject_tracks if isinstance(own, SubjectTrack)]
    assert [list(own.track.levels) for own in tracks] == [["1.00", "3.16", "10.00"]] * 2
    with pytest.raises(UserError, match="two levels or more"):
        named(size="1.00")


def test_a_track_that_someone_knows_nothing_of_is_left_out(tmp_path: Path) -> None:
    picky = Observer("picky", abilities=Abilities(in_process=True, knows=lambda item: item.levels["test"] == "bold"))
    plan = make_plan([Observer(), picky], tasks=TASK, n=16)
    assert plan.tracks_left_out == 1
    rows = run_plan(plan, tmp_path / "s.sqlite").rows
    assert set(rows.filter(pl.col("subject") == "picky")["test"]) == {"bold"}
    assert set(rows.filter(pl.col("subject") == "observer")["test"]) == {"plain", "bold"}
    nothing = Observer("none", abilities=Abilities(in_process=True, knows=lambda item: False))
    with pytest.raises(UserError, match="nothing to ask: none does not support"):
        make_plan(nothing, tasks=TASK)


def test_whoever_watches_is_told_how_far_the_tracks_are(tmp_path: Path) -> None:
    seen: list[tuple[int | None, str]] = []

    def watch(progress: RunProgress) -> None:
        seen.append((progress.total, progress.note))

    result = run_plan(make_plan(Observer(), tasks=TASK), tmp_path / "s.sqlite", watch=watch)
    assert seen[0][1] == "0 of 2 tracks done"
    assert seen[-1] == (result.rows.height, "2 of 2 tracks done")


def test_a_set_whose_items_are_given_has_no_tracks(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="adaptive tracks need single items"):
        make_plan(Observer(), tasks=replace(TASK, item=None))


def test_the_store_knows_what_its_tracks_were(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    examine(Observer(), store, n=16)
    with Store.open(store, readonly=True) as opened:
        [exam] = opened.exams()
    told = exam.fingerprint["tasks"]["cards"]["tracks"]
    assert [track["name"] for track in told] == ["plain", "bold"]
    assert told[0]["levels"] == SIZES
    assert exam.spec["tracks"] == 2
    assert len(exam.counts["items"]) == 32


def test_the_fingerprint_of_the_items_is_the_same_after_a_stop(tmp_path: Path) -> None:
    def digest(store: Path) -> str:
        with Store.open(store, readonly=True) as opened:
            return str(opened.exams()[-1].counts["items"])

    examine(Observer(), tmp_path / "a.sqlite", n=MOST)
    with pytest.raises(UserError):
        examine(Stopping(stops=25), tmp_path / "b.sqlite", n=MOST)
    examine(Observer(), tmp_path / "b.sqlite", n=MOST)
    assert digest(tmp_path / "a.sqlite") == digest(tmp_path / "b.sqlite")


def test_a_design_in_tracks_alone_has_no_fixed_size() -> None:
    empty = Design("none", "", 5, ())
    assert TASK.size(empty, 5) == 0
    assert TASK.size(TASK.design("adaptive"), 5) == 0
    assert TASK.size(TASK.design("adaptive").whole, 1) == 2 * len(SIZES)


def test_under_another_name_the_same_trials_cost_nothing(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    first = Observer()
    before = asked(examine({"a": first}, store, n=MOST).rows, "a")
    again = examine({"b": first}, store, n=MOST)
    assert len(first.asked) == len(before)
    assert asked(again.rows, "b") == before


def test_who_is_through_has_nothing_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choices: dict[str, Any] = {"tasks": "fixation", "design": "adaptive", "levels": {"game": "dots_boxes"}, "n": 16}
    store = tmp_path / "s.sqlite"
    rows = snellen.exam("sim/ideal", store=store, **choices).rows

    def drawn(*_: object) -> None:
        raise AssertionError("an item was drawn again")

    monkeypatch.setattr(ItemPool, "make", drawn)
    again = snellen.exam("sim/ideal", store=store, **choices)
    assert again.summary is not None
    assert (again.summary.done, again.summary.skipped) == (0, rows.height)
    assert again.rows.height == rows.height
    monkeypatch.undo()
    renamed = snellen.exam({"other": "sim/ideal"}, store=store, **choices)
    assert set(renamed.rows["subject"]) == {"other"}, "trials are marked again under a new name"
    assert set(renamed.rows["item"]) == set(rows["item"])
