"""Thinking that arrives in a field of its own is read as thinking, like that which stands in tags."""

from pathlib import Path

import polars as pl
from click.testing import CliRunner

from snellen.analysis.rows import aloud
from snellen.analysis.thought import STAGES, chain
from snellen.call import Call, Reply
from snellen.cli import cli
from snellen.examine import make_plan, run_plan
from snellen.replies.thoughts import texts_of, thought_tables, thoughts_of
from support.fakes import FakeSubject
from support.golden_thoughts import golden_thoughts

THOUGHT = next(labelled.text for labelled in golden_thoughts() if labelled.name == "fixation-qwen")


class Thinker(FakeSubject):
    """Says a bare X, and sends what it thought beside it."""

    async def answer(self, call: Call) -> Reply:
        reply = await super().answer(call)
        return Reply(reply.text, reply.finish, reasoning=THOUGHT)


def test_a_field_of_thinking_is_read_as_if_it_stood_in_tags() -> None:
    rows = pl.DataFrame({"text": ["X", "Y", None], "reasoning": [THOUGHT, "", THOUGHT]})
    texts = aloud(rows)["text"].to_list()
    assert texts == [f"<think>{THOUGHT}</think>\n\nX", "Y", f"<think>{THOUGHT}</think>\n\n"]
    last = chain(texts[0]).stages[-1]
    assert (last.label, last.end) == (STAGES[-1], len(texts[0])), "what follows the thinking is the answer"


def test_the_command_reads_it_from_the_store(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    plan = make_plan(Thinker("X", name="fake/thinker"), n=1, levels={"game": ("tictactoe",)})
    rows = run_plan(plan, store).rows
    assert set(rows["text"]) == {"X"}
    assert all(THOUGHT in text for text in texts_of(thoughts_of(rows, "fixation")))
    table = thought_tables(rows, "fixation")["stages"]
    line = dict(zip(table.columns, table.rows[0], strict=True))
    assert line["interruptions"] > 0
    ran = CliRunner().invoke(cli, ["table", str(store), "thoughts", "--tasks", "fixation"])
    assert ran.exit_code == 0, ran.output
    assert "fake/thinker" in ran.output
