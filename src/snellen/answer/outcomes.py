"""Answers given as an outcome: "X wins", "the loser is O", "Black is KAP", "there are 5 legs".

Such words count only where nothing is called the answer, and only for what was asked: with `asked="loser"`, "X wins" is
no answer. All of them must agree, unless the last sentence draws a conclusion ("therefore O wins"), which then speaks
alone. A reply that promised a box must give the outcome in its last sentence.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from snellen.answer.naming import ASKED, SURE
from snellen.answer.rules import (
    AFTER,
    ASIDE,
    BEFORE,
    CONCLUDING,
    HENCE,
    IS,
    OF,
    SURELY,
    UNIT,
    USUALLY,
    Reply,
    earnest,
    left_open,
)
from snellen.answer.values import Candidate

_PARTY = r"(?:player|side|team|one|person|colou?r)"
_WHO = rf"{_PARTY} (?:who|that|which) (?:(?:has )?(?:won|lost)|wins|loses|is {ASKED})"
_ROLE = rf"{_WHO}|winner|victor|loser|(?:winning|losing|{ASKED}) {_PARTY}|{ASKED}"
_IS_NAME = re.compile(  # the winner is X, the side that has won is X
    rf"(?P<role>{_ROLE}){ASIDE}{OF}{IS}"
    rf"{SURELY}{BEFORE}(?P<name>{SURE}){AFTER}"
)
_THE_GAME = (  # "won", but not "won 14 boxes" nor "wins under the usual rules"
    r"(?= ?(?:[.,;:!)(\n]|$)| (?:the|this) (?:game|match|one|round)\b| it\b| - |"
    rf" (?:\d|three|four|{SURE}) in a (?:row|line)\b|"
    r" (?:because|since|as|by|with|over|against|and|here|in|under|due|so|while|but)\b)"
)
_NAME_DOES = re.compile(  # X wins, X is the loser
    rf"(?P<name>{SURE}){AFTER}{ASIDE},? (?:(?:has|who|that|therefore|thus|clearly|actually|also|then) ){{0,2}}"
    rf"(?:(?P<verb>wins|won|loses|lost|takes the (?:game|win|match|victory)|(?:was|is|got|has been|been) beaten)"
    rf"{_THE_GAME}|"
    r"(?:is|was|becomes|must be|will be|comes out as|ends up as)"
    rf"(?: (?:clearly|therefore|thus|indeed|actually|declared|also|then|on)){{0,2}}(?: the)? (?P<role>{_ROLE}))"
    rf"(?![\w'])(?! ?\?| {USUALLY}| (?:if|when|whenever|unless|only|provided|or)\b)"
)
_DOES_NAME = re.compile(  # the verb first, as other languages have it: "wins white"
    r"(?:^ ?|(?<=[.,;:!] )|(?<=\n)|\b(?:therefore|and|but),? )(?P<verb>wins|loses)(?P<role>) "
    rf"{BEFORE}(?P<name>{SURE}){AFTER}(?= ?[.,;:!(\n]|$| por\b| with\b| -)"
)
_AND_DOES = re.compile(  # "Black is down 20 to 44 and thus loses"
    rf"(?P<name>{SURE}){AFTER} "
    r"(?:(?!(?:needs?|could|would|can|might|may|wants?|tries|when|that|if|not|or)\b)[\w()-]+ ){1,12}"
    rf"and (?:(?:so|thus|therefore|hence) )?(?:(?P<verb>wins|loses)|is (?:thus |therefore )?the (?P<role>{_ROLE}))"
    r"(?= ?[.!\n]| ?$| therefore ?(?:[.!]|$))"
)
_DONE_BY = re.compile(  # "the game was won by O", "the victory goes to Black"
    r"(?:(?:game|match|round|board) (?:is|was|has been) (?P<verb>won|lost) by|"
    r"(?P<role>victory|win|game|match) (?:goes|belongs) "
    r"to|(?:gives|hands) (?:it|the (?:game|win|match|victory)) to) "
    rf"{BEFORE}(?P<name>{SURE}){AFTER}(?= ?[.,;!(\n]|$)"
)
_ONE_THAT_DOES = re.compile(  # "the one with fewer boxes loses: A"
    rf"\b{_PARTY}(?: [a-z]+){{0,8}} (?P<verb>wins|loses)(?: here| in this \w+)?(?P<role>)"
    rf"(?:: |, which is |; that is |, that is,? |, i\.e\.,? |, namely |, so )(?:it is |it's )?"
    rf"{BEFORE}(?P<name>{SURE}){AFTER}(?= ?[.,;:!(\n]|$)"
)
_SUCH = re.compile(  # "X = PLIV", "that makes O PLIV", "so is O the loser", as German has it
    rf"(?:(?<!= )(?P<name>{SURE}) ?(?:=|->) ?(?P<role>{_ROLE})(?= ?[.,;:!)\n]| ?$)|"
    rf"(?:makes|making|{HENCE} is) {BEFORE}(?P<other>{SURE}){AFTER}(?: the)? (?P<as>{_ROLE})(?= ?[.,;:!\n]| ?$))"
)
_HENCE_WOULD = re.compile(  # "so the winner would be O"
    rf"{HENCE}[,:]? (?:the )?(?P<role>{_ROLE}) would be {BEFORE}(?P<name>{SURE}){AFTER}(?= ?[.!\n]| ?$)"
)
_OF_PART = re.compile(
    rf"\b(?:row|column|line|panel|figure|picture|photo|step|group|side|part|half|pair|choice|option) {SURE} ?$"
)
_PLACE = r"(?:back|front|left|right|rear|hind|head|body|side|top|bottom|first|second|other|near|far|row|column|each)"
_SHOWN_IN = r"(?: (?:in|on) (?:the|this) (?:picture|image|photo))?"
_UNIT = UNIT.replace("(?!(?:", "(?!(?:in|on|at|", 1)
"""What is counted, without the place where it is."""
_COUNTED = re.compile(
    rf"(?:there (?:are|is|were)|(?:it|here|this(?: [a-z]+)?|the (?!{_PLACE})[a-z]+{_SHOWN_IN}),? "
    r"(?:clearly |actually |really )?(?:has|have|shows?|contains?)|having|drawn with|shown with|"
    r"(?:i|we) (?:can |could |do |now )?(?:see|count|counted)|that's|that makes|which makes|gives|(?<=, )so|"
    r"(?:total|count|number)(?: of(?: [a-z-]+){1,5}?)?(?: is| =|:| \|)|totals|totall?ing|in total|legs =|"
    r"\b(?<!row )(?<!column )(?<!front )(?<!back )(?<!side )(?<!left )(?<!right )(?<!half )has) ?"
    rf"(?:(?:exactly|only|just|a total of|in total|the) )?(?P<name>{SURE})(?: (?:of them|legs?|panels?)\b)?{_UNIT}"
    rf"(?! ?(?:\([^()\n]{{0,40}}\) ?)?[+*×] ?{SURE})"
    r"(?! (?:in|on|at|for|per) (?:the |each |this |its )?(?:first|second|third|top|bottom|left|right|front|back|upper|"
    r"lower|middle|next|other|each|every|row|column|panel)\b)"
    r"(?= ?(?:[.!,;\n(|]|$)| (?:on|in|of|at|for|are|is|shown|visible)\b)"
)
_SUM = re.compile(rf"= ?(?P<name>{SURE}){UNIT} ?[.!]? ?(?:\n|$)")
_OPEN_NUMBER = re.compile(
    r"\?|\b(?:about|around|roughly|approximately|at least|at most|more than|less than|fewer than|up to|not|or|if|maybe|"
    r"could|might|cannot|no|never|between|usually|normally|typically|e\.g|example|such as|form|brackets|braces|step|"
    rf"figure|panel (?={SURE})|so far|each|every|per|more|in front|behind|"
    r"(?:on|at|in) (?:the|its) (?:left|right|front|back|top|bottom|other|near|far|first|second|next))\b|n't\b"
)
_TOLD = re.compile(  # where a number says how many there are: not "founded in 1948", not "next to 2 chicks"
    rf"{SURE} (?:legs|panels)\b|"
    r"(?:^|\b(?:altogether|has|have|had|are|is|were|be|with|see|sees|count|counted|counts|counting|shows?|contains?|find|of|total|there|"
    r"legs?|answer|it's|that's|be)|[:=-])(?: (?:exactly|only|just|a|the|about|all|in|clearly|actually|me)){0,3} ?[(\[]?"
    rf"{SURE}"
)
_OF_A_KIND = re.compile(r"(?!(?:these|those|its|his|her|yes)\b)[a-z]+s (?:all )?(?:have|had|come with)\b")
"""What all of a kind have ("cats have 4 legs") is not what this one has."""
_SHORT = 160


def only_number(reply: Reply) -> Iterator[Candidate]:
    """The one number in a reply of a single sentence, where nothing leaves it open."""
    text = _IN_BRACKETS.sub("", reply.text).strip()
    names = [match for match in _NAME.finditer(reply.text) if match[0] in text]
    if (
        reply.form.kind != "number"
        or reply.form.final == "boxed"
        or len(text) > _SHORT
        or len({m[0] for m in names}) != 1
    ):
        return
    if (
        not _OPEN_NUMBER.search(text)
        and not re.search(r"[.!?]\s+\S|\n", text)
        and _TOLD.search(text)
        and not _OF_A_KIND.match(text)
        and not (_USUAL.search(text) and not _HOWEVER.search(text))
    ):
        yield reply.candidate("only number", *names[-1].span(), names[-1][0])


_OPPOSITE = {"winner": "loser", "loser": "winner"}
_ROLES = dict.fromkeys(
    ("wins", "won", "victor", "winning", "game", "win", "match", "victory"), "winner"
) | dict.fromkeys(("loses", "lost", "losing", "beaten"), "loser")
_NAME = re.compile(SURE)
_PARTY_AT_END = re.compile(rf" {_PARTY}$")


class _Claim(NamedTuple):
    start: int
    end: int
    role: str
    name: str


def outcome(reply: Reply) -> Iterator[Candidate]:
    """The outcome asked for is stated, and nothing in the reply contradicts it."""
    counting = reply.form.kind == "number"
    claims = sorted(_counts(reply) if counting else _roles(reply))
    if not claims:
        return
    names = _NAME.findall(reply.text)
    before = reply.text[: reply.text.rfind(names[-1])]
    sentence = max((before.rfind(mark) for mark in (". ", ".\n", "! ", "? ", "\n")), default=0) + 1
    last = [claim for claim in claims if claim.start >= sentence]
    if counting:
        drawn = max((match.end() for match in CONCLUDING.finditer(reply.text, sentence)), default=0)
        last = [claim for claim in last if claim.end > drawn] or last
    if last and (CONCLUDING.search(reply.text[sentence : last[0].start]) or _corrected(reply.text, claims, last[0])):
        claims = last
    elif counting and len(set(names)) > 1:
        claims = _counted_last(reply.text, claims, last)
        if not claims:
            return
    elif reply.form.final == "boxed" and not last:
        return
    claim = _agreed(claims, reply.form.asked.lower())
    if claim and claim.name:
        yield reply.candidate("stated outcome", claim.start, claim.end, claim.name)


_IN_BRACKETS = re.compile(r"\([^()\n]*\)")


def _counted_last(text: str, claims: list[_Claim], last: list[_Claim]) -> list[_Claim]:
    """The claim of the last sentence, if the number that it gives is the last one, brackets aside, and if the same
    words do not give another number before."""
    if len({claim.name for claim in last}) != 1:
        return []
    words = {text[claim.start : claim.end].replace(claim.name, "").strip() for claim in last}
    other = (claim for claim in claims if claim.name != last[-1].name)
    if any(text[claim.start : claim.end].replace(claim.name, "").strip() in words for claim in other):
        return []
    rest = _IN_BRACKETS.sub("", text[last[-1].end :])
    return last if not _NAME.search(rest) else []


_CORRECTS = re.compile(
    r"\b(?:no|wait|actually|sorry|mistaken?|wrong|correct(?:ion|ing)?|at first|recount\w*|scratch that)\b"
)


def _corrected(text: str, claims: list[_Claim], last: _Claim) -> bool:
    """Whether words of a correction stand between the claims before and the last one."""
    return claims[0] != last and bool(_CORRECTS.search(text, claims[0].start, last.start))


def _agreed(claims: list[_Claim], asked: str) -> _Claim | None:
    """The last claim about what is asked, if all such claims agree and none says the opposite of it."""
    wanted = "" if asked == "move" else asked if asked in ("", *_OPPOSITE) else ASKED
    fitting = [claim for claim in claims if wanted in ("", claim.role)]
    if not fitting or len({claim.name for claim in fitting}) > 1:
        return None
    contrary = {claim.name for claim in claims if claim.role == _OPPOSITE.get(wanted or fitting[-1].role)}
    return None if fitting[-1].name in contrary else fitting[-1]


def _roles(reply: Reply) -> Iterator[_Claim]:
    text = reply.text
    for match in _IS_NAME.finditer(text):
        if earnest(match):
            if left_open(text, match.end(), match["name"]):
                yield _Claim(*match.span(), _role(match["role"]), "")
            elif reply.grammar.follows.match(text, match.end()):
                yield _Claim(*match.span(), _role(match["role"]), match["name"])
    for match in _SUCH.finditer(text):
        if earnest(match):
            yield _Claim(*match.span(), _role(match["role"] or match["as"]), match["name"] or match["other"])
    for match in _HENCE_WOULD.finditer(text):
        if earnest(match):
            yield _Claim(*match.span(), _role(match["role"]), match["name"])
    for match in chain.from_iterable(
        pattern.finditer(text) for pattern in (_NAME_DOES, _AND_DOES, _DOES_NAME, _ONE_THAT_DOES, _DONE_BY)
    ):
        if earnest(match):
            yield _Claim(*match.span(), _role(match["verb"] or match["role"] or "wins"), match["name"])


def _role(words: str) -> str:
    word = _PARTY_AT_END.sub("", words).rpartition(" ")[2]
    return _ROLES.get(word, word)


_USUAL = re.compile(
    r"\b(?:an?|the|most|every|any|each|all) (?:typical|normal|usual|regular|ordinary|standard|real|classic|original|"
    r"genuine|official|common|average|healthy)\b|^ ?(?:an?|every|any|most|each) "
    r"(?!picture|image|photo|total|careful|closer?|quick|second|few|count|re)[a-z]+(?: [a-z]+)? (?:has|have)\b"
)
""" "A typical dog has", "A dog has": not this one."""


_IN_PART = re.compile(r"\b(?:so far|each|every|per)\b(?!,)")


def _usual(match: re.Match[str]) -> bool:
    """Whether a number is that of all its kind, before any word such as "but here"."""
    sentence = _SENTENCE.split(match.string[max(0, match.start() - _REACH) : match.end()])[-1]
    rest = _SENTENCE.split(match.string[match.end() : match.end() + _REACH])[0]
    said = _HOWEVER.split(sentence)[-1]
    return bool(_USUAL.search(said) or _IN_PART.search(said[said.rfind(",") + 1 :] + rest.partition(",")[0]))


_SENTENCE = re.compile(r"[.!?]\s|\n")
_HOWEVER = re.compile(r"\b(?:but|however|though|yet|here|this|in the (?:picture|image|photo|case))\b")
_REACH = 240


def _counts(reply: Reply) -> Iterator[_Claim]:
    for match in chain(_COUNTED.finditer(reply.text), _SUM.finditer(reply.text)):
        before = reply.text[max(0, match.start() - 20) : match.start()]
        if earnest(match) and not _OF_PART.search(before) and not _usual(match):
            yield _Claim(*match.span(), "", match["name"])
