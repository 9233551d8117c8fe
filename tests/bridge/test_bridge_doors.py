"""An exam, an Inspect log and the replies to a made folder: the same trials and the same verdict, task by task.

A simulated subject sits an ordinary exam. What its store holds then is a function from words and pictures to a reply,
read with nothing but sqlite and json. Inspect's mock model and a script that reads a folder answer by that function;
whatever they are asked in other words, or with other bytes, they do not know.
"""

import base64
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner
from PIL import Image

import snellen
from snellen.bridge.logs import import_log
from snellen.cli import cli
from support.later import later
from support.lengths import some_of

later("inspect_ai")


UNKNOWN = "never asked in the exam"
IDENTITY = ("task", "item", "cluster", "paradigm", "sample", "pack", "key", "labels")
READING = ("outcome", "reason", "answer", "mechanism", "how", "text", "finish")


class Recorded:
    """The replies of a store's calls by what they show."""

    def __init__(self, store: Path) -> None:
        self.replies: dict[tuple[str, tuple[str, ...]], str] = {}
        for request, text in sqlite3.connect(store).execute("SELECT request, text FROM calls"):
            [[_, *parts]] = json.loads(request)["messages"]
            words = "\n\n".join(part if isinstance(part, str) else "<image>" for part in parts)
            self.replies[words, tuple(part["picture"] for part in parts if not isinstance(part, str))] = text

    def __call__(self, words: str, pictures: list[bytes]) -> str:
        return self.replies.get((words, tuple(hashlib.sha256(data).hexdigest() for data in pictures)), UNKNOWN)

    def as_model(self, name: str = "model"):
        """As a model of Inspect."""
        from inspect_ai.model import ModelOutput, ModelUsage, get_model

        def reply(messages, *_):
            content = messages[-1].content
            words = "\n\n".join("<image>" if part.type == "image" else part.text for part in content)
            images = [part.image for part in content if part.type == "image"]
            output = ModelOutput.from_content(
                name, self(words, [base64.b64decode(uri.split(",")[1]) for uri in images])
            )
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting needs the network
            return output

        return get_model(f"mockllm/{name}", custom_outputs=reply)


def trials(exam: snellen.Exam, factors: tuple[str, ...]) -> Counter[str]:
    """What was held: item, levels, paradigm, and how it was answered."""
    rows = exam.rows.select(*IDENTITY, *READING, *factors).rows(named=True)
    return Counter(json.dumps(row, sort_keys=True, default=str) for row in rows)


def factors_of(exam: snellen.Exam) -> tuple[str, ...]:
    with sqlite3.connect(exam.store) as db:
        levels = [json.loads(text) for (text,) in db.execute("SELECT levels FROM trials")]
    return tuple(dict.fromkeys(name for each in levels for name in each))


def verdicts(exam: snellen.Exam, subject: str) -> list[tuple[object, ...]]:
    return [
        (d.verdict, d.faults, d.headline.replace(subject, "WHO"), [line.replace(subject, "WHO") for line in d.details])
        for d in exam.findings.diagnoses
    ]


def through_inspect(task: str, answer: Recorded, folder: Path, choices: dict, **options) -> snellen.Exam:
    import inspect_ai

    from snellen.bridge import inspect_tasks

    made = getattr(inspect_tasks, task)(**choices)
    quiet: dict[str, Any] = {"display": "none", "log_dir": str(folder / "logs"), "log_realtime": False}
    [log] = inspect_ai.eval(made, model=answer.as_model(), **quiet, **options)
    assert log.status == "success"
    import_log(log.location, folder / "inspect.sqlite")
    return snellen.Exam(folder / "inspect.sqlite")


def command(*words: str | Path) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def through_a_folder(task: str, answer: Recorded, folder: Path, *options: str) -> snellen.Exam:
    """As someone does it who has nothing of ours but the folder."""
    command("make", task, *options, "-o", folder / "set", "--format", "jsonl")
    with (folder / "set" / "metadata.jsonl").open() as rows, (folder / "replies.jsonl").open("w") as replies:
        for row in map(json.loads, rows):
            names = [*([row["file_name"]] if row["file_name"] else []), *row["more_images"]]
            reply = answer(row["prompt"], [(folder / "set" / name).read_bytes() for name in names])
            replies.write(json.dumps({"reply": reply}) + "\n")
    told = command("import", "replies", folder / "set", folder / "replies.jsonl", "--store", folder / "replies.sqlite")
    assert told.startswith("imported ")
    return snellen.Exam(folder / "replies.sqlite")


