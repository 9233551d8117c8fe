"""The grammar of answers: small rules, each finding what a reply may mean as its answer.

Rules look at a text in which every label or number is one character (see `naming`), in lower case, with single
blanks, so the patterns stay short and their cost linear: every repetition in them is bounded or of one character.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from snellen.answer.naming import ANY, ASKED, SURE, WEAK, Named, named
from snellen.answer.tidy import FIRST_NAME, Tidy, core, undressed
from snellen.answer.values import Candidate
from snellen.item import Form

NOUN = (
    "(?:player|option|choice|label|letter|symbol|side|team|colou?r|piece|mark|image|figure|panel|category|number|caption|"
    "picture|photo|half|class|answer|cell|question|pair|statement)"
)
BEFORE = (
    rf"(?:the )?(?:{NOUN}s? )?"
    r"(?:(?:who|that|which) (?:plays|played|is playing|is|has|uses|placed|owns) (?:the |as )?"
    r"|(?:with|using|playing|marked|labell?ed|named|called) (?:the |as |with )?)?"
    rf"(?:{NOUN} (?:(?:1|2|one|two) )?)?(?:[(\[] ?){{0,2}}"
)
AFTER = r"(?: ?[)\]]){0,2}(?: (?:player|side|team|pieces?|discs?|half|picture|image|caption|one|option|choice|bar)\b)?"
ASIDE = r"(?: \([^()\n]{0,60}\))?"
SURELY = (
    r"(?:(?:clearly|therefore|thus|then|indeed|definitely|certainly|simply|just|likely|probably|most likely|"
    r"actually|in fact|obviously|hence|still|it is|it's|perhaps|maybe|presumably),? ){0,3}"
)
HENCE = r"(?:so|therefore|thus|hence|in conclusion|conclusion|consequently|finally|overall|in summary)"
_ANSWER = (
    r"(?:answer|choice|option|conclusion|verdict|classification|prediction|solution|response|selection|"
    r"decision|pick|guess|result)"
)
OF = r"(?: (?:to|for|of|in|under|here|from|by|according to)(?: (?!(?:and|but|while|whereas)\b)[\w'-]+){0,6}?)?"
_GAP = r"(?: ?\n| )"
IS = rf"(?: (?:is|was|must be|has to be|will be|should be)(?: ?:)?{_GAP}| ?(?::|=>?|->){_GAP}?| - | ?\n)"
ENDS = r"(?= ?(?:[.!\n]|$))"
UNIT = (  # "4 legs", but not "4 or 5", "4 more", "4 times two"
    r"(?: (?!(?:or|to|and|plus|minus|times|more|less|fewer|of|out|than|percent|point|hundred|thousand|million|"
    r"dozen|if|but|not|because|since|x)\b)[a-z]+){0,3}"
)


THERE = (  # what people of another world say is the answer itself
    r"(?:in (?:that|their|the other|this other) (?:world|words|language)[,:]? )?"
    r"(?:(?:they|people there|its people|one of them|(?:the )?people of that world)(?:'d| would| will)? "
    r"(?:say|answer|(?:call|name) (?:it|this|that))(?: that)?[,:]? )?"
)


class _Grammar(NamedTuple):
    """The patterns for one kind of answer. Each holds the name in group `sure` or `weak`.

    `stated` patterns end with the answer, after which only what `follows` allows may come; `called` ones begin with it.
    """

    whole: re.Pattern[str]
    stated: tuple[re.Pattern[str], ...]
    called: re.Pattern[str]
    follows: re.Pattern[str]


def _grammar(unit: str, follows: str) -> _Grammar:
    said = rf"(?:{BEFORE}(?P<sure>{SURE}){AFTER}{unit}|(?P<weak>{WEAK}){ENDS})"
    opener = (
        rf"(?:{HENCE}[,:]? )?(?:i'?a?m? ?not (?:100 ?% |entirely |completely |fully )?(?:sure|certain),? but )?"
        r"(?:(?:i think|i believe|i guess|i suppose|i'd say|i would say|i say|my guess is|i'd go with|i would go with)"
        r"(?: that)?[,:]? )?(?:(?:it is|it's|it must be|it would be|that is|that's|that would be|this is|it looks like|"
        rf"looks like|it seems to be|it appears to be|seems like) )?{SURELY}(?:(?:in|on|at) )?(?:an? )?"
    )
    closer = (
        r"(?:,? (?:i (?:think|believe|guess|suppose)|i'd say|to me|probably|most likely|likely|it seems|"
        r"seems (?:to be )?(?:the )?(?:most |more )?(?:plausible|likely|right|correct)|(?:of|in) the picture))?"
    )
    stated = (
        rf"{_ANSWER}{ASIDE}{OF}(?:{IS}| would be(?: ?:)?{_GAP}){SURELY}{THERE}(?:(?:in|on|at) )?(?:an? )?{said}",
        r"i(?:'ll| will| would|'d| must)? (?:choose|pick|select|go with|answer|say|opt for|conclude)(?: that)?[: ] ?"
        rf"{said}",
        rf"(?:i'm |i am |i'll be |^|(?<=[.!] )|(?<=\n))"
        rf"(?:going (?:with|for)|choosing|picking|opting for|selecting) {said}"
        r"(?= ?[.,;:!(\n]| ?$| (?:because|since|as|here)\b)",
        r"i(?:'m| am) (?:(?:fairly|quite|pretty|very|almost|reasonably|rather) )?(?:sure|certain|confident)(?: that)? "
        rf"(?:it is|it's) {said}",
        rf"{HENCE}[,:]?{_GAP}(?:(?:it is|it's|it must be|that is|that's|this is) )?(?:(?:in|on|at) )?"
        rf"{said}{ENDS}",
    )
    called = (
        rf"(?P<sure>{SURE}){AFTER}{ASIDE} (?:is|was|must be|would be) {SURELY}(?:the|my) "
        rf"(?:final |correct |right |best )?{_ANSWER}\b(?! ?\?)"
    )
    return _Grammar(
        whole=re.compile(rf"{THERE}{opener}{BEFORE}(?P<sure>{ANY})(?: (?P=sure)){{0,3}}{AFTER}{unit}{closer}"),
        stated=tuple(re.compile(pattern) for pattern in stated),
        called=re.compile(called),
        follows=re.compile(follows),
    )


_GOES_ON = r" ?(?:[;:!)\]\n|(,]|\.(?!\d)|$)|(?<=[)\]]) (?!(?:or|and|vs)\b)"
_CHOICE = _grammar(
    "",
    rf"{_GOES_ON}| - | (?:here|myself|though|in this (?:case|picture|image)|because|since|as|who|which|with|by|"
    r"due|having|rather|not|under|given|for|based|instead|and|"
    r"describes|matches|fits|completes|while|whereas|but(?! (?:it )?(?:could|might|may)))\b",
)
_NUMBER = _grammar(UNIT, rf"{_GOES_ON}| (?:because|since|as|not|rather|instead|but(?! (?:it )?(?:could|might|may)))\b")

_OTHERWISE = re.compile(  # "or O" always leaves it open; "and O", ", O" unless O goes on to do something
    rf"[)\]]?(?:,? ?(?:and/or|or|/|vs\.?|versus|to)|(?P<list>,? ?(?:and|&|,))) ?"
    rf"(?:(?:maybe|possibly|perhaps|even|also|the|either|{NOUN}) ){{0,3}}[(\[]?(?P<other>{ANY})(?P<does> [a-z])?"
)
USUALLY = r"(?:in|under|by)(?: the)? (?:standard|normal|regular|usual|classic|traditional|typical|original)"
_LISTING = re.compile(r" ?(?P<sign>[(:,-])")
_LISTED = re.compile(rf"(?P<name>{SURE}) ?(?P<sign>[(:,-])")
_UNREAL = re.compile(
    r"\b(?:if|often|whether|unless|suppose|supposing|assuming|imagine|maybe|perhaps|possibly|either|normally|usually|"
    rf"traditionally|typically|conventionally|{USUALLY}|e\.g|for example|such as|"
    r"(?:one|you|someone) (?:could|might|may) (?:think|say|assume|expect|argue)|thought(?! about))\b"
)
_DENIED = re.compile(r"n't\b|\b(?:not|never|neither|nor|cannot|doubt|wrong|incorrect|false|no longer|without)\b")
_OTHER_SIDE = re.compile(
    r"\b(?:of|than|not|except|against|over|nor|or|isn't|from|beats|either|neither) (?:(?:player|side) )?$"
)
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)[.!?](?=\s)|\n")
_CLAUSE = re.compile(r"[,;:]")
_HOWEVER = re.compile(r"\b(?:but|however|though|here|in this (?:picture|image|photo|case))\b,?")
_BUT = re.compile(r"[,;:]|\bbut\b")
CONCLUDING = re.compile(rf"(?:^|[,;:.\n]|\band|\bbut) ?{HENCE}\b")
_REACH = 240
"""How far back a sentence may begin. Longer ones are judged by their end."""
MOST = 200
"""So many matches of a pattern, from the end of the reply, are looked at."""


_IF = re.compile(
    r"[^.!?;,:\n]{0,60}(?<!as )(?<!even )"
    r"\b(?:if|unless|provided that|assuming)\b(?! (?:i|i'm|i am|you|we|not mistaken)\b)"
)
""" "X wins if ..." is no assertion, "X wins if I am not mistaken" is one."""


def earnest(match: re.Match[str]) -> bool:
    """Whether what matched is asserted: it starts a word, its sentence is no supposition, its clause no denial."""
    text, start = match.string, match.start()
    if start and text[start - 1].isalnum():
        return False
    sentence = _SENTENCE.split(text[max(0, start - _REACH) : start])[-1]
    reasoned = _HOWEVER.split(CONCLUDING.split(sentence)[-1])[-1]
    clause = _CLAUSE.split(reasoned)[-1]
    if _IF.match(text, match.end()):
        return False
    return not (_UNREAL.search(reasoned + match[0]) or _DENIED.search(clause) or _OTHER_SIDE.search(clause))


def asserted(lead: str) -> bool:
    """Whether the words that lead to an answer, in lower case, neither suppose nor deny it."""
    reasoned = _HOWEVER.split(CONCLUDING.split(lead)[-1])[-1]
    return not (_UNREAL.search(reasoned) or _DENIED.search(_BUT.split(reasoned)[-1]))


def left_open(text: str, end: int, name: str) -> bool:
    """Whether another answer stands beside this one: "X or O", "Black (12), White (13)"."""
    match = _OTHERWISE.match(text, end)
    if match and match["other"] != name and not (match["list"] and match["does"]):
        return True
    sign = _LISTING.match(text, end)
    if sign is None:
        return False
    line_end = text.find("\n", end, end + _REACH)
    listed = _LISTED.finditer(text, end, line_end if line_end >= 0 else end + _REACH)
    return any(other["sign"] == sign["sign"] and other["name"] != name for other in listed)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the rules look at: the reply in plain letters, still in its markup, and undressed with names in it."""

    letters: Tidy
    named: Named
    form: Form

    @classmethod
    def of(cls, letters: Tidy, form: Form) -> "Reply":
        return cls(letters, named(undressed(letters), form), form)

    @property
    def text(self) -> str:
        return self.named.text

    @property
    def grammar(self) -> _Grammar:
        return _NUMBER if self.form.kind == "number" else _CHOICE

    def raw(self, match: re.Match[str]) -> tuple[int, int]:
        """Where in the raw reply a match stands."""
        return self.named.tidy.raw(*match.span())

    def candidate(self, how: str, start: int, end: int, name: str) -> Candidate:
        """A candidate found at text[start:end]; `name` is empty for a final word that names no single answer."""
        answer = self.named.answer(name) if name else ""
        return Candidate(answer, how, self.named.tidy.raw(start, end), closed=bool(self.text[end:].strip(" ")))


