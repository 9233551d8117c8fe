"""Labels judged as such, or pointed at: "caption B fits", "(A) no, (B) yes", "answer 1 is wrong"."""

import re
from collections.abc import Iterator

from snellen.answer import grammar
from snellen.answer.claims import Claims, left_open, meant, sentence_end, sentence_start
from snellen.answer.lexicon import pattern
from snellen.answer.tags import TaggedReply
from snellen.answer.tidy import Tidy
from snellen.answer.values import Claim

DIGITS = frozenset("123456789")


class JudgedClaims(Claims):
    def judged(self) -> Iterator[Claim]:
        """The one label that is said to fit, the side where the query is put, a verdict for each label."""
        if self.form.kind != "choice" or self.asked not in ("", "query", "wrong"):
            return
        yield from self._verdicts()
        yield from self._listed()
        yield from self._unlike_others()
        if self.asked == "wrong":
            return
        yield from self._sorted()
        fitting = [(m, *meant(self.tags, m.start(), m.end())) for m in self.found(grammar.FITTING)]
        real = [m for m, about, stance in fitting if about is None and stance in ("given", "concluded")]
        if real and self.tags[real[-1].end() : real[-1].end() + 1] != "?":
            last = real[-1]
            unsure = pattern("ALSO_FITS | BUT NOT").search(self.tags, max(0, last.start() - 4), last.end() + 5)
            agreed = len({self.label(m) for m in real}) == 1 and not left_open(self.reply, last.end(), self.label(last))
            yield self.claim("concluded", *last.span(), self.label(last) if agreed and not unsure else "")

    def _sorted(self) -> Iterator[Claim]:
        for match in self.found(grammar.SORTED) if self.form.labels == ("positive", "negative") else ():
            stance = meant(self.tags, match.start(), match.end())[1]
            if stance in ("given", "concluded") and not match.groupdict().get("deny"):
                yield self.claim("concluded", *match.span(), self.label(match))

    def _verdicts(self) -> Iterator[Claim]:
        """A verdict for every label, one unlike all others: the good one, or the bad one if that is asked."""
        text = (
            r"(?: ^ | (?<= [.,;:(|\n] ) | (?<= IF ) ) [-*|o]{0,3} NOUNS? (?P<label> L ) \)? FITS? [:.|=-]? "
            r"(?: (?P<good> GOOD_MARK | ✓ ) | (?P<bad> BAD_MARK | ✗ ) ) (?= [.,;:)|\n(-] | $ )"
        )
        matches = list(pattern(text).finditer(self.tags))
        names = [self.label(match) for match in matches]
        if set(self.form.labels) <= DIGITS and any(
            self.reply.words[m.start("good")] == "yes" for m in matches if m["good"]
        ):
            return  # numbered questions may have been answered with yes and no
        if len(self.form.labels) < 2 or sorted(names) != sorted(self.form.labels):
            return
        told = [match for match in matches if match["bad" if self.asked == "wrong" else "good"]]
        if len(matches) > 2 and pattern("UNALIGNED").search(self._question):  # whatever is ticked, the odd one
            bad = [match for match in matches if match["bad"]]
            told = min(bad, [match for match in matches if match["good"]], key=len)
        if len(told) == 1:
            yield self.claim("verdicts", matches[0].start(), matches[-1].end(), self.label(told[0]))

    def _listed(self) -> Iterator[Claim]:
        """ "1: wrong colour. 2: wrong shape. 3: fits. 4: too large": all are listed, all but one are bad."""
        text = r"(?: ^ | (?<= [.;,\n] ) ) ORNAMENT NOUNS? (?P<label> L ) (?: \) | : | - | \. ){1,2}"
        heads = list(pattern(text).finditer(self.tags))
        names = [self.label(head) for head in heads]
        if self.asked or len(names) < 3 or sorted(names) != sorted(self.form.labels):
            return
        ends = [*(head.start() for head in heads[1:]), sentence_end(self.tags, heads[-1].end())]
        verdicts = [self.tags[head.end() : end] for head, end in zip(heads, ends, strict=True)]
        bad = [bool(pattern("NOT | WRONG | NO | ✗ | BAD_MARK | ADDITION").search(words)) for words in verdicts]
        good = [bool(pattern("FITS | GOOD_MARK | ✓ | AGREE").search(words)) for words in verdicts]
        if sum(bad) == len(bad) - 1 and [not b for b in bad] == good:
            yield self.claim("verdicts", heads[0].start(), ends[-1], names[good.index(True)])

    def _unlike_others(self) -> Iterator[Claim]:
        """ "Answers 2 to 4 agree with the picture. Answer 1 does not." """
        matches = list(
            pattern(
                r"(?: (?<= [.,;!\n] ) | (?<= BUT ) ) LABEL AFTER (?: WOULD | IS ) (?P<deny> NOT )? (?= [.,;:!\n] | $ )"
            ).finditer(self.tags)
        )
        for match in matches[-1:]:
            stop = match.start()
            while stop and self.tags[stop - 1] in " .!\n;,":
                stop -= 1
            begin = sentence_start(self.tags, stop)
            others = {self.reply.answer(k) for k in range(begin, stop) if self.tags[k] == "L"} - {self.label(match)}
            denied = bool(pattern("NOT").search(self.tags, begin, stop))
            if "L" in self.tags[match.end() :]:
                return
            good = pattern("AGREE").search(self.tags, begin, stop)
            odd = self.asked == "wrong" or bool(pattern("UNALIGNED").search(self._question))
            if others and bool(match["deny"]) == odd != denied and (denied or good):
                yield self.claim("unlike the others", *match.span(), self.label(match))

    @property
    def _question(self) -> str:
        """The question as tags."""
        return TaggedReply.of(Tidy(self.reply.question.text[-400:]), self.form).tags if self.reply.question else ""

    def pointed(self) -> Iterator[Claim]:
        if self.form.kind != "choice" or self.asked not in ("move", "wrong"):
            return
        if self.asked == "move":
            moves = self.ending("stated answer", grammar.MOVES)
            yield from (claim for claim in moves if not self._is_of_opponent(claim))
            yield from self.ending("stated answer", grammar.MOVE_IS, follow=False)
        else:
            claims = [*self.ending("stated answer", grammar.WRONG_IS), *(self._called_wrong() or self._marked_wrong())]
            yield from claims or self.ending("stated answer", grammar.RIGHT_IS)
        last = list(pattern(r"ANSWER : [^\n]* ANYWORD* [^\n]*").finditer(self.tags))[-1:]
        if last and not re.search("[LK]", last[0][0]) and re.search(r"[^\W]", last[0][0][2:]):
            yield self.claim("stated answer", *last[0].span(), "")  # "Answer: z99" is an answer, but none of the labels

    def _is_of_opponent(self, claim: Claim) -> bool:
        """Whether a move is one of the side whose turn it is not."""
        asked = (
            re.search(r"turn of the side with the ([^.]*)", self.reply.question.text) if self.reply.question else None
        )
        start = claim.place[0] - len(self._lead(claim.place[0]))
        words = [self.reply.words[m.start()] for m in pattern("OPPONENT").finditer(self.tags, start, claim.place[1])]
        return not set(words) <= set(asked[1].split() if asked else ())

    def _called_wrong(self) -> list[Claim]:
        """ "Answer 1 is wrong": all such words must agree, unless the last draws a conclusion."""
        matches = [
            m for m in self.found(grammar.IS_WRONG) if meant(self.tags, m.start(), m.end())[1] in ("given", "concluded")
        ]
        if not matches:
            return []
        last = matches[-1]
        lead = self.tags[sentence_start(self.tags, last.start()) : last.start()]
        agreed = len({self.label(match) for match in matches}) == 1 or pattern(
            "(?: ^ | [,;:] | AND | BUT ) HENCE"
        ).search(lead)
        return [self.claim("stated answer", *last.span(), self.label(last) if agreed else "")]

    def _marked_wrong(self) -> list[Claim]:
        """A line for every label with a verdict: just one of them is bad."""
        lines = {}
        for match in pattern(
            r"(?: ^ | (?<= \n ) ) ORNAMENT THING? (?P<label> L ) (?P<words> [^\n]{0,40} ) (?= \n | $ )"
        ).finditer(self.tags):
            lines[self.label(match)] = match
        bad = [match for match in lines.values() if pattern("✗ | WRONG").search(match[0])]
        others = [match for match in lines.values() if match not in bad]
        if len(lines) != len(self.form.labels) or len(bad) != 1:
            return []
        ticked = all(pattern("✓ | TRUE").search(m[0]) and not pattern("NOT").search(m[0]) for m in others)
        if not ticked and any(m["words"].strip(".:)|") for m in others):
            return []
        return [self.claim("marked wrong", *bad[0].span(), self.label(bad[0]))]
