"""Our tasks inside Inspect: the same stimuli, the same marks."""

import base64
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from tiny_task import picture

from snellen.bridge.samples import from_metadata
from snellen.tasks import task as find_task
from support.later import later

later("inspect_ai")


def content(sample):
    [message] = sample.input
    assert message.role == "user"
    return message.content


def test_samples_are_the_stimuli(tiny):
    made = tiny(n=3, order=["text_first"], game="b")
    assert made.config.temperature == 0.0
    ids = [sample.id for sample in made.dataset]
    assert len(ids) == len(set(ids)) == 6
    assert ids[1] == "tiny/b/0/rule=inverse/order=text_first"
    sample = made.dataset[1]
    words, image = content(sample)
    assert words.text == "Who lost tiny/b/0?"
    item = next(find_task("tiny").items({"game": ("b",)}, 1, 0))
    assert image.image == "data:image/png;base64," + base64.b64encode(picture(item).data).decode()
    assert sample.target == "O"


def test_metadata_hold_levels_and_all_it_takes_to_mark(tiny):
    sample = tiny(seed=1, rule="inverse", n=1).dataset[0]
    assert {k: sample.metadata[k] for k in ("game", "rule", "cluster", "contrast")} == {
        "game": "a",
        "rule": "inverse",
        "cluster": "tiny/a/0",
        "contrast": "rule=inverse",
    }
    record = from_metadata(sample.metadata)
    assert (record.item.task, record.item.digest, record.pack) == ("tiny", "digest-0", "")
    assert record.levels == {"game": "a", "rule": "inverse", "order": "image_first"}
    assert (record.question.key, record.question.form.labels) == ("X", ("X", "O"))
    assert record.question.mechanisms == {"O": "default rule"}
    kept = sample.metadata["snellen"]
    riddle = {**kept["question"], "form": {**kept["question"]["form"], "kind": "riddle"}}
    for damaged in ({}, {"snellen": 3}, {"snellen": {**kept, "question": riddle}}):
        assert from_metadata(damaged) is None


def test_another_pack_is_used_and_recorded(tiny, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[tiny]\nask = "Say who, for {name}."\n')
    sample = tiny(prompts=str(path), n=1).dataset[0]
    assert content(sample)[1].text == "Say who, for tiny/a/0."
    assert from_metadata(sample.metadata).pack


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"design": "quik"}, "did you mean quick?"),
        ({"rule": "invers"}, "did you mean inverse?"),
        ({"ruel": "inverse"}, "did you mean rule?"),
        ({"by": "gmae"}, "did you mean game?"),
        ({"n": 0}, "at least 1"),
        ({"prompts": "nowhere.toml"}, "nowhere.toml"),
    ],
)
def test_mistakes_get_one_line_instead_of_a_traceback(tiny, wrong, words):
    from inspect_ai._util.error import PrerequisiteError

    with pytest.raises(PrerequisiteError) as caught:
        tiny(**wrong)
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_scores_and_metrics(tiny, evaluate):
    """X wins item 0 and O item 1. The model says X when asked who won, and nothing legible otherwise."""
    log = evaluate(tiny(), lambda words: "X" if "won" in words else "I cannot tell")
    assert log.status == "success"
    right, unread = log.results.scores
    values = {name: metric.value for name, metric in right.metrics.items()}
    assert values == {
        "accuracy": 0.25,
        "stderr": pytest.approx(0.25),
        "rule=standard": 0.5,
        "rule=inverse": 0.0,
    }
    assert {name: metric.value for name, metric in unread.metrics.items()} == {
        "mean": 0.5,
        "rule=standard": 0.0,
        "rule=inverse": 1.0,
    }
    scores = {sample.id.replace("/order=image_first", ""): sample.scores["right"] for sample in log.samples}
    good = scores["tiny/a/0/rule=standard"]
    assert (good.value, good.answer, good.metadata["outcome"]) == ("C", "X", "right")
    bad = scores["tiny/a/1/rule=standard"]
    assert (bad.value, bad.answer) == ("I", "X")
    assert "the key is 'O'" in bad.explanation
    lost = scores["tiny/a/1/rule=inverse"]
    assert (lost.value, lost.answer, lost.metadata["outcome"]) == ("N", "", "unread")
    assert lost.explanation.startswith("unread: ")


def test_a_wrong_answer_names_its_mechanism(tiny, evaluate):
    log = evaluate(tiny(n=1, rule="inverse", by="game"), lambda words: "X")
    score = log.samples[0].scores["right"]
    assert score.metadata["mechanism"] == "default rule"
    assert "default rule" in score.explanation
    assert "game=a" in log.results.scores[0].metrics


@pytest.mark.soak
def test_the_entry_point_leads_to_fixation(evaluate):
    if not [point for point in entry_points(group="inspect_ai") if point.name == "snellen"]:
        pytest.skip("the package is not installed here")
    log = evaluate("snellen/fixation", lambda words: "X", limit=4, task_args={"n": 1, "rule": "standard,inverse"})
    assert log.status == "success"
    assert log.eval.task == "snellen/fixation"
    assert len(log.samples) == 4
    assert {score.name for score in log.results.scores} == {"right", "unread"}


def test_importing_us_does_not_load_inspect():
    code = "import sys, snellen, snellen.bridge, snellen.tasks; assert 'inspect_ai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