def whole(reply: Reply) -> Iterator[Candidate]:
    """The whole reply is the answer, but for ornament and a word or two such as "I think it is"."""
    start, end = core(reply.text)
    if end - start <= 120 and (match := reply.grammar.whole.fullmatch(reply.text, start, end)):
        yield reply.candidate("whole reply", *match.span("sure"), match["sure"])


_EARLIER = re.compile(r"\b(?:first|initial|initially|earlier|previous|original|preliminary|tentative|f_rst) $")
"""A first guess is no last word."""
_TRUE = re.compile(r"\b(?:right|correct|true|actual|real|proper) $")
"""Who is to find the wrong answer may also say what would be right there."""


def stated(reply: Reply) -> Iterator[Candidate]:
    """The answer is called so: "the answer is X", "Answer: X", "I choose X", "therefore: X", "X is the answer"."""
    text, grammar = reply.text, reply.grammar
    for match in chain.from_iterable(deque(pattern.finditer(text), maxlen=MOST) for pattern in grammar.stated):
        before = text[max(0, match.start() - 12) : match.start()]
        if (
            earnest(match)
            and not _EARLIER.search(before)
            and not (reply.form.asked == "wrong" and _TRUE.search(before))
        ):
            end = match.end()
            name = match["sure"] or match["weak"]
            if left_open(text, end, name):
                yield reply.candidate("stated answer", match.start(), end, "")
            elif grammar.follows.match(text, end):
                yield reply.candidate("stated answer", match.start(), end, name)
    for match in deque(grammar.called.finditer(text), maxlen=MOST):
        if earnest(match):
            yield reply.candidate("stated answer", *match.span(), match["sure"])


