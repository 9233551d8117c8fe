"""Fine questions give nothing away: the same words are asked about another choice that answers them otherwise."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from snellen.item import Item
from snellen.rng import stream
from snellen.tasks.marvel.generated import items
from snellen.tasks.marvel.probes import Fine, rule_questions
from snellen.tasks.marvel.probing.pairs import pairs
from snellen.tasks.marvel.probing.turns_on import turns_on
from snellen.tasks.marvel.puzzle import CONFIGURATIONS, PATTERNS, SHAPES

LEVELS: dict[str, Any] = {
    "pattern": PATTERNS,
    "configuration": CONFIGURATIONS,
    "shapes": SHAPES,
    **{"rules": ("1",), "closeness": ("far",), "clutter": ("none",)},
}


def count(right: str, *others: str) -> Fine:
    return Fine("quantity", "How many stars?", right, others[0], others)


def test_panels_that_answer_otherwise_are_a_pair() -> None:
    panels = [[count("two", "three", "four")], [count("four", "three", "two")], [count("two", "one")]]
    assert [pair.places for pair in pairs(panels)] == [(0, 1)], "four is not known to be wrong of the third"


def test_either_panel_of_a_pair_may_be_asked_about_with_the_same_answers() -> None:
    (pair,) = pairs([[count("two", "four")], [], [count("four", "two")]])
    assert pair.about(first=True) == (0, Fine("quantity", "How many stars?", "two", "four"))
    assert pair.about(first=False) == (2, Fine("quantity", "How many stars?", "four", "two"))


def test_other_words_are_no_pair() -> None:
    other = Fine("quantity", "How many moons?", "four", "two", ("two",))
    assert pairs([[count("two", "four")], [other]]) == []


@pytest.fixture(scope="module")
def made() -> list[Item]:
    return list(items(LEVELS, 39, seed=3))


def others(item: Item) -> Iterator[Fine]:
    """What is asked in the same words about the other choices."""
    known = item.truth["fine"]
    rng = stream(0, "marvel fine", item.id.removeprefix("marvel/"))
    names = turns_on(item.levels["pattern"], item.truth["family"])
    asked = [rule_questions(panel, "choice {choice}", rng, names) for panel in item.truth["choices"]]
    for place, questions in enumerate(asked):
        yield from (fine for fine in questions if place != known["place"] and fine.text == known["text"])


def test_another_choice_gives_the_other_answer(made: list[Item]) -> None:
    fine = {item.id: item.truth["fine"] for item in made}
    assert all(fine[item.id]["wrong"] in {other.right for other in others(item)} for item in made)


def test_all_kinds_of_questions_are_asked(made: list[Item]) -> None:
    assert {item.truth["fine"]["type"] for item in made} >= {"location", "shape", "quantity", "comparison"}
    assert len({item.truth["fine"]["text"] for item in islice(made, 60)}) > 15
