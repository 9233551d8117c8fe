"""Watching exams: what is learnt is just what an exam asks and a perfect subject answers."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from recipes.small.looking import seen
from recipes.small.pool import FOLDER, Pool, _place
from recipes.small.teaching import Teaching, watch
from recipes.small.watching import (
    FIRST_SEED,
    MOST_PICTURES,
    MOST_TOKENS,
    WATCHED,
    Sitting,
    listen,
    rough_tokens,
)
from recipes.small.watching import watch as watch_part
from recipes.tiny.boards import HELD_OUT
from snellen.examine import make_plan, run_plan
from snellen.item import Picture
from snellen.rng import stream

WINOGROUND = Sitting("winoground", "winoground", "quick", ("direct", "words", "told"), 2, 2)
BIAS = next(replace(sitting, items=6, parts=1) for sitting in WATCHED if sitting.name == "bias")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    watch(folder, 0, lambda told: None, (WINOGROUND, BIAS))
    return folder


def test_what_is_heard_is_what_an_exam_records(tmp_path: Path) -> None:
    plan = make_plan("sim/ideal", tasks="winoground", n=2, seed=FIRST_SEED)
    run_plan(plan, tmp_path / "exam.sqlite")
    with sqlite3.connect(tmp_path / "exam.sqlite") as store:
        recorded = {
            (
                tuple(
                    part if isinstance(part, str) else part["picture"] for part in json.loads(call)["messages"][0][1:]
                ),
                y,
            )
            for call, y in store.execute("SELECT request, text FROM calls")
        }
    assert {(heard.asked, heard.answer) for heard in listen(WINOGROUND, FIRST_SEED)} == recorded


def _asked(messages: list[list[Any]]) -> tuple[str, ...]:
    [[_, *parts]] = messages
    return tuple(part if isinstance(part, str) else part["picture"] for part in parts)


def test_nothing_too_long_or_with_too_many_pictures_is_kept_and_that_is_said() -> None:
    bongard = Sitting("bongard", "bongard", "quick", ("dvrl", "words", "rule"), 1, 1, {"source": ("scenes",)})
    watched = watch_part(bongard, 0)
    assert watched.left_out["watched bongard dvrl: too many pictures"] == 2
    assert watched.left_out["watched bongard words: too long"] == 2
    assert [heard.kind for heard in watched.heard] == ["watched bongard rule"] * 2
    assert all(heard.tokens <= MOST_TOKENS and len(heard.pictures) <= MOST_PICTURES for heard in watched.heard)


def test_things_with_an_unusual_number_of_parts_are_never_watched() -> None:
    for sitting in WATCHED:
        if sitting.task == "bias":
            assert "counterfactual" not in sitting.levels["drawing"]
    usual = [heard for heard in listen(BIAS, FIRST_SEED) if heard.kind == "watched bias ordinary"]
    assert len(usual) == 6
    for heard in usual:
        if "legs" in heard.parts[-1]:  # type: ignore[operator]
            assert heard.answer in ("{2}", "{4}", "{6}", "{8}")


def test_instructions_against_a_habit_are_never_watched() -> None:
    against = {"sandbagging", "counterfactual", "wrong_answer"}
    sittings = [s for s in WATCHED if s.task == "capacity" and against & set(s.levels["kind"])]
    assert len(sittings) == 3
    assert all(s.levels["instruction"] == ("plain",) for s in sittings)


def test_no_seed_of_an_exam_is_watched() -> None:
    assert all(not FIRST_SEED <= seed < FIRST_SEED + sitting.parts for sitting in WATCHED for seed in HELD_OUT)


def test_every_task_but_the_boards_is_watched() -> None:
    assert {sitting.task for sitting in WATCHED} == {"marvel", "winoground", "bongard", "bias", "capacity"}


def test_what_was_watched_is_not_watched_again(folder: Path) -> None:
    files = {path: path.stat().st_mtime_ns for path in (folder / FOLDER).iterdir()}
    told: list[dict[str, object]] = []
    watch(folder, 0, told.append, (WINOGROUND, BIAS))
    assert {path: path.stat().st_mtime_ns for path in (folder / FOLDER).iterdir()} == files
    assert told[0]["watched"]["watched bias ordinary"] == 6  # type: ignore[index]


def test_a_sheet_holds_the_pictures_it_speaks_of_as_the_model_sees_them(folder: Path) -> None:
    sittings = ((WINOGROUND, 0), (WINOGROUND, 1), (BIAS, 0))
    heard = [each for sitting, part in sittings for each in watch_part(sitting, part).heard]
    known = {(_told(each.parts, [seen(picture) for picture in each.pictures]), each.answer) for each in heard}
    pool = Pool(folder / FOLDER)
    rng = stream(0, "test")
    for _ in range(60):
        sheet = pool.sheet(rng)
        assert sheet.said
        assert all((_told(said.parts, sheet.pictures), said.answer) in known for said in sheet.said)


def _told(parts: Sequence[str | int | Picture], pictures: Sequence[NDArray[np.uint8]]) -> tuple[str | bytes, ...]:
    """What is asked, with the very pixels in the places of the pictures."""
    pixels = iter([picture.tobytes() for picture in pictures])
    shown = {part: next(pixels) for part in dict.fromkeys(parts) if not isinstance(part, str)}
    return tuple(part if isinstance(part, str) else shown[part] for part in parts)


def test_watched_sheets_come_by_their_numbers_alone_in_any_process(folder: Path) -> None:
    sheets = [Teaching(folder).sheet({"watched": 1.0}, 1, 0, place) for place in range(30)]
    again = [Teaching(folder).sheet({"watched": 1.0}, 1, 0, place) for place in reversed(range(30))]
    assert [sheet.said for sheet in sheets] == [sheet.said for sheet in reversed(again)]
    assert any(len(sheet.pictures) == 2 for sheet in sheets)
    assert any(not sheet.pictures for sheet in sheets)


def test_what_is_held_out_is_never_learnt_from() -> None:
    rng = stream(0, "places")
    learnt = {_place(rng, 47, held_out=False) for _ in range(2000)}
    kept = {_place(rng, 47, held_out=True) for _ in range(200)}
    assert kept == {0, 20}
    assert learnt == set(range(47)) - {0, 20, 40}


def test_lengths_are_about_right() -> None:
    assert rough_tokens("Which caption is true of the picture?") == 8
    assert rough_tokens('{"tile":"red"}') == 5
