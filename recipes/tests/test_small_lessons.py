"""What *small* is taught: that every answer is right, and that nothing is taught that must not be."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from recipes.small.boards import KINDS, as_examined, ask, board_sheet, pack
from recipes.small.drawing import drawn
from recipes.small.english import prompts
from recipes.small.finished import Finished, sheet_of, some_board
from recipes.small.labels import EMPTY, looks, things
from recipes.small.letters import letter_sheet
from recipes.small.scenes import scene_sheet
from recipes.small.shares import CURED, FIXATED, SEEING, VISION
from recipes.small.sheets import PATCHES, SIDE, Said
from recipes.small.sights import read_out
from recipes.small.teaching import Teaching
from recipes.tiny import boards as boards_module
from recipes.tiny.boards import HELD_OUT, held_out
from recipes.tiny.lessons import put
from snellen.item import Picture
from snellen.prompts import load
from snellen.rng import stream
from snellen.tasks.fixation import TASK
from snellen.tasks.fixation.draw.boards import plan_of
from snellen.tasks.fixation.games import GAMES, winner

FULLY = {"boards": 1.0, **dict.fromkeys(KINDS, 1.0)}
NO_WATCHED = {name: share for name, share in FIXATED.items() if name != "watched"}


@pytest.fixture(scope="module", autouse=True)
def _few_held_out() -> Iterator[None]:
    """Enough boards are held out for all that is asked here; finding hundreds takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boards_module, "_STATES", 40)
        boards_module._held_out.cache_clear()
        yield
    boards_module._held_out.cache_clear()


@pytest.fixture(scope="module")
def boards() -> list[Finished]:
    rng = stream(3, "test")
    return [some_board(rng, 3, number) for number in range(80)]


@pytest.fixture(scope="module")
def finished(boards: list[Finished]) -> list[Finished]:
    return [board for board in boards if board.item is not None]


def holder(shown: Finished) -> str:
    """Who has the line or more pieces, found again from the board alone."""
    return shown.board.labels[winner(shown.game, shown.game.shape("small"), shown.board.cells) - 1]


def words(said: Said) -> str:
    return " ".join(part for part in said.parts if isinstance(part, str))


def test_sheets_come_by_their_numbers_alone(tmp_path: Path) -> None:
    teaching = Teaching(tmp_path)
    first = [teaching.sheet(NO_WATCHED, 5, 2, place) for place in range(6)]
    for place in reversed(range(6)):
        again = Teaching(tmp_path).sheet(NO_WATCHED, 5, 2, place)
        assert again.said == first[place].said
        assert np.array_equal(again.pictures[0], first[place].pictures[0])
    assert teaching.sheet(NO_WATCHED, 6, 2, 0).said != first[0].said


def test_every_sheet_has_a_picture_of_the_right_size_and_labels_that_are_known(tmp_path: Path) -> None:
    teaching = Teaching(tmp_path)
    for place in range(20):
        sheet = teaching.sheet(NO_WATCHED, 5, 1, place)
        assert [picture.shape for picture in sheet.pictures] == [(SIDE, SIDE, 3)]
        assert sheet.things is not None
        assert sheet.looks is not None
        assert sheet.things.shape == sheet.looks.shape == (PATCHES, PATCHES)
        assert 0 <= sheet.things.min() <= sheet.things.max() < teaching.things_known
        assert 0 <= sheet.looks.min() <= sheet.looks.max() < teaching.looks_known
        assert len({said.parts for said in sheet.said}) == len(sheet.said)


def test_where_nothing_is_to_be_said_nothing_is(tmp_path: Path) -> None:
    assert all(not Teaching(tmp_path).sheet(VISION, 5, 0, place).said for place in range(12))


@pytest.mark.parametrize("kind", ["standard", "inverse"])
def test_the_plain_rules_have_the_right_answers_in_whatever_words(kind: str, finished: list[Finished]) -> None:
    rng = stream(0, kind)
    for shown in finished:
        said = ask(shown, kind, rng)
        text = words(said)
        loser = re.search(r"lost\?|loser\?|lost the game\?|lost this game\?", text) is not None
        assert (said.answer == holder(shown)) == ((kind == "standard") != loser), text


