"""The task as a whole: proportions, one way of asking for all kinds, planted habits found out."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import snellen
from snellen.answer import mark
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import load
from snellen.tasks import task
from snellen.tasks.capacity import PAPER, SIZES, asking
from snellen.tasks.capacity.kinds import BY_CATEGORY, CATEGORY, KINDS, kind_of
from snellen.tasks.export import read_items, write_items
from support.lengths import few_and_more, some_of

CAPACITY = task("capacity")
PACK = load(CAPACITY.prompts, "capacity")
DRAWN_FAST = ("gomoku", "unblock", "maze", "chart", "sandbagging", "counterfactual", "wrong_answer")
"""Kinds whose pictures take a moment only."""


def made(kind: str, index: int = 0, seed: int = 7, size: str = "standard") -> Item:
    assert CAPACITY.item is not None
    return CAPACITY.item({"kind": kind, "size": size}, index, seed)


DEAREST = "counting"
"""A flat in which things are counted is looked at from many places until it will do."""
one = cache(made)
"""Most tests can share an item: nobody changes it, and a flat takes its time."""


def put(item: Item, describe: str = "no", instruction: str = "stated") -> Stimulus:
    return CAPACITY.stimulus(item, Condition(describe=describe, instruction=instruction), PACK)


@pytest.fixture(scope="module")
def shown() -> dict[str, Stimulus]:
    return {kind: put(one(kind)) for kind in KINDS if kind != DEAREST}


def test_each_round_of_a_kind_has_an_order_of_its_own() -> None:
    rounds = [
        [asking._shuffled(start + place, 20, seed, name) - start for place in range(20)]
        for start, seed, name in (
            (0, 0, "maze small"),
            (20, 0, "maze small"),
            (0, 1, "maze small"),
            (0, 0, "jigsaw small"),
        )
    ]
    assert all(sorted(order) == list(range(20)) for order in rounds)
    assert len({tuple(order) for order in rounds}) == len(rounds)


def test_the_papers_numbers() -> None:
    counts = CAPACITY.counts(CAPACITY.item_levels(CAPACITY.design("paper")), PAPER)
    assert {kind["kind"]: count for kind, count in counts} == {kind: kind_of(kind).n for kind in KINDS}
    categories = {c: sum(kind_of(kind).n for kind in kinds) for c, kinds in BY_CATEGORY.items()}
    assert categories == {"spatial": 319, "geometric": 605, "knowledge": 249}
    assert CAPACITY.size(CAPACITY.design("paper"), PAPER) == PAPER


def test_a_few_items_are_spread_over_all_kinds_and_sizes_exist_where_they_do() -> None:
    levels = CAPACITY.item_levels(CAPACITY.design())
    assert all(count > 0 for _, count in CAPACITY.counts(levels, 11))
    sized = CAPACITY.counts({"kind": KINDS, "size": SIZES}, 200)
    assert {kind["kind"] for kind, _ in sized if kind["size"] == "large"} >= {"gomoku", "unblock", "maze"}


@few_and_more("kind", [kind for kind in KINDS if kind != DEAREST], [DEAREST])
def test_every_kind_keeps_the_contract(kind: str) -> None:
    stimulus, found = put(one(kind)), kind_of(kind)
    assert stimulus.pictures
    assert {"size", "difficulty"} <= set(stimulus.item.truth)
    assert json.dumps(stimulus.item.truth)  # plain data; that a seed always gives the same is held by its bytes
    assert "{" not in stimulus.question.text.replace("{b", "").replace('{"', "")
    assert "Answer" in stimulus.question.text
    assert stimulus.item.levels["category"] == CATEGORY[found.name]
    assert stimulus.twin
    conditions = CAPACITY.conditions(CAPACITY.design("describe"), stimulus.item)
    assert len(conditions) == (2 if found.describable else 0)
    if found.describable:
        assert put(stimulus.item, "first").question.text != stimulus.question.text


def test_describing_first_leaves_out_what_the_paper_leaves_out() -> None:
    left_out = {"chart", "sandbagging", "counterfactual", "wrong_answer"}
    (levels,) = CAPACITY.design("describe").blocks
    assert set(levels["kind"]) == set(KINDS) - left_out
    assert {kind for kind in KINDS if not kind_of(kind).describable} == left_out
    first = Condition(describe="first", instruction="stated")
    assert {kind for kind in KINDS if not CAPACITY.applies({"kind": kind}, first)} == left_out


AGAINST_HABIT = ("sandbagging", "counterfactual", "wrong_answer")


def test_a_plain_instruction_is_there_where_the_stated_one_goes_against_a_habit() -> None:
    def applies(kind: str, describe: str) -> bool:
        return CAPACITY.applies({"kind": kind}, Condition(describe=describe, instruction="plain"))

    assert {kind for kind in KINDS if applies(kind, "no")} == set(AGAINST_HABIT)
    assert not any(applies(kind, "first") for kind in KINDS)


@pytest.mark.parametrize("kind", AGAINST_HABIT)
def test_a_plain_instruction_changes_the_words_and_nothing_that_is_shown(kind: str) -> None:
    for index, size in enumerate(kind_of(kind).sizes):
        item = one(kind, index, size=size)
        stated, plain = put(item), put(item, instruction="plain")
        assert stated.question == CAPACITY.stimulus(item, Condition(describe="no"), PACK).question
        assert (plain.pictures, plain.twin, plain.item) == (stated.pictures, stated.twin, item)
        assert plain.question.text != stated.question.text
        assert "{" not in plain.question.text
        *_, reply = stated.question.text.split("\n\n")
        assert plain.question.text.endswith(reply)


@pytest.mark.parametrize("kind", AGAINST_HABIT)
def test_what_an_observer_sees_is_what_is_asked(kind: str) -> None:
    found, item = kind_of(kind), one(kind)
    assert found.plain
    assert CAPACITY.observe(put(item)) == found.observe(item.truth)
    assert CAPACITY.observe(put(item, instruction="plain")) == found.observe(found.plain(item.truth))


def test_who_solves_it_solves_it_under_either_instruction(tmp_path: Path) -> None:
    levels = {"kind": AGAINST_HABIT, "size": ("standard",), "instruction": ("stated", "plain")}
    exam = snellen.exam("sim/ideal", tasks=["capacity"], n=6, levels=levels, store=tmp_path / "s.sqlite")
    assert Counter(exam.rows["paradigm"]) == {"direct": 12, "words": 6, "told": 6}
    assert set(exam.rows["outcome"]) == {"right"}


def test_who_answers_by_habit_is_right_when_asked_plainly(tmp_path: Path) -> None:
    levels = {"kind": AGAINST_HABIT, "size": ("standard",), "instruction": ("stated", "plain")}
    exam = snellen.exam("sim/stubborn", tasks=["capacity"], n=6, levels=levels, store=tmp_path / "s.sqlite")
    outcomes = {
        (row["instruction"], row["outcome"]) for row in exam.rows.iter_rows(named=True) if row["paradigm"] != "told"
    }
    assert outcomes == {("stated", "wrong"), ("plain", "right")}


def test_the_seed_makes_the_item(shown: dict[str, Stimulus]) -> None:
    for kind in DRAWN_FAST:
        again = put(made(kind))
        assert [p.digest for p in again.pictures] == [p.digest for p in shown[kind].pictures]
        assert made(kind, seed=3).digest != again.item.digest


def _answers(stimulus: Stimulus) -> Iterator[tuple[str, str]]:
    """Replies in the form that is asked for, with the outcome they should have."""
    question = stimulus.question
    if question.form.kind == "fields" and not question.form.check:
        yield "Answer:\n" + question.key.replace("; ", "\n"), "right"
    elif not question.form.check:
        yield f"Let me see.\n\nAnswer: {question.key}", "right"
        yield f"Answer: {next(iter(question.mechanisms))}", "wrong"
    yield "I would rather not say.", "unread"


def test_keys_are_read_as_right_and_named_mistakes_as_wrong(shown: dict[str, Stimulus]) -> None:
    for stimulus in shown.values():
        for reply, outcome in _answers(stimulus):
            assert mark(reply, stimulus.question).outcome == outcome, (stimulus.item.id, reply)


def test_a_set_on_disk_comes_back(shown: dict[str, Stimulus], tmp_path: Path) -> None:
    stimuli = [shown[kind] for kind in ("unblock", "sandbagging", "chart")]
    write_items(stimuli, tmp_path / "set", "parquet")
    for back, stimulus in zip(read_items(tmp_path / "set"), stimuli, strict=True):
        assert back.question == stimulus.question
        assert back.parts == stimulus.parts


PLANTED = {
    "maze": "path not shortest",
    "gomoku": "blocks instead of winning",
    "counterfactual": "literal",
    "unblock": "one move too many",
}


@some_of(("kind", "mechanism"), PLANTED.items(), 2)
def test_a_planted_habit_is_found_out(kind: str, mechanism: str, tmp_path: Path) -> None:
    who = f"sim/ideal:map=0.2,habit={mechanism.replace(' ', '_')}"
    levels = {"kind": (kind,), "size": ("small",)}
    exam = snellen.exam(who, tasks=["capacity"], n=12, levels=levels, store=tmp_path / "s.sqlite")
    wrong = exam.rows.filter(exam.rows["outcome"] == "wrong")
    assert wrong.height >= 4
    named = wrong.filter(wrong["mechanism"] == mechanism).height
    assert named >= 0.7 * wrong.height
    assert mechanism in json.dumps(exam.to_json())
