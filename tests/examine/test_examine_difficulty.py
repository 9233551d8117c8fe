"""Tracks of difficulty: how large a maze or a board may be, found through whole exams."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log10
from pathlib import Path
from typing import Any, Self

import polars as pl
import pytest

import snellen
from snellen.analysis import Diagnosis, Table
from snellen.call import Abilities, Call, Reply
from snellen.psychometric import Psychometric
from snellen.rng import stream
from snellen.tasks import task as find_task


@dataclass
class Limited:
    """Somebody who is right up to about so many: of cells across, of cells on a board, of rules."""

    limit: float
    name: str = "limited"
    settings: Mapping[str, Any] = field(default_factory=dict)
    asked: int = 0
    abilities: Abilities = field(default_factory=lambda: Abilities(in_process=True, sees_truth=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def answer(self, call: Call) -> Reply:
        self.asked += 1
        assert call.about is not None
        item, question = call.about.item, call.about.question
        many = item.truth.get("extent") or item.truth["rows"] * item.truth["columns"]
        chance = 0.5 if question.form.labels else 0.0
        share = float(Psychometric(log10(self.limit), 8.0, chance, 0.0, falling=True)(log10(many)))
        right = stream(1, "limited", item.id).chance(share)
        if not question.form.labels:
            return Reply(f"Digits: {question.key if right else 1}")
        return Reply(question.key if right else next(other for other in question.form.labels if other != question.key))


def examined(who: Limited, store: Path, **choices: Any) -> snellen.Exam:
    return snellen.exam(who, design="adaptive", store=store, **choices)


def lines(result: snellen.Exam) -> dict[str, str]:
    """What the difficulty table says, by what was varied."""
    tables = [b for s in result.findings.sections for b in s.blocks if isinstance(b, Table) and b.name == "difficulty"]
    [table] = tables
    return {str(row[2]): str(row[3]) for row in table.rows}


@pytest.mark.soak
def test_the_size_of_maze_that_someone_manages_is_found(tmp_path: Path) -> None:
    result = examined(Limited(9.0), tmp_path / "s.sqlite", tasks="capacity", levels={"kind": "maze"})
    assert set(result.rows["kind"]) == {"maze"}
    said = lines(result)["maze: cells across"]
    low, high = (float(end) for end in said.split("(")[1].rstrip(")").split(" to "))
    assert said.startswith("up to ")
    assert low <= 9.0 <= high
    assert high / low < 2.5
    [diagnosis] = result.findings.diagnoses
    assert diagnosis.verdict == "measured"
    assert diagnosis.accuracy.value is None, "how often right says nothing where the exam makes it hard"
    assert f"maze: cells across: {said}." in diagnosis.details


@pytest.mark.parametrize(("limit", "expected"), [(1000.0, "no limit up to the hardest"), (2.0, "fails at the easiest")])
def test_limits_beyond_what_there_is_are_no_numbers(limit: float, expected: str, tmp_path: Path) -> None:
    levels = {"game": "dots_boxes"}
    result = examined(Limited(limit), tmp_path / "s.sqlite", tasks="fixation", levels=levels)
    assert all(said.startswith(expected) for said in lines(result).values())
    assert set(lines(result)) == {f"dots_boxes, {rule} rule: cells of the board" for rule in ("standard", "inverse")}


def test_a_diagnosis_rests_on_none_of_the_trials_that_tracks_chose(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    choices: dict[str, Any] = {"tasks": "fixation", "levels": {"game": "reversi"}}
    alone = _without_limits(snellen.exam("sim/ideal", n=8, store=tmp_path / "alone.sqlite", **choices))
    snellen.exam("sim/ideal", n=8, store=store, **choices)
    snellen.exam("sim/ideal", design="adaptive", store=store, **choices)
    both = snellen.Exam(store, ["sim/ideal"])
    assert both.rows.height > 8 * 17
    assert _without_limits(both) == alone
    [diagnosis] = both.findings.diagnoses
    assert any("no limit up to the hardest" in line for line in diagnosis.details)


def _without_limits(result: snellen.Exam) -> tuple[Any, ...]:
    [one] = result.findings.diagnoses
    assert isinstance(one, Diagnosis)
    return one.headline, one.verdict, one.losses, one.rungs, one.accuracy


def test_an_item_of_fixation_made_alone_is_the_one_of_the_set() -> None:
    family = find_task("fixation")
    levels = {"game": ("tictactoe", "reversi"), "states": ("fresh", "published"), "size": ("small", "large")}
    whole = [item.digest for item in family.items(levels, 6, 3)]
    assert family.item is not None
    kinds = [(kind, index) for kind, count in family.counts(levels, 6) for index in range(count)]
    assert [family.item(kind, index, 3).digest for kind, index in kinds] == whole
    later = family.item(kinds[0][0], 5, 3).digest
    assert later == whole[5], "also when it is asked for again"


@pytest.mark.soak
def test_puzzles_of_a_track_take_turns_in_their_kinds(tmp_path: Path) -> None:
    rows = snellen.exam("sim/ideal", tasks="marvel", design="adaptive", n=20, store=tmp_path / "s.sqlite").rows
    assert rows["pattern"].n_unique() == 5
    assert rows["configuration"].n_unique() > 1
    assert set(rows["question"]) == {"avr"}
    some = snellen.exam(
        "sim/ideal", tasks="marvel", design="adaptive", n=16, levels={"pattern": "2d"}, store=tmp_path / "t.sqlite"
    )
    assert set(some.rows["pattern"]) == {"2d"}
    assert some.rows.filter(pl.col("closeness") == "near").height == 16