_NAME = re.compile(SURE)
_NAMES = f"{FIRST_NAME}-{ASKED}"
_ORNAMENT = rf"[^\w\n?~=!{_NAMES}]{{0,24}}"
_LINE = re.compile(rf"^{_ORNAMENT}(?:player |side |option )?(?P<name>{ANY})[^\w\n?~={_NAMES}]{{0,24}}$", re.MULTILINE)


_BOARD = re.compile(rf"(?:^|\n)[^\w\n{_NAMES}]{{0,24}}(?:{ANY}[^\w\n{_NAMES}]{{1,24}}){{2,20}}$")
"""A line of a board right above: what follows is its last row."""


def last_line(reply: Reply) -> Iterator[Candidate]:
    """The last line is nothing but the answer, and no other line is nothing but another."""
    lines = list(_LINE.finditer(reply.text))
    if lines and not reply.text[lines[-1].end() :].strip() and not _BOARD.search(reply.text, 0, lines[-1].start()):
        alone = {reply.named.answer(line["name"]) for line in lines}
        name = lines[-1]["name"] if len(alone) == 1 else ""
        yield reply.candidate("last line", *lines[-1].span("name"), name)


_OPENING = re.compile(
    rf"{_ORNAMENT}(?:(?:it's|it is|probably|likely|most likely|i think|i'd say|i would say|that|clearly),? ){{0,3}}"
    rf"{BEFORE}"
    rf"(?P<name>{SURE}){AFTER}(?:,? (?:because|since|due|as)\b| ?\n|"
    rf"(?P<aside>,? (?:with|by|given|having|for|who|which|that)\b(?! (?:is|are) (?:empty|blank)))|"
    r"(?P<sign> ?\(|(?P<dot>[.)] )| - |, (?=[a-z])))"
)
_LINE_START = re.compile(rf"^{_ORNAMENT}(?:{NOUN} )?(?P<name>{SURE})(?:[.):\n]| - )", re.MULTILINE)


