"""The Bongard task: problems put in words, in every paradigm, and each picture described once."""

from collections import Counter
from pathlib import Path

import pytest

import snellen
import snellen.errors
from snellen.answer import read
from snellen.examine import estimate_plan, make_plan, run_plan
from snellen.item import Condition, Item, Picture, Stimulus
from snellen.prompts import load
from snellen.tasks.audit import audit_task
from snellen.tasks.bongard import TASK
from support.fault_server import FaultServer

PACK = load(TASK.prompts, TASK.name)
SOURCES = {"source": ("scenes", "strokes", "natural")}
ORIGINAL = Path(__file__).parents[4] / "shared" / "data" / "bongard_original"


def put(item: Item, **levels: str) -> Stimulus:
    return TASK.stimulus(
        item, Condition({"query": "positive", "prompt": "structured", "examples": "both"}, **levels), PACK
    )


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(TASK.items(SOURCES, 3, 4))


def test_the_query_is_the_last_picture_and_never_among_the_examples(items: list[Item]) -> None:
    for item in items:
        for query in ("positive", "negative"):
            shown = put(item, query=query)
            *examples, last = shown.pictures
            assert len(examples) == 12
            assert last.digest not in {picture.digest for picture in examples}
            assert shown.question.key == query
            assert shown.script("apply", rule="")[2] == last


def test_both_queries_are_asked_about_the_same_examples(items: list[Item]) -> None:
    for item in items:
        positive, negative = put(item), put(item, query="negative")
        assert positive.pictures[:-1] == negative.pictures[:-1]
        assert positive.script("induce") == negative.script("induce")


def test_negatives_may_be_left_out(items: list[Item]) -> None:
    shown = put(items[0], examples="positives")
    assert len(shown.pictures) == 7
    words = " ".join(part for part in shown.script("induce") if isinstance(part, str))
    assert "egative" not in words


def test_the_rule_comes_from_the_step_before(items: list[Item]) -> None:
    words = [part for part in put(items[0]).script("apply", rule="all are {odd}") if isinstance(part, str)]
    assert "all are {odd}" in words[0]


def test_the_rule_is_applied_in_the_four_parts_of_the_paper(items: list[Item]) -> None:
    headings = ("Analysis", "Rule", "Query", "Conclusion")
    for prompt, asked in (("structured", True), ("minimal", False)):
        closing = put(items[0], prompt=prompt).script("apply", rule="all are odd")[-1]
        assert isinstance(closing, str)
        assert all(heading in closing for heading in headings) == asked
    reply = "Analysis: it has six legs.\nRule: all are odd.\nQuery: six legs.\nConclusion: negative.\nAnswer: negative"
    question = put(items[0]).question
    for text in (reply, reply.rpartition("\n")[0]):
        assert read(text, question.form).answer == "negative"


def test_every_picture_has_its_twin(items: list[Item]) -> None:
    assert all(isinstance(part, str) or part.twin for item in items for part in put(item).parts)


def test_the_ideal_subject_is_right_in_every_paradigm(tmp_path: Path) -> None:
    ways = ["dvrl", "drl", "ca"]
    rows = snellen.exam("sim/ideal", tasks=["bongard"], n=4, paradigms=ways, store=tmp_path / "s.sqlite").rows
    assert Counter(rows["paradigm"]) == dict.fromkeys((*ways, "words", "rule-words", "told"), 16)
    assert rows["outcome"].unique().to_list() == ["right"]


@pytest.mark.soak
def test_the_audit_is_clean() -> None:
    assert audit_task(TASK, SOURCES, 50, 2).leaks == ()


def test_each_picture_is_described_once_per_describer(tmp_path: Path) -> None:
    """The paper's study, two describers and five reasoners, on fewer problems. Counted without making a call."""
    reasoners = ",".join(f"sim/ideal:seed={seed}" for seed in range(1, 6))
    roles = {"describer": "sim/sloppy,twin", "reasoner": reasoners}
    plan = make_plan("sim/ideal", tasks=["bongard"], design="paper", n=4, paradigms=["ca"], roles=roles)
    pictures = {
        picture.digest
        for item in TASK.items({"source": ("scenes",)}, 4, 0)
        for q in ("positive", "negative")
        for picture in put(item, query=q).pictures
    }
    found = estimate_plan(plan, tmp_path / "none.sqlite").by_subject
    assert found["sim/sloppy"].to_make == found["twin"].to_make == len(pictures)
    assert [found[f"sim/ideal:seed={seed}"].to_make for seed in range(1, 6)] == [2 * 8] * 5


async def test_the_server_counts_one_description_for_each_picture(tmp_path: Path) -> None:
    from asyncio import to_thread

    async with FaultServer(answer="Answer: positive") as server:
        describer, reasoner = f"openai/eyes@{server.url}", f"openai/brain@{server.url},openai/mind@{server.url}"
        plan = make_plan(
            "sim/ideal",
            tasks=["bongard"],
            n=3,
            design="prompts",
            levels={"prompt": "structured"},
            paradigms=["ca"],
            roles={"describer": describer, "reasoner": reasoner},
        )
        summary = (await to_thread(run_plan, plan, tmp_path / "s.sqlite")).summary
        assert summary is not None
        assert summary.done == plan.size == 2 * 3 * 2 * 2
        pictures = {
            p.digest
            for i in TASK.items({"source": SOURCES["source"][:2]}, 3, 0)
            for q in ("positive", "negative")
            for p in put(i, query=q).pictures
        }
        asked = sum(server.asked.values())
        # All descriptions are the same words here, so each reasoner is asked once for each wording of the examples.
        assert asked == len(pictures) + 2


@pytest.mark.skipif(not ORIGINAL.is_dir(), reason="the original problems are not beside the project")
def test_the_original_problems_run_end_to_end(tmp_path: Path) -> None:
    data = {"bongard": f"original:{ORIGINAL}"}
    plan = make_plan("sim/ideal", tasks=["bongard"], data=data)
    assert plan.size == 231 * 6 * 2 * 2, "both queries, shown and told; photographs and scans have no exact words"
    few = snellen.exam("sim/ideal", tasks=["bongard"], data=data, n=12, store=tmp_path / "s.sqlite").rows
    assert few["outcome"].unique().to_list() == ["right"]
    assert few["cluster"].n_unique() == 2


def test_a_set_that_is_not_there() -> None:
    with pytest.raises(snellen.errors.UserError, match="nowhere"):
        make_plan("sim/ideal", tasks=["bongard"], data={"bongard": "original:nowhere"})


def test_pictures_are_the_very_bytes(items: list[Item]) -> None:
    again = list(TASK.items(SOURCES, 3, 4))
    for one, other in zip(items, again, strict=True):
        assert one == other
        assert [p.data for p in put(one).parts if isinstance(p, Picture)] == [
            p.data for p in put(other).parts if isinstance(p, Picture)
        ]
