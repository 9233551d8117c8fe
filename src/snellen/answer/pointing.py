"""Answers that point at one label by what was asked for: "the winning cell is e2", "answer 1 is wrong".

`Form.asked` says which: "move" for the place to play, "wrong" for the one that is wrong. Elsewhere such words are
part of the reasoning and mean nothing.
"""

import re
from collections.abc import Iterator
from itertools import chain

from snellen.answer.naming import SURE
from snellen.answer.rules import AFTER, ASIDE, CONCLUDING, ENDS, HENCE, OF, SURELY, Reply, earnest, left_open
from snellen.answer.values import Candidate

_IS = r"(?: (?:is|was|must be|has to be|will be|should be|would be)(?: ?:)? | ?(?::|=>?|->) ?| - )"
_NO_QUESTION = r"(?! ?\?)"

# A move

_CELL = r"(?:move|cell|square|point|place|spot|intersection|position|field|coordinate)"
_GOOD = r"(?:winning|best|right|correct|only|decisive|key|strongest|final|my|next)"
_PLAY = r"(?:play(?:ing)?|plac(?:e|ing)|mov(?:e|ing)|put(?:ting)?|go(?:ing)?)(?: (?:a|the|my|one)(?: [a-z]+){1,2}?)?"
_AT = rf"(?:to )?(?:{_PLAY} )?(?:(?:at|on|in|to|into) )?(?:the )?(?:{_CELL} )?[(\[]?(?P<name>{SURE}){AFTER}"
_MOVE_IS = (
    re.compile(
        rf"(?:{_GOOD} ){{1,3}}{_CELL}(?! for (?:the |its )?(?:opponent|other)){OF}{_IS}{SURELY}{_AT}{_NO_QUESTION}"
    ),
    re.compile(rf"answer{_IS}{SURELY}{_AT}{_NO_QUESTION}"),
    re.compile(rf"{HENCE}[,:]? (?:i|we|you|one)(?:'ll| will| would|'d| must| should| can)? {_AT}{_NO_QUESTION}{ENDS}"),
    re.compile(rf"(?:i|we|you|one)(?:'ll|'d| would| will| must| should) {_AT}{_NO_QUESTION}{ENDS}"),
)
_PLAYED = (
    re.compile(
        rf"(?:^|(?<=[.!] )|(?<=\n))(?:so |then )?{_PLAY} (?:(?:at|on|in|to) )?(?:the )?"
        rf"[(\[]?(?P<name>{SURE}){AFTER}{ENDS}"
    ),
    re.compile(rf"(?:^|(?<=[.!] )|(?<=\n))(?:my |the )?move{_IS}{_AT}{ENDS}"),
    re.compile(
        r"\b(?:black|white|i|we|you) (?:must|should|has to|have to|needs? to|will) (?:now )?"
        rf"(?:answer|play|block|move|respond|defend)(?: at| on)? (?P<name>{SURE}){AFTER}{ENDS}"
    ),
)
_IS_MOVE = re.compile(
    rf"(?P<name>{SURE}){AFTER}{ASIDE} (?:is|was|must be|would be) {SURELY}(?:the|my) (?:{_GOOD} ){{1,3}}{_CELL}\b"
    rf"{_NO_QUESTION}"
)

# What is wrong

_BAD = r"(?:wrong|incorrect|false|mistaken|erroneous)"
_ONE = r"(?:one|answer|pair|statement|option|number|question|item|entry|response|choice)"
_NTH = rf"(?:the )?(?:{_ONE} ){{0,2}}(?:(?:to|of|for) (?:the )?{_ONE} )?[(\[]?(?P<name>{SURE}){AFTER}"
_WRONG_IS = (
    re.compile(rf"{_BAD} {_ONE}{OF}{_IS}{SURELY}{_NTH}{_NO_QUESTION}"),
    re.compile(rf"(?:^|(?<=\n)){_BAD} ?: ?{_NTH}{_NO_QUESTION}{ENDS}"),
    re.compile(rf"{_ONE} (?:that|which) is {_BAD}{_IS}{SURELY}{_NTH}{_NO_QUESTION}"),
)
_IS_WRONG = re.compile(
    rf"(?:{_ONE} )?(?P<name>{SURE}){AFTER}{ASIDE} (?:(?:is|was|must be|has to be) {SURELY}(?:answered )?(?:the )?"
    rf"(?:{_BAD}|wrongly|incorrectly|not (?:right|correct|true))|has (?:the|a|an) {_BAD} {_ONE}|"
    rf"(?:doesn't|does not) (?:match|fit|agree|hold|correspond))(?: {_ONE})?"
    rf"\b{_NO_QUESTION}(?! (?:if|unless|or)\b)"
)
_RIGHT_IS = re.compile(rf"(?:correct|right) {_ONE}{_IS}{SURELY}{_NTH}{_NO_QUESTION}{ENDS}")
_OF_ANOTHER = re.compile(rf"(?:question|pair|number|item|entry|statement) {SURE}[^.!?\n]*$")
_ELSEWHERE = re.compile(r"\banswer ?: ?(?P<said>[^\n]*\w[^\n]*)")
_REACH = 240


