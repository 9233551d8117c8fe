"""What a reply opens with, and what its last sentence comes to: weaker than what it calls its answer."""

import re

from snellen.answer import grammar
from snellen.answer.asking import asked, is_elsewhere
from snellen.answer.claims import STOPS, sentence_end
from snellen.answer.counting import CountedClaims
from snellen.answer.judging import DIGITS, JudgedClaims
from snellen.answer.lexicon import pattern
from snellen.answer.naming import everyday
from snellen.answer.restating import ON_THE, OURS
from snellen.answer.values import Claim

_BETWEEN = frozenset(("then", "now", "also", "first", "just", "still", "already", "is", "was", "has", "had", "have"))
_LINKS = frozenset(("so", "and", "but", "not", "which", "who", "as", "because"))
_VERB = re.compile(r"[a-z]+(?:s|ed|ing|d|t|ok)")


_MADE = re.compile(r"\b(?:last|latest|previous|earlier|opening|first) (?:move|stone)|\bwas\b")
"""A move that was made, where one to make is asked for."""


class ClaimFinder(JudgedClaims, CountedClaims):
    """Finds all claims of a reply."""

    def opening(self) -> Claim | None:
        """The reply opens with its answer, then explains: "X because ...", "O (the second player)", "X", new line."""
        text = (
            r"ORNAMENT (?: IT IS | THINK | SURELY | WHO | ME WOULD? CHOOSE ){0,3} LABEL AFTER (?: "
            r"(?P<because> ,? BECAUSE ) | \n | "
            r"(?P<aside> ,? ASIDE_BY (?! IS (?: w | OPEN ) ) ) | "
            r"(?P<sign> \( | (?P<dot> [.)] | ; (?! L [.!]? $ ) ) | - | , (?= ANYWORD ) ) )"
        )
        match = pattern(text).match(self.tags)
        if match is None or self.reply.letters.cut:
            return None
        at = match.start("label")
        name = self.reply.answer(at)
        if self.form.kind != "choice" or self.form.final == "boxed":
            told = match["because"] and self.reply.words[match.end() - 1] in ("because", "since")
            alone = {self.reply.answer(k) for k, tag in enumerate(self.tags) if tag in "LK"} == {name}
            return self.claim("opening words", at, at + 1, name) if told and alone else None
        starts = {
            self.reply.answer(m.start("label"))
            for m in pattern(r"(?: ^ | (?<= \n ) ) ORNAMENT NOUNS? (?P<label> L ) [.):\n-]").finditer(self.tags)
        }
        line = self.tags.find("\n", at)
        line = line if line >= 0 else len(self.tags)
        others = self._others(at + 1, line) - {name}
        if match["dot"] == ")" and "(" in match[0].lstrip(" ("):
            return None  # "Caption (A) says ..." opens a sentence, "(A) a dog" gives an answer
        if match["dot"] and not re.search(r"L[.):].", self.tags[at + 2 : line]):
            others = set()  # a sentence of its own; what follows may speak of the others
        if starts <= {name} and not (match["sign"] and others) and not self._is_subject(match):
            return self.claim("opening words", at, at + 1, name)
        return None

    def _others(self, start: int, end: int) -> set[str]:
        """The labels named there, but for those in brackets or denied."""
        hidden = [m.span() for m in re.finditer(r"\((?!L\))[^()\n]*\)", self.tags[start:end])]
        hidden += [m.span() for m in pattern("(?: NOT | DENY ) THE? NOUNS? L").finditer(self.tags[start:end])]
        places = (k for k in range(start, end) if self.tags[k] == "L")
        return {self.reply.answer(k) for k in places if not any(a <= k - start < b for a, b in hidden)}

    def _is_subject(self, match: re.Match[str]) -> bool:
        """Whether the name only begins a sentence that says what it does: "X, with the first move, played"."""
        if match["aside"] is None and not (match["sign"] or "").startswith(","):
            return False
        words = self.reply.words
        for k in range(match.start("label") + 2, sentence_end(self.tags, match.end()) - 1):
            rest = words[k + 1 : k + 3] if self.tags[k] == "," else []
            verbs = [word for word in rest if word not in _LINKS and _VERB.fullmatch(word)]
            if verbs and (verbs[0] == rest[0] or rest[0] in _BETWEEN):
                return True
        return False

    def last_sentence(self) -> Claim | None:
        """The only label that the last sentence names, if that draws a conclusion or is all that the reply says."""
        if not self.needs_no_role or self.form.final != "plain":
            return None
        end = len(self.tags.rstrip())
        start = max(self.tags.rfind(stop, 0, max(0, end - 1)) for stop in STOPS) + 1
        sentence = self.tags[start:end]
        if not sentence or end - start > 60:
            return None
        grouped = {start + m.start() for m in pattern("L PLURAL").finditer(sentence)}
        names = {self.reply.answer(k) for k in range(start, end) if self.tags[k] in "LK" and k not in grouped}
        drawn = pattern("(?: ^ | [,;:] ) (?: AND | BUT )? HENCE | >").search(sentence)
        alone = not any(tag in "LK" for tag in self.tags[:start]) and not pattern("DOUBTED | ≠ | ~ | !").search(
            sentence
        )
        alone = alone and self._is_predicated(sentence)
        claim = sentence[drawn.start() if drawn else 0 :]
        if not (alone or drawn) or self._is_open(claim, start, end):
            return None
        if set(self.form.labels) <= DIGITS:
            if not (
                self._is_predicated(sentence)
                or pattern(r"(?: NOUNS | ONLY ) \(? L | ^ HENCE [,:]? L | > L").search(sentence)
            ):
                return None
        elif pattern("NO L | ^ NO ANYWORD{1,4} IS L").search(sentence):
            return None
        return self._asserted(start, end, names, drawn=bool(drawn))

    def _asserted(self, start: int, end: int, names: set[str], *, drawn: bool) -> Claim | None:
        """The one label that a sentence does not deny."""
        sentence = self.tags[start:end]
        denial = (
            "(?<! TRUE ) (?: NOT | OTHER ) (?: THE | AN | FILLER | NOUNS ){0,4} (?: (?! IS ) ANYWORD )? \\(? "
            "(?P<label> [LK] )"
        )
        denied = {self.reply.answer(start + m.start("label")) for m in pattern(denial).finditer(sentence)}
        sure = {self.reply.answer(k) for k in range(start, end) if self.tags[k] == "L"}
        asserted = names - denied
        if len(asserted) == 1 and asserted <= sure and (drawn or len(names) == 1):
            return self.claim("last sentence", start, end, asserted.pop())
        return None

    def _is_predicated(self, sentence: str) -> bool:
        """Whether a single sentence asserts a label, not just mentions it."""
        return any(pattern(text).search(sentence) for text in grammar.PREDICATED)

    def _is_open(self, claim: str, start: int, end: int) -> bool:
        text = self.reply.text[self.reply.start_of(start) : self.reply.end_of(end - 1)]
        ours = OURS.search(text)
        return bool(
            "?" in claim
            or (self.asked == "move" and _MADE.search(text))
            or (pattern("UNALIGNED").search(self._question) and "in line" in text and "not " not in text)
            or pattern("OPEN | NOT CERTAIN | WOULD NOT").search(pattern("THEY WOULD").sub("", claim))
            or ours
            or self._is_a_place(text)
            or is_elsewhere(self.reply, start, end)
        )

    def _is_a_place(self, text: str) -> bool:
        """Whether a sentence says where something stands, and the question is which way it looks."""
        question = asked(self.reply.question.text, self.form) if self.reply.question else None
        on_page = everyday(self.form) and pattern("[LK] AFTER OF THE PAGE").search(self.tags)
        return bool(on_page or (question and question.which_way and ON_THE.search(text)))

    def is_last(self, claim: Claim) -> bool:
        """Whether nothing else is named after it."""
        return all(
            self.reply.answer(k) == claim.answer for k in range(claim.place[1], len(self.tags)) if self.tags[k] == "L"
        )
