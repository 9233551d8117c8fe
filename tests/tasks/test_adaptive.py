"""Tracks of a task: everyone is asked the same items at a level, and who was interrupted goes on where it was."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.answer import Outcome
from snellen.psychometric import PsychometricTrack
from snellen.tasks.adaptive import Check, GradedTrack, as_json, replay

LEVELS = {f"{10 ** (k / 10):.2f}": k / 10 for k in range(-3, 13)}
TRACK = PsychometricTrack("letters", LEVELS, chance=0.1, most=40)


def sees_from(least: float) -> dict[tuple[str, int], Outcome]:
    """What a subject answers that sees everything from a level on."""
    return {(level, n): "right" if x >= least else "wrong" for level, x in LEVELS.items() for n in range(60)}


def rounds(truth: dict[tuple[str, int], Outcome], lost: Iterator[bool]) -> list[tuple[str, int]]:
    """Every item in the order it was asked; after each round some answers may be lost, and are asked again."""
    known: dict[tuple[str, int], Outcome] = {}
    asked = []
    while missing := replay(TRACK, lambda level, n: known.get((level, n))).missing:
        for place in missing:
            asked.append(place)
            if not next(lost):
                known[place] = truth[place]
    return asked


def never() -> Iterator[bool]:
    while True:
        yield False


@settings(max_examples=10, deadline=None)
@given(st.floats(-0.3, 1.1), st.lists(st.booleans(), min_size=1, max_size=60))
def test_an_interrupted_track_asks_what_an_uninterrupted_one_does(least: float, interrupted: list[bool]) -> None:
    truth = sees_from(least)
    whole = rounds(truth, never())
    parts = rounds(truth, (lost for losses in (interrupted, never()) for lost in losses))
    assert set(parts) == set(whole)
    assert len(parts) == len(whole) + sum(interrupted[: len(parts)])
    assert len(set(whole)) == len(whole)


def test_items_at_a_level_are_the_same_for_all() -> None:
    for level in LEVELS:
        numbers = [n for asked, n in rounds(sees_from(0.4), never()) if asked == level]
        assert numbers == list(range(len(numbers)))


def test_a_place_is_a_kind_and_a_number() -> None:
    graded = GradedTrack(TRACK, "level", {"test": "letters"})
    assert graded.place("1.00", 3) == ({"test": "letters", "level": "1.00"}, 3)


def test_conditions_take_turns_and_can_be_chosen_among() -> None:
    turns = tuple({"place": place} for place in "abcde")
    graded = GradedTrack(TRACK, "level", {"test": "letters"}, {"font": "sans"}, turns=turns)
    asked = [graded.turn("1.00", number) for number in range(5)]
    assert sorted(each["place"] for each in asked) == list("abcde")
    assert all(each["font"] == "sans" for each in asked)
    assert graded.turn("1.26", 0) != graded.turn("1.00", 0)  # levels asked once are not all asked under the same
    assert graded.block["place"] == tuple("abcde")
    assert graded.levels_of("place", "centre") == tuple("abcde")
    (some,) = graded.among("place", ["b", "d"], "centre")
    assert {some.turn("1.00", number)["place"] for number in range(9)} == {"b", "d"}
    assert graded.among("place", ["z"], "centre") == ()
    (alone,) = graded.under("place", ["z"])
    assert alone.turn("1.00", 3) == {"font": "sans", "place": "z"}


CHECK = Check("enlarged", "2.00", {"1.5": 0.477, "2": 0.602, "4": 0.903, "8": 1.204}, many=6)


def checked(truth: dict[tuple[str, int], Outcome], stops: int = 1000) -> list[tuple[str, int]]:
    """Every item in the order it was asked, at most so many at a time."""
    known: dict[tuple[str, int], Outcome] = {}
    asked = []
    while missing := replay(TRACK, lambda level, n: known.get((level, n)), check=CHECK).missing:
        for place in missing[:stops]:
            asked.append(place)
            known[place] = truth.get(place, "right")
    return asked


def test_a_track_ends_with_a_check_under_the_condition_that_should_be_enough() -> None:
    asked = checked(sees_from(0.55))
    assert asked[-6:] == [("enlarged=2", number) for number in range(6)], "0.6 is the first that is read"
    assert all(level in LEVELS for level, _ in asked[:-6])
    assert sorted(checked(sees_from(0.55), stops=3)) == sorted(asked), "and who is interrupted goes on"


def test_where_there_is_nothing_to_change_or_nothing_is_enough_nothing_is_checked() -> None:
    blind: Any = dict.fromkeys(sees_from(0.0), "wrong")
    lapsing: Any = {(level, n): "wrong" if n % 4 == 0 else right for (level, n), right in sees_from(0.55).items()}
    for truth in (sees_from(-0.25), sees_from(0.1), blind, lapsing):
        assert all(level in LEVELS for level, _ in checked(truth))


def test_what_is_checked_is_an_item_of_the_track_under_another_condition() -> None:
    graded = GradedTrack(TRACK, "level", {"test": "letters"}, {"font": "sans"}, check=CHECK)
    assert graded.place("enlarged=2", 3) == ({"test": "letters", "level": "2.00"}, 3)
    assert graded.turn("enlarged=2", 3) == {"font": "sans", "enlarged": "2"}
    assert graded.turn("1.00", 3) == {"font": "sans"}
    assert graded.most == 46
    assert graded.among("level", ["1.00", "1.26"], "1.00")[0].check is None, "without its level there is none"
    assert graded.under("enlarged", ["2"])[0].check is None, "nor if the condition is somebody's choice"
    assert as_json(graded)["checked_by"] == "enlarged"
