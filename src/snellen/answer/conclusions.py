"""Answers that a reply concludes with, in the other ways people do: by correcting themselves, by elimination, by
leaning, by calling one of the labels the true one, or simply by what the last sentence names.

All but the last sentence find final answers, as `rules.stated` does. What the last sentence names counts only where
nothing else is found, where it is drawn as a conclusion, and where the words asked for need no role (`Form.asked`): in
a game "so A has five boxes" says nothing about who won.
"""

import re
from collections.abc import Iterator
from functools import cache

from snellen.answer.naming import ANY, SURE
from snellen.answer.rules import (
    AFTER,
    ASIDE,
    BEFORE,
    ENDS,
    HENCE,
    MOST,
    NOUN,
    SURELY,
    Reply,
    earnest,
    left_open,
)
from snellen.answer.values import Candidate

_SAY = rf"{BEFORE}(?P<name>{SURE}){AFTER}"

_NO = r"(?:no|wait|actually|correction|sorry|scratch that|or rather|rather|i mean|make that|hold on|oops|my mistake)"
_REVISED = (
    re.compile(
        rf"(?:^|[.,;:!?\n(-] ?){_NO}(?:[,:;.! -]{{1,4}}{_NO}){{0,3}}[,:;.! -]{{1,4}}"
        rf"(?:(?:it is|it's|that's|that is|it should be|it must be|the answer is|the correct answer is) )?{_SAY}{ENDS}"
    ),
    re.compile(
        r"i(?:'ll| will| would|'d| must| hereby| now| therefore){0,2} "
        r"(?:change|revise|correct|switch|update|amend)(?: (?:it|my answer|my choice|my mind|this|that))?"
        rf"(?: to|:|,? and (?:say|choose|pick|go with))? {_SAY}{ENDS}"
    ),
)
_NOT_BUT = re.compile(rf"not (?:the )?(?:{NOUN} )?{SURE}{AFTER},? but (?:rather )?{_SAY}{ENDS}")
_LEFT = (
    re.compile(rf"(?:that|this|which) leaves(?: us)?(?: with)?(?: only| just)? {_SAY}{ENDS}"),
    re.compile(rf"leaving(?: us)?(?: with)?(?: only| just)? {_SAY}{ENDS}"),
    re.compile(rf"(?:the )?(?:only|last|single) (?:remaining|possible|viable|consistent) (?:{NOUN}|one) is {_SAY}"),
    re.compile(rf"(?:the )?(?:only )?(?:{NOUN} |one )(?:that is )?(?:left|remaining) is {_SAY}"),
    re.compile(
        rf"(?:^|(?<=[.,;:\n] )|(?<=\n)|\b(?:so|and|therefore|thus|hence),? )(?:so |and )?only {_SAY} "
        r"(?:remains|is left|fits|works|matches|satisfies|is consistent|is possible|survives|agrees|qualifies)\b"
    ),
)
_LEANS = re.compile(
    rf"(?:i|i'd|i would|i'm|i am|we) (?:lean(?:ing)?|inclined?|tend(?:ing)?) (?:towards?|to) {_SAY}|"
    rf"my (?:bet|money) is on (?:the )?(?P<bet>{SURE})"
)
_CHOSEN = (
    re.compile(
        rf"which (?:is|gives|means|corresponds to|matches|would be|makes it) (?:{NOUN}) (?:number )?[(\[]?(?P<name>{SURE}){AFTER}{ENDS}"
    ),
    re.compile(rf"(?:^|(?<=[.,;:!] )|(?<=\n))(?:so )?(?P<name>{SURE}){AFTER} it is{ENDS}"),
    re.compile(rf"final(?: {NOUN}| decision| verdict| call)? ?(?::|is|->|=) ?{_SAY}{ENDS}"),
)
_TRUE = r"(?:true|correct|the (?:true|correct|right|valid|matching) (?:one|caption|statement|answer|choice|option|picture|image|label))"
_IS_TRUE = re.compile(
    rf"(?P<name>{SURE}){AFTER}{ASIDE} (?:is|must be|would be) {SURELY}{_TRUE}{ENDS}(?! ?\?)|"
    rf"(?P<other>{SURE}){AFTER} is {SURELY}{_TRUE}(?=[,;] )"
)
_TRUE_OF = re.compile(
    rf"(?:caption|description|statement|sentence) (?:is (?:only )?true|holds|applies|fits|is correct|matches)(?: of| for| to| with)? (?:only )?{_SAY}{ENDS}"
)
_TRUE_IS = re.compile(
    rf"(?:true|correct|right|valid|matching) (?:caption|picture|image|one|label|class|panel|half|statement) is {SURELY}(?:a )?{_SAY}"
)
_ARROW = re.compile(rf"(?:->|=>) ?{_SAY} ?[.!)]? ?$")
_SPEAKS = re.compile(rf"\b(?:assistant|output|response|reply) ?: ?{_SAY} ?[.!)]? ?$")
_ALONE = re.compile(rf"(?:(?<=[a-z][.!?] )|(?<=[a-z][.!?]\n)){_SAY} ?[.!)]* ?$")
_IT_IS = re.compile(
    rf"(?:(?<=[.!?] )|(?<=\n)|\bbut )(?:so |but )?(?:it's|it is|this is|that's) {SURELY}{_SAY} ?[.!)]* ?$"
)


