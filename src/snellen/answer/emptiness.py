"""Replies that say of a chart that nothing is on it: "The page is blank.", "None", "There are no dots".

Who sees nothing seldom says the word asked for, and what is unread on empty charts would make seeing things look more
common than it is. Every part of the reply must say so and nothing else; where the form has no answer for emptiness
(`Form.empty`), this rule is silent.
"""

import re
from collections.abc import Iterator

from snellen.answer.rules import Reply
from snellen.answer.tidy import core, undressed
from snellen.answer.values import Candidate

_LONGEST = 160
_PAGE = r"(?:page|image|picture|chart|plate|sheet|canvas|background|screen|field)"
_WHOLLY = r"(?:(?:completely|entirely|totally|quite|just|simply|all|only|an?|one|plain|solid|uniform|uniformly|blank) )"
_EMPTY = rf"(?:{_WHOLLY}{{0,3}}(?:blank|empty|bare|featureless)|{_WHOLLY}{{1,3}}white|{_WHOLLY}{{0,3}}(?:even|uniform|"
_EMPTY += r"uniformly|plain|solid|uniform even|featureless) gr[ae]y)"
_THING = (
    r"(?:(?:single|capital|visible|discernible|clear|big|large|separate) ){0,2}(?:letters?|digits?|numbers?|rings?|"
    r"stripes?|dots?|marks?|figures?|symbols?|characters?|text|content|patch|pattern|shapes?)"
)
_SEEN = (
    rf"(?: (?:(?:that )?(?:is |are |to be |can be |i can )?(?:visible|shown|present|seen|see|drawn|here|there)|at all|"
    rf"(?:on|in) (?:it|(?:the|this) (?:whole |blank |empty )?{_PAGE}))){{0,3}}"
)
_LOOKS = r"(?:is|'s|looks|appears|appears to be|seems|seems to be|looks to be)"
_LEAD = (
    r"(?:(?:i think|i believe|i'd say|it looks like|it seems|it appears|so|and|but|with|answer|the answer is|hmm),? )"
    r"{0,2}"
)
_SAYS = re.compile(
    rf"{_LEAD}(?:(?:(?:the|this|that|whole|entire) ){{0,2}}(?:{_PAGE}|it) ?{_LOOKS} {_EMPTY}(?: {_PAGE})?(?: to me)?|"
    rf"(?:i see |there is |there's |this is |it's |it is )?(?:only )?(?:an? |the )?{_EMPTY}(?: {_PAGE})?|"
    rf"(?:i see |i can see |there is |there's |there are )?(?:none|nothing|no {_THING})(?: is| are)?{_SEEN}|"
    rf"there (?:isn't|aren't|is not|are not) (?:an?|any) {_THING}{_SEEN}|there (?:isn't|is not) anything{_SEEN}|"
    rf"i (?:don't|do not) see (?:anything|(?:an?|any) {_THING}){_SEEN}|"
    r"(?:no|none of the) dots (?:differ|stand out)(?: in colou?r)?)"
)
_BREAK = re.compile(r"[.!;,:\n]+ ?| - ")


def empty(reply: Reply) -> Iterator[Candidate]:
    """The answer that nothing is there, where a short reply says just that."""
    tidy = undressed(reply.letters)
    start, end = core(tidy.text)
    if not reply.form.empty or reply.letters.cut or not 0 < end - start <= _LONGEST:
        return
    parts = [part for piece in _BREAK.split(tidy.text[start:end].lower()) if (part := piece.strip())]
    if parts and all(_SAYS.fullmatch(part) for part in parts):
        yield Candidate(reply.form.empty, "said to be empty", tidy.raw(start, end))
