"""Sentences about two things that are compared: "The umbrella is below the boot", "There are fewer lamps than chairs."

`Form.about` has the two as the question has them, the one asked about first. A sentence that turns them about ("The
boot is above the umbrella") answers another question: what other rules find in it is no answer.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from snellen.answer.naming import ANY
from snellen.answer.rules import CONCLUDING, HENCE, SURELY, THERE, Reply
from snellen.answer.tidy import core
from snellen.answer.values import Candidate

_ASKED, _OTHER = "\ue000", "\ue001"
_LONGEST = 200
_NAME = rf"(?:(?:much|far|a lot|slightly|a bit|a little) )?(?P<name>{ANY})(?: side)?"
_IS = (
    r"(?:is|lies|stands|sits|hangs|seems|looks|appears|would be|must be)"
    r"(?: (?:to be|placed|located|drawn|shown|called|said to be))?"
)
_HERE = (
    r"(?:,? (?:as (?:it is|they are) drawn|as drawn|as seen from here|there|in (?:that|their|the other) world|"
    r"in (?:the|this) picture))?"
)
_LEAD = rf"(?:{HENCE}[,:]? )?(?:i (?:think|believe)(?: that)? )?{THERE}"
_SENTENCES = tuple(
    re.compile(rf"{_LEAD}{body}{_HERE}")
    for body in (
        rf"(?:(?:(?:the )?{_ASKED}|it|this|that) {_IS} )?{SURELY}(?:(?:to|on) the )?{_NAME}"
        rf"(?: of| (?:to|from) (?:us|the (?:viewer|camera)))?(?: than)?(?: (?:the )?{_OTHER}| it)?",
        rf"(?:there are |i see |they (?:see|count|have) )?{SURELY}{_NAME}(?: of the)? {_ASKED}"
        rf"(?: (?:there|here))?(?: than (?:there are )?(?:the )?{_OTHER})?",
        rf"(?:there are |i see )?{SURELY}{_NAME} than (?:there are )?(?:the )?{_OTHER}",
        rf"(?:the )?{_NAME} is (?:the )?{_ASKED}",
    )
)
_STATED = re.compile(r"(?:^|(?<=[\n ]))answer ?: ?(?P<said>[^\n]{1,200})$", re.MULTILINE)
_WORDS = re.compile(rf"(?P<a>{_ASKED})|(?P<b>{_OTHER})|(?P<t> than )|(?P<i>(?<=\A{ANY}) is )")
_IN_ORDER = re.compile(r"a{0,9}nt?b{0,9}|nia?")
_AMOUNT_IN_ORDER = re.compile(r"a{0,9}ni?a{0,9}(?:tb{0,9})?")
"""Orders of the thing asked about (a), the answer (n), than (t) and the other thing (b) that answer the question."""
_SUBJECT = re.compile(r"\b(?:it|they|this)\b")
_TOWARDS = re.compile(rf"{ANY} (?:for (?:the )?{_OTHER}|to (?!us\b|me\b|the (?:viewer|camera|front)\b))")
""" "Nearer to the sofa" says how far it is from there, not from us."""
_REASON = re.compile(r",? (?:because|since)\b|, (?:as|for)\b| ?\((?=\d)")
_BREAK = re.compile(r"[.!?](?=\s)|\n")


@lru_cache(maxsize=1024)
def _things(about: tuple[str, ...]) -> re.Pattern[str]:
    """Either thing, in a group of its own."""
    asked, other = (_spoken(thing, one) for thing, one in zip(about, reversed(about), strict=True))
    return re.compile(rf"(?<!\w)(?:(?P<asked>{asked})|(?P<other>{other}))(?!\w)")


def _spoken(thing: str, other: str) -> str:
    """How a thing is spoken of beside the other: whoever holds a guitar is also called by it alone, a red house beside
    a green one "the red one", and what is furthest to the left "leftmost"."""
    start, end = thing.lower().rsplit(" ", 1) if " " in thing else ("", thing.lower())
    if start == "furthest to the":
        return rf"(?:furthest|farthest|far)(?: to the)? {end}|{end}most"
    if start and other.lower().endswith(f" {end}"):
        return rf"{re.escape(start)} (?:{re.escape(end)}|one)"
    return rf"(?:person with (?:the |an? )?)?{re.escape(thing.lower().removeprefix('person with the '))}"


def _masked(text: str, about: tuple[str, ...]) -> str:
    """The two things as a character each."""
    return _things(about).sub(lambda match: _ASKED if match["asked"] else _OTHER, text)


def compared(reply: Reply) -> Iterator[Candidate]:
    """The whole reply, or its last line "Answer: ...", is a sentence that compares the two as they were asked about."""
    if not reply.form.about:
        return
    stated = list(_STATED.finditer(reply.text))[-1:]
    stretches = [(match.span("said"), "stated answer") for match in stated]
    for (start, end), how in stretches or [(core(reply.text), "whole reply")]:
        start, end = core(reply.text, start, end)
        said = _masked(reply.text[start:end], reply.form.about)
        if len(said) <= _LONGEST and (match := _first(said)):
            yield reply.candidate(how, start, end, match["name"])


def _first(said: str) -> re.Match[str] | None:
    return next((match for pattern in _SENTENCES if (match := pattern.fullmatch(said))), None)


def turned_about(reply: Reply, found: Candidate) -> bool:
    """Whether the sentence in which an answer was found has the two in an order that answers another question, or, if
    nothing but that sentence makes it an answer, is not about the one asked about."""
    if not reply.form.about:
        return False
    inside = [m for m in re.finditer(ANY, reply.text) if found.span[0] <= reply.raw(m)[0] < found.span[1]]
    named = [match for match in inside if reply.named.answer(match[0]) == found.answer]
    order = _AMOUNT_IN_ORDER if "more" in reply.form.labels else _IN_ORDER
    letters = [_order(reply, match) for match in named[-1:]]
    lacking = found.how == "last sentence" and not any("a" in said for said in letters)
    return lacking or not all(order.fullmatch(said) for said in letters)


def _order(reply: Reply, name: re.Match[str]) -> str:
    """A letter for each word that matters in the sentence, or the conclusion, that has the name."""
    text = reply.text
    before = _BREAK.split(text[max(0, name.start() - _LONGEST) : name.start()])[-1]
    after = _BREAK.split(text[name.end() : name.end() + _LONGEST])[0]
    lead, rest = (
        _masked(part, reply.form.about) for part in (CONCLUDING.split(before)[-1], name[0] + _REASON.split(after)[0])
    )
    towards = "b" if _TOWARDS.match(rest) else ""
    return _letters(_SUBJECT.sub(_ASKED, lead)).replace("t", "") + towards + "n" + _letters(rest)


def _letters(text: str) -> str:
    return "".join(match.lastgroup or "" for match in _WORDS.finditer(text))
