"""Tracks find thresholds that were planted, and no number where there is none."""

from statistics import fmean

import pytest
from simulated_observers import LEVELS, covers, examined, letters, observe

from snellen.answer import Outcome
from snellen.errors import UserError
from snellen.psychometric import Psychometric, PsychometricTrack, difference, finding, next_levels

TRIALS = {0.1: 56, 0.125: 64, 0.25: 80}
"""How many the first trial of the method took, without catch trials and with less held possible, by chance."""


def test_intervals_cover_planted_thresholds() -> None:
    found = [examined(0.1, number) for number in range(12)]
    assert sum(covers(*each) for each in found) >= 11
    assert fmean(each.trials for _, each in found) <= 72


@pytest.mark.soak
@pytest.mark.parametrize("chance", TRIALS)
def test_intervals_cover_planted_thresholds_with_about_the_trials_promised(chance: float) -> None:
    found = [examined(chance, number) for number in range(120)]
    assert 0.9 <= sum(covers(*each) for each in found) / len(found) <= 1
    assert abs(fmean(each.trials for _, each in found) - TRIALS[chance]) <= 12
    off = [each.threshold.value - observer.threshold for observer, each in found if each.threshold]
    assert len(off) == len(found)
    assert abs(sum(off)) / len(off) < 0.02


def test_an_exam_that_is_killed_goes_on_as_if_it_had_not_been() -> None:
    track = letters(seed=3)
    history = observe(track, Psychometric(0.6, 4.0, 0.1, 0.02), 3)
    again: list[tuple[str, Outcome]] = []
    while levels := next_levels(letters(seed=3), list(again)):
        answers = history[len(again) : len(again) + len(levels)]
        assert tuple(level for level, _ in answers) == levels
        again += answers
    assert again == history


def test_a_track_stops_when_the_threshold_is_known_and_not_before() -> None:
    track = letters()
    history = observe(track, Psychometric(0.6, 6.0, 0.1), 1)
    assert len(history) < 96
    assert finding(track, history).posterior.threshold.sd < 0.04
    assert finding(track, history[:-8]).posterior.threshold.sd >= 0.04


def test_a_track_asks_no_more_than_it_may() -> None:
    track = letters(most=20)
    assert len(observe(track, Psychometric(0.6, 2.0, 0.1, 0.08))) == 20


def test_who_reads_the_smallest_is_better_than_drawn() -> None:
    found = finding(letters(), observed := observe(letters(), Psychometric(-1.2, 4.0, 0.1, 0.02)))
    assert (found.kind, found.why, found.threshold) == ("better than drawn", "better than drawn", None)
    assert len(observed) <= 64


def test_who_misses_the_largest_is_worse_than_drawn() -> None:
    found = finding(letters(), observed := observe(letters(), Psychometric(2.8, 4.0, 0.1)))
    assert (found.kind, found.why, found.threshold) == ("worse than drawn", "worse than drawn", None)
    assert len(observed) <= 64


@pytest.mark.parametrize("chance", [0.1, 0.25, 0.5])
def test_who_only_guesses_gets_no_number(chance: float) -> None:
    for number in range(3):
        track = letters(chance, seed=number)
        found = finding(track, observe(track, Psychometric(9.0, 4.0, chance), number))
        assert found.kind == "worse than drawn"
        assert found.threshold is None


@pytest.mark.parametrize("history", [[], [("20", "right"), ("10", "wrong")]])
def test_few_answers_are_no_threshold(history: list[tuple[str, Outcome]]) -> None:
    found = finding(letters(), history)
    assert found.why == f"not measurable: {len(history)} trials are too few to locate the threshold"
    assert found.threshold is None


@pytest.mark.parametrize("lapse", [0.45, 0.6])
@pytest.mark.parametrize("threshold", [-1.2, 0.6])
def test_who_lapses_often_is_not_measurable(threshold: float, lapse: float) -> None:
    track = letters()
    found = finding(track, observe(track, Psychometric(threshold, 6.0, 0.1, lapse), 2))
    assert found.kind == "not measurable"
    assert found.why.endswith(" % errors even on the easiest charts")
    assert found.threshold is None
    assert found.lapse.value > 0.3


