"""What a failed call says of all others: nothing, as long as others are answered; all, after several in a row."""

from snellen.engine.streaks import FailureStreaks


def answered(n: int) -> FailureStreaks:
    streaks = FailureStreaks()
    for _ in range(n):
        streaks.begin()
        streaks.answers += 1
    return streaks


def believed_after(streaks: FailureStreaks, clear: bool = False, contents: int = 99) -> int | None:
    """How many calls in a row are turned away until that is believed of all."""
    for n in range(1, 65):
        if streaks.turned_away(streaks.begin(), b"%d" % (n % contents), clear):
            return n
    return None


def test_until_an_answer_has_come_three_are_enough_and_one_that_is_clear() -> None:
    assert believed_after(FailureStreaks()) == 3
    assert believed_after(FailureStreaks(), clear=True) == 1


def test_after_answers_it_takes_several_in_a_row_on_different_contents() -> None:
    assert believed_after(answered(100)) == 6
    assert believed_after(answered(100), clear=True) == 6
    assert believed_after(answered(1)) == 17, "one answer alone says little about how many calls are turned away"
    assert believed_after(answered(100), contents=3) is None, "one picture asked about in many ways"


def test_a_filter_that_turns_many_away_makes_longer_rows_likely() -> None:
    streaks = FailureStreaks()
    for n in range(1000):
        number = streaks.begin()
        if n % 10 in (0, 3, 4):
            assert not streaks.turned_away(number, b"%d" % n, False) or n < 3
        else:
            streaks.answers += 1
    assert believed_after(streaks) == 16


def test_failures_that_overtake_slow_answers_are_no_row() -> None:
    """Of 64 calls under way, what is turned away ends first; the others are still to be answered."""
    streaks = answered(10)
    numbers = [streaks.begin() for _ in range(640)]
    assert not any(streaks.turned_away(number, b"%d" % number, False) for number in numbers[::20])
    assert [streaks.failed(number) for number in numbers[::20]] == [1] * 32
    assert [streaks.failed(number) for number in numbers[1:4]] == [2, 3, 4]
