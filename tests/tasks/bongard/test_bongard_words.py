"""What the words of several steps say, from a store; and who cannot take part."""

import json
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

import snellen
from snellen.answer.rule import stated_rule
from snellen.engine import Store
from snellen.errors import UserError
from snellen.examine import make_plan
from snellen.tasks.bongard.study.words import TrialSteps, word_sections

LIMITED = "ollama/eye:pictures=1"
BLIND = "ollama/mind:pictures=0"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> snellen.Exam:
    store = tmp_path_factory.mktemp("words") / "s.sqlite"
    ways = ["drl", "ca"]
    return snellen.exam("sim/puzzled", tasks=["bongard"], n=6, paradigms=ways, store=store)


def test_wrong_verdicts_are_grouped_with_their_evidence(result: snellen.Exam) -> None:
    sections = {section.title: section for section in result.findings.sections}
    [groups] = [s for title, s in sections.items() if "causes of wrong verdicts" in title]
    tables = {block.name: block for block in groups.blocks if hasattr(block, "name")}
    wrong = result.rows.filter(result.rows["outcome"] == "wrong").height
    assert len(tables["bongard-errors"].rows) == wrong > 0
    assert sum(row[-1] for row in tables["bongard-error-groups"].rows) == wrong


def test_descriptions_are_counted_by_form(result: snellen.Exam) -> None:
    [table] = [
        block for s in result.findings.sections for block in s.blocks if getattr(block, "name", "") == "descriptions"
    ]
    [(describer, well, repaired, malformed)] = table.rows
    assert (describer, repaired, malformed) == ("sim/puzzled", 0, 0)
    assert well == len(
        {p for row in result.rows.iter_rows(named=True) if row["paradigm"] == "ca" for p in row["calls"][:-1]}
    )


def test_rules_are_compared_with_descriptions(result: snellen.Exam) -> None:
    names = {getattr(block, "name", "") for section in result.findings.sections for block in section.blocks}
    assert "paradigms-tableA3" in names


def test_factors_of_other_tasks_may_be_called_anything(result: snellen.Exam) -> None:
    with Store.open(result.store, readonly=True) as store:
        known = word_sections(store, result.rows)
        beside = result.rows.with_columns(place=pl.lit("centre"), index=pl.lit("1"))
        assert word_sections(store, beside) == known != ()


def test_a_rule_is_what_the_right_step_states() -> None:
    replies = ("I think so. Rule: all red", "Rule: no such\nAnswer: positive")
    assert TrialSteps({"paradigm": "drl"}, replies).rule == "all red"
    assert TrialSteps({"paradigm": "dvrl"}, replies[1:]).rule == "no such"
    assert TrialSteps({"paradigm": "dvrl"}, ("positive",)).rule == ""
    assert TrialSteps({"paradigm": "ca"}, ("one", "two", "Answer: positive")).described == ("one", "two")


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Rule: dogs\nThe query shows a cat.\nAnswer: negative", "dogs"),
        ("**Rule:** a *red* ball\n", "a *red* ball"),
        ("## Rule:\n\n  two   dogs  \nbecause all have them", "two dogs"),
        ("2. **Rule**: dogs\nBy the rule: no dog here", "dogs"),
        ("Rule: cats\nOn second thought:\nRule: **dogs**", "dogs"),
        ("I think the rule: dogs", "dogs"),
        ("All show dogs.", ""),
        ("Rule:", ""),
    ],
)
def test_a_rule_is_the_line_that_says_so(said: str, rule: str) -> None:
    assert stated_rule(said) == rule


def test_the_store_knows_what_the_makers_know(result: snellen.Exam) -> None:
    from snellen.engine import Store

    with Store.open(result.store, readonly=True) as store:
        truths = dict(store.truths("bongard"))
    assert len(truths) == 12
    assert all(truth["concept"] for truth in truths.values())
    json.dumps(truths)


@pytest.mark.parametrize(
    ("subject", "roles", "left"),
    [
        (LIMITED, {}, {"ca"}),
        (LIMITED, {"inducer": "truth"}, {"drl", "ca"}),
        (BLIND, {"describer": "twin"}, {"ca"}),
        ("ollama/all:pictures=13", {}, {"dvrl", "drl", "ca"}),
        ("ollama/all", {}, {"dvrl", "drl", "ca"}),
    ],
)
def test_who_takes_too_few_pictures_is_left_out_and_told(subject: str, roles: dict[str, str], left: set[str]) -> None:
    plan = make_plan(subject, tasks=["bongard"], n=1, paradigms=["dvrl", "drl", "ca"], roles=roles)
    [part] = plan.parts
    assert {way.paradigm.name for way in part.ways} == left | {"told", "words", "rule-words"}
    assert len(part.notes) == 3 - len(left)
    assert all(note.startswith("skipping ") for note in part.notes)


def test_if_nobody_can_there_is_nothing_to_ask() -> None:
    with pytest.raises(UserError, match="accepts 0"):
        make_plan(BLIND, tasks=["bongard"], n=1)
    with pytest.raises(UserError, match="accepts 0"):
        make_plan(BLIND, n=1)


def test_pictures_without_exact_words_have_no_twin_to_describe_them(tmp_path: Path) -> None:
    (tmp_path / "p001").mkdir()
    for number in range(12):
        Image.new("RGB", (104, 104), (20 * number,) * 3).save(tmp_path / "p001" / f"{number}.png")
    roles, data = {"describer": "sim/ideal,twin"}, {"bongard": f"original:{tmp_path}"}
    plan = make_plan("sim/ideal", tasks=["bongard"], data=data, paradigms=["ca"], roles=roles)
    assert plan.labels == ("sim/ideal",)
    assert "skipping ca with describer=twin: these images have no exact descriptions" in plan.parts[0].notes
    assert "skipping words: these images have no exact descriptions" in plan.parts[0].notes


@pytest.mark.soak
def test_items_whose_rule_nobody_wrote_down_are_left_out_for_the_oracle(tmp_path: Path) -> None:
    lamps = Path(__file__).parents[3] / "docs" / "examples" / "lamps.py"
    assert make_plan("sim/ideal", tasks=[str(lamps)], n=2).left_out == 0
    original = Path(__file__).parents[4] / "shared" / "data" / "bongard_original"
    if not original.is_dir():
        pytest.skip("the original problems are not beside the project")
    data, roles = {"bongard": f"original:{original}"}, {"inducer": "truth"}
    plan = make_plan("sim/ideal", tasks=["bongard"], data=data, design="paper", paradigms=["drl"], roles=roles)
    assert (plan.size, plan.left_out) == (99 * 12, 132 * 12)
    given = make_plan("sim/ideal", tasks=["bongard"], data=data, design="paper", paradigms=["rule"])
    assert (given.size, given.left_out) == (plan.size, plan.left_out), "nor can the rule be given"
    assert sum(1 for _ in plan.trials()) == plan.size


def test_the_words_can_be_had_as_tables(result: snellen.Exam) -> None:
    assert {"bongard-errors", "bongard-error-groups", "descriptions"} <= set(result.word_tables)
