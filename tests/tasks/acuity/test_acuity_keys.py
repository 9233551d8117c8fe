"""Keys are what the pictures show: readers that go by the pixels agree with every key where it is easy to see."""

from collections.abc import Callable, Iterator

import chart_readers as readers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.item import Condition, Picture, Stimulus
from snellen.prompts import load
from snellen.tasks import task
from snellen.tasks.acuity.battery import TESTS
from snellen.tasks.acuity.view import PLACES, USUALLY
from support.lengths import examples

ACUITY = task("acuity")
PACK = load(ACUITY.prompts, "acuity")


def shown(test: str, level: str, index: int, seed: int = 0, **condition: str) -> Stimulus:
    assert ACUITY.item is not None
    item = ACUITY.item({"test": test, "level": level}, index, seed)
    return ACUITY.stimulus(item, Condition({**USUALLY, **condition}), PACK)


def one_round(test: str, level: str, **condition: str) -> Iterator[Stimulus]:
    """Every answer once."""
    return (shown(test, level, index, 0, **condition) for index in range(max(len(TESTS[test].answers), 3)))


def letter(picture: Picture, polarity: str = "dark") -> str:
    return readers.letter(readers.box(readers.ink(picture, polarity)))


def middle(picture: Picture) -> str:
    """The letter in the middle of a crowd: the patch of ink that the middle of the page is in the box of."""
    mask = readers.ink(picture)
    height, width = mask.shape
    return readers.letter(readers.box(mask[height // 2 - 20 : height // 2 + 20, width // 2 - 20 : width // 2 + 20]))


def ring(picture: Picture) -> str:
    return readers.gap(readers.box(readers.ink(picture)))


def number(picture: Picture) -> str:
    return str(readers.dots(picture))


def crossed(picture: Picture) -> str:
    return str(readers.crossings(picture))


READERS: list[tuple[str, Callable[[Picture], str], tuple[str, ...]]] = [
    ("letters", letter, ("5.62", "14.1", "50.1")),
    ("contrast", letter, ("0.00392", "0.0627", "1")),
    ("landolt", ring, ("5.01", "14.1", "50.1")),
    ("crowding", middle, ("1.33", "2.66", "5.31")),
    ("gratings-2", readers.stripes, ("0.0312", "0.992")),
    ("gratings-32", readers.stripes, ("0.25", "0.992")),
    ("colour-red", readers.digit, ("12.6",)),
    ("colour-blue", readers.digit, ("20",)),
    ("alignment", readers.odd_pair, ("0.1", "1", "15.8")),
    ("number", number, ("1", "7", "22", "44")),
    ("crossings", crossed, ("3.98", "15.8", "39.8")),
]


@pytest.mark.parametrize(("test", "read", "levels"), READERS, ids=[test for test, _, _ in READERS])
def test_who_reads_the_pixels_agrees_with_the_key(
    test: str, read: Callable[[Picture], str], levels: tuple[str, ...]
) -> None:
    for level in levels:
        for stimulus in one_round(test, level):
            assert read(stimulus.pictures[0]) == stimulus.question.key, stimulus.item.id


@pytest.mark.parametrize(
    "condition", [{"polarity": "light"}, {"canvas": "1024x256"}, {"place": "r5c1"}, {"place": "+13"}]
)
def test_the_key_is_the_same_under_every_condition(condition: dict[str, str]) -> None:
    for stimulus in one_round("letters", "8.91", **condition):
        assert letter(stimulus.pictures[0], condition.get("polarity", "dark")) == stimulus.question.key


@examples(20, 40)
@given(
    st.integers(0, 10**6),
    st.integers(0, 10**4),
    st.sampled_from(TESTS["letters"].levels[20:]),
    st.sampled_from(("dark", "light")),
    st.sampled_from(("512", "256", "1024x512")),
    st.sampled_from(("centre", *PLACES)),
)
def test_a_letter_is_itself_wherever_and_however_large_it_is(
    seed: int, index: int, level: str, polarity: str, canvas: str, place: str
) -> None:
    stimulus = shown("letters", level, index, seed, polarity=polarity, canvas=canvas, place=place)
    assert letter(stimulus.pictures[0], polarity) == stimulus.question.key


@examples(20, 40)
@given(st.integers(0, 10**6), st.integers(0, 10**4), st.sampled_from(TESTS["paths"].levels))
def test_lines_lead_where_changing_places_takes_them(seed: int, index: int, level: str) -> None:
    """The twin says which lanes change places; doing it with a row of six names ends where the key says."""
    stimulus = shown("paths", level, index, seed)
    said = stimulus.twin.rpartition("change places: ")[2].rstrip(".")
    start = int(stimulus.twin.partition("starts in lane ")[2][0])
    lanes = list(range(1, 7))
    for column in said.split(", then "):
        for pair in column.split("; "):
            if pair != "none":
                one, other = (int(lane) for lane in pair.split(" and "))
                lanes[one - 1], lanes[other - 1] = lanes[other - 1], lanes[one - 1]
    assert str(lanes.index(start) + 1) == stimulus.question.key


@pytest.mark.parametrize("test", ["letters", "landolt", "gratings-2", "number"])
def test_nothing_is_on_an_empty_chart(test: str) -> None:
    for index in range(6):
        stimulus = shown(test, "blank", index)
        page = readers.rgb(stimulus.pictures[0])
        assert (page == page[0, 0]).all()
        assert stimulus.question.key == ("0" if test == "number" else "nothing")


def test_an_empty_plate_has_no_colour() -> None:
    page = readers.rgb(shown("colour-red", "blank", 0).pictures[0])
    assert (page.max(axis=2) - page.min(axis=2)).max() <= 1
    assert len({shown("colour-red", "blank", index).pictures[0].digest for index in range(4)}) == 4
