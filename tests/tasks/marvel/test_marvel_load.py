"""The published MARVEL in both of its forms, from small sets of our own in the same format."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.tasks.marvel.draw.puzzles import draw_puzzle
from snellen.tasks.marvel.load import OBTAIN, LoadedPuzzles, Pictures, PublishedPuzzle, load
from snellen.tasks.marvel.look import PuzzleLook
from snellen.tasks.marvel.published import item_of


def panel(x: int, size: int = 20, shape: str = "circle", fill: str = "none") -> dict[str, Any]:
    return {"marks": [{"shape": shape, "x": x, "y": 90, "size": size, "fill": fill}]}


CHOICES = (panel(40), panel(70, shape="square"), panel(100, shape="star"), panel(130, 25, "triangle"))


def picture(rows: int = 1, columns: int = 5, choices: Any = CHOICES, mode: str = "L") -> bytes:
    many = rows * columns - (rows * columns > 1)
    drawn = draw_puzzle([panel(30 + 12 * k) for k in range(many)], choices, rows, columns)
    file = BytesIO()
    with Image.open(BytesIO(drawn.data)) as image:
        image.convert(mode).save(file, "PNG")
    return file.getvalue()


def label(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "pattern": "Temporal Movement",
        "task_configuration": "Sequence",
        "avr_question": "Which one?",
        "explanation": "The circle moves. Only item C fits.",
        "answer": 3,
        "f_perception_question": "A preface. And more. Is the circle in choice 2 at the left or right part?",
        "f_perception_answer": "left",
        "f_perception_distractor": "right",
        "c_perception_question_tuple": ["?", "?", "?"],
        "c_perception_answer_tuple": [5, 4, 9],
        **more,
    }


def github(folder: Path, *labels: Any, pictures: dict[int, bytes] | None = None) -> Path:
    (folder / "Marvel").mkdir(parents=True, exist_ok=True)
    (folder / "marvel_label.json").write_text(json.dumps(labels), encoding="utf-8")
    usual = {entry["id"]: picture() for entry in labels if isinstance(entry, dict) and isinstance(entry.get("id"), int)}
    for number, data in (usual if pictures is None else pictures).items():
        (folder / "Marvel" / f"{number}.png").write_bytes(data)
    return folder


def only(loaded: LoadedPuzzles) -> PublishedPuzzle:
    (puzzle,) = loaded.puzzles()
    return puzzle


# A set of our own


def test_the_form_on_github(tmp_path: Path) -> None:
    puzzle = only(loaded := load(str(github(tmp_path, label(7)))))
    assert (puzzle.id, puzzle.pattern, puzzle.configuration) == ("published/0007", "temporal", "sequence")
    assert (puzzle.rows, puzzle.columns, puzzle.coarse) == (1, 5, (5, 4, 9))
    assert (puzzle.answer, puzzle.accepted, puzzle.demo_ok) == (2, (2,), True)
    assert puzzle.fine is not None
    assert (puzzle.fine.type, puzzle.fine.right, puzzle.fine.wrong, puzzle.fine_about) == (
        "location",
        "left",
        "right",
        1,
    )
    assert puzzle.fine.asked("right", "left") == "Is the circle in choice 2 at the right or left part?"
    assert puzzle.explained() == "The circle moves. Only choice 3 fits."
    assert puzzle.notes == ()
    assert loaded.missing == ()
    assert loaded.notes == ()


def test_what_turns_on_a_number_goes_by_the_pattern_whatever_is_asked_about_a_detail(tmp_path: Path) -> None:
    how_many = {
        "f_perception_question": "A preface. And more. How many circles are there in choice 2, one or two?",
        **{"f_perception_answer": "one", "f_perception_distractor": "two"},
    }
    named = {"Temporal Movement": False, "Mathematical": True, "Quantities": True}
    for number, (pattern, counted) in enumerate(named.items(), start=1):
        puzzle = only(load(str(github(tmp_path / str(number), label(number, pattern=pattern, **how_many)))))
        assert puzzle.fine_type == "quantity"
        assert item_of(puzzle).truth["counted"] == counted
        moved = only(load(str(github(tmp_path / f"{number} again", label(number, pattern=pattern)))))
        assert item_of(moved).truth["counted"] == counted


def test_the_hubs_form_is_the_same(tmp_path: Path) -> None:
    labels = [label(1), label(2, task_configuration="Matrix", c_perception_answer_tuple=[9, 4, 13])]
    pictures = [picture(), picture(3, 3)]
    folder = github(tmp_path / "a", *labels, pictures=dict(zip((1, 2), pictures, strict=True)))
    rows = [
        entry | {"file": "../../etc/passwd", "image": {"bytes": data, "path": None}}
        for entry, data in zip(labels, pictures, strict=True)
    ]
    (tmp_path / "b/data").mkdir(parents=True)
    pl.DataFrame(rows).write_parquet(tmp_path / "b/data/train.parquet")
    sets = [load(str(folder)), load(str(tmp_path / "b"))]
    assert sets[1].missing == ()
    one, other = (list(loaded.puzzles()) for loaded in sets)
    for first, second in zip(one, other, strict=True):
        keys = [name for name in PublishedPuzzle.__slots__ if name != "panel"]
        assert [getattr(first, name) for name in keys] == [getattr(second, name) for name in keys]
    assert [Pictures(sets[1]).whole(puzzle).data for puzzle in other] == pictures


def test_parquet_may_hold_plain_bytes_and_lack_the_lists(tmp_path: Path) -> None:
    kept = {key: value for key, value in label(3).items() if not key.startswith("c_")}
    pl.DataFrame([kept | {"image": picture()}]).write_parquet(tmp_path / "x.parquet")
    assert only(load(str(tmp_path / "x.parquet"))).coarse == (5, 4, 9)


@pytest.mark.parametrize(
    ("said", "rows", "columns", "name"),
    [("Two-row", 2, 3, "two-row"), ("Matrix", 3, 3, "matrix"), ("Group", 1, 3, "group"), ("3D", 1, 1, "reassembling")],
)
def test_configurations(said: str, rows: int, columns: int, name: str, tmp_path: Path) -> None:
    n = rows * columns
    entry = label(1, task_configuration=said, c_perception_answer_tuple=[n, 4, n + 4])
    loaded = load(str(github(tmp_path, entry, pictures={1: picture(rows, columns)})))
    puzzle = only(loaded)
    assert (puzzle.configuration, puzzle.rows, puzzle.columns) == (name, rows, columns)
    context, choices = Pictures(loaded).panels(puzzle)
    assert (len(context), len(choices)) == (n - (n > 1), 4)


def test_what_the_pictures_show(tmp_path: Path) -> None:
    loaded = load(str(github(tmp_path, label(1))))
    puzzle, pictures = only(loaded), Pictures(loaded)
    whole = _pixels(pictures.whole(puzzle).data)
    assert pictures.whole(puzzle).data == picture()
    assert pictures.shown(puzzle, PuzzleLook()).data == picture()
    below = slice(320 + 185, 320 + 226)
    bare = _pixels(pictures.shown(puzzle, PuzzleLook(indices="none")).data)
    assert (bare[below] == 255).all()
    assert not (whole[below] == 255).all()
    assert (bare[:500] == whole[:500]).all()
    lettered = _pixels(pictures.shown(puzzle, PuzzleLook(indices="letters")).data)
    assert (lettered[:500] == whole[:500]).all()
    assert not (lettered[below] == whole[below]).all()
    asking = _pixels(pictures.shown(puzzle, PuzzleLook(blank="question-mark")).data)
    changed = np.argwhere(asking != whole)
    assert changed[:, 0].min() >= 90
    assert changed[:, 0].max() < 270
    assert changed[:, 1].min() >= 900
    assert changed[:, 1].max() < 1080
    both = _pixels(pictures.shown(puzzle, PuzzleLook("letters", "question-mark")).data)
    assert (both[below] == lettered[below]).all()
    assert (both[:300] == asking[:300]).all()


def test_panels_are_cut_without_their_frames(tmp_path: Path) -> None:
    loaded = load(str(github(tmp_path, label(1))))
    context, choices = Pictures(loaded).panels(only(loaded))
    pixels = [_pixels(cut.data) for cut in (*context, *choices)]
    assert {cut.shape for cut in pixels} == {(180, 180)}
    assert all((cut[:6] == 255).all() and (cut[:, -6:] == 255).all() for cut in pixels)
    across = [np.flatnonzero((cut < 128).any(axis=0)).mean() for cut in pixels]
    assert across == pytest.approx([30, 42, 54, 66, 40, 70, 100, 130], abs=2)


def test_a_net_has_no_blank_to_put_a_question_mark_in(tmp_path: Path) -> None:
    entry = label(1, task_configuration="3D", c_perception_answer_tuple=[1, 4, 5])
    loaded = load(str(github(tmp_path, entry, pictures={1: picture(1, 1)})))
    pictures = Pictures(loaded)
    assert pictures.shown(only(loaded), PuzzleLook(blank="question-mark")).data == picture(1, 1)
    assert _pixels(pictures.panels(only(loaded))[0][0].data).shape == (270, 270)


def _pixels(data: bytes) -> Any:
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image.convert("L"))


def test_same_choices_are_one_cluster_in_whatever_order(tmp_path: Path) -> None:
    other = (*CHOICES[:3], panel(131, 25, "triangle"))
    pictures = {1: picture(), 2: picture(1, 6, CHOICES[::-1]), 3: picture(1, 5, other)}
    sizes = {1: [5, 4, 9], 2: [6, 4, 10], 3: [5, 4, 9]}
    labels = [label(number, c_perception_answer_tuple=size) for number, size in sizes.items()]
    first, second, third = load(str(github(tmp_path, *labels, pictures=pictures))).puzzles()
    assert first.cluster == second.cluster != third.cluster


def test_choices_that_look_the_same_are_all_accepted(tmp_path: Path) -> None:
    twice = (CHOICES[0], CHOICES[2], CHOICES[2], CHOICES[3])
    labels = [label(1, answer=3, explanation="It moves."), label(2, answer=1, explanation="It moves.")]
    first, second = load(
        str(github(tmp_path, *labels, pictures=dict.fromkeys((1, 2), picture(choices=twice))))
    ).puzzles()
    assert (first.accepted, second.accepted) == ((1, 2), (0,))
    assert first.notes == ("choices 2 and 3 look the same and one is the answer; any of them is accepted",)
    assert second.notes == ("choices 2 and 3 look the same; neither is the answer",)


def test_an_empty_choice_is_meant(tmp_path: Path) -> None:
    choices: tuple[Any, ...] = (CHOICES[0], {"marks": []}, *CHOICES[2:])
    puzzle = only(load(str(github(tmp_path, label(1), pictures={1: picture(choices=choices)}))))
    assert puzzle.notes == ("choice 2 is an empty panel, as it is meant to be",)


def test_transparent_pictures_are_laid_on_white(tmp_path: Path) -> None:
    with Image.open(BytesIO(picture(mode="RGBA"))) as image:
        pixels = np.asarray(image).copy()
    pixels[(pixels[..., 0] == 255)] = (0, 0, 0, 0)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    clear = only(loaded := load(str(github(tmp_path / "a", label(1), pictures={1: file.getvalue()}))))
    assert clear.cluster == only(load(str(github(tmp_path / "b", label(1))))).cluster
    assert (_pixels(Pictures(loaded).whole(clear).data) == _pixels(picture())).all()


def test_copies_beside_the_labels_are_not_read(tmp_path: Path) -> None:
    github(tmp_path, label(1))
    (tmp_path / "Json_data/1").mkdir(parents=True)
    (tmp_path / "Json_data/1/1_label.json").write_text(json.dumps(label(9)))
    (tmp_path / "A_Croissant.json").write_text(json.dumps({"fields": ["avr_question"]}))
    assert only(load(str(tmp_path))).number == 1


def test_a_file_of_another_name_and_pictures_elsewhere(tmp_path: Path) -> None:
    github(tmp_path / "x", label(1))
    (tmp_path / "labels.json").write_text(json.dumps([label(1)]))
    assert only(load(f"{tmp_path / 'labels.json'}:images={tmp_path / 'x/Marvel'}")).panel["file"] == "1.png"


# Descriptions


def test_texts_of_the_users_own(tmp_path: Path) -> None:
    github(tmp_path / "set", label(1), label(2))
    texts = tmp_path / "texts.jsonl"
    texts.write_text(
        '{"id": 2, "text": " Five circles. "}\n{"id": 99, "text": "x"}\nnonsense\n{"id": 2, "text": "y"}\n'
    )
    loaded = load(f"{tmp_path / 'set'}:text={texts}")
    assert [puzzle.text for puzzle in loaded.puzzles()] == ["", "Five circles."]
    wrong, twice, stray = loaded.missing
    assert wrong.startswith("texts.jsonl line 3: not JSON")
    assert twice == "texts.jsonl line 4: the id 2 is a duplicate; the first text is used"
    assert stray == "texts.jsonl id 99: no usable puzzle has this id"


def described(**more: Any) -> str:
    panels = {"panels": [f"panel {k}" for k in range(1, 5)], "choices": [f"choice {k}" for k in range(1, 5)]}
    return json.dumps({"id": 2, **panels, **more})


def test_panels_described_one_by_one(tmp_path: Path) -> None:
    github(tmp_path / "set", label(1), label(2))
    (tmp_path / "t.jsonl").write_text(described())
    first, second = load(f"{tmp_path / 'set'}:text={tmp_path / 't.jsonl'}").puzzles()
    assert first.words() == ""
    assert second.words().splitlines()[3:5] == ["Context, panel 4: panel 4", "Choice 1: choice 1"]
    assert second.words("ABCD").endswith("Choice D: choice 4")
    assert only(load(f"{tmp_path / 'set'}:text={tmp_path / 't.jsonl'},only=described")).number == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (described(panels=["a", "b"]), "t.jsonl id 2: panels has 2 descriptions; its context has 4 panels without the"),
        (described(choices=["a", "b"]), "t.jsonl line 2: choices should hold 4 descriptions, but holds 2"),
        (described(panels="a"), "t.jsonl line 2: panels should be a list of descriptions, none of them empty"),
        (described(choices=["a", "b", "c", " "]), "t.jsonl line 2: choices should be a list of descriptions, none of"),
        ('{"id": 2, "panels": ["a"]}', "t.jsonl line 2: choices is missing"),
    ],
)
def test_panels_described_badly(line: str, said: str, tmp_path: Path) -> None:
    github(tmp_path / "set", label(1), label(2))
    (tmp_path / "t.jsonl").write_text('{"id": 1, "text": "fine"}\n' + line)
    (fault,) = load(f"{tmp_path / 'set'}:text={tmp_path / 't.jsonl'}").missing
    assert str(fault).startswith(said)


@pytest.mark.parametrize(("options", "said"), [("only=described", "needs text=FILE"), ("only=some", "expected only=")])
def test_only_what_is_described_needs_descriptions(options: str, said: str, tmp_path: Path) -> None:
    github(tmp_path / "set", label(1))
    with pytest.raises(UserError, match=said):
        load(f"{tmp_path / 'set'}:{options}")


def test_the_questions_are_kept_in_the_words_of_the_file(tmp_path: Path) -> None:
    github(tmp_path / "set", label(1))
    asked = only(load(str(tmp_path / "set"))).asked
    assert asked["avr"] == label(1)["avr_question"]
    assert [asked[name] for name in ("context", "choices", "whole")] == label(1)["c_perception_question_tuple"]


def test_texts_by_the_ids_of_items(tmp_path: Path) -> None:
    github(tmp_path / "set", label(2))
    (tmp_path / "t.jsonl").write_text('{"id": "marvel/published/0002", "text": "a"}\n')
    assert only(load(f"{tmp_path / 'set'}:text={tmp_path / 't.jsonl'}")).text == "a"


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no text in it"), ('{"id": 1}', "text is missing"), ('{"id": [], "text": "x"}', "id should")],
)
def test_texts_that_are_none(content: str, said: str, tmp_path: Path) -> None:
    github(tmp_path / "set", label(1))
    (tmp_path / "t.jsonl").write_text(content)
    with pytest.raises(UserError, match=said):
        load(f"{tmp_path / 'set'}:text={tmp_path / 't.jsonl'}")


# What cannot be used


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (label(2, pattern="Chess"), "pattern is 'Chess'; expected one of"),
        (label(2, task_configuration=7), "task_configuration should be a text, but is a number"),
        (label(2, answer=5), "answer should be a number from 1 to 4, but is 5"),
        (label(2, answer=True), "answer should be"),
        (
            label(2, c_perception_answer_tuple=[6, 4, 10]),
            "c_perception_answer_tuple is [6, 4, 10], but the picture has",
        ),
        (label(2, task_configuration="Matrix"), "the picture has 1260 x 640 pixels; a matrix puzzle has 900 x 1000"),
        (label(2, id="../2"), "id should be a whole number from 1"),
        (label(2, explanation=None), "explanation should be a text, but is nothing"),
        ("words", "expected an object, found a text"),
    ],
)
def test_labels_that_fit_no_puzzle(entry: Any, why: str, tmp_path: Path) -> None:
    loaded = load(str(github(tmp_path, label(1), entry)))
    assert [puzzle.number for puzzle in loaded.puzzles()] == [1]
    (line,) = loaded.missing
    assert line.startswith("marvel_label.json record 2: ")
    assert why in line
    assert "\n" not in line


def test_pictures_that_are_broken_or_missing(tmp_path: Path) -> None:
    pictures = {1: picture(), 2: picture()[:2000], 3: b"<html>", 4: b""}
    loaded = load(str(github(tmp_path, *map(label, range(1, 6)), pictures=pictures)))
    assert [puzzle.number for puzzle in loaded.puzzles()] == [1]
    cut, html, empty, missing = loaded.missing
    assert "Marvel/2.png cannot be decoded" in cut
    assert "Marvel/3.png is not a readable picture" in html
    assert "Marvel/4.png is not a readable picture" in empty
    assert missing == "marvel_label.json record 5: Marvel/5.png is missing"


def test_a_puzzle_that_is_there_twice(tmp_path: Path) -> None:
    loaded = load(str(github(tmp_path, label(1), label(1))))
    assert only(loaded).number == 1
    assert loaded.missing == ("published/0001: is a duplicate; the first one is used",)


@pytest.mark.parametrize("content", ["[{", "{}", "[]", '"x"', ""])
def test_labels_that_are_no_array(content: str, tmp_path: Path) -> None:
    (tmp_path / "marvel_label.json").write_text(content)
    with pytest.raises(UserError) as raised:
        load(str(tmp_path))
    assert "\n" not in str(raised.value)
    assert "marvel" in str(raised.value).lower()


def test_nothing_there(tmp_path: Path) -> None:
    for where in (str(tmp_path), str(tmp_path / "no"), "so/very/wrong"):
        with pytest.raises(UserError) as raised:
            load(where)
        assert OBTAIN in str(raised.value)
    with pytest.raises(UserError, match="unknown option"):
        load(f"{tmp_path}x:colour=red")


def test_a_broken_parquet_file(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and nothing")
    with pytest.raises(UserError, match="not a readable Parquet file"):
        load(str(tmp_path))
