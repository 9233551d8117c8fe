"""Items are made while a model is loaded, and none of them twice."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, Self

import pytest

import snellen
from snellen.call import Abilities, Call, Reply
from snellen.tasks.making import ItemPool, ItemRequest
from snellen.tasks.making.order import ItemMaker

N = 3


class LoadsSlowly:
    """A model that is ready when so many items are made, or after ten seconds."""

    name, settings, abilities = "slow", dict[str, Any](), Abilities(in_process=True)

    def __init__(self, made: Counter[int], wanted: int) -> None:
        self._made, self._wanted = made, wanted
        self.made_before = 0

    async def __aenter__(self) -> Self:
        for _ in range(1000):
            if self._made.total() >= self._wanted:
                break
            await asyncio.sleep(0.01)
        self.made_before = self._made.total()
        return self

    async def __aexit__(self, *how: object) -> None:
        pass

    async def answer(self, call: Call) -> Reply:
        return Reply("X")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each item was made, by its place."""
    counts: Counter[int] = Counter()
    make = ItemMaker.make

    def counted(self: ItemMaker, first: int, count: int) -> Any:
        counts.update(range(first, first + count))
        return make(self, first, count)

    monkeypatch.setattr(ItemMaker, "make", counted)
    return counts


def test_items_are_made_while_a_model_is_loaded(made: Counter[int], tmp_path: Path) -> None:
    slow = LoadsSlowly(made, wanted=N)
    exam = snellen.exam(slow, tasks="fixation", n=N, store=tmp_path / "s.sqlite")
    plain = snellen.exam("sim/ideal", tasks="fixation", n=N, store=tmp_path / "t.sqlite")
    assert slow.made_before >= N
    assert set(made.values()) == {2}, "once for each of the two exams"
    assert exam.rows["item"].sort().to_list() == plain.rows["item"].sort().to_list()


def test_what_is_in_the_store_is_not_made_again(made: Counter[int], tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    snellen.exam(LoadsSlowly(made, wanted=0), tasks="fixation", n=N, store=store)
    known, games = made.total(), 4
    slow = LoadsSlowly(made, wanted=known + games)
    snellen.exam(slow, tasks="fixation", n=N + 1, store=store)
    assert slow.made_before == made.total() == known + games, "one more of each game"


def test_a_stretch_that_was_made_early_is_ordered_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    order: ItemRequest = snellen.examine.make_plan("sim/ideal", n=N).parts[0].order
    with ItemPool(1) as makers:
        early = makers.make_early(order, 0, 2)
        assert makers.stretch(order, 0) == 2
        assert makers.make(order, 0, 2) is early
        assert makers.make(order, 0, 2) is not early, "it is given once"
