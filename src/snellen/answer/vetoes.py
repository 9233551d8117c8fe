"""What speaks against an answer that was found: the rest of the reply says otherwise, or speaks of the kind.

These rules only ever leave a reply unread. Whether the opening word or the explanation was meant, nobody can tell.
"""

import re

from snellen.answer.asking import WORD, asked, stem
from snellen.answer.lexicon import table, words_of
from snellen.answer.naming import ANY, ordinal
from snellen.answer.tags import TaggedReply
from snellen.answer.values import Claim

_REACH = 200
"""So many characters back a sentence may begin."""


def vetoed(reply: TaggedReply, claim: Claim) -> bool:
    """Whether the reply leaves open what was found in it."""
    if reply.form.kind == "number":
        return _has_one_more(reply, claim) or _is_of_kind(reply, claim)
    return _denies_itself(reply, claim) or _is_of_the_rest(reply, claim)


# Yes or no to what is usual

_USUAL = frozenset(stem(word) for word in table("same")["4"].split(" | "))
_UNUSUAL = frozenset(stem(word) for word in words_of("unusual"))
_CLAUSE = re.compile(r"[.,;:!?\n()]|\bbut\b")
_FIRST_LABEL = re.compile(rf"^\W*{ANY}")
_PREDICATES = frozenset(
    ("has", "have", "show", "shows", "is", "are", "look", "looks", "seem", "seems", "appear", "appears", "with", "as")
)
_DENIALS = frozenset(("no", "not", "nothing", "none", "never", "without", "neither", "nor"))
_OPEN = frozenset(("whether", "if"))


def _denies_itself(reply: TaggedReply, claim: Claim) -> bool:
    """Whether a yes or no to the question whether something is usual goes on to say the opposite."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    if question is None or not question.yes_no or question.denies or claim.how == "JSON":
        return False
    if not any("usual" in core for core in question.core):
        return False
    rest = re.sub(ANY, lambda name: reply.named.answer(name[0]).lower(), _FIRST_LABEL.sub("", reply.text))
    stances = {_says(clause) for clause in _CLAUSE.split(rest)} - {""}
    return stances == {"usual"} if claim.answer.lower() == "no" else "unusual" in stances


def _says(clause: str) -> str:
    """Whether a clause says that something is usual or unusual; empty where it says neither, or compares."""
    words = WORD.findall(clause)
    stems = [stem(word) for word in words]
    if not _OPEN.isdisjoint(words):
        return ""
    denied = not _DENIALS.isdisjoint(words)
    if not _UNUSUAL.isdisjoint(stems):
        return "" if denied else "unusual"
    places = [k for k, word in enumerate(stems) if word in _USUAL]
    if places and denied:
        return "unusual"
    leads = [{*words[max(0, k - 4) : k]} for k in places]
    return "usual" if any(lead & _PREDICATES and "than" not in lead for lead in leads) else ""


# Numbers

_NTH_ONE = re.compile(
    r"\b(?:an?|another|additional|extra|possible|possibly|plus|also)(?: (?!of\b)[a-z]+){0,2}? "
    r"(?P<nth>[a-z]+th|\dth|third)\b"
)
_ONE_MORE = re.compile(
    rf"(?P<name>{ANY})(?: [a-z]+){{0,2}},? (?:and|plus)(?: also)?(?: an?| one)? "
    r"(?:extra|additional|further|another|more)\b"
)
_DENIED = re.compile(r"\b(?:no|not|never|without|nor)\b")


def _has_one_more(reply: TaggedReply, claim: Claim) -> bool:
    """Whether a further one is spoken of: "4 legs, plus a fifth one", "4 legs and an extra one"."""
    if any(reply.named.answer(match["name"]) == claim.answer for match in _ONE_MORE.finditer(reply.text)):
        return True
    for match in _NTH_ONE.finditer(reply.text):
        before = _CLAUSE.split(reply.text[max(0, match.start() - _REACH) : match.start()])[-1]
        if ordinal(match["nth"]) > int(claim.answer) and not _DENIED.search(before):
            return True
    return False


_DETERMINER = r"(?:the|this|that|these|those|both|its|his|her|their|our|my|they|we|you|it|all|here|yes|so|i)\b"
_KIND_HAS = re.compile(
    rf"(?:^|[,;:(]|\b(?:and|but|because|since|as|so|while|that)) *(?!{_DETERMINER})(?:[a-z-]+ )?(?!{_DETERMINER})"
    r"[a-z-]+s(?: all)?(?: [a-z]+ly)? have(?: [a-z]+){0,2} *$"
)
_WHICH_HAS = re.compile(
    r"(?P<this>\b(?:the|this|that)(?: [a-z-]+){1,2})?, (?:which|who)(?: [a-z]+ly)? ha(?:s|ve)(?: [a-z]+){0,2} *$"
)


def _is_of_kind(reply: TaggedReply, claim: Claim) -> bool:
    """Whether a number is said of the kind: "Spiders have 8 legs", "a dog, which has 4 legs"."""
    raw = reply.named.tidy.raw
    places = [match.start() for match in re.finditer(ANY, reply.text)]
    inside = [k for k in places if claim.span[0] <= raw(k, k + 1)[0] < claim.span[1]]
    named = [k for k in inside if reply.named.answer(reply.text[k]) == claim.answer]
    for k in named[-1:]:
        lead = re.split(r"[.!?\n]", reply.text[max(0, k - _REACH) : k])[-1].rstrip("{ ")
        which = _WHICH_HAS.search(lead)
        return bool(_KIND_HAS.search(lead) or (which and not which["this"]))
    return False


# Questions that deny


def _is_of_the_rest(reply: TaggedReply, claim: Claim) -> bool:
    """Whether a mere mention in the last sentence is taken for what a question with "not" asks for."""
    question = asked(reply.question.text, reply.form) if reply.question else None
    return question is not None and question.denies and claim.how == "last sentence"
