"""Where a chain of thought breaks off its own line, and where it goes back to the picture.

Both are told sentence by sentence, with a glance at what came before: a "Hmm" that opens a chain breaks nothing off, a
"No" that answers one's own question neither.
"""

import re
from dataclasses import dataclass

from snellen.analysis.thought.cues import Cues, Plain, any_of, cue
from snellen.analysis.thought.lexicon import I_DO, NUMBER, ORDINAL, PARTS, PICTURE, PICTURES

# Breaking off

_HAVE = r"i(?:'ve| have| may have| might have| must have| think i)?"
_THAT = r"(?:^\W*|[,;:.!?…—] ?|\b(?:but|so|and|hmm+|no|wait),? )(?:that|this|it)"
"""What was just thought, at the beginning of a clause: "an answer that is wrong" is about something else."""
_BREAKS = Cues(
    cue(
        "wait",
        r"(?:^\W*|[.,;:!?(\n…—–]\s?|\s-\s?|\b(?:but|no|oh|hmm+|actually|and|so),? )wait\b"
        r"(?! (?:for|until|till|time|at|in|on|to)\b)",
    ),
    cue("hold hang", r"\bhold on\b(?! to)|\bhang on\b"),
    cue("whoops oops nevermind", r"\b(?:whoops|oops|nevermind)\b"),
    cue("scratch strike", r"\b(?:scratch|strike) (?:that|this|what)\b"),
    cue("never second changes my", r"\bnever mind\b|\bon second thoughts?\b|\bthat changes (?:things|everything)\b"),
    cue("mistake error bad", rf"\bmy (?:mistake|bad)\b|\b{_HAVE} (?:made|making) an? (?:mistake|error)\b"),
    cue(
        "misread miscounted mistook misjudged misidentified misinterpreted mislabeled mislabelled misplaced overlooked"
        " wrong missed mixed confused forgot",
        rf"\b{_HAVE} (?:mis(?!match)\w+|overlooked|got (?:that|this|it) wrong|mixed up|confused|forgot)\b"
        r"|\bi was wrong\b",
    ),
    cue(
        "right correct wrong incorrect mistake contradiction true",
        rf"{_THAT}(?:'s| is| was| seems| looks| can't be| cannot be) (?:\w+ )?(?:not (?:quite )?right|not correct|"
        rf"wrong|incorrect|a mistake|a contradiction|right\?)|{_THAT} (?:can't|cannot) be (?:right|correct|true)\b",
    ),
    cue("something", r"\bsomething(?:'s| is| seems| looks| feels) (?:\w+ )?(?:off|wrong|amiss|not right)\b"),
    cue(
        "contradicts contradict conflicts conflict contradiction",
        rf"{_THAT} (?:would )?(?:contradict|conflict)s?\b|\bthere(?:'s| is) (?:a|some) contradiction\b",
    ),
    cue("doesn't does", rf"{_THAT} (?:doesn't|does not) (?:seem right|add up|make sense|work out)\b"),
    cue("actually", r"(?:^\W*(?:(?:but|oh|well|hmm+),? )?|[.;:!?(…—–]\s?(?:but |no,? |well,? )?)actually\b"),
    cue(
        "let let's i'll i we we'll",
        rf"\b{I_DO} (?:re-?(?:think|consider|do|start|evaluate|calculate)|start (?:over|again|afresh)|try again|think "
        r"again|back ?track|back up|correct (?:that|myself|my)|re-?trace(?! \w+ \w+ (?:in|on)))\b"
        rf"|\b{I_DO} (?:re-?check|re-?count|check (?:that|this|it))(?: that| this| it| again)?\W*$",
    ),
    cue(
        "re-evaluating reevaluating reconsidering second-guessing re-thinking rethinking questioning doubting"
        " correcting revising correction",
        r"^\W*(?:re-?evaluating|reconsidering|second-guessing|re-?thinking|questioning|doubting|correcting|revising|"
        r"correction)\b",
    ),
    cue("nope sorry", r"^\W*(?:nope|sorry)\b|[,—–] ?sorry\b"),
    cue("no", r"(?:\.\.\.|…|[—–])\s?no\b(?! \w+ (?:is|are))"),
)
_NO = Cues(cue("no", r"^\W*no(?:,|\.|!| -| —) ?(?=that|it|this|i\b|the\b|not|those|these|\W*$)"))
_HMM = re.compile(
    r"^\W*(?:(?:but|oh|ah|well|so|okay),? )?h+m+\b(?!\W*(?:(?:let me|let's) (?:see|think|look|start|read|go|consider)|"
    r"okay|ok\b|alright|interesting|now\b|next\b|yes|right\b))"
)
_CHINESE_BREAKS = re.compile(r"等等|等一下|不对|重新(?:想|考虑|检查|来)|我(?:看|数|弄|搞)错")