def doors(task: str, who: str, n: int, levels: dict[str, str], folder: Path) -> Iterator[tuple[snellen.Exam, str]]:
    """The exam, and what came home through the two other doors, each with what its subject is called there."""
    chosen = {name: tuple(given.split(",")) for name, given in levels.items()}
    yield snellen.exam(who, tasks=[task], n=n, levels=chosen, store=folder / "exam.sqlite"), who
    answer = Recorded(folder / "exam.sqlite")
    yield through_inspect(task, answer, folder, {"n": n, **levels}), "inspect/mockllm/model"
    options = ["--n", str(n), *(word for name, given in levels.items() for word in ("--set", f"{name}={given}"))]
    yield through_a_folder(task, answer, folder, *options), "replies"


FEW = [
    ("fixation", "sim/fixated", 1, {"game": "tictactoe"}, {"direct": 12, "words": 4, "told": 1}),
    ("bias", "sim/stubborn", 2, {}, {"direct": 10, "words": 4, "told": 2}),
    ("bongard", "sim/puzzled", 1, {"source": "strokes"}, {"dvrl": 2, "words": 2, "rule-words": 2, "told": 2}),
    ("winoground", "sim/nearsighted", 1, {}, {"direct": 4, "words": 4, "told": 2}),
    ("marvel", "sim/nearsighted", 1, {}, {"direct": 6, "words": 1, "told": 1}),
    ("capacity", "sim/nearsighted", 2, {"kind": "maze,chart"}, {"direct": 2, "words": 2, "told": 2}),
]


@some_of(("task", "who", "n", "levels", "paradigms"), FEW, 4, ids=[case[0] for case in FEW])
def test_three_doors_hold_the_same_trials(task, who, n, levels, paradigms, tmp_path: Path) -> None:
    (exam, _), *others = doors(task, who, n, levels, tmp_path)
    assert Counter(exam.rows["paradigm"]) == paradigms
    for other, _ in others:
        assert trials(other, factors_of(exam)) == trials(exam, factors_of(exam))


