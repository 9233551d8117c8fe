"""Answers that a reply concludes with, in the other ways people do: by correcting themselves, by elimination, by
leaning, by calling one of the labels the true one, or simply by what the last sentence names.

All but the last sentence find final answers, as `rules.stated` does. What the last sentence names counts only where
nothing else is found, where it is drawn as a conclusion, and where the words asked for need no role (`Form.asked`): in
a game "so A has five boxes" says nothing about who won.
"""

import re
from collections.abc import Iterator
from functools import cache

from snellen.answer.naming import ANY, SURE, without_idioms
from snellen.answer.rules import AFTER, ASIDE, BEFORE, ENDS, HENCE, MOST, NOUN, SURELY, Reply, earnest, left_open
from snellen.answer.values import Candidate

_SAY = rf"{BEFORE}(?P<name>{SURE}){AFTER}"
_STARTS = r"(?:^|(?<=[.,;:!] )|(?<=\n))"
_LAST = r" ?[.!)]* ?$"

# A correction

_NO = r"(?:no|wait|actually|correction|sorry|scratch that|or rather|rather|i mean|make that|hold on|oops|my mistake)"
_CORRECTED = (
    re.compile(
        rf"(?:^|[.,;:!?\n(-] ?){_NO}(?:[,:;.! -]{{1,4}}{_NO}){{0,3}}(?:[,:;.!-]|(?<!\bno) )[,:;.! -]{{0,3}}"
        rf"(?:(?:it is|it's|that's|that is|it should be|it must be|the answer is|the correct answer is) )?{_SAY}{ENDS}"
    ),
    re.compile(
        r"i(?:'ll| will| would|'d| must| hereby| now| therefore){0,2} "
        r"(?:change|revise|correct|switch|update|amend)(?: (?:it|my answer|my choice|my mind|this|that))?"
        rf"(?: to|:|,? and (?:say|choose|pick|go with))? {_SAY}{ENDS}"
    ),
    re.compile(
        rf"not (?:(?:in|on|at|to) )?(?:the )?(?:{NOUN} )?{SURE}{AFTER},? but (?:rather )?(?:(?:in|on|at|to) )?"
        rf"{_SAY}{ENDS}"
    ),
    re.compile(rf"(?:^|(?<=[.!?] )|(?<=\n))not (?:the )?(?:{NOUN} )?{SURE}{AFTER}[;,.:] {_SAY}{_LAST}"),
)

# Elimination, leaning, choosing

_LEFT_OVER = r"(?:remains|is left|fits|works|matches|satisfies|is consistent|is possible|survives|agrees|qualifies)"
_CHOSEN = (
    re.compile(
        r"(?:that|this|which|(?:eliminat|ruling out|exclud)[^.!?\n]{0,60}) leaves(?: us)?(?: with)?(?: only| just)? "
        rf"{_SAY}{ENDS}"
    ),
    re.compile(rf"leaving(?: us)?(?: with)?(?: only| just)? {_SAY}{ENDS}"),
    re.compile(rf"(?:the )?(?:only|last|single) (?:remaining|possible|viable|consistent) (?:{NOUN}|one) is {_SAY}"),
    re.compile(rf"(?:the )?(?:only )?(?:{NOUN} |one )(?:that is )?(?:left|remaining) is {_SAY}"),
    re.compile(rf"(?:{_STARTS}|\b(?:so|and|therefore|thus|hence),? )(?:so |and )?only {_SAY} {_LEFT_OVER}\b"),
    re.compile(rf"(?:i|i'd|i would|i'm|i am|we) (?:lean(?:ing)?|inclined?|tend(?:ing)?) (?:(?:towards?|to) )?{_SAY}"),
    re.compile(rf"my (?:bet|money) is on (?:the )?(?P<name>{SURE})"),
    re.compile(
        r"which (?:(?:is|gives|means|corresponds to|matches|would be|makes it|"
        rf"is (?:shown|depicted|given|found|seen|displayed) (?:by|in|as|at)) {NOUN}|is described by(?: {NOUN})?) "
        r"(?:number )?"
        rf"[(\[]?(?P<name>{SURE}){AFTER}{ENDS}"
    ),
    re.compile(rf"{_STARTS}(?:so )?(?:{NOUN} )?(?P<name>{SURE}){AFTER} it is{ENDS}"),
    re.compile(rf"{_STARTS}(?:so|therefore|thus|hence)\b[^.!?\n]{{1,80}}: {_SAY}{_LAST}"),
    re.compile(
        r"\b(?:so|therefore|thus|hence),? (?:they|people there|its people)(?:'d| would| will)? "
        rf"(?:say|answer|call (?:it|this|that))[,:]? (?:it is |it's )?(?:an? |to the |on the )?{_SAY}{ENDS}"
    ),
    re.compile(rf"final(?: {NOUN}| decision| verdict| call)? ?(?::|is|->|=) ?{_SAY}{ENDS}"),
    re.compile(rf"\b(?:assistant|output|response|reply) ?: ?{_SAY}{_LAST}"),
    # the last sentence is nothing else; "1. X" is the line of a list, "X. O." are two answers
    re.compile(
        rf"(?:(?<=[a-z)][.!?] )|(?<=[a-z)][.!?]\n)|(?<=[a-z] \d[.!?] )|(?<=\d\d[.!?] )|(?<=[a-z] {SURE}[.!?] ))"
        rf"{_SAY}{_LAST}"
    ),
)

