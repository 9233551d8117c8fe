"""Claims: every place where a reply says something of a label or number that may be its answer.

A pattern of the grammar finds what is claimed; the words before it in the same sentence say how it is meant. A claim is
**considered** after words that suppose ("if", "maybe", "e.g."), **denied** after words that deny, and about **the kind in
general** after words such as "usually"; a conclusion ("so") or a turn ("but here") in between sets these aside.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from snellen.answer import grammar
from snellen.answer.grammar import compiled
from snellen.answer.lexicon import pattern
from snellen.answer.naming import without_idioms
from snellen.answer.restating import asked, is_plain_word, restated, stem
from snellen.answer.tags import Reply, tail
from snellen.answer.tidy import Tidy
from snellen.answer.values import About, Claim, Stance
from snellen.item import Form

_REACH = 40
"""So many words back a sentence may begin. Longer ones are judged by their end."""
_STOPS = ".!?\n"


@cache
def _re(text: str) -> re.Pattern[str]:
    return pattern(text)


def sentence_start(tags: str, place: int) -> int:
    return max(tags.rfind(stop, max(0, place - _REACH), place) for stop in _STOPS) + 1


def sentence_end(tags: str, place: int) -> int:
    return min((at for stop in _STOPS if (at := tags.find(stop, place)) >= 0), default=len(tags))


def meant(tags: str, start: int, end: int, *, beside: bool = True) -> tuple[About | None, Stance]:
    """How the words before a claim, in the same sentence, and those of the claim itself say it is meant."""
    begin = max(sentence_start(tags, start), start - _REACH)
    lead = tags[begin:start]
    concluding = list(_re("(?: ^ | [,;:] | AND | BUT ) HENCE").finditer(lead))
    reasoned = lead[concluding[-1].end() if concluding else 0 :]
    turns = list(_re("HERE ,?").finditer(reasoned))
    reasoned = reasoned[turns[-1].end() if turns else 0 :]
    reasoned = "" if _re("HERE | HENCE").match(tags, start) else reasoned
    clause = re.split("[,;:]", reasoned)[-1]
    if _re(r"[^.!?;,:\n]{0,10} (?<! AS ) WHEN (?! ME )").match(tags, end):
        return None, "considered"
    if _re("IF").search(reasoned + tags[start:end]):
        return None, "considered"
    if _re("USUAL").search(reasoned + tags[start:end]):
        return "the kind in general", "given"
    if _re("NOT").search(clause) or (beside and _re("OTHER PARTY? $").search(clause)):
        return None, "denied"
    return None, "concluded" if concluding or _re("HENCE | FINAL").match(tags, start) else "given"


_KIND = r"[,:\n]* KIND (?! NOUN | TOTAL | FIRST ) ANYWORD{0,2} HAVE"
""" "A dog has", "most dogs have": not this one."""


def lead_is_meant(words: str, form: Form) -> bool:
    """Whether words that lead to a container neither suppose nor deny what it holds, nor speak of what is usual."""
    tags = Reply.of(Tidy(words), form).tags
    if _re(_KIND).match(_re("TURN").split(tags)[-1]):
        return False
    return meant(tags, len(tags), len(tags), beside=False) in ((None, "given"), (None, "concluded"))


_FOLLOWS = r"(?: [;:!)\n|(,.-] | $ | (?<= \) ) (?! OR | AND ) | {on} )"
_CHOICE = _FOLLOWS.format(on="(?! BUT IT? MAY ) GOES_ON")
_NUMBER = _FOLLOWS.replace("-]", "]").format(on="(?! BUT IT? MAY ) NUMBER_ON")
_OTHERWISE = (
    r"\)? (?: ,? (?: OR | / | TO ) | (?P<list> ,? (?: AND | & | , ) ) ) (?: THE | AN | IF | NOUNS ){0,3} "
    r"\(? (?P<other> [LK] ) (?P<does> ANYWORD )?"
)


def left_open(reply: Reply, end: int, name: str) -> bool:
    """Whether another answer stands beside this one: "X or O", "Black (12), White (13)"."""
    tags = reply.tags
    match = _re(_OTHERWISE).match(tags, end)
    if match and reply.answer(match.start("other")) != name and not (match["list"] and match["does"]):
        return True
    sign = tags[end : end + 1]
    if sign not in ("(", ":", ",", "-"):
        return False
    line = tags.find("\n", end)
    for other in re.finditer(re.escape("L") + r"\)?" + re.escape(sign), tags[end : line if line >= 0 else len(tags)][:80]):
        if reply.answer(end + other.start()) != name:
            return True
    return False


class Finder:
    """Finds claims in one reply."""

    def __init__(self, reply: Reply) -> None:
        self.reply, self.tags, self.form = reply, reply.tags, reply.form
        self.units = reply.form.kind == "number" or _numeric(reply.form.labels)
        self.asked = reply.form.asked.lower()

    def claim(self, how: str, start: int, end: int, answer: str, about: About = "the answer", stance: Stance = "given") -> Claim:
        span = self.reply.span(start, end)
        return Claim(answer, how, span, bool(self.tags[end:].strip()), about, stance, (start, end))

    def found(self, patterns: tuple[str, ...]) -> Iterator[re.Match[str]]:
        for each in compiled(patterns, units=self.units):
            yield from tail(each.finditer(self.tags))

    def label(self, match: re.Match[str]) -> str:
        known = match.groupdict()
        return self.reply.answer(match.start("label" if known.get("label") else "weak"))

    def ending(self, how: str, patterns: tuple[str, ...], *, follow: bool = True, turned: bool = False) -> Iterator[Claim]:
        """Claims of patterns that end with the label, after which nothing may leave it open."""
        for match in self.found(patterns):
            answer, end = self.label(match), match.end()
            about, stance = (None, "given") if turned else meant(self.tags, match.start(), end)
            if left_open(self.reply, end, answer):
                answer = ""
            elif follow and not _re(_NUMBER if self.units else _CHOICE).match(self.tags, end):
                continue
            yield self.claim(how, match.start(), end, answer, about or "the answer", stance)

    # What is called the answer

    def whole(self) -> Iterator[Claim]:
        """The whole reply is the answer, but for a word or two such as "I think it is"."""
        start, end = _bare(self.tags)
        words = r"(?: THINK | SURELY | HENCE | IT IS | IT WOULDBE | IT LOOKS | LOOKS | WHO | PREP | AN | [,:] | ME AM NOT (?: FAIRLY | \# % )? CERTAIN ,? BUT | ME WOULD? CHOOSE )*?"
        they = r"(?: WORLD [,:]? )? (?: THEY WOULD? SAY WHO? [,:]? )?"
        text = rf"{they} {words} (?: THE | AN )? NOUNS{{0,2}} (?: WHO PLAYS THE? | NAMED THE? )? (?: NOUN \#? )? \({{0,2}} (?P<label> [LKZ] )"
        text += rf"(?: L ){{0,3}} AFTER UNIT (?: ,? (?: CLOSE | OF THE NOUN | ME WOULD? CHOOSE | LOOKS THE? (?: BETTER | TRUE ) ) )*"
        text = text.replace("| TRUE )", ")") if self.asked == "wrong" else text
        match = compiled((text,), units=self.units)[0].fullmatch(self.tags, start, end) if end - start <= 24 else None
        labels = {self.reply.answer(k) for k in range(start, end) if self.tags[k] in "LKZ"} if match else set()
        if match and len(labels) == 1:
            at = match.start("label")
            yield self.claim("whole reply", at, at + 1, self.reply.answer(at))

    def stated(self) -> Iterator[Claim]:
        """The answer is called so: "the answer is X", "I choose X", "therefore: X", "X is the answer"."""
        for claim in (*self.ending("stated answer", grammar.STATED), *self.ending("stated answer", grammar.CALLED, follow=False)):
            before = self.tags[max(0, claim.place[0] - 1) : claim.place[0]]
            if _re("FIRST").match(before) or (self.asked == "wrong" and _re("TRUE").match(before)):
                continue
            yield claim

    def concluded(self) -> Iterator[Claim]:
        """The ways to conclude that need no word such as "answer"."""
        yield from self.ending("corrected", grammar.CORRECTED, follow=False, turned=True)
        frames = grammar.CHOSEN + (grammar.NO_ROLE if self.needs_no_role else ())
        if {label.lower() for label in self.form.labels} == {"yes", "no"}:
            frames += grammar.YES_OR_NO
        yield from self.ending("concluded", frames, follow=False)

    @property
    def needs_no_role(self) -> bool:
        return self.form.kind == "choice" and self.asked in ("", "query", "move")

    def last_line(self) -> Iterator[Claim]:
        """The last line is nothing but the answer, and no other line is nothing but another."""
        lines = list(_re(r"(?: ^ | (?<= \n ) ) ORNAMENT NOUNS? \(? (?P<label> [LKZ] ) [)*.,!o|-]{0,9} (?= \n | $ )").finditer(self.tags))
        if not lines or self.tags[lines[-1].end() :].strip() or self.tags[lines[-1].start() :].lstrip()[:1] == "!":
            return
        if _re(r"(?: ^ | \n ) ORNAMENT (?: [LKZ] [-.,:;()*|>o_ ]{1,9} ){2,20} $").search(self.tags, 0, lines[-1].start()):
            return  # the last row of a board
        names = {self.reply.answer(line.start("label")) for line in lines}
        at = lines[-1].start("label")
        yield self.claim("last line", at, at + 1, self.reply.answer(at) if len(names) == 1 else "")



    # Labels judged as such

    def judged(self) -> Iterator[Claim]:
        """The one label that is said to fit, the side where the query is put, a verdict for each label."""
        if self.form.kind != "choice" or self.asked not in ("", "query", "wrong"):
            return
        yield from self._verdicts()
        yield from self._unlike_others()
        if self.asked == "wrong":
            return
        yield from self._sorted()
        fitting = [(m, *meant(self.tags, m.start(), m.end())) for m in self.found(grammar.FITTING)]
        real = [m for m, about, stance in fitting if about is None and stance in ("given", "concluded")]
        if real and self.tags[real[-1].end() : real[-1].end() + 1] != "?":
            last = real[-1]
            unsure = _re("ALSO_FITS | BUT NOT").search(self.tags, max(0, last.start() - 4), last.end() + 5)
            agreed = len({self.label(m) for m in real}) == 1 and not left_open(self.reply, last.end(), self.label(last))
            yield self.claim("concluded", *last.span(), self.label(last) if agreed and not unsure else "")
        yield from self._denied_one()

    def _sorted(self) -> Iterator[Claim]:
        for match in self.found(grammar.SORTED) if self.form.labels == ("positive", "negative") else ():
            if meant(self.tags, match.start(), match.end())[1] in ("given", "concluded"):
                denied = match.groupdict().get("deny")
                yield self.claim("concluded", *match.span(), self.other(self.label(match)) if denied else self.label(match))

    def _verdicts(self) -> Iterator[Claim]:
        """One verdict for every label, and one of them unlike all others: the good one, or the bad one if that is asked."""
        text = (
            r"(?: ^ | (?<= [.,;:(|\n] ) | (?<= IF ) ) [-*|o]{0,3} NOUNS? (?P<label> L ) \)? FITS? [:.|=-]? "
            r"(?: (?P<good> GOOD_MARK | ✓ ) | (?P<bad> BAD_MARK | ✗ ) ) (?= [.,;:)|\n(-] | $ )"
        )
        found = list(_re(text).finditer(self.tags))
        names = [self.label(match) for match in found]
        if set(self.form.labels) <= _DIGITS and any(self.reply.words[m.start("good")] == "yes" for m in found if m["good"]):
            if not any(self.tags[m.start()] in ",." for m in found):
                pass
            return  # numbered questions may have been answered with yes and no
        if len(self.form.labels) < 3 or sorted(names) != sorted(self.form.labels):
            return
        told = [match for match in found if match["bad" if self.asked == "wrong" else "good"]]
        if len(told) == 1:
            yield self.claim("verdicts", found[0].start(), found[-1].end(), self.label(told[0]))

    def _unlike_others(self) -> Iterator[Claim]:
        """ "Answers 2 to 4 agree with the picture. Answer 1 does not." """
        matches = list(_re(r"(?: (?<= [.,;!\n] ) | (?<= BUT ) ) LABEL AFTER (?: WOULD | IS ) (?P<deny> NOT )? (?= [.,;:!\n] | $ )").finditer(self.tags))
        for match in matches[-1:]:
            stop = match.start()
            while stop and self.tags[stop - 1] in " .!\n;,":
                stop -= 1
            begin = sentence_start(self.tags, stop)
            others = {self.reply.answer(k) for k in range(begin, stop) if self.tags[k] == "L"} - {self.label(match)}
            denied = bool(_re("NOT").search(self.tags, begin, stop))
            if "L" in self.tags[match.end() :]:
                return
            good = _re("AGREE").search(self.tags, begin, stop)
            if others and bool(match["deny"]) == (self.asked == "wrong") != denied and (denied or good):
                yield self.claim("concluded", *match.span(), self.label(match))

    def _denied_one(self) -> Iterator[Claim]:
        """ "Definitely not B, since ...": of two labels the other one, if the reply names no more than this."""
        match = _re(r"^ [.,:-]{0,3} (?: IT IS | SURELY ,? ){0,2} NOT DENIED (?= ,? BECAUSE )").match(self.tags)
        if match and len(self.form.labels) == 2:
            denied = self.reply.answer(match.start("denied"))
            if {self.reply.answer(k) for k, tag in enumerate(self.tags) if tag == "L"} == {denied}:
                yield self.claim("by elimination", *match.span(), self.other(denied))

    def other(self, label: str) -> str:
        """The other of two labels."""
        return next(other for other in self.form.labels if other != label)

    # Labels pointed at by what was asked for: a move, the one that is wrong

    def pointed(self) -> Iterator[Claim]:
        if self.form.kind != "choice" or self.asked not in ("move", "wrong"):
            return
        if self.asked == "move":
            yield from self.ending("stated answer", grammar.MOVES)
            yield from self.ending("stated answer", grammar.MOVE_IS, follow=False)
        else:
            found = [*self.ending("stated answer", grammar.WRONG_IS), *(self._called_wrong() or self._marked_wrong())]
            yield from found or self.ending("stated answer", grammar.RIGHT_IS)
        said = list(_re(r"ANSWER : [^\n]* ANYWORD* [^\n]*").finditer(self.tags))[-1:]
        if said and not re.search("[LK]", said[0][0]) and re.search(r"[^\W]", said[0][0][2:]):
            yield self.claim("stated answer", *said[0].span(), "")  # "Answer: z99" is an answer, but none of the labels

    def _called_wrong(self) -> list[Claim]:
        """ "Answer 1 is wrong": all such words must agree, unless the last draws a conclusion."""
        found = [
            m for m in self.found(grammar.IS_WRONG)
            if meant(self.tags, m.start(), m.end())[1] in ("given", "concluded") and self._of_its_own(m)
        ]
        if not found:
            return []
        last = found[-1]
        lead = self.tags[sentence_start(self.tags, last.start()) : last.start()]
        agreed = len({self.label(match) for match in found}) == 1 or _re("(?: ^ | [,;:] | AND | BUT ) HENCE").search(lead)
        return [self.claim("stated answer", *last.span(), self.label(last) if agreed else "")]

    def _of_its_own(self, match: re.Match[str]) -> bool:
        """Whether the name is the place asked about, not what was answered there: "question 2: the answer 3 is wrong"."""
        lead = self.tags[sentence_start(self.tags, match.start()) : match.start()]
        return not _re(r"THING L [^.!?\n]* $").search(_re("HENCE").split(lead)[-1])

    def _marked_wrong(self) -> list[Claim]:
        """A line for every label with a verdict: just one of them is bad."""
        lines = {}
        for match in _re(r"(?: ^ | (?<= \n ) ) ORNAMENT THING? (?P<label> L ) (?P<words> [^\n]{0,40} ) (?= \n | $ )").finditer(self.tags):
            lines[self.label(match)] = match
        bad = [match for match in lines.values() if _re("✗ | WRONG").search(match[0])]
        others = [match for match in lines.values() if match not in bad]
        if len(lines) != len(self.form.labels) or len(bad) != 1:
            return []
        ticked = all(_re("✓ | TRUE").search(m[0]) and not _re("NOT").search(m[0]) for m in others)
        if not ticked and any(m["words"].strip(".:)|") for m in others):
            return []
        return [self.claim("marked wrong", *bad[0].span(), self.label(bad[0]))]

    # What is said of the thing asked for

    @cached_property
    def outcomes(self) -> list[Claim]:
        """Claims about who has won, who is KAP, how many there are."""
        found = self._counts() if self.form.kind == "number" else self._roles()
        return sorted((*found, *self._restated()), key=lambda claim: claim.place)

    def _restated(self) -> Iterator[Claim]:
        for clause in restated(self.reply):
            about: About = "its opposite" if clause.opposite else "what is asked"
            stance: Stance = "concluded" if clause.concluded else "given"
            yield self.claim("restated question", clause.start, clause.end, clause.answer, about, stance)

    def _roles(self) -> Iterator[Claim]:
        for match in self.found(grammar.OUTCOMES):
            groups = match.groupdict()
            about, stance = meant(self.tags, match.start(), match.end())
            answer = self.label(match)
            if "ends" in groups:
                if left_open(self.reply, match.end(), answer):
                    answer = ""
                elif not _re(_CHOICE).match(self.tags, match.end()):
                    continue
            role = self._role(groups.get("role") or groups.get("noun") or "")
            yield self.claim("stated outcome", *match.span(), answer, about or role, stance)

    def _role(self, words: str) -> About:
        """Whether the words name what is asked for or its opposite. Where nothing is asked for by name, winning is."""
        if "T" in words or "U" in words:
            return "what is asked" if "T" in words else "its opposite"
        lost = bool(_re("LOSE | LOSER").search(words))
        if self.asked in ("", "winner", "move"):
            return "its opposite" if lost else "what is asked"
        return ("what is asked" if lost else "its opposite") if self.asked == "loser" else "something else"

    def _counts(self) -> Iterator[Claim]:
        found = {match.start("label"): match.span() for match in self.found(grammar.COUNTS)}
        found |= {k: (k, k + 1) for k in self._counted() if k not in found}
        for place, (start, end) in found.items():
            about, stance = meant(self.tags, start, end)
            if place in self.of_others:
                about = "something else"
            elif _re("(?: PLACE | NOUN | OPTION ) L $").search(self.tags[max(0, start - 4) : start]) or self._in_part(start, end):
                about = "a part"
            elif self._of_kind(start, end):
                about = "the kind in general"
            yield self.claim("stated outcome", start, end, self.reply.answer(place), about or "what is asked", stance)

    @cached_property
    def _units(self) -> frozenset[str]:
        question = asked(self.reply.question.text, self.form) if self.reply.question else None
        return question.counts if question else frozenset()

    def _after(self, place: int) -> list[str]:
        """The stems of up to three words right after a number."""
        words: list[str] = []
        for k in range(place + 1, min(place + 4, len(self.tags))):
            if not _re("(?! STOP | PREP | OF | IS | HAVE ) ANYWORD").match(self.tags[k]):
                break
            words.append(stem(self.reply.words[k]))
        return words

    def _counted(self) -> list[int]:
        """Where a number stands right before what the question counts."""
        places = (k for k, tag in enumerate(self.tags) if tag == "L") if self._units else ()
        return [
            k for k in places
            if self._units & set(self._after(k))
            and not _re(_MORE).match(self.tags, k + 1)
            and not _re("(?: THAN | OPEN_NUMBER ) (?: THE | AN )? $").search(self.tags[max(0, k - 3) : k])
        ]

    @cached_property
    def of_others(self) -> frozenset[int]:
        """Where a number is denied, said to be usual, or of something else than what the question counts."""
        dropped = frozenset(m.end() - 1 for m in _re("(?: DENY | USUAL ) (?: THE | AN | USUAL | ANYWORD ){0,2}? L").finditer(self.tags))
        places = [k for k, tag in enumerate(self.tags) if tag == "L"] if self._units else []
        after = {k: self._after(k) for k in places}
        return dropped | frozenset(k for k in places if after[k] and not self._units & set(after[k]) and not is_plain_word(after[k][-1]))

    def _of_kind(self, start: int, end: int) -> bool:
        """ "A typical dog has", "A dog has", "Cats have": not this one."""
        begin = sentence_start(self.tags, start)
        said = _re("TURN").split(self.tags[begin:end])[-1]
        whole = self.tags[begin:end].lstrip(",:\n ").startswith(said.lstrip(",:\n "))
        plural = whole and _re("SPOKEN KIND? HAVE").match(said) and self.reply.words[begin].endswith("s")
        return bool(_re(_KIND).match(said) or (plural and self.reply.words[begin] not in _THESE))

    def _in_part(self, start: int, end: int) -> bool:
        said = re.split("[,;]", self.tags[sentence_start(self.tags, start) : end])[-1]
        rest = re.split("[,;]", self.tags[end : sentence_end(self.tags, end)])[0]
        return bool(_re("PART").search(said + rest) or _re(_MORE).match(rest))

    def counted_last(self, claims: list[Claim], last: list[Claim]) -> list[Claim]:
        """The claim of the last sentence, if the number that it gives is the last one, brackets aside, and if the same
        words do not give another number before."""
        if len({claim.answer for claim in last}) != 1:
            return []
        said = {self._words(claim) for claim in last}
        if any(self._words(claim) in said for claim in claims if claim.answer != last[-1].answer):
            return []
        others = self.of_others
        rest = re.sub(r"\([^()\n]*\)", lambda m: " " * len(m[0]), self.tags)
        later = (k for k in range(last[-1].place[1], len(rest)) if rest[k] == "L" and k not in others)
        return [] if any(later) else last

    def _words(self, claim: Claim) -> tuple[str, ...]:
        return tuple(word for k, word in enumerate(self.reply.words[claim.place[0] : claim.place[1]]) if self.tags[claim.place[0] + k] != "L")

    # What the reply opens with, and what it comes to

    def opening(self) -> Claim | None:
        """The reply opens with its answer and then explains: "X because ...", "O (the second player)", "X", new line."""
        text = (
            r"ORNAMENT (?: IT IS | THINK | SURELY | WHO | ME WOULD? CHOOSE ){0,3} LABEL AFTER (?: ,? BECAUSE | \n | "
            r"(?P<aside> ,? ASIDE_BY (?! IS (?: w | OPEN ) ) ) | (?P<sign> \( | (?P<dot> [.)] ) | - | , (?= ANYWORD ) ) )"
        )
        match = _re(text).match(self.tags)
        if match is None or self.reply.letters.cut or self.form.kind != "choice" or self.form.final != "plain":
            return None
        at = match.start("label")
        name = self.reply.answer(at)
        starts = {self.reply.answer(m.start("label")) for m in _re(r"(?: ^ | (?<= \n ) ) ORNAMENT NOUNS? (?P<label> L ) [.):\n-]").finditer(self.tags)}
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
        hidden += [m.span() for m in _re("(?: NOT | DENY ) THE? NOUNS? L").finditer(self.tags[start:end])]
        places = (k for k in range(start, end) if self.tags[k] == "L")
        return {self.reply.answer(k) for k in places if not any(a <= k - start < b for a, b in hidden)}

    def _is_subject(self, match: re.Match[str]) -> bool:
        """Whether the name only begins a sentence that goes on to say what it does: "X, with the first move, played"."""
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
        start = max(self.tags.rfind(stop, 0, max(0, end - 1)) for stop in _STOPS) + 1
        sentence = self.tags[start:end]
        if not sentence or end - start > 60:
            return None
        grouped = {start + m.start() for m in _re("L PLURAL").finditer(sentence)}
        names = {self.reply.answer(k) for k in range(start, end) if self.tags[k] in "LK" and k not in grouped}
        drawn = _re("(?: ^ | [,;:] ) (?: AND | BUT )? HENCE | >").search(sentence)
        alone = not any(tag in "LK" for tag in self.tags[:start]) and not _re("DOUBTED | ≠ | ~ | !").search(sentence)
        alone = alone and not self._mentions_others(names) and self._is_predicated(sentence)
        claim = sentence[drawn.start() if drawn else 0 :]
        if not (alone or drawn) or self._is_open(claim, start, end):
            return None
        if set(self.form.labels) <= _DIGITS:
            if not (self._is_predicated(sentence) or _re(r"(?: NOUNS | ONLY ) \(? L | ^ HENCE [,:]? L | > L").search(sentence)):
                return None
        elif _re("NO L | ^ NO ANYWORD{1,4} IS L").search(sentence):
            return None
        return self._asserted(start, end, names, drawn=bool(drawn))

    def _asserted(self, start: int, end: int, names: set[str], *, drawn: bool) -> Claim | None:
        """The one label that a sentence does not deny; of two, where one is denied as a conclusion, the other."""
        sentence = self.tags[start:end]
        denial = "(?<! TRUE ) (?: NOT | OTHER ) (?: THE | AN | FILLER | NOUNS ){0,4} (?: ANYWORD )? \\(? (?P<label> [LK] )"
        denied = {self.reply.answer(start + m.start("label")) for m in _re(denial).finditer(sentence)}
        sure = {self.reply.answer(k) for k in range(start, end) if self.tags[k] == "L"}
        asserted = names - denied
        if len(asserted) == 1 and asserted <= sure and (drawn or len(names) == 1):
            return self.claim("last sentence", start, end, asserted.pop())
        refused = _re(r"NOT (?: THE | AN | FILLER | NOUNS ){0,4} (?: ANYWORD )? \(? L").search(sentence)
        if not asserted and len(names) == 1 and len(self.form.labels) == 2 and drawn and refused:
            return self.claim("by elimination", start, end, self.other(names.pop()))
        return None

    def _is_predicated(self, sentence: str) -> bool:
        """Whether a single sentence asserts a label, not just mentions it."""
        return any(_re(text).search(sentence) for text in grammar.PREDICATED)

    def _is_open(self, claim: str, start: int, end: int) -> bool:
        text = self.reply.text[self.reply.start_of(start) : self.reply.end_of(end - 1)]
        ours = _OURS.search(text)
        return bool("?" in claim or _re("OPEN | NOT CERTAIN | WOULD NOT").search(_re("THEY WOULD").sub("", claim)) or ours)

    def _mentions_others(self, names: set[str]) -> bool:
        """Whether another label stands there in any way, be it one that might be an article."""
        words = set(re.findall(r"\w+", without_idioms(self.reply.letters.text, self.form)))
        return any(label in words for label in self.form.labels if label not in names)

    def only_number(self) -> Claim | None:
        """The one number in a reply of a single sentence, where nothing leaves it open."""
        text = re.sub(r"\([^()\n]*\)", lambda m: " " * len(m[0]), self.tags)
        places = [k for k, tag in enumerate(text) if tag == "L"]
        names = {self.reply.answer(k) for k in places}
        if self.form.kind != "number" or self.form.final == "boxed" or len(text) > 32 or len(names) != 1:
            return None
        if _re(r"\? | OPEN_NUMBER | PREP THE PLACE").search(text) or _re(r"[.!?\n] ANYWORD").search(text) or not _re(grammar.TOLD).search(text):
            return None
        if _re("^ ANYWORD KIND? HAVE").match(text) and self.reply.words[0].endswith("s"):
            return None
        if _re("USUAL | ^ KIND (?! NOUN ) ANYWORD{1,2} HAVE").search(text) and not _re("TURN").search(text):
            return None
        if places[-1] in self.of_others or meant(self.tags, places[-1], places[-1] + 1)[1] != "given":
            return None
        return self.claim("only number", places[-1], places[-1] + 1, names.pop())

    def is_last(self, claim: Claim) -> bool:
        """Whether nothing else is named after it."""
        return all(self.reply.answer(k) == claim.answer for k in range(claim.place[1], len(self.tags)) if self.tags[k] == "L")


_MORE = r"ANYWORD{0,2} (?: ADDITION | [+*×] | PART )"
_THESE = frozenset("these those its his this yes".split())
_BETWEEN = frozenset("then now also first just still already is was has had have".split())
_LINKS = frozenset("so and but not which who as because".split())
_VERB = re.compile(r"[a-z]+(?:s|ed|ing|d|t|ok)")
_OURS = re.compile(
    r"\bour (?:own |usual )?(?:world|words|language|terms)\b|(?:^|[,;:] ?)(?:to|for) us\b|\b(?:to|for) us ?[.,!]|"
    r"\bwe(?: would)? (?:do |just |actually )?(?:call|say|name)\b|\bother person\b"
)
"""What we would say was not asked for."""
_DIGITS = frozenset("123456789")


def _numeric(labels: Iterable[str]) -> bool:
    return bool(labels) and all(label.isalpha() and label.islower() for label in labels) and False


def _bare(tags: str) -> tuple[int, int]:
    """The tags without ornament at either end."""
    start, end = 0, len(tags)
    while start < end and tags[start] in ".,:;-*|()\n>o":
        start += 1
    while end > start and tags[end - 1] in ".,:;-*|!()\no":
        end -= 1
    return start, end

