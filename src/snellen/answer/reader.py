"""The reader: what a reply answers, and whether that is right.

Rules that find a **final answer** are asked together, and the last final answer in the reply wins. Only if there is
none are the weaker rules tried. Where nothing is found, or the last word takes it back, the reply is unread.
"""

import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain

from snellen.answer.boxes import boxed, braces, contents, in_json
from snellen.answer.chart_rows import CHART_ROWS, read_rows
from snellen.answer.chart_words import drawn, everyday
from snellen.answer.compared import compared, turned_about
from snellen.answer.comparing import normal
from snellen.answer.conclusions import concluded, last_sentence
from snellen.answer.denials import WORDS_TOO, withdrawn
from snellen.answer.elsewhere import called_otherwise
from snellen.answer.emptiness import empty
from snellen.answer.fields import judged, read_fields, spelled
from snellen.answer.judging import judged_labels
from snellen.answer.naming import SURE, number
from snellen.answer.outcomes import only_number, outcome
from snellen.answer.plainly import plainly
from snellen.answer.pointing import pointed
from snellen.answer.rules import Reply, last_line, opening, stated, whole
from snellen.answer.tidy import TAIL, Tidy, core, spoken, undressed
from snellen.answer.tongues import in_english
from snellen.answer.values import Candidate, Reading, Reason, Verdict
from snellen.answer.verifiers import verified
from snellen.call import Finish
from snellen.item import Form, Question

READER = "9"
"""The reader's version, part of every result's fingerprint: raised whenever a reply might be read otherwise."""

FINAL = (whole, compared, in_json, boxed, braces, stated, concluded, judged_labels, pointed, last_line)
"""Rules that find final answers: the last one found anywhere in the reply wins."""
WHEN_CUT_SHORT = (whole, in_json, boxed, braces, stated, concluded, pointed)
"""Rules that may read a reply that broke off at the token limit: what they find must have been complete."""

