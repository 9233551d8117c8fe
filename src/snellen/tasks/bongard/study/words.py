"""The words that trials in several steps leave behind, and what they say: rules stated, pictures described.

The analysis of outcomes needs only the tidy rows. These sections need the replies of the steps before the last, which
are in the store: what decided wrong verdicts, how like a rule is to the description of the query it was
applied to, and how many descriptions were in the form that was asked for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from snellen.analysis.casts import CHAINS
from snellen.answer.descriptions import tally
from snellen.answer.rule import stated_rule
from snellen.charts.blocks import Section, Table
from snellen.engine import Store
from snellen.errors import UserError, invocation
from snellen.subjects.embedding import Embedder, lexical_similarity
from snellen.tasks.bongard.replies import LANGUAGES
from snellen.tasks.bongard.replies.filing import SIDES, ProblemFacts, WrongVerdict, file, known
from snellen.tasks.bongard.study.errors import FiledTrial, TrialInWords, error_section
from snellen.tasks.bongard.study.reading_aid import Proposal, aid_section, error_groups
from snellen.tasks.bongard.study.similarity import Similarity, similarity_table

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")
TASK = "bongard"
PLACE, BLOCK = "_place", "_block"  # not factors of any task: rows may have those of others
READ = (
    *("trial", "item", "subject", "paradigm", "outcome", "reason", "calls"),
    *("query", "examples", "describer", "applier"),
)
"""What is read of the rows."""
ITEMS_AT_ONCE = 200
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
    alike: list[tuple[int, Similarity]] = []
    filed: list[tuple[int, FiledTrial]] = []
    others: list[tuple[int, Proposal]] = []
    forms = _Forms()
    for steps, truths in _blocks(store, rows):
        records = list(_records(steps, _concepts(truths)))
        alike += [
            (place, Similarity(r.subject, r.query, lexical_similarity(r.rule, r.description)))
            for place, r in _worded(records)
        ]
        wrong = [(place, record) for place, record in records if record.outcome == "wrong"]
        problems = {item: _known(truths[item]) for item in dict.fromkeys(record.item for _, record in wrong)}
        ids = store.trial_ids(record.trial for _, record in wrong)
        for place, record in wrong:
            about, trial = problems[record.item], ids.get(record.trial, record.trial)
            short = replace(record, trial=trial, description="", examples=((), ()))
            if about:
                filed.append((place, (short, file(_case(record), about))))
            else:
                others += [(place, replace(one, record=short)) for one in error_groups([record])]
        forms.add(steps)
    # In the order of the rows, as if all had been looked at together.
    sections = [error_section(_in_order(filed))] if filed else []
    if others:
        sections.append(aid_section(_in_order(others)))
    if alike:
        table = similarity_table(_in_order(alike))
        sections.append(Section("How like the rule is to the query's description", (table,)))
    if forms.is_any:
        sections.append(Section("Descriptions in the form asked for", (forms.table(),)))
    return tuple(sections)


async def compare_words(store: Store, rows: "pl.DataFrame", by: Embedder) -> Table:
    """How like rules are to the descriptions of their queries, by an embedder of your choice."""
    blocks = _blocks(store, rows)
    found = [one for steps, truths in blocks for one in _worded(_records(steps, _concepts(truths)))]
    records = _in_order(found)
    if not records:
        command = invocation("exam", "SUBJECT", "--tasks", TASK, "--paradigm", "drl,ca")
        raise UserError(f"store {store.path}: no trial with a stated rule and a description; run `{command}` first")
    async with by:
        cosines = await by.similarity([(record.rule, record.description) for record in records])
    alike = (Similarity(r.subject, r.query, c) for r, c in zip(records, cosines, strict=True))
    return similarity_table(alike, by.name)


def _concepts(truths: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {item: str(truth.get("concept", "")) for item, truth in truths.items()}


_MADE_OF = {"things": "scenes", "shapes": "strokes", "deed": "natural"}
"""What generated pictures are made of, and the source that makes them so."""


def _known(truth: Mapping[str, Any]) -> ProblemFacts | None:
    """What is known of a problem, if its pictures were made here and not found in a file."""
    panel = truth["positive"][0]
    source = next((source for key, source in _MADE_OF.items() if key in panel), "")
    return known(truth["concept"], truth, LANGUAGES[source]) if source else None


def _case(record: TrialInWords) -> WrongVerdict:
    return WrongVerdict(record.query, record.rule, record.description, dict(zip(SIDES, record.examples, strict=True)))


def _worded(records: Iterable[tuple[int, TrialInWords]]) -> Iterator[tuple[int, TrialInWords]]:
    return ((place, record) for place, record in records if record.rule and record.description)


def _in_order(found: Iterable[tuple[int, T]]) -> list[T]:
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def _blocks(store: Store, rows: "pl.DataFrame") -> Iterator[tuple[list[TrialSteps], dict[str, dict[str, Any]]]]:
    """The trials and the truths of some items after those of others: replies and facts of all would not fit into
    memory. A trial's place among all is its row's `PLACE`."""
    rows = rows.select(name for name in READ if name in rows.columns).with_row_index(PLACE)
    items = rows["item"].unique(maintain_order=True).to_frame().with_row_index(BLOCK)
    items = items.with_columns(items[BLOCK] // ITEMS_AT_ONCE)
    rows = rows.join(items, on="item", maintain_order="left")
    for some in rows.partition_by(BLOCK, include_key=False):
        versions = {item: store.items_named(item) for item in some["item"].unique(maintain_order=True)}
        truths = {item: known[-1][1] for item, known in versions.items() if known}
        yield _steps(store, some), truths


def _steps(store: Store, rows: "pl.DataFrame") -> list[TrialSteps]:
    """The trials with the replies of all their calls, each call looked up once. Rows of a large store have of trials
    and calls how their keys begin."""
    trials = rows.rows(named=True)
    if rows["trial"].dtype.is_integer():
        for row in trials:
            row |= {"trial": f"{row['trial']:016x}", "calls": [f"{call:016x}" for call in row["calls"]]}
    keys = dict.fromkeys(key for row in trials for key in row["calls"])
    known = len(next(iter(keys), ""))
    texts = {record.key.hex()[:known]: record.reply.text for record in store.calls(keys) if record.reply}
    return [
        TrialSteps(row, tuple(texts[key] for key in row["calls"]))
        for row in trials
        if row["reason"] != "error" and row["calls"] and all(key in texts for key in row["calls"])
    ]


def _records(steps: list[TrialSteps], concepts: Mapping[str, str]) -> Iterator[tuple[int, TrialInWords]]:
    """Each trial in plain words, behind its place. Where it made no description of the query, another of the same
    subject's serves."""
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
        yield (
            row[PLACE],
            TrialInWords(
                *(row["trial"], concepts[row["item"]], step.rule, own, row["outcome"], row["query"], way, row["item"]),
                examples=step.examples,
            ),
        )