def concluded(reply: Reply) -> Iterator[Candidate]:
    """The ways to conclude that need no word such as "answer"."""
    plain = _needs_no_role(reply)
    patterns = [*_REVISED, _NOT_BUT, *_LEFT, _LEANS, *_CHOSEN, _SPEAKS, _ALONE]
    patterns += [_IS_TRUE, _TRUE_OF, _TRUE_IS, _ARROW, _IT_IS] if plain else []
    for pattern in patterns:
        for match in _last(pattern, reply.text):
            name = match["name"] or next(iter(filter(None, (match.groupdict().get(k) for k in ("bet", "other")))), "")
            if not name or not _meant(match):
                continue
            open_end = left_open(reply.text, match.end(), name)
            yield reply.candidate("concluded", *match.span(), "" if open_end else name)


def _last(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return list(pattern.finditer(text))[-MOST:]


def _meant(match: re.Match[str]) -> bool:
    """A correction begins with what looks like a denial; everything else must be asserted."""
    return match.re in (*_REVISED, _NOT_BUT) or earnest(match)


def _needs_no_role(reply: Reply) -> bool:
    return reply.form.kind == "choice" and reply.form.asked.lower() in ("", "query", "move")


# The last sentence

_NAMES = re.compile(ANY)
_SURELY = re.compile(f"{SURE}*")
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+")
_DRAWN = re.compile(rf"(?:^|[,;:] ?)(?:and |but )?(?:{HENCE}|on balance|all in all|in the end|->|=>)\b|-> |=> ")
_DENIED = rf"(?:not|n't|never|neither|nor|than|of|against|unlike|except|over|from|without)(?: (?:the|a|an|any|{NOUN}))*(?: [\w-]+)? [(\[]?"
_OPEN = re.compile(
    r"\?|\b(?:if|whether|unless|suppose|assuming|maybe|perhaps|possibly|either|or|could|might|would|cannot|can't|unclear|both|neither|"
    r"unsure|not sure|hard to|need|needs|let me|next|consider|check)\b"
)
_DOUBTED = re.compile(
    r"\b(?:not|never|false|wrong|incorrect|doubt|usual|standard|normally|usually|example|e\.g|no longer|neither|anything but|all but|other than|except|beats|against)\b|n't\b|[≠~]|!=|![^\s]"
)
_LONGEST = 300


@cache
def _denied(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_DENIED}{name}")


def last_sentence(reply: Reply) -> Iterator[Candidate]:
    """The only label that the last sentence names, if that draws a conclusion or is all that the reply says."""
    if not _needs_no_role(reply) or reply.form.final != "plain":
        return
    text = reply.text.rstrip()
    start = max(
        (match.end() for match in _BREAK.finditer(text, max(0, len(text) - 2 * _LONGEST), len(text) - 1)), default=0
    )
    sentence = text[start:]
    names = set(_NAMES.findall(sentence))
    asserted = {name for name in names if not _denied(name).search(sentence)}
    alone = start == 0 and not _DOUBTED.search(sentence) and not _mentions_others(reply, names)
    drawn = _DRAWN.search(sentence)
    if len(sentence) > _LONGEST or _OPEN.search(sentence, drawn.start() if drawn else 0) or not (alone or drawn):
        return
    place = start, len(text)
    if len(asserted) == 1 and _SURELY.fullmatch("".join(asserted)) and (drawn or len(names) == 1):
        yield reply.candidate("last sentence", *place, asserted.pop())
    elif not asserted and len(names) == 1 and len(reply.form.labels) == 2 and drawn:
        yield Candidate(_the_other(reply, names.pop()), "by elimination", reply.named.tidy.raw(*place))


def _mentions_others(reply: Reply, names: set[str]) -> bool:
    """Whether another label stands there in any way, be it one that might be an article."""
    known = {reply.named.answer(name) for name in names}
    words = set(re.findall(r"\w+", reply.letters.text))
    return any(label in words for label in reply.form.labels if label not in known)


def _the_other(reply: Reply, name: str) -> str:
    denied = reply.named.answer(name)
    return next(label for label in reply.form.labels if label != denied)
