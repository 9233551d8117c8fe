"""Claims about how many there are. The question says what is counted: a number of something else is no answer."""

import re
from collections.abc import Iterator
from functools import cached_property

from snellen.answer import grammar
from snellen.answer.asking import asked, is_beside, is_plain_word, stem
from snellen.answer.claims import KIND_HAS, Claims, meant, sentence_end, sentence_start
from snellen.answer.lexicon import pattern
from snellen.answer.values import Claim

_MORE = r"ANYWORD{0,2} (?: ADDITION | [+*×] | PART )"
_THESE = frozenset(("these", "those", "its", "his", "this", "yes"))


_PART_WORDS = "first second third fourth last top bottom upper lower left right half without excluding"
_PARTS = frozenset(_PART_WORDS.split(" "))
_MAY = frozenset(("could", "might", "may"))


class CountedClaims(Claims):
    def counts(self) -> Iterator[Claim]:
        spans = {match.start("label"): match.span() for match in self.found(grammar.COUNTS)}
        spans |= {k: (k, k + 1) for k in self._counted() if k not in spans}
        for place, (start, end) in spans.items():
            about, stance = meant(self.tags, start, end, beside=False)
            if self._is_unsure(place):
                stance = "considered"
            if self._is_of_part(place) and not pattern("MAKING | TOTAL | =").match(self.tags, start):
                about = "a part"
            elif place in self.of_others:
                about = "something else"
            elif pattern("(?: PLACE | NOUN | OPTION ) L $").search(
                self.tags[max(0, start - 4) : start]
            ) or self._in_part(start, end):
                about = "a part"
            elif self.of_kind(start, end):
                about = "the kind in general"
            elif self._is_narrower(place) or self._held_by_part(place):
                about = "a part"
            yield self.claim("stated outcome", start, end, self.reply.answer(place), about or "what is asked", stance)

    @cached_property
    def _units(self) -> frozenset[str]:
        question = asked(self.reply.question.text, self.form) if self.reply.question else None
        return question.counts if question else frozenset()

    def _after(self, place: int) -> list[str]:
        """The stems of up to three words right after a number."""
        words: list[str] = []
        for k in range(place + 1, min(place + 4, len(self.tags))):
            if not pattern("(?! STOP | PREP | OF | IS | HAVE | IN_TOTAL ) ANYWORD").match(self.tags[k]):
                break
            words.append(stem(self.reply.words[k]))
        return words

    def _counted(self) -> list[int]:
        """Where a number stands right before what the question counts."""
        places = (k for k, tag in enumerate(self.tags) if tag == "L") if self._units else ()
        return [
            k
            for k in places
            if self._units & set(self._after(k))
            and not pattern(_MORE).match(self.tags, k + 1)
            and not pattern("(?: THAN | OPEN_NUMBER ) (?: THE | AN )? $").search(self.tags[max(0, k - 3) : k])
        ]

    @cached_property
    def of_others(self) -> frozenset[int]:
        """Where a number is denied, said to be usual, or of something else than what the question counts."""
        dropped = frozenset(
            m.end() - 1
            for m in pattern("(?: DENY | USUAL ) (?: THE | AN | USUAL | ANYWORD ){0,2}? L").finditer(self.tags)
        )
        dropped |= {
            m.start() for m in pattern("(?<= OF THE ) L | L (?= OF (?: IT | WHO ) ANYWORD )").finditer(self.tags)
        }
        places = [k for k, tag in enumerate(self.tags) if tag == "L"] if self._units else []
        after = {k: self._after(k) for k in places}
        return dropped | frozenset(
            k for k in places if after[k] and not self._units & set(after[k]) and not is_plain_word(after[k][-1])
        )

    def _is_narrower(self, place: int) -> bool:
        """ "Five filled panels" are not all of them, unless filled ones are asked for."""
        question = asked(self.reply.question.text, self.form) if self.reply.question else None
        match = pattern("NARROWER").match(self.tags, place + 1)
        return bool(question and match and stem(self.reply.words[place + 1]) not in question.words)

    def of_kind(self, start: int, end: int) -> bool:
        """ "A typical dog has", "A dog has", "Cats have": not this one."""
        begin = sentence_start(self.tags, start)
        clause = pattern("TURN").split(self.tags[begin:end])[-1]
        whole = self.tags[begin:end].lstrip(",:\n ").startswith(clause.lstrip(",:\n "))
        lead = pattern("(?: BUT | WHILE )? (?= SPOKEN KIND? HAVE )").match(self.tags, begin)
        turned = lead and pattern("TURN").search(self.tags, lead.end(), end)
        subject = self.reply.words[lead.end()] if lead and not turned and (whole or lead.end() > begin) else ""
        return bool(pattern(KIND_HAS).match(clause) or (subject.endswith("s") and subject not in _THESE))

    def _clause(self, place: int) -> tuple[int, int]:
        """The clause, from comma to comma, around a place."""
        start = max(self.tags.rfind(stop, 0, place) for stop in ".!?\n,;:()") + 1
        ends = [at for stop in ".!?\n,;:()" if (at := self.tags.find(stop, place)) >= 0]
        return start, min(ends, default=len(self.tags))

    def _is_of_part(self, place: int) -> bool:
        """ "3 panels in the first row", "half of them", "9 above the row", unless the question speaks of these."""
        start, end = self._clause(place)
        text = self.reply.question.text.lower() if self.reply.question else ""
        places = _PARTS.intersection(self.reply.words[start:end])
        return bool(text) and (is_beside(self.reply, start, end) or any(word not in text for word in places))

    def of_part(self, start: int, end: int) -> bool:
        return any(self._is_of_part(k) for k in range(start, end) if self.tags[k] == "L")

    def _is_unsure(self, place: int) -> bool:
        return not _MAY.isdisjoint(self.reply.words[slice(*self._clause(place))])

    def _in_part(self, start: int, end: int) -> bool:
        clause = re.split("[,;]", self.tags[sentence_start(self.tags, start) : end])[-1]
        rest = re.split("[,;]", self.tags[end : sentence_end(self.tags, end)])[0]
        return bool(
            pattern("PART").search(clause + rest) or pattern(_MORE).match(rest) or pattern("PLUS | WHERE").search(rest)
        )

    def _held_by_part(self, place: int) -> bool:
        """ "The top row has 3 panels", unless that row is asked about."""
        holder = pattern("THE PLACE ANYWORD{0,2} (?: HAVE | HOLDS )").match(self.tags, sentence_start(self.tags, place))
        text = self.reply.question.text if self.reply.question else ""
        return bool(holder and text and self.reply.words[holder.start() + 1] not in text)

    def counted_last(self, claims: list[Claim], last: list[Claim]) -> list[Claim]:
        """The claim of the last sentence, if the number that it gives is the last one, brackets aside, and if the same
        words do not give another number before."""
        if len({claim.answer for claim in last}) != 1:
            return []
        phrases = {self._words(claim) for claim in last}
        if any(self._words(claim) in phrases for claim in claims if claim.answer != last[-1].answer):
            return []
        first = claims[0]
        if pattern("ANYWORD{0,3} [:-]").match(self.tags, first.place[1]) and not self.tags[: first.place[0]].strip(
            ".,*"
        ):
            return [first]  # "8 panels: seven with shapes and an empty one"
        if any(claim.answer != last[-1].answer for claim in claims if claim.about == "what is asked"):
            return []
        others = self.of_others
        rest = re.sub(r"\([^()\n]*\)", lambda m: " " * len(m[0]), self.tags)
        later = (k for k in range(last[-1].place[1], len(rest)) if rest[k] == "L" and k not in others)
        return [] if any(later) else last

    def _words(self, claim: Claim) -> tuple[str, ...]:
        return tuple(
            word
            for k, word in enumerate(self.reply.words[claim.place[0] : claim.place[1]])
            if self.tags[claim.place[0] + k] != "L"
        )

    def only_number(self) -> Claim | None:
        """The one number in a reply of a single sentence, where nothing leaves it open."""
        text = re.sub(r"\([^()\n]*\)", lambda m: " " * len(m[0]), self.tags)
        places = [k for k, tag in enumerate(text) if tag == "L"]
        names = {self.reply.answer(k) for k in places}
        if self.form.kind != "number" or self.form.final == "boxed" or len(text) > 32 or len(names) != 1:
            return None
        if (
            pattern(r"\? | OPEN_NUMBER | WHERE | PREP THE PLACE").search(text)
            or pattern(r"[.!?\n] ANYWORD").search(text)
            or not pattern(grammar.TOLD).search(text)
        ):
            return None
        if pattern("^ ANYWORD KIND? HAVE").match(text) and self.reply.words[0].endswith("s"):
            return None
        if pattern("USUAL | ^ KIND (?! NOUN ) ANYWORD{1,2} HAVE").search(text) and not pattern("TURN").search(text):
            return None
        if (
            places[-1] in self.of_others
            or self._held_by_part(places[-1])
            or self._is_narrower(places[-1])
            or self._is_of_part(places[-1])
            or self._is_unsure(places[-1])
            or meant(self.tags, places[-1], places[-1] + 1)[1] != "given"
        ):
            return None
        return self.claim("only number", places[-1], places[-1] + 1, names.pop())
