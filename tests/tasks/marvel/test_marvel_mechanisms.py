"""Every sentence about a wrong choice belongs to one of a few classes."""

from collections import Counter

import pytest

from snellen.tasks.marvel import EVERY
from snellen.tasks.marvel.generate import kinds, make
from snellen.tasks.marvel.generated import item
from snellen.tasks.marvel.mechanisms import MECHANISMS, SEVERAL, mechanism_of

HARD = {**EVERY, "rules": ("2",), "closeness": ("near",), "clutter": ("none",)}
PLAIN = {**EVERY, "rules": ("1",), "closeness": ("far",), "clutter": ("none",)}


@pytest.mark.parametrize(
    ("detail", "mechanism"),
    [
        ("", ""),
        ("the grey dot did not move", "copies a neighbour"),
        ("fill as in the panel above", "copies a neighbour"),
        ("the hand moved the wrong way", "wrong way"),
        ("the blot moved once too often", "too far"),
        ("the long hand fell two marks short", "too short"),
        ("mirrored, not only turned", "mirror image"),
        ("turned by 180 degrees instead of flipped left to right", "another turn or flip"),
        ("face turned by 90 degrees", "faces out of place"),
        ("the number of corners: two too many", "too many"),
        ("one too few", "too few"),
        ("six in all instead of five", "wrong sum"),
        ("two of the lines elsewhere", "parts elsewhere"),
        ("strokes: in one only instead", "parts elsewhere"),
        ("wrong axis of symmetry", "wrong symmetry"),
        ("smaller instead of larger", "wrong size"),
        ("their fill: black instead of grey", "wrong fill or line"),
        ("outline hexagon instead of triangle", "wrong shape"),
        ("above and to the left of the white one instead of below", "wrong place"),
        ("wrong fill and one too many", SEVERAL),
        ("wrong shape", "wrong shape"),
    ],
)
def test_a_detail_belongs_to_its_class(detail: str, mechanism: str) -> None:
    assert mechanism_of(detail) == mechanism


def test_an_unknown_sentence_is_no_class_of_its_own() -> None:
    with pytest.raises(ValueError, match="no class of mechanisms"):
        mechanism_of("gone fishing")


def _classes(puzzles: int) -> Counter[str]:
    wrong = Counter[str]()
    for levels in (PLAIN, HARD):
        for kind in kinds(levels):
            for index in range(puzzles):
                wrong.update(mechanism_of(detail) for detail in make(kind, index, 8).puzzle.mechanisms if detail)
    return wrong


def test_every_wrong_choice_has_one_of_the_classes() -> None:
    assert len(MECHANISMS) == 17
    assert set(_classes(2)) <= set(MECHANISMS)


@pytest.mark.soak
def test_every_class_occurs_among_many_puzzles() -> None:
    assert set(_classes(15)) == set(MECHANISMS)


def test_an_item_has_the_class_and_keeps_the_sentence() -> None:
    kind = next(kinds(PLAIN))
    truth = item(kind, 0, 1).truth
    assert [mechanism_of(detail) for detail in truth["details"]] == truth["mechanisms"]
    assert [name in MECHANISMS for name in truth["mechanisms"]] == [k != truth["answer"] for k in range(4)]
