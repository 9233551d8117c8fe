"""Claims: every place where a reply says something of a label or number that may be its answer.

A pattern of the grammar finds what is claimed; the words before it in the same sentence say how it is meant. A claim is
**considered** after words that suppose ("if", "maybe", "e.g."), **denied** after words that deny, and about **the kind
in general** after words such as "usually"; a conclusion ("so") or a turn ("but here") in between sets these aside.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from snellen.answer import grammar
from snellen.answer.asking import in_full
from snellen.answer.grammar import compiled
from snellen.answer.lexicon import pattern
from snellen.answer.naming import are_numbers, everyday
from snellen.answer.restating import headed, restated
from snellen.answer.tags import TaggedReply, tail
from snellen.answer.tidy import Tidy
from snellen.answer.values import About, Claim, Stance
from snellen.item import Form

_REACH = 40
"""So many words back a sentence may begin. Longer ones are judged by their end."""
STOPS = ".!?\n"


def sentence_start(tags: str, place: int) -> int:
    return max(tags.rfind(stop, max(0, place - _REACH), place) for stop in STOPS) + 1


def sentence_end(tags: str, place: int) -> int:
    return min((at for stop in STOPS if (at := tags.find(stop, place)) >= 0), default=len(tags))


def meant(tags: str, start: int, end: int, *, beside: bool = True) -> tuple[About | None, Stance]:
    """How the words before a claim, in the same sentence, and those of the claim itself say it is meant."""
    lead = tags[max(sentence_start(tags, start), start - _REACH) : start]
    concluding = pattern(_DRAWN).search(lead)
    reasoned = "" if pattern("HERE | HENCE").match(tags, start) else _reasoned(lead)
    clause = re.split("[,;:]", reasoned)[-1]
    if pattern(r"[^.!?;,:\n]{0,10} (?<! AS ) WHEN (?! ME )").match(tags, end):
        return None, "considered"
    if (
        pattern("IF").search(reasoned + tags[start:end])
        or _would_be(tags, start, end)
        or (pattern(_ONLY_IF).match(lead) and (concluding or pattern("HENCE").match(tags, start)))
    ):
        return None, "considered"
    if pattern("USUAL").search(reasoned + tags[start:end]):
        return "the kind in general", "given"
    if pattern("NOT").search(clause) or (beside and pattern("OTHER PARTY? $").search(clause)):
        return None, "denied"
    return None, "concluded" if concluding or pattern("HENCE | FINAL").match(tags, start) else "given"


_DRAWN = "(?: ^ | [,;:] | AND | BUT ) HENCE"
_ONLY_IF = r"(?: AND | BUT | HENCE | [,;:] ){0,3} (?= WHEN ) IF"


def _reasoned(lead: str) -> str:
    """Of the words that lead to a claim, those after the last conclusion or turn."""
    return pattern(f"{_DRAWN} | (?<! WHEN ) HERE ,?").split(lead)[-1]


def _would_be(tags: str, start: int, end: int) -> bool:
    """ "If ..., the answer would be X": only on that condition, whatever stands between."""
    lead = tags[max(sentence_start(tags, start), start - _REACH) : start]
    return bool(pattern("WOULDBE").search(tags, start, end) and pattern("(?= WHEN ) IF").search(lead))


def is_supposed(tags: str, start: int) -> bool:
    """Whether the sentence that leads to a place begins with an "if", or has one that no conclusion sets aside."""
    lead = tags[max(sentence_start(tags, start), start - _REACH) : start]
    return bool(pattern(_ONLY_IF).match(lead) or pattern("(?= WHEN ) IF").search(_reasoned(lead)))


KIND_HAS = r"[,:\n]* KIND (?! NOUN | TOTAL | FIRST ) ANYWORD{0,2} HAVE"
""" "A dog has", "most dogs have": not this one."""


def lead_is_meant(words: str, form: Form) -> bool:
    """Whether words that lead to a container neither suppose nor deny what it holds, nor speak of what is usual."""
    tags = TaggedReply.of(Tidy(words), form).tags
    if pattern(KIND_HAS).match(pattern("TURN").split(tags)[-1]):
        return False
    return meant(tags, len(tags), len(tags), beside=False) in ((None, "given"), (None, "concluded"))


_FOLLOWS = r"(?: [;:!)\n|(,.-] | $ | (?<= \) ) (?! OR | AND ) | {on} )"
_CHOICE = _FOLLOWS.format(on="(?! BUT IT? MAY ) GOES_ON")
_NUMBER = _FOLLOWS.replace("-]", "]").format(on="(?! BUT IT? MAY ) NUMBER_ON")
_OTHERWISE = (
    r"\)? (?: ,? (?: OR | / | TO ) | (?P<list> ,? (?: AND | & | , ) ) ) (?: THE | AN | IF | NOUNS ){0,3} "
    r"\(? (?P<other> [LK] ) (?P<does> (?! OR | AND ) ANYWORD )?"
)


def left_open(reply: TaggedReply, end: int, name: str) -> bool:
    """Whether another answer stands beside this one: "X or O", "Black (12), White (13)"."""
    tags = reply.tags
    match = pattern(_OTHERWISE).match(tags, end)
    if match and reply.answer(match.start("other")) != name and not (match["list"] and match["does"]):
        return True
    sign = tags[end : end + 1]
    if sign not in ("(", ":", ",", "-"):
        return False
    line = tags.find("\n", end)
    for other in re.finditer(
        re.escape("L") + r"\)?" + re.escape(sign), tags[end : line if line >= 0 else len(tags)][:80]
    ):
        if reply.answer(end + other.start()) != name:
            return True
    return False


class Claims:
    """Finds claims in one reply."""

    def __init__(self, reply: TaggedReply) -> None:
        self.reply, self.tags, self.form = reply, reply.tags, reply.form
        self.units = reply.form.kind == "number" or are_numbers(reply.form.labels)
        self.asked = reply.form.asked.lower()

    def claim(
        self, how: str, start: int, end: int, answer: str, about: About = "the answer", stance: Stance = "given"
    ) -> Claim:
        span = self.reply.span(start, end)
        return Claim(answer, how, span, bool(self.tags[end:].strip()), about, stance, (start, end))

    def found(self, patterns: tuple[str, ...]) -> Iterator[re.Match[str]]:
        for regex in compiled(patterns, units=self.units):
            yield from tail(regex.finditer(self.tags))

    def label(self, match: re.Match[str]) -> str:
        groups = match.groupdict()
        return self.reply.answer(match.start("label" if groups.get("label") else "weak"))

    def ending(
        self, how: str, patterns: tuple[str, ...], *, follow: bool = True, turned: bool = False
    ) -> Iterator[Claim]:
        """Claims of patterns that end with the label, after which nothing may leave it open."""
        for match in self.found(patterns):
            answer, end = self.label(match), match.end()
            about, stance = (None, "given") if turned else meant(self.tags, match.start(), end)
            if left_open(self.reply, end, answer):
                answer = ""
            elif follow and not pattern(_NUMBER if self.units else _CHOICE).match(self.tags, end):
                continue
            yield self.claim(how, match.start(), end, answer, about or "the answer", stance)

    def whole(self) -> Iterator[Claim]:
        """The whole reply is the answer, but for a word or two such as "I think it is"."""
        start, end = _bare(self.tags)
        text = grammar.WHOLE
        text = text.replace("| TRUE )", ")") if self.asked == "wrong" else text
        match = compiled((text,), units=self.units)[0].fullmatch(self.tags, start, end) if end - start <= 24 else None
        labels = {self.reply.answer(k) for k in range(start, end) if self.tags[k] in "LKZ"} if match else set()
        usual = self.form.kind == "number" and not self.asks_usual and pattern("USUAL").search(self.tags)
        if match and len(labels) == 1 and not usual:
            at = match.start("label")
            yield self.claim("whole reply", at, at + 1, self.reply.answer(at))

    def stated(self) -> Iterator[Claim]:
        """The answer is called so: "the answer is X", "I choose X", "therefore: X", "X is the answer"."""
        for claim in (
            *self.ending("stated answer", grammar.STATED),
            *self.ending("stated answer", grammar.CALLED, follow=False),
        ):
            before = self.tags[max(0, claim.place[0] - 2) : claim.place[0]]
            if pattern("FIRST o? $").search(before) or (self.asked == "wrong" and pattern("TRUE $").search(before)):
                continue
            yield claim

    def concluded(self) -> Iterator[Claim]:
        """The ways to conclude that need no word such as "answer"."""
        yield from self.ending("corrected", grammar.CORRECTED, follow=False, turned=True)
        frames = grammar.CHOSEN + (grammar.NO_ROLE if self.needs_no_role else ())
        if everyday(self.form):
            charts = self.ending("concluded", grammar.CHARTS, follow=False)
            yield from (claim for claim in charts if "other" not in self._lead(claim.place[0]))
        if {label.lower() for label in self.form.labels} == {"yes", "no"}:
            frames += grammar.YES_OR_NO
        yield from self.ending("concluded", frames, follow=False)
        yield from self._said_there()

    def _lead(self, place: int) -> list[str]:
        """The words of the same clause before a place."""
        start = max(self.tags.rfind(stop, 0, place) for stop in ".!?\n,;:") + 1
        return self.reply.words[start:place]

    def _said_there(self) -> Iterator[Claim]:
        """What people of another world would say."""
        if self.reply.question is None or " world" not in self.reply.question.text:
            return
        for match in self.found(grammar.SAID_THERE):
            labels = {self.reply.answer(k) for k in range(*match.span("said")) if self.tags[k] == "L"}
            about, stance = meant(self.tags, match.start(), match.end())
            if len(labels) == 1 and not pattern("NOT | IF | MAY").search(match["said"]):
                yield self.claim("concluded", *match.span(), labels.pop(), about or "the answer", stance)

    @property
    def needs_no_role(self) -> bool:
        return self.form.kind == "choice" and self.asked in ("", "query", "move")

    def last_line(self) -> Iterator[Claim]:
        """The last line is nothing but the answer, and no other line is nothing but another."""
        lines = list(pattern(grammar.LINE).finditer(self.tags))
        if not lines or self.tags[lines[-1].end() :].strip() or self.tags[lines[-1].start() :].lstrip()[:1] == "!":
            return
        if pattern(r"(?: ^ | \n ) ORNAMENT (?: [LKZ] [-.,:;()*|>o_ ]{1,9} ){2,20} $").search(
            self.tags, 0, lines[-1].start()
        ):
            return  # the last row of a board
        rows = [line for line in lines[:-1] if "|" in line[0]]
        names = {self.reply.answer(line.start("label")) for line in lines if line not in rows}
        at = lines[-1].start("label")
        yield self.claim("last line", at, at + 1, self.reply.answer(at) if len(names) == 1 else "")

    def other(self, label: str) -> str:
        """The other of two labels."""
        return next(other for other in self.form.labels if other != label)

    @cached_property
    def outcomes(self) -> list[Claim]:
        """Claims that state the outcome: a role (winner, or a made-up word), a count, or the question restated."""
        claims = self.counts() if self.form.kind == "number" else self._roles()
        return sorted((*claims, *self._restated()), key=lambda claim: claim.place)

    def _restated(self) -> Iterator[Claim]:
        for clause in restated(self.reply):
            about: About = "its opposite" if clause.opposite else "what is asked"
            stance: Stance = "concluded" if clause.concluded else "given"
            if is_supposed(self.tags, clause.start):
                stance = "considered"
            if (
                self.form.kind == "number"
                and not self.asks_usual
                and (
                    pattern("USUAL").search(self.tags, clause.start, clause.end)
                    or self.of_kind(clause.start, clause.end)
                )
            ):
                about = "the kind in general"
            elif self.form.kind == "number" and self.of_part(clause.start, clause.end):
                about = "a part"
            yield self.claim("restated question", clause.start, clause.end, clause.answer, about, stance)
        for clause in headed(self.reply):
            about = "its opposite" if clause.opposite else "what is asked"
            yield self.claim("heading", clause.start, clause.end, clause.answer, about)

    def in_full(self, claim: Claim) -> bool:
        """Whether a claim stands in a sentence that has all the words of the question."""
        start, end = sentence_start(self.tags, claim.place[0]), sentence_end(self.tags, claim.place[0])
        first = "L" not in self.tags[start : claim.place[0]]
        return claim.how == "restated question" and claim.counts and first and in_full(self.reply, start, end)

    def _roles(self) -> Iterator[Claim]:
        for match in self.found(grammar.OUTCOMES):
            groups = match.groupdict()
            about, stance = meant(self.tags, match.start(), match.end())
            answer = self.label(match)
            if "ends" in groups:
                if left_open(self.reply, match.end(), answer):
                    answer = ""
                elif not pattern(_CHOICE).match(self.tags, match.end()):
                    continue
            role = self._role(groups.get("role") or groups.get("noun") or "")
            yield self.claim("stated outcome", *match.span(), answer, about or role, stance)

    def _role(self, words: str) -> About:
        """Whether the words name what is asked for or its opposite. Where nothing is asked for by name, winning is."""
        if "T" in words or "U" in words:
            return "what is asked" if "T" in words else "its opposite"
        lost = bool(pattern("LOSE | LOSER").search(words))
        if self.asked in ("", "winner", "move"):
            return "its opposite" if lost else "what is asked"
        return ("what is asked" if lost else "its opposite") if self.asked == "loser" else "something else"

    @property
    def asks_usual(self) -> bool:
        return bool(self.reply.question and "usual" in self.reply.question.text)

    def of_kind(self, start: int, end: int) -> bool:
        """Whether a claim is about the kind in general, not about what is shown."""
        raise NotImplementedError

    def of_part(self, start: int, end: int) -> bool:
        """Whether a claim is about a part of what is counted."""
        raise NotImplementedError

    def counts(self) -> Iterator[Claim]:
        """Claims about how many there are."""
        raise NotImplementedError


def _bare(tags: str) -> tuple[int, int]:
    """The tags without ornament at either end."""
    start, end = 0, len(tags)
    while start < end and tags[start] in ".,:;-*|()\n>o✓":
        start += 1
    while end > start and tags[end - 1] in ".,:;-*|!()\no✓":
        end -= 1
    return start, end
