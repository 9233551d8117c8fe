"""Tracks of a task: everyone is asked the same items at a level, and who was interrupted goes on where it was."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.answer import Outcome
from snellen.psychometric import Track
from snellen.tasks.adaptive import Graded, replay

LEVELS = {f"{10 ** (k / 10):.2f}": k / 10 for k in range(-3, 13)}
TRACK = Track("letters", LEVELS, chance=0.1, most=40)


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
    graded = Graded(TRACK, "level", {"test": "letters"})
    assert graded.place("1.00", 3) == ({"test": "letters", "level": "1.00"}, 3)


def test_conditions_take_turns_and_can_be_chosen_among() -> None:
    turns = tuple({"place": place} for place in "abcde")
    graded = Graded(TRACK, "level", {"test": "letters"}, {"font": "sans"}, turns=turns)
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
