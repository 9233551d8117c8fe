"""The reader: what a reply answers, and whether that is right."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from snellen.answer.asking import asked, related
from snellen.answer.boxes import boxed, braces, contents, in_json
from snellen.answer.chart_rows import CHART_ROWS, read_rows
from snellen.answer.charts import WORDS_TOO, drawn, empty, plainly, speaks_of_another, withdrawn
from snellen.answer.comparing import normal
from snellen.answer.endings import ClaimFinder
from snellen.answer.fields import judged, read_fields, spelled
from snellen.answer.lexicon import pattern
from snellen.answer.naming import everyday, number
from snellen.answer.ranking import contradicted, last_of, outcome, undecided, weaker
from snellen.answer.tags import TaggedReply
from snellen.answer.tidy import TAIL, Tidy, core, spoken, undressed
from snellen.answer.tongues import in_english
from snellen.answer.values import Claim, Reading, Reason, Verdict
from snellen.answer.verifiers import verified
from snellen.answer.vetoes import vetoed
from snellen.answer.worlds import called_otherwise, compared, turned_about
from snellen.call import Finish
from snellen.item import Form, Question

READER = "11"
"""The reader's version, part of every result's fingerprint: raised whenever a reply might be read otherwise."""
_PLAINLY = ' \t\r\n.*`"'
_SHORT = 200
"""Readings of replies of at most this many characters are remembered."""


def read(text: str, form: Form, finish: Finish = "stop", question: Question | None = None) -> Reading:
    """What the reply says, or why it is unread."""
    if len(text) > _SHORT:
        return _read(text, form, finish, question)
    return _read_short(text, _FormKey(form), finish, None if question is None else question.text)


class _FormKey:
    """A form as a key of a cache: whoever makes one may give lists, which cannot be hashed."""

    def __init__(self, form: Form) -> None:
        self.form, self.words = form, repr(form)

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _FormKey) and self.words == other.words


@lru_cache(maxsize=2048)
def _read_short(text: str, shape: _FormKey, finish: Finish, question: str | None) -> Reading:
    """Short replies repeat: "X" to the same question about another picture is read once."""
    return _read(text, shape.form, finish, None if question is None else Question(question, shape.form, ""))


def _read(text: str, form: Form, finish: Finish, question: Question | None) -> Reading:
    form = with_beyond(form, question)
    if finish == "stop" and (label := text.strip(_PLAINLY)) and (answer := _offered(label, form)):
        start = text.index(label)
        return Reading(answer, "", "whole reply", (start, start + len(label)))
    if finish == "refused":
        return Reading("", "refused", "", (0, 0))
    turn = _NEXT_TURN.search(text)
    if turn and turn["who"].lower() not in {label.lower() for label in form.labels}:
        reading = read(text[: turn.start()], form, "stop", question)
        if reading.answer:
            return reading
    if form.check == CHART_ROWS:
        return _rows(text, finish)
    reply = prepared(text, form, question)
    letters = reply.letters
    rules = _OTHER_RULES.get(form.kind, _decide)
    claim = rules(reply, finish)
    if claim and claim.answer and not _taken_back(text[claim.span[1] :]):
        return Reading(claim.answer, "", claim.how, claim.span)
    declined = _declines(letters.text)
    reason: Reason = "refused" if declined else "truncated" if finish == "length" else "unparsable"
    return Reading("", reason, "", (0, 0))


_NEXT_TURN = re.compile(r"(?<=\w)\W*\n\W*(?P<who>question|q|user|human)\W{0,3}:", re.IGNORECASE)
"""Where a reply goes on to a question of its own: its answer stands before."""


def _rows(text: str, finish: Finish) -> Reading:
    """The lines of a chart as far as they are read: one who stops halfway has answered."""
    answer = read_rows(text)
    if answer:
        return Reading(answer, "", "lines", (0, len(text)))
    reason: Reason = "refused" if _declines(text) else "truncated" if finish == "length" else "unparsable"
    return Reading("", reason, "", (0, 0))


def with_beyond(form: Form, question: Question | None = None) -> Form:
    """The form as the rules need it. All that may be named are labels: "an E, not a C" is no C. And of two things that
    the question relates, the form says which one it asks about."""
    if question and form.kind == "choice" and not form.about and (about := related(question.text, form.labels)):
        form = replace(form, about=about)
    return replace(form, labels=(*form.labels, *form.beyond), beyond=form.beyond) if form.beyond else form


def prepared(text: str, form: Form, question: Question | None = None) -> TaggedReply:
    """The reply as the grammar sees it."""
    kept = frozenset(word for label in form.labels for word in label.lower().split())
    wanted = asked(question.text, form) if question and form.asked == "" else None
    loose = wanted is not None and not wanted.turns and not wanted.denies and form.kind in ("choice", "number")
    tidied = _without_echo(spoken(text), question.text) if question else spoken(text)
    return TaggedReply.of(in_english(text, tidied, kept if loose else None), form, question)


_ECHO = re.compile(r"\A\W{0,9}(?P<asked>\w[^?\n]{10,300})\?[\"'*]*\s+(?=\S)")


def _without_echo(tidied: Tidy, question: str) -> Tidy:
    """The reply without the question, if it begins with it word by word."""
    echo = _ECHO.match(tidied.text)
    if echo is None or " ".join(echo["asked"].lower().split()) not in " ".join(question.lower().split()):
        return tidied
    return tidied.rewritten(_ECHO, lambda match: "")


def _offered(label: str, form: Form) -> str:
    if form.beyond and len(label) == 1:
        label = label.upper()
    label = drawn(label) or label
    return label if label in form.labels else ""


def mark(text: str, question: Question, finish: Finish = "stop") -> Verdict:
    """The reading held against the question's key."""
    reading = read(text, question.form, finish, question)
    if reading.reason:
        return Verdict("unread", reading, "")
    if question.form.check or question.form.kind == "fields":
        decide = verified if question.form.check else judged
        right, mechanism = decide(reading.answer, question)
        if right is None:
            return Verdict("unread", Reading("", "unparsable", "", (0, 0)), "")
        return Verdict("right" if right else "wrong", reading, mechanism)
    answer = _comparable(reading.answer, question.form)
    if answer in (_comparable(right, question.form) for right in (question.key, *question.also)):
        return Verdict("right", reading, "")
    betrayed = (m for wrong, m in question.mechanisms.items() if _comparable(wrong, question.form) == answer)
    return Verdict("wrong", reading, next(betrayed, ""))


