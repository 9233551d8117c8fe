"""The published MME-CC, from samples of our own in its format."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

import snellen
from snellen.errors import UserError
from snellen.examine import make_plan, run_plan
from snellen.examine.judging import SCORES
from snellen.item import Condition
from snellen.prompts import load as load_pack
from snellen.tasks import parse_levels
from snellen.tasks.capacity import TASK
from snellen.tasks.capacity.kinds import BY_CATEGORY, KINDS
from snellen.tasks.capacity.load import FILES, OBTAIN, load, unwrapped
from snellen.tasks.capacity.published import NOTE, item_of, published
from support.fakes import FakeSubject

NAMES = (
    *("Chart_Modification", "Counterfactual_Instruction", "Finding_Wrong_Answer", "Gomoku_Variation"),
    *("Indoor_Deduplication_Counting", "Indoor_Directional_Reasoning", "Jigsaw_Puzzle", "Maze06", "Maze10"),
    *("Sandbagging", "Satellite_Image_Matching", "Unblock_Me"),
)
WRAPPED = "## The correct answer is: 1 4 7\n\n## Scoring criteria: all digits, in any order"


def picture(colour: Any = "red", kind: str = "png", mode: str = "RGB") -> bytes:
    file = BytesIO()
    Image.new(mode, (8, 6), colour).save(file, kind)
    return file.getvalue()


def record(name: str = "Maze06", *pictures: str, **more: Any) -> dict[str, Any]:
    return {
        "prompt": f"Which digits? ({name})",
        "image_list": list(pictures or (f"{name}/1.png",)),
        "ground_truth": {"answer": WRAPPED},
        "extra": {"Subtask": "anything"},
        **more,
    }


def put(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def whole_set(home: Path, each: int = 1) -> Path:
    for name in NAMES:
        put(home / f"{name}.json", [record(name, f"{name}/{k}.png") for k in range(each)])
        for k in range(each):
            put(home / name / f"{k}.png", picture((k, 0, 0)))
    return home


def one(home: Path, *records: Any, name: str = "Maze06") -> Path:
    put(home / f"{name}.json", list(records))
    put(home / name / "1.png", picture())
    return home


def test_all_twelve_files_in_the_order_of_the_tasks(tmp_path: Path) -> None:
    loaded = load(str(whole_set(tmp_path, each=2)))
    found = list(loaded.usable())
    assert set(FILES) == set(NAMES)
    assert loaded.missing == ()
    assert len({entry.id for entry in found}) == 24
    assert list(dict.fromkeys(entry.kind for entry in found)) == list(KINDS)
    assert [entry.id for entry in found if entry.kind == "maze"] == [
        "maze06/0001",
        "maze06/0002",
        "maze10/0001",
        "maze10/0002",
    ]
    last = found[-1]
    assert (last.id, last.prompt) == ("finding_wrong_answer/0002", "Which digits? (Finding_Wrong_Answer)")
    assert (last.answer, last.criteria) == ("1 4 7", "all digits, in any order")
    assert [loaded.picture(panel).data for panel in last.panels] == [picture((1, 0, 0))]


@pytest.mark.parametrize(
    ("text", "answer", "criteria"),
    [
        ("12", "12", ""),
        ("  b c \n", "b c", ""),
        ("## The correct answer is: 12", "12", ""),
        ("Note\n##The correct answer is :\n12\n\n##  Scoring Criteria:\n- one\n- two", "12", "- one\n- two"),
        ("### the correct answer is：d6\n### scoring criteria：any of them", "d6", "any of them"),
        ("12\n## Scoring criteria: exact", "12", "exact"),
        ("## The correct answer is: # 3 ## 4", "# 3 ## 4", ""),
        ("## The correct answer is: A ## Scoring criteria: B ## Scoring criteria: C", "A", "B ## Scoring criteria: C"),
        ("## The correct answer is: ## Scoring criteria: all", "", "all"),
    ],
)
def test_answers_are_unwrapped(text: str, answer: str, criteria: str) -> None:
    assert unwrapped(text) == (answer, criteria)


def test_several_pictures_in_their_order(tmp_path: Path) -> None:
    one(tmp_path, record("Maze06", "Maze06/b.png", "Maze06/1.png", "./Maze06/a.jpg"))
    put(tmp_path / "Maze06/a.jpg", picture("blue", "jpeg"))
    put(tmp_path / "Maze06/b.png", picture((0, 0, 0, 0), mode="RGBA"))
    loaded = load(str(tmp_path))
    (found,) = loaded.usable()
    shown = [loaded.picture(panel) for panel in found.panels]
    assert [panel["remade"] for panel in found.panels] == ["was transparent", "", ""]
    assert [each.media_type for each in shown] == ["image/png", "image/png", "image/jpeg"]
    assert shown[2].data == picture("blue", "jpeg")


@pytest.mark.parametrize("inner", ["data", "a/b"])
def test_a_set_deeper_in_the_folder_and_pictures_at_its_top(inner: str, tmp_path: Path) -> None:
    put(tmp_path / inner / "Maze10.json", [record("Maze10")])
    put(tmp_path / "Maze10/1.png", picture())
    assert [entry.id for entry in load(str(tmp_path)).usable()] == ["maze10/0001"]


def test_a_file_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    one(tmp_path, record(prompt="upper"))
    put(tmp_path / "copy/Maze06.json", [record(prompt="lower")])
    assert [entry.prompt for entry in load(str(tmp_path)).usable()] == ["upper"]


def test_a_single_file(tmp_path: Path) -> None:
    whole_set(tmp_path)
    assert [entry.id for entry in load(str(tmp_path / "Unblock_Me.json")).usable()] == ["unblock_me/0001"]
    with pytest.raises(UserError, match="none of the twelve files"):
        load(str(put(tmp_path / "other.json", [record()])))


def test_pictures_elsewhere(tmp_path: Path) -> None:
    put(tmp_path / "a/Maze06.json", [record()])
    put(tmp_path / "b/Maze06/1.png", picture("blue"))
    with pytest.raises(UserError, match="no usable records"):
        load(str(tmp_path / "a"))
    loaded = load(f"{tmp_path / 'a'}:images={tmp_path / 'b'}")
    assert loaded.picture(next(loaded.usable()).panels[0]).data == picture("blue")
    with pytest.raises(UserError, match="no such folder"):
        load(f"{tmp_path / 'a'}:images={tmp_path / 'c'}")
    with pytest.raises(UserError, match="did you mean images"):
        load(f"{tmp_path / 'a'}:image={tmp_path / 'b'}")


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "../secret.png",
        "Maze06/../../secret.png",
        "/etc/passwd",
        "C:/secret.png",
        "..\\secret.png",
        "\\\\host\\secret.png",
        "Maze06/1.png\0",
        "",
    ],
)
def test_no_path_leads_out_of_the_folder(path: str, tmp_path: Path) -> None:
    put(tmp_path / "secret.png", picture())
    one(tmp_path / "set", record(), record("Maze06", path), record("Maze06", "Maze06/1.png", path))
    loaded = load(str(tmp_path / "set"))
    assert [entry.id for entry in loaded.usable()] == ["maze06/0001"]
    alone, beside = loaded.missing
    assert alone.startswith("Maze06.json record 2: 1 of 1 pictures cannot be used: the file name ")
    assert alone.endswith("points outside the data folder")
    assert "1 of 2 pictures" in beside


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt": None}, "prompt should be a text, but is nothing"),
        ({"prompt": " \n"}, "prompt is empty"),
        ({"prompt": "half \ud800"}, "prompt contains a lone surrogate"),
        ({"image_list": "Maze06/1.png"}, "image_list should be a list of paths"),
        ({"image_list": []}, "image_list should be a list of paths"),
        ({"image_list": [5]}, "image_list should be a list of paths"),
        ({"image_list": ["Maze06/2.png"]}, "1 of 1 pictures cannot be used: Maze06/2.png is missing"),
        ({"image_list": ["Maze06"]}, "Maze06 is missing"),
        ({"image_list": ["Maze06/page.png"]}, "Maze06/page.png is not a readable picture"),
        ({"image_list": ["Maze06/cut.png"]}, "Maze06/cut.png is not a readable picture"),
        ({"ground_truth": "12"}, "expected an object, found a text"),
        ({"ground_truth": {}}, "answer is missing"),
        ({"ground_truth": {"answer": 12}}, "answer should be a text, but is a number"),
        ({"ground_truth": {"answer": ""}}, "answer is empty"),
        ({"ground_truth": {"answer": "\udfff"}}, "answer contains a lone surrogate"),
        ({"ground_truth": {"answer": "## The correct answer is: ## Scoring criteria: x"}}, "the answer is empty"),
    ],
)
def test_a_broken_record_is_one_line_and_the_rest_goes_on(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    one(tmp_path, record() | change, record(prompt="the other"))
    put(tmp_path / "Maze06/page.png", b"<html>")
    put(tmp_path / "Maze06/cut.png", picture()[:-20])
    loaded = load(str(tmp_path))
    (found,) = loaded.usable()
    assert (found.id, found.prompt) == ("maze06/0002", "the other")
    (line,) = loaded.missing
    assert line.startswith("Maze06.json record 1: ")
    assert said in line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(whole=JSON, changes=st.dictionaries(st.sampled_from([*record()]), JSON, min_size=1, max_size=3), answer=JSON)
def test_no_record_whatever_gives_a_traceback(whole: Any, changes: dict[str, Any], answer: Any, tmp_path: Path) -> None:
    one(tmp_path, record(), whole, record() | changes, record(ground_truth={"answer": answer}))
    loaded = load(str(tmp_path))
    for found in loaded.usable():
        (found.prompt + found.answer + found.criteria).encode()
    assert next(loaded.usable()).id == "maze06/0001"
    assert 1 <= len(loaded.missing) <= 3
    assert all(line.isprintable() for line in loaded.missing)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"{}", b"5", b"[" * 100_000])
def test_a_broken_file_is_named(content: bytes, tmp_path: Path) -> None:
    whole_set(tmp_path)
    put(tmp_path / "Gomoku_Variation.json", content)
    with pytest.raises(UserError, match=r"Gomoku_Variation\.json") as error:
        list(load(str(tmp_path)).usable())
    assert "\n" not in str(error.value)


def test_no_such_place_and_nothing_there(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UserError) as error:
            load(str(place))
        assert OBTAIN in str(error.value)
        assert "\n" not in str(error.value)


# As a task


def test_items_know_their_kind_and_category_and_change_with_their_content(tmp_path: Path) -> None:
    whole_set(tmp_path)
    items = [item_of(entry) for entry in load(str(tmp_path)).usable()]
    assert {item.levels["kind"]: item.levels["category"] for item in items} == {
        kind: category for category, kinds in BY_CATEGORY.items() for kind in kinds
    }
    assert {item.levels["source"] for item in items} == {"published"}
    assert items[0].id == "capacity/published/satellite_image_matching/0001"
    put(tmp_path / "Satellite_Image_Matching/0.png", picture("blue", "jpeg"))
    again = [item_of(entry) for entry in load(str(tmp_path)).usable()]
    assert [a.digest == b.digest for a, b in zip(items, again, strict=True)] == [False, *[True] * 11]


def test_published_questions_have_no_plain_instruction(tmp_path: Path) -> None:
    task = published(TASK, str(whole_set(tmp_path)))
    assert [factor.name for factor in task.factors] == ["kind", "describe"]


def test_a_published_question_is_put_in_its_own_words(tmp_path: Path) -> None:
    task = published(TASK, str(whole_set(tmp_path)))
    pack = load_pack(task.prompts, task.name)
    maze = next(item for item in task.items({"kind": KINDS}, 12, 0) if item.levels["kind"] == "maze")
    shown = task.stimulus(maze, Condition(describe="no"), pack)
    assert shown.question.text == "Which digits? (Maze06)"
    assert shown.question.key == "1 4 7"
    assert shown.question.form.kind == "text"
    assert [part if isinstance(part, str) else part.data for part in shown.parts] == [
        picture((0, 0, 0)),
        "Which digits? (Maze06)",
    ]
    first = task.stimulus(maze, Condition(describe="first"), pack)
    assert first.question.text.startswith("Which digits? (Maze06)\n\n")
    assert len(first.question.text) > len(shown.question.text) + 20


def test_how_many_and_which(tmp_path: Path) -> None:
    whole_set(tmp_path, each=3)
    (tmp_path / "Maze10" / "1.png").unlink()
    task = published(TASK, str(tmp_path))
    design = task.design()
    assert design.n == 35
    assert task.notes == ("Maze10.json record 2: 1 of 1 pictures cannot be used: Maze10/1.png is missing", NOTE)
    assert task.size(design, 35) == 35
    spread = [item.id for item in task.items({"kind": KINDS}, 11, 5)]
    assert len(set(spread)) == 11
    assert {kind["kind"]: count for kind, count in task.counts({"kind": KINDS}, 35)}["maze"] == 5
    mazes = task.changed(design, parse_levels(["kind=maze"]))
    assert task.size(mazes, 35) == 5
    assert task.size(mazes, 2) == 2
    with pytest.raises(UserError, match=r"--n 6: .* has 5 usable questions"):
        task.size(mazes, 6)
    with pytest.raises(UserError, match="unknown factor 'size' of task capacity"):
        task.changed(design, parse_levels(["size=large"]))


def test_a_kind_the_set_lacks(tmp_path: Path) -> None:
    task = published(TASK, str(one(tmp_path, record())))
    with pytest.raises(UserError, match="has 0 usable questions"):
        task.size(task.changed(task.design(), parse_levels(["kind=jigsaw"])), 1)


def test_from_end_to_end_with_a_judge(tmp_path: Path) -> None:
    """The subject says the right digits in a sentence: equal texts do not count it, a judge who sees the criteria
    does, and one who gives no score leaves it unread."""
    subject = FakeSubject("They are 1, 4 and 7.", name="fake/subject")
    asked: list[str] = []

    def scored(call: Any) -> str:
        words = "".join(part for part in call.messages[0].parts if isinstance(part, str))
        asked.append(words)
        return SCORES[1] if "Gomoku" not in words else "It is right."

    where = {"capacity": str(whole_set(tmp_path / "set"))}
    judging = FakeSubject(scored, name="fake/judge")
    plan = make_plan(subject, tasks=["capacity"], data=where, roles={"judge": judging}, design="paper")
    rows = run_plan(plan, tmp_path / "s.sqlite").rows
    assert plan.size == rows.height == 24
    by_rules = rows.filter(rows["judge"].is_null())
    judged = rows.filter(rows["judge"] == "fake/judge")
    assert "right" not in by_rules["outcome"].to_list()
    marks = dict(zip(judged["kind"], judged["outcome"], strict=True))
    assert marks.pop("gomoku") == "unread"
    assert set(marks.values()) == {"right"}
    assert len(subject.asked) == 12
    assert len(asked) == 13
    assert all("all digits, in any order" in words for words in asked)
    assert all("1 4 7" in words for words in asked)


def test_an_exam_without_a_judge_says_why_there_is_no_verdict(tmp_path: Path) -> None:
    where = str(whole_set(tmp_path / "set"))
    exam = snellen.exam("sim/ideal", tasks="capacity", data={"capacity": where}, store=tmp_path / "s.sqlite")
    (said,) = exam.findings.diagnoses
    asked = exam.rows.height
    assert said.verdict == "unclear"
    assert f"Its {asked} replies are free text" in said.headline
    assert "--role judge=SUBJECT" in said.headline