def pointed(reply: Reply) -> Iterator[Candidate]:
    """The label that is said to be what was asked for."""
    asked = reply.form.asked.lower()
    if reply.form.kind != "choice" or asked not in ("move", "wrong"):
        return
    if asked == "move":
        yield from _named(reply, (*_MOVE_IS, *_PLAYED), (_IS_MOVE,))
    else:
        found = [*_named(reply, _WRONG_IS, ()), *(_called_wrong(reply) or _marked_wrong(reply))]
        yield from found or _named(reply, (_RIGHT_IS,), ())
    last = list(_ELSEWHERE.finditer(reply.text))[-1:]
    if last and not re.search(SURE, last[0]["said"]):  # "Answer: z99" is an answer, but none of the labels
        yield reply.candidate("stated answer", *last[0].span(), "")


def _named(
    reply: Reply, ending: tuple[re.Pattern[str], ...], beginning: tuple[re.Pattern[str], ...]
) -> Iterator[Candidate]:
    """What patterns find that end with the name, after which nothing may leave it open, or begin with it."""
    text = reply.text
    for match in chain.from_iterable(pattern.finditer(text) for pattern in ending):
        if earnest(match):
            if left_open(text, match.end(), match["name"]):
                yield reply.candidate("stated answer", *match.span(), "")
            elif reply.grammar.follows.match(text, match.end()):
                yield reply.candidate("stated answer", *match.span(), match["name"])
    for match in chain.from_iterable(pattern.finditer(text) for pattern in beginning):
        if earnest(match):
            yield reply.candidate("stated answer", *match.span(), match["name"])


_VERDICT = re.compile(rf"^[^\w\n]{{0,9}}?(?:{_ONE} )?(?P<name>{SURE})(?P<words>[^\n]{{0,200}})$", re.MULTILINE)
_CROSS = re.compile(rf"[✗✘❌✖]|\b{_BAD}\b")
_TICK = re.compile(r"\b(?:correct|right|true|accurate|ok|fine)\b(?! (?:answer|would))")


def _marked_wrong(reply: Reply) -> list[Candidate]:
    """A line for every label with a verdict: just one of them is bad."""
    lines = {match["name"]: match for match in _VERDICT.finditer(reply.text)}
    if len(lines) != len(reply.form.labels):
        return []
    bad = [match for match in lines.values() if _CROSS.search(match[0])]
    others = [match for match in lines.values() if match not in bad]
    if len(bad) != 1 or not (all(map(_ticked, others)) or not any(match["words"].strip() for match in others)):
        return []
    return [reply.candidate("marked wrong", *bad[0].span(), bad[0]["name"])]


def _ticked(match: re.Match[str]) -> bool:
    return bool(_TICK.search(match[0])) and not re.search(r"n't\b|\bnot\b", match[0])


def _called_wrong(reply: Reply) -> list[Candidate]:
    """ "Answer 1 is wrong": all such words must agree, unless the last draws a conclusion."""
    found = [match for match in _IS_WRONG.finditer(reply.text) if earnest(match) and _of_its_own(match)]
    if found:
        last = found[-1]
        agreed = len({match["name"] for match in found}) == 1 or CONCLUDING.search(_sentence(last))
        return [reply.candidate("stated answer", *last.span(), last["name"] if agreed else "")]
    return []


def _sentence(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _REACH) : match.start()]
    return re.split(r"[.!?]\s|\n", before)[-1]


def _of_its_own(match: re.Match[str]) -> bool:
    """Whether the name is the place asked about, not what was answered there: "question 2: the answer 3 is wrong"."""
    return not _OF_ANOTHER.search(CONCLUDING.split(_sentence(match))[-1])