class _Forms:
    """The form of every description that was asked for in JSON, each call counted once. `is_any`: whether there was a
    description, in whatever form."""

    def __init__(self) -> None:
        self.is_any = False
        self._of: dict[str, dict[str, int]] = {}
        self._first: dict[str, int] = {}

    def add(self, steps: Iterable[TrialSteps]) -> None:
        for step in steps:
            self.is_any |= bool(step.described)
            if step.row["paradigm"] != "ca":
                continue
            describer, place = step.row["describer"], step.row[PLACE]
            self._first[describer] = min(place, self._first.get(describer, place))
            own = self._of.setdefault(describer, {})
            for call, text in zip(step.row["calls"], step.described, strict=False):
                if call not in own:
                    form = tally([text])
                    own[call] = 0 if form.well_formed else 1 if form.repaired else 2

    def table(self) -> Table:
        describers = sorted(self._of, key=self._first.__getitem__)
        counts = {name: Counter(self._of[name].values()) for name in describers}
        return Table(
            name="descriptions",
            title="Descriptions by form",
            note="Repaired: read by the lenient parser after mending (fences, commas, an end cut off); malformed: not"
            " to be read as JSON even so. The reasoner gets every description as it was written.",
            columns=("describer", "well-formed", "repaired", "malformed"),
            rows=tuple((name, forms[0], forms[1], forms[2]) for name, forms in counts.items()),
        )