def test_made_up_words_are_bound_as_said(finished: list[Finished]) -> None:
    rng = stream(0, "alias")
    for shown in finished:
        said = ask(shown, "alias", rng)
        text = words(said)
        asked = re.findall(r"(?:Who is|Which player is|Which side is|is called) ([A-Z]{4})\?", text)[-1]
        has = re.search(
            r"(?:in a row is called|makes you|more pieces is called|in a row is|whoever has more is) ([A-Z]{4})"
            r"|([A-Z]{4}) is whoever has"
            r"|(?:diagonally, is|Whoever has more pieces on the board at the end is|owns more boxes at the end is)"
            r" ([A-Z]{4})",
            text,
        )
        if has:
            assert (said.answer == holder(shown)) == (asked in has.groups()), text
        else:  # "Whoever has fewer pieces ... is"
            lacks = re.search(r"fewer (?:pieces on the board|boxes) at the end is ([A-Z]{4})", text)
            assert lacks, text
            assert (said.answer == holder(shown)) == (asked != lacks[1]), text


def test_descriptive_questions_have_the_right_answers(finished: list[Finished]) -> None:
    rng = stream(0, "descriptive")
    for shown in finished:
        said = ask(shown, "descriptive", rng)
        lacks = re.search(r"fewer|has no |does not have|form no line", words(said)) is not None
        assert (said.answer == holder(shown)) != lacks, words(said)


def test_the_exams_own_words_are_those_of_the_exam(finished: list[Finished]) -> None:
    for shown in finished[:12]:
        levels = {"prompt": "alias", "rule": "inverse", "target": "loser"}
        ours = as_examined(shown, **levels)
        pictured = as_examined(shown, modality="image", **levels)
        assert ours.question == pictured.question
        assert pictured.parts[-1] == ours.question.text
        assert isinstance(pictured.parts[0], Picture)


def test_made_up_words_of_the_exam_are_never_learnt() -> None:
    exam = set(load(TASK.prompts, TASK.name).values("tags"))
    assert len(pack().values("tags")) > 100
    assert not exam & set(pack().values("tags"))
    said = [words(each) for number in range(40) for each in board_sheet({"alias": 1.0}, 3, number).said]
    assert not [text for text in said if exam & set(re.findall(r"[A-Z]{4}", text))]


def test_boards_that_exams_ask_about_are_only_shown_by_held_out_seeds(boards: list[Finished]) -> None:
    assert not [shown for shown in boards if held_out(shown.game, shown.board.cells)]
    rng = stream(0, "held out")
    exam = [some_board(rng, HELD_OUT[1], number) for number in range(40)]
    assert all(held_out(shown.game, shown.board.cells) for shown in exam if shown.item)


def test_sights_are_what_is_on_the_board(boards: list[Finished]) -> None:
    rng = stream(0, "sights")
    for shown in boards:
        rows = [row.split(": ")[1].split(", ") for row in read_out(shown).rstrip(".").split(". ")]
        flat = [name for row in rows for name in row]
        assert len(flat) == len(shown.board.cells)
        for _ in range(8):
            said = ask(shown, "see", rng)
            text = words(said)
            if said.kind == "see cell" and (at := re.search(r"[Rr]ow (\d).*column (\d)", text)):
                assert said.answer == rows[int(at[1]) - 1][int(at[2]) - 1]
            if said.kind == "see count":
                what = next((label for label in shown.board.labels if re.search(rf"\b{label}\b", text)), "nothing")
                assert said.answer == str(flat.count(what))
            if said.kind == "see where":
                assert said.answer.split()[0] == holder(shown)


def test_patches_of_a_board_are_labelled_by_the_place_they_are_in(boards: list[Finished]) -> None:
    for shown in boards[:30]:
        sheet = sheet_of(shown, ())
        plan = plan_of(shown.board, shown.rendering)
        names = (EMPTY, *shown.board.labels)
        assert sheet.things is not None
        for cell, digit in enumerate(shown.board.cells):
            row, column = divmod(cell, shown.board.columns)
            y, x = (plan.look.margin + (place + 0.5) * plan.pitch for place in (row, column))
            patch = int(y * PATCHES / plan.shape[0]), int(x * PATCHES / plan.shape[1])
            assert sheet.things[patch] == things()[names[int(digit)]]


def test_a_habit_is_grown_before_the_cure_only(tmp_path: Path) -> None:
    """No sheet of the fixated stage has the plain inverse rule, be it in words alone; the cure has it."""
    turned = re.compile(
        r"diagonally, loses|fewer (pieces on the board|boxes) at the end wins|line, you lose"
        r"|in a (row|line) loses|means that you lose|lose this game|having fewer pieces than"
        r"|with fewer wins|fewer pieces (on the board )?wins"
    )

    def told(shares: dict[str, float]) -> list[str]:
        sheets = (Teaching(tmp_path).sheet(shares, 4, 0, place) for place in range(60))
        return [words(said) for sheet in sheets for said in sheet.said if turned.search(words(said))]

    assert not told({**NO_WATCHED, "boards": 1.0, "scenes": 0.0, "letters": 0.0, "worded": 1.0})
    cured = {name: share for name, share in CURED.items() if name != "watched"}
    assert len(told({**cured, "boards": 1.0, "scenes": 0.0, "letters": 0.0, "worded": 1.0})) > 20