# What needs no role

_THING = r"(?:one|caption|statement|answer|choice|option|picture|image|label|class|panel|half)"
_RIGHT = r"(?:true|correct|right|valid|matching)"
_HERE = rf"(?:(?:here|now|in (?:this|the) {NOUN}),? )?"
_BETTER = (
    r"(?:the |a )?(?:much |clearly )?(?:better|best|closer|closest|more (?:likely|accurate|plausible|suitable|fitting))"
)
_TRUE = rf"(?:true|correct|the {_RIGHT} {_THING})"
_HOLDS = r"(?:is (?:only )?true|holds|applies|fits|is correct|matches)(?: of| for| to| with)?"
_OF_ALL = rf"(?: (?:among|of) (?:the|these|all) (?:{ANY}|answers|statements|choices|options))?"
_NO_ROLE = (
    re.compile(rf"(?P<name>{SURE}){AFTER}{ASIDE} (?:is|must be|would be) {SURELY}{_TRUE}(?:{ENDS}|(?=[,;] ))(?! ?\?)"),
    re.compile(rf"(?:caption|description|statement|sentence) {_HOLDS} (?:only )?{_SAY}{ENDS}"),
    re.compile(rf"(?:{_RIGHT} {_THING}|{_THING} (?:that|which) is {_RIGHT}){_OF_ALL} is {SURELY}(?:a )?{_SAY}"),
    re.compile(rf"{_STARTS}(?:so )?(?:{NOUN} )?(?P<name>{SURE}){AFTER} is the one{ENDS}"),
    re.compile(rf"{_STARTS}(?:so |and |therefore,? )?(?:this|that|it) (?:corresponds to|is described by) {_SAY}{ENDS}"),
    re.compile(
        rf"(?:that's|this is|that is|which is) (?:exactly |just )?what {_SAY}[^.!?\n]{{0,30}} (?:shows|says){_LAST}"
    ),
    re.compile(rf"(?:(?<=[.!?] )|(?<=\n)|^)(?:since|because|as) [^.!?:\n]{{1,120}}: {_SAY}{_LAST}"),
    re.compile(rf"(?:->|=>) ?{_SAY}{_LAST}"),
    re.compile(
        rf"(?:(?<=[.!?] )|(?<=\n)|(?<=\bbut ))(?:so |but )?{_HERE}(?:it's|it is|this is|that's) {SURELY}{_SAY}{_LAST}"
    ),
    re.compile(
        rf"(?:classif(?:y|ied)|labell?ed|label|categori[sz]ed?)(?: (?:it|this|the query)(?: {NOUN})?)? as {_SAY}"
    ),
    re.compile(rf"(?P<name>{SURE}){AFTER}{ASIDE} (?:is|seems|looks) {SURELY}{_BETTER}\b(?! ?\?)"),
    re.compile(rf"(?:fits|matches|describes|suits) {_SAY} better\b"),
    re.compile(
        rf"(?:is|are|it's|was)(?: (?:on|in|at|to))? {_SAY},? (?:and |but )?not (?:(?:on|in|at|to) )?"
        rf"(?:the )?(?:{NOUN} )?{SURE}"
    ),
    re.compile(
        rf"{_STARTS}(?:so )?only (?:option|choice|answer) [(\[]?(?P<name>{SURE}){AFTER} [^.!?\n]{{1,80}}{_LAST}"
    ),
)
_YES_OR_NO = re.compile(rf"(?:(?<=[.!?] )|(?<=\n))(?P<name>{SURE}), [^.!?\n]{{1,80}}{_LAST}")


