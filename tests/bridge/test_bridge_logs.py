"""Inspect logs into a store: our own marked anew, others by their score, and nothing half done."""

import json
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tiny_task import picture

from snellen.bridge.logs import import_log
from snellen.engine.store import Store
from snellen.errors import UserError
from snellen.tasks import task as find_task
from support.later import later
from support.planted_keys import Planted, everything

later("inspect_ai")


def rows(path):
    with Store.open(path, readonly=True) as store:
        return store.rows()


@pytest.fixture(scope="session")
def own_log(tiny, evaluate):
    """Item 0 is answered rightly, item 1 by habit; under the inverse rule item 0 is cut off."""
    from inspect_ai.model import ModelOutput

    def answer(words):
        if words == "Who lost tiny/a/0?":
            return ModelOutput.from_content("mock-1", "Let me see: first", stop_reason="max_tokens")
        return "X" if "tiny/a/0" in words else "O"

    return evaluate(tiny(), answer).location


@pytest.fixture(scope="session")
def sums():
    """Somebody else's task: four sums, two scores."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, accuracy, match, mean, scorer

    @scorer(metrics=[mean()])
    def length():
        async def score(state, target):
            return Score(value=len(state.output.completion) / 10)

        return score

    samples = [Sample(id=i, input=f"{i} + {i} = ?", target=str(2 * i)) for i in range(1, 5)]
    return lambda: Task(dataset=samples, scorer=[match(), length()], metrics=[accuracy()], name="sums")


def test_our_own_trials_come_home_whole(own_log, tmp_path):
    store = tmp_path / "s.sqlite"
    told = str(import_log(own_log, store))
    assert "imported 4 trials" in told
    assert "2 right, 1 unread, 1 wrong, marked by Snellen's reader" in told
    table = rows(store).sort("item", "rule", descending=[False, True])
    assert table.select("task", "item", "game", "rule", "order", "paradigm", "subject", "pack").rows() == [
        ("tiny", f"tiny/a/{i}", "a", rule, "image_first", "direct", "inspect/mockllm/model", "")
        for i in (0, 1)
        for rule in ("standard", "inverse")
    ]
    assert "epoch" not in table.columns
    assert table.select("outcome", "reason", "answer", "key", "mechanism").rows() == [
        ("right", "", "X", "X", ""),
        ("unread", "truncated", "", "O", ""),
        ("right", "", "O", "O", ""),
        ("wrong", "", "O", "X", "default rule"),
    ]
    assert table["labels"].to_list() == [["X", "O"]] * 4
    assert table.select("text", "finish", "tokens_in", "tokens_out").row(1) == ("Let me see: first", "length", 11, 3)


def test_calls_hold_the_request_and_the_very_picture(own_log, tmp_path):
    store = tmp_path / "s.sqlite"
    import_log(own_log, store)
    item = next(find_task("tiny").items({"game": ("a",)}, 1, 0))
    with Store.open(store, readonly=True) as opened:
        key = opened.rows().filter(pl.col("item") == item.id, pl.col("rule") == "standard")["calls"][0][0]
        request = json.loads(opened.call(key).request)
        assert opened.image(picture(item).digest).data == picture(item).data
        [exam] = opened.exams()
    assert request["messages"] == [["user", {"picture": picture(item).digest}, "Who won tiny/a/0?"]]
    assert request["settings"]["temperature"] == 0.0
    assert request["subject"] == "inspect/mockllm/model"
    assert exam.finished
    assert exam.fingerprint["inspect"]["task"].endswith("tiny")


def test_importing_twice_changes_nothing(own_log, tmp_path):
    store = tmp_path / "s.sqlite"
    import_log(own_log, store)
    once = rows(store).drop("exam")
    import_log(own_log, store)
    assert rows(store).drop("exam").sort("trial").equals(once.sort("trial"))
    import_log(own_log, store, subject="the same again")
    assert rows(store).height == 8


def test_others_go_by_their_score_and_two_models_pair_up(sums, evaluate, tmp_path):
    """Both formats; two epochs; one model knows them all, the other says 4 to everything."""
    store = tmp_path / "s.sqlite"
    able = evaluate(sums(), lambda words: str(2 * int(words[0])), epochs=2).location
    dull = evaluate(sums(), lambda words: "4", epochs=2, log_format="json").location
    assert "by the score 'match'" in str(import_log(able, store, subject="able"))
    import_log(dull, store, subject="dull", score="match")
    pairs = ["task", "item", "epoch", "paradigm"]
    both = rows(store).pivot("subject", index=pairs, values="outcome").sort("item", "epoch")
    assert both.rows() == [
        ("sums", str(i), epoch, "inspect", "right", "right" if i == 2 else "wrong")
        for i in range(1, 5)
        for epoch in ("1", "2")
    ]
    one = rows(store).filter(pl.col("subject") == "dull", pl.col("item") == "3").row(0, named=True)
    assert (one["answer"], one["key"], one["text"], one["how"]) == ("4", "6", "4", "score match")


def test_samples_that_failed_are_unread(sums, evaluate, tmp_path):
    def answer(words):
        if words[0] == "3":
            raise OSError("no\nline")
        return "2"

    log = evaluate(sums(), answer, fail_on_error=False, max_retries=0).location
    import_log(log, tmp_path / "s.sqlite")
    with Store.open(tmp_path / "s.sqlite", readonly=True) as store:
        table = store.rows().sort("item")
        call = store.call(table["calls"][2][0])
    assert table["outcome"].to_list() == ["right", "wrong", "unread", "wrong"]
    assert table["reason"][2] == "error"
    assert call.reply is None
    assert "no" in call.message
    assert "\n" not in call.message


def test_a_hostile_log_does_no_harm(sums, evaluate, tmp_path):
    """Numbers no database holds, pictures that are none, names that look like paths."""
    path = evaluate(sums(), lambda words: "4", limit=2, log_format="json").location.removeprefix("file://")
    log = json.loads(Path(path).read_text())
    first, second = log["samples"]
    first["id"] = "../../etc/<script>"
    first["output"]["usage"]["input_tokens"] = 10**30
    bad = ["data:image/png;base64,***", "data:text/html;base64,PGI+", "http://example.org/x.png"]
    second["messages"][0]["content"] = [{"type": "image", "image": image} for image in bad]
    hostile = tmp_path / "hostile.json"
    hostile.write_text(json.dumps(log))
    import_log(hostile, tmp_path / "s.sqlite")
    with Store.open(tmp_path / "s.sqlite", readonly=True) as store:
        table = store.rows()
        request = json.loads(store.call(table["calls"][1][0]).request)
    assert table["item"].to_list() == ["../../etc/<script>", "2"]
    assert table["tokens_in"].to_list() == [None, 11]
    assert request["messages"] == [["user", *["[a picture that is not in the log]"] * 3]]


def test_what_cannot_be_imported_gets_one_line_and_writes_nothing(sums, evaluate, tmp_path, own_log):
    store = tmp_path / "s.sqlite"
    folder = tmp_path / "folder.eval"
    folder.mkdir()
    noise = tmp_path / "noise.eval"
    noise.write_bytes(b"not a zip")
    empty = tmp_path / "empty.eval"
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("hello.txt", "hello")
    other = tmp_path / "other.json"
    other.write_text('{"answer": 42}')
    scored = evaluate(sums(), lambda words: "4", limit=2).location
    unscored = evaluate(sums(), lambda words: "4", limit=1, score=False).location
    for log, score, words in (
        (tmp_path / "none.eval", None, "no such file"),
        (folder, None, "this is a folder"),
        (noise, None, "not an Inspect log"),
        (empty, None, "not an Inspect log"),
        (other, None, "not an Inspect log"),
        (unscored, None, "inspect score"),
        (scored, "lenght", "did you mean length?"),
        (scored, "length", "length = 0.1; expected C, I, N, 1 or 0; choose another score (there are: match)"),
        (own_log, "right", "scored by its own reader"),
    ):
        with pytest.raises(UserError) as caught:
            import_log(log, store, score=score)
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)
    assert not store.exists()


def test_logs_of_older_versions_are_read_as_they_were(evaluate, tmp_path):
    """Written down from a log of a version that knew no rungs: the form beside the question, nothing of the plan."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample

    record: dict[str, Any] = {
        **{"task": "tiny", "item": "tiny/a/0", "cluster": "", "digest": "digest-0", "pack": ""},
        "levels": {"game": "a", "rule": "inverse", "order": "image_first"},
        **{
            "question": "Who lost tiny/a/0?",
            "kind": "choice",
            "labels": ["X", "O"],
            "final": "plain",
            "asked": "loser",
        },
        **{"key": "O", "mechanisms": {"X": "default rule"}, "also": []},
    }
    metadata = {**record["levels"], "cluster": "tiny/a/0", "contrast": "rule=inverse", "snellen": record}
    sample = Sample(id="tiny/a/0/rule=inverse", input="Who lost tiny/a/0?", target="O", metadata=metadata)
    log = evaluate(Task(dataset=[sample], name="tiny"), lambda words: "X").location
    assert "1 wrong, marked by Snellen's reader" in str(import_log(log, tmp_path / "s.sqlite"))
    [row] = rows(tmp_path / "s.sqlite").rows(named=True)
    asked = {"paradigm": "direct", "rule": "inverse", "key": "O", "mechanism": "default rule", "labels": ["X", "O"]}
    assert {name: row[name] for name in asked} == asked


