"""Error groups: what a wrong verdict on a Bongard query looks like, proposed from the words it left behind.

Four groups, after the ones people use when they go through such errors by hand:

- **rule too general**: the stated rule has part of the concept and lacks the rest, and a near miss was let in;
- **wrong property**: the stated rule goes by something else: it has nothing of the concept, or shut a member out by
  asking for words the concept does not have;
- **misses the object**: the concept holds of the query, but its description lacks a word the rule or concept needs;
- **weak application**: rule and description say what is needed, and the verdict does not follow.

Only words are compared, cut to their stems, so a synonym counts as missing unless the caller names it. A proposal
always carries the words that decided; where the words cannot decide it says so instead of guessing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from snellen.analysis.blocks import Section, Table, Text

Group = Literal["rule too general", "wrong property", "misses the object", "weak application", "cannot be told"]
GROUPS: tuple[Group, ...] = (
    "rule too general",
    "wrong property",
    "misses the object",
    "weak application",
    "cannot be told",
)
Synonyms = Mapping[str, Sequence[str]]
"""For a word, others that say as much: {"animal": ("dog", "cat")}."""
NO_SYNONYMS: Synonyms = {}


@dataclass(frozen=True, slots=True)
class Record:
    """One trial in plain words: the true concept, the rule stated ('' if none was), the description of the query (''
    if none was made), what became of it, and whether the query shows the concept."""

    trial: str
    concept: str
    rule: str
    description: str
    outcome: str
    query: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The group proposed for one wrong verdict. `lacking`: words that are missing in `where` (rule or description);
    `beside`: words of the rule that the concept does not have."""

    record: Record
    group: Group
    where: Literal["rule", "description", ""]
    lacking: tuple[str, ...]
    beside: tuple[str, ...]
    why: str


_WORD = re.compile(r"[^\W\d_]+|\d+")
_EMPTY_WORDS = (
    "a an the this that these those some any all each every its their of in on at to for from by with and or is are be"
    " being has have having contain contains containing include includes including show shows showing shown depict"
    " depicts there it as image images picture pictures photo photos scene scenes which who where positive example"
    " examples rule query one thing things object objects various kind kinds"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words that carry no content of a concept."""


def stem(word: str) -> str:
    """A word cut to about its stem: plural, -ing, -ed."""
    word = word.lower()
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls" else word


def content_words(text: str) -> dict[str, str]:
    """The words that carry content, in order: stem to word as written."""
    found: dict[str, str] = {}
    for word in _WORD.findall(text.lower()):
        if word not in _EMPTY:
            found.setdefault(stem(word), word)
    return found


def error_groups(records: Iterable[Record], synonyms: Synonyms = NO_SYNONYMS) -> list[Proposal]:
    """A proposal for every record whose verdict was wrong."""
    also = {stem(word): {stem(other) for other in others} for word, others in synonyms.items()}
    return [_proposal(record, also) for record in records if record.outcome == "wrong"]


def _lacking(needed: Mapping[str, str], said: Mapping[str, str], also: Mapping[str, set[str]]) -> tuple[str, ...]:
    found = set(said)
    return tuple(sorted(word for root, word in needed.items() if not found & {root, *also.get(root, ())}))


def _proposal(record: Record, also: Mapping[str, set[str]]) -> Proposal:
    concept, rule, shown = map(content_words, (record.concept, record.rule, record.description))
    if not concept:
        return Proposal(record, "cannot be told", "", (), (), "nobody wrote down the concept")
    if rule:
        missed = _lacking(concept, rule, also)
        meant = {*concept, *(other for root in concept for other in also.get(root, ()))}
        beside = tuple(sorted(word for root, word in rule.items() if root not in meant))
        if missed and (found := _by_rule(record, concept, missed, beside)):
            return found
    return _by_description(record, rule or concept, shown, also)


def _by_rule(
    record: Record, concept: Mapping[str, str], missed: tuple[str, ...], beside: tuple[str, ...]
) -> Proposal | None:
    """What the rule betrays; None if a rule that lacks something still does not explain the verdict."""
    if len(missed) == len(concept):
        why = f"the rule has nothing of {_list(missed)}; it goes by {_list(beside)}"
        return Proposal(record, "wrong property", "rule", missed, beside, why)
    if record.query == "negative":
        why = f"the rule lacks {_list(missed)} and let a near miss in"
        return Proposal(record, "rule too general", "rule", missed, beside, why)
    if beside:
        why = f"the rule asks for {_list(beside)} instead of {_list(missed)} and shut a member out"
        return Proposal(record, "wrong property", "rule", missed, beside, why)
    return None


def _by_description(
    record: Record, needed: Mapping[str, str], shown: Mapping[str, str], also: Mapping[str, set[str]]
) -> Proposal:
    if not shown:
        return Proposal(record, "cannot be told", "", (), (), "there is no description of the query")
    lacking = _lacking(needed, shown, also)
    if record.query == "positive":
        if lacking:
            why = f"the query shows the concept, but its description lacks {_list(lacking)}"
            return Proposal(record, "misses the object", "description", lacking, (), why)
        return Proposal(
            record, "weak application", "", (), (), f"rule and description both have {_list(tuple(needed.values()))}"
        )
    if lacking:
        why = f"the description rightly lacks {_list(lacking)}, and the verdict was positive all the same"
        return Proposal(record, "weak application", "description", lacking, (), why)
    why = "the description of a near miss has every word of the rule; how they go together words alone cannot tell"
    return Proposal(record, "cannot be told", "", (), (), why)


def _list(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words) or "nothing"


def error_section(proposals: Sequence[Proposal]) -> Section:
    """How often each group was proposed, and every proposal with its evidence."""
    return Section(
        "Bongard problems: error groups",
        (
            Text(
                "Proposed from words alone, cut to their stems: which words of the concept does the stated rule lack,"
                " which does the description of the query lack? The words that decided stand beside each proposal;"
                " a synonym may pass for a missing word."
            ),
            group_table(proposals),
            proposal_table(proposals),
        ),
    )


def group_table(proposals: Sequence[Proposal]) -> Table:
    subjects = list(dict.fromkeys(each.record.subject for each in proposals))
    counts = {(subject, group): 0 for subject in subjects for group in GROUPS}
    for each in proposals:
        counts[each.record.subject, each.group] += 1
    return Table(
        name="bongard-error-groups",
        title="Wrong verdicts by error group",
        note="Counts of wrong verdicts, by subject.",
        columns=("subject", *GROUPS, "wrong"),
        rows=tuple((subject, *(own := [counts[subject, group] for group in GROUPS]), sum(own)) for subject in subjects),
    )


def proposal_table(proposals: Sequence[Proposal]) -> Table:
    return Table(
        name="bongard-errors",
        title="Every wrong verdict with its evidence",
        note="Group: proposed from words alone. Why: the words that decided.",
        columns=("trial", "subject", "query", "group", "why", "concept", "rule"),
        rows=tuple(
            (
                *(each.record.trial, each.record.subject, each.record.query, each.group, each.why),
                *(each.record.concept, each.record.rule),
            )
            for each in proposals
        ),
    )
