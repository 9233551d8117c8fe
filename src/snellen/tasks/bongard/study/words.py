"""The words that trials in several steps leave behind, and what they say: rules stated, pictures described.

The analysis of outcomes needs only the tidy rows. These sections need the replies of the steps before the last, which
are in the store: what decided wrong verdicts, how like a rule is to the description of the query it was
applied to, and how many descriptions were in the form that was asked for.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from snellen.analysis.casts import CHAINS
from snellen.answer.descriptions import tally
from snellen.answer.rule import stated_rule
from snellen.charts.blocks import Section, Table
from snellen.engine import Store
from snellen.errors import UserError, invocation
from snellen.subjects.embedding import Embedder, lexical_similarity
from snellen.tasks.bongard.replies import LANGUAGES
from snellen.tasks.bongard.replies.filing import SIDES, ProblemFacts, WrongVerdict, file, known
from snellen.tasks.bongard.study.errors import TrialInWords, error_section
from snellen.tasks.bongard.study.reading_aid import aid_section, error_groups
from snellen.tasks.bongard.study.similarity import Similarity, similarity_table

if TYPE_CHECKING:
    import polars as pl

TASK = "bongard"
DESCRIBING = ("ca", "describe")
SEEING = ("dvrl", "direct", "drl", *CHAINS)
"""Paradigms in which who gives the verdict sees the query."""
_FORMAL = re.compile(r"\W*(?:\d+\W+)?(?:rule|answer|verdict|concept|positives?|negatives?|examples?)\b", re.IGNORECASE)
"""How a line begins that does not speak of the query."""


@dataclass(frozen=True, slots=True)
class TrialSteps:
    """A trial with what was said on the way to its answer."""

    row: Mapping[str, Any]
    replies: tuple[str, ...]

    @property
    def described(self) -> tuple[str, ...]:
        """The descriptions, in the order of the pictures; the query's is the last."""
        return self.replies[:-1] if self.row["paradigm"] in DESCRIBING else ()

    @property
    def rule(self) -> str:
        """The rule stated in the reply; empty if there is none."""
        reply = self.replies[0] if self.row["paradigm"] == "drl" else self.replies[-1]
        return stated_rule(reply).split(" Answer:")[0]

    @property
    def examples(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The descriptions of the positive and of the negative examples, where they were made."""
        shown = self.described[:-1]
        half = len(shown) // 2 if self.row.get("examples", "both") == "both" else len(shown)
        return shown[:half], shown[half:]

    @property
    def remarks(self) -> str:
        """What the last reply says of the query besides rule and verdict, where who gave it saw the query."""
        lines = self.replies[-1].split("\n") if self.row["paradigm"] in SEEING else []
        return "\n".join(line for line in lines if not _FORMAL.match(line)).strip()


def word_sections(store: Store, rows: "pl.DataFrame") -> tuple[Section, ...]:
    """What the words of the trials in these rows say, where there are any."""
    steps = _steps(store, rows)
    truths = dict(store.truths(TASK))
    records = list(_records(steps, _concepts(truths)))
    alike = [Similarity(r.subject, r.query, lexical_similarity(r.rule, r.description)) for r in _worded(records)]
    sections = list(_errors(records, truths))
    if alike:
        sections.append(Section("How like the rule is to the query's description", (similarity_table(alike),)))
    if any(step.described for step in steps):
        sections.append(Section("Descriptions in the form asked for", (_form_table(steps),)))
    return tuple(sections)


async def compare_words(store: Store, rows: "pl.DataFrame", by: Embedder) -> Table:
    """How like rules are to the descriptions of their queries, by an embedder of your choice."""
    steps = _steps(store, rows)
    records = list(_worded(_records(steps, _concepts(dict(store.truths(TASK))))))
    if not records:
        command = invocation("exam", "SUBJECT", "--tasks", TASK, "--paradigm", "drl,ca")
        raise UserError(f"store {store.path}: no trial with a stated rule and a description; run `{command}` first")
    async with by:
        cosines = await by.similarity([(record.rule, record.description) for record in records])
    alike = (Similarity(r.subject, r.query, c) for r, c in zip(records, cosines, strict=True))
    return similarity_table(alike, by.name)


def _concepts(truths: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {item: str(truth.get("concept", "")) for item, truth in truths.items()}


def _errors(records: Iterable[TrialInWords], truths: Mapping[str, Mapping[str, Any]]) -> Iterator[Section]:
    """Wrong verdicts on generated problems by their facts, those on others by their words."""
    wrong = [record for record in records if record.outcome == "wrong"]
    problems = {item: _known(truths[item]) for item in dict.fromkeys(record.item for record in wrong)}
    if filed := [(record, file(_case(record), about)) for record in wrong if (about := problems[record.item])]:
        yield error_section(filed)
    if others := [record for record in wrong if problems[record.item] is None]:
        yield aid_section(error_groups(others))


def _known(truth: Mapping[str, Any]) -> ProblemFacts | None:
    """What is known of a problem, if its pictures were made of things or strokes and not found in a file."""
    panel = truth["positive"][0]
    source = "scenes" if "things" in panel else "strokes" if "shapes" in panel else ""
    return known(truth["concept"], truth, LANGUAGES[source]) if source else None


def _case(record: TrialInWords) -> WrongVerdict:
    return WrongVerdict(record.query, record.rule, record.description, dict(zip(SIDES, record.examples, strict=True)))


def _worded(records: Iterable[TrialInWords]) -> Iterator[TrialInWords]:
    return (record for record in records if record.rule and record.description)


def _steps(store: Store, rows: "pl.DataFrame") -> list[TrialSteps]:
    """The trials with the replies of all their calls, each call looked up once."""
    keys = dict.fromkeys(key for calls in rows["calls"].to_list() for key in calls)
    texts = {record.key.hex(): record.reply.text for record in store.calls(keys) if record.reply}
    return [
        TrialSteps(row, tuple(texts[key] for key in row["calls"]))
        for row in rows.iter_rows(named=True)
        if row["reason"] != "error" and row["calls"] and all(key in texts for key in row["calls"])
    ]


def _records(steps: list[TrialSteps], concepts: Mapping[str, str]) -> Iterator[TrialInWords]:
    """Each trial in plain words. Where it made no description of the query, another of the same subject's serves."""
    seen = {
        (step.row["describer"], step.row["item"], step.row["query"]): step.described[-1]
        for step in steps
        if step.described
    }
    for step in steps:
        row = step.row
        if not concepts.get(row["item"]):
            continue
        eyes = row.get("applier") or row["subject"]
        own = step.described[-1] if step.described else seen.get((eyes, row["item"], row["query"]), "")
        own = own or step.remarks
        way = f"{row['subject']} ({row['paradigm']})"
        yield TrialInWords(
            *(row["trial"], concepts[row["item"]], step.rule, own, row["outcome"], row["query"], way, row["item"]),
            examples=step.examples,
        )


def _form_table(steps: list[TrialSteps]) -> Table:
    by_describer: dict[str, dict[str, str]] = {}
    for step in steps:
        if step.row["paradigm"] == "ca":
            texts = by_describer.setdefault(step.row["describer"], {})
            texts.update(zip(step.row["calls"], step.described, strict=False))
    counts = {describer: tally(texts.values()) for describer, texts in by_describer.items()}
    return Table(
        name="descriptions",
        title="Descriptions by form",
        note="Repaired: read by the lenient parser after mending (fences, commas, an end cut off); malformed: not to be"
        " read as JSON even so. The reasoner gets every description as it was written.",
        columns=("describer", "well-formed", "repaired", "malformed"),
        rows=tuple((name, forms.well_formed, forms.repaired, forms.malformed) for name, forms in counts.items()),
    )