def concluded(reply: Reply) -> Iterator[Candidate]:
    """The ways to conclude that need no word such as "answer"."""
    yes_or_no = (_YES_OR_NO,) if {label.lower() for label in reply.form.labels} == {"yes", "no"} else ()
    for pattern in (*_CORRECTED, *_CHOSEN, *(_NO_ROLE if _needs_no_role(reply) else ()), *yes_or_no):
        for match in list(pattern.finditer(reply.text))[-MOST:]:
            # A correction begins with what looks like a denial; everything else must be asserted.
            if pattern in _CORRECTED or earnest(match):
                name = "" if left_open(reply.text, match.end(), match["name"]) else match["name"]
                yield reply.candidate("concluded", match.start(), match.end(), name)


def _needs_no_role(reply: Reply) -> bool:
    return reply.form.kind == "choice" and reply.form.asked.lower() in ("", "query", "move")


# The last sentence

_NAMES = re.compile(ANY)
_ARE_SURE = re.compile(f"{SURE}*")
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+")
_DRAWN = re.compile(rf"(?:^|[,;:] ?)(?:and |but )?(?:{HENCE}|on balance|all in all|in the end|->|=>)\b|-> |=> ")
_DENYING = (
    r"(?:not|n't|never|neither|nor|than|of|against|unlike|except|over|from|without)"
    rf"(?: (?:the|a|an|any|on|in|at|to|{NOUN})){{0,4}}(?: [\w-]+)? [(\[]?"
)
_REFUSING = rf"(?:\bnot|n't|never)(?: (?:the|a|an|any|on|in|at|to|be|{NOUN})){{0,4}}(?: [\w-]+)? [(\[]?"
"""What truly denies a label, so that the other one is left; "true of the second" does not."""
_OPEN = re.compile(
    r"\?|\b(?:if|whether|unless|suppose|assuming|maybe|perhaps|possibly|either|or|could|might|would|cannot|can't|"
    r"unclear|both|neither|unsure|not sure|hard to|need|needs|let me|next|consider|check|background|empty|blank)\b|"
    rf"{SURE} (?:picture|image|photo|board)s?\b(?= ?[.!]| (?:was|is|has|here|attached|provided|given))|"
    r"\bour (?:own |usual )?(?:world|words|language|terms)\b|(?:^|[,;:] ?)(?:to|for) us\b|\b(?:to|for) us ?[.,!]|"
    r"\bwe(?:'d)? (?:do |just |actually )?(?:call|say|name)\b|"  # what we would say was not asked for
    r"\bother person\b"
)
_THEY_WOULD = re.compile(
    r"\b(?:they|its people|people there|one of them|people of that world)(?: would|'d) (?=call|say|answer)"
)
"""What people of another world would say is the answer itself."""
_DOUBTED = re.compile(
    r"\b(?:not|never|false|wrong|incorrect|doubt|usual|standard|normally|usually|example|e\.g|no longer|neither|"
    r"excluded|ruled out|rejected|eliminated|discarded|same as|identical to|similar to|looks like|"
    r"(?:first|second|one|other|same) (?:rule|condition|half|row)|"
    r"anything but|all but|other than|except|beats|against)\b|n't\b|[≠~]|!=|![^\s]"
)
_GROUPS = re.compile(rf"{SURE} (?:examples?|sets?|pictures|images|panels|ones|cases|samples?|groups?)\b")
"""The label of a group of others is nobody's answer: "the positive pictures"."""
_PREDICATED = (  # where a single sentence asserts a label, not just mentions it
    re.compile(
        r"\b(?:is|are|be|was|were|it's|looks|seems|appears|points?|faces|lies|turns|shows?|holds?|has|have|belongs?|chosen?|choose|pick|select|say|of|to|as|"
        rf"there [a-z]+)(?: (?:in|on|at|to|with|colou?red|likely|probably|clearly|of|as|be|a|an|the|more|{NOUN}))"
        rf"{{0,4}} [(\[]?{SURE}{AFTER}(?: (?:in|on|at|to|of|here)\b[^,;]{{0,60}})?"
        r"(?= ?(?:[.,;:!()\n]|$)| - | (?:because|since|as)\b)"
    ),
    re.compile(
        rf"{SURE}{AFTER} (?:matches|match|fits|describes|completes|follows|continues|corresponds|wins|works|applies|"
        r"makes|blocks|stops|prevents|creates|is (?:true|correct|right|the|missing|what|best|better|shown))\b"
    ),
    re.compile(rf"^\W{{0,3}}(?:{NOUN} )?{SURE}{AFTER}(?: ?[.,;:!(]|$)"),
    re.compile(
        rf"\bno {SURE}|there (?:is|are) {SURE} |\({SURE}\) ?[.!]? ?$|^ ?(?:the )?(?:{SURE} half|half {SURE}) is "
    ),
    re.compile(rf"\b(?:is|are) called (?:an? |the )?{SURE}{AFTER} there ?[.!]? ?$"),
    re.compile(rf"\b(?:that|their) (?:world|words|language)\b[^.!?\n]{{0,80}} called (?:an? |the )?{SURE} ?[.!]? ?$"),
    re.compile(
        rf"\b(?:is|it's) (?:an? |the )?(?:dark |light |bright |pale |deep |pure |solid |vivid )?{SURE} [a-z]+ ?[.!]? ?$"
    ),
)
_LONGEST = 300


