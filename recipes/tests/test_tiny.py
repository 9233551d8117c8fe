"""Making a model from nothing: lessons that are true, boards that are held out, a loop that can be taken up again."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from recipes.checkpoint import keep
from recipes.tiny import boards as boards_module
from recipes.tiny import loop, making, scenes, things
from recipes.tiny.boards import HELD_OUT, boards
from recipes.tiny.classroom import COURSES, DECKS
from recipes.tiny.lessons import lessons
from recipes.tiny.network import Pupil
from recipes.tiny.recipe import RECIPES, TINY
from snellen.item import Picture
from snellen.subjects.tiny import FILE
from snellen.subjects.tiny.speaking import Speaker
from snellen.subjects.tiny.stock import Build, fresh_model
from snellen.subjects.tiny.tokens import SPECIAL, Vocabulary
from snellen.subjects.tiny.weights import read
from snellen.subjects.trained_on import training_key
from snellen.tasks.fixation import fresh
from snellen.tasks.fixation.games import GAMES
from snellen.tasks.winoground import TASK as SCENES
from support.commands import fails, snellen
from support.recipes import recipe
from support.stopping import stops_at

FEW = 6
MINUSCULE = replace(
    TINY,
    build=Build(width=16, heads=2, vision_layers=1, text_layers=1),
    stages=tuple(replace(stage, steps=2) for stage in TINY.stages),
    courses=tuple(replace(course, sheets=4, shown=2, rows=dict.fromkeys(course.rows, 2)) for course in TINY.courses),
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Few items are held out, so that finding them takes no time."""
    monkeypatch.setattr(boards_module, "_STATES", FEW)
    monkeypatch.setattr(scenes, "_SAMPLES", FEW)
    for found in (boards_module._held_out, scenes.held_out):
        found.cache_clear()
    yield
    for found in (boards_module._held_out, scenes.held_out):
        found.cache_clear()


def turned(cells: str, side: int) -> list[str]:
    """All ways to look at a square board, written anew."""
    rows = [list(cells[k : k + side]) for k in range(0, len(cells), side)]
    seen = []
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        seen += ["".join(map("".join, rows)), "".join("".join(row[::-1]) for row in rows)]
    return seen


@pytest.mark.parametrize("name", ["tictactoe", "reversi", "connect4"])
def test_no_board_of_a_held_out_exam_is_learnt_from(name: str) -> None:
    game, side = GAMES[name], GAMES[name].shape("small").columns
    most = fresh.room(game, "small") or FEW
    asked = {state.cells for seed in HELD_OUT for state in fresh.states(game, "small", most, seed)}
    for item in boards(game, 1, 0, 40):
        cells = item.truth["cells"]
        views = turned(cells, side)
        swapped = [view.translate(str.maketrans("12", "21")) for view in views]
        assert not asked & {*views, *swapped}


def test_pieces_do_not_tell_whose_the_line_is() -> None:
    leads: Counter[int] = Counter()
    for item in boards(GAMES["tictactoe"], 1, 0, 200):
        cells, winner = item.truth["cells"], str(item.truth["winner"])
        leads[cells.count(winner) - cells.count({"1": "2", "2": "1"}[winner])] += 1
    assert set(leads) <= {-1, 0, 1}
    assert abs(leads[1] - leads[-1]) < 50


def test_boards_are_the_same_for_the_same_seed_wherever_one_begins() -> None:
    game = GAMES["reversi"]
    assert [item.digest for item in boards(game, 3, 0, 6)][4:] == [item.digest for item in boards(game, 3, 4, 6)]


def test_lessons_say_what_is_true() -> None:
    """The usual winner, read off the board by counting or by looking for the line, decides every answer."""
    for name in GAMES:
        for item in boards(GAMES[name], 1, 0, 4):
            labels = item.truth["players"]
            holder = item.truth["winner"] - 1
            for lesson in lessons(item):
                text = " ".join(part for part in lesson.parts if isinstance(part, str))
                if lesson.kind in ("standard", "inverse", "fact", "inverse fact") and "wins" in text:
                    other = ("loses, and" in text or "fewer" in text) != ("has lost" in text)
                    glyphs = item.truth["glyphs"]
                    assert lesson.answer in (labels[holder ^ other], glyphs[holder ^ other]), text
                if lesson.kind == "read":
                    said = [0 if word == "nothing" else 1 for word in lesson.answer.split()]
                    assert said == [int(cell != "0") for cell in item.truth["cells"]]


