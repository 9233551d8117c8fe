"""`snellen read`: what the reader makes of a reply, and why; of one on the command line, or of those in a store."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.defaults import DEFAULT_STORE
from snellen.errors import invocation

if TYPE_CHECKING:
    import polars as pl

    from snellen.answer import Explanation

EXAMPLES = """\b
Examples:
  snellen read "X has three, so O wins." --labels X,O --asked winner --explain
  snellen read snellen.sqlite --unread
  snellen read snellen.sqlite --trial 3fa91c20 --explain

The report shows the ids of trials; the first letters are enough. A stored reply is read by the reader of this version,
with the question that the task asked; a last line says so if the exam had read it differently.
"""
FEW = 5
"""So many different replies of a group are listed."""
WIDTH = 88
LONGEST = 4000


@click.command(epilog=EXAMPLES)
@click.argument("reply", required=False, metavar="[REPLY | STORE]")
@click.option(
    "--labels",
    default="",
    metavar="A,B,...",
    help="The labels to choose from.  [default: none; the answer is a whole number]",
)
@click.option("--asked", default="", help="What the labels answer, such as winner, loser or move.")
@click.option("--question", default="", help="The question: replies may answer in its words.")
@click.option("--trial", metavar="ID", help="Read the reply of this trial of STORE again.")
@click.option("--unread", is_flag=True, help="List the replies of STORE that could not be read, by reason.")
@click.option("--all", "everything", is_flag=True, help=f"With --unread: all replies, not only {FEW} of each group.")
@click.option("--explain", is_flag=True, help="Show every claim in the reply, which one counts, and why.")
def read(reply: str | None, trial: str | None, unread: bool, everything: bool, explain: bool, **form: str) -> None:
    """Read REPLY (- for standard input) as the answer to a question; or, with --trial or --unread, replies in STORE.

    STORE is snellen.sqlite if none is named.
    """
    given = [f"--{name}" for name, value in form.items() if value]
    if trial is None and not unread:
        if everything:
            raise click.UsageError("--all goes with --unread")
        if reply is None:
            raise click.UsageError("nothing to read: give a REPLY, or --trial ID or --unread to read a store")
        if Path(reply).suffix == ".sqlite" and Path(reply).is_file():
            raise click.UsageError(f"{reply} is a store: add --unread, or --trial ID")
        _one(reply, explain=explain, **form)
        return
    if given:
        raise click.UsageError(f"{given[0]} is for a REPLY; what was asked in a store is known from there")
    if trial is not None and (unread or everything):
        raise click.UsageError(f"--trial and --{'unread' if unread else 'all'} do not go together")
    if unread and explain:
        raise click.UsageError("--explain is for one reply: give --trial ID in place of --unread")
    store = Path(reply or DEFAULT_STORE)
    for line in _trial(store, trial or "", explain=explain) if trial is not None else _unread(store, everything):
        click.echo(line)


def _one(reply: str, *, explain: bool, labels: str, asked: str, question: str) -> None:
    from snellen.answer import explained
    from snellen.item import Form, Question

    names = tuple(label.strip() for label in labels.split(",") if label.strip())
    if labels and not names:
        raise click.UsageError(f"--labels {labels}: names no label; expected for instance --labels X,O")
    form = Form("choice", names, asked=asked) if names else Form("number")
    text = sys.stdin.read() if reply == "-" else reply
    explanation = explained(text, form, question=Question(question, form, "") if question else None)
    click.echo(_read_as(explanation.reading.answer, explanation.reading.reason))
    for line in explanation.lines(text) if explain else ():
        click.echo(line)


def _read_as(answer: str, reason: str) -> str:
    return answer or f"unread ({reason})"


def _trial(store: Path, trial: str, *, explain: bool) -> Iterator[str]:
    """A stored reply, how it is read, and, if that is asked for, why."""
    from snellen.analysis.cells import clean
    from snellen.answer import explained, mark
    from snellen.answer.schema import without_reasoning
    from snellen.examine.stored import stored_reply

    stored = stored_reply(store, trial)
    row, question = stored.row, stored.question
    text = without_reasoning(row["text"]) if question.form.reasoned else row["text"]
    verdict = mark(text, question, row["finish"])
    outcome = f", {verdict.outcome}" if verdict.reading.answer else ""
    yield clean(f"{_read_as(verdict.reading.answer, verdict.reading.reason)}{outcome}; the key is {row['key']}")
    yield clean(f"trial {row['trial']} of {row['subject']}: {row['item']}, {_condition(row)}")
    yield from _indented("question", question.text)
    yield from _indented("reply", text)
    if explain:
        yield from map(clean, _why(explained(text, question.form, row["finish"], question), text))
    if not stored.is_exact:
        yield "The task could not ask this question again: read by the labels, the key and the prompt on record."
    if (verdict.outcome, verdict.reading.answer) != (row["outcome"], row["answer"]):
        then = _read_as(row["answer"], row["reason"])
        yield clean(f"The exam has it otherwise: {then}, {row['outcome']}" + (f" ({row['how']})" if row["how"] else ""))


def _why(explanation: "Explanation", text: str) -> Iterable[str]:
    """Answers of several parts and in free text are no claims."""
    if explanation.claims or not explanation.reading.answer:
        return explanation.lines(text)
    return (f"Read by: {explanation.reading.how}.",)


def _condition(row: Mapping[str, Any]) -> str:
    from snellen.analysis.rows import CORE

    levels = (f"{name}={value}" for name, value in row.items() if name not in CORE and isinstance(value, str))
    return ", ".join((row["paradigm"], *levels))


def _indented(name: str, text: str) -> Iterator[str]:
    from snellen.analysis.cells import clean

    left_out = len(text) - LONGEST
    if left_out > 0:
        text = f"[{left_out:,} characters left out] {text[-LONGEST:]}"
    yield f"{name}:"
    yield from (f"    {clean(line)}" for line in text.splitlines() or [""])


def _unread(store: Path, everything: bool) -> Iterator[str]:
    """Replies that could not be read, the largest group first; equal replies once."""
    import polars as pl

    from snellen.engine import Store
    from snellen.report.columns import short_ids

    with Store.open(store, readonly=True) as opened:
        rows = opened.rows()
    rows = rows.with_columns(id=pl.Series(short_ids(rows["trial"].to_list()), dtype=pl.String))
    asked = rows.filter(pl.col("reason").fill_null("") != "error")
    unread = asked.filter(pl.col("outcome") == "unread")
    yield f"{unread.height:,} of {asked.height:,} replies unread"
    by = ["subject", "task", "reason"]
    groups = unread.group_by(by, maintain_order=True).agg(pl.len()).sort("len", descending=True, maintain_order=True)
    for subject, task, reason, count in groups.rows():
        own = unread.filter(pl.col("subject") == subject, pl.col("task") == task, pl.col("reason") == reason)
        of = asked.filter(pl.col("subject") == subject, pl.col("task") == task).height
        yield ""
        yield f"{subject}, {task}: {reason}, {count:,} of {of:,}"
        yield from _listed(own, None if everything else FEW)
    if unread.height:
        yield ""
        yield f"Why one of them is unread: {invocation('read', store, '--trial', 'ID', '--explain')}"


def _listed(unread: "pl.DataFrame", most: int | None) -> Iterator[str]:
    """Replies with the id of the first trial that has them and how many have."""
    import polars as pl

    from snellen.analysis.cells import clean

    same = unread.group_by("text", maintain_order=True).agg(pl.len(), pl.col("id").first())
    same = same.sort("len", descending=True, maintain_order=True)
    for text, count, first in same.head(most if most is not None else same.height).rows():
        words = clean(" ".join((text or "").split())) or "(nothing)"
        words = words if len(words) <= WIDTH else f"{words[: WIDTH // 2 - 2]} ... {words[-WIDTH // 2 + 3 :]}"
        yield f"  {first}  {f'{count:,} x ' if count > 1 else ''}{words}"
    if most is not None and same.height > most:
        yield f"  ... and {same.height - most:,} more (--all)"