MANY = [
    pytest.param("fixation", "sim/fixated", 4, {}, "habit", 272, marks=pytest.mark.soak),
    pytest.param("bias", "sim/stubborn", 15, {}, "habit", 120, marks=pytest.mark.soak),
    pytest.param("bongard", "sim/puzzled:see=1", 8, {}, "thinking", 128, marks=pytest.mark.soak),
    pytest.param("winoground", "sim/blind", 8, {}, "eyes", 80, marks=pytest.mark.soak),
    pytest.param("marvel", "sim/blind", 18, {}, "eyes", 144, marks=pytest.mark.soak),
    pytest.param("capacity", "sim/blind", 22, {}, "eyes", 71, marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("task", "who", "n", "levels", "verdict", "count"), MANY)
def test_three_doors_lead_to_the_same_verdict(task, who, n, levels, verdict, count, tmp_path: Path) -> None:
    (exam, _), *others = doors(task, who, n, levels, tmp_path)
    assert (exam.rows.height, [d.verdict for d in exam.findings.diagnoses]) == (count, [verdict])
    for other, subject in others:
        assert trials(other, factors_of(exam)) == trials(exam, factors_of(exam))
        assert verdicts(other, subject) == verdicts(exam, who)


@some_of(
    ("task", "paradigms", "levels", "steps"),
    [("fixation", "describe", {"game": "tictactoe"}, {2}), ("bongard", "drl,ca", {"source": "strokes"}, {2, 14})],
    2,
)
def test_paradigms_in_steps_are_run_by_the_solver(task, paradigms, levels, steps, tmp_path: Path) -> None:
    exam = snellen.exam(
        "sim/nearsighted", tasks=[task], n=1, levels=levels, paradigms=paradigms, store=tmp_path / "exam.sqlite"
    )
    answer = Recorded(tmp_path / "exam.sqlite")
    factors = tuple(name for name in factors_of(exam) if name not in ("describer", "reasoner", "inducer", "applier"))
    choices: dict[str, Any] = {"n": 1, "paradigm": paradigms, **levels}
    other = through_inspect(task, answer, tmp_path, choices)
    assert trials(other, factors) == trials(exam, factors)
    assert Counter(map(len, other.rows["calls"])) == Counter(map(len, exam.rows["calls"]))
    assert set(map(len, other.rows["calls"])) == {1, *steps}
    assert set(other.rows["subject"]) == {"inspect/mockllm/model"}
    assert list(other.word_tables) == list(exam.word_tables)


@pytest.mark.soak
def test_roles_of_inspect_are_those_of_the_paradigm(tmp_path: Path) -> None:
    choices: dict[str, Any] = {"n": 1, "levels": {"game": "tictactoe"}, "paradigms": "describe"}
    snellen.exam("sim/nearsighted", tasks=["fixation"], store=tmp_path / "exam.sqlite", **choices)
    answer = Recorded(tmp_path / "exam.sqlite")
    roles = {"describer": answer.as_model("eyes")}
    game = {"n": 1, "game": "tictactoe", "paradigm": "describe"}
    rows = through_inspect("fixation", answer, tmp_path, game, model_roles=roles).rows
    described = rows.filter(pl.col("paradigm") == "describe")
    assert set(described["subject"]) == {"inspect/mockllm/model [describer=inspect/mockllm/eyes]"}
    assert set(described["describer"]) == {"inspect/mockllm/eyes"}
    assert set(described["reasoner"]) == {"inspect/mockllm/model"}
    assert UNKNOWN not in rows["text"].to_list()
    with sqlite3.connect(tmp_path / "inspect.sqlite") as db:
        said = dict(db.execute("SELECT subject, count(*) FROM calls GROUP BY subject"))
        assert set(said) == {"inspect/mockllm/model", "inspect/mockllm/eyes"}


@pytest.mark.soak
def test_epochs_are_samples_of_the_same_trial(tmp_path: Path) -> None:
    levels = {"game": "tictactoe", "rule": "standard", "prompt": "base"}
    snellen.exam("sim/ideal", tasks=["fixation"], n=1, levels=levels, store=tmp_path / "exam.sqlite")
    answer = Recorded(tmp_path / "exam.sqlite")
    rows = through_inspect("fixation", answer, tmp_path, {"n": 1, **levels}, epochs=2).rows
    assert "epoch" not in rows.columns
    assert Counter(rows["sample"]) == {0: rows.height // 2, 1: rows.height // 2}


def published(folder: Path) -> Path:
    """VLMBias as it lies on the Hub, with drawings of our own."""
    rows = []
    for number in range(9):
        drawn = BytesIO()
        Image.new("RGB", (6, 4), (20 * number, 0, 0)).save(drawn, "png")
        rows.append(
            {
                "image": {"bytes": drawn.getvalue(), "path": None},
                **{"ID": f"crane_{number}", "image_path": f"animals/crane_{number}_384.png", "topic": "Animals"},
                **{"sub_topic": "Birds", "prompt": "How many legs does this animal have? Answer in braces, e.g., {9}."},
                **{"ground_truth": "3", "expected_bias": "2", "with_title": False, "type_of_question": "Q1"},
                **{"pixel": 384, "metadata": "{}"},
            }
        )
    (folder / "data").mkdir(parents=True)
    pl.DataFrame(rows).write_parquet(folder / "data" / "main-00000-of-00001.parquet")
    return folder


@pytest.mark.soak
def test_a_published_set_goes_through_all_doors(tmp_path: Path) -> None:
    """Its rungs are not those of generated items; what it asks is the same at every door."""
    place = published(tmp_path / "published")
    exam = snellen.exam("sim/stubborn", tasks=["bias"], data={"bias": str(place)}, store=tmp_path / "exam.sqlite")
    assert {"direct", "told"} <= set(exam.rows["paradigm"])
    answer, factors = Recorded(tmp_path / "exam.sqlite"), factors_of(exam)
    for other, subject in (
        (through_inspect("bias", answer, tmp_path, {"data": str(place)}), "inspect/mockllm/model"),
        (through_a_folder("bias", answer, tmp_path, "--data", f"bias={place}"), "replies"),
    ):
        assert trials(other, factors) == trials(exam, factors)
        assert verdicts(other, subject) == verdicts(exam, "sim/stubborn")