_NAME = re.compile(SURE)
_HELD = ("boxed", "braces")
"""A promised container may overrule what was said right before it in words."""
_LEADING = re.compile(r"\b(?:the|my|so|and|final|correct)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_LATER = 50
_ENDINGS = (outcome, last_sentence, only_number)
_PLAINLY = ' \t\r\n.*`"'


def read(text: str, form: Form, finish: Finish = "stop") -> Reading:
    """What the reply says, or why it is unread."""
    if form.beyond:  # all are labels to the rules: "an E, not a C" is no C
        form = replace(form, labels=(*form.labels, *form.beyond))
    if finish == "stop" and (label := text.strip(_PLAINLY)) and (answer := _offered(label, form)):
        start = text.index(label)
        return Reading(answer, "", "whole reply", (start, start + len(label)))
    if finish == "refused":
        return Reading("", "refused", "", (0, 0))
    if form.check == CHART_ROWS:
        return _rows(text, finish)
    letters = in_english(text, spoken(text))
    rules = _OTHER_RULES.get(form.kind, _decide)
    found = rules(Reply.of(letters, form), finish)
    if found and found.answer and not _taken_back(text[found.span[1] :]):
        return Reading(found.answer, "", found.how, found.span)
    declined = _declines(letters.text)
    reason: Reason = "refused" if declined else "truncated" if finish == "length" else "unparsable"
    return Reading("", reason, "", (0, 0))


def _rows(text: str, finish: Finish) -> Reading:
    """The lines of a chart as far as they are read: one who stops halfway has answered."""
    answer = read_rows(text)
    if answer:
        return Reading(answer, "", "lines", (0, len(text)))
    reason: Reason = "refused" if _declines(text) else "truncated" if finish == "length" else "unparsable"
    return Reading("", reason, "", (0, 0))


def _offered(label: str, form: Form) -> str:
    """The label as the form spells it, if it is one; where any letter may be named, in either case ("e" is a word in
    some tongues), and stripes may be drawn."""
    if form.beyond and len(label) == 1:
        label = label.upper()
    label = drawn(label) or label
    return label if label in form.labels else ""


def mark(text: str, question: Question, finish: Finish = "stop") -> Verdict:
    """The reading held against the question's key."""
    reading = read(text, question.form, finish)
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


def _decide(reply: Reply, finish: Finish) -> Candidate | None:
    """The candidate that is the answer, if any; it may hold none if the reply's last word names none."""
    if finish == "stop" and (plain := next(chain(empty(reply), plainly(reply)), None)):
        return plain
    found = _carefully(reply, finish)
    if found and reply.form.beyond and found.answer in WORDS_TOO:
        return None  # more likely an article or a pronoun
    if found and everyday(reply.form) and withdrawn(reply, found):
        return None
    if found and found.answer and (turned_about(reply, found) or called_otherwise(reply, found)):
        return None
    return found


def _carefully(reply: Reply, finish: Finish) -> Candidate | None:
    cut = finish == "length"
    finals = [c for rule in (WHEN_CUT_SHORT if cut else FINAL) for c in rule(reply) if c.closed or not cut]
    if finals:
        return _last_of(finals, reply.letters)
    if cut or _UNDECIDED.search(reply.letters.text.lower()):
        return None
    return _weaker(reply)


def _last_of(finals: list[Candidate], letters: Tidy) -> Candidate:
    """The last final answer; an empty one if another stands right before it, with not a word between them."""
    last = max(finals, key=lambda candidate: candidate.span[1])
    for other in finals:
        between = letters.text[other.span[1] - letters.offset : last.span[0] - letters.offset]
        if (
            (last.how in _HELD) == (other.how in _HELD)
            and other.answer not in ("", last.answer)
            and other.span[1] <= last.span[0]
            and not _WORD.search(_LEADING.sub("", between))
        ):
            return Candidate("", last.how, last.span)
    return last


def _weaker(reply: Reply) -> Candidate | None:
    """What the reply opens with, unless it comes to something else; else what it comes to."""
    if _ASKS.search(reply.letters.text.lower()):
        return None
    first = next(opening(reply), None)
    end = next((c for rule in _ENDINGS for c in rule(reply)), None)
    if first and end and first.answer != end.answer:
        return end if _is_last(reply, end) else None
    return first or end


_ASKS = re.compile(
    r"\b(?:please|could you|can you|would you)(?: please)? "
    r"(?:re)?(?:share|provide|upload|attach|send|supply|clarify|paste)\b|"
    r"\b(?:i can|i'd be (?:happy|glad) to|happy to|glad to) (?:help|assist)\b"
)
"""Who asks for something, or offers help, has not answered yet."""


def _is_last(reply: Reply, candidate: Candidate) -> bool:
    """Whether nothing else is named after it."""
    later = (m for m in deque(_NAME.finditer(reply.text), maxlen=_LATER) if reply.raw(m)[0] >= candidate.span[1])
    return all(reply.named.answer(match[0]) == candidate.answer for match in later)


_LINE_ANSWER = re.compile(r"\b(?:answer|solution|result|conclusion)(?: is)?(?: ?:| is)[ \n](?P<text>[^\n]{1,400})")
_SHORT = 160
"""A free text of at most so many characters, on one line, is an answer as it stands."""


def _free_text(reply: Reply, finish: Finish) -> Candidate | None:
    """For free text: the last box, else what follows the last "answer:", else a short reply as a whole."""
    box = contents(reply.letters)
    if box:
        text = undressed(Tidy(reply.letters.text[box.inner : box.inner_end])).text.strip()
        return Candidate(text, "boxed", reply.letters.raw(box.start, box.end))
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
            return Candidate(tidy.text[start:end], how, tidy.raw(start, end))
    return None


def _parts(reply: Reply, finish: Finish) -> Candidate | None:
    """For answers of several fields: the last complete statement of them all. A single label or number may also be
    given in any of the ways in which such answers are."""
    form, cut = reply.form, finish == "length"
    found = read_fields(reply.letters, form, cut=cut)
    only = form.fields[0] if len(form.fields) == 1 else None
    if found or only is None or only.kind not in ("label", "number"):
        return found
    alike = Form("choice", only.labels, form.final) if only.kind == "label" else Form("number", (), form.final)
    alone = _decide(Reply.of(reply.letters, alike), finish)
    if alone is None or not alone.answer:
        return alone
    return Candidate(spelled({only.name: alone.answer}, form), alone.how, alone.span, alone.closed)


_OTHER_RULES: Mapping[str, Callable[[Reply, Finish], Candidate | None]] = {"text": _free_text, "fields": _parts}


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


_UNDECIDED = re.compile(
    r"\b(?:cannot|can't|can not|unable to|impossible to|not possible to) (?:be )?"
    r"(?:tell|determined?|decided?|concluded?|say|count(?:ed)?)\b|"
    r"\b(?:it|this|there|game|result|that)(?: is|'s| was| ends in) "
    r"an? (?:draw|tie)\b|\bno (?:winner|one wins)\b"
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|hmm+|hold on|on second thought|scratch that|correction|let me (?:re|double)[\w-]*|actually,? no|"
    r"i made (?:a mistake|an error)|that(?: is|'s) (?:wrong|not right|incorrect))\b"
)


def _taken_back(rest: str) -> bool:
    """Whether what follows an answer takes it back, or leaves all undecided."""
    words = rest[-TAIL:].lower().replace("’", "'")
    return bool(_TAKEN_BACK.search(words) or _UNDECIDED.search(words))