# Going back to look

_EYES = (
    "look looking looked glance glancing glanced peek peeking peer peering zoom zooming zoomed inspect inspecting"
    " inspected examine examining examined scrutinize scrutinizing scrutinized scrutinise scrutinising"
)
"""Verbs of looking."""
_SURES = (
    "double-check double-checking double cross-check cross-checking cross-checked cross sanity-check sanity-checking"
    " sanity verify verifying verified confirm confirming"
)
_CHECKS = f"check checking checked {_SURES} study studying scan scanning consult"
"""Verbs that mean looking if it is a picture that they are about."""
_EYE = any_of(_EYES)
_HAND = any_of(f"{_CHECKS} read reading count counting focus focusing see view viewing")
_GAP = r"(?:[\w',-]+ ){0,5}?"
_SEEN = rf"{any_of(f'{PICTURES} {PARTS}')}\b"
_AGAIN = r"(?:again|once more|one more time|another time|a second time)"
_CLOSER = r"(?:closer(?! to| than)|more closely|more carefully|in more detail|harder)"
_MINDED = any_of(
    "question prompt rule rules instructions task problem logic reasoning assumption numbers calculation math"
)
_AFRESH = (
    "examine examined examining inspect inspected inspecting look looked looking scan scanned scanning visit visited"
    " visiting view viewed viewing"
)
_REPEAT = "count counted counting check checked checking read reading trace tracing study verify"
_RE_WORDS = " ".join(f"re{word} re-{word}" for word in f"{_AFRESH} {_REPEAT}".split())
_BACK = Cues(
    cue(
        "again more time back",
        rf"\b{_EYE}\b[^.;:!?]{{0,60}}?\b{_AGAIN}\b|\b{_AGAIN},? {_EYE}\b|\b{_EYE} (?:back|again)\b",
    ),
    cue(
        "again more time",
        rf"\b(?:{any_of(_CHECKS)}|(?:go|going|gone|went) (?:over|through)) (?:{_SEEN}|(?:the|this|these|those|each) \w)"
        rf"(?![^.;:!?]{{0,60}}\b{_MINDED}\b)[^.;:!?]{{0,60}}?\b{_AGAIN}\b",
    ),
    cue("again more time", rf"\b{_HAND}\b[^.;:!?]{{0,60}}?\b{_SEEN}[^.;:!?]{{0,40}}?\b{_AGAIN}\b"),
    cue("again more", rf"(?:^\W*|[,;:] )(?:in|at|from|on) {_GAP}{PICTURE}\b(?: {NUMBER})?,? {_AGAIN}\b"),
    # A way through a maze goes back to cells and corners: only whole pictures are gone back to in this sense.
    cue("back return returning returned", rf"\b(?:back|return|returning|returned) (?:to|at) {_GAP}{PICTURE}\b"),
    cue("back", r"\b(?:go|going|gone|went) back and (?:read|look|check)\b"),
    cue(
        "second closer another fresh careful",
        r"\b(?:second|closer|another|fresh|more careful)(?: \w+)? (?:look|glance|inspection|pass)\b",
    ),
    cue(
        _RE_WORDS,
        rf"\bre-?{any_of(_AFRESH)}\b(?! (?:the |my |this |that |our )?{_MINDED})"
        rf"|\bre-?{any_of(_REPEAT)}\b {_GAP}{_SEEN}",
    ),
)
"""The picture is gone back to in so many words, or what is looked at is looked at again."""
_NEARER = Cues(
    cue("closer closely carefully detail harder", rf"\b{_EYE}\b[^.;:!?]{{0,50}}?\b{_CLOSER}\b"),
    cue("zoom zooming zoomed", r"\bzoom(?:ing|ed)?\b"),
    cue("read check study count", rf"\b(?:read|check|study|count)(?:ing)? {_GAP}{_CLOSER}\b"),
)
"""Nearer than before: the opening apart, there was a look before it."""
_LOOKS = Cues(
    cue(
        _EYES,
        rf"\b(?:look|looking|looked|glance|glancing|peer|peering)(?: \w+)? (?:at|into|through) {_GAP}{PICTURE}\b"
        rf"|\b(?:inspect|examin|scrutini[sz])(?:e|ed|ing)? {_GAP}{_SEEN}",
    ),
    cue("check checking checked study studying scan scanning consult", rf"\b{any_of(_CHECKS)} {_GAP}{PICTURE}\b"),
)
"""A look at the picture; once the first stage is over, that is going back to it."""
_CONFIRMS = Cues(cue(_SURES, rf"\b{any_of(_SURES)} {_GAP}{PICTURE}\b"))
"""Something is made sure of with the picture: whoever does that has looked at it before."""
_WHICH = cue(PICTURES, rf"\b({PICTURE}) ({NUMBER})\b|\b({ORDINAL}) ({PICTURE})\b|\b(query)\b")
_CHINESE_BACK = re.compile(r"再(?:仔细)?看|重新看|回到(?:原?图|第)|回头看|再(?:检查|确认|数)一?[下遍].{0,8}图|放大")
_CHINESE_LOOKS = re.compile(r"仔细看|看一下.{0,6}图")