_DROPPED = re.compile(
    rf"\b(?:not|rather than|instead of|misread [a-z ]{{0,20}}as|unlike|never) (?:the )?(?:{NOUN} )?{SURE}"
)


def opening(reply: Reply) -> Iterator[Candidate]:
    """The reply opens with its answer and then explains: "X because ...", "O (the second player)", "X", new line."""
    match = _OPENING.match(reply.text)
    if match is None or reply.letters.cut or reply.form.kind != "choice" or reply.form.final != "plain":
        return
    starts = {line["name"] for line in _LINE_START.finditer(reply.text)}
    first_line = reply.text[match.start("name") :].partition("\n")[0]
    others = set(_NAME.findall(_DROPPED.sub("", _ASIDES.sub("", first_line)))) - {match["name"]}
    if match["dot"] == ") " and "(" in match[0].lstrip(" (["):
        return  # "Caption (A) says ..." opens a sentence, "(A) a dog" gives an answer
    if match["dot"] and not _LISTED_ON.search(first_line, 2):
        others = set()  # a sentence of its own; what follows may speak of the others
    if starts <= {match["name"]} and not (match["sign"] and others) and not _is_subject(match):
        yield reply.candidate("opening words", *match.span("name"), match["name"])


_ASIDES = re.compile(rf"\((?! ?{SURE} ?\))[^()\n]*\)")
_LISTED_ON = re.compile(rf"{SURE}[.):] ")
_GOES_ON_DOING = re.compile(
    r", (?:(?:then|now|also|first|just|still|already|is|was|has|had|have) )?"
    r"(?!(?:so|and|but|not|which|who|as|because)\b)[a-z]+(?:s|ed|ing|d|t|ok)\b"
)


def _is_subject(match: re.Match[str]) -> bool:
    """Whether the name only begins a sentence that goes on to say what it does: "X, with the first move, played"."""
    if match["aside"] is None and not (match["sign"] or "").startswith(","):
        return False
    return _GOES_ON_DOING.search(match.string, match.end("name") + 2, _sentence_end(match)) is not None


def _sentence_end(match: re.Match[str]) -> int:
    end = _SENTENCE.search(match.string, match.end())
    return end.start() if end else len(match.string)