@cache
def _denied(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!true ){_DENYING}{name}")


@cache
def _refused(name: str) -> re.Pattern[str]:
    return re.compile(rf"{_REFUSING}{name}")


_DIGITS = frozenset("123456789")
_NO_SUCH = re.compile(rf"\bno {SURE}|^no (?:[a-z]+ ){{1,4}}(?:is|are) {SURE}")
"""Of a number, "no 3" is number three; there is "no key", "no nearer" is none, either, nor is "No key is present"."""
_CHOICE = re.compile(
    rf"\b(?:{NOUN}|number|no\.|only|must be|has to be) [(\[]?{SURE}|^(?:{HENCE})[,:]? {SURE}|(?:->|=>) ?{SURE}"
)


def _of_a_choice(sentence: str) -> bool:
    """Whether a digit is spoken of as a choice: "each row adds 1" is about something else."""
    return bool(_CHOICE.search(sentence)) or any(pattern.search(sentence) for pattern in _PREDICATED)


def last_sentence(reply: Reply) -> Iterator[Candidate]:
    """The only label that the last sentence names, if that draws a conclusion or is all that the reply says."""
    if not _needs_no_role(reply) or reply.form.final != "plain":
        return
    text = reply.text.rstrip()
    breaks = _BREAK.finditer(text, max(0, len(text) - 2 * _LONGEST), max(0, len(text) - 1))
    start = max((match.end() for match in breaks), default=0)
    sentence = text[start:]
    names = set(_NAMES.findall(_GROUPS.sub("", sentence)))
    drawn = _DRAWN.search(sentence)
    alone = (
        (start == 0 or not set(_NAMES.findall(text[:start])))
        and not _DOUBTED.search(sentence)
        and not _mentions_others(reply, names)
        and any(pattern.search(sentence) for pattern in _PREDICATED)
    )
    claim = _THEY_WOULD.sub("they ", sentence[drawn.start() if drawn else 0 :])
    if not (alone or drawn) or len(sentence) > _LONGEST or _OPEN.search(claim):
        return
    digits = set(reply.form.labels) <= _DIGITS
    if (digits and not _of_a_choice(sentence)) or (not digits and _NO_SUCH.search(sentence)):
        return
    asserted = {name for name in names if not _denied(name).search(sentence)}
    if len(asserted) == 1 and _ARE_SURE.fullmatch("".join(asserted)) and (drawn or len(names) == 1):
        yield reply.candidate("last sentence", start, len(text), asserted.pop())
    elif not asserted and len(names) == 1 and len(reply.form.labels) == 2 and drawn:
        denied = names.pop()
        if not _refused(denied).search(sentence):
            return
        yield Candidate(_the_other(reply, denied), "by elimination", reply.named.tidy.raw(start, len(text)))


def _mentions_others(reply: Reply, names: set[str]) -> bool:
    """Whether another label stands there in any way, be it one that might be an article."""
    known = {reply.named.answer(name) for name in names}
    words = set(re.findall(r"\w+", without_idioms(reply.letters.text, reply.form)))
    return any(label in words for label in reply.form.labels if label not in known)


def _the_other(reply: Reply, name: str) -> str:
    denied = reply.named.answer(name)
    return next(label for label in reply.form.labels if label != denied)