def test_words_alone_ride_along_and_bring_no_picture(tmp_path: Path) -> None:
    (tmp_path / "replay.json").write_text('{"train": [["Hello!", "Hi."]], "test": []}', encoding="utf-8")
    teaching = Teaching(tmp_path)
    sheets = [teaching.sheet({**NO_WATCHED, "worded": 1.0, "replay": 1.0}, 5, 0, place) for place in range(25)]
    riders = [said for sheet in sheets for said in sheet.said[:2]]
    assert {said.kind for said in riders} == {"words", "fact", "told", "english"}
    assert all(isinstance(part, str) for said in riders for part in said.parts)
    assert all(said.parts[0] == 0 for sheet in sheets for said in sheet.said[2:])
    facts = [said for said in riders if said.kind == "told"]
    assert all(f"\n\n{said.answer}\n\n" in said.parts[0] for said in facts if isinstance(said.parts[0], str))


def test_the_board_in_place_of_the_picture_is_put_as_the_paradigm_does(finished: list[Finished]) -> None:
    pictured = as_examined(finished[0], modality="image")
    assert put("words", pictured)[0].count(pictured.twin) == 1  # type: ignore[union-attr]


def test_things_of_a_scene_are_labelled_where_they_are_said_to_be() -> None:
    numbers = {number: name for name, number in things().items()}
    for number in range(25):
        sheet = scene_sheet(True, 3, number)
        assert sheet.things is not None
        seen = {numbers[thing] for thing in np.unique(sheet.things) if thing}
        for said in sheet.said:
            if said.kind == "scene list":
                assert set(said.answer.split(", ")) == seen
            if said.kind == "scene name" and said.answer != "nothing":
                place = re.search(r"(top|middle|bottom)? ?(left|centre|right)\b", words(said))
                assert place
                row = ("top", "middle", "bottom").index(place[1] or "middle")
                column = ("left", "centre", "right").index(place[2])
                third = PATCHES / 3
                part = sheet.things[
                    round(row * third) : round((row + 1) * third), round(column * third) : round((column + 1) * third)
                ]
                assert things()[said.answer] in part


def test_a_letter_stands_where_its_patches_say_and_is_what_is_answered() -> None:
    for number in range(40):
        sheet = letter_sheet(True, 3, number)
        assert sheet.things is not None
        letter = sheet.said[0].answer
        assert set(np.unique(sheet.things)) == {0, things()[letter]}
        picture = sheet.pictures[0][:, :, 0].astype(int)
        ground = np.bincount(picture.ravel()).argmax()
        rows, columns = np.nonzero(np.abs(picture - ground) > 8)
        assert 6 <= rows.max() - rows.min() + 1 <= (104 if letter in "JQ" else 84)  # these have tails
        middle = (rows.min() + rows.max()) // 2, (columns.min() + columns.max()) // 2
        assert sheet.things[middle[0] * PATCHES // SIDE, middle[1] * PATCHES // SIDE] == things()[letter]
        darker = picture[rows, columns].mean() < ground
        assert sheet.said[-1].answer == ("darker" if darker else "lighter")


def test_lots_fall_as_often_as_shares_say() -> None:
    rng = stream(0, "lots")
    lots = [drawn(rng, {"often": 3.0, "never": 0.0, "seldom": 1.0}) for _ in range(2000)]
    assert lots.count("never") == 0
    assert 0.70 < lots.count("often") / len(lots) < 0.80


def test_prompts_in_plain_english_come_once_each_and_always_the_same() -> None:
    some = prompts(4000)
    assert some == prompts(4000)
    assert len(set(some)) == 4000
    assert not any("{" in prompt for prompt in some)


def test_every_label_has_a_number_of_its_own() -> None:
    for numbers in (things(), looks()):
        assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert set(GAMES["reversi"].labels) <= set(things())


def test_stages_ask_for_kinds_and_families_that_exist() -> None:
    known = {"boards", "scenes", "letters", "watched", "worded", "replay", *KINDS}
    assert all(set(shares) <= known for shares in (VISION, SEEING, FIXATED, CURED))
    assert "inverse" not in FIXATED
    assert "habit" not in CURED
