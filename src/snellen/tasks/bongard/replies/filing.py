"""Wrong verdicts filed by what decided them, each with the picture, the fact and the words that show it.

The rule that was stated is judged on the facts of all pictures: does it part the examples, what does it say of the
query? The description is judged by the rule: does the query as described belong where the query belongs? If not, one
difference after another is mended in the description, until the verdict turns: that is the one that decided. So:

- **description misses it**: the rule (the true one, if none could be read) goes wrong on the description because
  something is not said;
- **description says it wrongly**: because something is called by another name, is said otherwise than it is, or is not
  there at all;
- **rule is wrong**: it does not part the pictures that were shown, fits them and not the query, or names nothing that
  pictures differ in; and the descriptions it was found from, if there are any, say enough to find the right one;
- **rule applied wrongly**: a rule that parts the pictures, a description (if there is one) from which the right verdict
  follows, and another verdict;
- **cannot be told**: a rule or a description in words that the reader does not understand, or none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.tasks.bongard.problem import Panel
from snellen.tasks.bongard.replies.differences import MISSING, DescriptionFault
from snellen.tasks.bongard.strokes.truth import Truth
from snellen.tasks.bongard.study.errors import Filed, Group

SIDES = ("positive", "negative")
_ENOUGH = 3
"""So many pictures of one side must leave the concept open before the descriptions are to blame for a wrong rule."""


@dataclass(frozen=True, slots=True)
class Language:
    """How pictures of one source are spoken of: their facts, what a description says, what a rule may mean, whether
    that holds, and how a description differs from the facts."""

    facts: Callable[[Panel], Any]
    read: Callable[[str], Any]
    readings: Callable[[str], Sequence[Any]]
    holds: Callable[[Any, Any], Truth]
    differences: Callable[[Any, Any], list[DescriptionFault]]
    empty: Callable[[Any], bool]
    names_something: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class ProblemFacts:
    """What is known of a problem: its concept in words and as what it means, and the facts of its pictures by side, the
    last of each a query."""

    concept: str
    meant: Sequence[Any]
    facts: Mapping[str, Sequence[Any]]
    language: Language


def known(concept: str, panels: Mapping[str, Sequence[Panel]], language: Language) -> ProblemFacts:
    """What is known of a problem with this concept and these pictures."""
    facts = {side: [language.facts(panel) for panel in panels[side]] for side in SIDES}
    meant = [meaning for meaning in language.readings(concept) if _parts(meaning, facts, language)]
    return ProblemFacts(concept, meant, facts, language)


def _parts(concept: Any, facts: Mapping[str, Sequence[Any]], language: Language) -> bool:
    """Whether a concept tells the sides apart. What is hard to say of a picture speaks neither for nor against."""
    inside, outside = ([language.holds(concept, world) for world in facts[side]] for side in SIDES)
    return False not in inside and True in inside and True not in outside and False in outside


@dataclass(frozen=True, slots=True)
class WrongVerdict:
    """A wrong verdict: the side of the query, the rule that was stated, the description of the query ('' for none), and
    those of the examples by side, in their order, where they were made."""

    query: str
    rule: str
    description: str
    described: Mapping[str, Sequence[str]]


def file(case: WrongVerdict, about: ProblemFacts) -> Filed:
    """What decided the verdict."""
    return _Filing(case, about).filed()


class _Filing:
    """One case, with what is known of its problem and what its rule may mean."""

    def __init__(self, case: WrongVerdict, about: ProblemFacts) -> None:
        self.case = case
        self.about = about
        self.language = about.language
        self.facts = about.facts
        self.true = about.meant
        self.query = self.facts[case.query][-1]
        self.wanted = case.query == "positive"
        self.rules = self.language.readings(case.rule) if case.rule else ()

    def filed(self) -> Filed:
        if not self.true:
            return Filed("cannot be told", "the true rule could not be read, so nothing can be judged by it")
        right = [rule for rule in self.rules if _parts(rule, self.facts, self.language)]
        if right:
            return self._by_description(right, stated=True)
        if self.rules:
            return self._misled() or self._wrong_rule()
        if self.case.rule and not self.language.names_something(self.case.rule):
            return self._misled() or self._empty_rule()
        return self._by_description(self.true, stated=False)

    # The rule is right, or nobody knows: what does it make of the description?

    def _by_description(self, concepts: Sequence[Any], *, stated: bool) -> Filed:
        described = self.language.read(self.case.description) if self.case.description else None
        if described is None or self.language.empty(described):
            return self._undescribed(stated)
        verdicts = [self.language.holds(concept, described) for concept in concepts]
        if self.wanted in verdicts:
            side = self.case.query
            if stated:
                why = f"by the rule and by its description the query is {side}, and the verdict is another"
                return Filed("rule applied wrongly", why, "query", "", self.case.rule)
            why = f"the description says what makes the query {side}; what rule was used cannot be told"
            return Filed("cannot be told", why, "query")
        return self._decided(concepts, described)

    def _undescribed(self, stated: bool) -> Filed:
        if stated:
            why = f"by the rule the query is {self.case.query}, and the verdict is another; no words tell what was seen"
            return Filed("rule applied wrongly", why, "query", "", self.case.rule)
        unread = "the rule could not be read" if self.case.rule else "no rule was stated"
        what = "its description could not be read" if self.case.description else "there is no description of the query"
        return Filed("cannot be told", f"{unread}, and {what}")

    def _decided(self, concepts: Sequence[Any], described: Any) -> Filed:
        """Which of the description's faults turned the verdict."""
        faults = self.language.differences(described, self.query)
        for fault in faults:
            if any(self.language.holds(concept, fault.mended) is self.wanted for concept in concepts):
                return _blamed([fault], "query")
        if faults:
            return _blamed(faults, "query")
        return Filed("cannot be told", "the description cannot be judged by the rule, and has no fault", "query")

    # The rule is wrong: could the right one have been found?

    def _misled(self) -> Filed | None:
        """What in the descriptions of the examples hides the true concept, if they do."""
        faults: list[tuple[str, DescriptionFault]] = []
        open_, contrary = dict.fromkeys(SIDES, 0), 0
        for side in SIDES:
            pictures = zip(self.case.described.get(side, ()), self.facts[side], strict=False)
            for number, (text, fact) in enumerate(pictures, 1):
                described = self.language.read(text)
                truths = [self.language.holds(concept, described) for concept in self.true]
                if (side == "positive") in truths or self.language.empty(described):
                    continue
                contrary += None not in truths
                open_[side] += 1
                faults += [
                    (f"{side} {number}", fault)
                    for fault in self.language.differences(described, fact)
                    if any(self.language.holds(one, fault.mended) is (side == "positive") for one in self.true)
                ][:1]
        if faults and (contrary or max(open_.values()) >= _ENOUGH):
            picture, fault = faults[0]
            blamed = _blamed([fault], picture)
            many = (
                f"of {sum(open_.values())} examples the description does not let the true rule be seen, first {picture}"
            )
            return Filed(blamed.group, f"{many}: {blamed.why}", picture, blamed.fact, blamed.words)
        return None

    def _empty_rule(self) -> Filed:
        why = "the rule names nothing that the pictures differ in"
        return Filed("rule is wrong", why, "query", f"true rule: {self.about.concept}", self.case.rule)

    def _wrong_rule(self) -> Filed:
        """Of the kindest reading, the pictures that the rule fails on."""
        each_reading = map(self._failures, self.rules)
        out, let_in = min(each_reading, key=lambda failures: len(failures[0]) + len(failures[1]))
        parts = []
        if out:
            parts.append(f"does not hold of {', '.join(out)}")
        if let_in:
            parts.append(f"holds of {', '.join(let_in)}")
        shown = [name for name in (*out, *let_in) if "query" not in name]
        fits = "" if shown else "the rule fits the examples and not the query: it "
        why = f"{fits or 'the rule '}{' and '.join(parts) or 'tells nothing apart for certain'}"
        return Filed(
            "rule is wrong",
            why,
            (*shown, *out, *let_in, "query")[0],
            f"true rule: {self.about.concept}",
            self.case.rule,
        )

    def _failures(self, rule: Any) -> tuple[list[str], list[str]]:
        """The positives it leaves out and the negatives it lets in, by name."""
        names: dict[str, list[str]] = {}
        for side in SIDES:
            truths = [self.language.holds(rule, world) for world in self.facts[side]]
            last = len(truths) - 1
            names[side] = [
                f"{side} query" if k == last else f"{side} {k + 1}"
                for k, truth in enumerate(truths)
                if truth is (side == "negative")
            ]
        return names["positive"], names["negative"]


def _blamed(faults: Sequence[DescriptionFault], picture: str) -> Filed:
    missing = all(fault.fault in MISSING for fault in faults)
    group: Group = "description misses it" if missing else "description says it wrongly"
    fact = "; ".join(fault.fact for fault in faults[:3])
    words = "; ".join(dict.fromkeys(fault.words for fault in faults[:3] if fault.words))
    said = f', and the description has "{words}"' if words else ", and the description has nothing of it"
    return Filed(group, f"{fact}{said}", picture, fact, words)
