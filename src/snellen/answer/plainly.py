"""Short replies that name one thing of a chart in everyday words: "It's a K.", "the letter is k", "I see an E", "The
gap is at the top", "They cross twice".

For charts the other rules are too careful: a letter in lower case might be an article, "I see a C" a remark. Here every
word must be one of a few that neither deny, nor suppose, nor compare. Among these a single sign can only be the answer;
as soon as any other word is there, this rule is silent.
"""

import re
from collections.abc import Iterator

from snellen.answer.chart_words import everyday
from snellen.answer.denials import WORDS_TOO
from snellen.answer.hedges import unhedged
from snellen.answer.naming import ANY, WEAK
from snellen.answer.rules import Reply
from snellen.answer.tidy import FIRST_NAME, core
from snellen.answer.values import Candidate
from snellen.item import Form

_LONGEST = 160
_PLAIN = """
a an the it its it's is this that that's there there's one single only just letter digit number figure character
capital uppercase upper lowercase lower case tiny small little large big faint black white grey gray dark light bold
printed shown displayed drawn visible seen here on in of at page picture image plate chart centre center middle
i i'd i'll i'm would could can might may must be my best answer guess guessing final see sees think believe say
read reads probably likely most possibly perhaps maybe definitely clearly certainly looks look seems seem appears
appear like to as me shows show contains sure quite pretty very fairly hmm ok okay well so option marked
formed by dots shape symbol let's go with displays display which
"""
_WORDS = frozenset(_PLAIN.split())
"""Words among which a sign can only be the answer."""
_OF_PLACES = """
gap opening opens open break points point pointing pointed faces facing toward towards direction side corner ring has
located lies pair bars
"""
_OF_STRIPES = "stripes stripe run runs running are they direction patch lines oriented orientation"
_OF_NUMBERS = """
line lines curve curves ends end ending leads lead goes arrives cross crosses crossing crossings intersect intersects
intersection intersections times time count counted counting total points places each other they are red blue and
exactly only
"""
_PLACED = (_WORDS - {"upper", "lower"}) | set(_OF_PLACES.split())
"""Where places are asked for, half of one is no word among others."""
_STRIPED = _WORDS | set(_OF_STRIPES.split())
_NUMBERED = _WORDS | set(_OF_NUMBERS.split())
_OUT_OF_LINE = re.compile(
    r" (?:is |stands )?(?:(?:a little |slightly )?(?:out of line|misaligned|offset)|not (?:in line|aligned))\b"
)
_PARTS = re.compile(rf"{ANY}|[^\W_{ANY[1:-1]}]+(?:'[^\W_{ANY[1:-1]}]+)*|[^\s.,:;!()\[\]\-\u2013\u2014\u2026]")
_SIGN = rf"(?:an? |the )?(?:(?:letter|digit|number) )?(?P<denied>{ANY})"
_NOT_FIRST = re.compile(
    rf"(?:\bis not|\bisn't|\bit's not|\bnot|\bno) {_SIGN}"
    r"(?:[,;.:]? (?:but|rather)|[,;.:] (?=(?:it's|it is|this is|that's)\b))"
)
""" "It's not a C, it's ...", "not C but ..."."""
_NOT_LAST = re.compile(rf",? \(?(?:and not|not|rather than|instead of|unlike) {_SIGN}\)?(?= ?[.!]? ?$)")
_WONDERED = re.compile(
    r"^((?:(?:hmm|maybe|perhaps|possibly|probably|an?|the|letter|digit|number|it's|i think|i guess),? ){0,4}"
    rf"{ANY}) ?\?$"
)
""" "K?" is a guess, "Is it a K?" a question."""
_GUESSED = re.compile(
    r"(?:^|(?<=[.;,!?] )|(?<=- )|(?<=\n))(?:so |but )?"
    r"(?:my (?:best )?guess\b|i(?:'d| would| will|'ll)? guess\b|if i (?:had|have) to guess\b)"
    rf"(?P<guess>[^?\n]*{ANY}[^?\n]*)$"
)
"""What a reply ends with, called a guess, is its answer whatever came before."""
_WEAK = re.compile(WEAK)


def plainly(reply: Reply) -> Iterator[Candidate]:
    """The only sign that a short reply in such words names."""
    start, end = core(reply.text)
    fits = everyday(reply.form) and reply.form.kind == "choice" and not reply.letters.cut
    if not fits or not 0 < end - start <= _LONGEST:
        return
    text = reply.text[start:end] if end - start == 1 else _as_words(reply, start, end)
    if (guessed := _GUESSED.search(text)) and guessed.start("guess"):
        start, text = start + guessed.start("guess"), guessed["guess"]
    words, placed = _words(reply.form), "upper left" in reply.form.labels
    denied = {match["denied"] for match in (*_NOT_FIRST.finditer(text), *_NOT_LAST.finditer(text))}
    said = _WONDERED.sub(r"\1", _NOT_LAST.sub("", _NOT_FIRST.sub(" ", text)))
    parts = _PARTS.findall(unhedged(_OUT_OF_LINE.sub("", said) if placed else said, words))
    signs = [part for part in parts if part >= FIRST_NAME]
    answers = {reply.named.answer(sign) for sign in signs}
    if len(answers) != 1 or any(part not in words for part in parts if part < FIRST_NAME):
        return
    if answers.isdisjoint(reply.named.answer(name) for name in denied):
        at = start + text.rfind(signs[-1])
        yield reply.candidate("named plainly", at, at + 1, signs[-1])


def _words(form: Form) -> frozenset[str]:
    """The words that may stand beside an answer of this form."""
    if "upper left" in form.labels:
        return _PLACED
    if "leaning right" in form.labels:
        return _STRIPED
    return _NUMBERED if "1" in form.labels else _WORDS


_A_FEW = re.compile(r" (?:lines?|curves?|paths?|colou?rs?|dots|of)\b")
_ONE_BEFORE = re.compile(
    r"(?:^|\b(?:is|it's|be|an?|digit|number|answer|count|see|reads?|at|to|cross|crosses|intersect|only|just|exactly|guess|"
    r"say)|:) ?$"
)
_ONE_AFTER = re.compile(r" ?(?:$|[.,;!)]|(?:times?|crossings?|intersections?)\b)")


def _as_words(reply: Reply, start: int, end: int) -> str:
    """The text with every "a", "i" and "one" a word again that is none of the answers, and "two" where it counts lines.
    Nothing moves: each of these words takes one character."""

    def spelled(match: re.Match[str]) -> str:
        answer = reply.named.answer(match[0])
        if answer in WORDS_TOO:
            return answer.lower()
        before, after = match.string[: match.start()], match.string[match.end() :]
        counts = answer.isdigit() and _A_FEW.match(after)
        one = answer == "1" and not (_ONE_BEFORE.search(before) and _ONE_AFTER.match(after))
        return "a" if counts or one else match[0]

    return _WEAK.sub(spelled, reply.text[start:end])