def test_whose_answers_cannot_be_read_is_not_measurable_and_not_asked_long() -> None:
    track, history = letters(), []
    while levels := next_levels(track, history):
        history += [(level, "unread") for level in levels]
    found = finding(track, history)
    assert len(history) == found.unread == found.trials == 16
    assert found.why == "not measurable: 16 of 16 answers could not be read"
    assert found.threshold is None


def test_some_unread_answers_stand_beside_the_threshold_and_do_not_move_it() -> None:
    track, history = letters(), observe(letters(), Psychometric(0.6, 4.0, 0.1))
    found = finding(track, history)
    with_unread = finding(track, [*history, ("3", "unread"), ("20", "unread")])
    assert with_unread.threshold == found.threshold
    assert (with_unread.unread, found.unread) == (2, 0)


def test_an_end_of_the_interval_beyond_what_was_drawn_is_open() -> None:
    track = letters()
    history: list[tuple[str, Outcome]] = [("0", "right"), ("0", "wrong"), ("0", "wrong"), ("1", "wrong")] * 2
    history += [(level, "right") for level in ("1", "2", "3", "4", "6", "8", "41")]
    found = finding(track, history)
    assert found.threshold is not None
    assert found.threshold.low is None
    assert found.threshold.value >= LEVELS["0"]
    assert found.threshold.high is not None


def test_where_more_is_harder_the_track_falls() -> None:
    dots = PsychometricTrack("number", {str(n): n / 10 for n in range(14)}, 0.0, falling=True)
    found = {}
    for threshold in (-1.0, 0.7, 2.5):
        observer = Psychometric(threshold, 6.0, 0.0, 0.02, falling=True)
        found[threshold] = finding(dots, observe(dots, observer))
    assert [each.kind for each in found.values()] == ["worse than drawn", "threshold", "better than drawn"]
    assert covers(Psychometric(0.7, 6.0), found[0.7])


def test_tracks_side_by_side_have_their_catch_trials_apart() -> None:
    names = [PsychometricTrack(name, LEVELS, 0.1).own_seed for name in ("letters", "landolt", "contrast")]
    assert len(set(names)) == 3


def test_a_level_that_was_never_drawn_is_refused() -> None:
    with pytest.raises(UserError, match="unknown level '99' of letters"):
        next_levels(letters(), [("99", "right")])


def test_two_levels_of_one_intensity_are_refused() -> None:
    with pytest.raises(ValueError, match="each once"):
        PsychometricTrack("letters", {"a": 0.5, "b": 0.5}, 0.1)


def test_the_difference_of_two_subjects_covers_theirs() -> None:
    good, poor = Psychometric(0.3, 4.0, 0.1, 0.02), Psychometric(0.9, 4.0, 0.1, 0.02)
    first, second = (finding(letters(), observe(letters(), each, 5)) for each in (good, poor))
    between = difference(first, second)
    assert between is not None
    assert between.low is not None
    assert between.high is not None
    assert between.low < -0.6 < between.high < 0
    back = difference(second, first)
    assert back is not None
    assert back.value == pytest.approx(-between.value, abs=1e-9)


def test_two_who_see_alike_differ_by_an_interval_around_nothing() -> None:
    same = Psychometric(0.6, 4.0, 0.1, 0.02)
    first, second = (finding(letters(), observe(letters(), same, number)) for number in (7, 8))
    between = difference(first, second)
    assert between is not None
    assert between.low is not None
    assert between.high is not None
    assert between.low < 0 < between.high


def test_there_is_no_difference_to_what_is_not_a_number() -> None:
    measured = finding(letters(), observe(letters(), Psychometric(0.6, 4.0, 0.1)))
    outside = finding(letters(), observe(letters(), Psychometric(-1.2, 4.0, 0.1)))
    assert difference(measured, outside) is None
    assert difference(outside, measured) is None


@pytest.mark.parametrize("outcome", ["right", "wrong"])
def test_one_chart_at_each_of_a_few_levels_is_not_enough_to_say_anything(outcome: Outcome) -> None:
    track = letters(0.1)
    few = [list(track.levels)[round(k * (len(track.levels) - 1) / 7)] for k in range(8)]
    found = finding(track, [(level, outcome) for level in few])
    assert found.kind == "not measurable"
    assert "8 charts are too few to say whether it is" in found.why
    many = finding(track, [(level, outcome) for level in few for _ in range(5)])
    assert many.kind == ("better than drawn" if outcome == "right" else "worse than drawn")
