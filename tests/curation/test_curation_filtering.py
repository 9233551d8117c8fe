"""Filtering a data set by the trials of screened models: what is dropped, what is flagged, what the log says."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
import pytest
from PIL import Image

from snellen import cli
from snellen import exam as exam_of
from snellen.curation.filtering import LOG, Filtered, Rules, filter_items, items_table, models_table
from snellen.engine import Store, TrialRecord
from snellen.engine.rows import export
from snellen.errors import UserError
from snellen.examine import make_plan, run_plan
from snellen.item import Condition, Form, Item, Picture, Question, Stimulus
from snellen.tasks.export import Format, read_items, write_items

T = TypeVar("T")
FORM = Form("choice", ("A", "B"))


def passing(things: Iterable[T], total: int, label: str, /) -> Iterator[T]:
    return iter(things)


def picture(number: int) -> Picture:
    file = BytesIO()
    image = Image.new("RGB", (64, 64), "white")
    for k in range(8):
        image.paste((0, 0, 0) if number >> k & 1 else (200, 200, 0), (8 * k, 8 * k, 8 * k + 8, 64))
    image.save(file, "PNG")
    return Picture(file.getvalue())


def item(name: str, kind: str = "maze", **truth: Any) -> Item:
    return Item(f"sample/{name}", "sample", {"kind": kind, "size": "small"}, {"name": name, **truth}, f"digest {name}")


def stimulus(about: Item, number: int, rule: str = "plain", key: str = "A", form: Form = FORM) -> Stimulus:
    question = Question("Which way?", form, key)
    return Stimulus(about, Condition(rule=rule), (picture(number), "Which way?"), question)


SET = [stimulus(item(name), number) for number, name in enumerate("abcd")]


def store(path: Path, trials: Iterable[tuple[Stimulus, str, str]], **more: Any) -> Path:
    """A store in which these subjects answered these stimuli with these outcomes."""
    with Store.open(path) as opened:
        exam = opened.begin_exam({}, {})
        for number, (about, subject, outcome) in enumerate(trials):
            opened.put_item(about.item)
            opened.add_trial(exam, number.to_bytes(8, "big"), record(about, subject, outcome, **more), [])
        opened.end_exam(exam, {})
    return path


def record(about: Stimulus, subject: str, outcome: str, **levels: str) -> TrialRecord:
    return TrialRecord(
        task=about.item.task,
        item=about.item.id,
        subject=subject,
        paradigm="direct",
        levels={**about.item.levels, **about.condition, **levels},
        pack="",
        outcome="unread" if outcome == "error" else outcome,
        reason="error" if outcome == "error" else "",
        answer="",
        expected=about.question.key,
        labels=(),
    )


def answers(stimuli: Iterable[Stimulus], **outcomes: str) -> list[tuple[Stimulus, str, str]]:
    """One outcome a stimulus and subject: + right, - wrong, ? unread, ! error, space not asked."""
    words = {"+": "right", "-": "wrong", "?": "unread", "!": "error"}
    return [
        (about, subject, words[sign])
        for subject, signs in outcomes.items()
        for about, sign in zip(stimuli, signs, strict=True)
        if sign in words
    ]


def filtered(
    tmp_path: Path, shown: Iterable[Stimulus], *runs: Path, kind: Format = "parquet", **rules: Any
) -> Filtered:
    write_items(shown, tmp_path / "set", kind)
    return filter_items(tmp_path / "set", runs, tmp_path / "out", Rules(**rules), passing)


def fates(done: Filtered) -> dict[str, str]:
    return {each.item.id.removeprefix("sample/"): each.reason for each in done.decisions}


@pytest.fixture(params=["parquet", "jsonl"])
def kind(request: pytest.FixtureRequest) -> Format:
    return request.param


def test_easy_items_go_and_the_rest_comes_back_as_it_was(kind: Format, tmp_path: Path) -> None:
    run = store(tmp_path / "s.sqlite", answers(SET, one="++--", two="+-+-"))
    done = filtered(tmp_path, SET, run, kind=kind)
    assert fates(done) == {"a": "everybody gets it", "b": "mixed", "c": "mixed", "d": "nobody gets it"}
    assert [each.fate for each in done.decisions] == ["dropped", "kept", "kept", "flagged"]
    assert (done.models, done.rows) == (("one", "two"), 3)
    assert list(read_items(tmp_path / "out")) == list(read_items(tmp_path / "set"))[1:]
    assert (tmp_path / "out" / "metadata.jsonl").exists() == (kind == "jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "s.sqlite", "s.sqlite.lock", "set"]


def test_the_log_has_a_line_an_item_with_every_share(tmp_path: Path) -> None:
    done = filtered(tmp_path, SET, store(tmp_path / "s.sqlite", answers(SET, two="+-+ ", one="+?! ")))
    lines = [json.loads(line) for line in (tmp_path / "out" / LOG).read_text().splitlines()]
    assert [(line["item"], line["fate"], line["reason"]) for line in lines] == [
        ("sample/a", "dropped", "everybody gets it"),
        ("sample/b", "flagged", "nobody gets it"),
        ("sample/c", "kept", "too few models"),
        ("sample/d", "kept", "no trials"),
    ]
    assert list(lines[1]["models"]) == ["one", "two"]
    assert lines[1]["models"]["one"] == {"share": 0.0, "right": 0, "asked": 1, "unread": 1}
    assert lines[2]["models"] == {"two": {"share": 1.0, "right": 1, "asked": 1, "unread": 0}}
    assert lines[0]["levels"] == {"kind": "maze", "size": "small"}
    assert done.rows == 3


def test_a_model_alone_decides_only_where_that_is_asked_for(tmp_path: Path) -> None:
    run = store(tmp_path / "s.sqlite", answers(SET, one="++--", two="+   "))
    assert fates(filtered(tmp_path, SET, run, subjects=1))["b"] == "everybody gets it"
    with pytest.raises(UserError, match="--min-subjects 3: only 2 models"):
        filter_items(tmp_path / "set", [run], tmp_path / "other", Rules(subjects=3), passing)


@pytest.mark.parametrize(("threshold", "dropped"), [(0.95, "b"), (0.5, "b"), (0.49, "ab"), (0.0, "ab"), (1.0, "b")])
def test_the_threshold_is_a_share_of_a_models_trials(threshold: float, dropped: str, tmp_path: Path) -> None:
    stimuli = [stimulus(item(name), n, rule) for n, name in enumerate("abc") for rule in ("plain", "inverse")]
    run = store(tmp_path / "s.sqlite", answers(stimuli, one="+-++--"))
    done = filtered(tmp_path, stimuli, run, threshold=threshold)
    gone = {each.item.id[-1] for each in done.decisions if each.fate == "dropped"}
    assert gone == set(dropped)
    assert len(list(read_items(tmp_path / "out"))) == 6 - 2 * len(gone)


@pytest.mark.parametrize("threshold", [-0.1, 1.5, 95, float("nan")])
def test_no_threshold_but_a_share(threshold: float) -> None:
    with pytest.raises(UserError, match="share from 0 to 1"):
        Rules(threshold)


def test_only_trials_under_the_sets_conditions_count(tmp_path: Path) -> None:
    inverse = [stimulus(each.item, 0, "inverse", "B") for each in SET]
    trials = [*answers(SET, one="++--"), *answers(inverse, one="----")]
    done = filtered(tmp_path, SET, store(tmp_path / "s.sqlite", trials))
    assert fates(done)["a"] == "everybody gets it"
    elsewhere = store(tmp_path / "t.sqlite", answers(inverse, one="++--"))
    with pytest.raises(UserError, match=r"none of the 4 trials was asked as this folder asks \(rule=plain\)"):
        filter_items(tmp_path / "set", [elsewhere], tmp_path / "other", Rules(), passing)


def test_duplicates_go_but_one_that_is_not_easy_stays(tmp_path: Path) -> None:
    stimuli = [stimulus(item(name), number) for name, number in zip("abcde", (1, 1, 1, 2, 3), strict=True)]
    done = filtered(tmp_path, stimuli, store(tmp_path / "s.sqlite", answers(stimuli, one="+---+")))
    assert fates(done) == {
        "a": "everybody gets it",
        "b": "nobody gets it",
        "c": "duplicate",
        "d": "nobody gets it",
        "e": "everybody gets it",
    }
    assert done.decisions[2].duplicate_of == "sample/b"
    assert json.loads((tmp_path / "out" / LOG).read_text().splitlines()[2])["duplicate_of"] == "sample/b"


def test_an_enlarged_picture_is_a_duplicate(tmp_path: Path) -> None:
    file = BytesIO()
    with Image.open(BytesIO(picture(3).data)) as image:
        image.resize((128, 128), Image.Resampling.BOX).save(file, "PNG")
    copy = stimulus(item("e"), 3)
    copy = replace(copy, parts=(Picture(file.getvalue()), "Which way?"))
    stimuli = [*SET, copy]
    done = filtered(tmp_path, stimuli, store(tmp_path / "s.sqlite", answers(stimuli, one="-----")))
    assert done.decisions[4].reason == "duplicate"
    assert "look the same" in done.decisions[4].why
    assert done.decisions[4].duplicate_of == "sample/d"


def test_a_store_and_its_export_are_the_same_trials(tmp_path: Path) -> None:
    run = store(tmp_path / "s.sqlite", answers(SET, one="+-+-"))
    with Store.open(run, readonly=True) as opened:
        export(opened, tmp_path / "t.parquet")
    done = filtered(tmp_path, SET, run, tmp_path / "t.parquet", run)
    assert [each.tallies["one"].asked for each in done.decisions] == [1, 1, 1, 1]
    alone = filter_items(tmp_path / "set", [tmp_path / "t.parquet"], tmp_path / "again", Rules(), passing)
    assert fates(alone) == fates(done)
    assert (tmp_path / "again" / LOG).read_bytes() == (tmp_path / "out" / LOG).read_bytes()


def test_several_runs_are_screened_together(tmp_path: Path) -> None:
    runs = [
        store(tmp_path / "s.sqlite", answers(SET, one="++--")),
        store(tmp_path / "t.sqlite", answers(SET, two="+-+-")),
    ]
    assert fates(filtered(tmp_path, SET, *runs))["b"] == "mixed"


@pytest.mark.parametrize("judged", [True, False])
def test_a_judge_scores_free_text_and_nothing_else(judged: bool, tmp_path: Path) -> None:
    form = Form("text") if judged else FORM
    stimuli = [stimulus(item(name), n, form=form) for n, name in enumerate("ab")]
    run = store(tmp_path / "s.sqlite", answers(stimuli, one="--"))
    beside = store(tmp_path / "t.sqlite", answers(stimuli, one="+-"), judge="sim/judge")
    done = filtered(tmp_path, stimuli, run, beside)
    assert fates(done)["a"] == ("everybody gets it" if judged else "nobody gets it")
    assert done.decisions[0].tallies["one"].asked == 1


# The item as it is


def only_when_told(parts: list[str | bytes]) -> str:
    """Repeats what it is told and what stands in words; of a picture it says the same wrong thing always."""
    words = "\n".join(part for part in parts if isinstance(part, str))
    told = re.search(r"Give this answer in the form that the question asks for:\s*(\S.*?)\s*\n", words)
    return told[1] if told else "I cannot tell"


@pytest.mark.parametrize(("task", "n"), [("winoground", 22), pytest.param("bongard", 11, marks=pytest.mark.soak)])
def test_who_is_right_only_when_told_gets_nothing(
    task: str, n: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert snellen(monkeypatch, "make", task, "--n", n, "--seed", 3, "-o", "set") == 0
    exam = exam_of({"teller": only_when_told}, tasks=task, n=n, seed=3, store=tmp_path / "s.sqlite")
    right = exam.rows.filter(pl.col("outcome") == "right")
    assert set(right["paradigm"]) == {"told"}  # a quarter of the items, and right on all of them
    done = filter_items(tmp_path / "set", [tmp_path / "s.sqlite"], tmp_path / "out", Rules(), passing)
    assert [each.reason for each in done.decisions] == ["nobody gets it"] * 22


@pytest.mark.parametrize(
    ("task", "spared", "whole"),
    [
        ("marvel", {"question": "avr", "words": "given"}, {"question": "avr", "words": "none"}),
        ("marvel", {"question": "fine", "words": "none"}, {"question": "avr", "words": "none"}),
        ("fixation", {"modality": "text", "target": "winner"}, {"modality": "image", "target": "winner"}),
        ("bias", {"drawing": "plain", "ask": "count"}, {"drawing": "counterfactual", "ask": "count"}),
    ],
)
def test_what_is_right_on_a_lower_rung_alone_does_not_count(
    task: str, spared: dict[str, str], whole: dict[str, str], tmp_path: Path
) -> None:
    def shown(levels: dict[str, str]) -> list[Stimulus]:
        return [
            replace(each, item=replace(each.item, task=task), condition=Condition(levels), parts=(*each.parts, *levels))
            for each in SET
        ]

    lower, full = shown(spared), shown(whole)
    run = store(tmp_path / "s.sqlite", [*answers(lower, one="++--"), *answers(full, one="-+-+")])
    assert list(fates(filtered(tmp_path, [*lower, *full], run)).values()) == [
        *("nobody gets it", "everybody gets it", "nobody gets it", "everybody gets it")
    ]
    write_items(lower, tmp_path / "lower", "parquet")
    alone = filter_items(tmp_path / "lower", [run], tmp_path / "left", Rules(), passing)
    assert [each.reason for each in alone.decisions][:3] == ["everybody gets it"] * 2 + ["nobody gets it"]


# What is refused


def refused(tmp_path: Path, run: Path, *words: str) -> None:
    with pytest.raises(UserError) as error:
        filtered(tmp_path, SET, run)
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)
    assert not (tmp_path / "out").exists()


def test_items_that_have_changed_since(tmp_path: Path) -> None:
    older = [*SET[:1], *(replace(each, item=replace(each.item, truth={"old": 1}, digest="old")) for each in SET[1:])]
    run = store(tmp_path / "s.sqlite", answers(older, one="+--+"))
    refused(tmp_path, run, "s.sqlite", "another version of 3 items", "sample/b")


def test_items_in_two_versions(tmp_path: Path) -> None:
    older = [replace(each, item=replace(each.item, truth={"old": 1}, digest="old")) for each in SET[:1]]
    trials = [*answers(SET, one="+--+"), *answers(older, one="-")]
    refused(tmp_path, store(tmp_path / "s.sqlite", trials), "two versions", "sample/a")


def test_an_export_of_items_with_other_keys(tmp_path: Path) -> None:
    run = store(tmp_path / "s.sqlite", answers([stimulus(SET[0].item, 0, key="B")], one="+"))
    with Store.open(run, readonly=True) as opened:
        export(opened, tmp_path / "t.parquet")
    refused(tmp_path, tmp_path / "t.parquet", "t.parquet", "another version", "sample/a")


def test_runs_of_other_items(tmp_path: Path) -> None:
    others = [stimulus(item("x"), 1), replace(SET[0], item=replace(SET[0].item, task="other"))]
    refused(tmp_path, store(tmp_path / "s.sqlite", answers(others, one="++")), "no trials match", "4 in")


def test_runs_that_are_none(tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    pl.DataFrame({"item": ["a"]}).write_parquet(table)
    (tmp_path / "broken.parquet").write_bytes(table.read_bytes()[:40])
    (tmp_path / "notes.txt").write_text("dear diary")
    write_items(SET, tmp_path / "set", "parquet")
    for name, words in {
        "t.parquet": "no column",
        "broken.parquet": "Parquet",
        "notes.txt": "not a Snellen store",
        "none.sqlite": "no such file",
    }.items():
        with pytest.raises(UserError, match=words) as error:
            filter_items(tmp_path / "set", [tmp_path / name], tmp_path / "out", Rules(), passing)
        assert name in str(error.value)
    assert not (tmp_path / "out").exists()


def test_nothing_is_overwritten_and_nothing_is_left_of_nothing(tmp_path: Path) -> None:
    run = store(tmp_path / "s.sqlite", answers(SET, one="++++"))
    refused(tmp_path, run, "all 4 items would be dropped")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(UserError, match="not empty"):
        filter_items(tmp_path / "set", [run], tmp_path / "out", Rules(), passing)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]
    with pytest.raises(UserError, match="snellen make"):
        filter_items(tmp_path / "nowhere", [run], tmp_path / "new", Rules(), passing)


# What people see


def test_the_tables_say_what_became_of_each_kind(tmp_path: Path) -> None:
    stimuli = [stimulus(item(name, kind), n) for n, (name, kind) in enumerate(zip("abcd", "xxyy", strict=True))]
    done = filtered(tmp_path, stimuli, store(tmp_path / "s.sqlite", answers(stimuli, one="+-- ", two="+?+ ")))
    shown = items_table(done)
    assert shown.columns[:5] == ("kind", "items", "too easy", "duplicate", "left")
    assert shown.rows == (("x", 2, 1, 0, 1, 1, 0, 0), ("y", 2, 0, 0, 2, 0, 0, 1), ("all", 4, 1, 0, 3, 1, 0, 1))
    assert models_table(done).rows == (
        ("one", 3, 1, 3, pytest.approx(100 / 3), 0.0),
        ("two", 3, 2, 3, pytest.approx(200 / 3), pytest.approx(100 / 3)),
    )


@pytest.mark.parametrize(("sizes", "by"), [(2, "pattern, size"), (6, "pattern")])
def test_items_without_kinds_are_grouped_by_what_gives_a_short_table(sizes: int, by: str, tmp_path: Path) -> None:
    stimuli = [
        replace(each, item=replace(each.item, levels={"source": "x", "pattern": pattern, "size": str(size)}))
        for number, (pattern, size) in enumerate(product("abc", range(sizes)))
        for each in [stimulus(item(str(number)), number)]
    ]
    done = filtered(tmp_path, stimuli, store(tmp_path / "s.sqlite", answers(stimuli, one="-" * len(stimuli))))
    shown = items_table(done)
    assert shown.columns[0] == by
    assert [row[1] for row in shown.rows] == ([1] * 6 + [6] if sizes == 2 else [6, 6, 6, 18])


def snellen(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """The command line, in this process; its exit status."""
    monkeypatch.setattr("sys.argv", ["snellen", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(str(end.value.code))


def test_the_command_on_a_made_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert snellen(monkeypatch, "make", "fixation", "--n", 2, "--format", "jsonl", "-o", "boards") == 0
    for number, subject in enumerate(("sim/ideal", "sim/ideal:see=0.5")):
        run_plan(make_plan(subject, n=1), f"{number}.sqlite")
    capsys.readouterr()
    assert snellen(monkeypatch, "filter", "boards", "--with", "0.sqlite", "1.sqlite") == 0
    shown = capsys.readouterr()
    assert "sim/ideal:see=0.5" in shown.out
    assert "connect4" in shown.out
    assert shown.err == ""
    lines = [json.loads(line) for line in (tmp_path / "boards-filtered" / LOG).read_text().splitlines()]
    assert [line["reason"] for line in lines].count("no trials") == 4
    left = {line["item"] for line in lines if line["fate"] != "dropped"}
    assert {row.item.id for row in read_items(tmp_path / "boards-filtered")} == left
    assert snellen(monkeypatch, "filter", "boards", "--with", "0.sqlite") == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert "boards-filtered" in shown.err
