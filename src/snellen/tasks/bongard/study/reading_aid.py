"""A reading aid for published problems: what a wrong verdict may be due to, proposed from the words it left behind.

Published pictures have no facts to go by, so nothing is proven here: this sorts the errors for whoever reads them. Four
groups, after the ones people use when they go through such errors by hand:

- **rule too general**: the stated rule has part of the concept and lacks the rest, and a near miss was let in;
- **wrong property**: the stated rule goes by something else: it has nothing of the concept, or shut a member out by
  asking for words the concept does not have;
- **misses the object**: the concept holds of the query, but its description lacks a word the rule or concept needs;
- **weak application**: rule and description say what is needed, and the verdict does not follow.

Only words are compared, cut to their stems, so a synonym counts as missing unless the caller names it. Words that carry
no content are left out, and where the examples were described only those count that set the positives apart: a word
that the descriptions of the negatives have as often explains nothing. A proposal always carries the words that decided;
where the words cannot decide it says so instead of guessing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from snellen.charts.blocks import Section, Table, Text
from snellen.tasks.bongard.study.errors import TrialInWords

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
class Proposal:
    """The group proposed for one wrong verdict. `lacking`: words that are missing in `where` (rule or description);
    `beside`: words of the rule that the concept does not have."""

    record: TrialInWords
    group: Group
    where: Literal["rule", "description", ""]
    lacking: tuple[str, ...]
    beside: tuple[str, ...]
    why: str


_WORD = re.compile(r"[^\W\d_]+|\d+")
_EMPTY_WORDS = (
    "a an the this that these those some any all each every its their his her of in on at to for from by with"
    " without and or but nor not no is are was were be been being has have having had do does did can could may"
    " might must shall should will would there here it they them he she we you i as than then so if when while"
    " where which who whom whose what how very more most less least much many few several only just also too both"
    " either neither other another same such own into onto over under up down out off about around between among"
    " through during before after near next image images picture pictures photo photos photograph scene scenes"
    " view positive negative example examples rule concept query one thing things object objects item items"
    " various kind kinds type types contain contains containing include includes including show shows showing"
    " shown depict depicts depicting feature features featuring appear appears appearing visible seen certain"
    " specific particular main common typically usually often"
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


def error_groups(records: Iterable[TrialInWords], synonyms: Synonyms = NO_SYNONYMS) -> list[Proposal]:
    """A proposal for every record whose verdict was wrong."""
    also = {stem(word): {stem(other) for other in others} for word, others in synonyms.items()}
    return [_proposal(record, also) for record in records if record.outcome == "wrong"]


def _lacking(needed: Mapping[str, str], said: Mapping[str, str], also: Mapping[str, set[str]]) -> tuple[str, ...]:
    found = set(said)
    return tuple(sorted(word for root, word in needed.items() if not found & {root, *also.get(root, ())}))


def _proposal(record: TrialInWords, also: Mapping[str, set[str]]) -> Proposal:
    rule, shown = content_words(record.rule), content_words(record.description)
    concept = _telling(content_words(record.concept), record)
    if not concept:
        return Proposal(record, "cannot be told", "", (), (), "nobody wrote down the concept")
    if rule:
        missed = _lacking(concept, rule, also)
        meant = {*concept, *(other for root in concept for other in also.get(root, ()))}
        beside = tuple(sorted(word for root, word in rule.items() if root not in meant))
        if missed and (found := _by_rule(record, concept, missed, beside)):
            return found
    return _by_description(record, rule or concept, shown, also)


def _telling(words: Mapping[str, str], record: TrialInWords) -> Mapping[str, str]:
    """Of these words those that set the positives' descriptions apart; all of them if none does, or nothing was
    described."""
    shares = [_shares(words, side) for side in record.examples]
    telling = {root: word for root, word in words.items() if shares[0].get(root, 0) > shares[1].get(root, 0)}
    return telling or words


def _shares(words: Mapping[str, str], texts: Sequence[str]) -> dict[str, float]:
    """In which share of the texts each word stands."""
    said = [set(content_words(text)) for text in texts]
    return {root: sum(root in each for each in said) / len(said) for root in words} if said else {}


def _by_rule(
    record: TrialInWords, concept: Mapping[str, str], missed: tuple[str, ...], beside: tuple[str, ...]
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
    record: TrialInWords, needed: Mapping[str, str], shown: Mapping[str, str], also: Mapping[str, set[str]]
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
    why = "the description of a near miss has every word of the rule; words alone cannot decide how they combine"
    return Proposal(record, "cannot be told", "", (), (), why)


def _list(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words) or "nothing"


def aid_section(proposals: Sequence[Proposal]) -> Section:
    """How often each group was proposed, and every proposal with its evidence."""
    return Section(
        "Bongard problems: a reading aid to the wrong verdicts",
        (
            Text(
                "A reading aid, not a measurement: published pictures come without facts, so the groups are proposed"
                " from stemmed words alone: the words of the concept that the stated rule lacks, and those that the"
                " description of the query lacks. Each proposal lists the decisive words; a synonym may count as a"
                " missing word."
            ),
            group_table(proposals),
            proposal_table(proposals),
        ),
        task="bongard",
    )


def group_table(proposals: Sequence[Proposal]) -> Table:
    subjects = list(dict.fromkeys(each.record.subject for each in proposals))
    counts = {(subject, group): 0 for subject in subjects for group in GROUPS}
    for each in proposals:
        counts[each.record.subject, each.group] += 1
    return Table(
        name="bongard-word-groups",
        title="A reading aid: wrong verdicts by their words",
        note="Counts of wrong verdicts on published problems, by subject; a reading aid, proposed from words alone.",
        columns=("subject", *GROUPS, "wrong"),
        rows=tuple((subject, *(own := [counts[subject, group] for group in GROUPS]), sum(own)) for subject in subjects),
    )


def proposal_table(proposals: Sequence[Proposal]) -> Table:
    return Table(
        name="bongard-words",
        title="A reading aid: every wrong verdict with its words",
        note="Group: proposed from words alone, as a reading aid. Why: the decisive words.",
        columns=("trial", "subject", "query", "group", "why", "concept", "rule"),
        rows=tuple(
            (
                *(each.record.trial, each.record.subject, each.record.query, each.group, each.why),
                *(each.record.concept, each.record.rule),
            )
            for each in proposals
        ),
    )