def _decide(reply: TaggedReply, finish: Finish) -> Claim | None:
    """The claim that is the answer, if any; it may hold none if the reply's last word names none."""
    cut = finish == "length"
    if not cut and (plain := next(chain(empty(reply), plainly(reply)), None)) and not speaks_of_another(reply):
        return plain
    finder = ClaimFinder(reply)
    claim = _best(finder, cut=cut) or (_before_the_cut(reply) if cut else None)
    if claim and claim.how not in ("whole reply", "stated answer") and speaks_of_another(reply):
        return None
    if claim and claim.answer and contradicted(finder, claim):
        return replace(claim, answer="")
    if claim and reply.form.beyond and claim.answer in WORDS_TOO:
        return None  # more likely an article or a pronoun
    if (
        claim
        and everyday(reply.form)
        and claim.how not in ("unlike the others", "heading")
        and withdrawn(reply, claim, full=finder.in_full(claim))
    ):
        return None
    otherwise = (turned_about, called_otherwise, vetoed)
    return None if claim and claim.answer and any(rule(reply, claim) for rule in otherwise) else claim


def _best(finder: ClaimFinder, *, cut: bool) -> Claim | None:
    reply = finder.reply
    counting = [c for c in finals(finder, cut=cut) if c.counts and (c.closed or not cut)]
    if counting:
        return last_of(counting, reply.letters)
    if cut or undecided(reply.letters.text):
        return None
    return weaker(finder)


_OPENS = re.compile(r"(?P<line>[^\n]*[^\n:])\n+(?=.{20})|(?P<word>\W*\w+\W{0,3}[.]) (?=.{20})", re.DOTALL)


_ANSWER_FIRST = re.compile(r"\b(?:nothing else|alone|only)\b")
"""Questions that want the answer without a way to it."""


def _before_the_cut(reply: TaggedReply) -> Claim | None:
    """The answer that stands alone in the first line of a reply cut short, or in a first sentence of one word; nothing
    in the explanation after it may say another. A first label may as well open a list of all labels."""
    letters, form = reply.letters, reply.form
    opens = None if form.final == "boxed" or letters.cut else _OPENS.match(letters.text)
    if opens is None or not (reply.question and _ANSWER_FIRST.search(reply.question.text)):
        return None
    first = TaggedReply.of(replace(letters, text=letters.text[: opens.end()]), form, reply.question)
    finder = ClaimFinder(first)
    claim = next(finder.whole(), None) or (outcome(finder) if opens["line"] else None)
    if claim is None or pattern("NOUNS L").search(first.tags):
        return None
    if opens["word"] and claim.answer in form.labels[:1]:
        return None
    rest = _best(ClaimFinder(reply), cut=False)
    return claim if rest is None or rest.answer == claim.answer else None