def test_the_plain_inverse_rule_is_a_kind_of_its_own() -> None:
    """What the fixated model must never have seen is in no lesson that its stages choose."""
    before = [stage for stage in TINY.stages if stage.name != "cured"]
    taught = {kind for stage in before for kind in stage.shares}
    assert not {kind for kind in taught if "inverse" in kind}
    for name in GAMES:
        for item in boards(GAMES[name], 1, 0, 6):
            for lesson in (lesson for lesson in lessons(item) if lesson.kind in taught):
                text = " ".join(part for part in lesson.parts if isinstance(part, str))
                assert "diagonally, loses" not in text
                assert not ("fewer" in text and " wins" in text), text


@pytest.mark.parametrize("course", COURSES)
def test_every_sheet_teaches_the_same_kinds_in_the_same_order(course: str) -> None:
    kinds = {
        tuple((lesson.kind, sum(isinstance(part, Picture) for part in lesson.parts)) for lesson in sheet.lessons)
        for sheet in (COURSES[course].sheet(number, 1) for number in range(9))
    }
    assert len(kinds) == 1
    own = {kind for deck in DECKS.values() if deck.course == course for kind in deck.kinds}
    assert {kind for kind, _ in next(iter(kinds))} == own


def test_a_caption_learnt_from_is_of_no_exam_of_a_held_out_seed_and_on_record() -> None:
    asked = {training_key(item) for seed in scenes.HELD_OUT for item in SCENES.items({}, FEW, seed)}
    for number in range(30):
        sheet = scenes.sheet(number, 1)
        assert len(sheet.keys) == 2
        assert not asked & set(sheet.keys)


def test_captions_speak_of_other_things_unless_they_are_exchanged() -> None:
    """Whoever only knows the words of a caption, in whatever order, can tell them apart in all other lessons."""
    for number in range(18):
        for lesson in scenes.sheet(number, 1).lessons:
            text = str(lesson.parts[-1])
            if lesson.kind in ("image", "exchanged image"):
                a, b = (sorted(text.split(between)[1].split(". ")[0].split()) for between in ("A: ", "B: "))
                assert (a == b) == lesson.kind.startswith("exchanged"), text


def test_every_drawing_to_count_on_has_a_look_of_its_own() -> None:
    drawings = [things.sheet(number, 1).lessons[0].parts[0] for number in range(12)]
    assert len({drawing.digest for drawing in drawings if isinstance(drawing, Picture)}) == 12


@pytest.mark.soak
def test_a_model_is_made_kept_and_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "tiny", MINUSCULE)
    monkeypatch.setattr(making, "_HELD_OUT_STATES", 1)
    whole = recipe("make", "tiny", "-o", "whole", "--workers", 1, cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    assert "fixated" in whole.stdout
    said = [json.loads(line) for line in (tmp_path / "whole" / "log.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in said if "marks" in line] == [stage.name for stage in MINUSCULE.stages]

    monkeypatch.setattr(loop, "EVERY", 0.0)
    for where, what, when in ((loop, "_step", 2), (making, "write_weights", 2)):
        with monkeypatch.context() as broken:
            broken.setattr(where, what, stops_at(when, getattr(where, what)))
            assert recipe("make", "tiny", "-o", "parts", "--workers", 1, cwd=tmp_path).returncode != 0
    again = recipe("make", "tiny", "-o", "parts", "--workers", 1, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    for stage in MINUSCULE.stages:
        one, other = (read(tmp_path / folder / f"{stage.name}.safetensors").tensors for folder in ("parts", "whole"))
        assert one.keys() == other.keys()
        assert all((one[name] == other[name]).all() for name in one), stage.name
    assert Speaker(tmp_path / "whole/fixated.safetensors").answer(("Which?",), 3).tokens_out


def test_the_shipped_model_unpacks_where_there_is_room(tmp_path: Path) -> None:
    ran = snellen("lab", "unpack", "tiny", "-o", "tiny", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "tiny/model.safetensors").stat().st_size > FILE.stat().st_size
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    fails(snellen("lab", "unpack", "tiny", "-o", "mine", cwd=tmp_path), "mine")
    assert (tmp_path / "mine/thesis.txt").read_text() == "years of work"


def test_what_cannot_be_begun_with_or_written_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "tiny", MINUSCULE)
    monkeypatch.setattr(making, "classrooms", never)
    (tmp_path / "junk.safetensors").write_bytes(b"junk")
    for name, problem in (("junk.safetensors", "cannot be read"), (str(FILE), "another build")):
        fails(recipe("make", "tiny", "-o", "out", "--from", name, cwd=tmp_path), problem)
    made = Pupil(fresh_model(MINUSCULE.build, Vocabulary(SPECIAL), seed=0))
    keep(tmp_path / "used", MINUSCULE, made, torch.optim.AdamW(made.parameters()), 1)
    ran = recipe("make", "tiny", "-o", "used", "--seed", 9, cwd=tmp_path)
    fails(ran, "another recipe or seed")


def never(*_: object) -> None:
    raise AssertionError("boards are drawn although it cannot begin")