@dataclass(frozen=True, slots=True)
class Before:
    """What came before a sentence: whether it was anything, and whether it ended in a question."""

    anything: bool
    asked: bool


def breaks_off(sentence: Plain, before: Before) -> re.Match[str] | None:
    """Where a sentence interrupts the chain."""
    match = _BREAKS.first(sentence)
    if match is None and before.anything:
        match = _HMM.search(sentence.text) or (None if before.asked else _NO.first(sentence))
    return match if match or sentence.english else _CHINESE_BREAKS.search(sentence.text)


def goes_back(sentence: Plain, before: Before) -> re.Match[str] | None:
    """Where a sentence says that it looks again."""
    match = _BACK.first(sentence)
    if match is None and before.anything:
        match = _NEARER.first(sentence)
    return match if match or sentence.english else _CHINESE_BACK.search(sentence.text)


def confirms(sentence: Plain) -> re.Match[str] | None:
    """Where a sentence makes sure of something with the picture."""
    return _CONFIRMS.first(sentence)


def looks(sentence: Plain) -> re.Match[str] | None:
    """Where a sentence looks at the picture."""
    match = _LOOKS.first(sentence)
    return match if match or sentence.english else _CHINESE_LOOKS.search(sentence.text)


def pictures_named(sentence: Plain) -> frozenset[str]:
    """The pictures that a sentence calls by number: "photo 5", "the third view", "the query"."""
    if _WHICH.needs.isdisjoint(sentence.tokens):
        return frozenset()
    names = _WHICH.pattern.finditer(sentence.text)
    return frozenset(" ".join(part for part in name.groups() if part) for name in names)
