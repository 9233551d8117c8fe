"""Whether an answer that was found is said of the right thing, and in the right words.

Some questions compare two things (`Form.about` has them, the one asked about first): "The umbrella is below the boot"
answers where the umbrella is, "The boot is above the umbrella" another question. And some ask what people of another
world would say: "Blue, which they call red" names what we call it first, and nobody can tell which was meant.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from snellen.answer.lexicon import either
from snellen.answer.naming import ANY
from snellen.answer.tags import TaggedReply
from snellen.answer.tidy import core
from snellen.answer.values import Claim

_HENCE, _SURELY = either("hence"), rf"(?:{either('surely')},? ){{0,3}}"
_CONCLUDING = re.compile(rf"(?:^|[,;:.\n]|\band|\bbut) ?{_HENCE}\b")
_THERE = (  # what people of another world say is the answer itself
    r"(?:in (?:that|their|the other) (?:world|words|language)[,:]? )?(?:(?:they|people there|its people|one of them|"
    r"(?:the )?people of that world)(?: would| will)? (?:say|answer|(?:call|name) (?:it|this|that))(?: that)?[,:]? )?"
)

# Two things that are compared

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
_LEAD = rf"(?:{_HENCE}[,:]? )?(?:i (?:think|believe)(?: that)? )?{_THERE}"
_SENTENCES = tuple(
    re.compile(rf"{_LEAD}{body}{_HERE}")
    for body in (
        rf"(?:(?:(?:the )?{_ASKED}|it|this|that) {_IS} )?{_SURELY}(?:(?:to|on) the )?{_NAME}"
        rf"(?: of| (?:to|from) (?:us|the (?:viewer|camera)))?(?: than)?(?: (?:the )?{_OTHER}| it)?",
        rf"(?:there are |i see |they (?:see|count|have) )?{_SURELY}{_NAME}(?: of the)? {_ASKED}"
        rf"(?: (?:there|here))?(?: than (?:there are )?(?:the )?{_OTHER})?",
        rf"(?:there are |i see )?{_SURELY}{_NAME} than (?:there are )?(?:the )?{_OTHER}",
        rf"(?:the )?{_NAME} is (?:the )?{_ASKED}",
    )
)
_STATED = re.compile(r"(?:^|(?<=[\n ]))answer ?: ?(?P<said>[^\n]{1,200})$", re.MULTILINE)
_WORDS = re.compile(rf"(?P<a>{_ASKED})|(?P<b>{_OTHER})|(?P<t> than )|(?P<i>(?<=\A{ANY}) is )")
_IN_ORDER = re.compile(r"a{0,9}nt?b{0,9}|nia?")
_AMOUNT_IN_ORDER = re.compile(r"a{0,9}ni?a{0,9}(?:tb{0,9})?")
"""Orders of the thing asked about (a), the answer (n), than (t) and the other thing (b) that answer the question."""
_SUBJECT = re.compile(r"\b(?:it|they|this)\b")
_THEY_CALL = re.compile(r"\b(?:they|people)(?: [a-z]+){0,3} (?:say|call|answer)\b")
_TOWARDS = re.compile(rf"{ANY} (?:for (?:the )?{_OTHER}|to (?!us\b|me\b|the (?:viewer|camera|front)\b))")
""" "Nearer to the sofa" says how far it is from there, not from us."""
_REASON = re.compile(r",? (?:because|since)\b|, (?:as|for)\b| ?\((?=\d)")
_BREAK = re.compile(r"[.!?](?=\s)|\n")


@lru_cache(maxsize=1024)
def _things(about: tuple[str, ...]) -> re.Pattern[str]:
    """Either thing, in a group of its own."""
    asked, other = (_spoken(thing, partner) for thing, partner in zip(about, reversed(about), strict=True))
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


def compared(reply: TaggedReply) -> Iterator[Claim]:
    """The whole reply, or its last line "Answer: ...", is a sentence that compares the two as they were asked about."""
    if not reply.form.about:
        return
    stated = list(_STATED.finditer(reply.text))[-1:]
    stretches = [(match.span("said"), "stated answer") for match in stated]
    for (start, end), how in stretches or [(core(reply.text), "whole reply")]:
        start, end = core(reply.text, start, end)
        masked = _masked(reply.text[start:end], reply.form.about)
        if len(masked) <= _LONGEST and (match := _first(masked)):
            yield Claim(reply.named.answer(match["name"]), how, reply.named.tidy.raw(start, end))


def _first(masked: str) -> re.Match[str] | None:
    return next((match for pattern in _SENTENCES if (match := pattern.fullmatch(masked))), None)


def turned_about(reply: TaggedReply, claim: Claim) -> bool:
    """Whether the sentence in which an answer was found has the two in an order that answers another question, or, if
    nothing but that sentence makes it an answer, is not about the one asked about."""
    if not reply.form.about:
        return False
    inside = [m for m in re.finditer(ANY, reply.text) if claim.span[0] <= _raw(reply, m)[0] < claim.span[1]]
    named = [match for match in inside if reply.named.answer(match[0]) == claim.answer]
    order = _AMOUNT_IN_ORDER if "more" in reply.form.labels else _IN_ORDER
    letters = [_order(reply, match) for match in named[-1:]]
    lacking = claim.how == "last sentence" and not any("a" in order_of_things for order_of_things in letters)
    return lacking or not all(order.fullmatch(order_of_things) for order_of_things in letters)


def _order(reply: TaggedReply, name: re.Match[str]) -> str:
    """A letter for each word that matters in the sentence, or the conclusion, that has the name."""
    text = reply.text
    before = _BREAK.split(text[max(0, name.start() - _LONGEST) : name.start()])[-1]
    after = _BREAK.split(text[name.end() : name.end() + _LONGEST])[0]
    drawn = _THEY_CALL.sub("", _CONCLUDING.split(before)[-1])
    lead, rest = (_masked(part, reply.form.about) for part in (drawn, name[0] + _REASON.split(after)[0]))
    joined = lead.rsplit(" and ", 1)[-1]
    lead = joined if _ASKED in joined or _OTHER in joined else lead
    towards = "b" if _TOWARDS.match(rest) else ""
    return _letters(_SUBJECT.sub(_ASKED, lead)).replace("t", "") + towards + "n" + _letters(rest)


def _letters(text: str) -> str:
    return "".join(match.lastgroup or "" for match in _WORDS.finditer(text))


def _raw(reply: TaggedReply, match: re.Match[str]) -> tuple[int, int]:
    """Where in the raw reply a match stands."""
    return reply.named.tidy.raw(*match.span())


# Words of another world

_WORD_OF_THEIRS = re.compile(
    r"\b(?:call(?:ed)?|known as|say|answer|name|describe|report(?:ed)?|told|translated|swap(?:ped|ping)?|becomes|"
    r"maps to|means|use|refer|word|there(?! (?:is|are)\b)|theirs?|them|world|rule|map|convention)\b"
)
_OURS = re.compile(rf"(?P<own>{ANY}),? \(?(?:for us|as we\b|(?:in|by) our\b)")
_WE = re.compile(rf"{ANY} (?:to|for) us\b|\b(?:we|i)\b[^,]*")
_MADE_OF = re.compile(
    rf"\W*{_THERE}(?P<answer>{ANY})(?: [a-z]+)?(?:[.:;,]| -)? (?:(?:because|since|as|for) )?"
    r"(?:(?:i|we)(?: can)? (?:see|count)|there are)\b"
)
""" "7. I count 3": a number and what it is made of."""
_CLAUSE = re.compile(r"[.!?;\n]|, (?=and )")


def called_otherwise(reply: TaggedReply, claim: Claim) -> bool:
    """Whether an answer is said to be ours, or what follows it names another one with a word such as "they call". No
    world has other words for what is a letter or digit: "B. They call a taxi" is about something else."""
    elsewhere = reply.question is None or " world" in reply.question.text
    if not elsewhere or any(len(label) == 1 for label in reply.form.labels):
        return False
    answer = reply.named.answer
    opens = _MADE_OF.match(reply.text) if claim.how == "stated outcome" else None
    if opens and answer(opens["answer"]) not in ("1", claim.answer):
        return True
    if any(answer(match["own"]) == claim.answer for match in _OURS.finditer(reply.text)):
        return True
    end = next((m.end() for m in re.finditer(ANY, reply.text) if _raw(reply, m)[1] >= claim.span[1]), len(reply.text))
    for clause in _CLAUSE.split(reply.text[end:]):
        theirs = re.findall(ANY, _WE.sub("", clause)) if _WORD_OF_THEIRS.search(clause) else []
        if theirs:
            return answer(theirs[-1]) != claim.answer
    return False