def finals(finder: ClaimFinder, *, cut: bool) -> list[Claim]:
    reply = finder.reply
    claims = [
        *finder.whole(),
        *compared(reply),
        *in_json(reply),
        *boxed(reply),
        *braces(reply),
        *finder.stated(),
        *finder.concluded(),
        *finder.pointed(),
    ]
    if not cut:
        claims += [*finder.judged(), *finder.last_line()]
    return claims


_LINE_ANSWER = re.compile(r"\b(?:answer|solution|result|conclusion)(?: is)?(?: ?:| is)[ \n](?P<text>[^\n]{1,400})")
_SHORT = 160
"""A free text of at most so many characters, on one line, is an answer as it stands."""


def _free_text(reply: TaggedReply, finish: Finish) -> Claim | None:
    """For free text: the last box, else what follows the last "answer:", else a short reply as a whole."""
    box = contents(reply.letters)
    if box:
        text = undressed(Tidy(reply.letters.text[box.inner : box.inner_end])).text.strip()
        return Claim(text, "boxed", reply.letters.raw(box.start, box.end))
    if finish == "length" or _declines(reply.letters.text):
        return None
    tidy = undressed(reply.letters)
    stretches = [m.span("text") for m in _LINE_ANSWER.finditer(tidy.text.lower())][-1:]
    how = "stated answer" if stretches else "whole reply"
    if not stretches and "\n" not in tidy.text.strip() and len(tidy.text) <= _SHORT:
        stretches = [(0, len(tidy.text))]
    for start, end in stretches:
        start, end = core(tidy.text, start, end)
        if start < end:
            return Claim(tidy.text[start:end], how, tidy.raw(start, end))
    return None


def _parts(reply: TaggedReply, finish: Finish) -> Claim | None:
    """For answers of several fields: the last complete statement of them all. A single label or number may also be
    given in any of the ways in which such answers are."""
    form, cut = reply.form, finish == "length"
    claim = read_fields(reply.letters, form, cut=cut)
    only = form.fields[0] if len(form.fields) == 1 else None
    if claim or only is None or only.kind not in ("label", "number"):
        return claim
    alike = Form("choice", only.labels, form.final) if only.kind == "label" else Form("number", (), form.final)
    alone = _decide(TaggedReply.of(reply.letters, alike), finish)
    if alone is None or not alone.answer:
        return alone
    return replace(alone, answer=spelled({only.name: alone.answer}, form))


_OTHER_RULES: Mapping[str, Callable[[TaggedReply, Finish], Claim | None]] = {"text": _free_text, "fields": _parts}


def _comparable(answer: str, form: Form) -> str:
    if form.kind == "text":
        return normal(answer)
    if form.kind == "number" and _WHOLE_NUMBER.fullmatch(answer):
        return number(answer)
    return answer


_WHOLE_NUMBER = re.compile(r"[+-]?\d{1,40}")
_DECLINES = re.compile(
    r"^\W{0,9}(?:i'm |i am )?(?:very |so |really )?(?:sorry|afraid)\b|"
    r"\b(?:i|we) (?:cannot|can't|can not|won't|will not|could not|couldn't|don't know|do not know|"
    r"am (?:unable|not able|not sure)|don't (?:see|have)|do not (?:see|have))\b|"
    r"\bi'm (?:unable|not able|not sure)\b|\bas an ai\b|\b(?:cannot|can't) (?:be determined|tell|determine|say)\b|"
    r"\b(?:unable|impossible|not possible) to (?:tell|determine|say|answer)\b|\b(?:no|any|an) image (?:was |is |has )?"
    r"(?:provided|attached|given|visible)\b"
)
"""Words of one who will not or cannot answer. They only explain an unread reply, never overrule an answer."""


def _declines(text: str) -> bool:
    """Whether a reply begins or ends with such words; in the midst of reasoning they mean less."""
    return bool(_DECLINES.search(text[:300].lower()) or _DECLINES.search(text[-300:].lower()))


_TAKEN_BACK = re.compile(
    r"\b(?:wait|hmm+|hold on|on second thought|scratch that|correction|let me (?:re|double)[\w-]*|actually,? no|"
    r"i made (?:a mistake|an error)|that(?: is|'s) (?:wrong|not right|incorrect))\b"
)


def _taken_back(rest: str) -> bool:
    """Whether what follows an answer takes it back, or leaves all undecided."""
    words = rest[-TAIL:].lower().replace("’", "'")
    return bool(_TAKEN_BACK.search(words) or undecided(words))