@pytest.mark.parametrize(
    "change",
    [
        {"ladder": [{"name": "told"}]},
        {"ladder": 7},
        {"levels": ["rule"]},
        {"levels": {"rule": 3}},
        {"n": "many"},
        {"plainest": None},
    ],
)
def test_what_a_log_says_of_its_plan_is_not_trusted(tiny, change):
    from snellen.bridge.samples import from_header

    [(name, part)] = tiny(n=1).metadata["snellen"]["tasks"].items()
    header = {**tiny(n=1).metadata["snellen"], "tasks": {name: part}}
    assert from_header({"snellen": header}).plan["tasks"][name]["paradigms"] == part["paradigms"]
    assert from_header({"snellen": {**header, "tasks": {name: {**part, **change}}}}).plan == {}
    assert from_header({"snellen": 3}).plan == from_header(None).plan == {}


def test_a_hostile_rung_demands_no_faculty(tiny):
    from snellen.bridge.samples import from_header

    header = tiny(n=1).metadata["snellen"]
    part = header["tasks"]["tiny"]
    ladder = [{**part["ladder"][0], "demands": ["<script>"]}, *part["ladder"][1:]]
    assert from_header({"snellen": {**header, "tasks": {"tiny": {**part, "ladder": ladder}}}}).plan == {}


def test_keys_in_a_log_are_not_stored(tiny, evaluate, tmp_path):
    """The log itself is Inspect's."""
    planted = Planted()
    log = evaluate(tiny(), lambda words: f"X, with {planted.key('openai', 'log')}").location
    store = tmp_path / "s.sqlite"
    told = str(import_log(log, store))
    assert rows(store)["answer"].unique().to_list() == ["X"]
    assert planted.found(everything(tmp_path) + told.encode()) == []
