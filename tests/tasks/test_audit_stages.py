"""Items are made and reported on before a picture is drawn, and the rows are those of making everything in one go."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from snellen.errors import UserError
from snellen.item import Condition, Item, Stimulus
from snellen.prompts import Pack, load
from snellen.tasks import Task, parse_levels, task
from snellen.tasks.audit import AuditReport, Observation, audit_items, audit_order, audit_rows
from snellen.tasks.audit.observing import observations
from snellen.tasks.audit.staging import Interim, staged, untold
from snellen.tasks.making import ItemRequest

ITEMS = 9
LONG_AGO = -1e9


def capacity_order(family: Task, kinds: str = "maze") -> ItemRequest:
    return audit_order(family, parse_levels([f"kind={kinds}"]), ITEMS, 3)


def undrawable(item: Item, condition: Condition, pack: Pack) -> Stimulus:
    raise UserError("drawn")


def rows_of(stimuli: Iterable[Stimulus]) -> Iterator[Observation]:
    return observations(stimuli, task("capacity").observe)


@pytest.mark.parametrize("kinds", ["maze", "gomoku,wrong_answer"])
def test_in_stages_the_rows_are_the_same(kinds: str) -> None:
    capacity = task("capacity")
    order = capacity_order(capacity, kinds)
    stimuli = list(capacity.stimuli(order.design, ITEMS, 3, load(capacity.prompts, "capacity")))
    assert all(stimulus.pictures for stimulus in stimuli)
    assert staged(order, rows_of, Interim(audit_rows, untold)) == list(rows_of(stimuli))


def test_truths_and_texts_are_reported_before_a_picture_is_drawn() -> None:
    order = capacity_order(replace(task("capacity"), stimulus=undrawable))
    told: list[str] = []
    with pytest.raises(UserError, match="drawn"):
        staged(order, rows_of, Interim(audit_rows, told.append, LONG_AGO))
    assert [words.splitlines()[0] for words in told] == [
        f"Interim result, from truths and texts alone ({made} of {ITEMS} items made, no picture drawn):"
        for made in (1, 2, 4, 8)
    ]
    assert "no shortcut found by " in told[-1]
    assert "picture:" not in told[-1]


def test_who_need_not_wait_is_told_nothing() -> None:
    told: list[str] = []
    staged(capacity_order(task("capacity")), rows_of, Interim(audit_rows, told.append))
    assert told == []


def test_tasks_that_draw_as_they_go_are_reported_on_too() -> None:
    fixation = task("fixation")
    order = audit_order(fixation, parse_levels(["game=tictactoe"]), 20, 0)
    judged: list[list[Observation]] = []

    def judge(rows: Iterable[Observation]) -> AuditReport:
        judged.append(list(rows))
        return AuditReport(())

    rows = staged(order, lambda some: observations(some, fixation.observe), Interim(judge, untold, LONG_AGO))
    assert len(rows) == 20
    assert all(row.pictures for row in rows)
    assert [len(some) for some in judged] == [1, 2, 4, 8, 16]
    assert not any(row.pictures for some in judged for row in some)


def test_truths_and_texts_alone_are_audited_without_drawing() -> None:
    family = replace(task("capacity"), stimulus=undrawable)
    report = audit_items(replace(capacity_order(family), pictured=False))
    looked = {row.observer for row in report.rows}
    assert "twin: length" in {name.split(" (")[0] for name in looked}
    assert not [name for name in looked if "picture" in name or "file" in name]
    assert "not audited: pictures" in str(report)


def test_tasks_that_draw_as_they_go_can_be_audited_without_their_pictures() -> None:
    order = audit_order(task("fixation"), parse_levels(["game=tictactoe"]), 20, 0, pictured=False)
    report = audit_items(order)
    assert report.rows
    assert not [row.observer for row in report.rows if "picture" in row.observer]
