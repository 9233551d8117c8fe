"""Which claim is the answer.

**The last claim that calls something the answer wins; without one, what is said of the thing asked for, if all such
claims agree or the last one concludes; without that, what the reply opens with or its last sentence comes to.** A reply
that then says of another label what was asked for is unread.
"""

import re
from dataclasses import replace

from snellen.answer.claims import sentence_start
from snellen.answer.endings import ClaimFinder
from snellen.answer.lexicon import pattern
from snellen.answer.tidy import Tidy
from snellen.answer.values import Claim

_HELD = ("boxed", "braces")
"""A promised container may overrule what was said right before it in words."""
_LEADING = re.compile(r"\b(?:the|my|so|and|final|correct)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")


def last_of(finals: list[Claim], letters: Tidy) -> Claim:
    """The last final answer; an empty one if another stands right before it, with not a word between them."""
    last = max(finals, key=lambda claim: claim.span[1])
    for other in finals:
        between = letters.text[other.span[1] - letters.offset : last.span[0] - letters.offset]
        if (
            (last.how in _HELD) == (other.how in _HELD)
            and other.answer not in ("", last.answer)
            and other.span[1] <= last.span[0]
            and not _WORD.search(_LEADING.sub("", between))
        ):
            return replace(last, answer="")
    return last


def weaker(finder: ClaimFinder) -> Claim | None:
    """What the reply opens with, unless it comes to something else; else what it comes to."""
    if _ASKS.search(finder.reply.letters.text.lower()):
        return None
    first = finder.opening()
    end = _in_full(finder) or outcome(finder) or finder.last_sentence() or finder.only_number()
    if first and end and first.answer != end.answer:
        corrected = pattern("CORRECTS").search(finder.tags, first.place[1], end.place[0])
        return end if finder.is_last(end) and (end.how != "restated question" or corrected) else None
    return first or end


def _in_full(finder: ClaimFinder) -> Claim | None:
    """What is said in a sentence that has all the words of the question, unless a correction or a conclusion follows;
    what is said of something else before or after it does not matter."""
    full = [claim for claim in finder.outcomes if finder.in_full(claim)]
    if not full or len({claim.answer for claim in full}) > 1 or not full[-1].answer:
        return None
    later = [claim for claim in finder.outcomes if claim.place[0] > full[-1].place[1] and claim.stance == "concluded"]
    if later or pattern("CORRECTS").search(finder.tags, full[-1].place[1]):
        return None
    return full[-1]


def outcome(finder: ClaimFinder) -> Claim | None:
    """What is said of the thing asked for, if nothing in the reply contradicts it or the last sentence concludes."""
    reply, tags = finder.reply, finder.tags
    stated = finder.outcomes
    claims = [
        claim for claim in stated if claim.stance in ("given", "concluded") and claim.about != "the kind in general"
    ]
    claims = [claim for claim in claims if claim.about != "a part"]
    if not claims:
        return None
    counting = reply.form.kind == "number"
    last_name = tags.rfind("L")
    sentence = sentence_start(tags, last_name)
    last = [claim for claim in claims if claim.place[0] >= sentence]
    others = finder.of_others
    names = {reply.answer(k) for k, tag in enumerate(tags) if tag == "L" and k not in others}
    hence = pattern(r"(?: ^ | [,;:.\n] | AND | BUT ) HENCE")
    drawn = max((match.end() for match in hence.finditer(tags, sentence)), default=0)
    later = [claim for claim in last if claim.place[1] > drawn]
    last = later if counting or any(claim.about == "what is asked" for claim in later) else last
    last = last or [claim for claim in claims if claim.place[0] >= sentence]
    summed = [
        claim for claim in last[-1:] if pattern("MAKING | TOTAL | = | L ANYWORD{0,2} TOTAL").match(tags, claim.place[0])
    ]
    if counting and summed and summed[0].place[1] > last_name:
        claims = summed
    elif last and (hence.search(tags[max(0, sentence - 1) : last[0].place[0]]) or _corrected(tags, claims, last[0])):
        fitting = any(claim.about != "its opposite" for claim in last)
        claims = last if fitting or not any(claim.about == "what is asked" for claim in claims) else claims
    elif counting and len(names) > 1:
        claims = finder.counted_last(claims, last)
    elif reply.form.final == "boxed" and not last:
        return None
    return _agreed(claims, finder)


def _corrected(tags: str, claims: list[Claim], last: Claim) -> bool:
    """Whether words of a correction stand between the claims before and the last one."""
    return claims[0] != last and bool(pattern("CORRECTS").search(tags, claims[0].place[0], last.place[0]))


def _agreed(claims: list[Claim], finder: ClaimFinder) -> Claim | None:
    """The last claim about what is asked, if all such claims agree and none says the opposite of it."""
    fitting = [claim for claim in claims if claim.about == "what is asked" or _any_will_do(claim, finder)]
    if not fitting or len({claim.answer for claim in fitting}) > 1 or not fitting[-1].answer:
        return None
    opposite = "its opposite" if fitting[-1].about == "what is asked" else "what is asked"
    contrary = {claim.answer for claim in claims if claim.about == opposite}
    return None if fitting[-1].answer in contrary else fitting[-1]


def contradicted(finder: ClaimFinder, claim: Claim) -> bool:
    """Whether the reply goes on to say of another label what was asked for, or says no in other words and yes."""
    if finder.form.kind != "choice" or claim.how == "JSON":
        return False
    others = [
        c for c in finder.outcomes if c.counts and c.answer not in ("", claim.answer) and c.about == "what is asked"
    ]
    if finder.in_full(claim):
        others = [c for c in others if c.how != "restated question" or finder.in_full(c)]
    either = {label.lower() for label in finder.form.labels} == {"yes", "no"}
    return any(c.span[0] >= claim.span[1] or (either and c.how == "restated question") for c in others)


def _any_will_do(claim: Claim, finder: ClaimFinder) -> bool:
    """Whether any outcome counts, as nothing is asked for by name."""
    return finder.asked == "" and finder.form.kind == "choice" and claim.how == "stated outcome"


_ASKS = re.compile(
    r"\b(?:please|could you|can you|would you)(?: please)? "
    r"(?:re)?(?:share|provide|upload|attach|send|supply|clarify|paste)\b|"
    r"\b(?:i can|i'd be (?:happy|glad) to|happy to|glad to) (?:help|assist)\b"
)
"""Who asks for something, or offers help, has not answered yet."""

_UNDECIDED = re.compile(
    r"\b(?:cannot|can't|can not|unable to|impossible to|not possible to) (?:be )?"
    r"(?:tell|determined?|decided?|concluded?|say|count(?:ed)?)\b|"
    r"\b(?:it|this|there|game|result|that)(?: is|'s| was| ends in) "
    r"an? (?:draw|tie)\b|\bno (?:winner|one wins)\b"
)


def undecided(text: str) -> bool:
    """Whether a text says that nobody can tell, or that nobody has won."""
    return bool(_UNDECIDED.search(text.lower()))
